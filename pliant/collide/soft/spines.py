"""Spines of shapes that are thin beside the triangles of soft things: the segments that must not pass these."""

from typing import Annotated, NamedTuple

import numpy as np

from ...model.schema import Array, fill, index, real
from ...model.shapes import BOX, CAPSULE, CYLINDER, HULL, Hulls, Shapes
from .work import Skin

THIN = 0.25
"""Half the thickness of a shape below which it is thin, as a share of the mean edge of the triangles that it meets [-].

A shape that rests on the corners of a triangle of edge l sinks between them by the radius of its inscribed circle at most,
l / sqrt(12) = 0.29 l, before half of it is below: what is thinner may go through between two steps, or turn into where no
nearest point tells inside from outside.
"""
SLENDER = 2.0
"""How many times as long as thick a shape must be to have a spine, at least [-]: what is shorter is met like a ball."""


class Spines(NamedTuple):
    """Segments within shapes, in their frames; of capsules and cylinders the axis, of thin boxes and hulls what is farthest
    inside."""

    first: Annotated[Array, index("s", "shape i has spines first[i] to first[i + 1]")]
    start: Annotated[Array, real("n 3", "m", "where each begins, in the frame of its shape")]
    end: Annotated[Array, real("n 3", "m", "where it ends")]
    radius: Annotated[Array, real("n", "m", "how far the shape stands out around it; 0: of what touches by its faces too")]
    flat: Annotated[Array, index("n", "1 where it ends in a disc, 0 in half a ball")]
    whole: Annotated[Array, index("i", "1 where a shape's spine stands for all of it")]
    thin: Annotated[Array, index("p", "1 where shape i is thin beside thing k, at i t + k, with t things")]


def spines_of(shapes: Shapes, hulls: Hulls, skin: Skin) -> Spines:
    """The spines of all shapes that are thin beside any of these things."""
    lines = [_spine(kind, size, _points(hulls, data) if kind == HULL else None)
             for kind, size, data in zip(shapes.kind, shapes.size, shapes.data, strict=True)]
    thin = [[bool(line) and line[0] < THIN * length for length in skin.length] for line in lines]
    kept = [line[1] if any(of) else [] for line, of in zip(lines, thin, strict=True)]
    rows = [row for some in kept for row in some]
    start, end, radius, flat = (np.array([row[c] for row in rows]) for c in range(4))
    return fill(Spines, first=np.cumsum([0, *map(len, kept)]), start=start.reshape(-1, 3), end=end.reshape(-1, 3),
                radius=radius, flat=flat, whole=np.isin(shapes.kind, (CAPSULE, CYLINDER)),
                thin=np.array(thin, int).ravel())


def _points(hulls: Hulls, data: int) -> np.ndarray:
    return hulls.vertex[hulls.first_vertex[data]:hulls.first_vertex[data + 1]]


def _spine(kind: int, size: np.ndarray, points: np.ndarray | None) -> tuple:
    """Half the thickness of a shape and its spines (start, end, radius, flat); nothing of what has none."""
    if kind in (CAPSULE, CYLINDER) and size[1] > SLENDER * size[0]:
        tip = np.array([0.0, 0.0, size[1]])
        return size[0], [(-tip, tip, size[0], kind == CYLINDER)]
    if kind == BOX:
        return _within(np.zeros(3), np.eye(3), size)
    if kind != HULL or points is None:
        return ()
    middle = points.mean(axis=0)
    turn = np.linalg.svd(points - middle, full_matrices=True)[2]
    along = (points - middle) @ turn.T
    low, high = along.min(axis=0), along.max(axis=0)
    return _within(middle + 0.5 * (low + high) @ turn, turn, 0.5 * (high - low))


def _within(middle: np.ndarray, axes: np.ndarray, half: np.ndarray) -> tuple:
    """The spine of a box that is long beside its width: its longest axis, half its thickness inside all its faces, which touch
    for themselves; what is wide has never gone between vertices."""
    short, wide, long = np.argsort(half, kind="stable")
    if half[wide] > SLENDER * half[short] or half[long] <= SLENDER * half[wide]:
        return ()
    tip = (half[long] - half[short]) * axes[long]
    return half[short], [(middle - tip, middle + tip, 0.0, 0)]
