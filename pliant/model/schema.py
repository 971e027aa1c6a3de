"""Groups of flat arrays, each field declared once: type, shape, unit and meaning."""

from typing import NamedTuple, TypeAlias, TypeVar, get_type_hints

import numpy as np

Group = TypeVar("Group", bound=tuple)
Array: TypeAlias = np.ndarray


class Field(NamedTuple):
    """What one array of a group holds."""

    dtype: type
    shape: str
    unit: str
    meaning: str


def real(shape: str, unit: str, meaning: str) -> Field:
    """An array of float64; `shape` is written like "n 3"."""
    return Field(np.float64, shape, unit, meaning)


def index(shape: str, meaning: str) -> Field:
    """An array of int32."""
    return Field(np.int32, shape, "-", meaning)


def key(shape: str, meaning: str) -> Field:
    """An array of int64."""
    return Field(np.int64, shape, "-", meaning)


def fields(group: type) -> dict[str, Field]:
    """The declared fields of a group, in order."""
    return {name: hint.__metadata__[0] for name, hint in get_type_hints(group, include_extras=True).items()}


def allocate(group: type[Group], n: int = 0, **sizes: int) -> Group:
    """A group of zeroed arrays for `n` elements; other letters of a shape are given by name."""
    return group(*(np.zeros(_resolve(f.shape, {"n": n, **sizes}), f.dtype) for f in fields(group).values()))


def fill(group: type[Group], **arrays) -> Group:
    """A group from lists or arrays, converted and checked against the declaration."""
    declared = fields(group)
    if arrays.keys() != declared.keys():
        raise TypeError(f"{group.__name__} needs {sorted(declared)}, got {sorted(arrays)}")
    out = []
    for name, field in declared.items():
        tail = tuple(int(t) for t in field.shape.split()[1:] if t.isdigit())
        array: Array = np.ascontiguousarray(arrays[name], field.dtype)
        if array.size == 0:
            array = array.reshape((0, *tail))
        if array.shape[1:] != tail:
            raise TypeError(f"{group.__name__}.{name} has shape {array.shape}, declared ({field.shape})")
        out.append(array)
    return group(*out)


def _resolve(shape: str, sizes: dict[str, int]) -> tuple[int, ...]:
    return tuple(sizes[token] if token in sizes else int(token) for token in shape.split())
