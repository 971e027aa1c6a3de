"""Cloth and solids: vertices, elements, their state and their scratch.

The vertices of one soft thing are a range of the movers. Elements of one kind lie side by side, LANES to a block, so that
a block is projected with vector instructions: number r of the element in lane l is at column r * LANES + l. Lanes left over
in the last block repeat the first element with zero weights.
"""

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np

from ..math.svd3 import LANES
from ..patch.groups import Samples
from .schema import Array, index, real

Points: TypeAlias = Annotated[Array, real("n 3", "m", "of the vertices, world frame")]
Numbers: TypeAlias = Annotated[Array, real("n", "-", "one a vertex")]
Flags: TypeAlias = Annotated[Array, index("c", "one a cell: 1 if it is inside out")]

CELL_CORNERS, CELL_TABLE = 4, 15
TRIANGLE_CORNERS, TRIANGLE_TABLE = 3, 10
BEND_CORNERS, BEND_TABLE = 4, 8
GROUP_TABLE = 30


class Vertices(NamedTuple):
    """Vertices of one soft thing; a held one moves as it is told."""

    mass: Annotated[Array, real("n", "kg", "zero if held")]
    inverse_mass: Annotated[Array, real("n", "1/kg", "zero if held")]
    rest: Annotated[Array, real("n 3", "m", "where it lies at rest, in the thing's own frame")]


class Elements(NamedTuple):
    """Elements of one kind.

    A cell's table: inverse of the rest edges (9) [1/m], weights of strain and volume [N m], range of singular values, range of
    the volume (of what it was). A group's of cells: gradients of its first three corners (9) [1/m], then as a cell's, then
    gradients of its five others (15) [1/m]. A triangle's: inverse of the rest edges (4), weights, ranges. A bend's:
    coefficients (4), weight in the constant matrix [N/m], rest length [m], least areas, twice (2) [m2].
    """

    vertex: Annotated[Array, index("b v", "corners, LANES elements to a block")]
    table: Annotated[Array, real("b t", "1/m, N m, -", "what never changes")]
    size: Annotated[Array, index("1", "how many there are")]


class Compliance(NamedTuple):
    """How the angles of inner edges answer the moments on all of them: S of bending_moment.py, row by row."""

    first: Annotated[Array, index("f", "row e has the entries first[e] to first[e + 1]")]
    column: Annotated[Array, index("k", "of each entry")]
    value: Annotated[Array, real("k", "m/N", "of each entry")]


class Folds(NamedTuple):
    """What the inner edges of cloth bear at the place last looked at."""

    away: Annotated[Array, real("e 3", "m", "length times angle, less that at rest, along the normal")]
    moment: Annotated[Array, real("e 3", "N", "per length, along the normal")]


class FoldCorners(NamedTuple):
    """By vertex, the inner edges that it is a corner of."""

    first: Annotated[Array, index("f", "vertex v has the entries first[v] to first[v + 1]")]
    edge: Annotated[Array, index("k", "of each entry")]
    share: Annotated[Array, real("k", "-", "its coefficient in that edge's angle")]
    bent: Annotated[Array, index("c", "edges that are bent at rest")]


class ElementWork(NamedTuple):
    """What the elements of one kind store at the place last looked at."""

    energy: Annotated[Array, real("b e", "J", "one an element")]


class Examples(NamedTuple):
    """Shapes between which cells want to be; the first is the shape at rest."""

    stretch: Annotated[Array, real("s b x", "-", "of every example: stretch of each cell, six numbers LANES apart")]
    weight: Annotated[Array, real("b e", "N m", "one a cell")]
    gram: Annotated[Array, real("s s", "N m", "products of the examples")]


class ExampleWork(NamedTuple):
    """Scratch of examples."""

    turn: Annotated[Array, real("b r", "-", "rotation of each cell, nine numbers LANES apart")]
    product: Annotated[Array, real("b s", "N m", "of the turned shape with each example, one sum a block")]


