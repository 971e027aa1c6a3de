"""Light ropes that hold heavy soft things, thrown and torn along. Oracles: weight, a rigid body in their place, energy."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

G = 9.81
CUBE = pl.Material(1000.0, 1e5, poisson=0.3)


def hung(kind: str, velocity=(0.0, 0.0, 0.0), motion=None, drag: float = 0.0, stuff: pl.Material = CUBE) -> pl.Scene:
    """A rope of 1 m and 0.36 kg from (0, 0, 3) down, at its end a cube of 8 kg or a cloth of 0.6 m."""
    scene = pl.Scene(drag=drag)
    rope = scene.add(pl.Rope("rope", [(0, 0, 3), (0, 0, 2)], 12, 0.01, "nylon rope", collide=False))
    if kind == "solid":
        cube = pl.Solid("thing", pl.Box(0.2, 0.2, 0.2), spacing=0.1, material=stuff, position=(0, 0, 1.9), velocity=velocity)
        held = scene.add(cube).vertices(lambda x: x[:, 2] > 0.099)
    elif kind == "cloth":
        sheet = pl.Cloth("thing", pl.Sheet(0.6, 0.6, 0.1), thickness=4e-3, position=(0.3, 0, 2), velocity=velocity)
        held = scene.add(sheet).vertices(lambda x: (x[:, 0] < -0.29) & (abs(x[:, 1]) < 0.05))
    else:
        held = scene.add(pl.Body("thing", pl.Box(0.2, 0.2, 0.2), mass=8.0, inertia=3 * (lumped_inertia(),),
                                 position=(0, 0, 1.9), velocity=velocity, collide=False))
    scene.attach(held, rope.end, clamp=kind == "body", name="tie")
    scene.pin(rope.start, motion=motion, name="pin")
    return scene


def lumped_inertia() -> float:
    """Of the cube's vertices [kg m2]: half as much again as that of a cube that is filled."""
    world = pl.World(hung("solid"), threads=1)
    mass = world._engine.model.soft[0].mass
    arm = world["thing"].positions - centre(world)
    return float(mass @ (arm[:, 0] ** 2 + arm[:, 2] ** 2))


def centre(world: pl.World) -> np.ndarray:
    """Of mass [m] (3,)."""
    if not world._engine.model.soft:
        return world["thing"].position
    mass = world._engine.model.soft[0].mass
    return mass @ world["thing"].positions / mass.sum()


@pytest.mark.parametrize(("kind", "velocity"), [
    ("solid", (1.0, 1.0, 1.0)), ("solid", (0.3, 0.0, 0.3)), ("cloth", (1.0, 1.0, 1.0)), ("cloth", (0.0, 0.0, 3.0))])
def test_what_is_thrown_up_comes_back(kind, velocity):
    """The rope grows slack, and taut again: no energy appears, and what is tied stays within 1 mm of the rope's end."""
    world = pl.World(hung(kind, velocity), threads=1)
    world.on_step(EnergyGuard(world))
    for _ in range(90):
        world.step()
        assert np.linalg.norm(world["tie"].position - world["rope"].positions[-1]) < 1e-3


@pytest.mark.parametrize(("kind", "way"), [
    ("solid", (0.3, 0.0, 0.3)), ("cloth", (0.3, 0.0, 0.3)), ("cloth", (0.0, 0.0, 0.3)), ("cloth", (0.0, 0.0, -0.3))])
def test_a_pin_is_torn_along(kind, way):
    """By 0.3 m or more in 0.1 s: no energy appears that the pin did not give, and the rope keeps its length of 1 m."""
    motion = pl.Motion([0, 0.3, 0.4, 9], [(0, 0, 0), (0, 0, 0), way, way])
    world = pl.World(hung(kind, motion=motion), threads=1)
    world.on_step(EnergyGuard(world))
    for _ in range(90):
        world.step()
        points = world["rope"].positions
        assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("kind", ["solid", "cloth"])
def test_the_weight_is_borne(kind):
    """At rest the tie bears the weight of the thing, the pin that of the rope as well."""
    world = pl.World(hung(kind, drag=6.0), threads=1)
    world.run(8.0)
    weight = world["thing"].mass * G
    rope = world._engine.model.bodies.mass[world._engine.model.bodies.link == 1].sum() * G
    assert abs(world["tie"].force[2]) == pytest.approx(weight, rel=1e-3)
    assert abs(world["pin"].force[2]) == pytest.approx(weight + rope, rel=1e-3)


def path(kind: str, substeps: int) -> np.ndarray:
    """Of the centre of a cube of 1 MPa, or of a rigid one that is clamped as it is, pushed sideways; for 1 s [m] (60, 3)."""
    world = pl.World(hung(kind, (0.5, 0.0, 0.0), stuff=pl.Material(1000.0, 1e6, poisson=0.3)), substeps=substeps, threads=1)
    places = []
    for _ in range(60):
        world.step()
        places.append(centre(world).copy())
    return np.array(places)


def test_a_cube_swings_as_a_rigid_one():
    """Halved substeps halve its way from the rigid one, to which both lead, but for what the cube gives way.

    Its centre sinks by rho g L^2 / 3E and, let go unstrained, by twice that; beyond the first order a quarter of what the
    last halving changed may be left.
    """
    coarse, fine, rigid = path("solid", 4), path("solid", 8), path("body", 16)
    gives = 2.0 * 1000.0 * G * 0.2**2 / (3.0 * 1e6)
    last = np.abs(fine - coarse).max()
    assert np.abs(2.0 * fine - coarse - rigid).max() < gives + 0.25 * last
    assert np.abs(fine - rigid).max() < 0.6 * np.abs(coarse - rigid).max()


@pytest.mark.parametrize("kind", ["solid", "cloth", "body"])
def test_a_rope_reads_what_it_holds(kind):
    """At rest: its end bears what the tie bears, the other way; each element the weight below its middle, the last one too."""
    world = pl.World(hung(kind, drag=5.0), threads=1)
    world.run(1.0 if kind == "cloth" else 6.0)
    rope, held = world["rope"], np.array(world["tie"].force)
    np.testing.assert_allclose(rope.end.force, -held, rtol=0, atol=1e-9)
    assert np.linalg.norm(held) > 0.1 * G
    if kind != "cloth":
        weight = G * (8.0 if kind == "body" else world["thing"].mass)
        link = G * np.pi * 0.01**2 * pl.Material.preset("nylon rope").density / 11
        below = weight + link * (np.arange(11)[::-1] + 0.5)
        np.testing.assert_allclose(rope.tension, below, rtol=1e-5)
