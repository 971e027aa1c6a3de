"""What users hold answers a mistyped name, where Python would say little, or silently make a new attribute."""

from collections.abc import Callable
from operator import index
from types import MethodType

from .not_yet import READINGS, late
from .scene.errors import SceneError, nearest, shown

MOST = 1_000_000
"""Substeps or iterations that a step may be asked for."""


class SetWithCare:
    """Takes assignments of what its class declares or holds, and of names with an underscore; all others are refused."""

    def __getattr__(self, name: str):
        if name.startswith("_") or name in _declared(type(self)):  # what it has, but could not give, says why itself
            return object.__getattribute__(self, name)
        known = sorted(one for one in _declared(type(self)) if not one.startswith("_"))
        hint = late(name, READINGS.get(type(self).__name__, ())) or nearest(name, known, "It has")
        raise AttributeError(f"{type(self).__name__} has no '{name}'. {hint}")

    def __setattr__(self, name: str, value) -> None:
        if not name.startswith("_") and name not in self.__dict__ and name not in _declared(type(self)):
            known = sorted(one for one in _declared(type(self)) if not one.startswith("_"))
            raise AttributeError(f"{type(self).__name__} has no '{name}'. {nearest(name, known, 'It has')}")
        if isinstance(found := getattr(type(self), name, None), property) and found.fset is None:
            free = [one for one in sorted(_declared(type(self))) if getattr(getattr(type(self), one, None), "fset", None)]
            remedy = f"; what can be set is {', '.join(free)}" if free else ""
            raise AttributeError(f"{self!r}: {name} can be read, not set{remedy}.")
        object.__setattr__(self, name, value)


class of_class_and_object:
    """A method that is called on a class or on an object of it, and is given which."""

    def __init__(self, function: Callable) -> None:
        self.__func__, self.__doc__ = function, function.__doc__

    def __get__(self, one, cls: type) -> MethodType:
        return MethodType(self.__func__, cls if one is None else one)


def _declared(kind: type) -> set[str]:
    return {name for one in kind.__mro__ for name in (*vars(one), *vars(one).get("__annotations__", ()))}


def whole(field: str, value) -> int:
    """`value` as a whole number of at least 1 of a world."""
    try:
        count = 0 if isinstance(value, bool) else index(value)
    except TypeError:
        count = 0
    if not 1 <= count <= MOST:
        raise SceneError(f"World: {field} is {shown(value)}; it must be a whole number of at least 1 and at most {MOST}.")
    return count
