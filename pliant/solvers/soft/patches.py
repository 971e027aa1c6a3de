"""Volume patches: their volumes with the relief, projected; normals and the relief's moments lag behind by a step."""

from typing import Annotated, TypeAlias

import numpy as np

from ..._jit import bind, entry, kernel
from ...equations.elastic.patch_volume import CLOSE, MOST_STEPS, add_relief, cell_volume, inner, towards
from ...equations.elastic.strain_projection import clamped
from ...equations.patch.patch_point import corners
from ...math.svd3 import LANES
from ...math.vec3 import add, add_scaled, dot, scale, sub
from ...model.schema import Array, real
from ...model.soft import Elements, ElementWork, PatchVolumes, Points, SoftModel, SoftWork, unblocked
from ...patch.groups import Faces, Triples
from ...patch.heights import vertex_normals
from ...patch.integrals import load_moments, patch_moments
from .cells import corner_of
from .examples import gradient_of

STRAIN, VOLUME, LEAST = 9, 10, 13
"""In a cell's table: weights of strain and volume, the least volume of its range."""
Slopes: TypeAlias = Annotated[Array, real("c 9", "m3", "gradient of each volume by F, column by column")]


class Relief:
    """The relief of a solid's patches during a step."""

    def __init__(self, model: SoftModel, cells: ElementWork, soft: SoftWork) -> None:
        self._whole, self._surface = model.volumes, model.surface
        self.volumes = model.volumes._replace(weight=model.volumes.weight.copy())
        self._normal = np.zeros(model.vertices.rest.shape)
        self._moments = np.zeros((len(self._surface.face), 3, 3))
        self.slope = np.zeros((len(self.volumes.cell), 9))
        arrays = (model.cells, self.volumes, self._surface.face, self._normal, self._moments)
        self.project = bind(project_patches, *arrays, soft.place, self.slope, cells, soft)
        """Add pushes and energies to those of the cells."""
        self.sweep = bind(sweep_patches, *arrays, soft.place, model.vertices.inverse_mass)
        """Bring each volume into its range, one after another."""

    def leave_out(self, cells: np.ndarray) -> None:
        """Give up the volumes of these cells (k,) during this step."""
        self.volumes.weight[:] = np.where(np.isin(self.volumes.cell, cells), 0.0, self._whole.weight)

    def begin(self, position: np.ndarray) -> None:
        """Take normals and moments at `position` [m] (n, 3)."""
        if len(self.volumes.cell):
            vertex_normals(self._surface.face, self._surface.corner_weight, position, self._normal)
            patch_moments(self._surface.face, self._surface.samples, self._normal, self._moments)


@kernel
def volume_at(volumes, face, normal, moments, i, f):
    """Volume [m3] of patch cell `i` deformed by F, and its gradient [m3]."""
    volume, g = cell_volume(f, volumes.base[i])
    for q in range(volumes.first[i], volumes.first[i + 1]):
        m, e = volumes.face[q], volumes.edge
        edges = (e[q, 0], e[q, 1], e[q, 2]), (e[q, 3], e[q, 4], e[q, 5])
        volume, g = add_relief(f, edges, corners(normal, face, m), load_moments(moments, m), volume, g)
    return volume, g


@entry
def project_patches(cells: Elements, volumes: PatchVolumes, face: Faces, normal: Points, moments: Triples, place: Points,
                    slope: Slopes, work: ElementWork, soft: SoftWork) -> None:
    """Pushes w (F' - F) g and energies of all volume patches, added to those of the cells. Writes: work, soft.inner, slope"""
    for i in range(volumes.cell.shape[0]):
        b, k = volumes.cell[i] // LANES, volumes.cell[i] % LANES
        f = gradient_of(cells, place, b, k)
        volume, g = volume_at(volumes, face, normal, moments, i, f)
        for r in range(3):
            slope[i, r], slope[i, 3 + r], slope[i, 6 + r] = g[0][r], g[1][r], g[2][r]
        wanted = clamped(volume, volumes.range[i, 0], volumes.range[i, 1])
        if wanted == volume:
            for r in range(9):
                slope[i, r] = 0.0
            continue
        now, size = towards(f, f, volume, g, wanted)
        for _ in range(MOST_STEPS):
            if size < CLOSE:
                break
            volume, g = volume_at(volumes, face, normal, moments, i, now)
            now, size = towards(f, now, volume, g, wanted)
        w = volumes.weight[i]
        p = sub(now[0], f[0]), sub(now[1], f[1]), sub(now[2], f[2])
        work.energy[b, k] += 0.5 * w * inner(p, p)
        p = scale(w, p[0]), scale(w, p[1]), scale(w, p[2])
        total = (0.0, 0.0, 0.0)
        for a in range(3):
            g = corner_of(cells.table, b, 3 * a * LANES + k)
            push = add_scaled(add_scaled(scale(g[0], p[0]), g[1], p[1]), g[2], p[2])
            total = add(total, push)
            for r in range(3):
                soft.inner[0, cells.vertex[b, (a + 1) * LANES + k], r] += push[r]
        for r in range(3):
            soft.inner[0, cells.vertex[b, k], r] -= total[r]


