"""How stiff a solid of cells is while it is hardly strained: linear elasticity, in the frame that turns with it.

The constant matrix of local/global takes the nearest rotation of a cell as fixed, so that turning a cell costs as much as
straining it. Near rest that is far too much: with F = R (1 + G), G small, the distances that strain and volume measure are

    |sym G|^2 = (G : G + G : G^T) / 2           (tr G)^2 / 3

with no part of turning in them. With G = sum over corners of u_a g_a^T, u the displacements in the turned frame, the second
derivative of  w/2 |sym G|^2 + v/2 (tr G)^2 / 3  by the corners a and b is the 3 x 3 matrix

    H_ab = w/2 (g_a . g_b 1 + g_b g_a^T) + v/3 g_a g_b^T

constant in that frame, so that one factor serves every step. In the world it is R H R^T, block by block.

    w, v  weights of strain and volume [N m]      g_a  gradient of a corner [1/m]

Source: [PaperD] equation 4, its distances taken to second order about a rotation
Check: tests/soft/test_solid_frame.py
"""

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix


def linear_stiffness(count: int, corners: np.ndarray, gradient: np.ndarray, strain: np.ndarray,
                     volume: np.ndarray) -> csr_matrix:
    """The matrix [N/m] (3 count, 3 count) of cells with `corners` (e, k), g_a (e, k, 3), weights [N m] (e,) and (e,)."""
    products = np.einsum("e,eai,ebi->eab", 0.5 * strain, gradient, gradient)
    blocks = np.einsum("eab,ij->eaibj", products, np.eye(3))
    blocks += np.einsum("e,ebi,eaj->eaibj", 0.5 * strain, gradient, gradient)
    blocks += np.einsum("e,eai,ebj->eaibj", volume / 3.0, gradient, gradient)
    size = 3 * corners.shape[1]
    dof = (3 * corners[:, :, None] + np.arange(3)).reshape(len(corners), size)
    rows, columns = np.repeat(dof, size, axis=1).ravel(), np.tile(dof, (1, size)).ravel()
    return coo_matrix((blocks.ravel(), (rows, columns)), shape=(3 * count, 3 * count)).tocsr()
