"""The surface of a height field, in its own frame: corners, triangles, convex edges and corners.

Each cell is cut by the diagonal from corner (i, j) to corner (i + 1, j + 1) into a right triangle (side 0, towards
larger x) and a left one (side 1, towards larger y). A grid is the tuple (first height, nx, ny, dx, dy, x0, y0).
"""

from math import floor

from .._jit import kernel
from ..math.vec3 import add_scaled, dot, norm, normalize, sub

CONVEX_ANGLE = 1e-6
"""Edges that bend by less than this [rad] are flat: they are left to the two triangles."""


@kernel
def grid_of(fields, number, size):
    """The grid of field `number` over the rectangle `size` [m]."""
    nx, ny = fields.cells[number, 0], fields.cells[number, 1]
    return (
        fields.first_height[number], nx, ny, size[0] / (nx - 1), size[1] / (ny - 1), -0.5 * size[0], -0.5 * size[1],
    )  # fmt: skip


@kernel
def corner(fields, grid, i, j):
    """Corner (i, j) of the surface [m]."""
    return grid[5] + i * grid[3], grid[6] + j * grid[4], fields.height[grid[0] + i * grid[2] + j]


@kernel
def cell_is_near(fields, grid, i, j, middle, radius):
    """Whether the ground of cell (i, j) may be nearer than `radius` [m] to a point, or the point be under it."""
    if i >= grid[1] - 1 or j >= grid[2] - 1:
        return True  # a border of the field: its edges belong to no cell
    at, h = grid[0] + i * grid[2] + j, fields.height
    top = max(max(h[at], h[at + 1]), max(h[at + grid[2]], h[at + grid[2] + 1]))
    x = max(0.0, abs(middle[0] - grid[5] - (i + 0.5) * grid[3]) - 0.5 * grid[3])
    y = max(0.0, abs(middle[1] - grid[6] - (j + 0.5) * grid[4]) - 0.5 * grid[4])
    z = max(0.0, middle[2] - top)
    return x * x + y * y + z * z < radius * radius


@kernel
def slope_normal(fields, grid, i, j, side):
    """Unit normal of one triangle of cell (i, j), upwards; exactly (0, 0, 1) where it is level."""
    at = grid[0] + i * grid[2] + j
    here, far = fields.height[at], fields.height[at + grid[2] + 1]
    if side == 0:
        between = fields.height[at + grid[2]]
        a, b = (between - here) / grid[3], (far - between) / grid[4]
    else:
        between = fields.height[at + 1]
        a, b = (far - between) / grid[3], (between - here) / grid[4]
    return normalize((-a, -b, 1.0))


@kernel
def cell_range(low, high, origin, step, count):
    """First and last cell between two coordinates [m]; the last before the first where there is none."""
    if high < origin or low > origin + step * (count - 1):
        return 0, -1
    first, last = floor((low - origin) / step), floor((high - origin) / step)
    return min(max(first, 0), count - 2), min(max(last, 0), count - 2)


@kernel
def column(grid, p):
    """Cell (i, j) and side of the triangle over or under a point; i = -1 outside the rectangle."""
    u, v = (p[0] - grid[5]) / grid[3], (p[1] - grid[6]) / grid[4]
    if not (u >= 0.0 and v >= 0.0 and u <= grid[1] - 1 and v <= grid[2] - 1):
        return -1, -1, 0
    i, j = min(int(u), grid[1] - 2), min(int(v), grid[2] - 2)
    return i, j, 0 if u - i >= v - j else 1


@kernel
def in_column(grid, i, j, side, p, tolerance):
    """Whether a point is over or under one triangle, within `tolerance` [-] of a cell."""
    u, v = (p[0] - grid[5]) / grid[3] - i, (p[1] - grid[6]) / grid[4] - j
    if side == 0:
        return v >= -tolerance and u <= 1.0 + tolerance and v <= u + tolerance
    return u >= -tolerance and v <= 1.0 + tolerance and u <= v + tolerance


@kernel
def edge_ends(i, j, way):
    """Far end (i, j) of the edge that leaves corner (i, j) along x (way 0), y (1) or the diagonal (2), and the third
    corners of its two triangles."""
    if way == 0:
        return i + 1, j, i + 1, j + 1, i, j - 1
    if way == 1:
        return i, j + 1, i + 1, j + 1, i - 1, j
    return i + 1, j + 1, i + 1, j, i, j + 1


@kernel
def inward(fields, grid, i, j, p, e):
    """Unit direction from an edge through `p` along `e` into the triangle with third corner (i, j); zero outside."""
    if i < 0 or j < 0 or i >= grid[1] or j >= grid[2]:
        return 0.0, 0.0, 0.0
    d = sub(corner(fields, grid, i, j), p)
    d = add_scaled(d, -dot(d, e), e)
    length = norm(d)
    return d[0] / length, d[1] / length, d[2] / length


@kernel
def edge_bends_down(fields, grid, i, j, way):
    """Whether the edge is a ridge or the border of the field. Its two third corners lie about its middle, so it is a
    ridge when its own ends are higher than they are."""
    i1, j1, i2, j2, i3, j3 = edge_ends(i, j, way)
    if i2 >= grid[1] or j2 >= grid[2] or i3 < 0 or j3 < 0:
        return True
    at, h = grid[0], fields.height
    ends = h[at + i * grid[2] + j] + h[at + i1 * grid[2] + j1]
    return ends - h[at + i2 * grid[2] + j2] - h[at + i3 * grid[2] + j3] > CONVEX_ANGLE * grid[3]


@kernel
def wings(fields, grid, i, j, way, p, e):
    """Unit directions into the two triangles of an edge through `p` along `e`; zero where there is none."""
    _, _, i1, j1, i2, j2 = edge_ends(i, j, way)
    return inward(fields, grid, i1, j1, p, e), inward(fields, grid, i2, j2, p, e)


@kernel
def corner_admits(fields, grid, i, j, normal, lean):
    """Whether a normal may leave the surface at corner (i, j), which bends down: no edge there rises before it by more than
    `lean` [rad], no two that are opposite rise together, and some clearly fall."""
    p = corner(fields, grid, i, j)
    clearly = False
    for k in range(3):
        di, dj = 1 if k != 1 else 0, 1 if k != 0 else 0
        one, other = _rise(fields, grid, i + di, j + dj, p, normal), _rise(fields, grid, i - di, j - dj, p, normal)
        if max(one, other) > lean or one + other > CONVEX_ANGLE:
            return False
        clearly |= one + other < -CONVEX_ANGLE
    return clearly


@kernel
def _rise(fields, grid, i, j, p, normal):
    """How steeply [rad] the edge from corner `p` to corner (i, j) rises along a normal; outside the field it falls."""
    if i < 0 or j < 0 or i >= grid[1] or j >= grid[2]:
        return -1.0
    d = sub(corner(fields, grid, i, j), p)
    return dot(d, normal) / norm(d)
