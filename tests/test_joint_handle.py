"""What is read of joints: a ball's rotation vector and its rate, and what is said where there is nothing to read."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.model.joints import VELOCITY_MOTOR

AXIS = (0.6, 0.0, 0.8)


def ball(*more) -> pl.World:
    """A tumbling body on a ball joint that a tumbling body carries, both afloat."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("a", pl.Box(0.3, 0.2, 0.1), mass=1.0, angular_velocity=(0.4, -0.7, 0.3), collide=False))
    scene.add(pl.Body("b", pl.Box(0.1, 0.2, 0.4), mass=0.7, position=(0.4, 0, 0), angular_velocity=(2.0, 1.0, -1.5),
                      collide=False))
    scene.add(pl.Spherical("joint", "a", "b", anchor=(0.2, 0, 0), axis=AXIS))
    for thing in more:
        scene.add(thing)
    return pl.World(scene, dt=1e-3, substeps=1)


def turn(world: pl.World) -> Rotation:
    """Of the child against the parent, which stand alike at the start."""
    a, b = (Rotation.from_quat(world[name].quaternion, scalar_first=True) for name in "ab")
    return a.inv() * b


def test_a_balls_coordinates_are_its_rotation_vector():
    """Oracle: SciPy's rotation vector of the two quaternions. Along the axis is coordinate 0, the other two stand across it."""
    world = ball()
    for _ in range(8):
        world.run(0.1)
        wanted, read = turn(world).as_rotvec(), [world["joint"].coordinate(k) for k in range(3)]
        assert read[0] == pytest.approx(np.dot(wanted, AXIS), abs=1e-14)
        assert np.linalg.norm(read) == pytest.approx(np.linalg.norm(wanted), rel=1e-14)
        assert world["joint"].angle == pytest.approx(np.linalg.norm(wanted), rel=1e-14)


def test_a_balls_rates_are_those_of_its_coordinates():
    """Oracle: central differences of the coordinates; their error is h^2 / 6 times the third derivative, some 30 rad/s3."""
    world, h = ball(), 1e-3
    world.run(0.4)
    values, rates = [], []
    for _ in range(3):
        world.step()
        values.append([world["joint"].coordinate(k) for k in range(3)])
        rates.append([world["joint"].rate_of(k) for k in range(3)])
    assert np.abs((np.array(values[2]) - values[0]) / (2 * h) - rates[1]).max() < h * h / 6 * 200
    assert np.linalg.norm(rates[1]) > 1.0 and world["joint"].rate == rates[2][0]


def test_a_sprung_ball_reads_the_same():
    """Oracle: the coordinates on which the springs act, in the arrays of the solver."""
    world = ball(*[pl.JointSpring(f"s{k}", "joint", 0.3, 0.0, 0.0, k) for k in range(3)])
    world.run(0.3)
    own = [world[f"s{k}"].angle for k in range(3)]
    # The solver's are those of the end of the last substep, before the joint is closed for the last time.
    assert np.abs(np.array(own) - [world["joint"].coordinate(k) for k in range(3)]).max() < 1e-9


def test_what_is_not_free_is_named():
    world = ball()
    for wrong in (3, -1, 0.5, True, "x"):
        with pytest.raises(pl.SceneError, match=r"'joint': it has no coordinate .*: 0 is its angle, 1 is its angle, 2"):
            world["joint"].coordinate(wrong)
    with pytest.raises(pl.SceneError, match="it has no travel; it has angle"):
        world["joint"].travel  # noqa: B018
    scene = pl.Scene()
    scene.add(pl.Body("b", pl.Sphere(0.1), mass=1.0))
    scene.add(pl.Fixed("f", pl.WORLD, "b"))
    with pytest.raises(pl.SceneError, match="Fixed 'f': it has no coordinate 0: it leaves nothing free"):
        pl.World(scene)["f"].coordinate()


def test_what_is_read_elsewhere_is_said():
    scene = pl.Scene()
    scene.add(pl.Robot.from_urdf(pl.asset("tractor.urdf"), position=(0, 0, 1)))
    world = pl.World(scene)
    with pytest.raises(pl.SceneError, match=r"Control 'throttle' is read and set by world.control\['throttle'\]"):
        world["throttle"]
    with pytest.raises(AttributeError, match=r"has no 'velocity'\..* its links and joints, as world\['tractor/"):
        world["tractor"].velocity  # noqa: B018


@pytest.mark.parametrize("method", ["direct", "impulse"])
def test_an_end_that_is_held_twice_names_its_holder_and_the_remedy(method):
    scene = pl.Scene()
    rope = scene.add(pl.Rope("r", path=[(0, 0, 1), (1, 0, 1)], points=10, radius=0.01, material="hemp rope", method=method))
    box = scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), position=(1, 0, 1)))
    scene.attach(rope.end, box, name="first")
    scene.pin(rope.end, name="second")
    with pytest.raises(pl.SceneError, match=r"Pin 'second': 'r\.end' is held by 'first' already, .*; take one of the two away"):
        pl.World(scene)


