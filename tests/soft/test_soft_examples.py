"""Examples: blends of given shapes are shapes at rest. Oracles: the examples themselves, monotone energy, brute force."""

import numpy as np
import pytest
from bars import bar, random_rotation

from pliant.equations.elastic.example_blend import best_blend
from pliant.solvers.projective.block import Projective
from pliant.solvers.quasi_newton.block import QuasiNewton
from pliant.solvers.soft.mesh import solid_model

H = 1.0 / 60.0


def shapes():
    """A bar, and two examples of it: longer, and sheared."""
    points, cells = bar((4, 2, 2), (0.4, 0.2, 0.2))
    return points, cells, [points * [1.4, 0.9, 0.9], points @ np.array([[1.0, 0.0, 0.0], [0.3, 1.0, 0.0], [0.0, 0.0, 1.0]])]


def liking(young=1e-3):
    points, cells, examples = shapes()
    return solid_model(points, cells, 1000.0, young, 0.0, examples=examples, example_stiffness=1e5), points, examples


@pytest.mark.parametrize("which", [0, 1, 2])
def test_every_example_is_at_rest_wherever_it_is(which):
    """Turned and shifted examples feel no force beyond that of the (soft) material, and the blend is that example alone."""
    model, points, examples = liking()
    place = [points, *examples][which] @ random_rotation(np.random.default_rng(which)).T + [1.0, 2.0, 3.0]
    block = Projective(model, place, np.zeros_like(place))
    block.begin(H)
    for _ in range(100):
        block.forces()  # the blend is found by alternating, too
    expected = np.eye(3)[which]
    np.testing.assert_allclose(block.blend.share, expected, atol=1e-5)
    assert np.abs(block.work.right).max() < 1e-3 + 1e5 * 0.1 * 0.1 * 1e-5 * 10


@pytest.mark.parametrize("method", [Projective, QuasiNewton])
def test_energy_falls_and_the_nearest_blend_is_taken(method):
    """From a disturbed shape between two examples energy never rises; at the end the shape is a blend, mostly of these."""
    model, points, examples = liking(young=10.0)
    rng = np.random.default_rng(1)
    place = 0.5 * (points + examples[0]) + 0.02 * rng.normal(size=points.shape)
    block = method(model, place, np.zeros_like(place))
    first = None
    for _ in range(60):
        block.begin(H)
        block.forces()
        energy = block.total_energy()
        first = block.elastic_energy() if first is None else first
        for _ in range(8):
            block.iterate()
            if method is Projective:
                block.forces()
                assert block.total_energy() <= energy * (1.0 + 1e-12) + 1e-15
                energy = block.total_energy()
        block.position += H * block.velocity
        block.velocity *= 0.5
    share = block.blend.share
    assert share.sum() == pytest.approx(1.0, abs=1e-12) and (share >= 0.0).all()
    assert share[:2].sum() > 0.9 and share[:2].min() > 0.1
    block.begin(H)
    block.forces()
    assert block.elastic_energy() < 1e-2 * first


@pytest.mark.parametrize("seed", range(5))
def test_best_blend_is_best(seed):
    """Brute force over the simplex in steps of 1/60."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(5, 3))
    gram, product = a.T @ a, rng.normal(size=3)
    mine = best_blend(gram, product, np.array([1.0, 0.0, 0.0]))
    grid = [np.array([i, j, 60 - i - j]) / 60.0 for i in range(61) for j in range(61 - i)]
    least = min(0.5 * t @ gram @ t - product @ t for t in grid)
    assert 0.5 * mine @ gram @ mine - product @ mine <= least + 1e-12
    assert mine.sum() == pytest.approx(1.0) and (mine >= 0).all()


def test_like_examples_do_not_confuse():
    """Twice the same example: some blend of them, no NaN."""
    gram = np.ones((3, 3))
    found = best_blend(gram, np.ones(3), np.array([1.0, 0.0, 0.0]))
    assert found.sum() == pytest.approx(1.0) and np.isfinite(found).all()