class TangleWork(NamedTuple):
    """Cells that take a rotation in common during a step."""

    cell: Annotated[Array, index("c", "its number")]
    piece: Annotated[Array, index("c", "which of the rotations is its")]
    turn: Annotated[Array, real("p 9", "-", "rotation of each piece, column by column")]


class PatchVolumes(NamedTuple):
    """Cells under a relief, whose volumes are those of their patches."""

    cell: Annotated[Array, index("c", "its number")]
    weight: Annotated[Array, real("c", "N m", "of the volume's constraint")]
    base: Annotated[Array, real("c", "m3", "volume at rest without the relief")]
    range: Annotated[Array, real("c 2", "m3", "the volume may be, relief included")]
    first: Annotated[Array, index("f", "patch cell i has the entries first[i] to first[i + 1] of the list of faces")]
    face: Annotated[Array, index("k", "the list: numbers of the faces")]
    edge: Annotated[Array, real("k 6", "m", "at rest, from the face's first corner to the two others")]


class PatchSurface(NamedTuple):
    """The relief over the faces of a solid or of a closed cloth that is filled."""

    face: Annotated[Array, index("m 3", "corners, counter-clockwise from outside")]
    corner_weight: Annotated[Array, real("m 3", "1/m2", "weight of each corner in the normal of its vertex")]
    samples: Samples
    """Points of the faces that have a relief, with heights."""


class Enclosed(NamedTuple):
    """What fills a closed cloth: nothing, or one thing."""

    stiffness: Annotated[Array, real("e", "Pa", "bulk modulus")]
    volume: Annotated[Array, real("e 3", "m3", "at rest, relief included; the least and the most that nothing resists")]


class Pins(NamedTuple):
    """Where vertices are pulled to."""

    weight: Annotated[Array, real("n", "N/m", "stiffness, zero if not pulled")]
    target: Annotated[Array, real("n 3", "m", "world frame")]


class SoftWork(NamedTuple):
    """Scratch of one step: may be thrown away between two steps."""

    start: Annotated[Array, real("n 3", "m", "where the step began")]
    aim: Annotated[Array, real("n 3", "m", "where inertia alone would lead")]
    place: Annotated[Array, real("n 3", "m", "where the vertices are now believed to end")]
    impulse: Annotated[Array, real("n 3", "N s", "of rows, so far in this step")]
    written: Annotated[Array, real("n 3", "m/s", "velocity as it was last handed out")]
    right: Annotated[Array, real("n 3", "N", "force on every vertex, inertia included")]
    inner: Annotated[Array, real("t n 3", "N", "of the elements on every vertex, one sum a task")]
    answer: Annotated[Array, real("n", "1/kg", "how a vertex answers an impulse of a row")]
    lanes: Annotated[Array, real("t l", "-", "of each task, LANES elements at a time")]


class SoftModel(NamedTuple):
    """One soft thing."""

    vertices: Vertices
    cells: Elements
    triangles: Elements
    bends: Elements
    compliance: Compliance
    examples: Examples
    groups: Elements
    volumes: PatchVolumes
    surface: PatchSurface
    enclosed: Enclosed


def blocked(vertices: np.ndarray, table: np.ndarray) -> Elements:
    """Elements with corners `vertices` (e, k) and numbers `table` (e, r)."""
    e = len(vertices)
    blocks = -(-e // LANES)
    fill = np.concatenate([np.arange(e), np.zeros(blocks * LANES - e, np.int64)]).astype(np.int64)
    return Elements(_lanes(vertices[fill], blocks).astype(np.int32), _lanes(table[fill], blocks), np.array([e], np.int32))


def _lanes(rows: np.ndarray, blocks: int) -> np.ndarray:
    """(blocks * LANES, r) as (blocks, r * LANES)."""
    r = rows.shape[1]
    return np.ascontiguousarray(rows.reshape(blocks, LANES, r).swapaxes(1, 2).reshape(blocks, r * LANES))


def unblocked(lanes: np.ndarray, numbers: int, count: int) -> np.ndarray:
    """The inverse of `blocked` for one array: (count, numbers)."""
    return lanes.reshape(-1, numbers, LANES).swapaxes(1, 2).reshape(-1, numbers)[:count]
