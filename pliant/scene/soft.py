"""What cloth and solids share: vertices that are chosen by place, and the words for methods."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .errors import LONGEST, SceneError, fail, nearest, number, shares_of_color, shown, truth, unit_quaternion, vector, wrong
from .material import STIFFEST, Material, material_of, stretches
from .pose import turned
from .thing import Thing

METHODS = ("projective", "quasi-newton", "position", "jacobi", "newton")
TOUCHING = ("projective", "quasi-newton", "position")
"""Methods whose things touch others."""
TYING = ("projective", "quasi-newton")
"""Methods whose vertices may be attached to what moves."""
PULLING_APART = ("newton",)
"""Methods that can take a negative weight of volume: Poisson's ratios below 0."""


class VertexPlace(NamedTuple):
    """Some vertices of a soft thing: what `thing.vertices(selector)` gives."""

    name: str
    """As files write it: "flag[0-24,30]"; by hand also a box "flag[(-inf, 0, 0), (0.1, inf, 1)]", lower and upper corner."""


class Soft(Thing, frozen=True):
    """A thing of vertices; its own frame is that of its mesh."""

    @property
    def rest(self) -> np.ndarray:
        """Vertices without load [m] (n, 3), own frame."""
        raise NotImplementedError

    @property
    def faces(self) -> np.ndarray:
        """Triangles of its surface (m, 3), counter-clockwise from outside."""
        raise NotImplementedError

    @property
    def stuff(self) -> Material:
        """What it is made of."""
        me: Any = self
        return material_of(self, me.material)

    def placed(self) -> np.ndarray:
        """Vertices at the start [m] (n, 3), world frame."""
        me: Any = self
        axes = np.array([turned(me.quaternion, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))])
        return self.rest @ axes + np.array(me.position)

    def vertices(self, selector: Any) -> VertexPlace:
        """The vertices of a selector, for scene.pin, Load and apply_force.

        indices (k,) | mask (n,) of truth values | (lower, upper) corners of a box [m], own frame, borders included |
        function of the rest positions (n, 3) [m] that gives a mask.
        """
        return VertexPlace(f"{self.name}[{_ranges(self._chosen(selector))}]")

    def numbers(self, text: str) -> np.ndarray:
        """Vertices (k,), in order, that the words between the brackets of a place mean."""
        if "(" in text:
            found = re.findall(r"[-+]?(?:inf|[0-9.]+(?:[eE][-+]?[0-9]+)?)", text)
            if len(found) != 6 or re.sub(r"[-+0-9.eEinf,()\s]", "", text):
                raise wrong(self, f"'{self.name}[{text}]' is no box; write the lower and the upper corner, "
                                 f"like '{self.name}[(-inf, 0, 0), (0.1, inf, 1)]'.")
            low_high = np.array([float(word) for word in found]).reshape(2, 3)
            return self._chosen((low_high[0], low_high[1]))
        out: list[int] = []
        for word in text.split(","):
            ends = re.fullmatch(r"\s*([0-9]+)(?:\s*-\s*([0-9]+))?\s*", word)
            if ends is None:
                raise wrong(self, f"'{self.name}[{text[:80]}]' does not say vertices; write numbers and ranges like "
                                 f"'{self.name}[0-24,30]', or the corners of a box.")
            if int(ends[2] or ends[1]) < int(ends[1]):
                raise wrong(self, f"'{self.name}[{text[:80]}]' has a range that runs backwards, {word.strip()}; write "
                                 f"{ends[2]}-{ends[1]}.")
            out += range(int(ends[1]), int(ends[2] or ends[1]) + 1) if int(ends[2] or ends[1]) < 10**7 else [10**7]
        return self._chosen(out)

    def _chosen(self, selector: Any) -> np.ndarray:
        """Vertices (k,), each once, in order."""
        count = len(self.rest)
        if callable(selector):
            mask = np.asarray(selector(self.rest))
            if mask.shape != (count,) or mask.dtype != bool:
                raise wrong(self, f"the selector's function gave {shown(mask)}; it must give {count} truth values.")
            return self._some(np.flatnonzero(mask), "the selector's function")
        try:
            given = np.asarray(selector)
        except ValueError:
            given = np.asarray(None)
        if given.dtype == bool:
            if given.shape != (count,):
                raise wrong(self, f"the mask has shape {given.shape}; it must be ({count},).")
            return self._some(np.flatnonzero(given), "the mask")
        if given.shape == (2, 3) and given.dtype.kind in "iuf" and not np.isnan(given).any():
            edge = 1e-9 * float(np.ptp(self.rest, axis=0).max())
            inside = (self.rest >= given[0] - edge).all(axis=1) & (self.rest <= given[1] + edge).all(axis=1)
            return self._some(np.flatnonzero(inside), f"the box from {tuple(given[0].tolist())} to {tuple(given[1].tolist())}")
        if given.dtype.kind not in "iu" or given.ndim > 1:
            raise wrong(self, f"the selector is {shown(selector)}; it must be indices, {count} truth values, two corners "
                             "of a box, or a function.")
        out = np.unique(given)
        if out.size and (out[0] < 0 or out[-1] >= count):
            raise wrong(self, f"vertex {out[0] if out[0] < 0 else out[-1]} is asked for; it has vertices 0 to {count - 1}.")
        return self._some(out, "the list")

    def _some(self, found: np.ndarray, what: str) -> np.ndarray:
        if not len(found):
            raise wrong(self, f"{what} holds no vertex; its rest positions run from "
                              f"{tuple(np.round(self.rest.min(axis=0), 6).tolist())} to "
                             f"{tuple(np.round(self.rest.max(axis=0), 6).tolist())} m.")
        return found.astype(np.int64)

    def _check_common(self) -> None:
        """Fields that cloth and solids have both."""
        self._check_name()
        if "[" in self.name or "]" in self.name:
            raise fail(self, "the name must not hold brackets, which stand around the vertices of a thing.")
        me: Any = self
        if not isinstance(me.method, str) or me.method not in METHODS:
            raise fail(self, f"method is {shown(me.method)}; it must be one of {', '.join(METHODS)}.")
        count = me.iterations
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= 10_000:
            raise fail(self, f"iterations is {shown(count)}; it must be a whole number from 1 to 10000.")
        self._set(iterations=int(count), position=vector(self, "position", me.position),
                  quaternion=unit_quaternion(self, "quaternion", me.quaternion),
                  velocity=vector(self, "velocity", me.velocity),
                  friction=number(self, "friction", me.friction, least=0.0), collide=truth(self, "collide", me.collide),
                  color=None if me.color is None else shares_of_color(self, me.color))
        ratio = self.stuff.poisson_ratio
        if not -1.0 < ratio < 0.5:
            raise fail(self, f"its material has a Poisson's ratio of {ratio:g}; cloth and solids need one above -1 and below "
                             "0.5, as 0.49.")
        if ratio < 0.0 and me.method not in PULLING_APART:
            raise fail(self, f"its material has a Poisson's ratio of {ratio:g}, but method '{me.method}' cannot take one below "
                             "0; take method 'newton', or a ratio of at least 0.")


