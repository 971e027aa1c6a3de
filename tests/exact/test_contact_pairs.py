"""Every shape dropped on every other comes to rest or rolls off, without sinking in, and weighs what it weighs."""

import numpy as np
import pytest
from oracle_tools import G, about, slope

import pliant as pl

MASS = 1.5  # [kg]
SIZE = 0.1  # [m]


def prism(radius: float, height: float, sides: int = 6) -> pl.Mesh:
    """A closed prism on a regular polygon."""
    ring = [(radius * np.cos(a), radius * np.sin(a)) for a in 2 * np.pi * np.arange(sides) / sides]
    vertices = [(*p, z) for z in (-0.5 * height, 0.5 * height) for p in ring]
    faces = [(0, k + 1, k) for k in range(1, sides - 1)] + [(sides, sides + k, sides + k + 1) for k in range(1, sides - 1)]
    for k in range(sides):
        n = (k + 1) % sides
        faces += [(k, n, sides + n), (k, sides + n, sides + k)]
    return pl.Mesh((vertices, faces))


LYING = about((1, 0, 0), np.pi / 2)
DROPPED = {
    "sphere": (pl.Sphere(SIZE), (1.0, 0, 0, 0)),
    "capsule": (pl.Capsule(SIZE, 0.3), LYING),
    "box": (pl.Box(0.3, 0.25, 2 * SIZE), (1.0, 0, 0, 0)),
    "cylinder": (pl.Cylinder(0.15, 2 * SIZE), (1.0, 0, 0, 0)),
    "cylinder lying": (pl.Cylinder(SIZE, 0.3), LYING),
    "mesh": (prism(0.15, 2 * SIZE), (1.0, 0, 0, 0)),
}
_, _, TILTED = slope(0.2)
BELOW = {  # name: (thing with its top at height zero under the origin, whether it is flat there)
    "ground": (pl.Ground("base", friction=0.6), True),
    "tilted ground": (pl.Ground("base", friction=0.6, normal=tuple(slope(0.2)[0])), True),
    "height field": (pl.Body("base", pl.HeightField(np.zeros((9, 9)), size=(8.0, 8.0)), fixed=True, friction=0.6), True),
    "rough field": (pl.Body("base", pl.HeightField(0.02 * np.random.default_rng(1).random((41, 41)), size=(4.0, 4.0)),
                            fixed=True, position=(0, 0, -0.02), friction=0.6), False),
    "box": (pl.Body("base", pl.Box(1, 1, 0.4), fixed=True, position=(0, 0, -0.2), friction=0.6), True),
    "cylinder": (pl.Body("base", pl.Cylinder(0.6, 0.4), fixed=True, position=(0, 0, -0.2), friction=0.6), True),
    "mesh": (pl.Body("base", prism(0.7, 0.4), fixed=True, position=(0, 0, -0.2), friction=0.6), True),
    "sphere": (pl.Body("base", pl.Sphere(0.4), fixed=True, position=(0, 0, -0.4), friction=0.6), False),
    "capsule": (pl.Body("base", pl.Capsule(0.3, 1.0), fixed=True, position=(0, 0, -0.3), quaternion=about((0, 1, 0), np.pi / 2),
                        friction=0.6), False),
    "cylinder lying": (pl.Body("base", pl.Cylinder(0.3, 1.0), fixed=True, position=(0, 0, -0.3),
                               quaternion=about((0, 1, 0), np.pi / 2), friction=0.6), False),
}


def drop(dropped: str, below: str, offset=(0.0, 0.0)) -> pl.World:
    """A body 5 cm above another, a little off the middle, and a floor far below for what falls off."""
    shape, q = DROPPED[dropped]
    scene = pl.Scene()
    scene.add(BELOW[below][0])
    if "ground" not in below:
        scene.add(pl.Ground("floor", height=-1.5))
    lift = 0.06 if below == "tilted ground" else 0.05
    scene.add(pl.Body("body", shape, mass=MASS, position=(*offset, SIZE + lift), quaternion=q, friction=0.6))
    return pl.World(scene)


def settle(world: pl.World, seconds: float) -> tuple[float, float]:
    """Run; returns the deepest penetration and how much of it a fast turn may make [m], checking that all stays finite.

    Contacts are found once a step: a corner on a lever r may turn in by r (w dt)^2 / 2 before it is known.
    """
    fastest, lever = 0.0, 0.25
    deepest = 0.0
    for _ in range(round(seconds / world.dt)):
        deepest = max(deepest, world.step().penetration)
        fastest = max(fastest, float(np.linalg.norm(world["body"].angular_velocity)))
    assert np.isfinite(world["body"].position).all() and np.isfinite(world["body"].velocity).all()
    return deepest, 0.5 * lever * (fastest * world.dt) ** 2


def mean_force(world: pl.World, steps: int = 30) -> np.ndarray:
    """[N] over the last half second."""
    total = np.zeros(3)
    for _ in range(steps):
        world.step()
        total += world["body"].contact_force / steps
    return total


PAIRS = [(dropped, below) for dropped in DROPPED for below in BELOW]
ROLLING = {"sphere", "capsule", "cylinder lying"}


@pytest.mark.parametrize("dropped,below", PAIRS)
def test_drop(dropped, below):
    """Oracle: statics and non-penetration. At rest the contacts bear the weight, to 1 %; nothing sinks in by 2 mm."""
    world = drop(dropped, below, offset=(0.003, 0.002) if not BELOW[below][1] else (0.0, 0.0))
    deepest, turned_in = settle(world, 3.0)
    assert deepest < 2e-3 + turned_in
    flat = BELOW[below][1] and below != "tilted ground"
    rests = flat or (below == "tilted ground" and dropped not in ROLLING)
    if rests:
        assert np.linalg.norm(world["body"].velocity) < 1e-3 or dropped in ROLLING
        assert np.allclose(mean_force(world), (0, 0, MASS * G), atol=0.01 * MASS * G)
    elif np.linalg.norm(world["body"].velocity) < 1e-3:
        assert np.allclose(mean_force(world), (0, 0, MASS * G), atol=0.01 * MASS * G)


@pytest.mark.parametrize("seed", range(3))
def test_shapes_thrown_together_settle(seed):
    """Oracle: momentum; the ground bears all weights, to 1 %, once a heap of every shape in random poses has settled."""
    random = np.random.default_rng(seed)
    scene = pl.Scene(drag=0.5)
    scene.add(pl.Ground())
    for k in range(12):
        shape, _ = list(DROPPED.values())[k % 6]
        q = random.normal(size=4)
        at = (*random.uniform(-0.15, 0.15, 2), 0.3 + 0.3 * k)
        scene.add(pl.Body(f"b{k}", shape, mass=MASS, position=at, quaternion=tuple(q / np.linalg.norm(q))))
    world = pl.World(scene)
    world.run(2.5)
    assert world.run(4.0).penetration < 2e-3
    total = 0.0
    for _ in range(30):
        world.step()
        c = world.contacts
        for a, b, force in zip(c.a, c.b, c.force, strict=True):
            total += force[2] * ((a == "ground") - (b == "ground")) / 30
    assert total == pytest.approx(12 * MASS * G, rel=0.01)
