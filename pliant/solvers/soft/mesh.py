"""From a mesh and a material to the arrays of a soft thing."""

from collections.abc import Sequence

import numpy as np

from ...equations.elastic.bending_angle import bend_coefficients, inner_edges, rest_length, rest_length_of_angle
from ...equations.elastic.bending_moment import edge_compliance, least_areas
from ...equations.elastic.deformation_gradient import cell_gradients, triangle_gradients
from ...equations.elastic.group_volume import GROUP_CORNERS, shared_lame
from ...equations.elastic.material_weights import bending_stiffness, cell_weights, lame, triangle_weights
from ...math.svd3 import LANES
from ...model.schema import allocate
from ...model.soft import (
    BEND_CORNERS,
    BEND_TABLE,
    CELL_CORNERS,
    CELL_TABLE,
    GROUP_TABLE,
    TRIANGLE_CORNERS,
    TRIANGLE_TABLE,
    Compliance,
    Elements,
    Enclosed,
    Examples,
    PatchSurface,
    PatchVolumes,
    SoftModel,
    Vertices,
    blocked,
)
from ...patch.groups import Samples
from .groups import group_elements


def solid_model(rest: np.ndarray, cells: np.ndarray, density: float, young: float, poisson: float, *,
                strain: tuple[float, float] = (1.0, 1.0), volume: tuple[float, float] = (1.0, 1.0),
                held: Sequence[int] = (), examples: Sequence[np.ndarray] = (), example_stiffness: float = 0.0,
                in_groups: bool = True) -> SoftModel:
    """A solid of tetrahedral `cells` (c, 4) between vertices at `rest` [m] (n, 3).

    density [kg/m3], young [Pa]; strain: range of the singular values; volume: range of a cell's volume, of what it was; held:
    vertices that move as they are told; examples: further shapes (n, 3) [m] that it likes, with example_stiffness [Pa];
    in_groups: whether near-incompressible cells keep the volume of groups of them (group_volume.py).
    """
    rest, cells = np.asarray(rest, float), np.asarray(cells, np.int64)
    inverse, size = cell_gradients(rest, cells)
    if not (size > 0.0).all():
        raise ValueError(f"{int((~(size > 0.0)).sum())} cells have no volume or are inside out, the first is number "
                         f"{int(np.argmin(size > 0.0))}; exchange two of its corners or mend the mesh.")
    mu, lam = lame(young, poisson)
    alone, shared = shared_lame(mu, lam) if in_groups else (lam, 0.0)
    weights = cell_weights(mu, alone, size)
    table = np.concatenate([inverse.reshape(-1, 9), weights, _ranges(strain, volume, len(cells))], axis=1)
    mass = np.bincount(cells.ravel(), np.repeat(density * size / 4.0, 4), len(rest))
    made = _filled(blocked(cells, table), len(cells), slice(9, 11))
    groups = (group_elements(rest, cells, inverse, size, shared, volume) if shared > 0.0
              else no_elements(GROUP_CORNERS, GROUP_TABLE))
    return SoftModel(_vertices(rest, mass, held), made, no_elements(TRIANGLE_CORNERS, TRIANGLE_TABLE),
                     no_elements(BEND_CORNERS, BEND_TABLE), no_compliance(),
                     _examples(rest, cells, inverse, size, examples, example_stiffness), groups, *no_patches())


def cloth_model(rest: np.ndarray, triangles: np.ndarray, density: float, young: float, poisson: float, thickness: float, *,
                strain: tuple[float, float] = (1.0, 1.0), area: tuple[float, float] = (1.0, 1.0),
                rest_angle: np.ndarray | float | None = None, bend: float | None = None,
                held: Sequence[int] = ()) -> SoftModel:
    """A cloth or shell of `triangles` (t, 3) between vertices at `rest` [m] (n, 3).

    thickness [m]; rest_angle [rad]: of every inner edge (`inner_edges`), None for those of the shape at rest; bend [N m]:
    bending stiffness of the plate, None for that of the material.
    """
    rest, triangles = np.asarray(rest, float), np.asarray(triangles, np.int64)
    inverse, size = triangle_gradients(rest, triangles)
    if not (size > 0.0).all():
        raise ValueError(f"Triangle number {int(np.argmin(size > 0.0))} has no area; mend the mesh.")
    weights = triangle_weights(young, poisson, thickness, size)
    table = np.concatenate([inverse.reshape(-1, 4), weights, _ranges(strain, area, len(triangles))], axis=1)
    mass = np.bincount(triangles.ravel(), np.repeat(density * thickness * size / 3.0, 3), len(rest))
    edges = inner_edges(triangles)
    k = bend_coefficients(rest, edges)
    wanted = rest_length(rest, edges, k)
    if rest_angle is not None:
        wanted = rest_length_of_angle(rest, edges, np.broadcast_to(np.asarray(rest_angle, float), (len(edges),)))
    wanted = np.where(np.abs(wanted) < 1e-9 * np.linalg.norm(rest[edges[:, 1]] - rest[edges[:, 0]], axis=1), 0.0, wanted)
    stiffness = bending_stiffness(young, poisson, thickness) if bend is None else bend
    if stiffness > 0.0:
        compliance, weights = edge_compliance(rest, triangles, edges, stiffness, poisson)
        moments = Compliance(compliance.indptr.astype(np.int32), compliance.indices.astype(np.int32), compliance.data)
    else:
        moments, weights, edges, k, wanted = no_compliance(), np.zeros(0), edges[:0], k[:0], wanted[:0]
    bends = np.concatenate([k, weights[:, None], wanted[:, None], least_areas(rest, edges)], axis=1)
    flat = _filled(blocked(triangles, table), len(triangles), slice(4, 6))
    folds = _filled(blocked(edges, bends), len(edges), slice(4, 5))
    return SoftModel(_vertices(rest, mass, held), no_elements(CELL_CORNERS, CELL_TABLE), flat, folds, moments,
                     no_examples(), no_elements(GROUP_CORNERS, GROUP_TABLE), *no_patches())


