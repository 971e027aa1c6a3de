"""Springs with dampers: between points of bodies, and on coordinates of joints."""

import numpy as np

from .errors import fail, number, shown, vector
from .thing import Thing, Vector, reference


class Spring(Thing, frozen=True):
    """A spring with a damper between two points of bodies.

    It is solved by implicit Euler, stable for any stiffness, which damps: a swing of omega [rad/s] in substeps of h [s] decays
    as if by a damping ratio of omega h / 2 (0.05 at 1 Hz in steps of 1/60 s). `World(scene, substeps=…)` makes h smaller.
    """

    a: str
    """A body, a site or the world."""
    b: str
    """Likewise."""
    stiffness: float = 0.0
    """[N/m]"""
    damping: float = 0.0
    """[N s/m]"""
    rest_length: float | None = None
    """[m]; as the bodies stand at the start if not given."""
    at_a: Vector = (0.0, 0.0, 0.0)
    """Where it is fastened [m], frame of a; on a rope d1, d2, d3 of the element there, from the place on."""
    at_b: Vector = (0.0, 0.0, 0.0)
    """Where it is fastened [m], frame of b, likewise."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(a=reference(self, "a", self.a), b=reference(self, "b", self.b))
        if self.a == self.b:
            raise fail(self, f"both ends are on '{self.a}'; a spring needs two bodies.")
        self._set(stiffness=number(self, "stiffness", self.stiffness, "N/m", least=0.0),
                  damping=number(self, "damping", self.damping, "N s/m", least=0.0),
                  at_a=vector(self, "at_a", self.at_a), at_b=vector(self, "at_b", self.at_b))
        if self.rest_length is not None:
            self._set(rest_length=number(self, "rest_length", self.rest_length, "m", least=0.0))
        if self.stiffness == 0.0 and self.damping == 0.0:
            raise fail(self, "stiffness and damping are both zero; give one of them.")


class JointSpring(Thing, frozen=True):
    """A spring with a damper on one coordinate of a joint: torsion spring in a revolute, strut in a prismatic.

    It damps as `Spring` does, by a ratio of omega h / 2; `World(scene, substeps=…)` lessens that.
    """

    joint: str
    """The joint that it is in."""
    stiffness: float = 0.0
    """[N m/rad or N/m]"""
    damping: float = 0.0
    """[N m s/rad or N s/m]"""
    rest: float = 0.0
    """Coordinate at zero effort [rad or m]."""
    coordinate: int = 0
    """Which free coordinate of the joint: 0, 1 or 2."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(joint=reference(self, "joint", self.joint), stiffness=number(self, "stiffness", self.stiffness, least=0.0),
                  damping=number(self, "damping", self.damping, least=0.0), rest=number(self, "rest", self.rest))
        if self.stiffness == 0.0 and self.damping == 0.0:
            raise fail(self, "stiffness and damping are both zero; give one of them.")
        whole = isinstance(self.coordinate, (int, np.integer)) and not isinstance(self.coordinate, bool)
        if not whole or not 0 <= self.coordinate <= 2:
            raise fail(self, f"coordinate is {shown(self.coordinate)}; it must be 0, 1 or 2.")
        self._set(coordinate=int(self.coordinate))
