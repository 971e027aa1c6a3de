"""The distance between two points of bodies: its Jacobian by finite differences, and both cases of no distance."""

import numpy as np
from rigid_motion import difference, random_frame, vector

from pliant.equations.rigid.distance_spring import distance_row


def test_length_changes_as_its_jacobian_says():
    rng = np.random.default_rng(12)
    for _ in range(20):
        a, b = random_frame(rng), random_frame(rng)
        local_a, local_b = rng.normal(size=3), rng.normal(size=3)

        def row(t, a=a, b=b, local_a=local_a, local_b=local_b):
            a, b = a.at(t), b.at(t)
            r_a, r_b = a.turn.apply(local_a), b.turn.apply(local_b)
            return distance_row(vector(b.x + r_b - a.x - r_a), vector(r_a), vector(r_b), (0.0, 0.0, 0.0))

        length, n, arm_a, arm_b = row(0.0)
        assert abs(np.linalg.norm(n) - 1.0) <= 4 * np.finfo(float).eps
        rate = np.dot(n, b.v - a.v) + np.dot(arm_b, b.w) - np.dot(arm_a, a.w)
        # both ends move at most this fast; in units of the length, the speeds of difference()
        ends = sum(np.linalg.norm(f.v) + np.linalg.norm(f.w) * np.linalg.norm(r) for f, r in ((a, local_a), (b, local_b)))
        measured, error = difference(lambda t: row(t)[0], length, ends / length + np.linalg.norm(a.w) + np.linalg.norm(b.w))
        assert abs(rate - measured) <= error


def test_no_length_parts_the_way_it_is_going():
    """The direction is that of the relative velocity; the arms belong to it."""
    parting, r_a, r_b = (3.0, 0.0, 4.0), (0.1, 0.2, 0.3), (-0.3, 0.1, 0.0)
    length, n, arm_a, arm_b = distance_row((0.0, 0.0, 0.0), r_a, r_b, parting)
    assert length == 0.0
    np.testing.assert_allclose(n, (0.6, 0.0, 0.8), rtol=4 * np.finfo(float).eps)
    np.testing.assert_array_equal(arm_a, np.cross(r_a, n))
    np.testing.assert_array_equal(arm_b, np.cross(r_b, n))


def test_no_length_at_rest_takes_the_vertical():
    length, n, arm_a, _ = distance_row((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert length == 0.0 and tuple(n) == (0.0, 0.0, 1.0) and tuple(arm_a) == (0.0, -1.0, 0.0)
