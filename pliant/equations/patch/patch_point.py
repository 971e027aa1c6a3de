"""A point of a patch over barycentric coordinates, its tangents, its normal and its area.

    p = b0 x0 + b1 x1 + b2 x2,   m = b0 n0 + b1 n1 + b2 n2,   n = m/|m|,   S = p + t n
    b0 = 1 - u - v, b1 = u, b2 = v
    S_u = p_u + t_u n + t n_u,   n_u = (m_u - n (n.m_u))/|m|,   the same for v
    normal = S_u x S_v / |S_u x S_v|,   dA = |S_u x S_v| du dv

    x_i  corners [m]; n_i their unit normals: at rest, or deformed
    t    height [m], always that of rest; neighbours share p, n and t along their edge, so nothing cracks

Where a crumpled mesh turns the corners' normals against each other m vanishes; below 0.001 its length is taken as that, so
that the surface stays finite and its edges whole.

At rest t = R(P + t N) gives by differentiation, for u and v alike,
    t_u = grad R.(P_u + t N_u) / (1 - grad R.N).

Source: [PaperD] free-form patch; carried by interpolated normals
Check: tests/equations/test_patch_point.py
"""

from ..._jit import kernel
from ...math.vec3 import add_scaled, cross, dot, load, norm, scale, sub

SHORT = 1e-3


@kernel
def length_of(m):
    """|m| [-], not below SHORT."""
    return max(norm(m), SHORT)


@kernel
def corners(array, face, f):
    """The rows of `array` (n, 3) at the three corners of face `f`."""
    return load(array, face[f, 0]), load(array, face[f, 1]), load(array, face[f, 2])


@kernel
def blend(c, u, v):
    """The mean of three vectors with weights 1 - u - v, u, v."""
    w = 1.0 - u - v
    return (
        w * c[0][0] + u * c[1][0] + v * c[2][0],
        w * c[0][1] + u * c[1][1] + v * c[2][1],
        w * c[0][2] + u * c[1][2] + v * c[2][2],
    )


@kernel
def direction(normals, u, v):
    """Unit direction n and the length |m| [-] of the blend of the corners' normals."""
    m = blend(normals, u, v)
    length = length_of(m)
    return scale(1.0 / length, m), length


@kernel
def direction_slopes(normals, n, length):
    """n_u and n_v."""
    m_u, m_v = sub(normals[1], normals[0]), sub(normals[2], normals[0])
    return (
        scale(1.0 / length, add_scaled(m_u, -dot(n, m_u), n)),
        scale(1.0 / length, add_scaled(m_v, -dot(n, m_v), n)),
    )


@kernel
def patch_point(points, normals, u, v, t):
    """The point S [m] of a patch."""
    n, _ = direction(normals, u, v)
    return add_scaled(blend(points, u, v), t, n)


@kernel
def patch_tangents(points, normals, u, v, t, t_u, t_v):
    """S_u and S_v [m]."""
    n, length = direction(normals, u, v)
    n_u, n_v = direction_slopes(normals, n, length)
    s_u = add_scaled(add_scaled(sub(points[1], points[0]), t_u, n), t, n_u)
    s_v = add_scaled(add_scaled(sub(points[2], points[0]), t_v, n), t, n_v)
    return s_u, s_v


@kernel
def area_normal(points, normals, u, v, t, t_u, t_v):
    """S_u x S_v [m2]: along the surface's normal, as long as the area for each unit of du dv."""
    s_u, s_v = patch_tangents(points, normals, u, v, t, t_u, t_v)
    return cross(s_u, s_v)


@kernel
def height_slopes(points, normals, u, v, t, gradient):
    """t_u and t_v [m] at rest, from the gradient of the relief function [-] at the point."""
    n, length = direction(normals, u, v)
    n_u, n_v = direction_slopes(normals, n, length)
    room = 1.0 - dot(gradient, n)
    return (
        dot(gradient, add_scaled(sub(points[1], points[0]), t, n_u)) / room,
        dot(gradient, add_scaled(sub(points[2], points[0]), t, n_v)) / room,
    )
