"""Rods: joints that bend and twist between the links of ropes, and their scratch."""

from typing import Annotated, NamedTuple

from .schema import Array, real

STRETCH, BEND, REST, LAG, SCALE, SLIDE, GAP_LAW, AXIS = 0, 3, 6, 9, 10, 11, 14, 15
RIGID, SOFT, SLIDING, SLIDING_RIGHT = 0.0, 1.0, 2.0, 3.0
"""How the gap of a rod's joint is held."""
MEAN, OF_LEFT, OF_RIGHT = 0.5, 1.0, 0.0
"""Share of the left link's axis in that along which a gap stretches: of both links alike, or of the only one at a ball."""

R_OUTER, R_INNER, RATE, KAPPA, TURN, SHIFTED, AROUND, HAT = 0, 3, 6, 15, 18, 24, 33, 39
LACK_GAP, LACK_BEND, WANT, FELT, RAW_GAP, RAW_BEND = 45, 48, 51, 54, 57, 60
MEET, GAMMA_GAP, ALONG, ASIDE_OUTER, ASIDE_INNER, OLD = 0, 6, 12, 15, 18, 21


class Rods(NamedTuple):
    """What holds two links of a rope together."""

    table: Annotated[Array, real(
        "n 16", "N/m, N m/rad, rad, s, m, -, -, -",
        "stiffness of the gap across (2, alike) and along the axis of the links (inf: rigid), of bending about d1, d2 and of "
        "twisting (3), rest of 2 Im p (3), Kelvin-Voigt time, length of an element, direction in the left or right body's "
        "frame along which the gap is free (3), RIGID, SOFT, SLIDING along what is left or SLIDING_RIGHT, the left link's "
        "share in that axis",
    )]


class RodWork(NamedTuple):
    """Scratch of rods, named as in chain_elimination.py; rows are whole cache lines of 64 bytes."""

    table: Annotated[Array, real(
        "n 64", "…",
        "r_b, r_a, G, kappa, W, B', C', A^; s e, kappa q, y, W (z' + psi); gap and bend over h less their speeds; unused",
    )]
    give: Annotated[Array, real(
        "n 32", "…",
        "M, Gamma, d, c_b and c_a of a gap that gives way; gap and bend of a damped rod where the substep starts from; unused",
    )]
