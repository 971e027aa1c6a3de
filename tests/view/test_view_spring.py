"""Springs in the picture: coils from end to end, in slides too, and a camera that sees both ends."""

import numpy as np
import pytest

import pliant as pl
from pliant.view import spring_picture, strut_picture  # noqa: F401 - each registers its own
from pliant.view.camera import ASPECT, FIELD_OF_VIEW, frame
from pliant.view.picture import Stage, picture_kind
from pliant.view.turns import rotate


class Recorder:
    """Takes the place of the page's scene and keeps the instances that are drawn."""

    def __init__(self) -> None:
        self.drawn: dict = {}
        self.scene = self

    def add_batched_meshes_simple(self, name, vertices, faces, quaternions, positions, batched_scales, **more):
        handle = type("Handle", (), {})()
        handle.batched_wxyzs, handle.batched_positions, handle.batched_scales = quaternions, positions, batched_scales
        self.drawn[name.rpartition("/")[2]] = handle
        return handle


def ends(handle) -> np.ndarray:
    """Both ends (n, 2, 3) [m] of coils that run from z = 0 to 1 before they are scaled, turned and moved."""
    along = np.zeros((len(handle.batched_positions), 3))
    along[:, 2] = np.asarray(handle.batched_scales)[:, 2]
    start = np.asarray(handle.batched_positions)
    return np.stack([start, start + rotate(np.asarray(handle.batched_wxyzs, float), along)], axis=1)


def strut() -> pl.World:
    """A cart with a wheel carrier on a slanted slide beside its middle, and a hinge with a spring that is not drawn."""
    scene = pl.Scene()
    scene.add(pl.Body("cart", pl.Box(1.0, 0.5, 0.2), position=(0, 0, 1), angular_velocity=(0.3, -0.2, 0.4)))
    scene.add(pl.Body("carrier", pl.Box(0.1, 0.1, 0.1), position=(0.4, 0.3, 0.4)))
    scene.add(pl.Prismatic("slide", "cart", "carrier", axis=(0, 0.6, 0.8)))
    scene.add(pl.Body("flap", pl.Box(0.1, 0.1, 0.1), position=(-0.4, 0, 0.8)))
    scene.add(pl.Revolute("hinge", "cart", "flap", axis=(0, 1, 0)))
    scene.add(pl.JointSpring("coil", "slide", stiffness=50.0, rest=-0.1))
    scene.add(pl.JointSpring("leaf", "hinge", stiffness=5.0))
    return pl.World(scene)


def drawn(world: pl.World):
    record = Recorder()
    springs = [thing for thing in world.scene if isinstance(thing, pl.JointSpring)]
    return picture_kind(springs[0])(Stage(record, world), springs), record.drawn


def test_a_strut_runs_along_its_axis_and_shortens_by_the_travel():
    """Oracle: at the start the way between the bodies' middles along the axis, by hand; later that and the joint's travel,
    along the axis as the cart carries it. Pictures have single precision, 1e-6 of a metre."""
    world, axis = strut(), np.array((0.0, 0.6, 0.8))
    picture, shown = drawn(world)
    (first,) = ends(shown["struts"])
    np.testing.assert_allclose(first, [(0.4, 0.3, 0.4) + (axis @ (-0.4, -0.3, 0.6)) * axis, (0.4, 0.3, 0.4)], atol=1e-12)
    world.run(0.3)
    picture.update(world, *world.body_poses())
    (later,) = ends(shown["struts"])
    turned = rotate(world["cart"].quaternion[None], axis[None])[0]
    assert abs(world["slide"].travel) > 0.01
    assert (later[1] - later[0]) @ turned == pytest.approx((first[1] - first[0]) @ axis + world["slide"].travel, abs=1e-6)
    assert np.linalg.norm(np.cross(later[1] - later[0], turned)) < 1e-6
    assert np.abs(later[1] - world["carrier"].position).max() < 1e-6


def test_a_slide_without_room_is_left_out():
    """Between the world and a body, and where both middles are at one height of the axis."""
    scene = pl.Scene()
    scene.add(pl.Body("a", pl.Sphere(0.1), position=(0, 0, 1)))
    scene.add(pl.Body("b", pl.Sphere(0.1), position=(0.5, 0, 1)))
    scene.add(pl.Prismatic("one", pl.WORLD, "a"))
    scene.add(pl.Prismatic("two", "a", "b"))
    for joint in ("one", "two"):
        scene.add(pl.JointSpring(f"in {joint}", joint, stiffness=1.0))
    world = pl.World(scene)
    picture, shown = drawn(world)
    picture.update(world, *world.body_poses())
    assert shown == {}


def test_the_camera_sees_both_ends_of_a_spring():
    """Oracle: perspective projection. The hook is fixed, so that it is seen by the spring's end alone."""
    position, target = frame(pl.World(pl.load("oscillator")))
    back = (position - target) / np.linalg.norm(position - target)
    right = np.cross((0, 0, 1), back) / np.linalg.norm(np.cross((0, 0, 1), back))
    points = np.array([(0, 0, 2.0), (0, 0, 0.78)])
    depth, slope = (position - points) @ back, np.tan(0.5 * FIELD_OF_VIEW)
    assert (np.abs((points - position) @ np.cross(back, right)) < depth * slope).all()
    assert (np.abs((points - position) @ right) < depth * slope * ASPECT).all()
