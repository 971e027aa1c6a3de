"""Tree elimination: all rigid rows of a tree of joints solved exactly, in linear time.

Bodies and joints of a tree obey  M dv = J^T p,  J dv + gamma p = r:  r is what the rows' speeds still lack, p the
impulses that give it, dv how the bodies answer. Take bodies and joints from the leaves to the root. When a joint with
rows J_b on its outer body b and J_a on its inner body a is met, everything beyond b has been folded into

    D_b dv_b = z_b + J_b^T p            D_b = M_b for a leaf

so that, with D_b = L L^T and Y = L^-1 J_b^T,

    S = Y^T Y + gamma = C C^T,   t = r - Y^T L^-1 z_b,   p = S^-1 (t - J_a dv_a)

which folds into the inner body as  D_a += P^T P,  z_a += P^T c  with  P = C^-1 J_a,  c = C^-1 t. On the way back

    p = C^-T (c - P dv_a),   dv_b = L^-T (L^-1 z_b + Y p)

A joint to something that does not move simply has no inner body. No matrix is larger than 6 x 6 and nothing fills in,
because in a tree every body but the root has exactly one joint towards it. Here L and C are factored and used.

Source: [Baraff1996] linear-time dynamics using Lagrange multipliers; [PaperB] equation 15 for one joint alone
Check: tests/equations/test_tree_elimination.py
"""

from math import sqrt

from ..._jit import kernel


@kernel
def cholesky(A, k, n):
    """Factor the leading n x n of matrix `k`, stored 6 a row, in place (lower half). Writes: A at `k`

    It is filled up to 3 x 3 or 6 x 6 by ones on the diagonal, so that no loop is left: what remains in registers takes
    half the time. The diagonal holds its inverse, which is what every later use multiplies by.
    """
    for r in range(n, 3 if n <= 3 else 6):
        for s in range(r):
            A[k, 6 * r + s] = 0.0
        A[k, 7 * r] = 1.0
    a = 1.0 / sqrt(A[k, 0])
    ba = A[k, 6] * a
    b = 1.0 / sqrt(A[k, 7] - ba * ba)
    ca = A[k, 12] * a
    cb = (A[k, 13] - ca * ba) * b
    c = 1.0 / sqrt(A[k, 14] - ca * ca - cb * cb)
    A[k, 0], A[k, 6], A[k, 7], A[k, 12], A[k, 13], A[k, 14] = a, ba, b, ca, cb, c
    if n <= 3:
        return
    da = A[k, 18] * a
    db = (A[k, 19] - da * ba) * b
    dc = (A[k, 20] - da * ca - db * cb) * c
    d = 1.0 / sqrt(A[k, 21] - da * da - db * db - dc * dc)
    ea = A[k, 24] * a
    eb = (A[k, 25] - ea * ba) * b
    ec = (A[k, 26] - ea * ca - eb * cb) * c
    ed = (A[k, 27] - ea * da - eb * db - ec * dc) * d
    e = 1.0 / sqrt(A[k, 28] - ea * ea - eb * eb - ec * ec - ed * ed)
    fa = A[k, 30] * a
    fb = (A[k, 31] - fa * ba) * b
    fc = (A[k, 32] - fa * ca - fb * cb) * c
    fd = (A[k, 33] - fa * da - fb * db - fc * dc) * d
    fe = (A[k, 34] - fa * ea - fb * eb - fc * ec - fd * ed) * e
    f = 1.0 / sqrt(A[k, 35] - fa * fa - fb * fb - fc * fc - fd * fd - fe * fe)
    A[k, 18], A[k, 19], A[k, 20], A[k, 21] = da, db, dc, d
    A[k, 24], A[k, 25], A[k, 26], A[k, 27], A[k, 28] = ea, eb, ec, ed, e
    A[k, 30], A[k, 31], A[k, 32], A[k, 33], A[k, 34], A[k, 35] = fa, fb, fc, fd, fe, f


