"""Stiff solids in their own frame. Oracles: Newton's second derivative and minimum, a dense inverse, weight and Hooke's law."""

import numpy as np
import pytest
from bars import bar, random_rotation
from test_no_energy_from_nothing import two_slabs

from pliant.equations.elastic.linear_stiffness import linear_stiffness
from pliant.solvers.newton.block import Newton
from pliant.solvers.newton.hessian import Hessian
from pliant.solvers.projective.block import Projective
from pliant.solvers.soft.block import table_of
from pliant.solvers.soft.mesh import solid_model

H, G = 1.0 / 120.0, 9.81


def stiff(method, seed: int = 1, young: float = 1e7, held=()):
    """A block of 10 x 5 x 5 cm, turned at random, and how it is turned."""
    points, cells = bar((4, 2, 2), (0.1, 0.05, 0.05))
    model = solid_model(points, cells, 1000.0, young, 0.3, held=held)
    turn = random_rotation(np.random.default_rng(seed))
    return method(model, points @ turn.T, np.zeros_like(points)), turn


def test_the_stiffness_is_newtons_where_nothing_is_strained():
    """Oracle: the second derivative that Newton's method assembles there, less inertia; both turned."""
    block, turn = stiff(Newton)
    block.begin(H)
    corners, gradient, _ = block.parts()[0]
    table = table_of(block.model.cells)
    plain = linear_stiffness(len(block.position), corners, gradient, table[:, 9], table[:, 10]).toarray()
    whole = np.kron(np.eye(len(block.position)), turn)
    expected = Hessian(block).at(block.position, H, False).toarray() - np.diag(np.repeat(block.model.vertices.mass / H**2, 3))
    assert np.abs(whole @ plain @ whole.T - expected).max() <= 1e-7 * np.abs(expected).max()  # singular values: half the digits


def test_a_turned_solid_answers_by_the_turned_matrix():
    """Oracle: the dense inverse of the matrix, turned; held vertices do not answer. To its condition, some 1e4 here."""
    block, turn = stiff(Projective, held=(0, 1, 2))
    block.begin(H)
    block.look(H, 30.0)
    assert block.turn is None
    block.turn = block.seen
    np.testing.assert_allclose(block.turn, turn, atol=1e-12)
    whole = np.kron(np.eye(len(block.position)), turn)
    exact = whole @ np.linalg.inv(block.frame.matrix.toarray()) @ whole.T / H**2
    some = np.array([4, 9, 20])
    rows = (3 * some[:, None] + np.arange(3)).ravel()
    np.testing.assert_allclose(block.gains_along(some), exact[np.ix_(rows, rows)], atol=1e-10 * np.abs(exact[rows]).max())
    push = np.random.default_rng(2).normal(size=block.position.shape)
    push[:3] = 0.0
    answer = block.answer_to(push)
    np.testing.assert_allclose(answer.ravel(), exact @ push.ravel(), atol=1e-10 * np.abs(answer).max())
    np.testing.assert_allclose(block.resisting(some, 9)(answer[some]),
                               (np.linalg.inv(exact[np.ix_(rows, rows)]) @ answer[some].ravel()).reshape(-1, 3), rtol=1e-8)


def test_four_iterations_find_newtons_minimum():
    """Oracle: Newton's method to rounding. Pressed by ten times its weight, local/global leaves a tenth of the way and
    more; in the solid's frame an iteration leaves about the share by which it is strained."""
    ends, left = [], []
    for method, framed in ((Newton, False), (Projective, True), (Projective, False)):
        block, turn = stiff(method)
        block.begin(H)
        if framed:
            block.look(H, 30.0)
            block.turn = block.seen
        along = block.position @ turn[:, 0]
        faces = (along < along.min() + 1e-9).astype(float) - (along > along.max() - 1e-9)
        block.work.impulse[:] = 25.0 / 9.0 * H * faces[:, None] * turn[:, 0]
        for _ in range(30 if method is Newton else 4):
            block.iterate()
        ends.append(block.work.place.copy())
        left.append(np.abs(block.work.place - ends[0]).max())
    way = np.abs(ends[0] - stiff(Newton)[0].position).max()
    assert left[1] <= 1e-6 * way
    assert left[2] >= 0.1 * way


def test_what_is_strained_or_soft_keeps_to_local_global():
    block, turn = stiff(Projective)
    block.begin(H)
    block.position[:] = block.position @ (turn @ np.diag([1.2, 1.0, 1.0]) @ turn.T).T
    block.look(H, 30.0)
    block.turn = block.seen
    assert block.turn is None
    soft = stiff(Projective, young=1e3)[0]
    soft.begin(H)
    soft.look(H, 30.0)
    soft.turn = soft.seen
    assert soft.turn is None


@pytest.mark.parametrize(("young", "mass"), [(1e7, 100.0), (1e8, 20.0)])
def test_a_weight_lies_on_hard_rubber(young, mass):
    """Two slabs of 10 x 10 x 5 cm on each other, a box of 7 x 7 cm on them. Oracles: no step is given up; the box's weight is
    borne; it sinks by more than into a column of the slabs' area that cannot widen, less than into one of its own that can."""
    world, forces, places = two_slabs(young, mass), [], []
    for k in range(90):
        assert not world.step().warnings
        if k >= 60:
            forces.append(world["box"].contact_force[2])
            places.append(world["box"].position[2])
    assert abs(np.mean(forces) / (mass * G) - 1.0) < 0.01  # what still swings, over half a second
    sunk, pressed = 0.1 - (np.mean(places) - 0.05), mass * G * 0.1 / young
    assert pressed / 0.01 * (1.3 * 0.4 / 0.7) < sunk + 1e-6 and sunk < pressed / 0.0049 + 1e-4  # with the slop of contacts
