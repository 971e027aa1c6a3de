"""What compiled functions hand to each other: of arrays their addresses and shapes alone."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import config

from pliant._jit import kernel

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")


class Group(NamedTuple):
    """Of arrays of several kinds."""

    real: np.ndarray
    index: np.ndarray
    key: np.ndarray


@kernel
def seen(a):
    """All that a kernel can ask of an array."""
    total = 0.0
    for row in a:
        for x in row:
            total += x
    return a.shape, a.strides, a.size, a.itemsize, total


@kernel
def seen_within(group):
    """The same one call deeper."""
    return seen(group.real), seen(group.index), seen(group.key)


def as_numpy_has_it(a: np.ndarray) -> tuple:
    return a.shape, a.strides, a.size, a.itemsize, float(a.sum())


@compiled
def test_a_kernel_sees_of_an_array_what_numpy_says():
    """Oracle: NumPy's own account. Sums of small whole numbers are exact."""
    group = Group(np.arange(15.0).reshape(3, 5), np.arange(8, dtype=np.int32).reshape(4, 2), np.arange(7).reshape(1, 7))
    assert seen_within(group) == tuple(map(as_numpy_has_it, group))


@compiled
def test_an_array_that_is_not_contiguous_is_handed_over_whole():
    """Oracle: as above, of every other column and of the transpose."""
    table = np.arange(24.0).reshape(4, 6)
    for a in (table[:, ::2], table.T):
        assert seen_within(Group(a, a, a)) == (as_numpy_has_it(a),) * 3
