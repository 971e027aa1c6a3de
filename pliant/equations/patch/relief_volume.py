"""Volume between the base triangle and the relief, its moments and its gradient, at rest and deformed.

The region is x = p(u, v) + s m(u, v), s from 0 to a = t/|m|; it has side walls in common with its neighbours, so the
volumes of all patches and of the polyhedron under them add up to that of the body. With D(s) = E0 + s E1 + s^2 E2,

    E0 = det(p_u, p_v, m),   E1 = det(m_u, p_v, m) + det(p_u, m_v, m),   E2 = det(m_u, m_v, m),
    V  = int int (a E0 + a^2/2 E1 + a^3/3 E2) du dv

    first moment   int int (p I0 + m I1),   second moment   int int (p pT I0 + (p mT + m pT) I1 + m mT I2)
    I_k = a^(k+1)/(k+1) E0 + a^(k+2)/(k+2) E1 + a^(k+3)/(k+3) E2

    x_i, n_i  corners and their normals, p = sum b_i x_i, m = sum b_i n_i;   t  height at rest

With A = sum w a b_i n_i, B = sum w a^2/2 b_i n_i, C = sum w a^3/3 b_i n_i over the points of a rule (weights w),

    V = (p_u x p_v).A + (m_u x p_v + p_u x m_v).B + (m_u x m_v).C:

nine numbers a patch, the moments (sum w a b_i, sum w a^2/2 b_i, sum w a^3/3 b_i), hold all that the points know. They
depend on the normals only through |m|. While the normals rest (lagged within a step) V is a polynomial of the corners.
The exact gradient adds what the normals do: dV/dn_i at fixed moments and, through |m|,
dV/dm = -D(a) (a/|m|^2) m at each point.

Source: [PaperD] constraint on the volume of a patch; divergence theorem
Check: tests/equations/test_patch_relief_volume.py
"""

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, cross, dot, norm, scale, sub
from .patch_point import SHORT, blend, length_of


@kernel
def edges(c):
    """The derivatives with respect to u and v of a blend of three vectors."""
    return sub(c[1], c[0]), sub(c[2], c[0])


@kernel
def moments_of_point(normals, u, v, t, measure):
    """(w a, w a^2/2, w a^3/3) of one point of the rule, to be spread over the corners by 1 - u - v, u, v."""
    a = t / length_of(blend(normals, u, v))
    w = measure * a
    return w, 0.5 * a * w, a * a * w / 3.0


@kernel
def relief_moments(samples, normals, first, last):
    """The nine moments of a patch as three vectors (over the corners), from its points first to last."""
    one, two, three = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(first, last):
        u, v = samples.place[i, 0], samples.place[i, 1]
        w1, w2, w3 = moments_of_point(normals, u, v, samples.height[i], samples.measure[i])
        share = (1.0 - u - v, u, v)
        one, two, three = add_scaled(one, w1, share), add_scaled(two, w2, share), add_scaled(three, w3, share)
    return one, two, three


@kernel
def weighted(c, w):
    """The sum of three vectors with weights w."""
    return add_scaled(add_scaled(scale(w[0], c[0]), w[1], c[1]), w[2], c[2])


@kernel
def relief_volume(points, normals, moments):
    """Volume [m3] of the relief and its gradient [m2] with respect to the three corners, the normals at rest."""
    p_u, p_v = edges(points)
    m_u, m_v = edges(normals)
    a, b, c = weighted(normals, moments[0]), weighted(normals, moments[1]), weighted(normals, moments[2])
    volume = dot(cross(p_u, p_v), a) + dot(add(cross(m_u, p_v), cross(p_u, m_v)), b) + dot(cross(m_u, m_v), c)
    g_u = add(cross(p_v, a), cross(m_v, b))
    g_v = add(cross(a, p_u), cross(b, m_u))
    return volume, (scale(-1.0, add(g_u, g_v)), g_u, g_v)


@kernel
def normals_gradient(points, normals, moments):
    """Gradient [m3] of the volume with respect to the normals of the corners, the moments at rest."""
    p_u, p_v = edges(points)
    m_u, m_v = edges(normals)
    b, c = weighted(normals, moments[1]), weighted(normals, moments[2])
    da, db = cross(p_u, p_v), add(cross(m_u, p_v), cross(p_u, m_v))
    dc = cross(m_u, m_v)
    h_u = add(cross(p_v, b), cross(m_v, c))
    h_v = add(cross(b, p_u), cross(c, m_u))
    direct0 = add_scaled(add_scaled(scale(moments[0][0], da), moments[1][0], db), moments[2][0], dc)
    direct1 = add_scaled(add_scaled(scale(moments[0][1], da), moments[1][1], db), moments[2][1], dc)
    direct2 = add_scaled(add_scaled(scale(moments[0][2], da), moments[1][2], db), moments[2][2], dc)
    return sub(direct0, add(h_u, h_v)), add(direct1, h_u), add(direct2, h_v)


@kernel
def layers(points, normals, u, v, t):
    """I0, I1, I2 of one point of the rule: integrals of D, s D and s^2 D over the height."""
    p_u, p_v = edges(points)
    m_u, m_v = edges(normals)
    m = blend(normals, u, v)
    a = t / length_of(m)
    e0, e1 = dot(cross(p_u, p_v), m), dot(add(cross(m_u, p_v), cross(p_u, m_v)), m)
    e2 = dot(cross(m_u, m_v), m)
    return (
        a * (e0 + a * (e1 / 2.0 + a * e2 / 3.0)),
        a * a * (e0 / 2.0 + a * (e1 / 3.0 + a * e2 / 4.0)),
        a * a * a * (e0 / 3.0 + a * (e1 / 4.0 + a * e2 / 5.0)),
    )


@kernel
def length_gradient(points, normals, u, v, t):
    """What one point of the rule adds to dV/dm through |m| [m3]."""
    p_u, p_v = edges(points)
    m_u, m_v = edges(normals)
    m = blend(normals, u, v)
    square = dot(m, m)
    if square <= SHORT * SHORT:
        return 0.0, 0.0, 0.0
    a = t / norm(m)
    across = add_scaled(add_scaled(cross(p_u, p_v), a, add(cross(m_u, p_v), cross(p_u, m_v))), a * a, cross(m_u, m_v))
    return scale(-dot(across, m) * a / square, m)
