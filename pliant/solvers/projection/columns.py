"""Vectors and quaternions inside wide tables."""

from ..._jit import kernel


@kernel
def load_at(table, i, c):
    """Three numbers of row `i` from column `c`."""
    return table[i, c], table[i, c + 1], table[i, c + 2]


@kernel
def store_at(table, i, c, v):
    """Writes: three numbers of row `i` from column `c`"""
    table[i, c] = v[0]
    table[i, c + 1] = v[1]
    table[i, c + 2] = v[2]


@kernel
def load4_at(table, i, c):
    """Four numbers of row `i` from column `c`."""
    return table[i, c], table[i, c + 1], table[i, c + 2], table[i, c + 3]


@kernel
def store4_at(table, i, c, q):
    """Writes: four numbers of row `i` from column `c`"""
    table[i, c] = q[0]
    table[i, c + 1] = q[1]
    table[i, c + 2] = q[2]
    table[i, c + 3] = q[3]
