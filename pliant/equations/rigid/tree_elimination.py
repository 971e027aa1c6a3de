"""Tree elimination: all rigid rows of a tree of joints solved exactly, in linear time.

Bodies and joints of a tree obey  M dv = J^T p,  J dv + gamma p = r:  r is what the rows' speeds still lack, p the
impulses that give it, dv how the bodies answer. Take bodies and joints from the leaves to the root. When a joint with
rows J_b on its outer body b and J_a on its inner body a is met, everything beyond b has been folded into

    D_b dv_b = z_b + J_b^T p            D_b = M_b for a leaf

so that, with K = D_b^-1 J_b^T,

    S = J_b K + gamma,   t = r - K^T z_b,   p = S^-1 (t - J_a dv_a)

which folds into the inner body as  D_a += J_a^T S^-1 J_a,  z_a += Q^T t  with  Q = S^-1 J_a. On the way back

    p = S^-1 t - Q dv_a,   dv_b = D_b^-1 z_b + K p

A joint to something that does not move simply has no inner body. No matrix is larger than 6 x 6 and nothing fills in,
because in a tree every body but the root has exactly one joint towards it.

D_b and S are factored as L E L^T with ones on the diagonal of L: without roots, and a pivot waits for one division alone. K and
Q are kept ready, so that from body to body a solve waits for two products and not for four triangles: what D_b^-1 and S^-1 are
still needed for no other body waits for.

Source: [Baraff1996] linear-time dynamics using Lagrange multipliers; [PaperB] equation 15 for one joint alone
Check: tests/equations/test_tree_elimination.py
"""

from ..._jit import kernel


@kernel
def factor6(A, k, n):
    """L E L^T of the leading n x n of matrix `k`, stored 6 a row, in place (lower half). Writes: A at `k`

    It is filled up to 3 x 3 or 6 x 6 by ones on the diagonal, so that no loop is left: what remains in registers takes
    half the time. The diagonal holds 1 / E, which is what every later use multiplies by.
    """
    for r in range(n, 3 if n <= 3 else 6):
        for s in range(r):
            A[k, 6 * r + s] = 0.0
        A[k, 7 * r] = 1.0
    a = 1.0 / A[k, 0]
    ba, ca = A[k, 6] * a, A[k, 12] * a
    b = 1.0 / (A[k, 7] - ba * A[k, 6])
    xb = A[k, 13] - ca * A[k, 6]
    cb = xb * b
    c = 1.0 / (A[k, 14] - ca * A[k, 12] - cb * xb)
    if n <= 3:
        A[k, 0], A[k, 6], A[k, 7], A[k, 12], A[k, 13], A[k, 14] = a, ba, b, ca, cb, c
        return
    da, ea, fa = A[k, 18] * a, A[k, 24] * a, A[k, 30] * a
    yb, zb, ub = A[k, 19] - da * A[k, 6], A[k, 25] - ea * A[k, 6], A[k, 31] - fa * A[k, 6]
    db, eb, fb = yb * b, zb * b, ub * b
    yc, zc = A[k, 20] - da * A[k, 12] - db * xb, A[k, 26] - ea * A[k, 12] - eb * xb
    uc = A[k, 32] - fa * A[k, 12] - fb * xb
    dc, ec, fc = yc * c, zc * c, uc * c
    d = 1.0 / (A[k, 21] - da * A[k, 18] - db * yb - dc * yc)
    zd, ud = A[k, 27] - ea * A[k, 18] - eb * yb - ec * yc, A[k, 33] - fa * A[k, 18] - fb * yb - fc * yc
    ed, fd = zd * d, ud * d
    e = 1.0 / (A[k, 28] - ea * A[k, 24] - eb * zb - ec * zc - ed * zd)
    ue = A[k, 34] - fa * A[k, 24] - fb * zb - fc * zc - fd * zd
    fe = ue * e
    f = 1.0 / (A[k, 35] - fa * A[k, 30] - fb * ub - fc * uc - fd * ud - fe * ue)
    A[k, 0], A[k, 6], A[k, 7], A[k, 12], A[k, 13], A[k, 14] = a, ba, b, ca, cb, c
    A[k, 18], A[k, 19], A[k, 20], A[k, 21] = da, db, dc, d
    A[k, 24], A[k, 25], A[k, 26], A[k, 27], A[k, 28] = ea, eb, ec, ed, e
    A[k, 30], A[k, 31], A[k, 32], A[k, 33], A[k, 34], A[k, 35] = fa, fb, fc, fd, fe, f


