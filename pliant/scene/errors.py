"""What a user reads when the scene is wrong: which thing, which field, what is allowed."""

from collections.abc import Iterable, Mapping, Set
from difflib import get_close_matches
from itertools import islice
from math import inf, isfinite
from pathlib import Path
from typing import overload

import numpy as np

from .synonyms import meant

LONGEST = 1e30
"""[m]; its fifth power, which inertia grows with, is still a number. Of what has a direction no number is larger."""


class SceneError(ValueError):
    """The scene cannot be simulated as described."""


class UnknownKey(SceneError, KeyError):
    """A name that is not there, asked of what is like a dictionary: `in` and `.get` look for KeyErrors."""

    __str__ = ValueError.__str__  # a KeyError's would put the sentence in quotes


class Diverged(FloatingPointError):
    """A step gave a state that is not finite; the world keeps the last good one."""

    def __init__(self, time: float, thing: str, reason: str) -> None:
        super().__init__(f"At t = {time:g} s '{thing}' {reason}.")
        self.time, self.thing, self.reason = time, thing, reason


def who(thing) -> str:
    """How a message names a thing: Spring 'tether'."""
    name = getattr(thing, "name", "")
    kind = thing.__name__ if isinstance(thing, type) else type(thing).__name__
    return f"{kind} '{name}'" if isinstance(name, str) and name.isprintable() and name else kind


