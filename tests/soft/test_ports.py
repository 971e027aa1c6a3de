"""Soft blocks as the engine sees them: impulses of rows, answers, attachments. Oracles: a fresh factor, momentum, KKT."""

import numpy as np
import pytest
from bars import bar

from pliant.equations.elastic.implicit_euler import step_matrix
from pliant.math.sparse_cholesky import SparseCholesky
from pliant.solvers.jacobi.block import Jacobi
from pliant.solvers.projective.block import Projective
from pliant.solvers.quasi_newton.block import QuasiNewton
from pliant.solvers.soft.mesh import solid_model

H = 1.0 / 60.0


def thrown(method=Projective, counts=(5, 2, 2), held=()):
    """A bar with random velocities at the start of a step."""
    points, cells = bar(counts, 0.1 * np.array(counts))
    model = solid_model(points, cells, 1000.0, 1e5, 0.3, held=held)
    speed = np.random.default_rng(5).normal(size=points.shape)
    speed[list(held)] = 0.0
    block = method(model, points.copy(), speed)
    block.begin(H)
    return block


def test_response_is_how_velocities_answer():
    """One iteration with an impulse J on a vertex differs from one without by response J, exactly: E is quadratic."""
    impulse = np.array([0.3, -0.2, 0.5])
    plain, pushed = thrown(), thrown()
    pushed.work.impulse[7] = impulse
    for block in (plain, pushed):
        block.iterate()
    expected = pushed.response(7)[:, None] * impulse
    np.testing.assert_allclose(pushed.velocity - plain.velocity, expected, rtol=0, atol=1e-12)
    assert pushed.work.answer[7] == pushed.response(7)[7] < pushed.model.vertices.inverse_mass[7]


def test_many_answers_at_once():
    """As one by one, also with attachments, also after these have changed and for another length of step."""
    block, other = thrown(held=(0, 1)), thrown(held=(0, 1))
    vertices = list(range(54))
    block.answer_whole(vertices)
    for change in (lambda b: None, lambda b: b.attach(9, 1e5, (0.0, 0.0, 0.0)), lambda b: b.begin(0.5 * H)):
        change(block)
        change(other)
        expected = [other.response(v)[v] for v in vertices]
        np.testing.assert_allclose(block.work.answer, expected, rtol=1e-12)
        assert (block.work.answer <= block.model.vertices.inverse_mass * (1.0 + 1e-12)).all()
        other._ports.clear()


def test_response_of_a_held_vertex_is_nothing():
    block = thrown(held=(0, 1))
    assert not block.response(0).any()
    assert (block.response(9)[[0, 1]] == 0.0).all()


@pytest.mark.parametrize(("method", "close"), [(Projective, 1e-9), (QuasiNewton, 1e-9), (Jacobi, 1e-5)])
@pytest.mark.parametrize("whole", [True, False])
def test_rows_on_vertices_converge(method, close, whole):
    """A row that stops vertex 3 along z: it ends at rest, all other forces balance, and momentum is what the row gave.

    `whole`: whether the row knows how the block answers, or the vertex's mass alone; both get there. `close`: of the
    speeds, how near 3,000 iterations come; Jacobi is slow.
    """
    block = thrown(method)
    mass, start = block.model.vertices.mass, block.model.vertices.mass @ block.velocity
    if whole:
        block.response(3)
    total = 0.0
    for _ in range(3000):
        change = block.iterate()
        impulse = -block.velocity[3, 2] / block.work.answer[3]
        block.velocity[3, 2] += block.work.answer[3] * impulse
        total += impulse
        if max(change, abs(impulse) * block.work.answer[3]) < 1e-13:
            break
    block.take_up()
    assert abs(block.velocity[3, 2]) < 1e-10
    assert block.work.impulse[3, 2] == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(mass @ block.velocity, start + np.array([0.0, 0.0, total]), rtol=0, atol=close * mass.sum())
    block.forces()
    assert np.abs(block.work.right).max() < close * mass.sum() / H


