"""Bodies: one batch of instances for every distinct shape, so that a thousand of them are one message."""

from typing import NamedTuple

import numpy as np

from ..scene.body import Body
from ..scene.joint import Revolute
from ..scene.shape import HeightField, Mesh
from .geometry import crisp, shape_marks, shape_mesh
from .palette import body_colors, linear_bytes, tinted
from .picture import Stage, picture_kind
from .terrain import Terrain
from .turns import multiply, rotate

MANY_FACES = 400_000
"""Above this the page may draw far instances coarser."""


class Instance(NamedTuple):
    """One shape of a body: the body's row, the shape and its place in the body's frame, its colour."""

    row: int
    shape: object
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]
    color: tuple[float, float, float]
    alone: bool
    """Whether it is the body's only shape: only such a disc is a wheel."""


class BodyPicture:
    """All bodies of the world."""

    def __init__(self, stage: Stage, things: list[Body]) -> None:
        wheels = frozenset(t.child for t in stage.world.scene.flat() if isinstance(t, Revolute))
        colors = body_colors(things, wheels, shape_key)
        alike: dict[tuple, list[Instance]] = {}
        self._terrains = [Terrain(stage, b, colors[b.name]) for b in things if isinstance(b.shape, HeightField)]
        for body in things:
            if isinstance(body.shape, HeightField):
                continue
            for instance in _instances(body, stage.index[body.name], colors[body.name]):
                alike.setdefault((shape_key(instance.shape), instance.alone), []).append(instance)
        self._batches: list[_Batch] = []
        for number, instances in enumerate(alike.values()):
            self._add(stage, f"{type(instances[0].shape).__name__} {number}", instances)

    def _add(self, stage: Stage, name: str, instances: list[Instance]) -> None:
        shape = instances[0].shape
        self._batches.append(_Batch(stage, name, shape_mesh(shape), instances))
        marks = shape_marks(shape) if instances[0].alone else None
        if marks is not None:
            marked = [i._replace(color=tinted(i.color, 1.9 if sum(i.color) < 1.2 else 0.72)) for i in instances]
            self._batches.append(_Batch(stage, f"{name} marks", marks, marked))

    def update(self, world, positions: np.ndarray, quaternions: np.ndarray) -> None:
        """Move every instance; batches at rest are not sent again."""
        for batch in self._batches:
            batch.update(positions, quaternions)
        for terrain in self._terrains:
            terrain.update(positions, quaternions)

    def see_through(self, on: bool) -> None:
        """Fade the bodies, to show what is inside them."""
        for batch in self._batches:
            batch.handle.opacity = 0.35 if on else None


class _Batch:
    """Instances of one mesh."""

    def __init__(self, stage: Stage, name: str, mesh, instances: list[Instance]) -> None:
        vertices, faces = crisp(mesh)
        self.rows = np.array([i.row for i in instances])
        self.offsets = np.array([i.position for i in instances], float)
        self.turns = np.array([i.quaternion for i in instances], float)
        self.plain = not self.offsets.any() and bool((self.turns == (1.0, 0.0, 0.0, 0.0)).all())
        many = len(faces) * len(instances) > MANY_FACES
        self.handle = stage.scene.add_batched_meshes_simple(
            stage.path("bodies", name), vertices, faces, self.turns, self.offsets,
            batched_colors=linear_bytes([i.color for i in instances]), lod="auto" if many else "off",
            side="double" if isinstance(instances[0].shape, Mesh) else "front")

    def update(self, positions: np.ndarray, quaternions: np.ndarray) -> None:
        place, turn = positions[self.rows], quaternions[self.rows]
        if not self.plain:
            place = place + rotate(turn, self.offsets)
            turn = multiply(turn, self.turns)
        self.handle.batched_positions = place.astype(np.float32)
        self.handle.batched_wxyzs = turn.astype(np.float32)


def _instances(body: Body, row: int, color) -> list[Instance]:
    if isinstance(body.shape, tuple):
        alone = len(body.shape) == 1
        return [Instance(row, part.shape, part.position, part.quaternion, color, alone) for part in body.shape]
    return [Instance(row, body.shape, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), color, True)]


def shape_key(shape) -> tuple:
    """Equal for shapes that look alike."""
    if isinstance(shape, tuple):
        return tuple((shape_key(p.shape), p.position, p.quaternion) for p in shape)
    if isinstance(shape, Mesh):
        return ("Mesh", shape.source if isinstance(shape.source, str) else id(shape.source[0]), shape.scale)
    if isinstance(shape, HeightField):
        return ("HeightField", id(shape))
    return (type(shape).__name__, *(getattr(shape, field) for field in shape.__struct_fields__))


@picture_kind.register
def _(thing: Body) -> type[BodyPicture]:
    return BodyPicture
