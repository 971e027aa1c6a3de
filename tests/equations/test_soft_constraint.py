"""Soft constraints: limits, one step of implicit Euler, and the deflection, each by its closed form."""

import numpy as np
import pytest

from pliant.equations.rigid.soft_constraint import deflection, missing_impulse, softness, softness_by_frequency

EPS = np.finfo(float).eps
H = 1.0 / 240.0


@pytest.mark.parametrize("k", [1e9, 1e12, 1e15])
def test_infinite_stiffness_is_rigid(k):
    """1 - beta = c / (h k + c) < c / (h k) and gamma < 1 / (h^2 k): both vanish as 1/k."""
    c = 3.0
    s = softness(k, c, H)
    assert 1.0 - c / (H * k) - 2 * EPS <= s.beta <= 1.0
    assert 0.0 < s.gamma <= 1.0 / (H * H * k) * (1 + 4 * EPS)


@pytest.mark.parametrize("c", [1e9, 1e12, 1e15])
def test_infinite_damping_locks(c):
    """beta < h k / c and gamma < 1 / (h c): both vanish as 1/c."""
    k = 500.0
    s = softness(k, c, H)
    assert 0.0 < s.beta <= H * k / c * (1 + 4 * EPS)
    assert 0.0 < s.gamma <= 1.0 / (H * c) * (1 + 4 * EPS)


def draws(count: int = 200):
    """(k, c, h, mass, x, v) over the whole range of the engine; c is zero in every tenth."""
    rng = np.random.default_rng(1)
    for i in range(count):
        k, h, mass = 10.0 ** rng.uniform(-2, 12), 10.0 ** rng.uniform(-4, -1), 10.0 ** rng.uniform(-3, 3)
        c = 0.0 if i % 10 == 0 else 10.0 ** rng.uniform(-3, 9)
        yield k, c, h, mass, rng.normal(), rng.normal()


def test_one_step_is_implicit_euler():
    """v' = (v - h k x / m) / (1 + h c / m + h^2 k / m), whatever impulse the row starts with."""
    for k, c, h, mass, x, v in draws():
        expected = (v - h * k / mass * x) / (1.0 + h * c / mass + h * h * k / mass)
        soft = softness(k, c, h)
        bias = soft.beta / h * x
        for start in (0.0, 0.3 * mass * (v + bias)):
            found = v + start / mass
            found += missing_impulse(found, bias, soft.gamma, 1.0 / mass, start) / mass
            assert abs(found - expected) <= 16 * EPS * (abs(v) + abs(x) / h), (k, c, h, mass)


def test_impulse_is_that_of_spring_and_damper():
    """lambda = -h (k (G + h J V) + c J V) with J V at the end of the step."""
    for k, c, h, mass, x, v in draws():
        soft = softness(k, c, h)
        bias = soft.beta / h * x
        impulse = missing_impulse(v, bias, soft.gamma, 1.0 / mass, 0.0)
        after = v + impulse / mass
        spring = -h * (k * (x + h * after) + c * after)
        rounding = 16 * EPS * (abs(v) + abs(x) / h) * (mass + h * (h * k + c))
        assert abs(impulse - spring) <= rounding, (k, c, h, mass)


def test_deflection_is_where_the_step_ends():
    """G c / (h k + c) - h gamma lambda = G + h J V, with J V = -bias - gamma lambda."""
    for k, c, h, mass, x, v in draws():
        soft = softness(k, c, h)
        bias = soft.beta / h * x
        impulse = missing_impulse(v, bias, soft.gamma, 1.0 / mass, 0.0)
        end = x + h * (-bias - soft.gamma * impulse)
        sizes = abs(x) + h * soft.gamma * abs(impulse)
        assert abs(deflection(k, c, x, soft.gamma, impulse, h) - end) <= 16 * EPS * sizes, (k, c, h, mass)


def test_a_damper_alone_stores_nothing():
    """k = 0: no rest, so no deflection; beta = 0 and v' = v / (1 + h c / m)."""
    soft = softness(0.0, 40.0, H)
    assert soft.beta == 0.0
    assert deflection(0.0, 40.0, 0.0, soft.gamma, 3.0, H) == 0.0
    after = 2.0 + missing_impulse(2.0, 0.0, soft.gamma, 1.0 / 5.0, 0.0) / 5.0
    assert abs(after - 2.0 / (1.0 + H * 40.0 / 5.0)) <= 8 * EPS


def test_frequency_and_ratio_name_the_same_spring():
    """k = w^2 / response, c = 2 ratio w / response."""
    rng = np.random.default_rng(2)
    for _ in range(50):
        f, ratio, response, h = (
            10 ** rng.uniform(-1, 3),
            rng.uniform(0, 10),
            10 ** rng.uniform(-3, 3),
            10 ** rng.uniform(-4, -1),
        )
        w = 2.0 * np.pi * f
        one, two = softness_by_frequency(f, ratio, response, h), softness(w * w / response, 2.0 * ratio * w / response, h)
        np.testing.assert_allclose((one.beta, one.gamma), (two.beta, two.gamma), rtol=16 * EPS)
