"""Rows of joints against finite differences along rigid motions; the tolerances bound truncation and rounding."""

import numpy as np
from rigid_motion import difference, random_frame, vector
from scipy.spatial.transform import Rotation

from pliant.equations.rigid.joint_rows import bow, tilt_row, travel_row


def test_travel_changes_as_its_jacobian_says():
    """d/dt e.(P_b - P_a) = n.(v_b - v_a) + arm_b.w_b - arm_a.w_a, the joint open or closed."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = random_frame(rng), random_frame(rng)
        local_a, local_b, k = rng.normal(size=3), rng.normal(size=3), int(rng.integers(3))

        def row(t, a=a, b=b, local_a=local_a, local_b=local_b, k=k):
            a, b = a.at(t), b.at(t)
            r_a, r_b = a.turn.apply(local_a), b.turn.apply(local_b)
            return travel_row(a.axes()[k], vector(b.x + r_b - a.x - r_a), vector(r_a), vector(r_b))

        _, n, arm_a, arm_b = row(0.0)
        rate = np.dot(n, b.v - a.v) + np.dot(arm_b, b.w) - np.dot(arm_a, a.w)
        size = np.linalg.norm(b.x - a.x) + np.linalg.norm(local_a) + np.linalg.norm(local_b) + np.linalg.norm(b.v - a.v)
        measured, error = difference(lambda t: row(t)[0], size, 1.0 + np.linalg.norm(a.w) + np.linalg.norm(b.w))
        assert abs(rate - measured) <= error


def test_tilt_changes_as_its_jacobian_says():
    """d/dt e_a.f_b = (w_b - w_a).arm for any two axes."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        a, b = random_frame(rng), random_frame(rng)
        i, k = int(rng.integers(3)), int(rng.integers(3))

        def row(t, a=a, b=b, i=i, k=k):
            return tilt_row(a.at(t).axes()[i], b.at(t).axes()[k])

        measured, error = difference(lambda t: row(t)[0], 1.0, np.linalg.norm(a.w) + np.linalg.norm(b.w))
        assert abs(np.dot(row(0.0)[1], b.w - a.w) - measured) <= error


def test_bow_is_what_the_tangent_leaves_out():
    """R(h w) r = r + h w x r + bow + rest, |rest| <= (h |w|)^3 |r| / 6 (Taylor's remainder)."""
    rng = np.random.default_rng(5)
    for h in (0.1, 0.01, 0.001):
        w, r = rng.normal(size=3), rng.normal(size=3)
        rest = Rotation.from_rotvec(h * w).apply(r) - r - h * np.cross(w, r) - bow(vector(w), vector(r), h)
        bound = (h * np.linalg.norm(w)) ** 3 / 6.0 * np.linalg.norm(r)
        assert np.linalg.norm(rest) <= bound + 8 * np.finfo(float).eps * np.linalg.norm(r)
