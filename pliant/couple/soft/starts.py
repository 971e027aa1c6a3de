"""Where the iterations of a cloth or solid begin: still, or turned ahead as a rigid body would be."""

import numpy as np

from ...equations.rigid.point_masses import turned_ahead, turned_at_its_end
from ...solvers.soft.block import SoftBlock

STARTS_STILL = ("projective", "quasi-newton", "newton")
"""Methods whose iterations begin, in things that are held or touched, where the vertices would go without outer forces.
Begun where these forces would take them, a few iterations would leave a sag of their own; so what rests is in balance."""
FIRM = 1e6
"""Mass of a vertex that is led, of the whole thing's, where the thing is seen as a rigid body [-]."""


def turn_ahead(block: SoftBlock, velocity: np.ndarray, mass: np.ndarray, led: np.ndarray, h: float) -> None:
    """Begin where point masses [kg] (n,) with these velocities [m/s] (n, 3) come to in `h` [s] as a rigid body, whose vertices
    that are `led` (n,) are firm. Writes: place of the vertices that are free"""
    ahead = turned_ahead(block.position, velocity, np.where(led, FIRM * mass.sum(), mass), h)
    np.copyto(block.work.place, ahead, where=block.model.vertices.inverse_mass[:, None] > 0.0)


def turn_firmly(block: SoftBlock, velocity: np.ndarray, mass: np.ndarray, led: np.ndarray, h: float) -> None:
    """The same at the rate of the place it comes to, as implicit Euler has it: for iterations that may leave it there, because
    the rate of where it was adds energy. Writes: place of the vertices that are free"""
    ahead = turned_at_its_end(block.position, velocity, np.where(led, FIRM * mass.sum(), mass), h)
    np.copyto(block.work.place, ahead, where=block.model.vertices.inverse_mass[:, None] > 0.0)


def swing(block: SoftBlock, velocity: np.ndarray, mass: np.ndarray, led: np.ndarray, h: float) -> None:
    """The same, of cloth about what is pinned or tied, if that is a better place than where it begins, of less energy:
    iterations take turning for straining, and come slowly. Writes: place"""
    still, least = block.work.place.copy(), _energy(block)
    turn_ahead(block, velocity, mass, led, h)
    if not _energy(block) < least:
        np.copyto(block.work.place, still)


def _energy(block: SoftBlock) -> float:
    """E of equation 5 where iterations begin [J]."""
    block.forces()
    return block.total_energy()