def test_knowing_the_block_saves_iterations():
    """The answer of the whole block makes a row converge in fewer iterations than the mass of a vertex alone."""
    counts = []
    for whole in (True, False):
        block = thrown()
        if whole:
            block.response(3)
        missing, count = 1.0, 0
        while abs(missing) > 1e-6 and count < 2000:
            block.iterate()
            missing = -block.velocity[3, 2]
            block.velocity[3, 2] += missing
            count += 1
        counts.append(count)
    assert counts[0] < counts[1]


def test_a_thousand_attachments_leave_no_trace():
    """After 1,000 attachings and detachings a solve equals that of a fresh factor of the same matrix to 1e-10."""
    block = thrown(counts=(8, 3, 3))
    rng = np.random.default_rng(6)
    n = len(block.work.answer)
    attached: set[int] = set()
    for _ in range(1000):
        vertex = int(rng.integers(n))
        if vertex in attached or len(attached) > 60:
            vertex = vertex if vertex in attached else attached.copy().pop()
            block.detach(vertex)
            attached.discard(vertex)
        else:
            block.attach(vertex, 10.0 ** rng.uniform(1, 7), rng.normal(size=3))
            attached.add(vertex)
    fresh = SparseCholesky(step_matrix(block.stiffness(), block.model.vertices.mass, block.pins.weight, H))
    right = rng.normal(size=(n, 3))
    expected = fresh.solve(right)
    assert np.abs(block.factor.solve(right) - expected).max() < 1e-10 * np.abs(expected).max()
    assert 0 < len(attached) == len(block.factor.added)
    for vertex in sorted(attached):
        block.detach(vertex)
    bare = step_matrix(block.stiffness(), block.model.vertices.mass, 0.0 * block.pins.weight, H)
    expected = SparseCholesky(bare).solve(right)
    assert np.abs(block.factor.solve(right) - expected).max() < 1e-13 * np.abs(expected).max()


def test_attached_vertex_follows_its_spring():
    """A body far stiffer than the spring that holds it swings as mass and spring do under implicit Euler."""
    points, cells = bar((1, 1, 1), (0.1, 0.1, 0.1))
    model = solid_model(points, cells, 1000.0, 1e9, 0.3)
    mass, k = model.vertices.mass.sum(), 40.0
    block = Projective(model, points.copy(), np.zeros_like(points))
    # On every vertex, in parts of its mass, so that the body does not turn.
    for vertex in range(len(points)):
        block.attach(vertex, k * model.vertices.mass[vertex] / mass, points[vertex] + [0.0, 0.0, 0.05])
    x = v = 0.0
    for _ in range(50):
        block.advance(H, 40)
        v = (v - H * k / mass * (x - 0.05)) / (1.0 + H * H * k / mass)
        x += H * v
        centre = model.vertices.mass @ (block.position - points) / mass
        np.testing.assert_allclose(centre, [0.0, 0.0, x], rtol=0, atol=1e-9)


def test_pins_may_be_let_go():
    """Pins of the start belong to the factor; letting them go makes it anew, and the body falls freely."""
    points, cells = bar((2, 1, 1), (0.2, 0.1, 0.1))
    model = solid_model(points, cells, 1000.0, 1e5, 0.3)
    block = thrown()
    pins = block.pins._replace(weight=np.zeros(len(points)), target=points.copy())
    pins.weight[:4] = 1e6
    block = Projective(model, points.copy(), np.zeros_like(points), pins)
    for _ in range(3):
        block.advance(H, 10, (0.0, 0.0, -9.81))
    for vertex in range(4):
        block.detach(vertex)
    momentum = model.vertices.mass @ block.velocity
    block.advance(H, 10, (0.0, 0.0, -9.81))
    gained = model.vertices.mass @ block.velocity - momentum
    np.testing.assert_allclose(gained, [0.0, 0.0, -9.81 * H * model.vertices.mass.sum()], atol=1e-12)
