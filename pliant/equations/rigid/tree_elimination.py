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
