"""Rows of lengths against finite differences, and the sweep of Thomas against a dense solution."""

import numpy as np
from rigid_motion import difference, vector

from pliant.equations.rod.inextensibility import SLACK, above, direction, eliminate
from pliant.model.point_ropes import PIVOT, SOLVED, UPPER
from pliant.solvers.sweep.solve import sweep

EPS = np.finfo(float).eps


def test_a_length_changes_as_its_row_says():
    """d|r_2 - r_1|/dt = (v_2 - v_1).n by central differences."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b, va, vb = rng.normal(size=(4, 3))
        n, distance = direction(vector(a), vector(b))
        speed = np.linalg.norm(va) + np.linalg.norm(vb)
        measured, error = difference(
            lambda t, a=a, b=b, va=va, vb=vb: direction(vector(a + t * va), vector(b + t * vb))[1],
            distance, 2.0 * speed / distance)
        assert abs(np.dot(n, vb - va) - measured) <= error


def filled(n: np.ndarray, light: np.ndarray) -> np.ndarray:
    """A scratch table as a rope of directions `n` (N - 1, 3) and inverse masses `light` (N) leaves it."""
    table = np.zeros((len(n), 22))
    for i in range(len(n)):
        upper, reduced = 0.0, 0.0
        if i:
            upper = above(vector(n[i - 1]), vector(n[i]), light[i])
            reduced = upper * table[i - 1, PIVOT]
            table[i - 1, UPPER] = upper
        table[i, PIVOT] = eliminate(light[i], light[i + 1], upper, reduced)
    return table


def test_thomas_solves_what_a_dense_solver_solves():
    """A = J M^-1 J^T built whole; the bound is the condition number times rounding, and SLACK."""
    rng = np.random.default_rng(2)
    for held in (False, True):
        n = rng.normal(size=(12, 3))
        n /= np.linalg.norm(n, axis=1)[:, None]
        light = rng.uniform(0.5, 2.0, size=13)
        light[0] = 0.0 if held else light[0]
        J = np.zeros((12, 39))
        for i in range(12):
            J[i, 3 * i:3 * i + 3], J[i, 3 * i + 3:3 * i + 6] = -n[i], n[i]
        A = J @ np.diag(np.repeat(light, 3)) @ J.T
        b = rng.normal(size=12)
        table = filled(n, light)
        table[:, SOLVED] = b
        sweep(table, 0, 12)
        exact = np.linalg.solve(A, b)
        bound = np.linalg.cond(A) * (SLACK + 100 * EPS) * np.linalg.norm(exact)
        assert np.linalg.norm(table[:, SOLVED] - exact) <= bound


def test_a_straight_rope_held_at_both_ends_stays_finite():
    """Its matrix is singular; pushing its middle aside asks for no impulse, and gets none."""
    n = np.tile((1.0, 0.0, 0.0), (6, 1))
    light = np.array((0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0))
    table = filled(n, light)
    table[:, SOLVED] = 0.0
    sweep(table, 0, 6)
    assert np.all(table[:, SOLVED] == 0.0) and np.all(np.isfinite(table[:, PIVOT]))
    assert eliminate(0.0, 0.0, 0.0, 0.0) == 0.0  # between two held points nothing can be done
