"""Numbers in other units than SI, and scenes that nothing holds, are doubted in one sentence each; what is meant is not."""

from math import pi

import pytest

import pliant as pl


def told(*things, **more) -> list[str]:
    scene = pl.Scene(**more)
    for thing in things:
        scene.add(thing)
    return pl.World(scene).warnings


def ball(name: str = "ball", **more) -> pl.Body:
    return pl.Body(name, pl.Sphere(0.1), position=(0, 0, 1), **more)


@pytest.mark.parametrize(("density", "doubted"), [(7.8, True), (1.0, True), (11.0, False), (7800.0, False)])
def test_densities_in_grams(density, doubted):
    material = pl.Material(density, 2e11, poisson=0.3)
    rope = pl.Rope("r", path=[(0, 0, 3), (1, 0, 3)], points=5, radius=0.01, material=material, collide=False)
    for thing in (ball(density=density), rope, pl.Cloth("r", pl.Sheet(1, 1, 0.5), thickness=0.001, material=material)):
        found = told(pl.Ground(), thing)
        assert len(found) == doubted
        assert not doubted or f"its density is {density:g} kg/m3, lighter than any foam; 1 g/cm3 is 1000 kg/m3" in found[0]


@pytest.mark.parametrize(("young", "doubted"), [(200.0, True), (0.05, True), (1e3, False), (2e11, False)])
def test_stiffness_in_giga_and_megapascals(young, doubted):
    material = pl.Material(7800.0, young, poisson=0.3)
    found = told(pl.Ground(), pl.Solid("s", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=material, position=(0, 0, 1)))
    assert len(found) == doubted
    assert not doubted or f"Solid 's': the Young's modulus of its material is {young:g} Pa, softer than any gel" in found[0]


@pytest.mark.parametrize(("limits", "doubted"), [((-90, 90), True), ((0.0, 45.0), True), ((-3.0, 3.0), False),
                                                 ((0.0, 8 * pi), False), ((-float("inf"), 1.0), False), ((0.0, 1e6), False)])
def test_limits_in_degrees(limits, doubted):
    """Whole numbers beyond a turn are doubted; of slides all are lengths."""
    found = told(ball(), pl.Revolute("j", pl.WORLD, "ball", limits=limits))
    assert len(found) == doubted
    assert not doubted or ("Revolute 'j': a limit is " in found[0] and "angles are in radians" in found[0])
    assert told(ball(), pl.Prismatic("j", pl.WORLD, "ball", limits=limits)) == []


def test_latches_and_targets_in_degrees():
    found = told(ball(), pl.Revolute("j", pl.WORLD, "ball"), pl.Latch("l", "j", at=-90, hold=1.0))
    assert len(found) == 1 and "Latch 'l': at is -90 rad, 14.3 turns; angles are in radians, -90 degrees are -1.571" in found[0]
    for motor, doubted in ((pl.PositionMotor(45.0, 1, 1), 1), (pl.VelocityMotor(45.0, 1), 0), (pl.PositionMotor(1.5, 1, 1), 0)):
        assert len(told(ball(), pl.Revolute("j", pl.WORLD, "ball", motor=motor))) == doubted


def test_a_scene_that_nothing_holds():
    """Oracle: where nothing could bear or hold anything, and only there."""
    falls = ["Scene: nothing holds or bears anything, so that all falls for ever; add a Ground, pin something, or give "
             "gravity=(0, 0, 0)"]
    rope = pl.Rope("r", path=[(0, 0, 3), (1, 0, 3)], points=5, radius=0.01, material="hemp rope")
    pair = (ball("a"), ball("b", fixed=False), pl.Spring("s", "a", "b", stiffness=1.0))
    assert told(ball()) == falls and told(rope) == falls and told(*pair) == falls
    assert told(ball(), gravity=(0, 0, 0)) == [] and told() == []
    floor = pl.Body("floor", pl.Box(9, 9, 0.1), fixed=True)
    lift = pl.Body("lift", pl.Box(9, 9, 0.1), motion=pl.Motion([0, 1], [(0, 0, 0), (0, 0, 1)]))
    for bears in (pl.Ground(), floor, lift, pl.Spring("s", pl.WORLD, "ball", stiffness=1e3), pl.Pin("p", "ball"),
                  pl.Spherical("j", "ball", pl.WORLD)):
        assert told(ball(), bears) == []


@pytest.mark.parametrize(("radius", "doubted"), [(15.0, True), (0.6, True), (0.4, False), (0.015, False)])
def test_radii_in_millimetres(radius, doubted):
    path = [(0, 0, 3), (0.5, 0, 3), (1, 0, 3)]
    found = told(pl.Rope("r", path=path, points=5, radius=radius, material="rubber"), gravity=(0, 0, 0))
    assert len(found) == doubted
    assert not doubted or f"Rope 'r': its radius is {radius:g} m, and its path 1 m long; lengths are in metres" in found[0]


@pytest.mark.parametrize(("thickness", "doubted"), [(0.5, True), (0.11, True), (0.09, False), (0.001, False)])
def test_thickness_in_millimetres(thickness, doubted):
    found = told(pl.Cloth("c", pl.Sheet(1.0, 0.5, 0.25), thickness=thickness), gravity=(0, 0, 0))
    assert len(found) == doubted
    assert not doubted or f"Cloth 'c': its thickness is {thickness:g} m, and its width 1 m; lengths are in metres" in found[0]


def test_gravity_that_points_up():
    (said,) = told(pl.Ground(), ball(), gravity=(0, 0, 9.81))
    assert said == "Scene: gravity is (0.0, 0.0, 9.81) m/s2 and points up, since z does; things fall by (0, 0, -9.81), check it"
    assert told(pl.Ground(), ball(), gravity=(9.81, 0, 0.5)) == []


def test_a_rope_far_longer_than_its_path_is_doubted():
    """Oracle: the numbers in what is said; slack of a few lengths is not doubted."""
    for length, doubted in ((1e9, True), (30.0, False)):
        scene = pl.Scene()
        scene.add(pl.Rope("r", [(0, 0, 0), (1, 0, 0)], 11, 0.01, length=length, mass=1.0, bend=1e-3, twist=1e-3, collide=False))
        scene.pin("r.start")
        told = [text for text in pl.World(scene, threads=1).warnings if "length is 1e+09 m, and its path 1 m long" in text]
        assert bool(told) == doubted
