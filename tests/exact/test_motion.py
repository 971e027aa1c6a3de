"""A driven body ends each step exactly where its motion says, and carries others along."""

from math import cos, pi, sin

import numpy as np
import pytest
from oracle_tools import about, turned
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import pliant as pl

START, TILT = (1.0, 2.0, 3.0), about((1, 0, 0), 0.4)
TIMES = [0.0, 0.5, 1.2, 2.0]
OFFSETS = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 0, 1)]


def driven(motion: pl.Motion, *more, dt: float = 1 / 60) -> pl.World:
    scene = pl.Scene()
    scene.add(pl.Body("stage", pl.Box(1, 1, 0.1), motion=motion, position=START, quaternion=TILT))
    for thing in more:
        scene.add(thing)
    return pl.World(scene, dt=dt)


def follow(world: pl.World, seconds: float, offset, turn) -> None:
    """Compare every step with offset(t) [m] and turn(t), a quaternion in world axes, to rounding."""
    for _ in range(round(seconds / world.dt)):
        world.step()
        t = world.time
        assert np.abs(world["stage"].position - START - offset(t)).max() < 1e-12
        wanted = Rotation.from_quat(turn(t), scalar_first=True) * Rotation.from_quat(TILT, scalar_first=True)
        now = Rotation.from_quat(world["stage"].quaternion, scalar_first=True)
        assert (now * wanted.inv()).magnitude() < 1e-12


def still(_t):
    return np.array([1.0, 0, 0, 0])


def straight(t):
    return np.array([np.interp(t, TIMES, [o[k] for o in OFFSETS]) for k in range(3)])


def test_a_table_is_followed_and_held_at_its_end():
    """Oracle: linear interpolation."""
    follow(driven(pl.Motion(TIMES, OFFSETS)), 3.0, straight, still)


def test_a_loop_begins_anew():
    """Oracle: linear interpolation of the time modulo the table's length."""
    follow(driven(pl.Motion(TIMES, OFFSETS, loop=True)), 5.0, lambda t: straight(t % 2.0 if t > 2.0 else t), still)


def test_a_smooth_table_is_a_cubic_at_rest_at_its_ends():
    """Oracle: SciPy's clamped cubic spline; it starts at rest."""
    spline = CubicSpline(TIMES, OFFSETS, bc_type="clamped")
    world = driven(pl.Motion(TIMES, OFFSETS, smooth=True))
    follow(world, 2.0, spline, still)
    assert np.abs(spline(1e-3)).max() < 1e-4


def test_a_smooth_table_pauses_where_two_rows_are_alike():
    """Oracle: there it stands to the last bit; between pauses 3 s^2 - 2 s^3, Hermite's cubic at rest at both ends."""
    table = [(0, 0, 0), (0, 0, 0), (0, 0, 1), (0, 0, 1), (0, 0, 1)]
    world = driven(pl.Motion([0.0, 1.0, 2.0, 3.0, 3.5], table, smooth=True))

    def hermite(t):
        s = min(max(t - 1.0, 0.0), 1.0)
        return 0.0, 0.0, 3 * s**2 - 2 * s**3

    follow(world, 4.0, hermite, still)


def test_rotation_over_many_turns():
    """Oracle: the turn about z by the interpolated angle; ten turns are ten turns, each step the short way."""
    table = [(0, 0, 0), (0, 0, 20 * pi)]
    world = driven(pl.Motion([0.0, 10.0], rotations=table))
    follow(world, 10.0, lambda t: (0, 0, 0), lambda t: about((0, 0, 1), 2 * pi * min(t, 10.0)))


def test_a_function():
    """Oracle: the function itself."""
    def orbit(t):
        return (cos(t) - 1, sin(t), 0.1 * t), about((0, 0, 1), 3 * t)

    follow(driven(pl.Motion(orbit)), 3.0, lambda t: orbit(t)[0], lambda t: orbit(t)[1])


