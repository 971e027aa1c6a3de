"""Normals of a mesh's vertices, from the faces around them, and how they pass a gradient on.

    N_v = sum over corners c at v of w_c (x_1 - x_0) x (x_2 - x_0),   n_v = N_v/|N_v|

    w_c  weight of a corner [1/m2], fixed at rest: its angle over twice the area of its face, so that at rest the normal
         is the mean of the faces' normals by angle, whichever way a square is cut into triangles

A function V with gradient g_v = dV/dn_v has, through n_v, dV/dN_v = (g_v - n_v (n_v.g_v))/|N_v|; a face whose corners
gather y = sum of w_c dV/dN over its three corners adds to its corners 1 and 2
    (x_2 - x_0) x y   and   y x (x_1 - x_0),
and minus both to corner 0.

Source: [Thurmer1998] weights by angle
Check: tests/equations/test_patch_vertex_normal.py
"""

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, cross, dot, scale, sub


@kernel
def face_normal(points):
    """(x_1 - x_0) x (x_2 - x_0) [m2]: twice the area, along the face's normal."""
    return cross(sub(points[1], points[0]), sub(points[2], points[0]))


@kernel
def through_length(g, n, length):
    """dV/dN from g = dV/dn, n = N/|N|, `length` = |N|."""
    return scale(1.0 / length, add_scaled(g, -dot(n, g), n))


@kernel
def through_face(points, y):
    """Gradients with respect to the three corners of y.face_normal, for a fixed y."""
    one = cross(sub(points[2], points[0]), y)
    two = cross(y, sub(points[1], points[0]))
    return scale(-1.0, add(one, two)), one, two
