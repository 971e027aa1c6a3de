"""Springs between points of bodies."""

from typing import Annotated, NamedTuple

from .schema import Array, index, real


class Springs(NamedTuple):
    """Springs with dampers between points of two bodies."""

    body: Annotated[Array, index("n 2", "the two bodies")]
    anchor_a: Annotated[Array, real("n 3", "m", "in the frame of the first body")]
    anchor_b: Annotated[Array, real("n 3", "m", "in the frame of the second body")]
    rest_length: Annotated[Array, real("n", "m", "length at zero force")]
    stiffness: Annotated[Array, real("n", "N/m", "")]
    damping: Annotated[Array, real("n", "N s/m", "")]


class SpringState(NamedTuple):
    """What the springs did."""

    impulse: Annotated[Array, real("n", "N s", "of the last substep; positive pushes apart")]
    carried: Annotated[Array, real("n", "N s", "what of it and earlier ones has acted, see carried_impulse.py")]
    effort: Annotated[Array, real("n", "N", "mean over the last step; positive pushes apart")]
    deflection: Annotated[Array, real("n", "m", "from rest at the end of the last substep, as its impulse has it")]
