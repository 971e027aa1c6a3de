"""Signed distance and outward normal of a point to every shape, in the shape's frame; exact inside and outside."""

from ..._jit import kernel, stage
from ...math.vec3 import add_scaled, cross, dot, load, norm, scale, sub
from ...model.shapes import BOX, CAPSULE, CYLINDER, HULL, PLANE, SPHERE, Fields, Hulls
from ..gjk import segment_weights, triangle_weights
from ..round import point_in_hull, point_to_box, point_to_cylinder, point_to_segment
from ..terrain import cell_range, column, corner, grid_of, slope_normal

FAR = 1e300
"""Distance to what is farther than was asked for."""

CELLS = 8
"""How far a point under a height field looks for the nearest way out [cells]."""


@stage
def point_to_shape(kind: int, size: tuple, data: int, hulls: Hulls, fields: Fields, p: tuple, limit: float):
    """Signed distance [m] of `p` to a shape and its gradient there; FAR, or anything above `limit` [m], beyond it."""
    if kind == PLANE:
        return p[2], (0.0, 0.0, 1.0)
    if kind == SPHERE or kind == CAPSULE:
        distance, normal = point_to_segment(p, size[1] if kind == CAPSULE else 0.0)
        return distance - size[0], normal
    if kind == BOX:
        return point_to_box(p, size)
    if kind == CYLINDER:
        return point_to_cylinder(p, size[0], size[1])
    if kind == HULL:
        return point_to_hull(hulls, data, p, limit)
    return point_to_field(fields, data, size, p, limit)


@kernel
def point_to_hull(hulls, data, p, limit):
    """Signed distance [m] of `p` to a hull and its gradient: outside, the nearest of all faces that look at the point."""
    begin, end = hulls.first_face[data], hulls.first_face[data + 1]
    height, normal = point_in_hull(p, hulls.plane, begin, end)
    if height <= 0.0:
        return height, normal
    if height > limit:
        return FAR, normal
    best, nearest = FAR, p
    for face in range(begin, end):
        n = load(hulls.plane, face)
        above = dot(n, p) - hulls.plane[face, 3]
        if above > 0.0 and above < best:
            q = nearest_on_polygon(hulls, face, n, p, above)
            distance = norm(sub(p, q))
            if distance < best:
                best, nearest = distance, q
    if best < 1e-12:
        return best, normal
    return best, scale(1.0 / best, sub(p, nearest))


@kernel
def nearest_on_polygon(hulls, face, n, p, above):
    """The point of a hull's face nearest to `p`, which is `above` [m] its plane."""
    inside, best, nearest = True, FAR, p
    first, last = hulls.first_corner[face], hulls.first_corner[face + 1]
    a = load(hulls.vertex, hulls.corner[last - 1])
    for k in range(first, last):
        b = load(hulls.vertex, hulls.corner[k])
        inside = inside and dot(cross(sub(b, a), sub(p, a)), n) >= 0.0
        _, t = segment_weights(sub(a, p), sub(b, p))
        q = add_scaled(a, t, sub(b, a))
        d = sub(p, q)
        if dot(d, d) < best:
            best, nearest = dot(d, d), q
        a = b
    return add_scaled(p, -above, n) if inside else nearest


@kernel
def point_to_field(fields, data, size, p, limit):
    """Signed distance [m] of `p` to a height field, solid all the way down, and its gradient; FAR beside its rectangle."""
    grid = grid_of(fields, data, size)
    i, j, side = column(grid, p)
    if i < 0:
        return FAR, (0.0, 0.0, 1.0)
    normal = slope_normal(fields, grid, i, j, side)
    height = dot(normal, sub(p, corner(fields, grid, i, j)))
    below = height <= 0.0
    # The surface straight above or below bounds the distance: no need to look farther.
    reach = abs(height) / normal[2]
    reach = min(reach, CELLS * max(grid[3], grid[4]) if below else limit)
    best, nearest = FAR, p
    x = cell_range(p[0] - reach, p[0] + reach, grid[5], grid[3], grid[1])
    y = cell_range(p[1] - reach, p[1] + reach, grid[6], grid[4], grid[2])
    for a in range(x[0], x[1] + 1):
        for b in range(y[0], y[1] + 1):
            for one in range(2):
                q = nearest_in_cell(fields, grid, a, b, one, p)
                d = sub(p, q)
                if dot(d, d) < best:
                    best, nearest = dot(d, d), q
    d = sub(p, nearest)
    distance = norm(d)
    if distance < 1e-9 * grid[3]:
        return height, normal
    if below:
        return -distance, scale(-1.0 / distance, d)
    return distance, scale(1.0 / distance, d)


@kernel
def nearest_in_cell(fields, grid, i, j, side, p):
    """The point of one triangle of cell (i, j) nearest to `p`."""
    a, c = corner(fields, grid, i, j), corner(fields, grid, i + 1, j + 1)
    b = corner(fields, grid, i + 1, j) if side == 0 else corner(fields, grid, i, j + 1)
    u, v, w = triangle_weights(sub(a, p), sub(b, p), sub(c, p))
    return (
        u * a[0] + v * b[0] + w * c[0],
        u * a[1] + v * b[1] + w * c[1],
        u * a[2] + v * b[2] + w * c[2],
    )
