"""All methods behind one interface. Oracles: free fall, a spring at rest, a prescribed motion, strain ranges."""

import numpy as np
import pytest
from bars import bar, settle, sheet

from pliant.solvers.soft.mesh import cloth_model, solid_model
from pliant.solvers.soft.methods import METHODS

H = 1.0 / 60.0
GRAVITY = np.array([0.0, 0.0, -9.81])
EVERY = pytest.mark.parametrize("name", METHODS)


def things():
    """A solid and a sheet."""
    points, cells = bar((4, 2, 2), (0.4, 0.2, 0.2))
    yield solid_model(points, cells, 1000.0, 1e5, 0.3)
    points, triangles = sheet(5, 4, (0.5, 0.4))
    yield cloth_model(points, triangles, 300.0, 1e5, 0.3, 1e-3)


@EVERY
def test_free_fall(name):
    """Undeformed and alone, every vertex follows v_n = n h g, x_n = x_0 + h^2 g n (n + 1) / 2, to rounding."""
    for model in things():
        rest = model.vertices.rest
        block = METHODS[name](model, rest.copy(), np.zeros_like(rest))
        for _ in range(10):
            block.advance(H, 5, GRAVITY)
        np.testing.assert_allclose(block.velocity, np.broadcast_to(10 * H * GRAVITY, rest.shape), atol=1e-11)
        np.testing.assert_allclose(block.position, rest + 55 * H * H * GRAVITY, atol=1e-12)


@EVERY
def test_held_vertices_go_where_they_are_driven(name):
    """A held end moves by exactly h v, whatever the rest does."""
    points, cells = bar((4, 1, 1), (0.4, 0.1, 0.1))
    held = np.flatnonzero(points[:, 0] < 1e-9)
    block = METHODS[name](solid_model(points, cells, 1000.0, 1e5, 0.3, held=held), points.copy(), np.zeros_like(points))
    for _ in range(5):
        block.velocity[held] = (0.3, 0.0, 0.1)
        block.advance(H, 5, GRAVITY)
    np.testing.assert_allclose(block.position[held], points[held] + 5 * H * np.array([0.3, 0.0, 0.1]), atol=1e-14)
    assert np.abs(block.position - points).max() > 1e-3 and np.isfinite(block.position).all()


@pytest.mark.parametrize("name", [name for name in METHODS if name not in ("position", "jacobi")])
def test_weight_hangs_on_its_spring(name):
    """At rest each attachment carries its share: the centre sinks by m g / k."""
    points, cells = bar((1, 1, 1), (0.1, 0.1, 0.1))
    model = solid_model(points, cells, 1000.0, 1e6, 0.3)
    block = METHODS[name](model, points.copy(), np.zeros_like(points))
    for vertex in range(8):
        block.attach(vertex, 125.0, points[vertex])
    settle(block, most=2000, acceleration=GRAVITY)
    mass = model.vertices.mass
    sunk = mass @ (points - block.position)[:, 2] / mass.sum()
    # Corners of a cube cut in five carry different masses; springs alike, so the mean of the corners is what sinks by m g / k.
    assert np.mean((points - block.position)[:, 2]) == pytest.approx(mass.sum() * 9.81 / 1000.0, rel=1e-6)
    assert sunk > 0.0


@pytest.mark.parametrize("name", ["projective", "quasi-newton", "newton"])
def test_a_range_is_a_dead_zone(name):
    """Within its range of strain and volume a solid feels nothing; at rest outside, it comes back to the range's end."""
    points, cells = bar((2, 1, 1), (0.2, 0.1, 0.1))
    ends = (points[:, 0] < 1e-9) | (points[:, 0] > 0.2 - 1e-9)
    model = solid_model(points, cells, 1000.0, 1e5, 0.2, strain=(0.9, 1.1), volume=(0.7, 1.4), held=np.flatnonzero(ends))
    block = METHODS[name](model, points * [1.05, 1.0, 1.0], np.zeros_like(points))
    block.begin(H)
    block.forces()
    assert block.elastic_energy() == 0.0
    free = solid_model(points, cells, 1000.0, 1e5, 0.2, strain=(0.9, 1.1), volume=(0.7, 1.4))
    block = METHODS[name](free, points * [1.3, 1.0, 1.0], np.zeros_like(points))
    for _ in range(300):
        block.advance(H, 10)
        block.velocity *= 0.8
    edges = np.swapaxes(block.position[cells[:, 1:]] - block.position[cells[:, :1]], 1, 2)
    rest = np.swapaxes(points[cells[:, 1:]] - points[cells[:, :1]], 1, 2)
    stretch = np.linalg.svd(edges @ np.linalg.inv(rest))[1]
    assert stretch.max() < 1.1 + 1e-3 and stretch.min() > 0.9 - 1e-3


def test_bad_meshes_are_refused_by_name():
    """Inside-out cells, loose vertices, flat triangles and empty ranges are told apart."""
    points, cells = bar((1, 1, 1), (0.1, 0.1, 0.1))
    with pytest.raises(ValueError, match="inside out"):
        solid_model(points, cells[:, [1, 0, 2, 3]], 1000.0, 1e5, 0.3)
    with pytest.raises(ValueError, match="have no volume"):
        solid_model(points * [1.0, 1.0, 0.0], cells, 1000.0, 1e5, 0.3)
    with pytest.raises(ValueError, match="belongs to no element"):
        solid_model(np.vstack([points, [9.0, 9.0, 9.0]]), cells, 1000.0, 1e5, 0.3)
    with pytest.raises(ValueError, match="range"):
        solid_model(points, cells, 1000.0, 1e5, 0.3, strain=(1.1, 0.9))
    with pytest.raises(ValueError, match="has no area"):
        cloth_model(np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([[0, 1, 2]]), 300.0, 1e5, 0.3, 1e-3)