def soft_and_words(name: Any) -> tuple[str, str] | None:
    """The thing and the words between the brackets of a place like "flag[0-24]"; None for other places."""
    if not isinstance(name, str) or not name.endswith("]") or "[" not in name:
        return None
    thing, _, words = name[:-1].partition("[")
    return thing, words


def numbers_of(user: Any, role: str, name: str, things: Mapping[str, Any]) -> tuple[Any, np.ndarray]:
    """The soft thing of a place, and the vertices that it names, on behalf of `user`."""
    found = soft_and_words(name)
    thing = things.get(found[0]) if found else None
    if found is None or not isinstance(thing, Soft):
        hint = nearest(found[0] if found else name, [one.name for one in things.values() if isinstance(one, Soft)])
        raise fail(user, f"{role} is {shown(name)}; before the brackets must stand a cloth or a solid of the scene. {hint}")
    try:
        return thing, thing.numbers(found[1])
    except SceneError as error:
        raise fail(user, f"{role}: {error}") from None


def vertex_table(thing: Any, field: str, value: Any) -> np.ndarray:
    """A frozen table (n, 3) of finite places [m], or an error."""
    try:
        array = np.array(value, float, order="C")
    except (TypeError, ValueError, OverflowError):
        array = np.zeros(0)
    if array.ndim != 2 or array.shape[1:] != (3,) or not len(array):
        raise fail(thing, f"{field} is {shown(value)}; it must be places (n, 3) [m].")
    bad = np.flatnonzero(~(np.abs(array) < LONGEST).all(axis=1))
    if len(bad):
        raise fail(thing, f"{field} has numbers that are not finite, the first at vertex {bad[0]}.")
    array.setflags(write=False)
    return array


def stiffness_or_range(thing: Any, field: str, value: Any) -> float | tuple[float, float] | None:
    """A stiffness [Pa], a range (low, high) [-], or None for the material's stiffness and no range."""
    if value is None:
        return None
    if not hasattr(value, "__len__"):
        return number(thing, field, value, "Pa", least=0.0, most=STIFFEST)
    return stretches(thing, field, value)


def _ranges(numbers: np.ndarray) -> str:
    """Growing numbers as text: 0-3,7."""
    ends = np.flatnonzero(np.diff(numbers) != 1)
    first, last = numbers[np.concatenate([[0], ends + 1])], numbers[np.concatenate([ends, [len(numbers) - 1]])]
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(first.tolist(), last.tolist(), strict=True))
