"""From the plain content of a file to nouns: each value is held against the type that its field declares."""

import re
import types
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from ...not_yet import NOUNS, late
from ..errors import SceneError, nearest
from ..thing import Part
from .registry import nouns

ARRAY = "array"
"""The one key of a mapping that stands for an array of the NPZ file."""


class Place(NamedTuple):
    """Where in a file a value stands, for messages."""

    file: Path
    """As it was given."""
    words: str
    line: int | None
    arrays: Mapping[str, Any]

    def inside(self, words: str, line: int | None) -> "Place":
        """A place further in; its line where that is known."""
        return self._replace(words=f"{self.words}, {words}" if self.words else words, line=line or self.line)

    def fail(self, text: str) -> SceneError:
        """The error `text` about what stands here."""
        line = f", line {self.line}" if self.line else ""
        words = f", {self.words}" if self.words else ""
        return SceneError(f"{self.file}{line}{words}: {text}")


def noun(content: Any, allowed: Mapping[str, type[Part]], place: Place) -> Part:
    """The noun that a mapping with a `type` describes; one of `allowed`."""
    cls = _class_of(content, allowed, place)
    hints = get_type_hints(cls)
    declared = {field.name: field for field in msgspec.structs.fields(cls)}
    label = f"{cls.__name__} '{content['name']}'" if isinstance(content.get("name"), str) else cls.__name__
    values = {}
    for key, value in content.items():
        if key == "type":
            continue
        if key not in declared:
            raise _line(place, content, key).fail(f"{label} has no field '{key}'. {nearest(key, declared)}")
        here = _line(place, content, key)
        values[key] = value_of(
            value, hints[key], here.inside(f"'{content['name']}' {key}" if "name" in content else key, None)
        )
    missing = [name for name, field in declared.items() if field.required and name not in values]
    if missing:
        raise place.fail(f"{label} needs {' and '.join(missing)}.")
    try:
        return cls(**values)
    except SceneError as error:
        raise about(content, place, str(error)) from None


def about(content: dict, place: Place, text: str) -> SceneError:
    """The error `text` about the noun that `content` describes, at the line of the field that it names first.

    Such a text is "Body 'cart': mass is …".
    """
    words = re.findall(r"\w+", text.partition(": ")[2])
    return _line(place, content, next((word for word in words if word in content), "")).fail(text)


def value_of(value: Any, hint: Any, place: Place) -> Any:
    """`value` as the declared type wants it, or an error that says what is wanted."""
    if _is_array(value):
        return _array(value[ARRAY], place)
    if hint is Any:
        return [_array(one[ARRAY], place) if _is_array(one) else one for one in value] if isinstance(value, list) else value
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    parts = {one.__name__: one for one in options if isinstance(one, type) and issubclass(one, Part)}
    if parts and isinstance(value, dict):
        return noun(value, parts, place)
    for one in options:
        good, result = _plain(value, one, place)
        if good:
            return result
    wanted = " or ".join(_describe(one) for one in options if one is not types.NoneType)
    raise place.fail(f"{value!r} is given, wanted is {wanted}.")


def _plain(value: Any, hint: Any, place: Place) -> tuple[bool, Any]:
    """Whether a value fits one plain type, and the value as that type."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is types.NoneType:
        return value is None, None
    if hint is float:
        if isinstance(value, str) and value in ("inf", "-inf"):
            return True, float(value)
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        try:
            return good, float(value) if good else None
        except OverflowError:  # a whole number of hundreds of digits
            return True, inf
    if hint in (int, bool, str):
        return type(value) is hint, value
    if origin is tuple and isinstance(value, (list, tuple)):
        if len(inner) == 2 and inner[1] is ...:
            return True, tuple(value_of(one, inner[0], place.inside(f"[{i}]", None)) for i, one in enumerate(value))
        pairs = [_plain(one, kind, place) for one, kind in zip(value, inner, strict=False)]
        good = len(value) == len(inner) and all(fits for fits, _ in pairs)
        return good, tuple(result for _, result in pairs)
    if origin is dict and isinstance(value, dict):
        return True, {key: value_of(one, inner[1], place.inside(key, None)) for key, one in value.items()}
    return False, None


def _class_of(content: Any, allowed: Mapping[str, type[Part]], place: Place) -> type[Part]:
    if not isinstance(content, dict):
        raise place.fail(f"{content!r} is given, wanted is a mapping like {{type: {next(iter(allowed))}, …}}.")
    word = content.get("type")
    if word is None:
        raise place.fail(f"there is no 'type'; it is one of {', '.join(allowed)}.")
    if not isinstance(word, str) or word not in allowed:
        known = f"'{word}' does not go here" if str(word) in nouns() else f"the type '{word}' is unknown"
        raise _line(place, content, "type").fail(f"{known}. {late(word, NOUNS) or nearest(str(word), allowed)}")
    return allowed[word]


def _is_array(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {ARRAY}


def _array(key: Any, place: Place) -> Any:
    if not isinstance(key, str) or key not in place.arrays:
        raise place.fail(
            f"the array '{key}' is not in the file that 'arrays' names. {nearest(str(key), place.arrays)}"
        )
    return place.arrays[key]


def _line(place: Place, content: dict, key: str) -> Place:
    """The same place, with the line of one of its keys or of the mapping itself."""
    return place._replace(line=getattr(content, "lines", {}).get(key) or getattr(content, "line", None) or place.line)


def _describe(hint: Any) -> str:
    """A type in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is tuple:
        if len(inner) == 2 and inner[1] is ...:
            return "a list" if inner[0] is Any else f"a list, each {_describe(inner[0])}"
        return f"a list of {len(inner)} numbers"
    if origin is dict:
        return "numbers by name"
    return {float: "a number", int: "a whole number", bool: "true or false", str: "a word"}.get(
        hint
    ) or f"a {hint.__name__}"
