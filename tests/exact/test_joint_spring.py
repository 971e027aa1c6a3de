"""Springs on every coordinate of every joint: the recurrence of implicit Euler, or the closed form of the statics."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl

MASS, RADIUS, H = 3.0, 0.2, 1.0 / 240.0
INERTIA = 0.4 * MASS * RADIUS**2
AXIS = (2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0)
ACROSS = (6.0 / 7.0, -2.0 / 7.0, -3.0 / 7.0)
ROUNDING = 1e-12


def world_of(joint, *more, gravity=(0.0, 0.0, 0.0), substeps: int = 1, **body) -> pl.World:
    """A ball at the origin on a joint to the world."""
    scene = pl.Scene(gravity=gravity)
    scene.add(pl.Body("ball", pl.Sphere(RADIUS), mass=MASS, collide=False, **body))
    for thing in (joint, *more):
        scene.add(thing)
    return pl.World(scene, dt=H, substeps=substeps, threads=1)


def implicit_euler(x: float, v: float, k: float, c: float, mass: float, steps: int, pull: float = 0.0, h: float = H):
    """Yields (x, v) of m x'' = -k x - c x' + pull after each step."""
    for _ in range(steps):
        v = (v + h * (pull - k * x) / mass) / (1.0 + h * c / mass + h * h * k / mass)
        x += h * v
        yield x, v


@pytest.mark.parametrize("substeps", [1, 4])
def test_torsion_spring_wound_many_turns(substeps):
    """Wound up by 3.4 turns and let go: the angle runs through all of them and out on the other side."""
    k, c, rest = 0.8, 0.002, 6.8 * np.pi
    world = world_of(pl.Revolute("hinge", pl.WORLD, "ball", axis=AXIS), pl.JointSpring("coil", "hinge", k, c, rest),
                     substeps=substeps)
    recurrence = implicit_euler(-rest, 0.0, k, c, INERTIA, 600 * substeps, h=H / substeps)
    highest = 0.0
    for _ in range(600):
        states = [next(recurrence) for _ in range(substeps)]
        x, v = states[-1]
        world.step()
        highest = max(highest, world["hinge"].angle)
        assert abs(world["hinge"].angle - rest - x) <= ROUNDING * 600 * substeps
        assert abs(world["hinge"].rate - v) <= ROUNDING * 600 * substeps * np.sqrt(k / INERTIA)
        assert world["coil"].angle == world["hinge"].angle
        mean = -np.mean([k * x + c * v for x, v in states])
        assert abs(world["coil"].torque - mean) <= ROUNDING * 600 * substeps * (k + c * np.sqrt(k / INERTIA))
    assert highest > 6.0 * 2.0 * np.pi


def test_torsion_spring_starts_wound_over_its_rest():
    """rest beyond a turn: at the start the spring holds k/2 rest^2, and its torque is k rest."""
    world = world_of(pl.Revolute("hinge", pl.WORLD, "ball", axis=AXIS), pl.JointSpring("coil", "hinge", 2.0, 0.0, -9.0))
    assert abs(world.energy().elastic - 81.0) <= 1e-12
    world.step()
    assert abs(world["coil"].torque + 2.0 * 9.0 / (1.0 + H * H * 2.0 / INERTIA)) <= 1e-12


def test_strut_in_a_prismatic():
    """Along its axis under gravity: m x'' = -k x - c x' + m g.axis, ending at m g.axis / k; across, nothing moves."""
    k, c, g = 900.0, 40.0, np.array([0.0, 0.0, -9.81])
    world = world_of(pl.Prismatic("guide", pl.WORLD, "ball", axis=AXIS), pl.JointSpring("strut", "guide", k, c, 0.1),
                     gravity=tuple(g))
    pull = MASS * np.dot(g, AXIS)
    for x, v in implicit_euler(-0.1, 0.0, k, c, MASS, 600, pull):
        world.step()
        assert abs(world["guide"].travel - 0.1 - x) <= ROUNDING
        assert abs(world["strut"].force + k * x + c * v) <= ROUNDING * (k + c) * 10
        np.testing.assert_allclose(world["ball"].position, (0.1 + x) * np.array(AXIS), rtol=0, atol=1e-9)
    settled = np.exp(-0.5 * c / MASS * 600 * H)
    assert abs(world["guide"].travel - 0.1 - pull / k) <= 2.0 * settled
    assert abs(world["strut"].force + pull) <= 2.0 * settled * k


