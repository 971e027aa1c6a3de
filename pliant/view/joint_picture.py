"""Joints, shown on demand: a pin along each axis at its anchor, a ball where there is no axis."""

import numpy as np

from ..scene.joint import Joint
from ..scene.shape import Cylinder, Sphere
from .geometry import crisp, shape_mesh
from .palette import JOINT, linear_bytes
from .picture import Stage, picture_kind
from .turns import from_z, inverse, multiply, rotate


class JointPicture:
    """All joints; hidden until asked for."""

    def __init__(self, stage: Stage, things: list[Joint]) -> None:
        bodies = {thing.name: thing for thing in stage.world.scene.flat()}
        held = [(joint, _carrier(joint, bodies)) for joint in things]
        held = [(joint, body) for joint, body in held if body is not None]
        size = 0.04 * _reach([body for _, body in held])
        pins = [pair for pair in held if len(pair[0].coordinates) in (1, 2)]
        balls = [pair for pair in held if len(pair[0].coordinates) not in (1, 2)]
        self._batches = [_Pins(stage, "pins", Cylinder(0.3 * size, 2.5 * size), pins)] if pins else []
        self._batches += [_Pins(stage, "balls", Sphere(0.6 * size), balls)] if balls else []

    def show(self, on: bool) -> None:
        """Show or hide."""
        for batch in self._batches:
            batch.handle.visible = on

    def update(self, world, positions: np.ndarray, quaternions: np.ndarray) -> None:
        """Carry the pins along with the bodies."""
        for batch in self._batches:
            if batch.handle.visible:
                batch.update(positions, quaternions)


class _Pins:
    """Instances of one mesh, each held by a body."""

    def __init__(self, stage: Stage, name: str, shape, pairs) -> None:
        self.rows = np.array([stage.index[body.name] for _, body in pairs])
        start = np.array([body.position for _, body in pairs])
        back = inverse(np.array([body.quaternion for _, body in pairs]))
        anchors = np.array([joint.anchor if joint.anchor is not None else body.position for joint, body in pairs])
        self.offsets = rotate(back, anchors - start)
        self.turns = multiply(back, from_z(np.array([joint.axis for joint, _ in pairs])))
        vertices, faces = crisp(shape_mesh(shape))
        self.handle = stage.scene.add_batched_meshes_simple(
            stage.path("joints", name), vertices, faces, self.turns, self.offsets, visible=False, lod="off",
            batched_colors=linear_bytes([JOINT] * len(pairs)))

    def update(self, positions: np.ndarray, quaternions: np.ndarray) -> None:
        turn = quaternions[self.rows]
        self.handle.batched_positions = (positions[self.rows] + rotate(turn, self.offsets)).astype(np.float32)
        self.handle.batched_wxyzs = multiply(turn, self.turns).astype(np.float32)


def _carrier(joint: Joint, things: dict):
    """The body that carries a joint's child end, else its parent end."""
    for name in (joint.child, joint.parent):
        thing = things.get(name)
        thing = things.get(getattr(thing, "body", None), thing)
        if thing is not None and hasattr(thing, "shape"):
            return thing
    return None


def _reach(bodies) -> float:
    """Size of the jointed bodies together [m], for the size of the pins."""
    if not bodies:
        return 1.0
    places = np.array([body.position for body in bodies])
    own = max(float(np.ptp(shape_mesh(_first(body.shape)).vertices, axis=0).max()) for body in bodies)
    return max(own, float(np.ptp(places, axis=0).max()))


def _first(shape):
    return shape[0].shape if isinstance(shape, tuple) else shape


@picture_kind.register
def _(thing: Joint) -> type[JointPicture]:
    return JointPicture
