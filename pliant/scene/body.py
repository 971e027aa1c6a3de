"""Rigid bodies, the ground, and named places on bodies."""

from math import inf
from typing import Any

import numpy as np

from .errors import direction, fail, number, shares_of_color, shown, truth, unit_quaternion, vector
from .motion import Motion, motion_of
from .shape import Box, Capsule, Cylinder, HeightField, Mesh, Placed, Sphere
from .thing import Quaternion, Thing, Vector, reference

HEAVIEST = 1e30
"""Largest mass [kg] and density [kg/m3]; with LONGEST, products of them are still numbers."""

SHAPES = (Box, Sphere, Capsule, Cylinder, Mesh, HeightField)


class Body(Thing, frozen=True):
    """A rigid body. Its frame is the shape's frame; the centre of mass follows from the shape, or is given."""

    shape: Box | Sphere | Capsule | Cylinder | Mesh | HeightField | tuple[Placed, ...]
    """A shape, or several placed ones."""
    mass: float | None = None
    """[kg]; this or density; neither: density 1000 kg/m3."""
    density: float | None = None
    """[kg/m3]; this or mass."""
    position: Vector = (0.0, 0.0, 0.0)
    """Of its own frame at the start [m], world frame."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Own frame to world (w, x, y, z), unit."""
    velocity: Vector = (0.0, 0.0, 0.0)
    """Of the centre of mass at the start [m/s], world frame."""
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    """At the start [rad/s], world frame."""
    fixed: bool = False
    """Whether it stays where it is, whatever pushes."""
    motion: Motion | None = None
    """Drives the body; it then moves everything and is moved by nothing."""
    friction: float = 0.5
    """Coulomb [-]; between two things the larger counts."""
    restitution: float = 0.0
    """[-]; between two things the larger counts."""
    collide: bool = True
    """Whether it touches anything."""
    break_force: float = inf
    """What presses on it with more [N] breaks it, as an egg: an event in the report, and world[name].broken. It is the sum over
    the contacts with one other thing, mean over a step; the pieces stay one body."""
    color: Vector | None = None
    """Red, green, blue, each 0 to 1."""
    center_of_mass: Vector | None = None
    """[m], body's frame; from the shape if not given."""
    inertia: tuple[float, ...] | None = None
    """About the centre of mass, body's axes: (xx, yy, zz) or (xx, yy, zz, xy, xz, yz) [kg m2]; else from the shape."""

    def __post_init__(self) -> None:
        self._check_name()
        self._check_shape()
        self._set(fixed=truth(self, "fixed", self.fixed), collide=truth(self, "collide", self.collide))
        if self.mass is not None and self.density is not None:
            raise fail(self, "mass and density are both given; give one of them.")
        for field, unit in (("mass", "kg"), ("density", "kg/m3")):
            if getattr(self, field) is not None:
                self._set(**{field: number(self, field, getattr(self, field), unit, above=0.0, most=HEAVIEST)})
        for field in ("velocity", "angular_velocity"):
            self._set(**{field: vector(self, field, getattr(self, field))})
        self._set(position=vector(self, "position", self.position),
                  quaternion=unit_quaternion(self, "quaternion", self.quaternion),
                  friction=number(self, "friction", self.friction, least=0.0),
                  restitution=number(self, "restitution", self.restitution, least=0.0, most=1.0),
                  break_force=number(self, "break_force", self.break_force, "N", above=0.0, infinite=True))
        if self.color is not None:
            self._set(color=shares_of_color(self, self.color))
        if self.center_of_mass is not None:
            self._set(center_of_mass=vector(self, "center_of_mass", self.center_of_mass))
        if self.inertia is not None:
            self._check_inertia()
        self._set(motion=motion_of(self, self.motion))
        if self.motion is not None and self.fixed:
            raise fail(self, "fixed and motion are both given; give one of them.")
        if isinstance(self.shape, HeightField) and not (self.fixed or self.motion):
            raise fail(self, "a HeightField has no mass; set fixed=True.")

    def _check_shape(self) -> None:
        shape = self.shape
        if isinstance(shape, Placed):
            shape = (shape,)
        if isinstance(shape, (list, tuple)) and shape and all(isinstance(s, Placed) for s in shape):
            self._set(shape=tuple(shape))
        elif not isinstance(shape, SHAPES):
            names = ", ".join(s.__name__ for s in SHAPES)
            bare = [k for k, one in enumerate(shape) if not isinstance(one, Placed)] if isinstance(shape, (list, tuple)) else []
            if bare and isinstance(one := shape[bare[0]], SHAPES):
                raise fail(self, f"item {bare[0]} of shape is {shown(one)} without a place; write "
                                 f"pl.Placed(pl.{type(one).__name__}(…), position=(x, y, z)).")
            raise fail(self, f"shape is {shown(shape)}; it must be one of {names}, or a list of Placed shapes.")

    def _check_inertia(self) -> None:
        given: Any = self.inertia
        count = len(given) if isinstance(given, (list, tuple)) else np.size(given)
        if _is_matrix(given):
            raise fail(self, "inertia is a matrix; give xx, yy and zz, or xx, yy, zz, xy, xz and yz.")
        inertia = vector(self, "inertia", given, 6 if count == 6 else 3)
        xx, yy, zz, xy, xz, yz = (*inertia, 0.0, 0.0, 0.0)[:6]
        if max(abs(one) for one in inertia) > HEAVIEST**2:
            raise fail(self, f"inertia is {inertia} kg m2; its numbers must be below {HEAVIEST**2:g}.")
        minor = xx * yy - xy * xy
        determinant = zz * minor - xx * yz * yz - yy * xz * xz + 2.0 * xy * xz * yz
        if xx <= 0.0 or minor <= 0.0 or determinant <= 0.0:
            raise fail(self, f"inertia is {inertia} kg m2; it must be positive definite.")
        self._set(inertia=inertia)


