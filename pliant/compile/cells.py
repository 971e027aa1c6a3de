"""Tetrahedral cells: bars and voxels, their outer faces, their quality, and cells that are refused."""

from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..scene.errors import SceneError
from .closed_surface import listed, surface_fault

FLAT = 1e-6
"""A cell whose volume is less than this share of its longest edge cubed is degenerate [-]."""

_EVEN = ((1, 2, 4, 7), (0, 1, 2, 4), (3, 1, 2, 7), (5, 1, 4, 7), (6, 2, 4, 7))
_ODD = ((0, 3, 5, 6), (1, 0, 3, 5), (2, 0, 3, 6), (4, 0, 5, 6), (7, 3, 5, 6))
_SIDES = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))
_EDGES = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1))


class Cells(NamedTuple):
    """Tetrahedra that fill a body."""

    vertices: NDArray[np.float64]
    """[m] (n, 3)"""
    cells: NDArray[np.int32]
    """(c, 4), of positive volume: corner 3 is on the side to which corners 0, 1, 2 run counter-clockwise"""

    def faces(self) -> NDArray[np.int32]:
        """Outer faces (m, 3), counter-clockwise from outside."""
        return outer_faces(self.cells)


POOR_SHAPE, POOR_ANGLE, POOR_FILLING = 0.1, 0.1, 0.05
"""Cells whose worst shape [-] or smallest dihedral angle [rad] is below, or whose filling is off by more [-], are poor."""
MOST_CUBES, MOST_LOOKED_AT = 1e6, 3e7
"""Cubes of a solid, and of the box around a surface of which those inside are sought: about 1 GB of memory each."""


class Quality(NamedTuple):
    """How well shaped some cells are."""

    smallest_dihedral: float
    """[rad]; 1.23 in a regular cell"""
    largest_dihedral: float
    """[rad]"""
    worst_shape: float
    """Smallest of 3 times inscribed by circumscribed radius [-]; 1 for a regular cell, 0 for a flat one"""
    volume_ratio: float
    """Smallest by largest volume [-]"""
    filled: float
    """Volume of all cells by that of the surface they were made from [-]; 1 if they are the surface's own"""
    worst_cell: int
    """The number of the cell of the worst shape"""

    def doubts(self) -> list[str]:
        """What is poor, each with the remedy."""
        out = []
        if self.worst_shape < POOR_SHAPE or self.smallest_dihedral < POOR_ANGLE:
            out.append(f"cell {self.worst_cell} is nearly flat (shape {self.worst_shape:.2g} of 1, smallest angle "
                       f"{np.degrees(self.smallest_dihedral):.2g} degrees); flat cells are too stiff and slow to converge: "
                       "mesh it more evenly")
        if abs(self.filled - 1.0) > POOR_FILLING:
            out.append(f"its cubes fill {100.0 * self.filled:.1f} % of its surface; mass and stiffness are scaled to the "
                       "surface's volume, but contacts and picture are those of the cubes: take a smaller spacing")
        return out


def bar_cells(size: ArrayLike, counts: tuple[int, int, int]) -> Cells:
    """A bar of full lengths `size` (3,) [m] centred on the origin, of nx, ny, nz cubes with five cells each."""
    lengths = np.asarray(size, float)
    if lengths.shape != (3,) or not np.isfinite(lengths).all() or lengths.min() <= 0.0:
        raise SceneError(f"Cells: size is {lengths.tolist()}; it must be three positive lengths [m].")
    if len(counts) != 3 or any(int(n) != n or n < 1 for n in counts):
        raise SceneError(f"Cells: counts is {counts}; it must be three whole numbers of cubes, at least 1.")
    return cube_cells(np.ones(tuple(int(n) for n in counts), bool), -0.5 * lengths, lengths / np.asarray(counts, float))


