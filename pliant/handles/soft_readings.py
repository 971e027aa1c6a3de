"""What handles of cloth and solids compute from a state: contact forces at vertices, pressures."""

import numpy as np

from ..couple.step import Engine
from ..equations.contact.shared_pressure import shared_pressure


def vertex_forces(engine: Engine, number: int) -> np.ndarray:
    """Contact forces on the vertices of a soft thing [N] (n, 3), mean over the last step.

    A contact shares its force among the corners of its sides as its impulses act (`borne_above.py`).
    """
    contacts, sign = engine.state.soft_contacts, np.repeat([-1.0, 1.0], 3)
    tips = np.einsum("cmx,cx->cm", contacts.tilt.reshape(-1, 6, 3), contacts.force)
    return (_at_vertices(engine, number, contacts.force, sign * contacts.weight)
            + _at_vertices(engine, number, contacts.normal, sign * tips))


def face_pressure(engine: Engine, number: int, closed: bool) -> np.ndarray:
    """Pressure of contacts on the triangles of a soft thing [Pa] (m,), mean over the last step; positive against the normals.

    Pressure times area adds up to all that contacts press with.
    """
    thing, contacts = engine.model.soft[number], engine.state.soft_contacts
    press = np.einsum("ci,ci->c", contacts.force, contacts.normal)
    load = _at_vertices(engine, number, press[:, None], contacts.weight)[:, 0]
    towards = _at_vertices(engine, number, press[:, None] * contacts.normal, np.repeat([-1.0, 1.0], 3) * contacts.weight)
    corner = engine.state.motion.position[thing.movers][thing.faces]
    return shared_pressure(thing.faces, corner, load, towards, closed)


def _at_vertices(engine: Engine, number: int, what: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Sums over contacts of `what` (c, k), by the `share` (c, 6) of their corners, for the vertices of a thing (n, k)."""
    thing, contacts = engine.model.soft[number], engine.state.soft_contacts
    count = min(int(contacts.count[0]), len(contacts.separation))
    vertex = contacts.mover[:count] - thing.first
    mine = (vertex >= 0) & (vertex < len(thing.mass)) & (contacts.mover[:count] >= 0)
    out = np.zeros((len(thing.mass), what.shape[1]))
    np.add.at(out, vertex[mine], (share[:count, :, None] * what[:count, None, :])[mine])
    return out
