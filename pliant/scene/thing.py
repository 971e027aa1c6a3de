"""What every noun of a scene has in common: frozen, named, told apart in files by its type."""

from typing import TypeAlias

import msgspec

from .errors import fail, nearest, number, shown
from .noun import Noun

WORLD = "world"
"""The name of the world itself: a parent, a child, a spring's end, a target of `attach`."""

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]
Signal: TypeAlias = float | str | dict[str, float]
"""A number, a control's name, or weights of several controls {"throttle": 12, "steering": -4}."""


class Part(msgspec.Struct, metaclass=Noun, frozen=True, tag=True, tag_field="type", omit_defaults=True,
           forbid_unknown_fields=True, eq=False):
    """A noun without a name of its own: a shape, a motor, a material."""

    def _set(self, **values) -> None:
        """Store checked values; only for `__post_init__`."""
        for field, value in values.items():
            msgspec.structs.force_setattr(self, field, value)

    def replace(self, **changes):
        """A copy with some fields changed."""
        unknown = [field for field in changes if field not in self.__struct_fields__]
        if unknown:
            raise fail(self, f"it has no field '{unknown[0]}'. {nearest(unknown[0], self.__struct_fields__)}")
        return msgspec.structs.replace(self, **changes)


class Thing(Part, frozen=True, tag=True, eq=False, dict=True):
    """A noun that a scene holds by name. Beside its fields it may keep what follows from them, and its `_origin`:
    a function from a text to the error that says it with the file and the line that describe the thing."""

    name: str
    """How others and files speak of it; no two things of a scene share one."""

    def _check_name(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise fail(self, f"name is {shown(self.name)}; it must be a word.")
        if self.name == WORLD:
            raise fail(self, "the name 'world' is taken by the world itself; choose another.")


def name_of(thing) -> str:
    """The name of a thing, or the name itself."""
    return thing if isinstance(thing, str) else getattr(thing, "name", thing)


def reference(thing, field: str, value) -> str:
    """The name of the thing that a field names, or an error."""
    name = name_of(value)
    if not isinstance(name, str) or not name:
        raise fail(thing, f"{field} is {shown(value)}; it must be a thing of the scene or its name.")
    return name


def signal(thing, field: str, value) -> Signal:
    """A checked signal: a number, a control or its name, or weights of controls."""
    if isinstance(value, dict):
        return {reference(thing, field, k): number(thing, f"{field}[{name_of(k)!r}]", v) for k, v in value.items()}
    if isinstance(value, str) or isinstance(getattr(value, "name", None), str):
        return reference(thing, field, value)
    return number(thing, field, value)
