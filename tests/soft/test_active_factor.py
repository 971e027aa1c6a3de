"""Steps of Newton's method for contacts by a factor that is kept. Oracle: their equations, written down and solved anew."""

import numpy as np
import pytest

from pliant.equations.contact.cone_residual import OPEN, SLIPS, STICKS
from pliant.model.schema import allocate
from pliant.solvers.rows.active_factor import ActiveFactor
from pliant.solvers.rows.cones import Cones

COUNT = 20


def written_down(matrix, own, friction, state) -> np.ndarray:
    """alpha K + beta of cone_residual.py, all contacts."""
    alpha, beta = np.zeros((2, len(matrix), len(matrix)))
    for r in range(len(own)):
        at, kind, s, (xx, xy, yy) = 3 * r, state.kind[r], state.slip[r, :2], state.slip[r, 2:]
        g = np.array([[xx, xy], [xy, yy]])
        a = np.zeros((3, 3)) if kind == OPEN else np.eye(3)
        b = own[r] * (np.eye(3) - a)
        if kind == SLIPS:
            a[1:, 1:], b[1:, 1:], b[1:, 0] = g, own[r] * (np.eye(2) - g), -own[r] * friction[r] * s
        alpha[at:at + 3, at:at + 3], beta[at:at + 3, at:at + 3] = a, b
    return alpha @ matrix + beta


@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_exact_whoever_slips_opens_or_joins_after_the_factor_was_made(seed):
    rng = np.random.default_rng(seed)
    random = rng.normal(size=(3 * COUNT, 3 * COUNT))
    matrix, friction = random @ random.T / COUNT + 0.1 * np.eye(3 * COUNT), rng.uniform(0.0, 1.0, COUNT)
    own, state = matrix.diagonal().reshape(-1, 3).max(axis=1), allocate(Cones, COUNT)
    factor = ActiveFactor(matrix, own, friction, state)
    state.kind[:] = rng.permutation([STICKS] * 14 + [SLIPS] * 2 + [OPEN] * 4)
    solved = 0
    for _ in range(12):
        state.kind[rng.integers(COUNT, size=2)] = rng.choice([OPEN, STICKS, SLIPS], 2)
        angle, share = rng.uniform(0.0, 2.0 * np.pi, COUNT), rng.uniform(0.0, 1.0, COUNT)
        s, t = np.cos(angle), np.sin(angle)
        state.slip[:] = np.stack([s, t, share * t * t, -share * s * t, share * s * s], axis=1)
        state.off[:] = rng.normal(size=(COUNT, 3))
        if not factor.solve():
            continue
        solved += 1
        system = written_down(matrix, own, friction, state)
        exact = np.linalg.solve(system, -state.off.ravel())
        # rounding of a factor and of the system that it stands in, as many times as these may enlarge it
        worst = 64 * len(system) * np.finfo(float).eps * np.linalg.cond(system) * np.linalg.cond(matrix)
        assert np.abs(state.step.ravel() - exact).max() <= worst * np.abs(exact).max()
        assert worst < 1e-3
    assert solved > 4


def test_contacts_that_are_all_open_answer_for_themselves_before_and_after_a_factor():
    """Oracle: their equation, d step = -F of each. A factor that is gone leaves nothing of what was found by it."""
    rng = np.random.default_rng(0)
    own, state = np.full(COUNT, 2.0), allocate(Cones, COUNT)
    factor = ActiveFactor(2.0 * np.eye(3 * COUNT), own, np.ones(COUNT), state)
    for kind in (OPEN, STICKS, OPEN):
        factor.forget()
        state.kind[:], state.off[:] = kind, rng.normal(size=(COUNT, 3))
        assert factor.solve()
        assert np.abs(state.step + state.off / 2.0).max() <= 4.0 * np.finfo(float).eps * np.abs(state.off).max()


def test_many_that_slip_are_left_to_others():
    matrix, state = np.eye(3 * COUNT), allocate(Cones, COUNT)
    state.kind[:] = SLIPS
    assert not ActiveFactor(matrix, np.ones(COUNT), np.ones(COUNT), state).solve()
