"""Pressure on triangles by what presses at their vertices.

A vertex i where contacts press with the sum P_i of sizes and the sum q_i of vectors shares P_i among the triangles f around
it by the areas that they turn towards it, n_f half the cross product of two edges:

    share_f,i = |n_f . q_i| / sum over f' of |n_f' . q_i|        p_f = sum_i -sign(n_f . q_i) share_f,i P_i / |n_f|

positive against the normals. So pressure times area adds up to all that contacts press with. Triangles of a closed surface that
look away from what presses, n_f . q_i > 0, take nothing: it is not on their side.

    P [N]     q [N] (3,), on the thing     n_f [m2] (3,)     p_f [Pa]

Source: [Newton] action and reaction; how a vertex shares is ours
Check: tests/scenes/test_tactile.py
"""

import numpy as np


def shared_pressure(faces: np.ndarray, corner: np.ndarray, load: np.ndarray, towards: np.ndarray, closed: bool) -> np.ndarray:
    """p_f [Pa] (m,) of triangles (m, 3) with `corner` [m] (m, 3, 3), by `load`, P [N] (n,), and `towards`, q [N] (n, 3)."""
    across = 0.5 * np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    facing = -np.einsum("mi,mci->mc", across, towards[faces])
    turned = np.maximum(facing, 0.0) if closed else np.abs(facing)
    around = np.bincount(faces.ravel(), turned.ravel(), len(load))[faces]
    share = np.divide(turned, around, out=np.zeros_like(turned), where=around > 0.0)
    return (np.sign(facing) * share * load[faces]).sum(axis=1) / np.linalg.norm(across, axis=1)
