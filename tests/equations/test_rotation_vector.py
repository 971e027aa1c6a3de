"""The turn by a rotation vector, by its series and beyond, against sine and cosine in longer arithmetic."""

import numpy as np
import pytest

from pliant.math.quat import from_rotation_vector


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 1e-3, 0.05, 0.19999, 0.2, 0.20001, 1.0, 3.0, 6.0, 100.0])
def test_it_turns_by_the_angle(angle):
    """Oracle: (cos a/2, sin a/2 axis) in long double; within 4 units of the last place of one."""
    axis = np.array([0.36, -0.48, 0.8], np.longdouble)
    half = np.longdouble(angle) / 2
    exact = np.concatenate([[np.cos(half)], np.sin(half) * axis])
    got = np.array(from_rotation_vector(tuple(float(x) for x in angle * axis)))
    assert np.abs(got - exact).max() <= 4 * np.finfo(float).eps * max(1.0, angle)
