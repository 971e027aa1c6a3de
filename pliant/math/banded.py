"""Symmetric positive definite systems whose numbers lie in a narrow band, solved in time proportional to their size."""

from .._jit import kernel

BAND = 8
"""How far from the diagonal numbers may lie."""
RIGHT = BAND + 1
"""Column of the right side, then of the solution."""


@kernel
def add_block(table, row, column, m, s):
    """`s` times the block `m`, three rows, to equations `row` ... and unknowns `column` ... before them. Writes: table"""
    d = row - column
    for i in range(3):
        for j in range(3):
            table[row + i, d + i - j] += s * m[i][j]


@kernel
def add_diagonal(table, row, m, s):
    """`s` times the symmetric block `m` = (xx, yy, zz, xy, xz, yz) to the diagonal. Writes: table"""
    table[row, 0] += s * m[0]
    table[row + 1, 0] += s * m[1]
    table[row + 2, 0] += s * m[2]
    table[row + 1, 1] += s * m[3]
    table[row + 2, 2] += s * m[4]
    table[row + 2, 1] += s * m[5]


@kernel
def solve_banded(table, first, size):
    """Solves A x = b in place by A = L D L^T: equation i is the row `first` + i, A[i, i - d] its column d, b and x RIGHT.

    Afterwards column 0 holds 1 / D. Writes: table
    """
    for i in range(first, first + size):
        reach = min(BAND, i - first)
        right, pivot = table[i, RIGHT], table[i, 0]
        for d in range(reach, 0, -1):
            j, s = i - d, table[i, d]
            for e in range(reach, d, -1):
                s -= table[i, e] * table[j, e - d]
            table[i, d] = s  # L D for now
        for d in range(reach, 0, -1):
            s = table[i, d] * table[i - d, 0]
            pivot -= s * table[i, d]
            right -= s * table[i - d, RIGHT]
            table[i, d] = s
        table[i, 0] = 1.0 / pivot
        table[i, RIGHT] = right
    for i in range(first + size - 1, first - 1, -1):
        table[i, RIGHT] *= table[i, 0]
        for d in range(1, BAND + 1):
            if i + d < first + size:
                table[i, RIGHT] -= table[i + d, d] * table[i + d, RIGHT]
