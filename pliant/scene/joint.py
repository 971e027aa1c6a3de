"""Joints between two bodies, and latches that hold them."""

from math import pi
from typing import ClassVar

from .errors import direction, fail, number, shown, truth, vector
from .motor import DCMotor, Motor, PositionMotor, VelocityMotor
from .thing import Thing, Vector, reference


class Joint(Thing, frozen=True):
    """What all joints share. Anchor and axis are given in the world frame, as things stand at the start."""

    coordinates: ClassVar[tuple[str, ...]] = ()
    """What the joint leaves free: "angle" [rad] or "travel" [m]."""

    parent: str
    """A body, a site or the world."""
    child: str
    """Likewise; the coordinate says how it stands to the parent."""
    anchor: Vector | None = None
    """[m], world frame; the child's position if not given."""
    axis: Vector = (0.0, 0.0, 1.0)
    """World frame; the coordinate grows as the child turns (right hand) about it or moves along it."""
    limits: tuple[float, float] | None = None
    """Of the first coordinate [rad or m]; of a Spherical: (0, largest swing of the axis), which is at most pi."""
    friction: float = 0.0
    """Dry friction in every free coordinate [N m or N]."""
    damping: float = 0.0
    """Viscous friction in every free coordinate [N m s/rad or N s/m]."""
    motor: Motor | None = None
    """Drives the first coordinate."""
    reaction_friction: float = 0.0
    """Dry friction that grows with the joint's reaction force: times an arm [m] for an angle, a number for a travel."""
    collide: bool | None = None
    """Whether the two bodies may touch each other; None: no, but what is joined to the world touches the ground, unless it
    stands on it or in it at the start."""

    max_rate: float = float("inf")
    """Largest speed that its motor drives it at [rad/s or m/s]; a load may draw it faster, against the motor. A DC motor is
    given no more voltage than turns it so fast without load, and is the weaker for it."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(parent=reference(self, "parent", self.parent), child=reference(self, "child", self.child),
                  collide=None if self.collide is None else truth(self, "collide", self.collide))
        if self.parent == self.child:
            raise fail(self, f"parent and child are both '{self.parent}'; a joint needs two bodies.")
        if self.anchor is not None:
            self._set(anchor=vector(self, "anchor", self.anchor))
        self._set(axis=direction(self, "axis", self.axis),
                  friction=number(self, "friction", self.friction, least=0.0),
                  damping=number(self, "damping", self.damping, least=0.0),
                  reaction_friction=number(self, "reaction_friction", self.reaction_friction, least=0.0),
                  max_rate=number(self, "max_rate", self.max_rate, least=0.0, infinite=True))
        if self.limits is not None:
            self._check_limits()
        if self.motor is not None:
            self._check_motor()
        if not self.coordinates and (self.friction or self.damping or self.reaction_friction):
            raise fail(self, "it has no free coordinate; friction and damping must be zero.")

    def _check_limits(self) -> None:
        if not self.coordinates:
            raise fail(self, "it has no free coordinate; leave limits out.")
        try:
            low, high = self.limits  # type: ignore[misc]
        except (TypeError, ValueError):
            raise fail(self, f"limits is {shown(self.limits)}; it must be a pair (low, high).") from None
        low, high = (number(self, "limits", v, infinite=True) for v in (low, high))
        if low > high:
            raise fail(self, f"limits is ({low:g}, {high:g}); low must not be above high.")
        self._set(limits=(low, high))

    def _check_motor(self) -> None:
        if not isinstance(self.motor, (VelocityMotor, PositionMotor, DCMotor)):
            raise fail(self, f"motor is {shown(self.motor)}; it must be a VelocityMotor, PositionMotor or DCMotor.")
        if len(self.coordinates) not in (1, 2):
            raise fail(self, "it has no axis to drive; leave motor out.")


class Revolute(Joint, frozen=True):
    """A hinge: turns about the axis."""

    coordinates = ("angle",)


class Prismatic(Joint, frozen=True):
    """A slide: moves along the axis."""

    coordinates = ("travel",)


class Spherical(Joint, frozen=True):
    """A ball: turns all ways about the anchor; its coordinates are the rotation vector's, along axis and two across."""

    coordinates = ("angle", "angle", "angle")

    def _check_limits(self) -> None:
        super()._check_limits()
        low, high = self.limits  # type: ignore[misc]
        if low != 0.0 or high > pi:
            most = max(abs(low), abs(high))
            remedy = f"give (0, {most:g})" if most <= pi else "leave limits out if it may swing all ways"
            raise fail(self, f"limits is ({low:g}, {high:g}); those of a ball are of how far its axis swings, from 0 to at "
                             f"most pi; {remedy}.")


class Fixed(Joint, frozen=True):
    """Holds the child as it is."""


class Universal(Joint, frozen=True):
    """A cross: turns about the axis, which the parent carries, and about a second one, which the child carries."""

    coordinates = ("angle", "angle")

    axis2: Vector | None = None
    """World frame, at right angles to the axis; chosen if not given."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.axis2 is not None:
            second = direction(self, "axis2", self.axis2)
            if abs(sum(a * b for a, b in zip(self.axis, second, strict=True))) > 1e-6:
                raise fail(self, "axis2 is not at right angles to axis.")
            self._set(axis2=second)


class Cylindrical(Joint, frozen=True):
    """A sleeve: moves along the axis and turns about it; coordinate 0 is the travel, 1 the angle."""

    coordinates = ("travel", "angle")


class Latch(Thing, frozen=True):
    """Catches a joint's first coordinate at a value and holds it up to an effort.

    What comes too fast to be stopped there, or is driven past, is drawn back with that effort until it is 0.05 m or rad behind:
    then the latch has missed it, and lets it go. A motor that holds a speed goes on pulling at what is caught: let go of it.
    """

    joint: str
    """The joint that it holds."""
    at: float
    """Coordinate at which it catches [rad or m]."""
    hold: float
    """Largest effort before it lets go [N m or N]."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(joint=reference(self, "joint", self.joint), at=number(self, "at", self.at),
                  hold=number(self, "hold", self.hold, "N m or N", above=0.0, infinite=True))