def test_both_coordinates_of_a_sleeve():
    """A cylindrical joint, sprung along and about its axis: two recurrences side by side, undisturbed by each other."""
    world = world_of(pl.Cylindrical("sleeve", pl.WORLD, "ball", axis=AXIS),
                     pl.JointSpring("along", "sleeve", 500.0, 3.0, 0.2, 0),
                     pl.JointSpring("about", "sleeve", 4.0, 0.01, -1.0, 1))
    two = zip(implicit_euler(-0.2, 0.0, 500.0, 3.0, MASS, 400), implicit_euler(1.0, 0.0, 4.0, 0.01, INERTIA, 400), strict=True)
    for (x, _), (angle, _) in two:
        world.step()
        assert abs(world["sleeve"].travel - 0.2 - x) <= ROUNDING
        assert abs(world["sleeve"].angle + 1.0 - angle) <= ROUNDING * 400
        assert world["sleeve"].coordinate(0) == world["along"].length and world["sleeve"].coordinate(1) == world["about"].angle


@pytest.mark.parametrize("coordinate", [0, 1])
def test_each_coordinate_of_a_cross(coordinate):
    """A universal joint sprung on both, let go on one: that one swings by its recurrence, the other keeps still."""
    k, rests = (5.0, 9.0), [0.0, 0.0]
    rests[coordinate] = 0.9
    world = world_of(pl.Universal("cross", pl.WORLD, "ball", axis=AXIS, axis2=ACROSS),
                     *[pl.JointSpring(f"s{i}", "cross", k[i], 0.02, rests[i], i) for i in range(2)])
    for x, _ in implicit_euler(-0.9, 0.0, k[coordinate], 0.02, INERTIA, 300):
        world.step()
        assert abs(world["cross"].coordinate(coordinate) - 0.9 - x) <= ROUNDING * 300
        assert abs(world["cross"].coordinate(1 - coordinate)) <= ROUNDING * 300


def test_statics_of_a_cross():
    """Both coordinates loaded at once: torque on axis i = k_i times its angle, the axes where they have turned to.

    A torque t stands against k_0 phi z_a + k_1 psi x_b + (what the cross carries), so t.z_a = k_0 phi, t.x_b = k_1 psi.
    """
    k, torque = (6.0, 4.0), np.array([1.0, 0.7, -0.4])
    world = world_of(pl.Universal("cross", pl.WORLD, "ball", axis=AXIS, axis2=ACROSS, damping=0.4),
                     pl.Load("push", "ball", torque=tuple(torque)),
                     *[pl.JointSpring(f"s{i}", "cross", k[i], 0.0, 0.0, i) for i in range(2)])
    world.run(40.0)  # overdamped: the slower part decays as exp(-k t / 0.4), to nothing
    second = Rotation.from_quat(world["ball"].quaternion, scalar_first=True).apply(ACROSS)
    assert np.linalg.norm(world["ball"].angular_velocity) <= 1e-9
    assert abs(world["cross"].coordinate(0) - np.dot(torque, AXIS) / k[0]) <= 1e-9
    assert abs(world["cross"].coordinate(1) - np.dot(torque, second) / k[1]) <= 1e-9
    assert abs(world["s0"].torque + np.dot(torque, AXIS)) <= 1e-8 and abs(world["s1"].torque + np.dot(torque, second)) <= 1e-8


