"""Soft solids: bodies filled with tetrahedral cells."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import SceneError, fail, number, shown
from .material import STIFFEST, Material
from .patch import PatchMesh
from .shape import Box, Mesh
from .soft import Soft, stiffness_or_range, vertex_table
from .thing import Part, Quaternion, Vector

if TYPE_CHECKING:
    from ..compile.cells import Cells, Quality


class Solid(Soft, frozen=True):
    """A body that deforms."""

    mesh: Box | Mesh | PatchMesh | tuple[Vector, ...]
    """Vertices (n, 3) [m] beside `cells`; patches filled with cells; or, beside `spacing`, a Box or a closed surface: a Mesh,
    (vertices (n, 3) [m], faces (m, 3)), a mesh file or a trimesh. Own frame."""
    cells: Any = None
    """Tetrahedra (c, 4) between the vertices."""
    material: Material | str = "rubber"
    """A Material or a preset's name; Poisson's ratio from 0 to below 0.5, by method "newton" from above -1."""
    strain: Any = None
    """How cells resist a change of shape: a stiffness [Pa] in place of the material's 2 mu, or a range (low, high) of
    stretches [-] within which they do not resist; the material's if not given."""
    volume: Any = None
    """How they resist a change of volume: a stiffness [Pa] in place of 3 lambda, or a range of volume ratios [-]."""
    examples: tuple[Any, ...] = ()
    """Shapes (n, 3) [m] that it likes to take, beside the one at rest."""
    example_stiffness: float | None = None
    """How strongly it likes them [Pa]; as it resists a change of shape, the material's 2 mu, if not given."""
    method: str = "projective"
    """"projective" (paper D), "quasi-newton", "position", "jacobi" or "newton"."""
    iterations: int = 10
    """Of the method in each substep, at most."""
    spacing: float | None = None
    """About the width of the cubes, five cells each, that fill a Box or a closed surface [m]."""
    position: Vector = (0.0, 0.0, 0.0)
    """Of its own frame at the start [m], world frame."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Own frame to world (w, x, y, z), unit."""
    velocity: Vector = (0.0, 0.0, 0.0)
    """Of all vertices at the start [m/s], world frame."""
    friction: float = 0.5
    """Coulomb [-]; between two things the larger counts."""
    collide: bool = True
    """Whether it touches bodies, the ground and other soft things."""
    color: Vector | None = None
    """Red, green, blue, each 0 to 1."""

    def __post_init__(self) -> None:
        self._set(mesh=_noun(self, self.mesh))
        self._check_common()
        if self.spacing is not None:
            self._set(spacing=number(self, "spacing", self.spacing, "m", above=0.0))
        self.__dict__["_filling"] = self._fill()
        for field in ("strain", "volume"):
            self._set(**{field: stiffness_or_range(self, field, getattr(self, field))})
        if self.strain == 0.0 and self.volume == 0.0:
            raise fail(self, "strain and volume are both 0 Pa; nothing would hold it together.")
        self._check_examples()

    def _fill(self) -> "Cells":
        """Cells from whatever was given."""
        mesh, by_cubes = self.mesh, isinstance(self.mesh, (Box, Mesh))
        if isinstance(mesh, Part) and not isinstance(mesh, (Box, Mesh, PatchMesh)):
            raise fail(self, f"mesh is {shown(mesh)}; of the shapes only a Box and a Mesh are filled with cells, a ball is "
                             "PatchMesh.sphere(radius).")
        if by_cubes and self.spacing is None:
            raise fail(self, "spacing is not given; a Box and a closed surface are filled with cubes of that width [m].")
        if self.spacing is not None and not by_cubes:
            raise fail(self, "spacing is given, but its mesh has cells of its own; leave one of them out.")
        if self.cells is not None and (by_cubes or isinstance(mesh, PatchMesh)):
            raise fail(self, "cells is given, but its mesh is filled already; give plain vertices (n, 3) beside cells.")
        try:
            return self._of_box(mesh) if isinstance(mesh, Box) else self._of_mesh(mesh)
        except SceneError as error:
            if f"'{self.name}'" in str(error):
                raise
            text = str(error).removeprefix("Cells: ").removeprefix("PatchMesh: ")
            raise fail(self, f"its mesh cannot be used: {text}") from None

    def _of_box(self, box: Box) -> "Cells":
        """Cubes of about the spacing."""
        from ..compile.cells import MOST_CUBES, bar_cells

        size, spacing = np.array([box.x, box.y, box.z]), float(self.spacing or 0.0)
        if spacing > (1.0 + 1e-9) * size.max():
            raise fail(self, f"spacing is {spacing:g} m, but its box is at most {size.max():g} m long; give the "
                             "width of a cube, not their number.")
        counts = np.maximum(np.rint(size / spacing), 1.0)
        if counts.prod() > MOST_CUBES:
            raise fail(self, f"spacing {spacing:g} m makes {counts.prod():.3g} cubes; take at most 1e6.")
        return bar_cells(size, (int(counts[0]), int(counts[1]), int(counts[2])))

    def _of_mesh(self, mesh) -> "Cells":
        """Cubes inside a closed surface, or the cells of patches or of plain vertices."""
        from ..compile.cells import Cells, checked_cells, voxel_filling
        from ..patch.build import triangle_mesh
        from ..patch.surface import surface_of

        if isinstance(mesh, Mesh):
            pair = mesh.source if isinstance(mesh.source, tuple) else triangle_mesh(mesh.source)
            found, inside = voxel_filling(mesh.scale * np.asarray(pair[0]), pair[1], float(self.spacing or 0.0))
            self.__dict__["_inside"] = inside
            return found
        if isinstance(mesh, PatchMesh):
            if mesh.cells is None:
                raise fail(self, "its patches have no cells; make them with PatchMesh.from_cells or PatchMesh.sphere.")
            surface_of(mesh)
            return Cells(mesh.vertices, checked_cells(mesh.vertices, mesh.cells).cells)
        if self.cells is None:
            raise fail(self, "it has no cells; give vertices (n, 3) and cells (c, 4), patches with cells, or a Box or "
                             "closed surface with spacing.")
        vertices = vertex_table(self, "mesh", mesh)
        corners = _whole(self, self.cells)
        self._set(mesh=vertices, cells=corners)
        return checked_cells(vertices, corners)

    def _check_examples(self) -> None:
        from ..compile.cells import cell_volumes

        if not isinstance(self.examples, (tuple, list)) and not (isinstance(self.examples, np.ndarray)
                                                                 and self.examples.ndim == 3):
            raise fail(self, f"examples is {shown(self.examples)}; it must be a list of shapes (n, 3) [m].")
        shapes = tuple(vertex_table(self, f"examples[{k}]", one) for k, one in enumerate(self.examples))
        wrong = [k for k, one in enumerate(shapes) if one.shape != self.rest.shape]
        if wrong:
            raise fail(self, f"examples[{wrong[0]}] has shape {shapes[wrong[0]].shape}; it must be that of its vertices, "
                             f"{self.rest.shape}.")
        for k, one in enumerate(shapes):
            flat = np.flatnonzero(~(cell_volumes(one, self.filling.cells) > 0.0))
            if len(flat):
                raise fail(self, f"examples[{k}] leaves cell {flat[0]} without volume or inside out ({len(flat)} such cells); "
                                 "give a shape that its cells can take.")
        if self.example_stiffness is not None:
            stiffness = number(self, "example_stiffness", self.example_stiffness, "Pa", above=0.0, most=STIFFEST)
            self._set(example_stiffness=stiffness)
        if not shapes and self.example_stiffness is not None:
            raise fail(self, "example_stiffness is given without examples; they belong together.")
        if shapes and self.example_stiffness is None:
            self._set(example_stiffness=2.0 * self.stuff.shear_modulus)
        if shapes and self.method in ("position", "newton"):
            raise fail(self, f"examples are given, but method '{self.method}' does not know them; take 'projective', "
                             "'quasi-newton' or 'jacobi'.")
        self._set(examples=shapes)

    @property
    def filling(self) -> "Cells":
        """Its vertices [m] (n, 3), own frame, and cells (c, 4)."""
        return self.__dict__["_filling"]

    @property
    def quality(self) -> "Quality":
        """How well shaped its cells are, and how much of its surface they fill."""
        from ..compile.cells import quality

        if "_quality" not in self.__dict__:
            self.__dict__["_quality"] = quality(self.filling, self.__dict__.get("_inside"))
        return self.__dict__["_quality"]

    def warnings(self) -> list[str]:
        """What is doubtful about its cells."""
        return [f"Solid '{self.name}': {text}" for text in self.quality.doubts()]

    @property
    def rest(self) -> np.ndarray:
        """Vertices without load [m] (n, 3), own frame."""
        return self.filling.vertices

    @property
    def faces(self) -> np.ndarray:
        """Outer triangles (m, 3)."""
        return self.mesh.faces if isinstance(self.mesh, PatchMesh) else self.filling.faces()


def _noun(thing: Solid, given: Any) -> Any:
    """A surface that is given as a file, a trimesh or a pair as a Mesh; anything else, and what has cells, as it is."""
    if thing.cells is not None or isinstance(given, Part):
        return given
    pair = isinstance(given, (tuple, list)) and len(given) == 2
    if not (pair or isinstance(given, (str, Path)) or (hasattr(given, "vertices") and hasattr(given, "faces"))):
        return given
    try:
        return Mesh(given)
    except SceneError as error:
        raise fail(thing, str(error).replace("Mesh: source", "mesh", 1)) from None


def _whole(thing: Solid, value: Any) -> np.ndarray:
    """A frozen table of whole numbers (c, 4), or an error."""
    try:
        array = np.array(value, np.int32, order="C")
        good = np.array_equal(array, np.asarray(value, float))
    except (TypeError, ValueError, OverflowError):
        array, good = np.zeros(0, np.int32), False
    if not good or array.ndim != 2 or array.shape[1:] != (4,) or not len(array):
        raise fail(thing, f"cells is {shown(value)}; it must be whole numbers (c, 4), four corners a cell.")
    array.setflags(write=False)
    return array
