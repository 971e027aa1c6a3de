"""Free-form patches: triangles with a relief of second-order perturbation functions, for cloth, shells and solids."""

import operator
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .errors import fail, number, shown, unfinite, vector
from .thing import Part


class Quadric(Part, frozen=True, weakref=True):
    """A perturbation of height amplitude max(Q, 0)^3 with Q(x) = (x, y, z, 1) matrix (x, y, z, 1)^T, object's rest frame."""

    matrix: Any
    """(4, 4); its entries make Q a number without unit for x in metres. Only its symmetric part counts."""
    amplitude: float
    """[m] outwards; negative for a dent."""

    def __post_init__(self) -> None:
        try:
            matrix = np.ascontiguousarray(self.matrix, float)
        except (TypeError, ValueError, OverflowError):
            matrix = np.zeros(0)
        if matrix.shape != (4, 4):
            raise fail(self, "matrix must be a table of 4 by 4 numbers.")
        if not np.isfinite(matrix).all():
            raise unfinite(self, "matrix", matrix)
        matrix = 0.5 * (matrix + matrix.T)
        matrix.flags.writeable = False
        self._set(matrix=matrix, amplitude=number(self, "amplitude", self.amplitude, "m"))

    @staticmethod
    def ellipsoid(centre: Any, half_lengths: Any, amplitude: float) -> "Quadric":
        """Q = 1 - sum of ((x - centre)/half_lengths)^2: largest, 1, at the centre [m]; zero on the ellipsoid.

        An infinite half length makes a cylinder along that axis.
        """
        middle = np.asarray(vector(Quadric, "centre", centre))
        row = isinstance(half_lengths, (list, tuple)) or (isinstance(half_lengths, np.ndarray) and half_lengths.ndim == 1)
        halves = list(half_lengths) if row else []
        if len(halves) != 3:
            raise fail(Quadric, f"half_lengths is {shown(half_lengths)}; it must be 3 numbers.")
        inverse = np.array([1.0 / number(Quadric, "half length", h, "m", above=0.0, infinite=True) ** 2 for h in halves])
        matrix = np.zeros((4, 4))
        matrix[:3, :3] = np.diag(-inverse)
        matrix[:3, 3] = matrix[3, :3] = inverse * middle
        matrix[3, 3] = 1.0 - inverse @ middle**2
        return Quadric(matrix, amplitude)

    def __call__(self, points: Any) -> np.ndarray:
        """Q [-] at points (…, 3) [m]."""
        x = np.concatenate([np.asarray(points, float), np.ones((*np.shape(points)[:-1], 1))], axis=-1)
        return np.einsum("...i,ij,...j->...", x, self.matrix, x)


class FreeFormPatch(Part, frozen=True):
    """A base triangle with a relief; with an apex, a tetrahedral cell whose outer face carries the relief."""

    triangle: Any
    """Corners (3, 3) [m], counter-clockwise from outside, object's rest frame."""
    quadrics: tuple[Quadric, ...] = ()
    """The perturbations that make the relief; they add up."""
    apex: Any = None
    """Fourth corner (3,) [m] of a volume patch, on the inner side."""

    def __post_init__(self) -> None:
        corners = _table(self, "triangle", self.triangle, float)
        if corners.shape != (3, 3):
            raise fail(self, f"triangle has shape {corners.shape}; it must be three corners (3, 3).")
        across = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        if np.linalg.norm(across) <= THIN * np.ptp(corners, axis=0).max() ** 2:
            named = ", ".join(str(tuple(one)) for one in corners.tolist())
            raise fail(self, f"the triangle is degenerate: its corners {named} m lie on one line; move one off it, or leave "
                             "the patch out.")
        self._set(triangle=corners, quadrics=_quadrics(self, self.quadrics))
        if self.apex is not None:
            apex = vector(self, "apex", self.apex)
            if across @ (corners[0] - np.asarray(apex)) <= 0.0:
                raise fail(self, "the apex is not on the inner side of the triangle: turn the triangle round.")
            self._set(apex=apex)


