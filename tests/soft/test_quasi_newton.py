"""The memory of quasi-Newton. Oracle: the two loops of L-BFGS as textbooks have them, in NumPy, with all vectors kept."""

import numpy as np
import pytest
from bars import bar, sheet

from pliant.solvers.projective.block import Projective
from pliant.solvers.quasi_newton.block import MEMORY, QuasiNewton
from pliant.solvers.soft.enclosure import with_filling
from pliant.solvers.soft.mesh import cloth_model, solid_model


class TwoLoops:
    """L-BFGS on a block of local/global that only says forces, energies and solves."""

    def __init__(self, block: Projective) -> None:
        self.block, self.steps, self.scale = block, [], 1.0

    def look(self, place):
        self.block.work.place[:] = place
        return self.block.forces().copy(), self.block.total_energy()

    def iterate(self) -> np.ndarray:
        start = self.block.work.place.copy()
        force, energy = self.look(start)
        rest, shares = force.copy(), []
        for s, y in reversed(self.steps):
            shares.append(np.sum(s * rest) / np.sum(s * y))
            rest -= shares[-1] * y
        step = self.scale * self.block.factor.solve(rest)
        for (s, y), share in zip(self.steps, reversed(shares), strict=True):
            step += (share - np.sum(y * step) / np.sum(s * y)) * s
        length, slope = 1.0, np.sum(step * force)
        after, found = self.look(start + step)
        while found > energy - 1e-4 * length * slope + 1e-13 * abs(energy):
            length *= 0.5
            after, found = self.look(start + length * step)
        s, y = length * step, force - after
        self.steps = [*self.steps, (s, y)][-MEMORY:]
        self.scale = 0.5 + 0.5 * np.sum(s * y) / np.sum(y * self.block.factor.solve(y))
        return start + s


def thrown(method, model, seed=3):
    """A block whose vertices have velocities of their own."""
    rest = model.vertices.rest
    block = method(model, rest.copy(), np.random.default_rng(seed).normal(size=rest.shape))
    block.begin(1.0 / 60.0)
    return block


MODELS = {
    "bar": lambda: solid_model(*bar((6, 2, 2), (0.6, 0.2, 0.2)), 1000.0, 1e5, 0.3, held=range(9)),
    "cloth": lambda: cloth_model(*sheet(6, 5, (0.6, 0.5)), 300.0, 1e5, 0.3, 1e-3, held=range(3)),
}


@pytest.mark.parametrize("pushed", [(), (2, 5, 6, 11)])
@pytest.mark.parametrize("name", list(MODELS))
def test_steps_are_those_of_the_two_loops(name, pushed):
    """Fifteen iterations, more than it remembers; in some of them rows have pushed a vertex in between.

    Both lose about the rounding of a solve an iteration, and hand it on: 1e-9 of the way is far above that.
    """
    model = MODELS[name]()
    block, plain = thrown(QuasiNewton, model), thrown(Projective, model)
    loops = TwoLoops(plain)
    way = np.abs(block.work.place - model.vertices.rest).max()
    for k in range(15):
        if k in pushed:
            block.velocity[-1] += (0.1, -0.2, 0.3)
            plain.velocity[:] = plain.work.written  # where it is, with the same push
            plain.velocity[-1] += (0.1, -0.2, 0.3)
            plain.take_up()
            loops.scale = 1.0
        block.iterate()
        there = loops.iterate()
        plain.work.place[:] = there
        np.testing.assert_allclose(block.work.place, there, rtol=0, atol=1e-9 * way, err_msg=f"iteration {k}")
    np.testing.assert_allclose(block.velocity, (block.work.place - block.work.start) / block.h, rtol=4.0 * np.finfo(float).eps)


def test_a_filling_that_changes_the_matrix_is_no_obstacle():
    """A closed cloth with a stiff filling: its matrix moves with it; energies fall, to where local/global comes as well."""
    points = np.array([(x, y, z) for x in (0.0, 0.1) for y in (0.0, 0.1) for z in (0.0, 0.1)])
    sides = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    triangles = np.array([t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])
    model = with_filling(cloth_model(points, triangles, 300.0, 1e5, 0.3, 1e-3), triangles, 1e5)
    ends = []
    for method, most in ((QuasiNewton, 60), (Projective, 3000)):
        block, energies = thrown(method, model), []
        for _ in range(most):
            if block.iterate() < 1e-13:
                break
            block.forces()
            energies.append(block.total_energy())
        assert np.diff(energies).max() <= 1e-12 * abs(energies[0])
        ends.append(block.work.place.copy())
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-9)


def test_momentum_is_kept_to_rounding_over_many_iterations():
    """Nothing from outside acts: whatever the steps are, they must not let rounding of the momentum grow."""
    block = thrown(QuasiNewton, solid_model(*bar((5, 2, 2), (0.5, 0.2, 0.2)), 1000.0, 1e7, 0.49))
    mass = block.model.vertices.mass
    before = mass @ block.velocity
    for _ in range(200):
        block.iterate()
    assert np.abs(mass @ block.velocity - before).max() < 1e-12 * (mass @ np.linalg.norm(block.velocity, axis=1))
