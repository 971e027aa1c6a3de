"""Cloth and solids in a world: where their vertices lie among the movers, and what of them is state."""

from typing import Annotated, Any, NamedTuple

import numpy as np

from .schema import Array, index, real
from .soft import SoftModel

VERTEX = 2
"""In the table of bodies: its link says that a mover is a vertex of a soft thing, which its own solver moves."""


class SoftState(NamedTuple):
    """What belongs to a snapshot beside the motion of the vertices."""

    force: Annotated[Array, real("p 3", "N", "of each pin on the vertices it holds, mean over the last step, world frame")]
    torque: Annotated[Array, real("p 3", "N m", "likewise, about the middle of these vertices")]
    pin: Annotated[Array, index("v", "row of the pin that holds each vertex, thing after thing; -1: none does")]
    pull: Annotated[Array, real("v", "N/m", "of a grip on each vertex, thing after thing; zero: none")]
    pulled_to: Annotated[Array, real("v 3", "m", "where the grip draws it, world frame")]
    share: Annotated[Array, real("s", "-", "of each example in the shape a solid is nearest to, solid after solid")]
    stilled: Annotated[Array, real("n", "m/s", "what the end of the last step took out of the motion of each mover")]
    pace: Annotated[Array, real("t 4", "-", "substeps that each thing takes at least, for how many steps more, how many the "
                                "last step took, of which impulses are kept, and for how many nothing is pushed out")]
    curved_at: Annotated[Array, real("v 3", "m", "where the second derivative that a solid was solved by last was made")]
    curved_for: Annotated[Array, real("t", "s", "the length of the substep that it was made for, of each thing; zero: none")]
    scrambled: Annotated[Array, real("t", "-", "1: cells of each thing may be inside out since its vertices were placed")]


class VertexPin(NamedTuple):
    """Some vertices of one thing that move as they are told."""

    name: str
    row: int
    """Of its force in the state."""
    vertex: np.ndarray
    """(k,), numbers within the thing."""
    arm: np.ndarray
    """From the pin to each of them at the start [m] (k, 3), world frame."""
    driver: Any
    """Gives the pin's pose at a time; None: it stays."""


class SoftThing(NamedTuple):
    """One cloth or solid."""

    name: str
    first: int
    """Mover of its first vertex; the others follow."""
    model: SoftModel
    mass: np.ndarray
    """Of all vertices, pinned ones too [kg] (n,)."""
    method: str
    iterations: int
    faces: np.ndarray
    """Its surface (m, 3), numbers within the thing."""
    face_mass: np.ndarray
    """Of each triangle that wind drags at [kg] (m,); of a solid none."""
    pressure: float
    """[Pa] inside a closed cloth."""
    patches: Any
    """Its PatchMesh, if it is made of patches."""
    pins: tuple[VertexPin, ...]
    share: int
    """Where its examples stand in the state."""
    row: int
    """Where its vertices stand in the state, beside the motion."""
    number: int
    """Its place among the soft things."""

    @property
    def movers(self) -> slice:
        """Its rows in the table of movers."""
        return slice(self.first, self.first + len(self.mass))
