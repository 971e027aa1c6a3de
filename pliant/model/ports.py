"""Ports: all that a row knows of a mover."""

from typing import Annotated, NamedTuple

from .schema import Array, index, real


class Ports(NamedTuple):
    """How movers answer impulses; port i belongs to body i."""

    inverse_mass: Annotated[Array, real("n", "1/kg", "zero unless dynamic")]
    inverse_inertia: Annotated[Array, real("n 6", "1/(kg m2)", "world frame, made anew in every substep")]
    block: Annotated[Array, index("n", "block that answers for this port, -1: the body itself")]
    block_kind: Annotated[Array, index("b", "what kind of block each is")]
