"""Scratch of the collision passes: how large shapes are, where they stand, who is near whom, what was found."""

from typing import Annotated, NamedTuple

import numpy as np

from ..model.contacts import Contacts
from ..model.schema import Array, allocate, index, key, real
from ..model.shapes import BOX, CAPSULE, CYLINDER, FIELD, HULL, PLANE, SPHERE, Fields, Hulls, Shapes
from .narrow_work import NarrowWork, narrow_work

SLOP = 0.005
"""Gap below which two resting shapes already get contacts [m]."""

SLOP_SHARE = 0.05
"""The same as a share of the smallest half length of a small shape [-]."""

SPARE_PAIRS = 64
"""Room for pairs beyond two a contact, so that small tables need not grow at once."""

CANDIDATES = 96
"""Points that one height field and one shape may exchange before they are reduced."""


class Extents(NamedTuple):
    """The box around each shape, in the shape's frame; never changes."""

    centre: Annotated[Array, real("n 3", "m", "middle of the box")]
    half: Annotated[Array, real("n 3", "m", "half lengths of the box; zero for a plane")]
    slop: Annotated[Array, real("n", "m", "gap at which resting shapes get contacts")]
    endless: Annotated[Array, index("e", "shapes that are tested against every other: planes and fields")]


class Places(NamedTuple):
    """Where the shapes stand at the start of the step and how far they may get in it."""

    position: Annotated[Array, real("n 3", "m", "of the shape's frame, world frame")]
    quaternion: Annotated[Array, real("n 4", "-", "shape's frame to world")]
    lower: Annotated[Array, real("n 3", "m", "lower corner of all that the shape can reach in the step, world frame")]
    upper: Annotated[Array, real("n 3", "m", "upper corner")]
    velocity: Annotated[Array, real("n 3", "m/s", "of the middle of the box, world frame")]
    turn: Annotated[Array, real("n 3", "rad", "by which the shape turns in the step, world frame")]
    sweep: Annotated[Array, real("n", "m/s", "how much faster any other point of the shape can be")]


class Tree(NamedTuple):
    """A tree of boxes over the bounded shapes, four children a node, packed level by level."""

    order: Annotated[Array, index("n", "bounded shapes along the space-filling curve, kept from step to step")]
    code: Annotated[Array, key("n", "place of order[k] on the curve")]
    first: Annotated[Array, index("32", "where each level begins; level 0 are the shapes")]
    lower: Annotated[Array, real("m 3", "m", "lower corner of each node, world frame")]
    upper: Annotated[Array, real("m 3", "m", "upper corner")]
    fixed: Annotated[Array, index("m", "1 where a node holds a shape of an immovable body")]
    stack: Annotated[Array, index("128", "nodes still to be visited")]
    hit: Annotated[Array, index("n", "leaves found by one search")]


class Pairs(NamedTuple):
    """Pairs of shapes that may touch within the step, sorted by first and second shape."""

    count: Annotated[Array, index("5", "pairs, of them with a plane, convex, with a field; overlap tests made")]
    shape: Annotated[Array, index("p 2", "the two shapes, the smaller number first")]
    family: Annotated[Array, index("p", "WITH_PLANE, CONVEX or WITH_FIELD")]
    margin: Annotated[Array, real("p", "m", "gap below which they get contacts")]
    sway: Annotated[Array, real("p", "m", "the part of it that they do not need for how their middles move")]
    begin: Annotated[Array, index("p", "its first row among the contacts found")]
    number: Annotated[Array, index("p", "its rows among the contacts found")]
    unsorted: Annotated[Array, index("p 2", "scratch of the sort")]
    bucket: Annotated[Array, index("b", "scratch of the sort")]


class FieldWork(NamedTuple):
    """Points between one height field and one shape, in the field's frame, and the planes of that shape."""

    position: Annotated[Array, real("k 3", "m", "midway between the surfaces")]
    normal: Annotated[Array, real("k 3", "-", "unit, from the field to the shape")]
    separation: Annotated[Array, real("k", "m", "gap along the normal")]
    feature: Annotated[Array, key("k", "stable name")]
    plane: Annotated[Array, real("f 4", "-, m", "outward normal and offset of each face of a polyhedron")]
    chosen: Annotated[Array, index("8", "points kept")]


class CollideWork(NamedTuple):
    """All scratch of `detect`; may be thrown away between steps without changing any result."""

    extents: Extents
    places: Places
    tree: Tree
    pairs: Pairs
    fresh: Contacts
    narrow: NarrowWork
    field: FieldWork


def collide_work(shapes: Shapes, hulls: Hulls, fields: Fields, capacity: int) -> CollideWork:
    """Scratch for these shapes and a table of `capacity` contacts."""
    n = len(shapes.kind)
    endless = np.flatnonzero((shapes.kind == PLANE) | (shapes.kind == FIELD)).astype(np.int32)
    bounded = np.flatnonzero((shapes.kind != PLANE) & (shapes.kind != FIELD)).astype(np.int32)
    tree = allocate(Tree, len(bounded), m=2 * len(bounded) + 8)
    tree.order[:] = bounded
    faces = max([6, *np.diff(hulls.first_face).tolist()])
    return CollideWork(
        _extents(shapes, hulls, fields, endless),
        allocate(Places, n),
        tree,
        allocate(Pairs, p=2 * capacity + SPARE_PAIRS, b=n + 1),
        allocate(Contacts, capacity),
        narrow_work(),
        allocate(FieldWork, k=CANDIDATES, f=faces),
    )


def _extents(shapes: Shapes, hulls: Hulls, fields: Fields, endless: Array) -> Extents:
    extents = allocate(Extents, len(shapes.kind), e=len(endless))
    extents.endless[:] = endless
    for i, kind in enumerate(shapes.kind):
        lower, upper = _local_box(kind, shapes.size[i], shapes.data[i], hulls, fields)
        extents.centre[i] = 0.5 * (lower + upper)
        extents.half[i] = 0.5 * (upper - lower)
        smallest = np.inf if kind in (PLANE, FIELD) else extents.half[i].min()
        extents.slop[i] = min(SLOP, SLOP_SHARE * smallest)
    return extents


def _local_box(kind: int, size: Array, data: int, hulls: Hulls, fields: Fields) -> tuple[Array, Array]:
    """Lower and upper corner [m] of the box around one shape, in its own frame."""
    if kind == HULL:
        vertices = hulls.vertex[hulls.first_vertex[data] : hulls.first_vertex[data + 1]]
        return vertices.min(axis=0), vertices.max(axis=0)
    if kind == FIELD:
        heights = fields.height[fields.first_height[data] : fields.first_height[data + 1]]
        x, y = 0.5 * size[0], 0.5 * size[1]
        return np.array([-x, -y, heights.min()]), np.array([x, y, heights.max()])
    r, h = size[0], size[1]
    half = {
        PLANE: np.zeros(3),
        SPHERE: np.array([r, r, r]),
        CAPSULE: np.array([r, r, h + r]),
        BOX: np.array(size, float),
        CYLINDER: np.array([r, r, h]),
    }[int(kind)]
    return -half, half
