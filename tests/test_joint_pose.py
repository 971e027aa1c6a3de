"""Joints that are put at a coordinate. Oracle: the kinematics of the arm, and the same arm built there."""

import numpy as np
import pytest

import pliant as pl

LONG = 0.4


def turn(angle: float) -> tuple[float, float, float, float]:
    """About y."""
    return float(np.cos(0.5 * angle)), 0.0, float(np.sin(0.5 * angle)), 0.0


def along(angle: float) -> np.ndarray:
    """The way that hangs down, turned about y by an angle."""
    return np.array([-np.sin(angle), 0.0, -np.cos(angle)])


def arm(first: float = 0.0, second: float = 0.0, **more) -> pl.Scene:
    """Two bars that hang on each other from a hook at the origin, turned by angles about y."""
    scene = pl.Scene()
    elbow = LONG * along(first)
    ends = ((0.5 * elbow, first), (elbow + 0.5 * LONG * along(first + second), first + second))
    for name, (middle, angle) in zip(("upper", "fore"), ends, strict=True):
        scene.add(pl.Body(name, pl.Box(0.05, 0.05, LONG), mass=1.0, position=tuple(middle), quaternion=turn(angle)))
    scene.add(pl.Revolute("shoulder", pl.WORLD, "upper", anchor=(0, 0, 0), axis=(0, 1, 0), **more))
    scene.add(pl.Revolute("elbow", "upper", "fore", anchor=tuple(elbow), axis=(0, 1, 0)))
    return scene


def test_an_arm_is_put_where_its_angles_say_and_goes_on_as_if_it_were_built_there():
    world = pl.World(arm(), threads=1)
    world["elbow"].angle = -0.8
    world["shoulder"].angle = 0.5
    assert (world["shoulder"].angle, world["elbow"].angle) == (0.5, -0.8)
    there = pl.World(arm(0.5, -0.8), threads=1)
    for name in ("upper", "fore"):
        assert np.allclose(world[name].position, there[name].position, atol=1e-15)
        assert np.allclose(world[name].quaternion, there[name].quaternion, atol=1e-15)
    drifts = [one.run(0.5).drift for one in (world, there)]
    assert drifts[0] == pytest.approx(drifts[1], abs=1e-12)
    for name in ("upper", "fore"):
        assert np.allclose(world[name].position, there[name].position, atol=1e-9)
    assert world["elbow"].angle == pytest.approx(there["elbow"].angle - 0.8, abs=1e-9)


def test_many_turns_are_kept_and_velocities_turn_along():
    """Oracle: the speed of a bar that turns about the hook is across it, as fast as before."""
    world = pl.World(arm(), threads=1)
    world["upper"].velocity, world["upper"].angular_velocity = (-0.2, 0, 0), (0, 1, 0)
    world["shoulder"].angle = 4.5 * np.pi
    assert np.allclose(world["upper"].velocity, (0, 0, 0.2), atol=1e-12)
    world.step()
    assert world["shoulder"].angle == pytest.approx(4.5 * np.pi, abs=0.1)


def test_the_loose_side_moves_and_what_hangs_on_a_slide_goes_along():
    """The child is held by the world, so the parent goes the other way; a ball on a rope hangs on it."""
    scene = pl.Scene()
    scene.add(pl.Body("rail", pl.Box(1, 0.1, 0.1), fixed=True))
    scene.add(pl.Body("sledge", pl.Box(0.2, 0.2, 0.2), mass=1.0))
    scene.add(pl.Prismatic("slide", "sledge", "rail", axis=(1, 0, 0)))
    rope = scene.add(pl.Rope("rope", [(0, 0, -0.1), (0, 0, -1)], 5, 0.01, "rubber"))
    scene.attach(rope.start, "sledge")
    world = pl.World(scene, threads=1)
    world["slide"].travel = -0.3
    assert np.allclose(world["sledge"].position, (0.3, 0, 0), atol=1e-15) and world["rail"].position[0] == 0.0
    assert np.allclose(world["rope"].positions[:, 0], 0.3, atol=1e-15)
    world.step()
    assert world["slide"].travel == pytest.approx(-0.3, abs=1e-6)


def test_energy_of_its_spring_is_that_of_the_new_angle():
    scene = arm()
    scene.add(pl.JointSpring("coil", "shoulder", stiffness=8.0))
    world = pl.World(scene, threads=1)
    world["shoulder"].angle = 0.5
    assert world.energy().elastic == pytest.approx(0.5 * 8.0 * 0.5**2, rel=1e-12)


@pytest.mark.parametrize(("build", "change", "said"), [
    (lambda: arm(limits=(-1, 1)), ("shoulder", "angle", 1.5), "Revolute 'shoulder': angle is 1.5; its limits are -1 and 1."),
    (arm, ("shoulder", "angle", "wide"), "angle is 'wide'; it must be a number"),
    (arm, ("shoulder", "travel", 0.1), "travel cannot be set: it has angle;"),
])
def test_what_cannot_be_set_says_why(build, change, said):
    world = pl.World(build(), threads=1)
    before = world.hash()
    with pytest.raises(pl.SceneError, match=said):
        setattr(world[change[0]], *change[1:])
    assert world.hash() == before


def test_a_joint_of_a_loop_is_not_set():
    scene = arm()
    scene.add(pl.Spherical("held", pl.WORLD, "fore", anchor=(0, 0, -2 * LONG)))
    with pytest.raises(pl.SceneError, match="both its sides are held, or it is part of a loop; set the positions"):
        pl.World(scene, threads=1)["elbow"].angle = 0.1