def voxel_filling(vertices: ArrayLike, faces: ArrayLike, spacing: float) -> tuple[Cells, float | None]:
    """Cells of all the cubes, about `spacing` [m] wide, whose middle is inside a closed surface, five cells each, and the
    volume that the surface bounds [m3]; None where it overlaps itself, and only the cubes are known.

    The sides of the cubes divide the surface's box into whole numbers, so that a box is filled exactly.
    """
    points, triangles = np.asarray(vertices, float), np.asarray(faces, int)
    if not np.isfinite(spacing) or spacing <= 0.0:
        raise SceneError(f"Cells: spacing is {spacing} m; it must be positive.")
    fault = surface_fault(triangles)
    if fault:
        raise SceneError(f"Cells: {fault}")
    lower, extent = points.min(axis=0), np.ptp(points, axis=0)
    corner = points[triangles] - lower
    volume = float(np.einsum("fi,fi->", np.cross(corner[:, 0], corner[:, 1]), corner[:, 2])) / 6.0
    whole = np.maximum(np.rint(extent / spacing), 1.0)
    cubes, looked = abs(volume) / max(np.prod(extent / whole), 1e-300), np.prod(whole)
    if not (cubes <= MOST_CUBES and looked <= MOST_LOOKED_AT):
        raise SceneError(f"Cells: spacing {spacing:g} m makes {cubes:.3g} cubes, of {looked:.3g} in its box of "
                         f"{extent.max():g} m; take at most 1e6, of 3e7.")
    counts = whole.astype(int)
    width = extent / counts
    winding = winding_grid(points, triangles, lower, width, counts)
    inside = winding != 0
    if not inside.any():
        raise SceneError(f"Cells: no cube of {spacing:g} m has its middle inside the surface: take a smaller spacing.")
    _check_pieces(inside, triangles, spacing)
    once = np.abs(winding).max() == 1 and winding.min() * winding.max() >= 0
    return cube_cells(inside, lower, width), abs(volume) if once else None


def winding_grid(vertices, faces, lower, width, counts) -> NDArray[np.int64]:
    """How often a closed surface goes round each middle of a grid of cubes (counts): by the turns of its faces above them."""
    # an odd shift, far below a cube, keeps the columns off edges and corners of the surface
    shift = width * np.array([1.4142136e-6, 1.7320508e-6, 0.0])
    corner = (vertices[faces] - lower - shift) / width - 0.5  # middles are whole numbers
    first = np.maximum(np.ceil(corner[..., :2].min(axis=1)), 0).astype(int)
    last = np.minimum(np.floor(corner[..., :2].max(axis=1)), np.asarray(counts)[:2] - 1).astype(int)
    span = np.maximum(last - first + 1, 0)
    number = span[:, 0] * span[:, 1]
    owner = np.repeat(np.arange(len(faces)), number)
    order = np.arange(len(owner)) - np.repeat(np.cumsum(number) - number, number)
    i, j = first[owner, 0] + order // span[owner, 1], first[owner, 1] + order % span[owner, 1]
    a, b, c = (corner[owner, k] for k in range(3))
    here = np.stack([i, j], axis=1)

    def turn(p, q):
        return (p[:, 0] - here[:, 0]) * (q[:, 1] - here[:, 1]) - (p[:, 1] - here[:, 1]) * (q[:, 0] - here[:, 0])

    wa, wb, wc = turn(b, c), turn(c, a), turn(a, b)
    total = wa + wb + wc
    hit = ((wa >= 0) & (wb >= 0) & (wc >= 0) | (wa <= 0) & (wb <= 0) & (wc <= 0)) & (total != 0.0)
    height = (wa * a[:, 2] + wb * b[:, 2] + wc * c[:, 2])[hit] / total[hit]
    below = np.clip(np.ceil(height), 0, counts[2]).astype(int)  # so many middles of the column are below the face
    winding = np.zeros((counts[0], counts[1], counts[2] + 1), int)
    np.add.at(winding, (i[hit], j[hit], below), np.sign(total[hit]).astype(int))
    return np.cumsum(winding[:, :, ::-1], axis=2)[:, :, ::-1][:, :, 1:]


def outer_faces(cells: ArrayLike) -> NDArray[np.int32]:
    """Faces (m, 3) that belong to one cell only, counter-clockwise from outside."""
    sides = np.asarray(cells, np.int32)[:, _SIDES].reshape(-1, 3)
    _, first, count = np.unique(_face_keys(sides), return_index=True, return_counts=True)
    return sides[np.sort(first[count == 1])]


