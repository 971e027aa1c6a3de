"""Scrambled solids untangle. Oracles: the shape at rest, the gradient of the energy, momentum, Newton's minimum."""

import numpy as np
import pytest
from bars import bar
from twist import H

import pliant as pl
from pliant.equations.elastic.common_rotation import tangles
from pliant.solvers.gauss_seidel.block import GaussSeidel
from pliant.solvers.jacobi.block import Jacobi
from pliant.solvers.newton.block import Newton
from pliant.solvers.projective.block import Projective
from pliant.solvers.quasi_newton.block import QuasiNewton
from pliant.solvers.soft.mesh import solid_model

MESHES = ((3, 2, 2), (2, 2, 2), (5, 2, 2))


def scrambled(method, mesh, poisson, seed, young=1e5):
    """A bar whose vertices start at random places of a cube of 0.6 m."""
    rng = np.random.default_rng(seed)
    points, cells = bar(mesh, tuple(0.1 * n for n in mesh))
    model = solid_model(points, cells, 1000.0, young, poisson)
    return method(model, rng.uniform(-0.3, 0.3, size=points.shape), np.zeros_like(points)), points, cells


def strayed(block, points, cells) -> float:
    """The largest change of an edge's length, of its length at rest; infinite with an inverted cell."""
    edges = block.position[cells[:, 1:]] - block.position[cells[:, :1]]
    if (np.linalg.det(edges) <= 0.0).any():
        return float("inf")
    rest = points[cells[:, 1:]] - points[cells[:, :1]]
    return float(np.abs(np.linalg.norm(edges, axis=2) / np.linalg.norm(rest, axis=2) - 1.0).max())


def settled(block, steps, iterations=10, h=H) -> None:
    """Steps with a damping of a tenth each."""
    for _ in range(steps):
        block.advance(h, iterations)
        assert np.isfinite(block.velocity).all()
        block.velocity *= 0.9


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.45, 0.49])
@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("method", [Projective, QuasiNewton])
def test_scrambled_solids_find_their_shape(method, mesh, poisson):
    """Eight random starts each: every edge as long as at rest to 1e-3 in the end, and no cell inside out."""
    far = []
    for seed in range(8):
        block, points, cells = scrambled(method, mesh, poisson, seed)
        settled(block, 300)
        far.append(strayed(block, points, cells))
    assert max(far) < 1e-3, far


@pytest.mark.parametrize(("method", "steps", "iterations"), [(Newton, 60, 4), (Jacobi, 1500, 20), (GaussSeidel, 600, 10)])
def test_the_other_methods_untangle_too(method, steps, iterations):
    """The same to 1 % for the methods that cost more: Jacobi converges slowly."""
    for mesh in MESHES[:2]:
        block, points, cells = scrambled(method, mesh, 0.3, 1)
        settled(block, steps, iterations)
        assert strayed(block, points, cells) < 0.01


def test_the_push_is_the_slope_of_the_energy():
    """-dE/dx by central differences of a tangled bar, to their error: third derivatives times 1e-10, rounding by 1e-5."""
    block, points, _ = scrambled(Projective, (2, 1, 1), 0.4, 3)
    rng = np.random.default_rng(0)
    block.begin(H)
    assert block.tangle
    block.work.place[:] += 0.02 * rng.normal(size=points.shape)
    force = block.forces().copy()
    start, direction, step = block.work.place.copy(), rng.normal(size=points.shape), 1e-5
    energy = []
    for side in (-1.0, 1.0):
        block.work.place[:] = start + side * step * direction
        block.forces()
        energy.append(block.total_energy())
    slope = -(energy[1] - energy[0]) / (2.0 * step)
    assert abs(slope - np.sum(force * direction)) < 1e-6 * np.abs(force).max()


@pytest.mark.parametrize("method", [Projective, QuasiNewton, Newton, Jacobi])
def test_energy_falls_and_momentum_stays_while_a_step_untangles(method):
    """Iterations of one step go down, up to rounding of the sum; momentum to the rounding of the largest push."""
    block, points, _ = scrambled(method, (3, 2, 2), 0.45, 5)
    mass = block.model.vertices.mass
    block.velocity[:] = np.random.default_rng(1).normal(size=points.shape)
    momentum, size = mass @ block.velocity, mass @ np.abs(block.velocity)
    block.begin(H)
    block.forces()
    energy = [block.total_energy()]
    for _ in range(10):
        block.iterate()
        if not block.tangle:
            break
        block.forces()
        energy.append(block.total_energy())
    assert (np.diff(energy) <= 1e-13 * energy[0]).all() and energy[-1] < 0.9 * energy[0]
    kick = H * np.abs(block.work.inner).max() * len(mass)
    np.testing.assert_allclose(mass @ block.velocity, momentum, rtol=0, atol=1e-14 * kick + 1e-13 * size.max() * len(mass))


def test_local_global_and_newton_agree_on_a_tangled_step():
    """Both find the least of the same convex energy: 1e-9 of the bar's size after many iterations."""
    place = []
    for method, most in ((Projective, 6000), (Newton, 600)):
        block, _, _ = scrambled(method, (2, 1, 1), 0.3, 2)
        block.begin(H)
        for _ in range(most):
            if block.iterate() * H < 1e-14:
                break
        place.append(block.work.place.copy())
    assert np.abs(place[0] - place[1]).max() < 1e-9


def test_only_what_touches_an_inverted_cell_is_tangled():
    """Brute force over pairs of cells: those that share a vertex with an inverted one, in pieces that hang together."""
    _, cells = bar((9, 1, 1), (9.0, 1.0, 1.0))
    inverted = np.array([0, 40])
    some, piece = tangles(cells, inverted, int(cells.max()) + 1)
    expected = {i: k for k, n in enumerate(inverted) for i, c in enumerate(cells) if set(c) & set(cells[n])}
    assert dict(zip(some.tolist(), piece.tolist(), strict=True)) == expected


def test_a_sound_solid_is_not_touched():
    """Turned, stretched and sheared, but not inverted: nothing is tangled."""
    points, cells = bar((3, 2, 2), (0.3, 0.2, 0.2))
    shear = np.array([[0.3, 0.9, 0.0], [-1.2, 0.1, 0.0], [0.0, 0.2, 2.0]])
    block = Projective(solid_model(points, cells, 1000.0, 1e5, 0.3), points @ shear.T, np.zeros_like(points))
    block.begin(H)
    assert not block.tangle and np.linalg.det(shear) > 0.0


@pytest.mark.parametrize("method", ["projective", "quasi-newton", "newton", "jacobi", "position"])
def test_a_scrambled_jelly_in_a_world(method):
    """The same through a world, of drag 5/s: stretches and volume as at rest to 1 % after 4 s, e^-10 of the first motion."""
    scene = pl.Scene(gravity=(0, 0, 0), drag=5.0)
    jelly = scene.add(pl.Solid("jelly", pl.Box(0.2, 0.2, 0.2), spacing=0.1, material="jelly", method=method))
    world = pl.World(scene, threads=1)
    world["jelly"].positions = np.random.default_rng(3).uniform(-0.2, 0.2, size=jelly.rest.shape)
    world.run(4.0)
    assert np.abs(world["jelly"].stretches - 1.0).max() < 0.01
    assert world["jelly"].volume == pytest.approx(0.008, rel=0.01)
