"""Longest steps of ropes by impulses, whose bending, twisting and tension across the rope are explicit."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..model.point_ropes import BEFORE, BEND, ELEMENT, ELEMENTS, IMPULSE, KIND, LENGTH, POINT, POINTS
from .draft import Draft


class StepLimit(NamedTuple):
    """Substeps that a rope allows."""

    stiff: float
    """[s], by bending and twisting: beyond it the rope flies apart."""
    taut: float
    """[s], if it carries the weight of itself and of the heavier of the bodies at its ends, and the loads on all of them."""


def step_limits(into: Draft) -> dict[str, StepLimit]:
    """By the names of the ropes that have any."""
    return {one.thing.name: _limit(one, into) for one in into.point_ropes if one.row[KIND] == IMPULSE}


def _limit(one, into: Draft) -> StepLimit:
    """A chain I_e d2a_e/dt2 = K (a_e+1 - a_e) - K (a_e - a_e-1) swings no faster than the largest sum of a row of
    I^-1/2 K I^-1/2 (Gershgorin), and semi-implicit Euler with a damper of time T needs h (h + 2 T) w^2 < 4."""
    rows, first, before = into.bodies.rows, one.row[ELEMENT], one.row[BEFORE]
    inertia = np.array([rows[first + e].get("inertia", (np.inf,) * 3) for e in range(one.row[ELEMENTS])])
    stiffness = one.table[:-1, BEND:BEND + 3]
    own, beside = 1.0 / inertia, np.sqrt(1.0 / (inertia[1:] * inertia[:-1]))
    rate = np.zeros_like(inertia)
    with np.errstate(invalid="ignore"):
        rate[:-1] += stiffness * (own[:-1] + beside)
        rate[1:] += stiffness * (own[1:] + beside)
    fastest, damping = float(np.nanmax(rate)), one.thing.damping
    stiff = np.sqrt(damping**2 + 4.0 / fastest) - damping if fastest > 0.0 else np.inf
    points = [rows[one.row[POINT] + i].get("mass", 0.0) for i in range(one.row[POINTS])]
    carried = max([rows[body].get("mass", 0.0) for body in one.carrier if body >= 0], default=0.0)
    tension = float(np.linalg.norm(into.scene.gravity)) * (sum(points) + carried) + _pushes(one, into)
    lengths = one.table[before:before + one.row[POINTS] - 1, LENGTH]
    lightest = min(m * min(pair) for m, pair in zip(points[1:-1], pairwise(lengths), strict=True))
    return StepLimit(float(stiff), float(np.sqrt(lightest / tension)) if tension > 0.0 else np.inf)


def _pushes(one, into: Draft) -> float:
    """Forces [N] of the loads on a rope and on what carries its ends, without their directions."""
    movers = {*into.index["rope"][one.thing.name].movers, *one.carrier}
    return float(sum(np.linalg.norm(load.force) for place, load in into.loads if place.body in movers and place.body > 0))
