"""The energy that figure 8's rivals minimise. Oracles: finite differences, rigid motions, the exact heavy elastica."""

import sys
from math import inf
from pathlib import Path

import numpy as np
import oracles
import pytest
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.rope_energy import Cable, StepEnergy, product


def random_state(cable: Cable, size: float):
    points, turns = cable.start()
    rng = np.random.default_rng(5)
    return points + size * rng.normal(size=points.shape), turns + size * rng.normal(size=turns.shape)


@pytest.mark.parametrize("h", [0.01, inf])
def test_gradient_is_that_of_finite_differences(h):
    """Central differences of step 1e-6; their error is 1e-12 E''' and 1e-10 E of rounding, E about 1e3."""
    cable = Cable(6)
    points, turns = random_state(cable, 0.05)
    energy = StepEnergy(cable, h, *cable.start())
    unknowns = energy.pack(points, turns)
    gradient = energy(unknowns)[1]
    for i in range(len(unknowns)):
        step = np.zeros_like(unknowns)
        step[i] = 1e-6
        slope = (energy(unknowns + step)[0] - energy(unknowns - step)[0]) / 2e-6
        assert gradient[i] == pytest.approx(slope, rel=1e-6, abs=1e-5 * abs(gradient).max())


def test_opposite_quaternions_are_the_same_turn():
    """q and −q are one frame: energy and forces on the points agree to rounding."""
    cable = Cable(6)
    points, turns = random_state(cable, 0.05)
    energy = StepEnergy(cable, 0.01, *cable.start())
    one, gradient = energy(energy.pack(points, turns))
    turns[2] *= -1.0
    other, flipped = energy(energy.pack(points, turns))
    assert other == pytest.approx(one, rel=1e-12)
    assert flipped.reshape(-1, 7)[:, :3] == pytest.approx(gradient.reshape(-1, 7)[:, :3], rel=1e-9, abs=1e-9)


def test_a_bent_cable_stores_what_theory_says():
    """½ EI κ² L for a circular arc; the clamp of half length and n − 2 joints leave out half an element at the end."""
    cable = Cable(401)
    curvature = 2.0
    points, _ = cable.start()
    middle = curvature * cable.element * (np.arange(400) + 0.5)
    # Turn about −y by κs from the straight start: z of the element goes from +x towards +z.
    bend = np.stack([np.cos(middle / 2), 0 * middle, -np.sin(middle / 2), 0 * middle], axis=1)
    turns = product(bend, np.tile(cable.start()[1][0], (400, 1)))
    points[1:, 0] = np.cumsum(np.cos(middle)) * cable.element
    points[1:, 2] = np.cumsum(np.sin(middle)) * cable.element
    energy = StepEnergy(cable, inf, *cable.start())
    stored = energy(energy.pack(points, turns))[0] - 9.81 * float(energy.mass @ points[:, 2])
    expected = 0.5 * cable.bending * curvature**2 * (cable.length - 0.5 * cable.element)
    assert stored == pytest.approx(expected, rel=1e-5)


def test_its_minimum_is_the_heavy_elastica():
    """The tip of the exact elastica; n points are off by about (n − 1)⁻², and EA = GA = 1e3 N stretch by 1e-3."""
    cable = Cable(12)
    energy = StepEnergy(cable, inf, *cable.start())
    found = minimize(energy, energy.pack(*cable.start()), jac=True, method="L-BFGS-B",
                     options={"maxiter": 5000, "maxfun": 10000, "ftol": 1e-15, "gtol": 1e-6, "maxcor": 50})
    tip = energy.unpack(found.x)[0][-1, [0, 2]]
    assert tip == pytest.approx(oracles.CABLE_TIP, abs=1.0 / 11**2 + 1e-3)