def test_a_bare_function_is_a_motion():
    """Oracle: the same motion in words, bit for bit, of a body and of a pin."""
    def swing(t):
        return (0.0, 0.0, 0.3 * sin(t)), (1.0, 0.0, 0.0, 0.0)

    for given in (lambda motion: pl.Body("other", pl.Sphere(0.1), position=(3, 0, 0), motion=motion),
                  lambda motion: pl.Pin("pin", "ball", motion=motion)):
        hashes = []
        for motion in (swing, pl.Motion(swing)):
            scene = pl.Scene()
            scene.add(pl.Body("ball", pl.Sphere(0.1)))
            scene.add(given(motion))
            world = pl.World(scene)
            world.run(0.5)
            hashes.append(world.hash())
        assert hashes[0] == hashes[1]


def test_the_velocity_is_what_the_step_covers():
    """Oracle: difference quotient of the motion over the last step."""
    world = driven(pl.Motion(TIMES, OFFSETS))
    world.run(0.25)
    before = world["stage"].position
    world.step()
    assert np.allclose(world["stage"].velocity, (world["stage"].position - before) / world.dt, atol=1e-12)


def test_it_carries_what_lies_on_it():
    """Oracle: a box on an accelerating stage sticks below mu g and slides beyond: its speed is min(a, mu g) t."""
    mu = 0.4
    for a in (0.5 * mu * 9.81, 2.0 * mu * 9.81):
        scene = pl.Scene()
        motion = pl.Motion(lambda t, a=a: ((0.5 * a * t * t, 0, 0), (1, 0, 0, 0)))
        scene.add(pl.Body("stage", pl.Box(20, 2, 0.2), motion=motion, friction=mu))
        scene.add(pl.Body("box", pl.Box(0.4, 0.4, 0.1), mass=1.0, friction=mu, position=(0, 0, 0.15)))
        world = pl.World(scene)
        world.run(1.0)
        # the stage moves with a mean speed of each step: half a step behind
        assert world["box"].velocity[0] == pytest.approx(min(a, mu * 9.81), abs=a * world.dt + 1e-3)


def test_it_pulls_through_joints_and_its_work_is_counted():
    """Oracle: a lift raises a weight on a joint: W = m g h + kinetic energy; force m g while the speed is even."""
    scene = pl.Scene()
    scene.add(pl.Body("lift", pl.Box(0.5, 0.5, 0.1), motion=pl.Motion([0, 4], [(0, 0, 0), (0, 0, 2)]), collide=False))
    scene.add(pl.Body("load", pl.Sphere(0.1), mass=3.0, position=(0, 0, -0.5), collide=False))
    scene.add(pl.Fixed("hook", "lift", "load", anchor=(0, 0, 0)))
    world = pl.World(scene)
    world.run(2.0)
    assert np.allclose(world["hook"].force, (0, 0, 3.0 * 9.81), atol=1e-3)
    energy = world.energy()
    # the start is a jerk, at which the lift puts in m v^2 and half of it is lost
    put_in = 3.0 * 9.81 * 1.0 + 3.0 * 0.5**2
    assert energy.work == pytest.approx(put_in, abs=3.0 * 9.81 * 0.5 * world.dt)
    assert world["load"].position[2] == pytest.approx(0.5, abs=1e-6)


