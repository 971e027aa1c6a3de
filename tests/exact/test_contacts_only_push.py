"""A contact only pushes, along the normal that it has when it does, and what pushes is what is read.

Random pairs of all shapes fly at each other where there is no weight. Oracles: m dv/dt is the sum of the forces read; both
momenta; energy, which nothing gives; and where two alone, each in a world of its own, never come near, they do not meet.
"""

from itertools import combinations_with_replacement

import numpy as np
import pytest
import trimesh
from energy import EnergyGuard
from seeds import PAIRS

import pliant as pl
from pliant.solvers.rows.who_is_few import HEAVY

KINDS = ["box", "ball", "capsule", "cylinder", "mesh"]
DT, SUBSTEPS = 1 / 60, 8
WORLDS, STEPS = 25, 40
EPS = np.finfo(float).eps
NEAR = 1e-3
"""What comes no nearer [m], looked at four times a step, has not met."""


def solid(kind, rng):
    """Of a `kind`, 5 to 30 cm wide."""
    if kind == "box":
        return pl.Box(*rng.uniform(0.1, 0.3, 3))
    if kind == "ball":
        return pl.Sphere(rng.uniform(0.05, 0.15))
    if kind == "capsule":
        return pl.Capsule(rng.uniform(0.04, 0.1), rng.uniform(0.1, 0.3))
    if kind == "cylinder":
        return pl.Cylinder(rng.uniform(0.05, 0.15), rng.uniform(0.1, 0.3))
    points = rng.normal(size=(10, 3))
    return pl.Mesh(trimesh.convex.convex_hull(rng.uniform(0.07, 0.15) * points / np.linalg.norm(points, axis=1)[:, None]))


def pair(kinds, number, friction, aside=0.08):
    """Two bodies that fly at each other and spin, up to `aside` [m] beside."""
    rng, bodies = np.random.default_rng([PAIRS, *(KINDS.index(kind) for kind in kinds), number]), []
    masses = (1.0, np.exp(rng.uniform(-0.99, 0.99) * np.log(HEAVY)))
    for k, (kind, mass) in enumerate(zip(kinds, masses, strict=True)):
        q, side = rng.normal(size=4), 2 * k - 1
        bodies.append(pl.Body(
            f"{kind} {k}", solid(kind, rng), mass=mass, position=(0.25 * side, rng.uniform(-aside, aside), 0),
            quaternion=tuple(q / np.linalg.norm(q)), velocity=(-side * rng.uniform(0.3, 3), 0, 0),
            angular_velocity=tuple(rng.uniform(-6, 6, 3)), friction=friction, restitution=0.0))
    return bodies


def world_of(*bodies, dt=DT):
    scene = pl.Scene(gravity=(0, 0, 0))
    for body in bodies:
        scene.add(body)
    return pl.World(scene, dt=dt, substeps=SUBSTEPS, threads=1)


def matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def momenta(world):
    """Linear [kg m/s] and angular about the origin [kg m^2/s]."""
    bodies, motion, linear, angular = world._engine.model.bodies, world._engine.state.motion, np.zeros(3), np.zeros(3)
    for k in np.flatnonzero(bodies.mass):
        turn = matrix(motion.quaternion[k])
        push = bodies.mass[k] * motion.velocity[k]
        linear += push
        angular += np.cross(motion.position[k], push) + turn @ (bodies.inertia[k] * (turn.T @ motion.angular_velocity[k]))
    return linear, angular


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("kinds", list(combinations_with_replacement(KINDS, 2)), ids=" ".join)
def test_contacts_only_push(kinds, friction):
    """Rows are solved to speeds of 1e-6 m/s, but what they push is known to the last digit. Two that meet push at one point, or
    where a substep has brought them: a push turns the pair by no more than the way of that, times it."""
    met = 0
    for number in range(WORLDS):
        world = world_of(*pair(kinds, number, friction))
        guard, (linear, angular), pushed = EnergyGuard(world), momenta(world), 0.0
        bodies = [world[name] for name in world.body_names]
        fast = sum(np.linalg.norm(body.velocity) + 0.3 * np.linalg.norm(body.angular_velocity) for body in bodies)
        for _ in range(STEPS):
            before = [body.velocity.copy() for body in bodies]
            world.step()
            guard(world)
            for body, velocity in zip(bodies, before, strict=True):
                force, felt = body.contact_force, body.mass * (body.velocity - velocity) / DT
                assert np.linalg.norm(force - felt) < 1e-9 * np.linalg.norm(force) + 1000 * EPS * body.mass * fast / DT
            along = np.einsum("nk,nk->n", world.contacts.force, world.contacts.normal)
            assert (along > 0.0).all()
            pushed += np.linalg.norm(force) * DT
        gone, turned = (np.linalg.norm(now - then) for now, then in zip(momenta(world), (linear, angular), strict=True))
        assert gone < 1000 * EPS * sum(body.mass for body in bodies) * fast
        assert turned < fast * DT / SUBSTEPS * pushed + 1000 * EPS * sum(body.mass for body in bodies) * fast
        met += pushed > 0.0
    assert met > WORLDS // 2


def gap_of(box, ball, sizes):
    """Between a box and a ball [m], of poses (position, quaternion)."""
    apart = np.abs(matrix(box[1]).T @ (ball[0] - box[0])) - sizes[0]
    return np.linalg.norm(np.maximum(apart, 0.0)) - sizes[1]


def test_what_passes_is_not_pushed():
    """Oracle: the two alone. What would meet a corner later in a step does not meet, where that would be by now, an edge."""
    passed = 0
    for number in range(400):
        box, ball = pair(("box", "ball"), number, 0.0, aside=0.2)
        world = world_of(box, ball)
        world.run(STEPS * DT)
        if (world[ball.name].velocity == ball.velocity).all():
            passed += 1
            continue
        sizes, nearest = (0.5 * np.array([box.shape.x, box.shape.y, box.shape.z]), ball.shape.radius), np.inf
        alone = [world_of(body, dt=DT / 4) for body in (box, ball)]
        for _ in range(4 * STEPS):
            for one in alone:
                one.step()
            poses = [(one[one.body_names[0]].position, one[one.body_names[0]].quaternion) for one in alone]
            nearest = min(nearest, gap_of(*poses, sizes))
        assert nearest < NEAR
    assert passed > 40
