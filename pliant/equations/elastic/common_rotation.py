"""One rotation for cells that are inside out and those around them, so that every tangle comes undone.

The distance to the nearest rotation, |F - R|, lets each cell choose its own R. From a start that is torn to pieces, cells then
settle on rotations that do not fit each other, wound twice round an edge or folded, at rest and even of positive volume: the
energy has least values besides the true one, and no descent leaves them. A cell that is inside out has no rotation to trust.
So the cells with det F <= 0 where a step begins, and all that share a vertex with them, take one rotation for each connected
piece T of them, and give up their volume:

    E_T = min_R  sum_T w_c/2 |F_c - R|^2,      R next to  sum_T w_c F_c

For a given R this is convex in the places of the vertices, and its only least value, zero, is the shape at rest, turned by R:
within T there is nothing else to settle on. As R is the best for these F, the push is -w_c (F_c - R) g, R held; R held the
second derivative w_c 1 is above the true one, so local/global goes down as before. T is chosen once a step: where a step begins
with inverted cells, these and those that inertia alone would invert; once an iteration has left none of them inverted, all
have rotations and volumes of their own again. A solid without inverted cells is as if this were not
here, but that its iterations begin with its own shape, carried along, if inertia alone would invert some.

What is pressed inside out, as by a hit, is no tangle: it has a way back, and without its volume it would be crushed. So what
something touches or holds has T only from when its vertices were placed until no cell is inverted. E_T moves cells; what is
counted as their energy is that of each by itself, which knows no T and does not jump.

    F_c deformation gradient, w_c weight of strain [N m] (of volume, where that is zero), g gradient of a corner

Source: [PaperD] equation 4, strain, of inverted cells
Check: tests/soft/test_tangles.py
"""

import numpy as np


def tangles(corners: np.ndarray, inverted: np.ndarray, vertices: int) -> tuple[np.ndarray, np.ndarray]:
    """Cells (k,) that take a rotation in common, and the number (k,) of the piece of each.

    corners (c, 4) of all cells; inverted: numbers of those inside out; vertices: how many there are.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    near = np.zeros(vertices, bool)
    near[corners[inverted]] = True
    some = np.flatnonzero(near[corners].any(axis=1))
    touch = csr_matrix((np.ones(4 * len(some)), corners[some].ravel(), 4 * np.arange(len(some) + 1)), (len(some), vertices))
    return some, connected_components(touch @ touch.T, directed=False)[1]
