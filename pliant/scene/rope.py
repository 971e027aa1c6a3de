"""Ropes, cables and rods, and places on them."""

from math import inf
from typing import Any, NamedTuple

import numpy as np

from ..equations.rod.section_stiffness import section_stiffness
from .errors import LONGEST, fail, number, shares_of_color, shown, vector
from .material import Material, material_of
from .thing import Thing, Vector

_STIFFEST = 1e30  # [N m2] its square is still a number
METHODS = ("direct", "impulse", "position", "compliant")


class RopePlace(NamedTuple):
    """A place on a rope: what `rope.start`, `rope.end` and `rope.at(s)` give."""

    name: str
    """As files write it: "tow.start", "tow.end" or "tow@1.25"."""


class RopeStiffness(NamedTuple):
    """What each element of a rope resists with, as given or of its material: what `rope.stiffness` gives."""

    stretch: np.ndarray
    """E A [N] (n - 1,)"""
    shear: np.ndarray
    """G A [N] (n - 1,)"""
    bend: np.ndarray
    """E I about d1 and d2 [N m2] (n - 1, 2)"""
    twist: np.ndarray
    """G J [N m2] (n - 1,)"""


class Rope(Thing, frozen=True):
    """A rope of `points` points; between them are elements that bend and twist against each other."""

    path: Any
    """Points that it runs through at the start (n, 3) [m], world frame."""
    points: Any
    """How many, at least 3; or the arc length of each, from 0 to the rope's length [m]."""
    radius: float
    """Of the round section [m]."""
    material: Material | str | None = None
    """A Material or a preset's name; `Material.preset(name)` shows its numbers."""
    length: Any = None
    """Unstretched [m], longer than the path: slack, laid as a sagging arc, between the pieces of the path at ends that are
    clamped; or unstretched arc at each path point [m], from 0: slack piece by piece."""
    stretch: Any = inf
    """E A [N]: a number, one for each element, or "material"; inf: it does not stretch."""
    shear: Any = inf
    """G A [N], likewise."""
    bend: Any = "material"
    """E I [N m2]: a number, a pair for bending about d1 and d2, one for each element (n,) or (n, 2), or "material", a solid
    round bar of it, which strands are not (docs/ropes.md); "limp", or 0 beside a material: none."""
    twist: Any = "material"
    """G J [N m2]: a number, one for each element, or "material"; "limp", or 0 beside a material: none."""
    mass: float | None = None
    """Of the whole rope [kg]; from the material if not given."""
    rest: Any = "straight"
    """Shape without load: "straight", "path", or Darboux vectors (3,) or (points - 2, 3) [1/m], axes d1, d2, d3."""
    normal: Vector | None = None
    """Direction of d1 at the start, world frame; chosen if not given."""
    closed: bool = False
    """Whether it is a ring: the last point joins the first."""
    closure_twist: float = 0.0
    """Turn about the axis with which a ring is closed [rad]."""
    damping: float = 0.0
    """Kelvin-Voigt time [s]: strain rates bear as much as strains after this time."""
    collide: bool = True
    """Whether it is to touch anything. Not yet: it passes through all, and the world warns where it may; False: as meant."""
    friction: float = 0.3
    """Coulomb [-]. Not yet: it touches nothing."""
    self_contact: bool = True
    """Whether it is to touch itself. Not yet: it passes through itself."""
    break_tension: float = inf
    """Pull at which it is to break [N]. Not yet: a world refuses it."""
    method: str = "direct"
    """"direct", "impulse" (paper A), "position" (paper C) or "compliant" (XPBD)."""
    color: Vector | None = None
    """Red, green, blue, each 0 to 1."""

    def __post_init__(self) -> None:
        self._check_name()
        for word in (".", "@"):
            if word in self.name:
                raise fail(self, f"the name must not hold a '{word}', which stands between a rope and a place on it.")
        self._check_path()
        self._check_points()
        self._set(radius=number(self, "radius", self.radius, "m", above=0.0))
        if self.material is not None and material_of(self, self.material).strain is not None:
            raise fail(self, "its material has a range of strain, which ropes do not know; take one without.")
        for field in ("stretch", "shear", "bend", "twist"):
            self._check_stiffness(field)
        if self.mass is not None:
            self._set(mass=number(self, "mass", self.mass, "kg", above=0.0))
        elif self.material is None:
            raise fail(self, "it has neither a mass nor a material; give one of them.")
        self._check_rest()
        self._check_rest_of_it()

    def _check_path(self) -> None:
        if self.path is None:
            raise fail(self, "path is None; give two or more points [m] (n, 3).")
        path = _array(self, "path", self.path)
        if path.ndim != 2 or path.shape[1] != 3 or len(path) < 2:
            raise fail(self, f"path has shape {path.shape}; it must be two or more points (n, 3).")
        if self.closed is True and len(path) < 3:
            raise fail(self, f"path has {len(path)} points; a closed ring needs three or more.")
        if np.abs(path).max() > LONGEST:
            raise fail(self, f"path has points beyond {LONGEST:g} m; all its numbers must be below that.")
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
        if (steps < 1e-9).any():
            k = int(np.argmax(steps < 1e-9))
            raise fail(self, f"path points {k} and {k + 1} coincide; leave one of them out.")
        self._set(path=path)

    def _check_points(self) -> None:
        least = 3
        if isinstance(self.points, (bool, str)) or (not hasattr(self.points, "__len__") and not _whole(self.points)):
            raise fail(self, f"points is {shown(self.points)}; it must be a whole number from {least} on, or arc lengths [m].")
        if _whole(self.points):
            if int(self.points) < least:
                raise fail(self, f"points is {self.points}; a rope needs at least {least}.")
            if int(self.points) > 1_000_000:
                raise fail(self, f"points is {self.points}; it must be at most 1000000.")
            self._set(points=int(self.points))
            return
        arcs = _array(self, "points", self.points)
        if arcs.ndim != 1 or len(arcs) < least:
            raise fail(self, f"points has {arcs.size} arc lengths; a rope needs at least {least}.")
        if arcs[0] != 0.0 or (np.diff(arcs) <= 0.0).any():
            raise fail(self, "points must be arc lengths [m] that start at 0 and grow.")
        self._set(points=arcs)

    def _check_stiffness(self, field: str) -> None:
        value, words = getattr(self, field), ("material", "limp") if field in ("bend", "twist") else ("material",)
        if isinstance(value, str):
            if value not in words:
                raise fail(self, f"{field} is {shown(value)}; it must be numbers or {' or '.join(repr(w) for w in words)}.")
            if value == "material" and self.material is None:
                raise fail(self, f"{field} is to come from the material, which is not given; give material or {field}.")
            return
        if not hasattr(value, "__len__"):
            rigid = field in ("stretch", "shear")
            unit = "N" if rigid else "N m2"
            if rigid:
                value = number(self, field, value, unit, above=0.0, infinite=True)
            else:
                value = number(self, field, value, unit, least=0.0, most=_STIFFEST)
                self._check_meant(field, value == 0.0)
            self._set(**{field: value})
            return
        array = _array(self, field, value)
        allowed = [(self.elements,), (2,), (self.elements, 2)] if field == "bend" else [(self.elements,)]
        if array.shape not in allowed:
            raise fail(self, f"{field} has shape {array.shape}; it must be a number or one for each of {self.elements} elements"
                             + (", or pairs of them." if field == "bend" else "."))
        if (array < 0.0).any() or (field in ("stretch", "shear") and (array <= 0.0).any()):
            raise fail(self, f"{field} has numbers below zero; stiffness must be positive.")
        if field in ("bend", "twist"):
            if (array > _STIFFEST).any():
                raise fail(self, f"{field} has numbers above {_STIFFEST:g} N m2; what does not bend or twist is a Body.")
            self._check_meant(field, not array.any())
        self._set(**{field: array})

    def _check_meant(self, field: str, zero: bool) -> None:
        if zero and self.material is None:
            raise fail(self, f"{field} is 0 N m2 and no material is given; give {field} or a material, or {field}='limp' if it "
                             "is meant to have none.")

    def _check_rest(self) -> None:
        if isinstance(self.rest, str):
            if self.rest not in ("straight", "path"):
                raise fail(self, f"rest is {shown(self.rest)}; it must be 'straight', 'path' or Darboux vectors [1/m].")
            return
        rest, joints = _array(self, "rest", self.rest), self.elements - (0 if self.closed else 1)
        if rest.shape not in ((3,), (joints, 3)):
            raise fail(self, f"rest has shape {rest.shape}; it must be (3,) or ({joints}, 3): one Darboux vector for all "
                             "joints between elements, or one for each.")
        self._set(rest=rest)

    def _check_rest_of_it(self) -> None:
        if self.length is not None:
            if hasattr(self.length, "__len__"):
                arcs = _array(self, "length", self.length)
                if arcs.shape != (len(self.path),) or arcs[0] != 0.0 or (np.diff(arcs) <= 0.0).any():
                    raise fail(self, f"length must be a number, or {len(self.path)} growing arcs from 0, one a path point.")
                self._set(length=arcs)
            else:
                self._set(length=number(self, "length", self.length, "m", above=0.0))
            whole, last = float(np.max(self.length)), 0.0 if isinstance(self.points, int) else float(self.points[-1])
            if last > 0.0 and abs(last - whole) > 1e-6 * whole:
                raise fail(self, f"points are arc lengths that end at {last:g} m, but length is {whole:g} m; let them end "
                                 "there, or leave length out.")
        if self.normal is not None:
            self._set(normal=vector(self, "normal", self.normal))
        if self.color is not None:
            self._set(color=shares_of_color(self, self.color))
        self._set(closure_twist=number(self, "closure_twist", self.closure_twist, "rad"),
                  damping=number(self, "damping", self.damping, "s", least=0.0),
                  friction=number(self, "friction", self.friction, least=0.0),
                  break_tension=number(self, "break_tension", self.break_tension, "N", above=0.0, infinite=True))
        for field in ("closed", "collide", "self_contact"):
            if not isinstance(getattr(self, field), bool):
                raise fail(self, f"{field} is {shown(getattr(self, field))}; it must be True or False.")
        if not isinstance(self.method, str) or self.method not in METHODS:
            raise fail(self, f"method is {shown(self.method)}; it must be one of {', '.join(METHODS)}.")
        if self.closure_twist != 0.0 and not self.closed:
            raise fail(self, f"closure_twist is {self.closure_twist:g} rad, but only a ring is closed with a twist; give "
                             "closed=True, or turn an end by a pin's motion.")
        if self.closed and self.method != "direct":
            raise fail(self, f"a closed ring needs method 'direct', not '{self.method}'.")

    @property
    def count(self) -> int:
        """Number of points."""
        return self.points if isinstance(self.points, int) else len(self.points)

    @property
    def elements(self) -> int:
        """Number of elements between the points."""
        return self.count - (0 if self.closed else 1)

    @property
    def stuff(self) -> Material | None:
        """What it is made of; None where only its mass and stiffness are given."""
        return None if self.material is None else material_of(self, self.material)

    @property
    def stiffness(self) -> RopeStiffness:
        """E A, G A, E I and G J of its elements, as given or of its material."""
        n, stuff = self.elements, self.stuff
        solid = None if stuff is None else section_stiffness(stuff.young, stuff.shear_modulus, self.radius)

        def values(field: str) -> np.ndarray:
            value = getattr(self, field)
            if isinstance(value, str):
                value = 0.0 if value == "limp" else getattr(solid, field)
            return np.asarray(value, float)

        bend = values("bend")
        if bend.shape != (n, 2):
            bend = np.broadcast_to(bend[:, None] if bend.shape == (n,) and n != 2 else bend, (n, 2))
        stretch, shear, twist = (np.broadcast_to(values(field), (n,)) for field in ("stretch", "shear", "twist"))
        return RopeStiffness(stretch, shear, bend, twist)

    @property
    def start(self) -> RopePlace:
        """Its first end."""
        return RopePlace(f"{self.name}.start")

    @property
    def end(self) -> RopePlace:
        """Its last end."""
        return RopePlace(f"{self.name}.end")

    def at(self, s: float) -> RopePlace:
        """The place at arc length `s` [m] from the start, unstretched."""
        return RopePlace(f"{self.name}@{number(self, 's', s, 'm', least=0.0)!r}")


def _whole(value) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _array(thing, field: str, value) -> np.ndarray:
    """A frozen copy as floats, or an error."""
    try:
        array = np.array(value, float)
    except (TypeError, ValueError, OverflowError):
        raise fail(thing, f"{field} is {shown(value)}; it must be numbers.") from None
    if field in ("stretch", "shear"):
        if np.isnan(array).any():
            raise fail(thing, f"{field} has numbers that are not numbers.")
    elif not np.isfinite(array).all():
        raise fail(thing, f"{field} has numbers that are not finite.")
    array.setflags(write=False)
    return array
