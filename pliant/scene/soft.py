"""What cloth and solids share: vertices that are chosen by place, and the words for methods."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .errors import LONGEST, SceneError, fail, nearest, number, shares_of_color, shown, truth, unit_quaternion, vector, wrong
from .material import STIFFEST, Material, material_of, stretches
from .pose import turned
from .thing import Thing
from .vertex_words import Misread, box_in, box_of, layout, numbers_in, soft_and_words, words_of_box, words_of_numbers

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
    """As files write it: a box "flag[(-inf, 0, 0), (0.1, inf, 1)]", lower and upper corner, or numbers of so many vertices that
    lie so, "flag[0-24,30 of 121/3f2a9c01]"; by hand "flag[0-24,30]" will do."""


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
        function of the rest positions (n, 3) [m] that gives a mask. A box stays one, and holds what is in it also when the mesh
        is changed; others become numbers, which go with this mesh alone.
        """
        numbers = self._chosen(selector)
        box = None if callable(selector) else box_of(selector)
        return VertexPlace(f"{self.name}[{words_of_numbers(numbers, self.rest) if box is None else words_of_box(box)}]")

    def numbers(self, words: str) -> np.ndarray:
        """Vertices (k,), in order, that the words between the brackets of a place mean."""
        place = f"'{self.name}[{words[:80]}]'"
        try:
            box = box_in(self.name, words)
            if box is not None:
                return self._chosen(box)
            listed, among, _ = numbers_in(self.name, words)
        except Misread as error:
            raise wrong(self, f"{place} {error}") from None
        if among is not None and among != len(self.rest):
            raise wrong(self, f"{place} was chosen among {among} vertices, and it has {len(self.rest)} now; choose them again "
                             "by thing.vertices, and by a box if they are to go with the mesh.")
        return self._chosen(listed)

    def rearranged(self, words: str) -> bool:
        """Whether its vertices lie otherwise than when those that the words number were chosen."""
        lay = None if "(" in words else numbers_in(self.name, words).layout
        return lay is not None and lay != layout(self.rest)

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
        if box_of(given) is not None:
            edge = 1e-9 * float(np.ptp(self.rest, axis=0).max())
            inside = (self.rest >= given[0] - edge).all(axis=1) & (self.rest <= given[1] + edge).all(axis=1)
            return self._some(np.flatnonzero(inside), f"the box from {tuple(given[0].tolist())} to {tuple(given[1].tolist())}")
        if given.dtype.kind in "iuf" and not given.size:
            raise wrong(self, f"the selector is empty; choose at least one of its vertices, which are 0 to {count - 1}.")
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
        raise fail(thing, f"{field} has numbers that are not finite, the first at vertex {bad[0]}; give it three below "
                          f"{LONGEST:g} m.")
    array.setflags(write=False)
    return array


def stiffness_or_range(thing: Any, field: str, value: Any) -> float | tuple[float, float] | None:
    """A stiffness [Pa], a range (low, high) [-], or None for the material's stiffness and no range."""
    if value is None:
        return None
    if isinstance(value, str):
        raise wrong(thing, f"{field} is {shown(value)}; it must be a stiffness [Pa], or a range (low, high) [-].")
    if not hasattr(value, "__len__"):
        return number(thing, field, value, "Pa", least=0.0, most=STIFFEST)
    return stretches(thing, field, value)
