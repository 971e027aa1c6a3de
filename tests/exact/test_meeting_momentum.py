"""Free bodies that collide keep both their momenta, in whatever phase of a step they meet.

A push and its reaction at one point turn a pair by nothing. Faces, edges and corners that meet share a point to the slop. What
is round pushes where it meets, while the bodies stand where a substep has brought them: no further from there than one goes.
"""

import numpy as np
import pytest
import trimesh

import pliant as pl
from pliant.solvers.rows.contact import SLOP

SPEED, ASIDE, STEPS = 1.5, 0.06, 20
MASS, INERTIA = 1.0, 0.4 * 0.1**2
"""Of a ball; of all the others too, whatever way they have turned."""
FRICTION = 0.3
PHASES = 16
DT = 1 / 60
EPS = np.finfo(float).eps


def solid(kind, folder):
    if kind == "mesh":
        path = folder / "round.stl"
        trimesh.creation.icosphere(subdivisions=1, radius=0.1).export(path)
        return pl.Mesh(path)
    return {"box": pl.Box(0.2, 0.2, 0.2), "ball": pl.Sphere(0.1), "capsule": pl.Capsule(0.1, 0.2),
            "cylinder": pl.Cylinder(0.1, 0.2)}[kind]


def meeting(one, two, phase, aside=ASIDE, restitution=1.0, friction=FRICTION):
    """Two solids that fly at each other, `phase` of a step's way nearer than twelve steps from touching as boxes do."""
    scene = pl.Scene(gravity=(0, 0, 0))
    for name, shape, side in (("a", one, -1), ("b", two, 1)):
        scene.add(pl.Body(name, shape, mass=MASS, inertia=(INERTIA,) * 3,
                          position=(side * (0.1 + (12 - phase) * SPEED * DT), 0.5 * side * aside, 0),
                          velocity=(-side * SPEED, 0, 0), friction=friction, restitution=restitution))
    return pl.World(scene, dt=DT)


def momenta(world):
    """Linear [kg m/s] and angular about the origin [kg m^2/s]."""
    bodies = [world[name] for name in world.body_names]
    angular = [MASS * np.cross(body.position, body.velocity) + INERTIA * body.angular_velocity for body in bodies]
    return sum(MASS * body.velocity for body in bodies), sum(angular)


def collide(world):
    """How much momenta change, by how much the first one's own does [N s], and how many substeps a step has."""
    (linear, angular), own, substeps = momenta(world), world["a"].velocity, 0
    for _ in range(STEPS):
        substeps = max(substeps, world.step().substeps)
    after, turned = momenta(world)
    push = MASS * np.linalg.norm(world["a"].velocity - own)
    return np.linalg.norm(after - linear), np.linalg.norm(turned - angular), push, substeps


@pytest.mark.parametrize("restitution", [0.0, 1.0])
@pytest.mark.parametrize("pair", ["box box", "box mesh", "mesh mesh"])
def test_faces_push_at_one_point(pair, restitution, tmp_path):
    """Levers end within the slop of each other: a push of J turns a pair by no more than that times J."""
    one, two = (solid(kind, tmp_path) for kind in pair.split())
    for phase in np.arange(PHASES) / PHASES:
        gone, turned, push, _ = collide(meeting(one, two, phase, restitution=restitution))
        assert push > 0.5 * MASS * SPEED
        assert gone < 1000 * EPS * push
        assert turned < SLOP * push


@pytest.mark.parametrize("pair", ["ball box", "ball ball", "capsule box", "capsule capsule", "cylinder box", "ball cylinder"])
def test_what_is_round_pushes_where_it_meets(pair, tmp_path):
    """No more than a substep from where the bodies stand: a push turns a pair by no more than the way of that, times it."""
    one, two = (solid(kind, tmp_path) for kind in pair.split())
    for phase in np.arange(PHASES) / PHASES:
        gone, turned, push, substeps = collide(meeting(one, two, phase))
        assert push > 0.5 * MASS * SPEED
        assert gone < 1000 * EPS * push
        assert turned < 2.0 * SPEED * DT / substeps * push


def test_what_is_alike_above_and_below_stays_so():
    """Friction of four corners after a bounce is found together: one after another they gave the pair a speed across."""
    for phase in np.arange(PHASES) / PHASES:
        box = pl.Box(0.2, 0.2, 0.2)
        world = meeting(box, box, phase, aside=0.12)
        collide(world)
        assert abs(world["a"].velocity[2]) < 1e-6 * SPEED


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_balls_meet_alike_in_every_phase(friction):
    """Oracle: e = 1, the normal of the meeting leans by sin = aside / 2 r; friction mu J, or 1/7 of the slip, which sticks."""
    sine = ASIDE / 0.2
    cosine = np.sqrt(1.0 - sine * sine)
    push = 2.0 * MASS * SPEED * cosine  # of two as heavy: m / 2 times twice 2 v cos
    rub = min(friction * push, MASS * 2.0 * SPEED * sine / 7.0)
    spin = rub * 0.1 / INERTIA
    ball = pl.Sphere(0.1)
    for phase in np.arange(PHASES) / PHASES:
        world = meeting(ball, ball, phase, aside=ASIDE, friction=friction)
        collide(world)
        found = world["a"]
        expected = np.array([SPEED, 0.0, 0.0]) + (
            np.array([-cosine, -sine, 0.0]) * push + np.array([-sine, cosine, 0.0]) * rub) / MASS
        turn = 2.0 * SPEED * DT / 8 / 0.2  # by how much the normal may be another a substep later [rad]
        assert np.linalg.norm(found.velocity - expected) < turn * 2.0 * SPEED
        assert abs(abs(found.angular_velocity[2]) - spin) < turn * 2.0 * SPEED / 0.1
