"""Masses, sizes, sags and starts in the ground that cannot be meant are doubted in one sentence each. Oracle: by hand."""

import pytest

import pliant as pl


def told(*things, **more) -> list[str]:
    scene = pl.Scene(**more)
    for thing in things:
        scene.add(thing)
    return pl.World(scene, threads=1).warnings


def body(shape, z: float = 9e3, name: str = "b", **more) -> pl.Body:
    return pl.Body(name, shape, position=(0, 0, z), **more)


@pytest.mark.parametrize("more", [{}, {"mass": 20.0}])
def test_millimetres_taken_for_metres(more):
    """Oracle: 500 x 300 x 200 = 3e7 m3, of water 3e10 kg; 20 kg in it are 6.7e-7 kg/m3."""
    (said,) = told(pl.Ground(), body(pl.Box(500, 300, 200), **more))
    assert said.startswith("Body 'b': ") and "3e+07 m3" in said and "lengths are in metres" in said
    assert ("6.7e-07 kg/m3" if more else "3e+10 kg") in said
    assert told(pl.Ground(), body(pl.Box(500, 300, 200), density=500.0)) == []
    assert told(pl.Ground(), body(pl.Box(10, 10, 10))) == []


@pytest.mark.parametrize(("mass", "doubted"), [(1e6, True), (126.0, True), (124.0, False), (0.125, False)])
def test_denser_than_any_metal(mass, doubted):
    """Oracle: a cube of 5 cm is 1.25e-4 m3, which 1e6 kg/m3 fill with 125 kg."""
    cube = body(pl.Box(0.05, 0.05, 0.05), mass=mass)
    found = told(pl.Ground(), cube)
    assert len(found) == doubted
    assert not doubted or (f"{mass:.4g} kg in 0.000125 m3" in found[0] and "denser than any metal" in found[0])
    assert told(pl.Ground(), cube.replace(collide=False)) == [], "a point mass that is drawn small"


@pytest.mark.parametrize("under", [True, False])
@pytest.mark.parametrize(("stiffness", "doubted"), [(20.0, True), (700.0, True), (900.0, False), (1e5, False)])
def test_springs_that_are_far_too_soft(under, stiffness, doubted):
    """Oracle: 400 x 9.81 / k, 5 m at 785 N/m, five times the length of 1 m."""
    spring = pl.Spring("s", pl.WORLD, "b", stiffness=stiffness, at_a=(0, 0, 4 if under else 6))
    load = body(pl.Box(0.5, 0.5, 0.5), 5.0, mass=400.0)
    found = told(pl.Ground(), load, spring)
    assert len(found) == doubted
    assert not doubted or f"would sag by m g / k = {400 * 9.81 / stiffness:.3g} m under 400 kg" in found[0]
    again = pl.Spring("t", pl.WORLD, "b", stiffness=1e5, at_a=(0, 0, 4))
    held = pl.Prismatic("rail", pl.WORLD, "b", axis=(1, 0, 0))
    floor = pl.Body("floor", pl.Box(3, 3, 0.1), fixed=True, position=(0, 0, 4.7))
    across = spring.replace(at_a=(1, 0, 5))
    for quiet in ((load, spring, again), (load, spring, held), (load, spring, floor), (load, across)):
        assert told(pl.Ground(), *quiet) == []
    assert told(pl.Ground(), load, spring, gravity=(0, 0, 0)) == []
    assert told(pl.Ground(height=4.75), load, spring) == [], "the ground bears it"


@pytest.mark.parametrize(("z", "depth"), [(0.0, 0.5), (0.1, 0.4), (-3.0, 3.5), (0.35, None), (0.5, None), (2.0, None)])
def test_a_start_in_the_ground(z, depth):
    """Told once, when the world is made; less than a fifth is for the first step to tell."""
    for ground, at in ((pl.Ground(), (0, 0, z)), (pl.Ground(normal=(1, 0, 0), height=2.0), (2.0 + z, 0, 0))):
        scene = pl.Scene()
        scene.add(ground)
        scene.add(pl.Body("b", pl.Box(1, 1, 1), mass=5.0, position=at))
        world = pl.World(scene, threads=1)
        sunk = [text for text in world.warnings if text.startswith("Body 'b' starts in 'ground': ")]
        assert len(world.warnings) == len(sunk) == (depth is not None)
        assert depth is None or f": {depth:g} m deep; it will be lifted out" in sunk[0]
        assert sum("'ground'" in text for text in world.step().warnings) == (z < 0.5)


def test_what_stands_in_the_ground_by_a_joint_is_not_lifted():
    post = body(pl.Box(1, 1, 1), 0.0, mass=5.0)
    assert told(pl.Ground(), post, pl.Fixed("j", pl.WORLD, "b")) == []
    assert told(pl.Ground(), post.replace(collide=False)) == [] and told(pl.Ground(), post.replace(fixed=True)) == []
