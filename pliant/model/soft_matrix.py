"""Scratch of an island whose rows with soft things are solved together."""

from typing import Annotated, NamedTuple

from .schema import Array, index, real

PortOf = Annotated[Array, index("b", "port of each mover, -1: none")]


class RowTable(NamedTuple):
    """Blocks of three rows each: first all ties, along the axes of the world; then all contacts, normal first."""

    number: Annotated[Array, index("r", "of the tie, or of the contact")]
    body: Annotated[Array, index("r", "the body on side a, -1 if there is none")]
    arm: Annotated[Array, real("r 3", "m", "lever of that body")]
    direction: Annotated[Array, real("r 9", "-", "of the three rows, unit, world frame")]
    port: Annotated[Array, index("r 6", "vertices that the rows act on, as numbers of ports; -1: none, or held")]
    share: Annotated[Array, real("r 6", "-", "their weights, negative on side a")]
    tilts: Annotated[Array, index("r", "1 where corners of triangles bear moments too (borne_above.py)")]
    tip: Annotated[Array, real("r 12", "-", "what each vertex bears along the normal of the second and the third row")]
    friction: Annotated[Array, real("r", "-", "Coulomb")]
    speed: Annotated[Array, real("r 3", "m/s", "along the rows, with what is to be pushed out or has room to move")]
    impulse: Annotated[Array, real("r 3", "N s", "of contacts, along the rows")]
    change: Annotated[Array, real("r 3", "N s", "of the impulses of all rows")]


class RowMatrix(NamedTuple):
    """How the rows answer each other."""

    gain: Annotated[Array, real("p p", "1/kg", "how the velocities of ports answer impulses on ports")]
    along: Annotated[Array, real("a a", "1/kg", "the same of x, y and z of the ports of one thing")]
    half: Annotated[Array, real("k p", "1/kg", "how ports answer a block's shares, and what it tips by its other two rows")]
    matrix: Annotated[Array, real("k k", "1/kg", "how the speeds along rows answer impulses along rows")]


class RowProducts(NamedTuple):
    """Impulses along rows, what they do to vertices and bodies, and what that does to the speeds along rows."""

    push: Annotated[Array, real("r 3", "N s", "along the rows")]
    turned: Annotated[Array, real("r 3", "m/s", "along the rows")]
    impulse: Annotated[Array, real("p 3", "N s", "on the ports, world frame")]
    velocity: Annotated[Array, real("p 3", "m/s", "of the ports, world frame")]
    pull: Annotated[Array, real("b 6", "N s, N m s", "on bodies, world frame")]
