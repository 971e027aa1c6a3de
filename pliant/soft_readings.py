"""What handles of cloth and solids compute from a state: contact forces at vertices, pressures, distances from examples."""

import numpy as np

from .couple.step import Engine
from .equations.elastic.deformation_gradient import cell_gradients


def vertex_forces(engine: Engine, number: int, pressing: bool = False) -> np.ndarray:
    """Contact forces on the vertices of a soft thing [N] (n, 3), mean over the last step; `pressing`: without friction.

    A contact shares its force among the corners of its sides by their weights, as its impulses act.
    """
    thing, contacts = engine.model.soft[number], engine.state.soft_contacts
    count = min(int(contacts.count[0]), len(contacts.separation))
    force, normal = contacts.force[:count], contacts.normal[:count]
    if pressing:
        force = np.einsum("ci,ci->c", force, normal)[:, None] * normal
    share = contacts.weight[:count] * np.repeat([-1.0, 1.0], 3)
    vertex = contacts.mover[:count] - thing.first
    mine = (vertex >= 0) & (vertex < len(thing.mass)) & (contacts.mover[:count] >= 0)
    out = np.zeros((len(thing.mass), 3))
    np.add.at(out, vertex[mine], (share[:, :, None] * force[:, None, :])[mine])
    return out


def face_pressure(positions: np.ndarray, faces: np.ndarray, force: np.ndarray, closed: bool) -> np.ndarray:
    """Pressure on triangles [Pa] (m,) from forces [N] (n, 3) at vertices [m] (n, 3); positive against their normals.

    Each force goes to the triangles around its vertex by the areas that they turn towards it; those of a closed surface that
    look away take nothing.
    """
    corner = positions[faces]
    area = 0.5 * np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    turned = -np.einsum("mi,mci->mc", area, force[faces])
    turned = np.maximum(turned, 0.0) if closed else np.abs(turned)
    around = np.bincount(faces.ravel(), turned.ravel(), len(positions))
    share = np.divide(turned, around[faces], out=np.zeros_like(turned), where=around[faces] > 0.0)
    taken = np.einsum("mc,mci->mi", share, force[faces])
    return -np.einsum("mi,mi->m", taken, area) / np.einsum("mi,mi->m", area, area)


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
