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
    """Factor the leading n x n of matrix `k`, stored 6 a row, in place (lower half). Writes: A at `k`"""
    for r in range(n):
        for s in range(r):
            x = A[k, 6 * r + s]
            for t in range(s):
                x -= A[k, 6 * r + t] * A[k, 6 * s + t]
            A[k, 6 * r + s] = x * A[k, 7 * s]
        x = A[k, 7 * r]
        for t in range(r):
            x -= A[k, 6 * r + t] * A[k, 6 * r + t]
        A[k, 7 * r] = 1.0 / sqrt(x)  # the inverse of the diagonal: what every later use multiplies by


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
    """x := L^-1 x for the factor of matrix `k` and the vector that starts at x[i, at]. Writes: x at `i`"""
    for r in range(n):
        y = x[i, at + r]
        for t in range(r):
            y -= A[k, 6 * r + t] * x[i, at + t]
        x[i, at + r] = y * A[k, 7 * r]


@kernel
def backward(A, k, n, x, i, at):
    """x := L^-T x. Writes: x at `i`"""
    for back in range(n):
        r = n - 1 - back
        y = x[i, at + r]
        for t in range(r + 1, n):
            y -= A[k, 6 * t + r] * x[i, at + t]
        x[i, at + r] = y * A[k, 7 * r]