@kernel
def add_product(A, k, x, y):
    """A += x y^T, which is symmetric, lower half of matrix `k`. Writes: A at `k`"""
    A[k, 0] += x[0] * y[0]
    A[k, 6] += x[1] * y[0]
    A[k, 7] += x[1] * y[1]
    A[k, 12] += x[2] * y[0]
    A[k, 13] += x[2] * y[1]
    A[k, 14] += x[2] * y[2]
    A[k, 18] += x[3] * y[0]
    A[k, 19] += x[3] * y[1]
    A[k, 20] += x[3] * y[2]
    A[k, 21] += x[3] * y[3]
    A[k, 24] += x[4] * y[0]
    A[k, 25] += x[4] * y[1]
    A[k, 26] += x[4] * y[2]
    A[k, 27] += x[4] * y[3]
    A[k, 28] += x[4] * y[4]
    A[k, 30] += x[5] * y[0]
    A[k, 31] += x[5] * y[1]
    A[k, 32] += x[5] * y[2]
    A[k, 33] += x[5] * y[3]
    A[k, 34] += x[5] * y[4]
    A[k, 35] += x[5] * y[5]


@kernel
def halfway6(A, k, x):
    """L^-1 x for a 6 x 6 factor and a tuple of six."""
    a = x[0]
    b = x[1] - A[k, 6] * a
    c = x[2] - A[k, 12] * a - A[k, 13] * b
    d = x[3] - A[k, 18] * a - A[k, 19] * b - A[k, 20] * c
    e = x[4] - A[k, 24] * a - A[k, 25] * b - A[k, 26] * c - A[k, 27] * d
    f = x[5] - A[k, 30] * a - A[k, 31] * b - A[k, 32] * c - A[k, 33] * d - A[k, 34] * e
    return a, b, c, d, e, f


@kernel
def weighed6(A, k, x):
    """E^-1 x for a 6 x 6 factor and a tuple of six."""
    return x[0] * A[k, 0], x[1] * A[k, 7], x[2] * A[k, 14], x[3] * A[k, 21], x[4] * A[k, 28], x[5] * A[k, 35]


@kernel
def back6(A, k, x):
    """L^-T x for a 6 x 6 factor and a tuple of six."""
    f = x[5]
    e = x[4] - A[k, 34] * f
    d = x[3] - A[k, 33] * f - A[k, 27] * e
    c = x[2] - A[k, 32] * f - A[k, 26] * e - A[k, 20] * d
    b = x[1] - A[k, 31] * f - A[k, 25] * e - A[k, 19] * d - A[k, 13] * c
    a = x[0] - A[k, 30] * f - A[k, 24] * e - A[k, 18] * d - A[k, 12] * c - A[k, 6] * b
    return a, b, c, d, e, f


@kernel
def solved6(A, k, x):
    """The solution of six equations by their factor."""
    return back6(A, k, weighed6(A, k, halfway6(A, k, x)))


@kernel
def row6(array, k, c):
    """Six numbers of row `k` from column `c`."""
    return array[k, c], array[k, c + 1], array[k, c + 2], array[k, c + 3], array[k, c + 4], array[k, c + 5]


@kernel
def store_row6(array, k, c, x):
    """Writes: array at row `k`"""
    array[k, c] = x[0]
    array[k, c + 1] = x[1]
    array[k, c + 2] = x[2]
    array[k, c + 3] = x[3]
    array[k, c + 4] = x[4]
    array[k, c + 5] = x[5]


@kernel
def dot6(x, y):
    return (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + (x[3] * y[3] + x[4] * y[4] + x[5] * y[5])


@kernel
def add6(x, s, y):
    """x + s y"""
    return x[0] + s * y[0], x[1] + s * y[1], x[2] + s * y[2], x[3] + s * y[3], x[4] + s * y[4], x[5] + s * y[5]


@kernel
def solve_rows(A, k, n, x, i, at):
    """Solve `n` equations by their factor; their right side starts at x[i, at]. Writes: x at `i`"""
    if n <= 3:
        a = x[i, at]
        b = x[i, at + 1] - A[k, 6] * a if n > 1 else 0.0
        c = (x[i, at + 2] - A[k, 12] * a - A[k, 13] * b) * A[k, 14] if n > 2 else 0.0
        b = b * A[k, 7] - A[k, 13] * c
        x[i, at], x[i, at + 1], x[i, at + 2] = a * A[k, 0] - A[k, 12] * c - A[k, 6] * b, b, c
        return
    store_row6(x, i, at, solved6(A, k, filled(x, i, at, n)))


@kernel
def filled(x, i, at, n):
    """The first `n` of the six numbers that start at x[i, at], four at least, and zeros."""
    return (x[i, at], x[i, at + 1], x[i, at + 2], x[i, at + 3], x[i, at + 4] if n > 4 else 0.0,
            x[i, at + 5] if n > 5 else 0.0)