class PatchMesh(Part, frozen=True, weakref=True):
    """Free-form patches joined along their edges: base triangles, and the perturbations that shape them.

    The surface over a base point p is p + t n, n interpolated from the normals of the vertices and t the root of
    t = sum amplitude max(Q(p + t n), 0)^3, outwards of a point p inside, where the sum is positive. Neighbours share p, n and
    t along an edge: nothing cracks, however deformed. Amplitudes of many sizes of the object, less one that is everywhere
    (a matrix with its last entry alone), blend bumps into a smooth body: the surface is where they balance.
    """

    vertices: Any
    """Corners of the base triangles (n, 3) [m], object's rest frame."""
    faces: Any
    """(m, 3), counter-clockwise from outside."""
    quadrics: tuple[Quadric, ...] = ()
    """The perturbations that make the relief; they add up."""
    shares: Any = None
    """Numbers of the quadrics of each face, a list each; without it every quadric works on all the faces it reaches."""
    cells: Any = None
    """Tetrahedra (c, 4) under the faces, for volume patches."""

    def __post_init__(self) -> None:
        vertices, faces = _table(self, "vertices", self.vertices, float), _table(self, "faces", self.faces, np.int32)
        if vertices.ndim != 2 or vertices.shape[1:] != (3,) or faces.ndim != 2 or faces.shape[1:] != (3,) or not len(faces):
            raise fail(self, "vertices must have shape (n, 3) and faces (m, 3), with at least one face.")
        self._set(vertices=vertices, faces=faces, quadrics=_quadrics(self, self.quadrics))
        if faces.min() < 0 or faces.max() >= len(vertices):
            bad = np.flatnonzero((faces < 0).any(axis=1) | (faces >= len(vertices)).any(axis=1))[0]
            raise fail(self, f"faces name vertices outside 0 to {len(vertices) - 1}, face {bad} first; they count from 0.")
        _check_triangles(self, vertices, faces)
        if self.shares is not None:
            try:
                shares = tuple(tuple(operator.index(k) for k in one) for one in self.shares)
            except TypeError:
                shares = ()
            if len(shares) != len(faces) or any(not 0 <= k < len(self.quadrics) for one in shares for k in one):
                raise fail(self, f"shares must list, for each of {len(faces)} faces, numbers below {len(self.quadrics)}, that "
                                 "of its quadrics.")
            self._set(shares=shares)
        if self.cells is not None:
            cells = _table(self, "cells", self.cells, np.int32)
            if cells.ndim != 2 or cells.shape[1:] != (4,) or cells.min() < 0 or cells.max() >= len(vertices):
                raise fail(self, f"cells must have shape (c, 4) and name vertices 0 to {len(vertices) - 1}.")
            self._set(cells=cells)

    @staticmethod
    def from_mesh(mesh: Any, quadrics: Sequence[Quadric] = ()) -> "PatchMesh":
        """Patches over a triangle mesh: a Sheet, a Mesh, a file that trimesh reads, a trimesh, or (vertices (n, 3) [m], faces
        (m, 3))."""
        from ..patch.build import triangle_mesh

        return PatchMesh(*triangle_mesh(mesh), quadrics)  # type: ignore[arg-type]

    @staticmethod
    def from_cells(vertices: Any, cells: Any, quadrics: Sequence[Quadric] = ()) -> "PatchMesh":
        """Volume patches: cells (c, 4) of vertices (n, 3) [m], with a relief on all their outer faces."""
        from ..compile.cells import checked_cells

        filling = checked_cells(vertices, cells, "PatchMesh")
        return PatchMesh(filling.vertices, filling.faces(), quadrics, None, filling.cells)  # type: ignore[arg-type]

    @staticmethod
    def from_patches(patches: Sequence[FreeFormPatch]) -> "PatchMesh":
        """Patches joined where their corners meet; those that disagree along an edge are refused."""
        from ..patch.build import joined

        return joined(patches)

    @staticmethod
    def sphere(radius: float, patches: int = 20) -> "PatchMesh":
        """A ball of radius [m] of 20, 80, 320 … patches with one quadric, filled with a cell under each patch."""
        from ..patch.build import ball

        return ball(number(PatchMesh, "radius", radius, "m", above=0.0), patches)

    @staticmethod
    def car_body(length: float = 4.2) -> "PatchMesh":
        """The body of a car of length [m], nose towards x, its sill 0.07 lengths over z = 0, filled with cells."""
        from ..patch.car import car_body

        return car_body(number(PatchMesh, "length", length, "m", above=0.0))

    @staticmethod
    def load(path: str | Path) -> "PatchMesh":
        """A patch mesh from a file that `save` wrote."""
        from ..patch.files import read_patches

        return read_patches(path)

    def save(self, path: str | Path) -> None:
        """Write to a file (NPZ); `load` gives the same mesh, to the last bit. What `check` refuses is not written."""
        from ..patch.files import write_patches

        write_patches(self, path)

    def check(self) -> None:
        """Refuse a relief that folds over and patches that disagree along an edge.

        It looks as closely as measures of tolerance 1e-4 and as triangles of which a patch has eight a side; what folds over
        in still smaller places may be refused by what looks closer.
        """
        from ..patch.tessellate import check_closely

        check_closely(self)

    def volume(self, positions: Any = None, tolerance: float = 1e-6) -> float:
        """Volume [m3] of the closed body with its relief, for vertices at positions (n, 3) [m], or at rest.

        It errs by about `tolerance` [-] of the relief's own.
        """
        from ..patch.measure import volume

        return volume(self, positions, number(self, "tolerance", tolerance, least=0.0))

    def area(self, positions: Any = None, tolerance: float = 1e-6) -> float:
        """Area [m2] of the surface with its relief, for vertices at positions (n, 3) [m], or at rest.

        It errs by about `tolerance` [-] of the relief's own.
        """
        from ..patch.measure import area

        return area(self, positions, number(self, "tolerance", tolerance, least=0.0))

    def tessellate(self, tolerance: float) -> Any:
        """Triangles within `tolerance` [m] of the surface: a Tessellation, which can follow deformed vertices.

        Edges are halved seven times at most: where that is not enough, its `.error` [m] is larger than `tolerance`.
        """
        from ..patch.tessellate import tessellate

        return tessellate(self, number(self, "tolerance", tolerance, "m", above=0.0))

    def creases(self, positions: Any = None) -> Any:
        """How sharply the surface bends at each edge between two patches: Creases.

        For vertices at positions (n, 3) [m], for example `world[name].positions`, or at rest.
        """
        from ..patch.creases import creases

        return creases(self, positions)

    def cast(self, origins: Any, directions: Any, positions: Any = None) -> Any:
        """Where rays from origins (r, 3) [m] along directions (r, 3) first meet the surface: Hits."""
        from ..patch.cast import cast

        return cast(self, origins, directions, positions)


