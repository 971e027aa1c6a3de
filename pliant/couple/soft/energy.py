"""No energy out of nothing: what a step of touching soft things gains without work is taken out of the motion inside them.

Implicit Euler loses energy, and contacts never bring any. So whatever an island of soft things has more after a step than
before it and the work from outside is an error of rows and iterations that were ended before they met, and left alone such
errors may feed each other. It is taken from velocities relative to each thing's own rigid motion, all alike:

    v := v_r + s (v - v_r)        s^2 = 1 - gain / K,  at least 0        K the kinetic energy of that motion, of all things

where v_r = v_c + w x (x - x_c) has the momentum and the angular momentum of v: both are kept. Of what hangs on pins that stay
these bear the momentum, and v_r is about them, as if they were firm: one leaves turning about it, two about their line. Where
that motion has too little, the step is taken again in other ways (again.py), the try that gains least counts, and what still
gains is stopped.

Source: [Newton] kinetic energy beside the rigid motion, which is orthogonal to it (equations/rigid/point_masses.py)
Check: tests/soft/test_no_energy_from_nothing.py, tests/soft/test_thrown_on_pins.py
"""

from math import isfinite, sqrt

import numpy as np

from ...equations.rigid.point_masses import rigid_motion
from .body import SoftBody
from .starts import FIRM

SMALL, MUCH = 1e-9, 0.1
"""Gains below the first share of the energies they are the difference of are rounding [-]; what cannot be taken out is too much
beyond the second share of what the things have in motion and strain, and of what their island has after a step of free fall.
Taken again from 0.01 on, a plate of 50 kg that lies on a pad kept to 32 substeps, at fifteen times the time."""
MUCH_OF_CLOTH, SOME_OF_CLOTH = 0.01, 2e-3
"""What is too much where there is cloth, whose iterations come slowly, and better in shorter substeps; and what asks for twice
the substeps from the next step on. A sheet over a round table gained 0.74 J in 5 s and did not rest with a tenth, 0.02 J so,
in the same time."""


def calm(things: list[SoftBody], gain: float, fall: float) -> float:
    """Take `gain` [J] out of the motion inside `things`, as far as there is any; returns what is left, as a share [-].

    `fall`: kinetic energy [J] of their island after a step of free fall.
    What it takes from each vertex is kept: strain may give it back in the next step, which finds what may touch by speeds.
    Writes: velocities of vertices, state.stilled
    """
    if not isfinite(gain):
        return np.inf
    inner = [(one, _rigid(one)) for one in things]
    kinetic = sum(0.5 * float(one.thing.mass * one.free @ ((one.block.velocity - rigid) ** 2).sum(axis=1))
                  for one, rigid in inner)
    whole = sum(one.energies((0.0, 0.0, 0.0))[1] for one in things) + fall
    kept = sqrt(max(0.0, 1.0 - gain / kinetic)) if kinetic > 0.0 else 1.0
    for one, rigid in inner:
        beside = one.free[:, None] * (one.block.velocity - rigid)
        np.copyto(one.stilled, (1.0 - kept) * np.linalg.norm(beside, axis=1))
        np.copyto(one.block.velocity, rigid + kept * beside, where=one.free[:, None])
    return max(0.0, gain - kinetic) / whole if whole > 0.0 else np.inf


def _rigid(one: SoftBody) -> np.ndarray:
    """v_r [m/s] (n, 3) of a thing; beside pins that move, as if it were free."""
    stay = all(held.pin.driver is None for held in one.held)
    mass = np.where(one.free, one.thing.mass, FIRM * one.thing.mass.sum() if stay else 0.0)
    return rigid_motion(one.block.position, one.block.velocity, mass)