def shown(value) -> str:
    """A value in a sentence: on one line, cut where it grows long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:79]}…"


def mesh_name(source) -> str:
    """Where a mesh comes from, in a sentence: a path is of use only whole."""
    if not isinstance(source, (str, Path)):
        return "Mesh"
    return f"Mesh {str(source)!r}" if len(str(source)) < 300 else f"Mesh {shown(str(source))}"


def fail(thing, text: str) -> SceneError:
    """The error `text` about `thing`; of a thing that a file describes, with the file and the line in front."""
    origin = getattr(thing, "_origin", None)
    return origin(f"{who(thing)}: {text}") if origin is not None else wrong(thing, text)


def wrong(thing, text: str) -> SceneError:
    """The error about a value just given, which no file is to blame for."""
    return SceneError(f"{who(thing)}: {text}")


def unknown_name(thing, role: str, name: str, known: Iterable[str], kind: str = "thing", remedy: str = "") -> SceneError:
    """An error for a name that is not in the scene, with the nearest one that is, or how to add one of its kind."""
    known = list(known)
    if isinstance(name, str) and name in known:  # there, but made of what comes later
        return fail(thing, f"{role} is {shown(name)}, which is no place for it; name a body, or a site on one.")
    hint = nearest(name, known, "The scene has") if known else f"The scene has no {kind}; {remedy or 'add it first'}."
    return fail(thing, f"{role} is {shown(name)}, which is not in the scene. {hint}")


def unknown_control(thing, role: str, name: str, known: Iterable[str]) -> SceneError:
    """The same for a control."""
    return unknown_name(thing, role, name, known, "control", f"add one by scene.add(pl.Control({shown(name)})), in a file "
                                                             f"by {{type: Control, name: {name}}}")


def nearest(word, known: Iterable[str], there_are: str = "There are") -> str:
    """What may have been meant by a word that is not known: the nearest that is, if one is near, else some of all.

    Words seldom go wrong where they begin: one that begins otherwise must be nearer.
    """
    known = list(known)
    parts = {part: one for one in reversed(known) for part in one.lower().split()}
    small = parts | {one.lower(): one for one in reversed(known)}
    lower = str(word).lower().strip("[]'")
    same = {one: small[one] for one in small if one[:1] == lower[:1]}
    alike = {one: small[one] for one in small if one[:2] == lower[:2]}  # by ear: Bocks for Box
    near = [] if word is None else [meant(word)] if meant(word) in known else (
        get_close_matches(str(word), known, n=1, cutoff=0.8)
        or [small[w] for w in get_close_matches(lower, small, n=1, cutoff=0.75)]
        or [same[w] for w in get_close_matches(lower, same, n=1)]
        or [alike[w] for w in get_close_matches(lower, alike, n=1, cutoff=0.5)])
    some = ", ".join(known[:24]) + (f" and {len(known) - 24} more" if len(known) > 24 else "")
    return f"Did you mean '{near[0]}'?" if near else f"{there_are}: {some or 'none'}."


def number(thing, field: str, value, unit: str = "", *, above: float | None = None, least: float | None = None,
           most: float | None = None, infinite: bool = False) -> float:
    """`value` as a float, or an error that names the thing, the field and what is allowed."""
    unit = f" {unit}" if unit else ""
    given, value = value, _float(value)
    if value is None:
        raise wrong(thing, f"{field} is {shown(given)}; it must be a number{f' [{unit.strip()}]' if unit else ''}.")
    if unit == " m" and LONGEST < abs(value) < inf:
        raise wrong(thing, f"{field} is {value:g}{unit}; it must be below {LONGEST:g} m.")
    if value != value or not (infinite or isfinite(value)):
        raise wrong(thing, f"{field} is {value}; it must be finite.")
    smallest = 1e-9 if unit == " m" else 1.0 / LONGEST
    if above == 0.0 and 0.0 < value < smallest:
        raise wrong(thing, f"{field} is {value:g}{unit}; it must be at least {smallest:g}{unit}.")
    if least == 0.0 and 0.0 < value < 1.0 / LONGEST:
        raise wrong(thing, f"{field} is {value:g}{unit}; it must be 0 or at least {1.0 / LONGEST:g}{unit}.")
    if above is not None and value <= above:
        limit = "positive" if above == 0.0 else f"above {above:g}{unit}"
        raise wrong(thing, f"{field} is {value:g}{unit}; it must be {limit}.")
    if least is not None and value < least:
        limit = "zero or more" if least == 0.0 else f"at least {least:g}{unit}"
        raise wrong(thing, f"{field} is {value:g}{unit}; it must be {limit}.")
    if most is not None and value > most:
        raise wrong(thing, f"{field} is {value:g}{unit}; it must be at most {most:g}{unit}.")
    return value


@overload
def vector(thing, field: str, value) -> tuple[float, float, float]: ...


@overload
def vector(thing, field: str, value, count: int) -> tuple[float, ...]: ...


def vector(thing, field: str, value, count: int = 3) -> tuple[float, ...]:
    """`value` as a tuple of `count` floats whose squares are still numbers, or an error that names the thing and the field."""
    try:
        values = [] if isinstance(value, (str, bytes, Mapping, Set)) else [_float(v) for v in islice(value, count + 1)]
    except TypeError:
        values = []
    good = tuple(v for v in values if v is not None)
    if not len(values) == len(good) == count:
        raise wrong(thing, f"{field} is {shown(value)}; it must be {count} numbers.")
    if not all(isfinite(v) for v in good):
        raise wrong(thing, f"{field} is {good}; all its numbers must be finite.")
    if max(abs(v) for v in good) > LONGEST:
        raise wrong(thing, f"{field} is {good}; all its numbers must be below {LONGEST:g}.")
    return good


def shares_of_color(thing, value) -> tuple[float, float, float]:
    """Red, green and blue, or an error."""
    color = vector(thing, "color", value)
    if not all(0.0 <= share <= 1.0 for share in color):
        raise wrong(thing, f"color is {color}; red, green and blue must each be from 0 to 1.")
    return color


def table(thing, field: str, value, *axes: tuple[int, float]) -> np.ndarray:
    """A frozen copy of an array of finite numbers; each axis is given by its least and largest length."""
    try:
        given = np.array(value)
        array = np.array(given, float, order="C") if given.dtype.kind in "iuf" else np.zeros(())
    except (TypeError, ValueError, OverflowError):
        array = np.zeros(())
    if array.ndim != len(axes) or not all(low <= n <= high for n, (low, high) in zip(array.shape, axes, strict=True)):
        wanted = " by ".join(str(low) if low == high else f"{low} or more" for low, high in axes)
        raise wrong(thing, f"{field} is {shown(value)}; it must be {wanted} numbers.")
    if not np.isfinite(array).all():
        raise unfinite(thing, field, array)
    array.setflags(write=False)
    return array


def unfinite(thing, field: str, array: np.ndarray) -> SceneError:
    """The error for an array of which some numbers are not finite, with the place of the first."""
    first = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
    return wrong(thing, f"{field} has numbers that are not finite, the first at {list(first)}; give finite ones there.")


def _float(value) -> float | None:
    """A number as a float, one too large as infinite; None for what is no number."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__float__") or hasattr(value, "__len__"):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf
    except (TypeError, ValueError):
        return None


def truth(thing, field: str, value) -> bool:
    """`value` as True or False, or an error: a word like "no" would count as true."""
    if not isinstance(value, (bool, np.bool_)):
        raise wrong(thing, f"{field} is {shown(value)}; it must be True or False.")
    return bool(value)


def direction(thing, field: str, value) -> tuple[float, float, float]:
    """`value` as a unit vector, or an error."""
    x, y, z = vector(thing, field, value)
    length = (x * x + y * y + z * z) ** 0.5
    if length < 1e-12:
        raise wrong(thing, f"{field} is zero; it must point somewhere.")
    if abs(length - 1.0) < 1e-15:
        return x, y, z
    return x / length, y / length, z / length


def unit_quaternion(thing, field: str, value) -> tuple[float, float, float, float]:
    """`value` as a unit quaternion (w, x, y, z), or an error; the nearest unit one within 1 % is taken."""
    w, x, y, z = vector(thing, field, value, 4)
    length = (w * w + x * x + y * y + z * z) ** 0.5
    if abs(length - 1.0) > 0.01:
        raise wrong(thing, f"{field} has length {length:g}; it must be a unit quaternion (w, x, y, z).")
    if abs(length - 1.0) < 1e-15:
        return w, x, y, z
    return w / length, x / length, y / length, z / length
