"""Corners of boxes, hulls and height fields that stand on a triangle of cloth or a solid."""

from ..._jit import kernel
from ...math.vec3 import add_scaled, dot, load, scale, sub
from ...model.shapes import BOX
from ...model.soft_contacts import CLOSED
from ..support import move_in, move_out, turn_out
from ..terrain import cell_range, column, corner, grid_of, slope_normal
from .persist import CORNER_BODY, emit, key_of, set_mover
from .triangle import corners_of, foot_weights, set_triangle, unit_normal

SHORTER = 0.5
"""Share of the way back along the normal of a triangle below which another way out is taken instead [-]."""


@kernel
def shape_corners(shapes, hulls, surfaces, found, work, about, frame, triangle, n, back, through, margin):
    """The least separation [m] of the corners of a box or hull that stand on a triangle, each a contact. Writes: found

    The triangle, in the shape's frame, was moved back by `back` along `n`. `through`: the body may reach beyond it.
    """
    i, k, _, _ = about
    best = 1e300
    first, last = work.first_corner[i], work.first_corner[i + 1]
    for one in range(first, last):
        if shapes.kind[i] == BOX:
            at, size = one - first, load(shapes.size, i)
            p = (size[0] if at & 1 else -size[0], size[1] if at & 2 else -size[1], size[2] if at & 4 else -size[2])
        else:
            p = load(hulls.vertex, hulls.first_vertex[shapes.data[i]] + one - first)
        height = dot(n, sub(p, triangle[0])) - back
        if height - surfaces.offset[k] <= margin and (through or height >= 0.0):
            w = foot_weights(triangle[0], triangle[1], triangle[2], p)
            if w[0] >= 0.0 and w[1] >= 0.0 and w[2] >= 0.0:
                best = min(best, height - surfaces.offset[k])
                stand(shapes, surfaces, found, about, one, frame, p, n, height, w)
    return best


@kernel
def stand(shapes, surfaces, found, about, one, frame, p, n, height, w):
    """The contact of corner number `one` at `p`, `height` [m] over a triangle, along `n`; shape's frame. Writes: found"""
    i, k, _, f = about
    separation = height - surfaces.offset[k]
    normal = scale(-1.0, turn_out(frame, n))
    middle = add_scaled(move_out(frame, p), 0.5 * separation, normal)
    friction = max(shapes.friction[i], surfaces.friction[k])
    row = emit(found, key_of(CORNER_BODY, one, f, 0), i, middle, normal, separation, friction)
    set_mover(found, row, 0, shapes.body[i], 1.0)
    set_triangle(found, row, 3, surfaces, f, w)


@kernel
def field_corners(shapes, fields, motion, surfaces, found, work, about, frame, margin):
    """Contacts of the corners of a height field that stand under a triangle, or have come through it. Writes: found"""
    i, k, _, f = about
    a, b, c = corners_of(motion.position, surfaces.face, f)
    a, b, c = move_in(frame, a), move_in(frame, b), move_in(frame, c)
    n = unit_normal(a, b, c)
    if n[2] > 0.0 and surfaces.closed[k] != CLOSED:
        n = scale(-1.0, n)
    # The ground is below: only what looks down meets it, and walls are left to their vertices.
    if n[2] > -0.1:
        return
    grid = grid_of(fields, shapes.data[i], load(shapes.size, i))
    low, high = _span(a, b, c, 0)
    x = cell_range(low - margin, high + margin, grid[5], grid[3], grid[1])
    low, high = _span(a, b, c, 1)
    y = cell_range(low - margin, high + margin, grid[6], grid[4], grid[2])
    for u in range(x[0], x[1] + 2):
        for v in range(y[0], y[1] + 2):
            p = corner(fields, grid, u, v)
            height = dot(n, sub(p, a))
            if height - surfaces.offset[k] <= margin and _is_through(fields, grid, p, n, height):
                w = foot_weights(a, b, c, p)
                if w[0] >= 0.0 and w[1] >= 0.0 and w[2] >= 0.0:
                    stand(shapes, surfaces, found, about, work.first_corner[i] + u * grid[2] + v, frame, p, n, height, w)


@kernel
def _is_through(fields, grid, p, n, height):
    """Whether the place of a triangle that a corner at `p` is to be moved to along `n` is in the ground about as deep [m].

    What stands in the ground by a little with its lower side has corners far behind the faces beside that: the way out is
    short, by the lower side.
    """
    if height >= 0.0:
        return True
    foot = add_scaled(p, -height, n)
    i, j, side = column(grid, foot)
    if i < 0:
        return False
    normal = slope_normal(fields, grid, i, j, side)
    return dot(normal, sub(corner(fields, grid, i, j), foot)) >= -SHORTER * height * normal[2]


@kernel
def _span(a, b, c, k):
    """Least and largest coordinate `k` of three points."""
    return min(a[k], b[k], c[k]), max(a[k], b[k], c[k])