@pytest.mark.parametrize("coordinate", [0, 1, 2])
def test_each_coordinate_of_a_ball_joint(coordinate):
    """Three springs on the rotation vector, one of them off its rest: a plain torsion spring about that axis."""
    k, rests = (5.0, 9.0, 3.0), [0.0, 0.0, 0.0]
    rests[coordinate] = 0.9
    world = world_of(pl.Spherical("ball-joint", pl.WORLD, "ball", axis=AXIS),
                     *[pl.JointSpring(f"s{i}", "ball-joint", k[i], 0.02, rests[i], i) for i in range(3)])
    for x, _ in implicit_euler(-0.9, 0.0, k[coordinate], 0.02, INERTIA, 300):
        world.step()
        values = [world["ball-joint"].coordinate(i) for i in range(3)]
        expected = [0.9 + x if i == coordinate else 0.0 for i in range(3)]
        np.testing.assert_allclose(values, expected, rtol=0, atol=ROUNDING * 300)
    if coordinate == 0:
        turned = Rotation.from_quat(world["ball"].quaternion, scalar_first=True).as_rotvec()
        np.testing.assert_allclose(turned, values[0] * np.array(AXIS), rtol=0, atol=ROUNDING * 300)


def test_statics_of_a_ball_joint():
    """Equal stiffness all round: under a steady torque t the rotation vector is t / k, however large."""
    k, torque = 1.3, np.array([0.9, -1.6, 1.2])
    world = world_of(pl.Spherical("ball-joint", pl.WORLD, "ball", axis=AXIS, damping=0.3),
                     pl.Load("push", "ball", torque=tuple(torque)),
                     *[pl.JointSpring(f"s{i}", "ball-joint", k, 0.0, 0.0, i) for i in range(3)])
    world.run(20.0)
    turned = Rotation.from_quat(world["ball"].quaternion, scalar_first=True).as_rotvec()
    assert np.linalg.norm(world["ball"].angular_velocity) <= 1e-9 and np.linalg.norm(turned) > 1.5
    np.testing.assert_allclose(turned, torque / k, rtol=0, atol=1e-9)
    assert abs(world["ball-joint"].angle - np.linalg.norm(torque) / k) <= 1e-9


def test_both_sides_free():
    """A torsion spring between two balls afloat: the angle swings with half the inertia."""
    k, c = 2.0, 0.003
    scene = pl.Scene(gravity=(0, 0, 0))
    for name in ("a", "b"):
        scene.add(pl.Body(name, pl.Sphere(RADIUS), mass=MASS, collide=False))
    scene.add(pl.Revolute("hinge", "a", "b", axis=AXIS))
    scene.add(pl.JointSpring("coil", "hinge", k, c, 7.0))
    world = pl.World(scene, dt=H, substeps=1, threads=1)
    for x, _ in implicit_euler(-7.0, 0.0, k, c, 0.5 * INERTIA, 400):
        world.step()
        assert abs(world["hinge"].angle - 7.0 - x) <= ROUNDING * 400
        assert np.linalg.norm(world["a"].angular_velocity + world["b"].angular_velocity) <= 1e-11


@pytest.mark.parametrize("ball", [{"damping": 3.3}, {"reaction_friction": 0.06}], ids=lambda b: next(iter(b)))
def test_what_brakes_a_ball_is_met_beside_a_spring(ball):
    """Oracle: the rows themselves, met to the tolerance of a step. Limits of a ball's swing leave trees no room for its drives.

    Its dampers were swept twice then, and friction that follows reactions did so four times: 0.1 m/s were missing in each step.
    """
    scene = pl.Scene()
    for k in range(2):
        scene.add(pl.Body(f"link{k}", pl.Capsule(0.04, 0.3), mass=2.0 - k, position=(0.4 * k + 0.2, 0, 0), collide=False,
                          quaternion=(0.5**0.5, 0, 0.5**0.5, 0), angular_velocity=(0, 0, 0)))
    scene.add(pl.Universal("hinge", pl.WORLD, "link0", anchor=(0, 0, 0), axis=(0, 1, 0), damping=1.0, reaction_friction=0.1))
    scene.add(pl.Spherical("ball", "link0", "link1", anchor=(0.4, 0, 0), axis=(0, 0, 1), limits=(0.0, 0.4), **ball))
    scene.add(pl.JointSpring("coil", "hinge", 60.0, rest=-0.15))
    world = pl.World(scene, threads=1)
    assert all(world.step().converged for _ in range(60))
