"""Gauss' elimination of a small dense system A x = b, the largest entry left in a column taken as its pivot.

    for each column c:  the row with the largest |A_rc|, r >= c, changes places with row c
                        row r loses A_rc / A_cc times row c, for all r > c
    then upwards        x_c = (b_c - sum_{s > c} A_cs x_s) / A_cc

An unknown whose row and column are empty stays zero. `invert` clears what is above a pivot too, and leaves A^-1 in A's place.

Source: [Golub2013] section 3.4, Gaussian elimination with partial pivoting
Check: tests/equations/test_dense_elimination.py
"""

from ..._jit import kernel


@kernel
def eliminate(table, first, n):
    """x := A^-1 b, A in rows `first` to `first + n` and columns 0 to n, b in column n. Writes: table in those rows"""
    for c in range(n):
        pivot = first + c
        for r in range(first + c + 1, first + n):
            if abs(table[r, c]) > abs(table[pivot, c]):
                pivot = r
        if table[pivot, c] == 0.0:
            continue
        if pivot != first + c:
            for s in range(c, n + 1):
                table[pivot, s], table[first + c, s] = table[first + c, s], table[pivot, s]
        inverse, own = 1.0 / table[first + c, c], table[first + c, c + 1:n + 1]
        for r in range(first + c + 1, first + n):
            share = table[r, c] * inverse
            if share != 0.0:
                row = table[r, c + 1:n + 1]
                for s in range(n - c):  # of two rows, else it would take twice as long
                    row[s] -= share * own[s]
    for back in range(n):
        c = n - 1 - back
        x = table[first + c, n]
        for s in range(c + 1, n):
            x -= table[first + c, s] * table[first + s, n]
        table[first + c, n] = x / table[first + c, c] if table[first + c, c] != 0.0 else 0.0


@kernel
def invert(table, first, column, n):
    """A := A^-1, symmetric and positive definite, in rows `first` and columns `column` on, by Gauss and Jordan. Writes: table

    Its pivots are positive wherever it is taken on; one that is not, as where nothing answers, leaves its unknown at zero.
    """
    for c in range(n):
        pivot = table[first + c, column + c]
        inverse = 1.0 / pivot if pivot > 0.0 else 0.0
        table[first + c, column + c] = 1.0
        for s in range(n):
            table[first + c, column + s] *= inverse
        for r in range(n):
            share = table[first + r, column + c]
            if r != c and share != 0.0:
                table[first + r, column + c] = 0.0
                for s in range(n):
                    table[first + r, column + s] -= share * table[first + c, column + s]
