"""The filling of a closed cloth: its volume with the relief, the pressure it answers with, and its part in a solve."""

from functools import partial
from typing import Any

import numpy as np

from ..._jit import bind, entry, kernel
from ...equations.elastic.enclosed_volume import cone_and_relief
from ...equations.elastic.strain_projection import clamped
from ...equations.patch.patch_point import corners
from ...math.sparse_cholesky import SparseCholesky
from ...math.vec3 import load, store, sub
from ...model.schema import allocate
from ...model.soft import ElementWork, Enclosed, PatchSurface, Points, SoftModel, SoftWork
from ...patch.groups import Faces, Samples, Triples
from ...patch.heights import vertex_normals
from ...patch.integrals import add_three, load_moments, patch_moments
from ...patch.quadrature import quadrature
from ...patch.surface import surface_of


class Enclosure:
    """The filling during a step; there may be none."""

    def __init__(self, model: SoftModel, triangles: ElementWork, soft: SoftWork) -> None:
        self.filling, self._surface, self._soft = model.enclosed, model.surface, soft
        self._vertices = model.vertices
        self.hold()
        shape = model.vertices.rest.shape
        self._normal, self._moments = np.zeros(shape), np.zeros((len(self._surface.face), 3, 3))
        self.slope = np.zeros(shape)
        """dV/dx [m2] (n, 3) where it was last looked at."""
        arrays = (self._surface.face, self._normal, self._moments)
        self._project = bind(press, *arrays, self.filling, soft.place, self.slope, triangles, soft)
        self._measure = partial(enclose, *arrays)

    def __bool__(self) -> bool:
        return len(self.filling.stiffness) > 0

    def hold(self) -> None:
        """Those vertices are held that have no mass."""
        self._free = (self._vertices.inverse_mass > 0.0)[:, None]

    def begin(self, position: np.ndarray) -> None:
        """Take normals and moments at `position` [m] (n, 3)."""
        if self:
            vertex_normals(self._surface.face, self._surface.corner_weight, position, self._normal)
            patch_moments(self._surface.face, self._surface.samples, self._normal, self._moments)

    def project(self) -> None:
        """Add the pressure's push to the vertices, and its energy to that of the first triangle."""
        self._project()

    def solved_with(self, factor: SparseCholesky, out: np.ndarray) -> np.ndarray:
        """`out` = A^-1 r becomes the answer with the filling, k/V_0 g g^T added to the factor's A. Writes: out"""
        if self:
            g = self.slope * self._free
            z, soft = factor.solve(g), float(self.filling.volume[0, 0] / self.filling.stiffness[0])
            out -= z * (float(np.sum(g * out)) / (soft + float(np.sum(g * z))))
        return out

    def times(self, v: np.ndarray) -> np.ndarray:
        """k/V_0 g (g.v) (n, 3), g where it was last looked at."""
        g = self.slope * self._free
        return g * (float(np.sum(g * v)) * float(self.filling.stiffness[0] / self.filling.volume[0, 0]))

    def sweep(self, inverse_mass: np.ndarray) -> None:
        """Move all vertices along the gradient until the volume is in its range. Writes: place"""
        place = self._soft.place
        volume = self._measure(place, self.slope)
        missing = min(max(volume, self.filling.volume[0, 1]), self.filling.volume[0, 2]) - volume
        pull = inverse_mass[:, None] * self.slope
        total = float(np.sum(pull * self.slope))
        if total > 0.0:
            np.add(place, pull * (missing / total), out=place)


@kernel
def inside(face, normal, moments, place, slope):
    """Volume [m3] inside a closed surface and its gradient [m2], normals lagging. Writes: slope"""
    for v in range(slope.shape[0]):
        store(slope, v, (0.0, 0.0, 0.0))
    total, origin = 0.0, load(place, face[0, 0])  # any point would do, a near one rounds least
    for f in range(face.shape[0]):
        a, b, c = corners(place, face, f)
        volume, slopes = cone_and_relief((sub(a, origin), sub(b, origin), sub(c, origin)), corners(normal, face, f),
                                         load_moments(moments, f))
        add_three(slope, face, f, slopes)
        total += volume
    return total


@entry
def enclose(face: Faces, normal: Points, moments: Triples, place: Points, slope: Points) -> float:
    """Volume [m3] inside and its gradient. Writes: slope"""
    return inside(face, normal, moments, place, slope)


@entry
def press(face: Faces, normal: Points, moments: Triples, filling: Enclosed, place: Points, slope: Points, work: ElementWork,
          soft: SoftWork) -> None:
    """Pushes p dV/dx and the energy of the filling, added to that of the first triangle. Writes: slope, work, soft.inner"""
    volume = inside(face, normal, moments, place, slope)
    away = volume - clamped(volume, filling.volume[0, 1], filling.volume[0, 2])
    k = filling.stiffness[0] / filling.volume[0, 0]
    work.energy[0, 0] += 0.5 * k * away * away
    for v in range(slope.shape[0]):
        for r in range(3):
            soft.inner[0, v, r] -= k * away * slope[v, r]


def with_filling(model: SoftModel, faces: np.ndarray, stiffness: float, mesh: Any = None,
                 ratios: tuple[float, float] = (1.0, 1.0), tolerance: float = 1e-3) -> SoftModel:
    """A closed cloth of `faces` (m, 3), filled with what has the bulk modulus `stiffness` [Pa].

    mesh: its PatchMesh, if it has a relief; ratios: range of the volume in which nothing resists, of what it was; tolerance:
    error of the relief's volume, as a share of it [-].
    """
    if mesh is None:
        face = np.ascontiguousarray(faces, np.int32)
        samples = allocate(Samples, f=len(face) + 1, s=0)
        surface = PatchSurface(face, np.ones(face.shape), samples)  # without a relief normals do nothing
    else:
        patches = surface_of(mesh).patches
        surface = PatchSurface(patches.face, patches.corner_weight, quadrature(mesh, tolerance))
    rest, scratch = model.vertices.rest, np.zeros((2, *model.vertices.rest.shape))
    moments = np.zeros((len(surface.face), 3, 3))
    vertex_normals(surface.face, surface.corner_weight, rest, scratch[0])
    patch_moments(surface.face, surface.samples, scratch[0], moments)
    volume = float(enclose(surface.face, scratch[0], moments, rest, scratch[1]))
    if not volume > 0.0:
        raise ValueError("A surface is inside out: turn its triangles round, or leave out what it is filled with.")
    low, high = ratios
    return model._replace(surface=surface, enclosed=Enclosed(np.array([float(stiffness)]),
                                                             np.array([[volume, low * volume, high * volume]])))