THIN = 1e-9
"""A triangle whose height is less than this share of its longest side is degenerate [-]."""


def _table(thing, field: str, value: Any, kind: type) -> np.ndarray:
    """A frozen array of finite numbers, or an error that names the field."""
    try:
        array: np.ndarray = np.array(value, kind, order="C")
        if kind is not float and not np.array_equal(array, np.asarray(value, float)):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise fail(thing, f"{field} must be a table of {'numbers' if kind is float else 'whole numbers'}.") from None
    if not np.isfinite(array).all():
        raise unfinite(thing, field, array)
    array.flags.writeable = False
    return array


def _quadrics(thing, quadrics: Any) -> tuple[Quadric, ...]:
    if not isinstance(quadrics, (list, tuple)) or not all(isinstance(one, Quadric) for one in quadrics):
        raise fail(thing, f"quadrics is {shown(quadrics)}; it must be a list of Quadrics.")
    return tuple(quadrics)


def _check_triangles(thing, vertices: np.ndarray, faces: np.ndarray) -> None:
    """Refuse degenerate triangles, edges of three faces and faces turned against their neighbours."""
    corners = vertices[faces]
    longest = ((np.roll(corners, -1, axis=1) - corners) ** 2).sum(axis=2).max(axis=1)
    twice = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    bad = np.flatnonzero(twice <= THIN * longest)
    if len(bad):
        raise fail(thing, f"face {bad[0]} is degenerate: its corners lie on one line ({len(bad)} such faces); take it out, or "
                          "move a corner off the line.")
    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    key = edges[:, 0].astype(np.int64) * len(vertices) + edges[:, 1]
    if len(np.unique(key)) < len(key):
        order = np.argsort(key, kind="stable")
        twin = np.flatnonzero(np.diff(key[order]) == 0)[0]
        first, second = order[twin] // 3, order[twin + 1] // 3
        a, b = edges[order[twin]]
        raise fail(thing, f"faces {first} and {second} run along their edge {a}-{b} the same way: "
                          "turn one of them round, or part a mesh of three faces at an edge.")
