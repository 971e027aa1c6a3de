"""Groups of flat arrays, each field declared once: type, shape, unit and meaning."""

from functools import cache
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

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


@cache
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


def sample(hint: Any) -> Any:
    """The smallest value of an annotation: a group of empty arrays, an empty array, a zero, a tuple of such."""
    if get_origin(hint) is Annotated:
        field = next((one for one in hint.__metadata__ if isinstance(one, Field)), None)
        if field is None:
            return sample(get_args(hint)[0])
        return np.zeros(tuple(int(word) if word.isdigit() else 0 for word in field.shape.split()), field.dtype)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return hint(*(sample(one) for one in get_type_hints(hint, include_extras=True).values()))
    if get_origin(hint) is tuple:
        return tuple(sample(one) for one in get_args(hint))
    if hint is tuple:
        return 0.0, 0.0, 0.0  # a bare tuple is a vector
    if hint in (float, int, bool):
        return hint()
    if isinstance(hint, UnionType) or hint is np.ndarray:
        raise TypeError(f"{hint} does not say one type; annotate arrays by real(…), index(…) or key(…)")
    raise TypeError(f"{hint!r} is not a group, an annotated array, float, int, bool or a tuple of these")


def _resolve(shape: str, sizes: dict[str, int]) -> tuple[int, ...]:
    return tuple(sizes[token] if token in sizes else int(token) for token in shape.split())
