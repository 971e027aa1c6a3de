"""What a user reads when the scene is wrong: which thing, which field, what is allowed."""

from collections.abc import Iterable
from difflib import get_close_matches
from math import isfinite
from typing import overload


class SceneError(ValueError):
    """The scene cannot be simulated as described."""


class Diverged(FloatingPointError):
    """A step gave a state that is not finite; the world keeps the last good one."""

    def __init__(self, time: float, thing: str, reason: str) -> None:
        super().__init__(f"At t = {time:g} s '{thing}' {reason}.")
        self.time, self.thing, self.reason = time, thing, reason


def who(thing) -> str:
    """How a message names a thing: Spring 'tether'."""
    name = getattr(thing, "name", "")
    kind = type(thing).__name__
    return f"{kind} '{name}'" if name else kind


def fail(thing, text: str) -> SceneError:
    """The error `text` about `thing`."""
    return SceneError(f"{who(thing)}: {text}")


def unknown_name(thing, role: str, name: str, known: Iterable[str]) -> SceneError:
    """An error for a name that is not in the scene, with the nearest one that is."""
    known = list(known)
    near = get_close_matches(str(name), known, n=1)
    shown = ", ".join(known[:12]) + (" …" if len(known) > 12 else "")
    hint = f"Did you mean '{near[0]}'?" if near else f"The scene has: {shown or 'nothing'}."
    return SceneError(f"{who(thing)}: {role} is '{name}', which is not in the scene. {hint}")


def number(thing, field: str, value, unit: str = "", *, above: float | None = None, least: float | None = None,
           most: float | None = None, infinite: bool = False) -> float:
    """`value` as a float, or an error that names the thing, the field and what is allowed."""
    unit = f" {unit}" if unit else ""
    if isinstance(value, bool) or not hasattr(value, "__float__") or hasattr(value, "__len__"):
        raise fail(thing, f"{field} is {value!r}; it must be a number{f' [{unit.strip()}]' if unit else ''}.")
    try:
        value = float(value)
    except OverflowError:
        value = float("inf")
    if unit == " m" and isfinite(value) and abs(value) > 1e100:
        raise fail(thing, f"{field} is {value:g}{unit}; it must be below 1e100.")
    if value != value or not (infinite or isfinite(value)):
        raise fail(thing, f"{field} is {value}; it must be finite.")
    if unit == " m" and above == 0.0 and 0.0 < value < 1e-9:
        raise fail(thing, f"{field} is {value:g} m; it must be at least 1e-9 m.")
    if above is not None and value <= above:
        limit = "positive" if above == 0.0 else f"above {above:g}{unit}"
        raise fail(thing, f"{field} is {value:g}{unit}; it must be {limit}.")
    if least is not None and value < least:
        limit = "zero or more" if least == 0.0 else f"at least {least:g}{unit}"
        raise fail(thing, f"{field} is {value:g}{unit}; it must be {limit}.")
    if most is not None and value > most:
        raise fail(thing, f"{field} is {value:g}{unit}; it must be at most {most:g}{unit}.")
    return value


@overload
def vector(thing, field: str, value) -> tuple[float, float, float]: ...


@overload
def vector(thing, field: str, value, count: int) -> tuple[float, ...]: ...


def vector(thing, field: str, value, count: int = 3) -> tuple[float, ...]:
    """`value` as a tuple of `count` finite floats, or an error that names the thing and the field."""
    try:
        values = tuple(float(v) for v in value)
    except (TypeError, ValueError, OverflowError):
        values = ()
    if len(values) != count:
        raise fail(thing, f"{field} is {value!r}; it must be {count} numbers.")
    if not all(isfinite(v) for v in values):
        raise fail(thing, f"{field} is {values}; all its numbers must be finite.")
    return values


def direction(thing, field: str, value) -> tuple[float, float, float]:
    """`value` as a unit vector, or an error."""
    x, y, z = vector(thing, field, value)
    length = (x * x + y * y + z * z) ** 0.5
    if length < 1e-12:
        raise fail(thing, f"{field} is zero; it must point somewhere.")
    if abs(length - 1.0) < 1e-15:
        return x, y, z
    return x / length, y / length, z / length


def unit_quaternion(thing, field: str, value) -> tuple[float, float, float, float]:
    """`value` as a unit quaternion (w, x, y, z), or an error; the nearest unit one within 1 % is taken."""
    w, x, y, z = vector(thing, field, value, 4)
    length = (w * w + x * x + y * y + z * z) ** 0.5
    if abs(length - 1.0) > 0.01:
        raise fail(thing, f"{field} has length {length:g}; it must be a unit quaternion (w, x, y, z).")
    if abs(length - 1.0) < 1e-15:
        return w, x, y, z
    return w / length, x / length, y / length, z / length
