"""Cloth that is pressed: others touch it from both sides, so that what it bears goes through it.

Sweeps hand such loads from vertex to vertex and back; all rows at once find them.
"""

import numpy as np

from ...model.bodies import DRIVEN
from ...model.sets import Movers
from ...model.soft_contacts import SoftContacts
from .body import SoftBody

PRESSED, OPPOSED = 0.05, -0.5
"""Vertices of a cloth, over all contacts, that others touch from both sides, above which it is pressed [-]; the cosine between
such sides [-]."""


def cloth_of(things: list[SoftBody]) -> list[SoftBody]:
    """Those of `things` that have no cells."""
    return [one for one in things if not len(one.thing.model.cells.vertex)]


def pressed(movers: Movers, contacts: SoftContacts, touch: np.ndarray, cloth: list[SoftBody]) -> bool:
    """Whether others touch many vertices of a cloth from both sides; driven ones, as jaws, may leave it no room."""
    mover, normal = contacts.mover[touch], contacts.normal[touch]
    if (movers.bodies.kind[mover[:, 0]] == DRIVEN).any():
        return False
    for one in cloth:
        mine = (mover >= one.thing.first) & (mover < one.thing.first + len(one.thing.mass))
        mine &= ~(mine[:, :3].any(axis=1) & mine[:, 3:].any(axis=1))[:, None]  # of itself
        row, column = np.nonzero(mine)
        way = np.where(column >= 3, 1.0, -1.0)[:, None] * normal[row]
        _, first, which = np.unique(mover[row, column], return_index=True, return_inverse=True)
        both = np.unique(which[(way * way[first][which]).sum(axis=1) < OPPOSED])
        if len(both) > PRESSED * len(touch):
            return True
    return False
