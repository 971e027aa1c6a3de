"""What handles of cloth and solids compute from a state: contact forces at vertices, pressures, distances from examples."""

import numpy as np

from .couple.step import Engine
from .equations.elastic.deformation_gradient import cell_gradients


def vertex_forces(engine: Engine, number: int) -> np.ndarray:
    """Contact forces on the vertices of a soft thing [N] (n, 3), mean over the last step.

    A contact shares its force among the corners of its sides by their weights, as its impulses act.
    """
    return _at_vertices(engine, number, engine.state.soft_contacts.force, np.repeat([-1.0, 1.0], 3))


def face_pressure(engine: Engine, number: int, closed: bool) -> np.ndarray:
    """Pressure of contacts on the triangles of a soft thing [Pa] (m,), mean over the last step; positive against the normals.

    What presses at a vertex goes to the triangles around it by the areas that they turn towards it; those of a closed surface
    that look away take nothing. So pressure times area adds up to all that contacts press with.
    """
    thing, contacts = engine.model.soft[number], engine.state.soft_contacts
    press = np.einsum("ci,ci->c", contacts.force, contacts.normal)
    load = _at_vertices(engine, number, press[:, None], np.ones(6))[:, 0]
    towards = _at_vertices(engine, number, press[:, None] * contacts.normal, np.repeat([-1.0, 1.0], 3))
    faces, corner = thing.faces, engine.state.motion.position[thing.movers][thing.faces]
    across = 0.5 * np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    facing = -np.einsum("mi,mci->mc", across, towards[faces])
    turned = np.maximum(facing, 0.0) if closed else np.abs(facing)
    around = np.bincount(faces.ravel(), turned.ravel(), len(load))[faces]
    share = np.divide(turned, around, out=np.zeros_like(turned), where=around > 0.0)
    return (np.sign(facing) * share * load[faces]).sum(axis=1) / np.linalg.norm(across, axis=1)


def _at_vertices(engine: Engine, number: int, what: np.ndarray, sign: np.ndarray) -> np.ndarray:
    """Sums over contacts of `what` (c, k), by the weights of their corners, for the vertices of a thing (n, k)."""
    thing, contacts = engine.model.soft[number], engine.state.soft_contacts
    count = min(int(contacts.count[0]), len(contacts.separation))
    vertex = contacts.mover[:count] - thing.first
    mine = (vertex >= 0) & (vertex < len(thing.mass)) & (contacts.mover[:count] >= 0)
    out = np.zeros((len(thing.mass), what.shape[1]))
    np.add.at(out, vertex[mine], ((sign * contacts.weight[:count])[:, :, None] * what[:count, None, :])[mine])
    return out


def blend_distance(rest: np.ndarray, cells: np.ndarray, examples, share: np.ndarray, positions: np.ndarray) -> float:
    """How far positions [m] (n, 3) are from turned blends of the shape at rest and its examples [-]: the root of the mean
    over the volume of |F - R S|^2 / 3, S the blend of their stretches and R the rotation nearest to F S."""
    inverse, volume = cell_gradients(rest, cells)
    blend = sum(t * _stretch(_gradient(shape, cells, inverse)) for t, shape in zip(share, (rest, *examples), strict=True))
    gradient = _gradient(positions, cells, inverse)
    away = gradient - _rotation(gradient @ blend) @ blend
    return float(np.sqrt(volume @ np.einsum("cij,cij->c", away, away) / (3.0 * volume.sum())))


def _gradient(positions: np.ndarray, cells: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    corner = positions[cells]
    return np.swapaxes(corner[:, 1:] - corner[:, :1], 1, 2) @ inverse


def _rotation(matrix: np.ndarray) -> np.ndarray:
    """The rotations nearest to matrices (c, 3, 3)."""
    u, _, v = np.linalg.svd(matrix)
    u[:, :, 2] *= np.linalg.det(u @ v)[:, None]
    return u @ v


def _stretch(gradient: np.ndarray) -> np.ndarray:
    return np.swapaxes(_rotation(gradient), 1, 2) @ gradient
