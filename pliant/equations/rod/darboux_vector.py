"""Darboux vector: how much the frame of a rope turns from one element to the next, and how that changes.

Along a rope of frames q(s) the Darboux vector in material axes is u = 2 Im(conj(q) q'). Between the elements j, j + 1,
whose middles lie l^ = (l_j + l_j+1) / 2 apart, with q = (q_j + q_j+1) / 2 and q' = (q_j+1 - q_j) / l^ it becomes

    u = (2 / l^) Im(p),   p = conj(q_j) q_j+1

u1, u2 are the bending about d1, d2 and u3 the twist [rad/m]: 2 Im(p) = 2 sin(angle / 2) axis, so a turn by 180 degrees
from one element to the next is the most that it can tell.

q and -q are the same frame, p and -p are not the same Darboux vector: p is taken with Re(p) >= 0, the shorter way. The
papers leave this out.

Small turns d_phi_j, d_phi_j+1 of the two elements, rotation vectors in world axes, change it by

    d(2 Im(p)) = G (d_phi_j+1 - d_phi_j),   G = (Re(p) I - [Im p]x) R(q_j)^T

because q_j+1 becomes (1, d_phi / 2) q_j+1, and so p becomes p + (0, R(q_j)^T d_phi / 2) p. A rotation of both changes
nothing: moments made by G^T are equal and opposite.

The matrices B_k of (12) of paper A are written for quaternions (x, y, z, w), its Q of (4) for (w, x, y, z).

Source: [PaperA] equations 12, 13; [PaperC] equations 3, 9
Check: tests/equations/test_rod_darboux_vector.py
"""

from ..._jit import kernel
from ...math.quat import axes, conj, qmul, rotate, unrotate
from ...math.vec3 import add, cross, dot, scale, sub


@kernel
def relative(q_left, q_right):
    """The turn p from the left to the right element, in the left one's axes, with Re(p) >= 0."""
    p = qmul(conj(q_left), q_right)
    if p[0] < 0.0:
        return -p[0], -p[1], -p[2], -p[3]
    return p


@kernel
def bend_twist(p):
    """2 Im(p) = l^ u [-]: bending about d1, d2 and twist from one element to the next, axes of the left element."""
    return 2.0 * p[1], 2.0 * p[2], 2.0 * p[3]


@kernel
def rate_matrix(p, q_left):
    """G as three rows: d(2 Im p) = G (d_phi_right - d_phi_left), the turns in world axes."""
    d1, d2, d3 = axes(q_left)
    w, x, y, z = p
    return (
        (w * d1[0] + z * d2[0] - y * d3[0], w * d1[1] + z * d2[1] - y * d3[1], w * d1[2] + z * d2[2] - y * d3[2]),
        (w * d2[0] + x * d3[0] - z * d1[0], w * d2[1] + x * d3[1] - z * d1[1], w * d2[2] + x * d3[2] - z * d1[2]),
        (w * d3[0] + y * d1[0] - x * d2[0], w * d3[1] + y * d1[1] - x * d2[1], w * d3[2] + y * d1[2] - x * d2[2]),
    )


@kernel
def rate(p, q_left, turn):
    """G d_phi, `turn` = d_phi_right - d_phi_left [rad or rad/s, world axes]."""
    imaginary, a = (p[1], p[2], p[3]), unrotate(q_left, turn)
    return sub(scale(p[0], a), cross(imaginary, a))


@kernel
def torque(p, q_left, moment):
    """G^T m: the torque [N m, world axes] on the right element, its opposite on the left one, of `moment` along 2 Im p."""
    imaginary = (p[1], p[2], p[3])
    return rotate(q_left, add(scale(p[0], moment), cross(imaginary, moment)))


@kernel
def moment_of(p, q_left, twist):
    """G^-T t: the moment [N m] along 2 Im p whose torque on the right element is `twist` [N m, world axes].

    (Re p 1 + [Im p]x)^-1 = Re p 1 - [Im p]x + Im p (Im p)^T / Re p for a unit p; a half turn, Re p = 0, has no such moment.
    """
    imaginary, a = (p[1], p[2], p[3]), unrotate(q_left, twist)
    along = dot(imaginary, a) / max(p[0], 1e-9)
    return add(sub(scale(p[0], a), cross(imaginary, a)), scale(along, imaginary))


@kernel
def left_inverse_inertia(p, diagonal):
    """S diag(d) S^T with S = Re(p) I - [Im p]x, as (xx, yy, zz, xy, xz, yz).

    `diagonal` are the inverse moments of inertia of the left element along its axes: this is G I_left^-1 G^T.
    """
    w, x, y, z = p
    a, b, c = (w, z, -y), (-z, w, x), (y, -x, w)
    return _congruent(a, b, c, diagonal)


@kernel
def right_inverse_inertia(p, diagonal):
    """S R(p) diag(d) R(p)^T S^T = S^T diag(d) S: G I_right^-1 G^T, `diagonal` along the right element's axes.

    S R(p) = (Re(p) I - [Im p]x)(I + 2 Re(p) [Im p]x + 2 [Im p]x^2) = Re(p) I + [Im p]x = S^T for a unit p.
    """
    w, x, y, z = p
    a, b, c = (w, -z, y), (z, w, -x), (-y, x, w)
    return _congruent(a, b, c, diagonal)


@kernel
def _congruent(a, b, c, d):
    """T diag(d) T^T for the rows a, b, c of T."""
    da, db = (d[0] * a[0], d[1] * a[1], d[2] * a[2]), (d[0] * b[0], d[1] * b[1], d[2] * b[2])
    dc = (d[0] * c[0], d[1] * c[1], d[2] * c[2])
    return dot(da, a), dot(db, b), dot(dc, c), dot(da, b), dot(da, c), dot(db, c)
