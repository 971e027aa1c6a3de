"""Bodies that come fast meet where they touch, by edges and corners too, and do not run into each other."""

import coal
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl

SLOP = 0.005
"""Gap [m] at which bodies of this size get contacts at rest."""
SIZE = (0.4, 0.3, 0.2)
WEDGE = np.array([[-.3, -.2, -.1], [.3, -.2, -.1], [-.3, .2, -.1], [.3, .2, -.1], [-.3, -.2, .15], [-.3, .2, .15]])
FACES = np.array([[0, 2, 1], [1, 2, 3], [0, 1, 4], [2, 5, 3], [0, 4, 2], [2, 4, 5], [1, 3, 4], [3, 5, 4]])


def kinds() -> dict:
    """Shapes, with the same for the library `coal`."""
    points = coal.StdVec_Vec3s()
    for one in WEDGE:
        points.append(one)
    return {
        "box": (pl.Box(*SIZE), coal.Box(*SIZE)),
        "wedge": (pl.Mesh((WEDGE, FACES)), coal.Convex.convexHull(points, False, "")),
        "cylinder": (pl.Cylinder(0.15, 0.3), coal.Cylinder(0.15, 0.3)),
        "capsule": (pl.Capsule(0.1, 0.3), coal.Capsule(0.1, 0.3)),
    }


def turned(quaternion) -> np.ndarray:
    return Rotation.from_quat(np.roll(quaternion, -1)).as_matrix()


def distance(shape, world: pl.World) -> float:
    """Between bodies "a" and "b" [m], negative where they overlap."""
    one, two = (coal.Transform3s(turned(world[k].quaternion), np.array(world[k].position)) for k in "ab")
    return coal.distance(shape, one, shape, two, coal.DistanceRequest(), coal.DistanceResult())


def momenta(world: pl.World) -> np.ndarray:
    return sum(world[k].mass * np.array(world[k].velocity) for k in "ab")


@pytest.mark.parametrize("spin", [0.0, 5.0])
@pytest.mark.parametrize("speed", [2.0, 5.0])
@pytest.mark.parametrize("kind", ["box", "wedge", "cylinder", "capsule"])
def test_they_do_not_overlap(kind, speed, spin):
    """Oracle: the depth that another library finds. Where two would overlap by more than their slop the step is taken in parts,
    so that it may be so much, and as much again by friction and what contacts leave, which that estimate does not know.
    Momentum stays, and no step gains more than a thousandth of the energy."""
    shape, other = kinds()[kind]
    rng = np.random.default_rng(7)
    for _ in range(8):
        scene = pl.Scene(gravity=(0, 0, 0))
        for name, z in (("a", -0.5), ("b", 0.5)):
            turn, axis = rng.normal(size=4), rng.normal(size=3)
            aside = rng.uniform(-0.2, 0.2, 2) if name == "b" else (0.0, 0.0)
            scene.add(pl.Body(name, shape, density=500, position=(*aside, z + rng.uniform(0, 0.06)),
                              velocity=(0, 0, -speed if name == "b" else 0), quaternion=tuple(turn / np.linalg.norm(turn)),
                              angular_velocity=tuple(spin * axis / np.linalg.norm(axis))))
        world = pl.World(scene)
        whole, energy, deepest = momenta(world), world.energy().total, 0.0
        first = energy
        for _ in range(round(60 / speed) + 10):
            world.step()
            deepest = max(deepest, -distance(other, world))
            now = world.energy().total
            assert now <= energy + 1e-3 * first
            energy = now
        assert deepest < 2.0 * SLOP
        assert momenta(world) == pytest.approx(whole, abs=1e-12 * np.linalg.norm(whole))


@pytest.mark.parametrize("aside", [-5.0, -2.0, 0.0, 4.0])
@pytest.mark.parametrize("beside", [(0.06, 0.04), (-0.1, 0.0), (0.08, -0.12)])
def test_edge_on_edge(aside, beside):
    """Two cubes meet obliquely with edges that cross at right angles, `beside` [m] the middles of both, in the last substep.

    Oracle: the impulse v_n / K along the edges' cross product at the point where they meet, without friction. Shapes count as
    met at a gap of 1 mm, from where they go aside by as much: levers err by that share of them, and with them the speeds. What
    pushes before a substep moves them and after it does so where they are then, half its way aside from there at most: in the
    sum that cancels, and leaves the square of it.
    """
    side, speed, n = 0.3, np.array([aside, 0.0, -5.0]), np.array([0.0, 0.0, 1.0])
    inertia, reach, time = side**2 / 6.0, side / np.sqrt(2.0), 6.94 / 60
    arm_a, arm_b = np.array([beside[0], 0.0, reach]), np.array([0.0, beside[1], -reach])
    scene = pl.Scene(gravity=(0, 0, 0))
    for name, axis, place, velocity in (("a", "x", np.zeros(3), np.zeros(3)), ("b", "y", arm_a - arm_b - time * speed, speed)):
        turn = Rotation.from_euler(axis, 45, degrees=True).as_quat()
        scene.add(pl.Body(name, pl.Box(side, side, side), mass=1.0, position=tuple(place), velocity=tuple(velocity),
                          quaternion=tuple(np.roll(turn, 1)), friction=0.0))
    world = pl.World(scene)
    for _ in range(7):
        world.step()
    turn_a, turn_b = np.cross(arm_a, n) / inertia, np.cross(arm_b, n) / inertia
    push = 5.0 / (2.0 + inertia * (turn_a @ turn_a + turn_b @ turn_b))
    lever = 0.001 * abs(aside) / 5.0 + 1e-12
    error = push * 2.0 * lever * np.linalg.norm(beside) / inertia * push / 5.0
    error += push * 2.0 * (0.5 * abs(aside) / 480) ** 2 / inertia * push / 5.0
    turns = (push * lever + error * np.linalg.norm(beside)) / inertia
    assert world["b"].velocity == pytest.approx(speed + push * n, abs=error)
    assert world["a"].velocity == pytest.approx(-push * n, abs=error)
    assert world["b"].angular_velocity == pytest.approx(push * turn_b, abs=turns)
    assert world["a"].angular_velocity == pytest.approx(-push * turn_a, abs=turns)


@pytest.mark.parametrize("aside", [0.0, 0.1])
def test_what_passes_is_not_pushed(aside):
    """A cube that stands on its edge falls past another, 10 mm away: the faces that look at each other would have met.

    Oracle: nothing changes, to the bit."""
    side, turn = 0.3, Rotation.from_euler("x", 45, degrees=True).as_quat()
    scene = pl.Scene(gravity=(0, 0, 0))
    for name, place, speed in (("a", (0.0, 0.0, 0.0), 0.0), ("b", (aside, side * np.sqrt(2.0) + 0.01, 0.55), -5.0)):
        scene.add(pl.Body(name, pl.Box(side, side, side), mass=1.0, position=place, velocity=(0, 0, speed),
                          quaternion=tuple(np.roll(turn, 1))))
    world = pl.World(scene)
    for _ in range(20):
        world.step()
        assert world["b"].velocity.tolist() == [0.0, 0.0, -5.0]
        assert world["a"].velocity.tolist() == [0.0, 0.0, 0.0]
