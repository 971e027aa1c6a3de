"""What compiled functions hand to each other: of arrays their addresses and shapes alone; and how they take indices."""

import ast
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba import config

import pliant
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


@kernel
def picked(a, k):
    """What stands at an index."""
    return a[k]


@compiled
def test_a_kernel_takes_an_index_as_it_is():
    """Oracle: what lies in memory before the first of some numbers that are the later ones of others."""
    numbers = np.arange(5.0)
    assert picked(numbers[1:], 3) == 4.0
    assert picked(numbers[1:], -1) == numbers[0]


def test_no_kernel_counts_from_the_end_by_a_number_that_is_written_there():
    """Oracle: the source. In arrays that would be what lies before them; tuples, of which one knows the length, go along."""
    found, seen = [], 0
    for file in Path(pliant.__file__).parent.rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            words = {getattr(one, "id", "") for one in getattr(function, "decorator_list", ())}
            if words & {"kernel", "merged", "stage", "entry"}:
                seen += 1
                found += [f"{file.name}:{part.lineno}" for part in ast.walk(function)
                          if isinstance(part, ast.Subscript) and any(map(from_the_end, indices_of(part)))]
    assert seen > 100
    assert found == []


def indices_of(part: ast.Subscript) -> list[ast.expr]:
    return part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]


def from_the_end(index: ast.expr) -> bool:
    return isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub) and isinstance(index.operand, ast.Constant)
