"""How long a step of Newton's method may be: so long that the energy of the step falls."""

import numpy as np

SHORTEST = 1e-6
"""Steps are not shortened beyond this."""
ROUNDING = 1e-14
"""Energies this close, relatively, are the same."""


def shortened(block, right: np.ndarray, direction: np.ndarray) -> float:
    """The share of `direction` [m] (n, 3) after which the energy is lower, for forces `right` [N] (n, 3) at `work.place`.

    Writes: energies and pushes of elements, of where they were looked at last
    """
    start, energy, slope, step = block.work.place.copy(), block.total_energy(), float(np.sum(direction * right)), 1.0
    while step > SHORTEST:
        block.work.place[:] = start + step * direction
        block.forces()
        if block.total_energy() <= energy - 1e-4 * step * slope + ROUNDING * abs(energy):
            break
        step *= 0.5
    block.work.place[:] = start
    return step