@entry
def sweep_patches(cells: Elements, volumes: PatchVolumes, face: Faces, normal: Points, moments: Triples, place: Points,
                  inverse_mass: Annotated[Array, real("n", "1/kg", "zero if held")]) -> None:
    """Each volume into its range along its gradient, one after another. Writes: place"""
    for i in range(volumes.cell.shape[0]):
        b, k = volumes.cell[i] // LANES, volumes.cell[i] % LANES
        volume, g = volume_at(volumes, face, normal, moments, i, gradient_of(cells, place, b, k))
        missing = clamped(volume, volumes.range[i, 0], volumes.range[i, 1]) - volume
        if missing == 0.0:
            continue
        c1, c2 = corner_of(cells.table, b, k), corner_of(cells.table, b, 3 * LANES + k)
        c3 = corner_of(cells.table, b, 6 * LANES + k)
        q1 = add_scaled(add_scaled(scale(c1[0], g[0]), c1[1], g[1]), c1[2], g[2])
        q2 = add_scaled(add_scaled(scale(c2[0], g[0]), c2[1], g[1]), c2[2], g[2])
        q3 = add_scaled(add_scaled(scale(c3[0], g[0]), c3[1], g[1]), c3[2], g[2])
        q0 = scale(-1.0, add(q1, add(q2, q3)))
        total = 0.0
        for a in range(4):
            q = q0 if a == 0 else q1 if a == 1 else q2 if a == 2 else q3
            total += inverse_mass[cells.vertex[b, a * LANES + k]] * dot(q, q)
        for a in range(4):
            v, q = cells.vertex[b, a * LANES + k], (q0 if a == 0 else q1 if a == 1 else q2 if a == 2 else q3)
            for r in range(3):
                place[v, r] += missing * inverse_mass[v] * q[r] / total if total > 0.0 else 0.0


def with_patches(model: SoftModel, mesh, tolerance: float) -> SoftModel:
    """A solid of volume patches: the volume of each cell under a relief is that of its patch, relief included.

    mesh: PatchMesh with cells, those of the model; tolerance: error of the relief's volume, as a share of it [-].
    """
    from ...model.soft import PatchSurface
    from ...patch.measure import cell_of_face
    from ...patch.quadrature import quadrature
    from ...patch.surface import surface_of

    if len(model.groups.vertex):
        raise ValueError("Cells of volume patches keep their own volumes; make the solid without groups.")
    samples, patches = quadrature(mesh, tolerance), surface_of(mesh).patches
    raised = np.flatnonzero(np.diff(samples.first) > 0)
    owner = cell_of_face(mesh)[raised]
    order = np.argsort(owner, kind="stable")
    faces, owner = raised[order], owner[order]
    cells, first = np.unique(owner, return_index=True)
    corner = mesh.vertices[mesh.faces[faces]]
    table = unblocked(model.cells.table, model.cells.table.shape[1] // LANES, int(model.cells.size[0]))[cells]
    base = 1.0 / (6.0 * np.linalg.det(table[:, :9].reshape(-1, 3, 3)))
    volumes = PatchVolumes(cells.astype(np.int32), np.ones(len(cells)), base, np.ones((len(cells), 2)),
                           np.append(first, len(faces)).astype(np.int32), faces.astype(np.int32),
                           np.ascontiguousarray((corner[:, 1:] - corner[:, :1]).reshape(-1, 6)))
    made = model._replace(volumes=volumes, surface=PatchSurface(patches.face, patches.corner_weight, samples))
    volume, slope = volumes_at(made, model.vertices.rest)
    if not (volume > 0.0).all():
        raise ValueError(f"The relief over cell {int(cells[np.argmin(volume > 0.0)])} takes more than the cell's own volume; "
                         "take a smaller amplitude.")
    # Lambda is what the cells' weights were made of, 3 lambda V_0 (material_weights.py).
    volumes.weight[:] = table[:, VOLUME] / (3.0 * base) * np.sum(slope**2, axis=1) / volume
    volumes.range[:] = table[:, LEAST:LEAST + 2] * volume[:, None]
    block, lane = cells // LANES, cells % LANES
    made.cells.table[block, VOLUME * LANES + lane] = 0.0
    made.cells.table[block, STRAIN * LANES + lane] *= volume / base
    return made


def volumes_at(model: SoftModel, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Volumes [m3] (c,) of all volume patches at `position` [m] (n, 3), and their gradients by F [m3] (c, 9)."""
    normal, moments = np.zeros(position.shape), np.zeros((len(model.surface.face), 3, 3))
    vertex_normals(model.surface.face, model.surface.corner_weight, position, normal)
    patch_moments(model.surface.face, model.surface.samples, normal, moments)
    volume, slope = np.zeros((len(model.volumes.cell), 2)), np.zeros((len(model.volumes.cell), 9))
    measure_patches(model.cells, model.volumes, model.surface.face, normal, moments, position, slope, volume)
    return volume[:, 0], slope


@entry
def measure_patches(cells: Elements, volumes: PatchVolumes, face: Faces, normal: Points, moments: Triples, place: Points,
                    slope: Slopes, volume: Annotated[Array, real("c 2", "m3", "the volumes, in the first column")]) -> None:
    """Volumes of all volume patches and their gradients. Writes: slope, volume"""
    for i in range(volumes.cell.shape[0]):
        b, k = volumes.cell[i] // LANES, volumes.cell[i] % LANES
        volume[i, 0], g = volume_at(volumes, face, normal, moments, i, gradient_of(cells, place, b, k))
        for r in range(3):
            slope[i, r], slope[i, 3 + r], slope[i, 6 + r] = g[0][r], g[1][r], g[2][r]
