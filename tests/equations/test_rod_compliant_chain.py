"""The compliant chain: its blocks against finite differences of the strains, its banded system against a dense one."""

import numpy as np
import pytest
from rigid_motion import random_frame, vector
from scipy.spatial.transform import Rotation

from pliant.equations.rod.bend_twist import bend_twist_response
from pliant.equations.rod.compliant_chain import (
    congruence,
    element_on_element,
    element_on_joint,
    joint_on_element,
    joint_on_joint,
    lever,
    product_between,
    spread,
    taut_lightness,
    turn_rate,
)
from pliant.equations.rod.darboux_vector import relative
from pliant.equations.rod.stretch_shear import chord_in_element, stretch_shear_response
from pliant.math.banded import BAND, RIGHT, add_block, add_diagonal, solve_banded

EPS = np.finfo(float).eps
POINTS, TURNS = 4, 3
"""A chain of three elements: four points, three strains of elements, two of joints."""


class Chain:
    """Three elements somewhere, with inverse masses and inertias; strains as the papers define them."""

    def __init__(self, rng) -> None:
        first = random_frame(rng)
        self.turns = [first.turn]
        for _ in range(TURNS - 1):
            self.turns.append(self.turns[-1] * Rotation.from_rotvec(rng.uniform(-0.8, 0.8, size=3)))
        self.x = rng.normal(size=(POINTS, 3))
        self.light, self.N = rng.uniform(0.5, 2.0, size=POINTS), rng.uniform(0.5, 2.0, size=(TURNS, 3))

    def strains(self, moves: np.ndarray) -> np.ndarray:
        """Of element, joint, element, joint, element, after points moved and elements turned by `moves`, world axes."""
        x = self.x + moves[:12].reshape(4, 3)
        turns = [Rotation.from_rotvec(r) * t for r, t in zip(moves[12:].reshape(3, 3), self.turns, strict=True)]
        out = []
        for i, turn in enumerate(turns):
            out.append(turn.inv().apply(x[i + 1] - x[i]))
            if i + 1 < TURNS:
                p = (turn.inv() * turns[i + 1]).as_quat()
                out.append(2.0 * p[:3] * np.sign(p[3]))
        return np.concatenate(out)

    def slopes(self) -> np.ndarray:
        """d strains / d moves by central differences: their error is step^2 = 1e-10 and rounding 1e-11."""
        columns = []
        for c in range(21):
            step = np.zeros(21)
            step[c] = 1e-5
            columns.append((self.strains(step) - self.strains(-step)) / 2e-5)
        return np.array(columns).T

    def answers(self) -> np.ndarray:
        """W: inverse masses, and inverse inertias in world axes."""
        W = np.zeros((21, 21))
        W[range(12), range(12)] = np.repeat(self.light, 3)
        for i, turn in enumerate(self.turns):
            R = turn.as_matrix()
            W[12 + 3 * i:15 + 3 * i, 12 + 3 * i:15 + 3 * i] = R @ np.diag(self.N[i]) @ R.T
        return W


def full(s) -> np.ndarray:
    return np.array([[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]])


def banded(chain: Chain, table: np.ndarray) -> None:
    """J W J^T of the chain, laid into the table by the blocks."""
    q = [vector(turn.as_quat(scalar_first=True)) for turn in chain.turns]
    chords = [chord_in_element(q[i], vector(chain.x[i + 1] - chain.x[i])) for i in range(TURNS)]
    p = [relative(q[i], q[i + 1]) for i in range(TURNS - 1)]
    N = [vector(n) for n in chain.N]
    for i in range(TURNS):
        add_diagonal(table, 6 * i, stretch_shear_response(chords[i], chain.light[i] + chain.light[i + 1], N[i]), 1.0)
        if i > 0:
            add_block(table, 6 * i, 6 * i - 3, element_on_joint(spread(p[i - 1]), N[i], chords[i]), 1.0)
            add_block(table, 6 * i, 6 * i - 6, element_on_element(chain.light[i], p[i - 1]), 1.0)
        if i + 1 < TURNS:
            add_diagonal(table, 6 * i + 3, bend_twist_response(p[i], N[i], N[i + 1]), 1.0)
            add_block(table, 6 * i + 3, 6 * i, joint_on_element(spread(p[i]), N[i], chords[i]), 1.0)
            if i > 0:
                add_block(table, 6 * i + 3, 6 * i - 3, joint_on_joint(spread(p[i]), N[i], spread(p[i - 1])), 1.0)