def checked_cells(vertices: ArrayLike, cells: ArrayLike, name: str = "Cells") -> Cells:
    """Cells of positive volume; if all are left-handed, all are turned round, as other programs write them so.

    Degenerate cells, some that are turned unlike the others, and faces of three cells, are refused by number.
    """
    try:
        points, corners = np.ascontiguousarray(vertices, float), np.array(cells, np.int32)
    except (TypeError, ValueError, OverflowError):
        points, corners = np.zeros(0), np.zeros(0, np.int32)
    if points.ndim != 2 or points.shape[1:] != (3,) or corners.ndim != 2 or corners.shape[1:] != (4,) or not len(corners):
        raise SceneError(f"{name}: vertices must have shape (n, 3) and cells (c, 4), with at least one cell.")
    if not np.isfinite(points).all():
        raise SceneError(f"{name}: vertex {np.flatnonzero(~np.isfinite(points).all(axis=1))[0]} is not finite; give it "
                         "three finite numbers [m].")
    if corners.min() < 0 or corners.max() >= len(points):
        bad = np.flatnonzero((corners < 0).any(axis=1) | (corners >= len(points)).any(axis=1))[0]
        raise SceneError(f"{name}: cell {bad} names vertices outside 0 to {len(points) - 1}; they count from 0.")
    volume = cell_volumes(points, corners)
    longest = _edge_squares(points, corners).max(axis=1) ** 1.5
    flat = np.flatnonzero(np.abs(volume) <= FLAT * longest)
    if len(flat):
        raise SceneError(f"{name}: cells without volume, their corners in one plane: {listed(flat)}. Take them out, or mesh "
                         "again.")
    unused = np.flatnonzero(np.bincount(corners.ravel(), minlength=len(points)) == 0)
    if len(unused):
        raise SceneError(f"{name}: vertex {unused[0]} belongs to no cell ({len(unused)} such vertices); leave it out.")
    turned = volume < 0.0
    if turned.any() and not turned.all():
        fewer = np.flatnonzero(turned if 2 * turned.sum() <= len(turned) else ~turned)
        raise SceneError(f"{name}: cells turned inside out, unlike the others: {listed(fewer)}. Exchange two corners of each.")
    corners[turned] = corners[turned][:, [0, 2, 1, 3]]
    _check_sides(corners[:, _SIDES].reshape(-1, 3), name)
    return Cells(points, corners)


