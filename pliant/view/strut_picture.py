"""Springs in slides, as struts have them: coils along the axis, from the middle of one body to that of the other."""

import numpy as np

from ..scene.body import Body
from ..scene.joint import Joint
from ..scene.spring import JointSpring
from .geometry import coil
from .palette import STEEL, linear_bytes
from .picture import Stage, picture_kind
from .spring_picture import SLENDER, coil_poses
from .turns import inverse, rotate

SHORTEST = 1e-3
"""[m]; bodies whose middles are nearer to each other along the axis leave no room for a coil."""


class StrutPicture:
    """All springs on travels between two bodies; those that turn are not drawn."""

    def __init__(self, stage: Stage, things: list[JointSpring]) -> None:
        scene = stage.world.scene
        bodies = {thing.name: thing for thing in scene.flat() if isinstance(thing, Body)}
        joints = {thing.name: thing for thing in scene.flat() if isinstance(thing, Joint)}
        struts = [_ends(joints[one.joint], bodies) for one in things
                  if joints[one.joint].coordinates[one.coordinate] == "travel"]
        struts = [ends for ends in struts if ends is not None]
        self._rows = np.array([[stage.index[body.name] for body, _ in ends] for ends in struts], int).reshape(-1, 2)
        self._local = np.array([[place for _, place in ends] for ends in struts]).reshape(-1, 2, 3)
        if not struts:
            return
        positions, quaternions = (np.asarray(a) for a in stage.world.body_poses())
        ends = self._placed(positions, quaternions)
        self._radius = 1.5 * SLENDER * np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        mesh = coil(turns=9.0, wire=0.17, flat=1.5 * SLENDER)
        places, turns, scales = coil_poses(ends, self._radius)
        self._handle = stage.scene.add_batched_meshes_simple(
            stage.path("struts"), mesh.vertices, mesh.faces, turns, places, batched_scales=scales,
            batched_colors=linear_bytes([STEEL] * len(struts)), lod="off")

    def update(self, world, positions: np.ndarray, quaternions: np.ndarray) -> None:
        """Stretch every coil between its bodies."""
        if not len(self._rows):
            return
        places, turns, scales = coil_poses(self._placed(positions, quaternions), self._radius)
        self._handle.batched_positions = places.astype(np.float32)
        self._handle.batched_wxyzs = turns.astype(np.float32)
        self._handle.batched_scales = scales.astype(np.float32)

    def _placed(self, positions: np.ndarray, quaternions: np.ndarray) -> np.ndarray:
        """Ends (n, 2, 3) [m] where the bodies are."""
        turn = quaternions[self._rows].reshape(-1, 4)
        return positions[self._rows] + rotate(turn, self._local.reshape(-1, 3)).reshape(-1, 2, 3)


def _ends(joint: Joint, bodies: dict[str, Body]):
    """Both bodies of a joint, each with the point of the axis beside its middle [m] (3,), body's frame; None without room."""
    if joint.parent not in bodies or joint.child not in bodies:
        return None
    held = bodies[joint.parent], bodies[joint.child]
    axis, anchor = np.array(joint.axis), np.array(joint.anchor if joint.anchor is not None else held[1].position)
    points = [anchor + np.dot(np.array(body.position) - anchor, axis) * axis for body in held]
    if np.linalg.norm(points[1] - points[0]) < SHORTEST:
        return None
    return [(body, rotate(inverse(np.array([body.quaternion])), (point - body.position)[None])[0])
            for body, point in zip(held, points, strict=True)]


@picture_kind.register
def _(thing: JointSpring) -> type[StrutPicture]:
    return StrutPicture
