"""Rods: joints that bend and twist between the links of ropes, and their scratch."""

from typing import Annotated, NamedTuple

from .schema import Array, real

STRETCH, BEND, REST, LAG, SCALE, SLIDE, GAP_LAW = 0, 3, 6, 9, 10, 11, 14
RIGID, SOFT, SLIDING, SLIDING_RIGHT = 0.0, 1.0, 2.0, 3.0
"""How the gap of a rod's joint is held."""
RIGID_ENOUGH = 1e30
"""Stiffness [N/m] that stands for a gap which is rigid one way and soft another; it stores no energy."""

R_OUTER, R_INNER, RATE, KAPPA, TURN, SHIFTED, AROUND, HAT = 0, 3, 6, 15, 18, 24, 33, 39
LACK_GAP, LACK_BEND, WANT, FELT, RAW_GAP, RAW_BEND = 45, 48, 51, 54, 57, 60
MEET, GAMMA_GAP, ALONG, ASIDE, OLD = 63, 69, 75, 78, 81


class Rods(NamedTuple):
    """What holds two links of a rope together."""

    table: Annotated[Array, real(
        "n 15", "N/m, N m/rad, rad, s, m, -, -",
        "stiffness of the gap along the left link's d1, d2, d3 (3; inf: rigid), of bending about d1, d2 and of "
        "twisting (3), rest of 2 Im p (3), Kelvin-Voigt time, length of an element, direction in the left or right body's "
        "frame along which the gap is free (3), RIGID, SOFT, SLIDING along what is left or SLIDING_RIGHT",
    )]


class RodWork(NamedTuple):
    """Scratch of rods, named as in chain_elimination.py."""

    table: Annotated[Array, real(
        "n 87", "…",
        "r_b, r_a, G, kappa, W, B', C', A^; s e, kappa q, y, W (z' + psi); gap and bend over h less their speeds; M, "
        "Gamma, d3 and c of a gap that gives way; gap and bend of a damped rod where the substep starts from",
    )]