def no_elements(corners: int, numbers: int) -> Elements:
    """Not one element."""
    return Elements(np.zeros((0, corners * LANES), np.int32), np.zeros((0, numbers * LANES)), np.zeros(1, np.int32))


def no_compliance() -> Compliance:
    """Not one inner edge."""
    return Compliance(np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0))


def no_examples() -> Examples:
    """Not one example."""
    return Examples(np.zeros((0, 0, 6 * LANES)), np.zeros((0, LANES)), np.zeros((0, 0)))


def no_patches() -> tuple[PatchVolumes, PatchSurface, Enclosed]:
    """Not one volume patch, and nothing inside."""
    samples = allocate(Samples, f=1, s=0)
    return (allocate(PatchVolumes, c=0, f=1, k=0), PatchSurface(np.zeros((0, 3), np.int32), np.zeros((0, 3)), samples),
            allocate(Enclosed, e=0))


def counts(elements: Elements) -> tuple[int, int]:
    """How many elements there are, and corners each."""
    return int(elements.size[0]), elements.vertex.shape[1] // LANES


def _vertices(rest: np.ndarray, mass: np.ndarray, held: Sequence[int]) -> Vertices:
    if not (mass > 0.0).all():
        raise ValueError(f"Vertex number {int(np.argmin(mass > 0.0))} belongs to no element; leave it out.")
    mass = mass.copy()
    mass[np.asarray(held, np.int64)] = 0.0
    inverse = np.divide(1.0, mass, out=np.zeros_like(mass), where=mass > 0.0)
    return Vertices(mass, inverse, np.ascontiguousarray(rest))


def _ranges(strain: tuple[float, float], size: tuple[float, float], count: int) -> np.ndarray:
    for low, high in (strain, size):
        if not 0.0 < low <= high:
            raise ValueError(f"The range ({low}, {high}) must run from a positive number to one that is not smaller.")
    return np.broadcast_to([*strain, *size], (count, 4))


def _filled(elements: Elements, count: int, weights: slice) -> Elements:
    """Lanes that only fill up the last block weigh nothing."""
    if count % LANES:
        elements.table.reshape(len(elements.table), -1, LANES)[-1, weights, count % LANES:] = 0.0
    return elements


def _examples(rest, cells, inverse, size, shapes: Sequence[np.ndarray], stiffness: float) -> Examples:
    if not len(shapes):
        return no_examples()
    stretches = []
    for shape in (rest, *shapes):
        shape = np.asarray(shape, float)
        edges = np.swapaxes(shape[cells[:, 1:]] - shape[cells[:, :1]], 1, 2)
        values, axes = np.linalg.eigh(np.swapaxes(edges @ inverse, 1, 2) @ (edges @ inverse))
        stretch = (axes * np.sqrt(np.maximum(values, 0.0))[:, None, :]) @ np.swapaxes(axes, 1, 2)
        stretches.append(stretch)
    weight = stiffness * size
    gram = np.array([[np.sum(weight * np.einsum("cij,cij->c", a, b)) for b in stretches] for a in stretches])
    six = [blocked(cells, np.stack([s[:, i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))],
                                   axis=1)).table for s in stretches]
    padded = np.zeros(len(six[0]) * LANES)
    padded[: len(weight)] = weight
    return Examples(np.stack(six), padded.reshape(-1, LANES), gram)
