"""Contact points as they are written down, and the codes of the features that touch."""

from .._jit import kernel
from ..math.vec3 import add_scaled

SINGLE, FIRST_END, LAST_END, EXTRA = 1, 2, 3, 4
"""Codes of points that no face clipped: the only point, two ends of a shared line, the deepest beside a clipped face.

They say nothing of which edge or corner touches, on purpose: a wheel that rolls or an edge that slides to the next one
keeps its impulse from step to step.
"""

_CORNER_BITS = 12
_CORNERS = (1 << _CORNER_BITS) - 1
_EDGE_BITS = 2 * _CORNER_BITS + 1
CLIPS = 1 << (2 * _CORNER_BITS)


@kernel
def edge_code(i, j):
    """The edge between corners `i` and `j`, whichever comes first; one of the face that clips adds the bit CLIPS."""
    i, j = i & _CORNERS, j & _CORNERS
    return (min(i, j) << _CORNER_BITS) | max(i, j)


@kernel
def crossing_code(e, f):
    """The crossing of two edges, whichever comes first; never that of a corner, which is smaller."""
    return ((1 + min(e, f)) << _EDGE_BITS) | max(e, f)


@kernel
def face_code(point, face, second):
    """A point of a clipped face: its code within it, the number of the face that clips, and whether b owns that one."""
    return (((2 + (face & 255)) * 2 + (1 if second else 0)) << (2 * _EDGE_BITS)) + point


@kernel
def emit(point, feature, count, core, reach, normal, separation, code):
    """Write one point in row `count`: `reach` [m] along the normal from the point `core`; the new number of points.

    From a point of a's core the reach is a's radius and half the separation, which is midway between the surfaces.
    """
    middle = add_scaled(core, reach, normal)
    point[count, 0], point[count, 1], point[count, 2] = middle
    point[count, 3] = separation
    point[count, 4], point[count, 5], point[count, 6] = normal
    feature[count] = code
    return count + 1