def test_the_substeps_that_were_chosen_are_shown():
    """Oracle: the report of a step."""
    for name in ("oscillator", "jelly"):
        world = pl.World(pl.load(name))
        assert f"steps of 16.67 ms, {world.step().substeps} substeps each>" in repr(world)


def rod(**holds) -> pl.Scene:
    """A level rod of 2 kg, 0.6 m long, on a hinge at its end."""
    scene = pl.Scene()
    scene.add(pl.Body("rod", pl.Box(0.6, 0.05, 0.05), mass=2.0, position=(0.3, 0, 1), collide=False))
    scene.add(pl.Revolute("hinge", pl.WORLD, "rod", anchor=(0, 0, 1), axis=(0, 1, 0), **holds))
    return scene


@pytest.mark.parametrize(("word", "holds"), [
    ("limits", {"limits": (-1.0, 0.0)}), ("friction", {"friction": 50.0}), ("damping", {"damping": 1e9}),
    ("motor", {"motor": pl.VelocityMotor(0.0, 100.0)}), ("latches", {}), ("springs", {})])
def test_what_holds_a_joint_along_its_coordinate_is_told(word, holds):
    """Oracle: statics, -m g l/2 about the axis, of whatever holds it, and nothing of the rest."""
    scene = rod(**holds)
    if word == "latches":
        scene.add(pl.Latch("latch", "hinge", at=0.0, hold=100.0))
    if word == "springs":
        scene.add(pl.JointSpring("coil", "hinge", stiffness=1e9, damping=1e6))
    world = pl.World(scene)
    world.run(0.5)
    efforts = world["hinge"].efforts()
    assert efforts.pop(word) == pytest.approx(-2.0 * 9.81 * 0.3, rel=1e-6)
    assert all(abs(other) < 1e-9 for other in efforts.values())


def test_a_stop_bears_the_weight():
    """Oracle: statics. What stands on the lower end of its slide bears m g on it."""
    scene = pl.Scene()
    scene.add(pl.Body("b", pl.Box(0.1, 0.1, 0.1), mass=2.0, position=(0, 0, 1)))
    scene.add(pl.Prismatic("slide", pl.WORLD, "b", axis=(0, 0, 1), limits=(0.0, 1.0)))
    world = pl.World(scene)
    world.run(0.5)
    assert world["slide"].efforts()["limits"] == pytest.approx(2.0 * 9.81, rel=1e-9)


def test_a_ball_tells_what_brakes_it_about_each_axis():
    """Oracle: a body afloat that turns about an axis of its inertia is braked there by friction alone, evenly till it rests."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("b", pl.Sphere(0.2), mass=1.0, angular_velocity=(0, 0, 5.0), collide=False))
    scene.add(pl.Spherical("ball", pl.WORLD, "b", axis=(0, 0, 1), friction=0.01))
    world = pl.World(scene)
    world.run(0.2)
    assert [world["ball"].efforts(k)["friction"] for k in range(3)] == pytest.approx([-0.01, 0.0, 0.0], abs=1e-6)


def test_drives_of_a_coordinate_follow_each_other():
    """As solvers count on; oracle: each is found by its name, also springs and latches, which are drafted after all joints."""
    scene = pl.Scene(gravity=(0, 0, 0))
    for k in range(2):
        scene.add(pl.Body(f"link{k}", pl.Box(0.3, 0.1, 0.1), mass=1.0, position=(0.4 * k + 0.2, 0, 0), collide=False))
        scene.add(pl.Universal(f"joint{k}", f"link{k - 1}" if k else pl.WORLD, f"link{k}", anchor=(0.4 * k, 0, 0),
                               axis=(0, 0, 1), limits=(-1.0, 1.0), friction=0.1, damping=0.1,
                               motor=pl.VelocityMotor(0.5, 3.0)))
    for k in range(2):
        scene.add(pl.JointSpring(f"spring{k}", f"joint{k}", stiffness=10.0 * (k + 1), rest=0.1, coordinate=1))
        scene.add(pl.Latch(f"latch{k}", f"joint{k}", at=0.2 * (k + 1), hold=5.0))
    world = pl.World(scene)
    drives, index = world._engine.model.drives, world._index
    assert (np.diff(drives.coordinate) >= 0).all()
    for k in range(2):
        assert drives.stiffness[index["spring"][f"spring{k}"][1]] == 10.0 * (k + 1)
        assert drives.rest[index["latch"][f"latch{k}"]] == 0.2 * (k + 1)
        assert drives.law[index["drive"][f"joint{k}"]["motor"]] == VELOCITY_MOTOR