@kernel
def add_square(A, k, x):
    """A += x x^T, lower half of matrix `k`. Writes: A at `k`"""
    A[k, 0] += x[0] * x[0]
    A[k, 6] += x[1] * x[0]
    A[k, 7] += x[1] * x[1]
    A[k, 12] += x[2] * x[0]
    A[k, 13] += x[2] * x[1]
    A[k, 14] += x[2] * x[2]
    A[k, 18] += x[3] * x[0]
    A[k, 19] += x[3] * x[1]
    A[k, 20] += x[3] * x[2]
    A[k, 21] += x[3] * x[3]
    A[k, 24] += x[4] * x[0]
    A[k, 25] += x[4] * x[1]
    A[k, 26] += x[4] * x[2]
    A[k, 27] += x[4] * x[3]
    A[k, 28] += x[4] * x[4]
    A[k, 30] += x[5] * x[0]
    A[k, 31] += x[5] * x[1]
    A[k, 32] += x[5] * x[2]
    A[k, 33] += x[5] * x[3]
    A[k, 34] += x[5] * x[4]
    A[k, 35] += x[5] * x[5]


@kernel
def halfway6(A, k, x):
    """L^-1 x for a 6 x 6 factor and a tuple of six."""
    a = x[0] * A[k, 0]
    b = (x[1] - A[k, 6] * a) * A[k, 7]
    c = (x[2] - A[k, 12] * a - A[k, 13] * b) * A[k, 14]
    d = (x[3] - A[k, 18] * a - A[k, 19] * b - A[k, 20] * c) * A[k, 21]
    e = (x[4] - A[k, 24] * a - A[k, 25] * b - A[k, 26] * c - A[k, 27] * d) * A[k, 28]
    f = (x[5] - A[k, 30] * a - A[k, 31] * b - A[k, 32] * c - A[k, 33] * d - A[k, 34] * e) * A[k, 35]
    return a, b, c, d, e, f


@kernel
def back6(A, k, x):
    """L^-T x for a 6 x 6 factor and a tuple of six."""
    f = x[5] * A[k, 35]
    e = (x[4] - A[k, 34] * f) * A[k, 28]
    d = (x[3] - A[k, 33] * f - A[k, 27] * e) * A[k, 21]
    c = (x[2] - A[k, 32] * f - A[k, 26] * e - A[k, 20] * d) * A[k, 14]
    b = (x[1] - A[k, 31] * f - A[k, 25] * e - A[k, 19] * d - A[k, 13] * c) * A[k, 7]
    a = (x[0] - A[k, 30] * f - A[k, 24] * e - A[k, 18] * d - A[k, 12] * c - A[k, 6] * b) * A[k, 0]
    return a, b, c, d, e, f


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
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5]


@kernel
def add6(x, s, y):
    """x + s y"""
    return x[0] + s * y[0], x[1] + s * y[1], x[2] + s * y[2], x[3] + s * y[3], x[4] + s * y[4], x[5] + s * y[5]


@kernel
def forward(A, k, n, x, i, at):
    """x := L^-1 x for the factor of matrix `k` and the vector of six that starts at x[i, at]. Writes: x at `i`"""
    if n <= 3:
        a = x[i, at] * A[k, 0]
        b = (x[i, at + 1] - A[k, 6] * a) * A[k, 7] if n > 1 else 0.0
        c = (x[i, at + 2] - A[k, 12] * a - A[k, 13] * b) * A[k, 14] if n > 2 else 0.0
        x[i, at], x[i, at + 1], x[i, at + 2] = a, b, c
        return
    store_row6(x, i, at, halfway6(A, k, filled(x, i, at, n)))


@kernel
def backward(A, k, n, x, i, at):
    """x := L^-T x. Writes: x at `i`"""
    if n <= 3:
        c = x[i, at + 2] * A[k, 14] if n > 2 else 0.0
        b = (x[i, at + 1] - A[k, 13] * c) * A[k, 7] if n > 1 else 0.0
        a = (x[i, at] - A[k, 12] * c - A[k, 6] * b) * A[k, 0]
        x[i, at], x[i, at + 1], x[i, at + 2] = a, b, c
        return
    store_row6(x, i, at, back6(A, k, filled(x, i, at, n)))


@kernel
def filled(x, i, at, n):
    """The first `n` of the six numbers that start at x[i, at], four at least, and zeros."""
    return (x[i, at], x[i, at + 1], x[i, at + 2], x[i, at + 3], x[i, at + 4] if n > 4 else 0.0,
            x[i, at + 5] if n > 5 else 0.0)
