"""Scratch of the narrow phase, and the contact points that it hands back."""

from typing import Annotated, NamedTuple

from ..model.schema import Array, allocate, key, real

POINTS, CORNERS, VERTICES = 16, 64, 96
"""Capacities: points handed back, corners of one polygon that are looked at, vertices of the expanding polytope."""


class NarrowWork(NamedTuple):
    """One worker's scratch: nothing here outlives the call that writes it, except the points until they are read."""

    position: Annotated[Array, real("k 3", "m", "contact points, midway between the surfaces, world frame")]
    normal: Annotated[Array, real("k 3", "-", "unit, from a to b, world frame")]
    separation: Annotated[Array, real("k", "m", "gap along the normal, negative when the shapes overlap")]
    feature: Annotated[Array, key("k", "which features touch: the same from step to step, different within a manifold")]
    simplex: Annotated[Array, real("4 7", "m", "points of a - b, the points of a they come from, their weights")]
    vertex: Annotated[Array, real("v 6", "m", "of the expanding polytope: points of a - b and the points of a")]
    face: Annotated[Array, key("f 3", "of the expanding polytope: its vertices, counter-clockwise from outside")]
    plane: Annotated[Array, real("f 4", "-, m", "outward unit normal and offset of each of these faces")]
    horizon: Annotated[Array, key("f 2", "directed edges between the faces a new vertex sees and the others")]
    polygon: Annotated[Array, real("2 c 4", "m", "what is clipped, before and after: corners in the frame of a, gaps")]
    number: Annotated[Array, key("2 c 2", "of each corner: its own code, and that of the edge that leaves it")]
    outline: Annotated[Array, real("1 c 4", "m", "the face that clips: corners in the frame of a")]
    outline_number: Annotated[Array, key("1 c 2", "likewise of its corners")]
    point: Annotated[Array, real("k 7", "m, m, -", "contact points in the frame of a: position, separation, normal")]


def narrow_work() -> NarrowWork:
    """A fresh workspace."""
    return allocate(NarrowWork, k=POINTS, v=VERTICES, f=2 * VERTICES + 8, c=2 * CORNERS + 8)
