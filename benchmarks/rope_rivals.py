"""Figure 8's rivals on one implicit step's energy, by SciPy: Newton with conjugate gradients and line search; trust region."""

import time

import numpy as np
from scipy.optimize import minimize

from .rope_energy import Cable, StepEnergy, conjugate, product

LIMIT = 20.0
"""Time [s] after which a solve counts as failed."""
TOLERANCE = 1e-6
"""A solve is done when its gradient has fallen to this part of the weight of the cable [N]."""
STEP = 1.0 / 60.0


class _TooLong(Exception):
    """Raised inside a solve."""


class _Watched:
    """An energy that remembers its last answer and looks at the clock."""

    def __init__(self, energy: StepEnergy) -> None:
        self.energy, self.until = energy, time.process_time() + LIMIT

    def value_and_gradient(self, unknowns):
        if time.process_time() > self.until:
            raise _TooLong
        return self.energy(unknowns)

    def curvature(self, unknowns, along):
        """Hessian times vector, by central differences of the gradient."""
        size = 1e-6 / max(float(np.abs(along).max()), 1e-300)
        ahead, behind = (self.value_and_gradient(unknowns + s * size * along)[1] for s in (1.0, -1.0))
        return (ahead - behind) / (2.0 * size)


def combination(watched: _Watched, start: np.ndarray, tolerance: float) -> np.ndarray:
    """Newton steps, each by conjugate gradients, with a line search; where it gives up, conjugate gradients alone."""
    found = minimize(watched.value_and_gradient, start, jac=True, hessp=watched.curvature, method="Newton-CG",
                     options={"xtol": 1e-10, "maxiter": 200})
    if np.abs(watched.energy(found.x)[1]).max() > tolerance:
        found = minimize(watched.value_and_gradient, found.x, jac=True, method="CG",
                         options={"gtol": tolerance, "maxiter": 20_000})
    return found.x


def trust_region(watched: _Watched, start: np.ndarray, tolerance: float) -> np.ndarray:
    """Trust region with a Krylov subspace in it."""
    return minimize(watched.value_and_gradient, start, jac=True, hessp=watched.curvature, method="trust-ncg",
                    options={"gtol": tolerance, "maxiter": 2000, "initial_trust_radius": 0.1, "max_trust_radius": 10.0}).x


def fall(method, points: int, steps: int) -> dict:
    """A clamped cable falls for some steps of 1/60 s: seconds a solve, how many failed, evaluations a solve.

    A failed solve is replaced by its best answer, as a user would have to.
    """
    cable = Cable(points)
    place, turns = cable.start()
    velocity, spin = np.zeros_like(place), np.tile([1.0, 0.0, 0.0, 0.0], (points - 1, 1))
    tolerance = TOLERANCE * cable.mass * 9.81
    spent, failed, calls = 0.0, 0, 0
    for _ in range(steps):
        energy = StepEnergy(cable, STEP, place + STEP * velocity, product(turns, spin))
        watched, start = _Watched(energy), energy.pack(place, turns)
        begin = time.process_time()
        try:
            unknowns = method(watched, start, tolerance)
            good = bool(np.abs(energy(unknowns)[1]).max() <= 10.0 * tolerance)
        except (_TooLong, FloatingPointError):
            unknowns, good = start, False
        spent += time.process_time() - begin
        calls += energy.evaluations
        failed += not good
        after, raw = energy.unpack(unknowns)
        unit = raw / np.linalg.norm(raw, axis=1, keepdims=True)
        velocity, spin = (after - place) / STEP, product(conjugate(turns), unit)
        place, turns = after, unit
    return {"seconds": spent / steps, "failed": failed, "of": steps, "evaluations": calls / steps,
            "give": float(np.linalg.norm(np.diff(place, axis=0), axis=1).sum()) / cable.length - 1.0}


RIVALS = {"Newton, conjugate gradients, line search": combination, "trust region": trust_region}