def test_a_turning_stage_turns_what_is_fixed_to_it():
    """Oracle: rigid motion of the point; reaction m w^2 r towards the axis, to second order in the turn of a substep."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(
        pl.Body("stage", pl.Box(0.5, 0.5, 0.1), motion=pl.Motion([0, 10], rotations=[(0, 0, 0), (0, 0, 30)]), collide=False)
    )
    scene.add(pl.Body("load", pl.Sphere(0.1), mass=2.0, position=(0.8, 0, 0), collide=False))
    scene.add(pl.Fixed("arm", "stage", "load", anchor=(0, 0, 0)))
    world = pl.World(scene)
    world.run(2.0)
    q = world["stage"].quaternion
    assert np.abs(world["load"].position - turned(q, (0.8, 0, 0))).max() < 1e-4
    assert np.linalg.norm(world["arm"].force) == pytest.approx(2.0 * 9.0 * 0.8, rel=(3.0 * world.dt) ** 2)


def test_a_shaken_table_takes_along_what_lies_on_it():
    """Oracle: 2.5 m/s2 of a sine are less than friction holds, 0.3 g, so that nothing slips; 0.1 mm is a fiftieth of what a
    table that goes in straight pieces of dt leaves behind."""
    scene, rate = pl.Scene(), 5.0
    reach = 2.5 / rate**2
    shaken = pl.Motion(lambda t: ((reach * np.sin(rate * t), 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    scene.add(pl.Body("table", pl.Box(2, 2, 0.1), motion=shaken, friction=0.3))
    scene.add(pl.Body("box", pl.Box(0.5, 0.5, 0.2), mass=50.0, position=(0, 0, 0.15), velocity=(reach * rate, 0, 0),
                      friction=0.3))
    world = pl.World(scene)
    for _ in range(300):
        world.step()
        assert abs(world["box"].position[0] - world["table"].position[0]) < 1e-4


@pytest.mark.parametrize("rate", [200.0, 377.0, 1000.0])
def test_a_table_of_rotations_tells_how_far_round(rate):
    """Oracle: the table; at 60 Hz these are 0.5, 1 and 2.7 turns a step."""
    scene = pl.Scene()
    scene.add(pl.Body("shaft", pl.Cylinder(0.02, 0.5), motion=pl.Motion([0, 1], rotations=[(0, 0, 0), (0, 0, rate)])))
    world = pl.World(scene)
    world.run(0.5)
    assert world["shaft"].angular_velocity == pytest.approx([0, 0, rate], rel=1e-9, abs=1e-9)


def test_substeps_make_driven_ropes_exact():
    """Oracle: order two in the length of a substep, at one and the same dt."""
    def shaken(substeps: int) -> np.ndarray:
        scene = pl.Scene()
        rope = scene.add(pl.Rope("r", [(0, 0, 0), (0, 0, -1)], points=11, radius=0.005, mass=0.5, bend=0.02, twist=0.02))
        scene.pin(rope.start, motion=pl.Motion(lambda t: ((0.05 * np.sin(6.0 * t) * min(1.0, t) ** 3, 0, 0), (1, 0, 0, 0))))
        world = pl.World(scene, substeps=substeps)
        world.run(1.5)
        return world["r"].positions
    errors = [np.abs(shaken(n) - shaken(256)).max() for n in (8, 32)]
    assert np.log2(errors[0] / errors[1]) / 2.0 > 1.9


@pytest.mark.parametrize("limits", [None, (-1.5, 1.5)])
def test_what_swings_on_a_driven_body_takes_the_substeps_it_is_given(limits):
    """Oracle: x'' = -(m l / I)(g sin x + a cos x) below a hand that goes to and fro with the acceleration a, integrated finely;
    errors fall with h^2. What the hand does is no gain, for which substeps would be halved, to 256 a step."""
    reach, rate, half, mass = 0.1, 3.0, 0.2, 1.0
    moment, off = mass * ((2 * half) ** 2 + 0.02**2) / 12 + mass * half**2, []
    for substeps in (8, 16):
        scene = pl.Scene(gravity=(0, 0, -9.81))
        scene.add(pl.Body("hand", pl.Box(0.1, 0.1, 0.1), mass=1, collide=False,
                          motion=pl.Motion(lambda t: ((reach * (1 - np.cos(rate * t)), 0, 0), (1, 0, 0, 0)))))
        scene.add(pl.Body("bar", pl.Box(0.02, 0.02, 2 * half), mass=mass, position=(0, 0, -half), collide=False))
        scene.add(pl.Revolute("hinge", "hand", "bar", anchor=(0, 0, 0), axis=(0, -1, 0), limits=limits))
        world = pl.World(scene, dt=1 / 60, substeps=substeps)
        x, u, fine, worst, taken = 0.0, 0.0, 1 / 60 / 400, 0.0, 0
        for n in range(180):
            taken += world.step().substeps
            for k in range(400):  # leapfrog
                x += 0.5 * fine * u
                a = reach * rate**2 * np.cos(rate * (n / 60 + (k + 0.5) * fine))
                u -= fine * mass * half / moment * (9.81 * np.sin(x) + a * np.cos(x))
                x += 0.5 * fine * u
            worst = max(worst, abs(world["hinge"].angle - x))
        off.append(worst)
        assert taken == 180 * substeps
    assert off[0] < mass * 9.81 * half / moment / 480**2 and off[1] < 0.26 * off[0]
