"""Volume constraint of a group of cells: what is nearly incompressible keeps the volume of groups, not that of every cell.

Where every cell has to keep its own volume, there are more constraints than a mesh of tetrahedra can meet while it bends: five
cells to a cube for the three coordinates of about one vertex. It locks, and the pressure that it answers with takes volume away
where none should go: a block of 4 x 4 x 4 cubes with Poisson's ratio 0.499, squeezed by a fifth between plates, lost 0.95 %,
one of 2 x 2 x 2 6.6 %. One volume for a cube is what the material asks for: a constraint for three coordinates (0.07 %, 0.40 %;
with finer meshes 0.10 %). So cells themselves resist a change of volume as those with Poisson's ratio 0.48 do, and what is
beyond that is borne by groups,

    lambda = min(lambda, 24 mu) of cells  +  the rest of groups

A group is a cell and those next to it that belong to no other yet, the largest cells first: in cubes of five cells the one in
the middle and the four around it. Its deformation is the mean of those of its cells, weighed by their volumes V,

    F = sum over corners of x_a g_a^T,     g_a = (sum over cells of V_c g_ca) / (sum of V_c)

linear in the corners and constant, as that of a cell, so that its volume, det F, is brought into its range in the same way
(volume_projection.py), with the weight 3 lambda V. For small strain that costs lambda/2 V (mean of tr e)^2, whatever the mesh;
where all cells are strained alike it is what they would have for themselves.

    g_a  gradient of a corner [1/m]     V [m3]     mu, lambda [Pa]

Source: [PaperD] equation 4, volume of patches; the groups and their mean are ours
Check: tests/soft/test_group_volume.py
"""

import numpy as np

MOST_ALONE = 24.0
"""lambda / mu of what cells bear for themselves [-]: Poisson's ratio 0.48."""
GROUP_CORNERS = 8
"""Of a cell and its four neighbours."""


def shared_lame(mu: float, lam: float) -> tuple[float, float]:
    """Of lambda [Pa], what cells bear and what groups do."""
    alone = min(lam, MOST_ALONE * mu)
    return (alone, lam - alone) if lam - alone > 1e-9 * lam else (lam, 0.0)


def neighbours(cells: np.ndarray) -> np.ndarray:
    """Numbers of the cells (c, 4) beyond the faces opposite to the corners of each, -1 where there is none."""
    faces = np.sort(cells[:, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]], axis=2)
    _, face = np.unique(faces.reshape(-1, 3), axis=0, return_inverse=True)
    face = face.ravel()
    order = np.argsort(face, kind="stable")
    same = np.flatnonzero(face[order][1:] == face[order][:-1])
    one, two = order[same], order[same + 1]
    found = np.full(4 * len(cells), -1)
    found[one], found[two] = two // 4, one // 4
    return found.reshape(-1, 4)


def grouped(rest: np.ndarray, cells: np.ndarray, volume: np.ndarray) -> np.ndarray:
    """Group of each cell (c,), from vertices [m] (n, 3), corners (c, 4) and volumes [m3] (c,), whatever the order of cells."""
    group, beside, count = np.full(len(cells), -1), neighbours(cells).tolist(), 0
    middle = np.round(rest[cells].mean(axis=1) / np.ptp(rest), 9)
    for seed in np.lexsort((middle[:, 2], middle[:, 1], middle[:, 0], -np.round(volume / volume.max(), 9))).tolist():
        if group[seed] < 0:
            group[seed] = count
            for other in beside[seed]:
                if other >= 0 and group[other] < 0:
                    group[other] = count
            count += 1
    return group


def mean_gradients(cells: np.ndarray, gradient: np.ndarray, volume: np.ndarray, group: np.ndarray
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners (k, 8), g_a [1/m] (k, 8, 3) and V [m3] (k,) of all groups; a corner too few is the first again, with g = 0.

    gradient: g_ca [1/m] (c, 4, 3).
    """
    total = np.bincount(group, volume)
    corners, mean = np.zeros((len(total), GROUP_CORNERS), np.int64), np.zeros((len(total), GROUP_CORNERS, 3))
    pair, inverse = np.unique(np.stack([np.repeat(group, 4), cells.ravel()], axis=1), axis=0, return_inverse=True)
    first = np.searchsorted(pair[:, 0], np.arange(len(total)))
    corners[:] = pair[first, 1][:, None]
    place = np.arange(len(pair)) - first[pair[:, 0]]
    corners[pair[:, 0], place] = pair[:, 1]
    share = (gradient * (volume / total[group])[:, None, None]).reshape(-1, 3)
    mean[pair[:, 0], place] = np.stack([np.bincount(inverse.ravel(), share[:, k], len(pair)) for k in range(3)], axis=1)
    return corners, mean, total
