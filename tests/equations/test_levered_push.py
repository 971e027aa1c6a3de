"""Forces at levers: torque against the sum of cross products, stiffness against finite differences and eigenvalues."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant.equations.rigid.levered_push import stiffness_of, torque_of, turned_levers

EPS = np.finfo(float).eps


def rows(Q: np.ndarray) -> tuple:
    """A matrix as kernels take it."""
    return tuple(map(tuple, Q.tolist()))


def draw(rng, forces: int) -> tuple[np.ndarray, np.ndarray, Rotation, np.ndarray]:
    """Levers (n, 3) [m], forces (n, 3) [N], an orientation, and Q = sum r F^T."""
    levers, pushes = rng.normal(size=(forces, 3)), 10.0 ** rng.uniform(-2, 2) * rng.normal(size=(forces, 3))
    return levers, pushes, Rotation.random(rng=rng), levers.T @ pushes


def torque(turn: Rotation, Q: np.ndarray) -> np.ndarray:
    return np.array(torque_of(turned_levers(tuple(turn.as_quat(scalar_first=True).tolist()), rows(Q))))


def matrix(six) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.mark.parametrize("forces", [1, 2, 7])
def test_the_torque_is_the_sum_of_cross_products(forces):
    """sum R r x F, to 32 roundings of the largest product: six products and sums each in R, R Q and the differences."""
    rng = np.random.default_rng(forces)
    for _ in range(50):
        levers, pushes, turn, Q = draw(rng, forces)
        expected = np.cross(turn.apply(levers), pushes).sum(axis=0)
        size = (np.linalg.norm(levers, axis=1) * np.linalg.norm(pushes, axis=1)).sum()
        np.testing.assert_allclose(torque(turn, Q), expected, rtol=0, atol=32 * EPS * size)


@pytest.mark.parametrize("forces", [1, 2, 7])
def test_the_torque_follows_a_small_turn(forces):
    """Central differences of the torque over turns of 1e-5 rad about the world's axes equal R Q - tr(R Q).

    They err by step^2 / 6 of the third derivative, which is no larger than |Q|, and by rounding over the step.
    """
    rng, step = np.random.default_rng(10 + forces), 1e-5
    for _ in range(20):
        _, _, turn, Q = draw(rng, forces)
        P, size = turn.as_matrix() @ Q, np.linalg.norm(Q)
        slope = np.array([torque(Rotation.from_rotvec(step * e) * turn, Q) - torque(Rotation.from_rotvec(-step * e) * turn, Q)
                          for e in np.eye(3)]).T / (2 * step)
        np.testing.assert_allclose(slope, P - np.trace(P) * np.eye(3), rtol=0, atol=(step**2 / 3 + 32 * EPS / step) * size)


@pytest.mark.parametrize("forces", [1, 2, 7])
def test_newton_takes_the_symmetric_part_and_a_shift(forces):
    """Against minus the symmetric part of the differences' limit: they differ by s - tr(Q) of the unit matrix."""
    rng = np.random.default_rng(20 + forces)
    for _ in range(50):
        *_, Q = draw(rng, forces)
        true = np.trace(Q) * np.eye(3) - 0.5 * (Q + Q.T)
        flat = 0.5 * (Q + Q.T) - np.trace(Q) / 3.0 * np.eye(3)
        shift = max(0.0, np.sqrt(2.0 / 3.0) * np.linalg.norm(flat) - 2.0 / 3.0 * np.trace(Q))
        np.testing.assert_allclose(matrix(stiffness_of(rows(Q))), true + shift * np.eye(3), rtol=0,
                                   atol=16 * EPS * np.linalg.norm(Q))


def test_one_force_has_the_eigenvalues_named_and_never_pushes_back():
    """Of tr(P) - sym(P), P = r F^T: F.r and (F.r +- |F| |r|) / 2; with the shift none is below zero but by rounding."""
    rng = np.random.default_rng(30)
    for _ in range(200):
        (r,), (F,), _, Q = draw(rng, 1)
        if rng.uniform() < 0.2:
            r = rng.choice([-1.0, 1.0]) * F / np.linalg.norm(F)  # along the force, outwards and inwards
            Q = np.outer(r, F)
        size = np.linalg.norm(r) * np.linalg.norm(F)
        named = [F @ r, 0.5 * (F @ r + size), 0.5 * (F @ r - size)]
        found = np.linalg.eigvalsh(np.trace(Q) * np.eye(3) - 0.5 * (Q + Q.T))
        np.testing.assert_allclose(found, np.sort(named), rtol=0, atol=32 * EPS * size)
        assert np.linalg.eigvalsh(matrix(stiffness_of(rows(Q)))).min() >= -32 * EPS * size


def test_many_forces_never_push_back():
    """No eigenvalue below zero but by rounding, for any sum of forces."""
    rng = np.random.default_rng(40)
    for _ in range(200):
        *_, Q = draw(rng, int(rng.integers(2, 8)))
        assert np.linalg.eigvalsh(matrix(stiffness_of(rows(Q)))).min() >= -32 * EPS * np.linalg.norm(Q)
