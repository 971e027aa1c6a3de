"""Springs between two bodies on one hinge as a torque of its angle, for engines without springs between points."""

from math import cos, sin, sqrt
from typing import NamedTuple

import numpy as np

import pliant as pl

from .parts import anchor_of, rotation


class Coil(NamedTuple):
    """A spring between two bodies on one hinge, as a torque of its angle q: length² = a + b cos q + c sin q."""

    a: float
    b: float
    c: float
    spring: pl.Spring
    rest: float
    """[m]"""

    def torque(self, angle: float, rate: float) -> float:
        """[N m] on the child at an angle [rad] and rate [rad/s]."""
        cosine, sine = cos(angle), sin(angle)
        length = sqrt(self.a + self.b * cosine + self.c * sine)
        arm = (self.c * cosine - self.b * sine) / (2.0 * length)  # d length / d angle
        return -arm * (self.spring.stiffness * (length - self.rest) + self.spring.damping * arm * rate)


def coils(scene: pl.Scene) -> dict[str, Coil]:
    """PyBullet has no springs between points: those beside a hinge become its torque, by the hinge's name."""
    bodies = {t.name: t for t in scene.flat() if isinstance(t, pl.Body)}
    hinge_of = {frozenset((t.parent, t.child)): t for t in scene.flat() if isinstance(t, pl.Revolute)}
    made = {}
    for spring in (t for t in scene.flat() if isinstance(t, pl.Spring)):
        hinge = hinge_of.get(frozenset((spring.a, spring.b)))
        if hinge is None:
            raise TypeError(f"'{spring.name}' is not beside a hinge; PyBullet has no springs between points")
        places = {}
        for name, at in ((spring.a, spring.at_a), (spring.b, spring.at_b)):
            body = bodies[name]
            places[name] = body.position + rotation(body.quaternion) @ at - anchor_of(hinge, bodies[hinge.child])
        fixed, turning, axis = places[hinge.parent], places[hinge.child], np.array(hinge.axis)
        along = axis * (axis @ turning)
        across = turning - along
        rest = spring.rest_length if spring.rest_length is not None else np.linalg.norm(turning - fixed)
        numbers = (fixed @ fixed + turning @ turning - 2 * fixed @ along, -2 * fixed @ across,
                   -2 * fixed @ np.cross(axis, across))
        made[hinge.name] = Coil(*map(float, numbers), spring, float(rest))
    return made
