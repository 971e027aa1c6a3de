"""Ropes: smooth tubes skinned along their points, each with a stripe that shows its twist, and marks where they are held."""

from itertools import pairwise

import numpy as np

from ..scene.attachment import Attachment, Pin
from ..scene.rope import Rope
from ..scene.shape import Cylinder, Sphere
from .geometry import shape_mesh
from .palette import JOINT, ROPE, linear_bytes, screen_bytes, tinted
from .picture import Stage, picture_kind

SIDES = 12
"""Of a tube."""
RINGS = 400
"""About so many for a rope; at least one for each of its points."""
STRIPE = np.radians(16.0)
"""Half the width of the stripe."""
LIFT = 1.02
"""Radius of the stripe [of the tube's], so that the tube does not show through it."""


class RopePicture:
    """All ropes of the world."""

    def __init__(self, stage: Stage, things: list[Rope]) -> None:
        self._tubes = [_Tube(stage, thing) for thing in things]

    def update(self, world, positions, quaternions) -> None:
        """Bend every tube along its points; the page keeps the triangles and takes the vertices alone."""
        for tube in self._tubes:
            tube.update(world)


class _Tube:
    """One rope: a mesh for the tube, a mesh for the stripe along its d1."""

    def __init__(self, stage: Stage, thing: Rope) -> None:
        self._stage, self._thing = stage, thing
        self._samples = max(1, min(6, RINGS // thing.elements))
        color = thing.color or ROPE
        tube, stripe = self._vertices(stage.world)
        rings = self._samples * thing.elements + 1
        self._tube = stage.scene.add_mesh_simple(
            stage.path("ropes", thing.name), tube, tube_faces(rings, SIDES), color=screen_bytes(color))
        self._stripe = stage.scene.add_mesh_simple(
            stage.path("ropes", f"{thing.name} stripe"), stripe, strip_faces(rings, 3), cast_shadow=False,
            color=screen_bytes(tinted(color, 0.45 if sum(color) > 0.9 else 2.2)))

    def update(self, world) -> None:
        tube, stripe = self._vertices(world)
        self._tube.vertices, self._stripe.vertices = tube, stripe

    def _vertices(self, world) -> tuple[np.ndarray, np.ndarray]:
        handle, closed, radius = world[self._thing.name], self._thing.closed, self._thing.radius
        points, quaternions = handle.positions + self._stage.offset, handle.quaternions
        if closed:
            points = np.vstack([points, points[:1]])
        center, along = centre_line(points, self._samples, closed)
        across = carried(quaternions, along, self._samples)
        other = np.cross(along, across)
        around = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
        rings = ring_points(center, across, other, radius, around)
        ends = np.concatenate([rings[0], rings[-1], center[[0, -1]]])  # their own vertices, so that the rims stay crisp
        stripe = ring_points(center, across, other, LIFT * radius, np.array([-STRIPE, 0.0, STRIPE]))
        return np.concatenate([rings.reshape(-1, 3), ends]).astype(np.float32), stripe.reshape(-1, 3).astype(np.float32)


class HoldPicture:
    """Where ropes are held: a ball for a ball, a sleeve for a clamp; pins dark, attachments yellow."""

    def __init__(self, stage: Stage, things: list[Attachment | Pin]) -> None:
        self._stage = stage
        ropes = {thing.name: thing for thing in stage.world.scene.flat() if isinstance(thing, Rope)}
        held = [(hold, place) for hold in things for place in _places(hold, ropes)]
        self._batches = []
        for word, clamp, shape in (("balls", False, Sphere(1.0)), ("sleeves", True, Cylinder(1.0, 2.4))):
            some = [(hold, place) for hold, place in held if hold.clamp == clamp]
            if some:
                self._batches.append(self._batch(word, shape, some, ropes))

    def _batch(self, word: str, shape, held, ropes):
        mesh, places = shape_mesh(shape), [place for _, place in held]
        sizes = np.array([1.7 * ropes[name].radius for name, _ in places])
        colors = [tinted(ROPE, 0.35) if isinstance(hold, Pin) else JOINT for hold, _ in held]
        positions, quaternions = self._poses(self._stage.world, places)
        handle = self._stage.scene.add_batched_meshes_simple(
            self._stage.path("holds", word), mesh.vertices, mesh.faces, quaternions, positions, lod="off",
            batched_scales=np.repeat(sizes[:, None], 3, axis=1), batched_colors=linear_bytes(colors))
        return places, handle

    def update(self, world, positions, quaternions) -> None:
        """Carry the marks along with the ropes."""
        for places, handle in self._batches:
            at, turn = self._poses(world, places)
            handle.batched_positions, handle.batched_wxyzs = at.astype(np.float32), turn.astype(np.float32)

    def _poses(self, world, places) -> tuple[np.ndarray, np.ndarray]:
        """Positions (n, 3) and orientations (n, 4), z along the rope, of places (rope, share of its length)."""
        at, turn = [], []
        states = {name: (world[name].positions, world[name].quaternions) for name in {name for name, _ in places}}
        for name, share in places:
            points, elements = states[name]
            arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
            at.append([np.interp(share * arc[-1], arc, points[:, c]) for c in range(3)])
            turn.append(elements[min(int(np.searchsorted(arc, share * arc[-1], "right")) - 1, len(elements) - 1)])
        return np.array(at) + self._stage.offset, np.array(turn)


def _places(hold, ropes: dict[str, Rope]) -> list[tuple[str, float]]:
    """The places on ropes that a hold holds: (rope, share of its length)."""
    found = []
    for name in (hold.what,) if isinstance(hold, Pin) else (hold.a, hold.b):
        rope, _, word = str(name).partition(".") if "@" not in str(name) else str(name).partition("@")
        if rope in ropes and word:
            shares = {"start": 0.0, "end": 1.0}
            found.append((rope, shares[word] if word in shares else float(word) / _length(ropes[rope])))
    return found


def _length(rope: Rope) -> float:
    """Unstretched [m]."""
    if rope.length is not None:
        return float(np.max(rope.length))
    if not isinstance(rope.points, int):
        return float(rope.points[-1])
    path = np.vstack([rope.path, rope.path[:1]]) if rope.closed else rope.path
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def centre_line(points: np.ndarray, samples: int, closed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """A smooth curve through points (n, 3), `samples` for each span: its places and unit tangents (samples (n - 1) + 1, 3).

    Each span is a cubic whose slopes at the points are those of the parabolas through three neighbours, by chord length.
    The last point of a closed curve is its first.
    """
    spans = np.diff(points, axis=0)
    chords = np.maximum(np.linalg.norm(spans, axis=1), 1e-9)[:, None]
    slopes = spans / chords
    inner = (chords[1:] * slopes[:-1] + chords[:-1] * slopes[1:]) / (chords[1:] + chords[:-1])
    if closed:
        seam = (chords[0] * slopes[-1] + chords[-1] * slopes[0]) / (chords[0] + chords[-1])
        first, last = seam, seam
    else:
        first, last = 2.0 * slopes[0] - inner[0], 2.0 * slopes[-1] - inner[-1]
    ends = np.vstack([first[None], inner, last[None]])
    t = (np.arange(samples) / samples)[None, :, None]
    a, b = (chords * ends[:-1])[:, None], (chords * ends[1:])[:, None]
    start, span = points[:-1, None], spans[:, None]
    c2, c3 = 3.0 * span - 2.0 * a - b, a + b - 2.0 * span
    places = np.vstack([(start + t * (a + t * (c2 + t * c3))).reshape(-1, 3), points[-1:]])
    along = np.vstack([(a + t * (2.0 * c2 + 3.0 * t * c3)).reshape(-1, 3), last[None]])
    return places, along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)


def carried(quaternions: np.ndarray, along: np.ndarray, samples: int) -> np.ndarray:
    """The elements' d1 along a curve with unit tangents `along` (samples n + 1, 3), from their orientations (n, 4).

    At the middle of an element it is the element's; between two middles the orientations are mixed.
    """
    signs = np.sign(np.einsum("nk,nk->n", quaternions[1:], quaternions[:-1]))
    q = quaternions * np.cumprod(np.concatenate([[1.0], np.where(signs == 0.0, 1.0, signs)]))[:, None]
    where = np.clip(np.arange(len(along)) / samples - 0.5, 0.0, len(q) - 1.0)
    left = np.minimum(where.astype(int), max(len(q) - 2, 0))
    part = (where - left)[:, None]
    mixed = (1.0 - part) * q[left] + part * q[np.minimum(left + 1, len(q) - 1)]
    w, x, y, z = (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).T
    d1 = np.stack([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)], axis=-1)
    d1 -= np.einsum("nk,nk->n", d1, along)[:, None] * along
    return d1 / np.maximum(np.linalg.norm(d1, axis=1, keepdims=True), 1e-12)


def ring_points(center, across, other, radius: float, angles: np.ndarray) -> np.ndarray:
    """Points (rings, angles, 3) on circles of `radius` [m] about the centre line."""
    turn = angles[None, :, None]
    return center[:, None] + radius * (np.cos(turn) * across[:, None] + np.sin(turn) * other[:, None])


def tube_faces(rings: int, sides: int) -> np.ndarray:
    """Triangles of a tube of rings, then both rims again, then the middles of both ends."""
    wall = strip_faces(rings, sides, around=True)
    first = rings * sides + np.arange(sides)
    last, middle = first + sides, rings * sides + 2 * sides
    caps = [np.stack([np.roll(first, -1), first, np.full(sides, middle)], -1),
            np.stack([last, np.roll(last, -1), np.full(sides, middle + 1)], -1)]
    return np.concatenate([wall, *caps])


def strip_faces(rings: int, width: int, around: bool = False) -> np.ndarray:
    """Triangles between rows of `width` vertices, closed to a tube if `around`."""
    rows = np.arange(rings * width).reshape(rings, width)
    faces = []
    for low, high in pairwise(rows):
        a, b, a_next, b_next = low, high, np.roll(low, -1), np.roll(high, -1)
        quads = np.concatenate([np.stack([a, a_next, b_next], -1)[None], np.stack([a, b_next, b], -1)[None]])
        faces.append((quads if around else quads[:, :-1]).reshape(-1, 3))
    return np.concatenate(faces)


@picture_kind.register
def _(thing: Rope) -> type[RopePicture]:
    return RopePicture


@picture_kind.register(Attachment)
@picture_kind.register(Pin)
def _(thing) -> type[HoldPicture]:
    return HoldPicture
