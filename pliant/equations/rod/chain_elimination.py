"""Chain elimination: one link of a rope folded into the next, by 3 x 3 matrices alone.

A joint of a rope holds two links together at a point and bends and twists between them. With the impulse f on the outer
link b at that point, and the angular impulse tau on it, everything beyond b being folded into its mass D_b,

    D_b (v_b, w_b) = z_b + (f, r_b x f + tau)
    u_b = u_a + s e - Gamma f          u = v + w x r, the speed of the joint's point on either link
    tau = s G^T kappa q - K (w_b - w_a),   K = G^T kappa G

    e       what the gap's speed still lacks                              [m/s]
    q       what the speed of bending and twisting still lacks            [rad/s]
    kappa   h (h k + c), the bending and twisting stiffness over a step   [N m s2/rad]
    Gamma   the same for the gap, inverted: zero for a rope that does not stretch
    G       rate of 2 Im(p), see darboux_vector.py
    s       1 if b is the right link of the joint, -1 if it is the left one

For the unknowns (u_b, w_b) instead of (v_b, w_b) the mass is shifted to the joint's point: with D_b = [A, B; B^T, C]

    B' = A [r_b]x + B,   C' = C + [r_b]x^T B' + B^T [r_b]x,   z' = z_w - r_b x z_v

The turning of b is eliminated first, W = (C' + K)^-1:

    w_b = W (z' + psi) - Y u_b + X w_a       X = W K,  Y = W B'^T,  psi = s G^T kappa q
    f   = A^ u_b + E^ w_a + f^               A^ = A - B' Y,  E^ = B' X,  f^ = Y^T (z' + psi) - z_v
    tau = E^^T u_b + F^ w_a + t^             F^ = C' X,  t^ = C' W psi - X^T z'

(C' W instead of 1 - K W: nothing cancels however stiff the rope. W, B', C', G and kappa are kept; X, Y and E^ are applied
through them.) Then the gap, M = (Gamma^-1 + A^)^-1, zero where Gamma is:

    y = A^ s e + f^,   u_b = u_a + s e - M (A^ u_a + E^ w_a + y)
    f = (1 - A^ M)(A^ u_a + E^ w_a + y)

so that what folds into the inner link a, at its own point r_a and then shifted to its centre, is

    A = A^ - A^ M A^,  E = E^ - A^ M E^,  F = F^ - E^^T M E^,  z_a -= (f, tau) at u_a = w_a = 0

Where the gap stretches and shears, the axis d along which it does turns with both links (mean_axis.py):

    u = v + w x r + d (c.w)

is then the speed of the point where they meet, on either link with its own r and c. Leaning a mass by c changes B' by
-A d c^T and so on.

A gap free along one direction d, as of an end that slides, is the limit M = d d^T / (d^T A^ d). The force then acts at
one point of both links, so no momentum is lost where there is a gap. An end held by the world or by a driven
body has no inner link. The rows of chains are those of trees (tree_elimination.py); only the algebra is shorter.

Source: [Featherstone1983] the articulated body and its inertia; [Baraff1996] elimination in linear time
Check: tests/equations/test_chain_elimination.py
"""

from ..._jit import kernel
from ...math.mat3 import mat_mul, mat_vec, mul_transposed, rows_of, sym_inverse, times_cross, transpose, turned_vec
from ...math.sym3 import sym_mul
from ...math.vec3 import add, add_scaled, cross, dot, neg, sub


@kernel
def shift(A, B, C, r):
    """B' and C' of a mass seen from the point `r` away from where it was; A stays."""
    a = rows_of(A)
    b = times_cross(a, r)
    b = (add(b[0], B[0]), add(b[1], B[1]), add(b[2], B[2]))
    columns, before = transpose(b), transpose(B)
    x, y, z = cross(columns[0], r), cross(columns[1], r), cross(columns[2], r)  # columns of [r]x^T B'
    p, q, s = cross(before[0], r), cross(before[1], r), cross(before[2], r)  # rows of B^T [r]x
    return b, (
        C[0] + x[0] + p[0],
        C[1] + y[1] + q[1],
        C[2] + z[2] + s[2],
        C[3] + y[0] + p[1],
        C[4] + z[0] + p[2],
        C[5] + z[1] + q[2],
    )


@kernel
def lean(A, B, C, d, c):
    """B' and C' of a mass seen from a point with the speed u + d (c.w), `u` being the speed of the point before."""
    x = sym_mul(A, d)
    b = turned_vec(B, d)
    y = add_scaled(b, -0.5 * dot(d, x), c)  # C' = C - c y^T - y c^T
    return (add_scaled(B[0], -x[0], c), add_scaled(B[1], -x[1], c), add_scaled(B[2], -x[2], c)), (
        C[0] - 2.0 * c[0] * y[0],
        C[1] - 2.0 * c[1] * y[1],
        C[2] - 2.0 * c[2] * y[2],
        C[3] - c[0] * y[1] - y[0] * c[1],
        C[4] - c[0] * y[2] - y[0] * c[2],
        C[5] - c[1] * y[2] - y[1] * c[2],
    )


@kernel
def let_turn(A, B, C, K):
    """(W, A^, E^, F^) of a link whose mass is A, B', C' at the joint, held by a turning stiffness K."""
    W = sym_inverse((C[0] + K[0], C[1] + K[1], C[2] + K[2], C[3] + K[3], C[4] + K[4], C[5] + K[5]))
    w, c = rows_of(W), rows_of(C)
    X = mat_mul(w, rows_of(K))
    Y = mul_transposed(w, B)
    x, y = transpose(X), transpose(Y)
    hat = (A[0] - dot(B[0], y[0]), A[1] - dot(B[1], y[1]), A[2] - dot(B[2], y[2]), A[3] - dot(B[0], y[1]),
           A[4] - dot(B[0], y[2]), A[5] - dot(B[1], y[2]))
    F = (dot(c[0], x[0]), dot(c[1], x[1]), dot(c[2], x[2]), dot(c[0], x[1]), dot(c[0], x[2]), dot(c[1], x[2]))
    return W, hat, mat_mul(B, X), F


@kernel
def let_part(A, E, F, M):
    """(A, E, F) of a link behind a gap that gives way by M."""
    m, a, e = rows_of(M), rows_of(A), transpose(E)
    am = mat_mul(a, m)
    A = (A[0] - dot(am[0], a[0]), A[1] - dot(am[1], a[1]), A[2] - dot(am[2], a[2]), A[3] - dot(am[0], a[1]),
         A[4] - dot(am[0], a[2]), A[5] - dot(am[1], a[2]))
    me = (sym_mul(M, e[0]), sym_mul(M, e[1]), sym_mul(M, e[2]))  # columns of M E
    F = (F[0] - dot(e[0], me[0]), F[1] - dot(e[1], me[1]), F[2] - dot(e[2], me[2]), F[3] - dot(e[0], me[1]),
         F[4] - dot(e[0], me[2]), F[5] - dot(e[1], me[2]))
    less = (mat_vec(am, e[0]), mat_vec(am, e[1]), mat_vec(am, e[2]))  # columns of A M E
    return A, transpose((sub(e[0], less[0]), sub(e[1], less[1]), sub(e[2], less[2]))), F


@kernel
def at_centre(A, E, F, r):
    """The folded mass seen from the inner link's centre, its point being `r` away."""
    return shift(A, E, F, neg(r))