def _check_sides(sides: NDArray[np.int32], name: str) -> None:
    """Refuse cells that lie on the same side of a face (4 c, 3) of theirs: neighbours see it run one way and the other."""
    key = _face_keys(sides)
    _, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
    if count.max() > 2:
        sharing = np.flatnonzero(inverse == inverse[np.flatnonzero(count[inverse] > 2)[0]]) // 4
        raise SceneError(f"{name}: cells {listed(sharing)} share one face, so that they overlap there; take out all but two of "
                         "them, or mesh again.")
    a, b, c = sides.T
    way = (a > b) ^ (b > c) ^ (a > c)
    order = np.lexsort((way, key))
    same = np.flatnonzero((np.diff(key[order]) == 0) & (np.diff(way[order].astype(int)) == 0))
    if len(same):
        one, other = sorted((order[same[0]:same[0] + 2] // 4).tolist())
        raise SceneError(f"{name}: cells {one} and {other} overlap: they lie on the same side of the face that they share "
                         f"({len(same)} such faces); take one of them out, or mesh again.")


def cell_volumes(vertices: ArrayLike, cells: ArrayLike) -> NDArray[np.float64]:
    """Signed volumes [m3] (c,)."""
    corner = np.asarray(vertices, float)[np.asarray(cells)]
    a, b, c = (corner[:, k] - corner[:, 0] for k in (1, 2, 3))
    return np.einsum("ci,ci->c", np.cross(a, b), c) / 6.0


def quality(cells: Cells, surface_volume: float | None = None) -> Quality:
    """Angles, shapes and volumes of cells; `surface_volume` [m3] is what they should fill."""
    points, corners = cells
    volume = cell_volumes(points, corners)
    angle = dihedral_angles(points, corners)
    square = _edge_squares(points, corners)
    side = points[corners[:, _SIDES]]
    area = np.linalg.norm(np.cross(side[:, :, 1] - side[:, :, 0], side[:, :, 2] - side[:, :, 0]), axis=2).sum(axis=1) / 2.0
    opposite = np.sqrt(square[:, :3] * square[:, [5, 4, 3]])  # products of opposite edges
    heron = (opposite.sum(axis=1) * (opposite.sum(axis=1)[:, None] - 2.0 * opposite).prod(axis=1)).clip(0.0)
    # inscribed radius 3 V / area, circumscribed radius sqrt(heron) / (24 V)
    shape = 3.0 * (3.0 * volume / area) * 24.0 * volume / np.sqrt(heron)
    filled = 1.0 if surface_volume is None else float(volume.sum() / surface_volume)
    return Quality(float(angle.min()), float(angle.max()), float(shape.min()), float(volume.min() / volume.max()), filled,
                   int(shape.argmin()))


def dihedral_angles(vertices: ArrayLike, cells: ArrayLike) -> NDArray[np.float64]:
    """Inner angles [rad] (c, 6) between the two faces at each edge."""
    corner = np.asarray(vertices, float)[np.asarray(cells)]
    out = []
    for a, b, c, d in _EDGES:
        axis = corner[:, b] - corner[:, a]
        one, two = np.cross(axis, corner[:, c] - corner[:, a]), np.cross(axis, corner[:, d] - corner[:, a])
        sine = np.linalg.norm(np.cross(one, two), axis=1)
        out.append(np.arctan2(sine, np.einsum("ci,ci->c", one, two)))
    return np.clip(np.stack(out, axis=1), 0.0, pi)


def _face_keys(faces) -> NDArray[np.int64]:
    """A number for each face (m, 3), the same whichever way it runs; for fewer than two million vertices."""
    key = np.sort(faces, axis=1).astype(np.int64)
    if key.size and key.max() >= 1 << 21:
        raise SceneError(f"Cells: {key.max() + 1} vertices are too many; a body may have {1 << 21}.")
    return (key[:, 0] << 42) | (key[:, 1] << 21) | key[:, 2]


def _edge_squares(points, corners) -> NDArray[np.float64]:
    """Squared lengths [m2] (c, 6) of the edges 01 02 03 12 13 23."""
    return np.stack([((points[corners[:, a]] - points[corners[:, b]]) ** 2).sum(axis=1) for a, b, _, _ in _EDGES], axis=1)


def cube_cells(inside: NDArray[np.bool_], lower: ArrayLike, width: ArrayLike) -> Cells:
    """Five cells for each cube that is inside; odd cubes are mirrored, so that neighbours cut their face alike.

    The cubes stand on a grid from `lower` (3,) [m] with sides `width` (3,) [m].
    """
    cube = np.argwhere(inside)
    nodes = np.asarray(inside.shape) + 1
    corner = cube[:, None, :] + np.array([[c & 1, c >> 1 & 1, c >> 2] for c in range(8)])
    number = (corner[..., 0] * nodes[1] + corner[..., 1]) * nodes[2] + corner[..., 2]
    odd = (cube.sum(axis=1) & 1).astype(bool)
    cells = np.where(odd[:, None, None], number[:, _ODD], number[:, _EVEN]).reshape(-1, 4)
    used, cells = np.unique(cells, return_inverse=True)
    vertices = np.asarray(lower, float) + np.stack(np.unravel_index(used, tuple(nodes)), axis=1) * np.asarray(width, float)
    cells = cells.reshape(-1, 4)
    mirrored = cell_volumes(vertices, cells) < 0.0
    cells[mirrored] = cells[mirrored][:, [0, 2, 1, 3]]
    return checked_cells(vertices, cells)


def _check_pieces(inside: NDArray[np.bool_], faces, spacing: float) -> None:
    """Refuse cubes that hang together in more pieces than the surface has."""
    from scipy.ndimage import label
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    used, number = np.unique(np.concatenate([start, end]), return_inverse=True)
    link = coo_matrix((np.ones(len(start)), (number[: len(start)], number[len(start) :])), (len(used), len(used)))
    shells, pieces = connected_components(link, directed=False)[0], label(inside)[1]
    if pieces > shells:
        raise SceneError(f"Cells: cubes of {spacing:g} m fall into {pieces} pieces where the body is thin: "
                         "take a smaller spacing.")