def _is_matrix(value) -> bool:
    try:
        return np.shape(value) == (3, 3)
    except ValueError:  # rows of different lengths
        return False


def doubt_of_inertia(tensor) -> str:
    """What is doubtful about an inertia (3, 3) [kg m2]: no body has a principal moment above the sum of the others."""
    a, b, c = np.linalg.eigvalsh(tensor)
    if c <= (1.0 + 1e-6) * (a + b):  # so far it may be rounding
        return ""
    return (f"its inertia has principal moments {a:.3g}, {b:.3g} and {c:.3g} kg m2, and no body has one above the sum of the "
            "others; it is simulated as given, but check the numbers.")


class Ground(Thing, frozen=True):
    """An endless plane, also tilted."""

    name: str = "ground"
    """As of every thing; a second ground needs another."""
    friction: float = 0.8
    """Coulomb [-]; between two things the larger counts."""
    restitution: float = 0.0
    """[-], from 0 to 1; between two things the larger counts."""
    height: float = 0.0
    """Where the plane crosses the z axis [m]; along the normal if that is level."""
    normal: Vector = (0.0, 0.0, 1.0)
    """The way up from it, world frame; made unit."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(friction=number(self, "friction", self.friction, least=0.0),
                  restitution=number(self, "restitution", self.restitution, least=0.0, most=1.0),
                  height=number(self, "height", self.height, "m"), normal=direction(self, "normal", self.normal))


class Site(Thing, frozen=True):
    """A named place on a body, to attach things to."""

    body: str
    """The body, or the site, that it is on."""
    position: Vector = (0.0, 0.0, 0.0)
    """[m], frame of that body."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Its frame to that of the body (w, x, y, z), unit."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(body=reference(self, "body", self.body), position=vector(self, "position", self.position),
                  quaternion=unit_quaternion(self, "quaternion", self.quaternion))
        if self.body == self.name:
            raise fail(self, "body is the site itself; name the body it is on.")
