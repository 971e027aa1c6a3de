"""Twist as a strain: the angle itself whatever bends, smooth where links fold, and its rates those of one energy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant.equations.rod.darboux_vector import relative
from pliant.equations.rod.twist_angle import THIRD, darboux_twist, moments_of, strain_and_rates, strain_of, strains_of, twist_of

EPS = np.finfo(float).eps


def quaternion(rotation: Rotation) -> tuple[float, ...]:
    return tuple(float(x) for x in rotation.as_quat(scalar_first=True))


@pytest.mark.parametrize("bend", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("angle", [1e-9, 1e-3, 0.0199, 0.0201, 0.5, 1.5, 2.09])
def test_it_is_the_angle_of_a_twist(angle, bend):
    """Oracle: SciPy's turn by half of the twist, a bend about an axis across, and the other half; both ways round."""
    for sign in (1.0, -1.0):
        half = Rotation.from_rotvec([0.0, 0.0, 0.5 * sign * angle])
        turn = half * Rotation.from_rotvec(bend * np.array([0.6, -0.8, 0.0])) * half
        p = relative((1.0, 0.0, 0.0, 0.0), quaternion(turn))
        e = strain_of(p)
        assert e[2] == pytest.approx(sign * angle, rel=1e-12, abs=8 * EPS)
        assert np.hypot(e[0], e[1]) == pytest.approx(2.0 * np.sin(0.5 * bend), abs=8 * EPS)
        assert darboux_twist(np.array([e]))[0] == pytest.approx(2.0 * p[3], abs=8 * EPS)


def test_rates_are_those_of_the_strain():
    """Oracle: central differences of random turns of both links, folded ones and those beyond a third of a turn among them."""
    rng, h, folded, far = np.random.default_rng(11), 1e-6, 0, 0
    for _ in range(600):
        left = Rotation.random(random_state=rng)
        right = left * Rotation.from_rotvec(rng.normal(size=3) * rng.uniform(0.01, 2.0))
        turns = rng.normal(size=(2, 3))

        def strain(t, left=left, right=right, turns=turns):
            a, b = Rotation.from_rotvec(t * turns[0]) * left, Rotation.from_rotvec(t * turns[1]) * right
            return np.array(strain_of(relative(quaternion(a), quaternion(b))))

        p = relative(quaternion(left), quaternion(right))
        c = p[0] ** 2 + p[3] ** 2
        if p[0] < 1e-3 or abs(c - 0.25) < 1e-4:
            continue  # the shorter way may change, or the law of folds begin
        folded, far = folded + (c < 0.25), far + (abs(2.0 * np.arctan2(p[3], p[0])) > THIRD)
        e, rates = strain_and_rates(p, quaternion(left))
        assert e == strain_of(p)
        slopes = (strain(h) - strain(-h)) / (2.0 * h)
        assert slopes == pytest.approx(np.array(rates) @ (turns[1] - turns[0]), abs=1e-7)  # h^2 and rounding / h
    assert folded > 20 and far > 20


def test_it_is_gone_where_links_fold_or_pass_half_a_turn():
    """The strain is continuous: to either side of a fold it goes to zero, and of half a turn its moment does."""
    for bend in (np.pi - 1e-4, np.pi - 1e-6):
        turn = Rotation.from_rotvec([0.0, 0.0, 0.9]) * Rotation.from_rotvec([bend, 0.0, 0.0])
        assert abs(twist_of(relative((1.0, 0.0, 0.0, 0.0), quaternion(turn)))[0]) < 8.0 * np.cos(0.5 * bend) ** 2 * THIRD * 2.0
    _, slope, _, _ = twist_of((np.sin(1e-6), 0.0, 0.0, np.cos(1e-6)))
    assert 0.0 <= slope < 3e-6


def test_arrays_are_as_numbers():
    """Oracle: the kernels; moments by the transpose of the rates."""
    rng = np.random.default_rng(3)
    turns = [relative((1.0, 0.0, 0.0, 0.0), quaternion(Rotation.from_rotvec(v))) for v in rng.normal(size=(200, 3)) * 1.5]
    m = rng.normal(size=(200, 3))
    assert strains_of(np.array(turns)) == pytest.approx(np.array([strain_of(p) for p in turns]), abs=1e-13)
    by_rates = [np.array(strain_and_rates(p, (1.0, 0.0, 0.0, 0.0))[1]).T @ one for p, one in zip(turns, m, strict=True)]
    assert moments_of(np.array(turns), m) == pytest.approx(np.array(by_rates), abs=1e-12)
