"""Coordinates of a point of space over a patch: where it stands over the base triangle, and how high.

    x = p(u, v) + s m(u, v),   t = s |m|

three equations for (u, v, s), solved by Newton's method; the columns of the Jacobian are p_u + s m_u, p_v + s m_v and m.
The start is the foot of x on the base triangle's plane. With equal normals the map is linear and one step is exact.
The patch is the zero set of
    g(x) = t - R(P(u, v) + t N(u, v)),
P and N at rest, within the walls u >= 0, v >= 0, u + v <= 1, which for equal normals are the clipping planes of the paper.
A ray meets the patch where g changes sign along it: deformed or not, no height has to be solved for.

Source: [PaperD] free-form patch with clipping planes, implicit form
Check: tests/equations/test_patch_coordinates.py
"""

from ..._jit import kernel
from ...math.vec3 import add_scaled, cross, dot, norm, sub
from .patch_point import blend, direction, length_of
from .perturbation import relief
from .relief_volume import edges


@kernel
def patch_coordinates(points, normals, x):
    """(u, v, t [m], whether the iteration converged) of the point `x` [m]."""
    p_u, p_v = edges(points)
    m_u, m_v = edges(normals)
    across = cross(p_u, p_v)
    square = dot(across, across)
    r = sub(x, points[0])
    u, v = dot(cross(r, p_v), across) / square, dot(cross(p_u, r), across) / square
    m = blend(normals, u, v)
    s = dot(r, across) / max(dot(m, across), 1e-3 * norm(across))
    small, found = 1e-14 * norm(p_u), False
    for _ in range(25):
        m = blend(normals, u, v)
        miss = sub(x, add_scaled(blend(points, u, v), s, m))
        a, b = add_scaled(p_u, s, m_u), add_scaled(p_v, s, m_v)
        ab, bm, ma = cross(a, b), cross(b, m), cross(m, a)
        volume = dot(ab, m)
        if volume <= 0.0:
            return u, v, s * length_of(m), False
        du, dv, ds = dot(miss, bm) / volume, dot(miss, ma) / volume, dot(miss, ab) / volume
        u, v, s = u + du, v + dv, s + ds
        if found:
            break
        found = abs(du) + abs(dv) < 1e-9 and abs(ds) < 1e-9 * norm(p_u) + small
        if abs(u) + abs(v) > 1e3:
            break
    return u, v, s * length_of(blend(normals, u, v)), found


@kernel
def implicit(patches, face, points, normals, rest_points, rest_normals, x):
    """g [m] at `x` [m], with u, v and whether they are known."""
    u, v, t, found = patch_coordinates(points, normals, x)
    if not found:
        return 0.0, u, v, False
    n, _ = direction(rest_normals, u, v)
    value, _ = relief(patches, face, add_scaled(blend(rest_points, u, v), t, n))
    return t - value, u, v, True
