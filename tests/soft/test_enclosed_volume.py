"""Closed cloth that is filled. Oracles: finite differences, a shell under pressure, the volume of the deformed surface."""

import numpy as np
import pytest
import trimesh

from pliant.scene.patch import PatchMesh
from pliant.solvers.gauss_seidel.block import GaussSeidel
from pliant.solvers.newton.block import Newton
from pliant.solvers.projective.block import Projective
from pliant.solvers.quasi_newton.block import QuasiNewton
from pliant.solvers.soft.enclosure import with_filling
from pliant.solvers.soft.mesh import cloth_model

H = 1.0 / 60.0
RADIUS, THICKNESS, YOUNG = 0.1, 1e-3, 1e4


def balloon(stiffness, relief, held=(), level=2):
    """A model and its volume at any place: a ball of patches, or a plain one."""
    if relief:
        mesh = PatchMesh.sphere(RADIUS, 20 * 4**level)
        used = np.unique(mesh.faces)  # the ball is filled with cells, cloth is not: its middle vertex goes
        mesh = PatchMesh(mesh.vertices[used], mesh.faces, mesh.quadrics, mesh.shares)
        points, faces = mesh.vertices, mesh.faces
    else:
        ball = trimesh.creation.icosphere(level, RADIUS)
        mesh, points, faces = None, np.array(ball.vertices), np.array(ball.faces)
    model = cloth_model(points, faces, 1000.0, YOUNG, 0.3, THICKNESS, held=held)

    def measure(x):
        return trimesh.Trimesh(x, faces, process=False).volume if mesh is None else mesh.volume(x, 1e-3)

    return with_filling(model, faces, stiffness, mesh), measure


@pytest.mark.parametrize("relief", [True, False])
def test_pushes_are_the_slope_of_the_energy(relief):
    """Central differences along random directions, the normals lagging: error of order step^2, 1e-6 of the force's size."""
    model, _ = balloon(1e5, relief)
    rest, rng = model.vertices.rest, np.random.default_rng(1)
    place = rest * [1.1, 0.95, 0.9] + 1e-3 * rng.normal(size=rest.shape)
    block = Projective(model, place.copy(), np.zeros_like(place))
    block.begin(1.0)
    forces = block.forces().copy()
    for _ in range(4):
        way, step, energy = rng.normal(size=place.shape), 1e-7, []
        for sign in (1.0, -1.0):
            block.work.place[:] = place + sign * step * way
            block.forces()
            energy.append(block.total_energy())
        block.work.place[:] = place
        slope = (energy[0] - energy[1]) / (2 * step)
        assert slope == pytest.approx(-np.sum(forces * way), abs=1e-6 * np.linalg.norm(forces) * np.linalg.norm(way))


@pytest.mark.parametrize("relief", [True, False])
@pytest.mark.parametrize("method", [Projective, QuasiNewton, Newton])
def test_a_filled_ball_keeps_its_volume_and_its_momentum(method, relief):
    """Thrown out of shape, filled with water (2.2e9 Pa): after 20 iterations within 1e-4; momentum stays to rounding."""
    model, measure = balloon(2.2e9, relief)
    rest, mass = model.vertices.rest, model.vertices.mass
    speed = 0.3 * np.random.default_rng(2).normal(size=rest.shape)
    speed += 3.0 * rest * [-1.0, 0.5, 0.5]
    block = method(model, rest.copy(), speed)
    before, volume, widest = mass @ block.velocity, measure(rest), 0.0
    for _ in range(10):
        block.advance(H, 20)
        assert measure(block.position) == pytest.approx(volume, rel=2e-3 if relief else 1e-4)
        np.testing.assert_allclose(mass @ block.velocity, before, rtol=0, atol=1e-10 * mass.sum())
        widest = max(widest, np.ptp(block.position, axis=0).max())
    assert widest > 1.03 * np.ptp(rest, axis=0).max()


def test_without_a_filling_the_same_ball_does_not():
    """The squeeze of the test above changes the volume of an empty ball by far more."""
    model, measure = balloon(1e-6, False)
    rest = model.vertices.rest
    block = QuasiNewton(model, rest.copy(), 3.0 * rest * [-1.0, 0.5, -0.5])
    for _ in range(3):
        block.advance(H, 20)
    assert abs(measure(block.position) / measure(rest) - 1.0) > 0.01


def test_local_global_finds_newtons_minimum():
    """The same step by three methods, to 1e-9 of the ball's size."""
    model, _ = balloon(1e5, True, level=1)
    rest = model.vertices.rest
    speed = np.random.default_rng(3).normal(size=rest.shape)
    places = []
    for method, most in ((Newton, 200), (QuasiNewton, 800), (Projective, 6000)):
        block = method(model, rest.copy(), speed.copy())
        block.begin(H)
        for _ in range(most):
            if block.iterate() < 1e-13:
                break
        places.append(block.work.place.copy())
    assert max(np.abs(places[0] - other).max() for other in places[1:]) < 1e-9 * RADIUS


def test_gauss_seidel_keeps_the_volume():
    """A squeezed ball comes back to its volume, by sweeps, within 1e-3."""
    model, measure = balloon(1e5, False)
    rest = model.vertices.rest
    block = GaussSeidel(model, 1.05 * rest, np.zeros_like(rest))
    for _ in range(10):
        block.advance(H, 20)
        block.velocity[:] = 0.0
    assert measure(block.position) == pytest.approx(measure(rest), rel=1e-3)


def test_a_filled_ball_of_patches_hangs_in_a_world():
    """Hung up by one vertex for half a second: filled, its volume stays within 0.2 %; empty, it loses five times as much."""
    import pliant as pl

    lost = []
    for stiffness in (1e6, 0.0):
        scene = pl.Scene()
        cloth = pl.Cloth("ball", pl.PatchMesh.sphere(RADIUS, 80), THICKNESS, volume=stiffness,
                         material=pl.Material(1000.0, 3e4, poisson=0.3))
        scene.add(cloth)
        top = int(np.argmax(cloth.rest[:, 2]))
        scene.pin(cloth.vertices([top]), name="nail")
        world = pl.World(scene, threads=1)
        before = world["ball"].volume
        for _ in range(30):
            world.step()
        lost.append(abs(world["ball"].volume / before - 1.0))
    assert lost[0] < 0.002 and lost[1] > 5.0 * lost[0], lost


def test_a_surface_given_inside_out_is_blown_up_all_the_same():
    """Oracle: the same ball given with its triangles the right way round, to rounding."""
    import pliant as pl

    ball, places = trimesh.creation.icosphere(2, RADIUS), []
    for faces in (ball.faces, ball.faces[:, ::-1]):
        scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
        scene.add(pl.Cloth("ball", (ball.vertices, faces), THICKNESS, pressure=50.0, material=pl.Material(1000.0, YOUNG)))
        world = pl.World(scene, threads=1)
        before = world["ball"].volume
        for _ in range(10):
            world.step()
        assert world["ball"].volume > 1.01 * before > 0.0
        places.append(world["ball"].positions)
    np.testing.assert_allclose(*places, atol=1e-9 * RADIUS)


def test_patches_that_look_inwards_are_refused():
    import pliant as pl

    mesh = PatchMesh.sphere(RADIUS, 20)
    used, faces = np.unique(mesh.faces, return_inverse=True)
    inside_out = PatchMesh(mesh.vertices[used], faces.reshape(-1, 3)[:, ::-1])
    with pytest.raises(pl.SceneError, match="look inwards"):
        pl.Cloth("ball", inside_out, THICKNESS, pressure=50.0)
