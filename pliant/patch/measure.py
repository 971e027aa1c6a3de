"""Volume, area, mass and centre of mass of patch meshes, with their relief, at rest and deformed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..compile.closed_surface import surface_fault
from ..compile.mass_properties import MassProperties, polyhedron
from ..equations.patch.relief_mass import barycentric_shares, kept_above
from ..scene.errors import fail
from ..scene.patch import PatchMesh
from .groups import Samples
from .heights import vertex_normals
from .integrals import body_volume, relief_area, relief_mass
from .quadrature import quadrature
from .surface import Surface, surface_of

FINE = 1e-6
"""Error of measures, as a share of the relief's volume and of the area [-]; for a solver 1e-3 is enough."""


class Shape(NamedTuple):
    """Vertices in some shape and their normals."""

    position: NDArray[np.float64]
    """[m] (n, 3)"""
    normal: NDArray[np.float64]
    """(n, 3), unit"""


def shape_of(mesh: PatchMesh, positions: ArrayLike | None = None) -> Shape:
    """The vertices at `positions` (n, 3) [m], or at rest."""
    patches = surface_of(mesh).patches
    if positions is None:
        return Shape(patches.vertex, patches.normal)
    try:
        position: NDArray[np.float64] = np.ascontiguousarray(positions, float)
    except (TypeError, ValueError, OverflowError):
        position = np.zeros(0)
    if position.shape != patches.vertex.shape or not np.isfinite(position).all():
        raise fail(mesh, f"positions must be finite numbers of shape {patches.vertex.shape}.")
    if not position.flags.writeable:
        position = position.copy()
    normal = np.zeros(position.shape)
    vertex_normals(patches.face, patches.corner_weight, position, normal)
    return Shape(position, normal)


def volume(mesh: PatchMesh, positions: ArrayLike | None = None, tolerance: float = FINE) -> float:
    """Volume [m3] of a closed mesh with its relief."""
    return volume_and_gradient(mesh, positions, tolerance)[0]


def volume_and_gradient(
    mesh: PatchMesh, positions: ArrayLike | None = None, tolerance: float = FINE
) -> tuple[float, NDArray[np.float64]]:
    """Volume [m3] of a closed mesh with its relief, and its gradient [m2] (n, 3) with the normals moving too."""
    check_closed(mesh)
    patches, position = surface_of(mesh).patches, shape_of(mesh, positions).position
    scratch = np.zeros((3, *position.shape))
    centre = position.mean(axis=0)  # a closed body's volume does not depend on the origin, its rounding does
    value = body_volume(patches.face, patches.corner_weight, quadrature(mesh, tolerance), position - centre, *scratch)
    return float(value), scratch[2]


def area(mesh: PatchMesh, positions: ArrayLike | None = None, tolerance: float = FINE) -> float:
    """Area [m2] of the surface with its relief."""
    return float(surface_shares(mesh, positions, tolerance).sum())


def surface_shares(mesh: PatchMesh, positions: ArrayLike | None = None, tolerance: float = FINE) -> NDArray[np.float64]:
    """Area [m2] (m, 3) of each patch's surface, shared by corners."""
    patches, shape = surface_of(mesh).patches, shape_of(mesh, positions)
    share = np.zeros((len(mesh.faces), 3))
    relief_area(patches.face, quadrature(mesh, tolerance), *shape, share)
    return share


def volume_shares(mesh: PatchMesh, samples: Samples, shape: Shape) -> tuple[NDArray, NDArray]:
    """Moments (m, 10) of each relief about the origin, and its volume [m3] (m, 3) shared by corners."""
    moments, share = np.zeros((len(mesh.faces), 10)), np.zeros((len(mesh.faces), 3))
    relief_mass(surface_of(mesh).patches.face, samples, *shape, moments, share)
    return moments, share


def mass_properties(mesh: PatchMesh, positions: ArrayLike | None = None, tolerance: float = FINE) -> MassProperties:
    """Volume, centre of mass and inertia of a closed mesh of density 1 with its relief."""
    check_closed(mesh)
    shape = shape_of(mesh, positions)
    base = polyhedron(shape.position, mesh.faces)
    middle = shape.position.mean(axis=0)
    moments = volume_shares(mesh, quadrature(mesh, tolerance), Shape(shape.position - middle, shape.normal))[0].sum(axis=0)
    total = base.mass + moments[0]
    offset = base.centre - middle
    centre = (base.mass * offset + moments[1:4]) / total
    second = np.array([[moments[4], moments[7], moments[8]], [moments[7], moments[5], moments[9]],
                       [moments[8], moments[9], moments[6]]])
    second += 0.5 * np.trace(base.inertia) * np.eye(3) - base.inertia + base.mass * np.outer(offset, offset)
    second -= total * np.outer(centre, centre)
    return MassProperties(float(total), middle + centre, np.trace(second) * np.eye(3) - second)


def gathered(corners, share, count: int) -> NDArray[np.float64]:
    """Sums (count,) of what the corners of faces or cells bring to their vertices."""
    return np.asarray(np.bincount(corners.ravel(), share.ravel(), count), float)


def vertex_volumes(mesh: PatchMesh, tolerance: float = FINE) -> NDArray[np.float64]:
    """Volume [m3] (n,) of the cells with their relief, shared among the vertices: times density, their masses.

    How a relief is shared: equations/patch/relief_mass.py.
    """
    if mesh.cells is None:
        raise fail(mesh, "it has no cells; make it by PatchMesh.from_cells or PatchMesh.sphere.")
    corner = mesh.vertices[mesh.cells]
    arms = corner[:, 1:] - corner[:, :1]
    count = len(mesh.vertices)
    bare = gathered(mesh.cells, np.repeat(np.abs(np.linalg.det(arms)) / 24.0, 4), count)
    moments, share = volume_shares(mesh, quadrature(mesh, tolerance), shape_of(mesh))
    owner = cell_of_face(mesh)
    weights = barycentric_shares(corner[owner, 0], arms[owner], moments)
    return kept_above(bare, bare + gathered(mesh.faces, share, count), bare + gathered(mesh.cells[owner], weights, count))


def cell_of_face(mesh: PatchMesh) -> NDArray[np.int32]:
    """The cell (m,) under each face: with it, the volume of a volume patch is that of cell and relief."""
    if mesh.cells is None:
        raise fail(mesh, "it has no cells; make it by PatchMesh.from_cells or PatchMesh.sphere.")
    sides = np.sort(mesh.cells[:, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]].reshape(-1, 3), axis=1)
    wanted = np.sort(mesh.faces, axis=1)
    count = np.int64(len(mesh.vertices))
    key = (sides[:, 0] * count + sides[:, 1]) * count + sides[:, 2]
    want = (wanted[:, 0] * count + wanted[:, 1]) * count + wanted[:, 2]
    order = np.argsort(key, kind="stable")
    at = np.minimum(np.searchsorted(key[order], want), len(key) - 1)
    lost = np.flatnonzero(key[order][at] != want)
    if len(lost):
        raise fail(mesh, f"face {lost[0]} is no side of any cell ({len(lost)} such faces); PatchMesh.from_cells takes "
                         "the outer sides of all cells.")
    return (order[at] // 4).astype(np.int32)


def check_closed(mesh: PatchMesh) -> None:
    """Refuse to give a volume to a surface with a border."""
    surface: Surface = surface_of(mesh)
    if 2 * len(surface.edges) != 3 * len(mesh.faces):
        raise fail(mesh, f"only a closed mesh has a volume, and {surface_fault(mesh.faces)}")
