"""Rods: joints that bend and twist between the links of ropes, and their scratch."""

from typing import Annotated, NamedTuple

from .schema import Array, real

BEND, REST, LAG, SCALE, GAP_LAW, LEFT_REACH, RIGHT_REACH, AXIS, STRETCH, SLIDE = 0, 3, 6, 7, 8, 9, 10, 11, 12, 15
RIGID, SOFT, SLIDING, SLIDING_RIGHT = 0.0, 1.0, 2.0, 3.0
"""How the gap of a rod's joint is held."""
RIGID_BESIDE = 1e6
"""What is rigid one way and soft another is so many times stiffer that way: a share of 1e-6 in what it gives, and far from
where rounding would tell."""
MEAN, OF_LEFT, OF_RIGHT = 0.5, 1.0, 0.0
"""Share of the left link's axis in that along which a gap stretches: of both links alike, or of the only one at a ball."""

R_OUTER, R_INNER, RATE, TURN, SHIFTED, HAT, LACK_GAP, WANT, FELT, RAW_BEND = 0, 3, 6, 15, 21, 30, 36, 39, 42, 45
RAW_GAP, KAPPA, AROUND, LACK_BEND = 48, 51, 54, 60
MEET, GAMMA_GAP, ALONG, ASIDE_OUTER, ASIDE_INNER, OLD = 0, 6, 12, 15, 18, 21


class Rods(NamedTuple):
    """What holds two links of a rope together."""

    table: Annotated[Array, real(
        "n 18", "N m/rad, rad, s, m, -, m, m, -, N/m, -",
        "stiffness of bending about d1, d2 and of twisting (3), rest of 2 Im p (3), Kelvin-Voigt time, length of an element, "
        "RIGID, SOFT, SLIDING along what is left or SLIDING_RIGHT; how far the joint lies along the axes of the left and the "
        "right link from their centres, both 0 where it lies elsewhere or its frames are not the links' own; the left link's "
        "share in the axis of the gap, its stiffness across (2, alike) and along that axis, direction in the left or right "
        "body's frame along which it is free (3)",
    )]


class RodWork(NamedTuple):
    """Scratch of rods, named as in chain_elimination.py; what ropes alone need of it comes first."""

    table: Annotated[Array, real(
        "n 64", "…",
        "r_b, r_a, G, W, B', A^; s e, y, W (z' + psi); bend over h, gap over h, both less their speeds unless the rope is "
        "alone; kappa, C', kappa q; unused",
    )]
    give: Annotated[Array, real(
        "n 32", "…",
        "M, Gamma, d, c_b and c_a of a gap that gives way; gap and bend of a damped rod where the substep starts from; unused",
    )]
