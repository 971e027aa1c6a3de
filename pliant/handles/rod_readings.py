"""What rods of direct ropes are like where they are: how they are turned, what they bend and pull by."""

import numpy as np

from ..equations.rod.mean_axis import FOLDED
from ..equations.rod.twist_angle import moments_of
from ..model.joints import ROD
from ..model.rods import AXIS, GAP_LAW, SLIDING, SOFT, STRETCH
from .rope import matrices, products


def slides(model, j: int) -> bool:
    """Whether joint `j` is a rod that leaves an end free along an axis."""
    return bool(model.joints.kind[j] == ROD and model.rods.table[model.joints.rod[j], GAP_LAW] >= SLIDING)


def relative(joints, state, j) -> np.ndarray:
    """p of rods `j` (n, 4), Re p >= 0."""
    q = state.motion.quaternion
    left, right = products(q[joints.body[j, 0]], joints.frame_a[j]), products(q[joints.body[j, 1]], joints.frame_b[j])
    p = products(left * np.array([1.0, -1.0, -1.0, -1.0]), right)
    return np.where(p[:, :1] < 0.0, -p, p)


def material_moments(joints, state, j) -> np.ndarray:
    """Moments of rods `j` on their right elements, axes of the left ones [N m] (n, 3)."""
    return moments_of(relative(joints, state, j), state.joints.torque[j])


def moments(joints, state, j) -> np.ndarray:
    """The same in world axes."""
    left = matrices(products(state.motion.quaternion[joints.body[j, 0]], joints.frame_a[j]))
    return np.einsum("nck,nk->nc", left, material_moments(joints, state, j))


def side_of(joints, motion, j, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centres, levers [m] and axes of the left (0) or right (1) bodies of rods `j`, world frame (n, 3)."""
    anchor, frame = ((joints.anchor_a, joints.frame_a), (joints.anchor_b, joints.frame_b))[side]
    k = joints.body[j, side]
    lever = np.einsum("nck,nk->nc", matrices(motion.quaternion[k]), anchor[j])
    return motion.position[k], lever, matrices(products(motion.quaternion[k], frame[j]))[:, :, 2]


def torque_on(model, state, j: int, side: int) -> np.ndarray:
    """Of rod `j` on the body on its left (0) or right (1), about the body's anchor, world frame [N m] (3,).

    What bends and, where it stretches along and across unequally, what the gap between the anchors does: `mean_axis`.
    """
    joints, sign, rod = model.joints, 2.0 * side - 1.0, model.rods.table[model.joints.rod[j]]
    bent = sign * moments(joints, state, np.array([j]))[0]
    if rod[GAP_LAW] != SOFT or joints.spring[j] > 0.0:
        return bent
    sides = [[part[0] for part in side_of(joints, state.motion, np.array([j]), k)] for k in range(2)]
    (x_a, r_a, d_a), (x_b, r_b, d_b) = sides
    gap, mean = x_b + r_b - x_a - r_a, rod[AXIS] * d_a + (1.0 - rod[AXIS]) * d_b
    length, own = float(np.linalg.norm(mean)), sides[side][2]
    s = length if length >= FOLDED else (length**2 + FOLDED**2) / (2.0 * FOLDED)
    d, share, force = mean / s, sign * (rod[AXIS] if side == 0 else 1.0 - rod[AXIS]) / s, sign * state.joints.force[j]
    if length >= FOLDED:
        return bent + share * (np.cross(own, gap) * (d @ force) - (gap @ d) * np.cross(own, force))
    more = rod[STRETCH + 2] - rod[STRETCH]
    beta, e = more / (rod[STRETCH] + more * (d @ d)), gap - (gap @ d) * mean / FOLDED
    return bent + beta * share * np.cross(own, e) * (d @ force)
