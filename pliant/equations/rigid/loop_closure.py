"""Loop closure: rows of joints that close loops, solved together through the trees that they join.

Trees of joints answer an impulse J_s^T p_s on two of their bodies by velocities dv = A J_s^T p_s, all joints of the trees
holding (tree_elimination.py). The rows s of all joints that close loops then obey

    (W + gamma) p = x,    W_rs = J_r A J_s^T,    x_r = what row r still lacks

W has one row for each row of such a joint, however long the loops are, and is factored once. Loops may hold more than
they need to, a flat linkage of hinges for one: then W is singular, and its rows agree. A row that has nothing left to answer
once those before it hold is held by them, and gets no impulse. Left in with a little on its diagonal instead, which also
chooses one of the equal sets of impulses, it would answer rounding by large ones: with a slider of 500 times the mass of
its rods these grew from step to step. Little is a small share of what the row would answer if nothing but it held its two
bodies, and not of the largest, since rows that turn the light links of a rope answer a million times as much as those that
move them; rounding leaves 1e-13 of it.

Other rows c, as those of contacts, answer each other through the trees by K_cc = J_c A J_c^T, and move the loops' rows by K_lc.
With the loops closed that is, by the factor W + gamma = L L^T,

    K_cc - K_cl (W + gamma)^-1 K_lc = K_cc - Y^T Y,    Y = L^-1 K_lc

Source: [Baraff1996] section on auxiliary constraints
Check: tests/equations/test_loop_closure.py
"""

from math import sqrt

from ..._jit import kernel

AGREES = 1e-10
"""A row that has no more left to answer, in shares of what it answers by itself [-], is held by those before it."""


@kernel
def row_of(joint, tail, first, q):
    """Row of the table that holds row `q` of a set of loop joints, joint[tail] and on; joint `first` has the first six.

    Rows are counted through, those of a joint with fewer than six are followed by the next one's.
    """
    return 6 * (joint[tail + q // 6] - first) + q % 6


@kernel
def factor(W, joint, tail, first, n):
    """Cholesky factor of an n x n matrix W, in its lower half; the last column says what each row answers by itself.

    Writes: W
    """
    at = W.shape[1] - 1
    for q in range(n):
        a = row_of(joint, tail, first, q)
        for s in range(q):
            b = row_of(joint, tail, first, s)
            x = W[a, s]
            for t in range(s):
                x -= W[a, t] * W[b, t]
            W[a, s] = x * W[b, s]
        x = W[a, q]
        for t in range(q):
            x -= W[a, t] * W[a, t]
        W[a, q] = 1.0 / sqrt(x) if x > AGREES * W[a, at] else 0.0


@kernel
def hold_row(W, a, q, table, row):
    """Entry `q` of a column of Y, from that of K_lc and the entries before it, all in `row` of a table; `a` is the row of W
    that `row_of` tells. Writes: table"""
    y = table[row, q]
    for t in range(q):
        y -= W[a, t] * table[row, t]
    table[row, q] = y * W[a, q]


@kernel
def solve(W, joint, tail, first, n):
    """x := W^-1 x for the last column of the table. Writes: W in that column"""
    at = W.shape[1] - 1
    for q in range(n):
        a = row_of(joint, tail, first, q)
        y = W[a, at]
        for t in range(q):
            y -= W[a, t] * W[row_of(joint, tail, first, t), at]
        W[a, at] = y * W[a, q]
    for back in range(n):
        q = n - 1 - back
        a = row_of(joint, tail, first, q)
        y = W[a, at]
        for t in range(q + 1, n):
            b = row_of(joint, tail, first, t)
            y -= W[b, q] * W[b, at]
        W[a, at] = y * W[a, q]