def dense(table: np.ndarray) -> np.ndarray:
    A = np.zeros((len(table), len(table)))
    for i in range(len(table)):
        for d in range(min(BAND, i) + 1):
            A[i, i - d] = A[i - d, i] = table[i, d]
    return A


def test_the_blocks_are_those_of_finite_differences():
    """J W J^T with J by central differences, error 1e-10 of numbers up to 10, some of which add up."""
    rng = np.random.default_rng(2)
    for _ in range(10):
        chain, table = Chain(rng), np.zeros((15, RIGHT + 1))
        banded(chain, table)
        J = chain.slopes()
        np.testing.assert_allclose(dense(table), J @ chain.answers() @ J.T, atol=1e-8)


def test_the_band_is_solved_as_the_dense_system_is():
    """Oracle: LAPACK; the error of both is rounding times the condition number."""
    rng = np.random.default_rng(3)
    for size in (1, 3, 8, 9, 40):
        table = np.zeros((size + 2, RIGHT + 1))
        table[2:, :RIGHT] = rng.normal(size=(size, RIGHT))
        table[2:, 0] += 2.0 * RIGHT
        table[2:, RIGHT] = rng.normal(size=size)
        A, b = dense(table[2:]), table[2:, RIGHT].copy()
        solve_banded(table, 2, size)
        x = np.linalg.solve(A, b)
        np.testing.assert_allclose(table[2:, RIGHT], x, atol=10 * size * EPS * np.linalg.cond(A) * np.abs(x).max())
        assert not table[:2].any()


def test_levers_and_rates_are_those_of_a_carrier():
    """Oracle: finite differences of the strains beside a body that carries a point at r and the frame of a clamp."""
    rng, e = np.random.default_rng(4), 1e-5
    for _ in range(10):
        left, arm = random_frame(rng), rng.normal(size=3)
        right = random_frame(rng, left.turn * Rotation.from_rotvec(rng.uniform(-0.8, 0.8, size=3)))
        X, p = np.array(lever(left.quaternion(), vector(arm))), relative(left.quaternion(), right.quaternion())
        G = np.array(turn_rate(spread(p), left.quaternion()))
        for c in range(3):
            turn = Rotation.from_rotvec(e * np.eye(3)[c])
            slope = -left.turn.inv().apply(turn.apply(arm) - turn.inv().apply(arm)) / (2 * e)  # the first point moves away
            np.testing.assert_allclose(X[:, c], slope, atol=1e-8)
            bends = [2.0 * q[:3] * np.sign(q[3]) for q in ((left.turn.inv() * t * right.turn).as_quat() for t in
                                                           (turn, turn.inv()))]
            np.testing.assert_allclose(G[:, c], (bends[0] - bends[1]) / (2 * e), atol=1e-8)
        s = rng.normal(size=6)
        np.testing.assert_allclose(full(congruence(_rows(X), vector(s))), X @ full(s) @ X.T, atol=1e-12)
        np.testing.assert_allclose(product_between(_rows(X), vector(s), _rows(G)), X @ full(s) @ G.T, atol=1e-12)


def _rows(m: np.ndarray):
    return vector(m[0]), vector(m[1]), vector(m[2])


def test_a_pull_adds_to_the_inertia_across_and_a_push_does_not():
    """(I + h l T)^-1 across the element, I^-1 along it."""
    light = (4.0, 2.0, 8.0)
    assert taut_lightness(light, 0.5, 3.0, 0.1) == pytest.approx((1 / (0.25 + 0.15), 1 / (0.5 + 0.15), 8.0))
    assert taut_lightness(light, 0.5, -3.0, 0.1) == light
