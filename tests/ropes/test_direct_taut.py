"""Direct ropes that do not stretch, drawn straight between holds and loaded across: where pulls would have to be infinite."""

import numpy as np
import pytest
from energy import EnergyGuard
from scipy.optimize import brentq, minimize

import pliant as pl
from pliant.solvers.loop.closure import FASTEST

G = 9.81


def hung(slack: float, load: float, drag: float = 0.0, links: int = 20) -> pl.Scene:
    """A limp rope of 10 g between two pins 1 m apart, longer than that by a share, and a body at its middle."""
    scene, length = pl.Scene(drag=drag), 1.0 + slack
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=links + 1, radius=0.005, mass=0.01, bend="limp",
                             twist="limp", length=length))
    scene.pin(rope.start, name="left")
    scene.pin(rope.end, name="right")
    if load > 0.0:
        scene.add(pl.Body("b", pl.Sphere(0.05), mass=load, position=rope_middle(scene), collide=False))
        scene.attach(rope.at(0.5 * length), "b")
    return scene


def rope_middle(scene: pl.Scene) -> np.ndarray:
    """Where the middle of the rope starts, (3,) [m]."""
    points = pl.World(scene)["r"].positions
    return points[len(points) // 2]


def triangle(slack: float, load: float, stiffness: float) -> tuple[float, float]:
    """(sag [m], pull [N]) of a massless rope under a load at its middle, in series with a spring of that stiffness."""

    def pull(z: float) -> float:
        return 0.5 * load * G * np.hypot(0.5, z) / z

    z = brentq(lambda z: 2.0 * np.hypot(0.5, z) - (1.0 + slack) - pull(z) / stiffness, 1e-9, 1.0, xtol=1e-15, rtol=1e-14)
    return z, pull(z)


@pytest.mark.parametrize("load", [1.0, 200.0])
@pytest.mark.parametrize("slack", [0.0, 1e-9, 1e-7, 1e-5, 1e-3])
def test_a_load_hangs_on_a_taut_rope(slack, load):
    """Statics of a triangle in series with the spring by which holds give way: 2 (z^2 + 1/4)^1/2 = L + T/k and 2 T sin a = m g.

    The rope weighs 1e-2 of the load or less, and 20 gaps of 3e-7 of 5 cm each count as closed (couple/newton.py).
    """
    world = pl.World(hung(slack, load, drag=20.0), threads=1)
    world.on_step(EnergyGuard(world))
    report = world.run(1.0)
    closed = 20 * 3e-7 * 0.05
    stiffness = FASTEST**2 * (load + 0.01)
    sag, pull = triangle(slack, load, stiffness)
    most, _ = triangle(slack + closed, load, stiffness)
    share = 0.01 / load
    assert -world["b"].position[2] == pytest.approx(sag, abs=most - sag + share * sag)
    assert world["r"].tension.max() == pytest.approx(pull, rel=2.0 * (most - sag) / sag + share)
    assert not report.warnings


def test_a_straight_rope_stays():
    """Unloaded, as long as its pins are apart: a parabola, T z = w L^2 / 8, its pull finite, its pins bear the weight.

    It sags no further than 8 z^2 / 3 L = T / k and gaps that count as closed allow.
    """
    world = pl.World(hung(0.0, 0.0, drag=20.0), threads=1)
    world.on_step(EnergyGuard(world))
    report = world.run(1.0)
    sag, pull = -world["r"].positions[:, 2].min(), world["r"].tension.max()
    assert sag * pull == pytest.approx(0.01 * G / 8.0, rel=0.01)  # 20 links for a curve: 1/400
    assert 8.0 / 3.0 * sag**2 < pull / (FASTEST**2 * 0.01) + 20 * 3e-7 * 0.05
    assert world["left"].force[2] + world["right"].force[2] == pytest.approx(0.01 * G, rel=1e-4)
    assert report.substeps == world.substeps and not report.warnings


def net(meshes: int, links: int, size: float, shrunk: float = 0.0, drag: float = 0.0, load: float = 0.0) -> pl.Scene:
    """A flat square net of limp ropes with `links` a mesh's side, held at its corners, which may move inwards by a share."""
    scene, side = pl.Scene(drag=drag), size / meshes
    given = {"points": meshes * links + 1, "radius": 0.005, "mass": 0.05, "bend": "limp", "twist": "limp"}
    for i in range(meshes + 1):
        scene.add(pl.Rope(f"x{i}", path=[(0, i * side, 0), (size, i * side, 0)], **given))
        scene.add(pl.Rope(f"y{i}", path=[(i * side, 0, 0), (i * side, size, 0)], **given))
    for i in range(meshes + 1):
        for j in range(meshes + 1):
            ends = [scene[f"x{i}"].at(j * side), scene[f"y{j}"].at(i * side)]
            if i % meshes or j % meshes:
                scene.attach(*ends)
                continue
            for end in ends:
                go = (shrunk * (0.5 * size - j * side), shrunk * (0.5 * size - i * side), 0.0)
                scene.pin(end, motion=pl.Motion([0.0, 0.5], positions=[(0, 0, 0), go]) if shrunk else None)
    if load:
        middle = meshes // 2 * side
        scene.add(pl.Body("b", pl.Sphere(0.05), mass=load, position=(middle, middle, 0), collide=False))
        scene.attach(scene[f"x{meshes // 2}"].at(middle), "b")
    return scene


@pytest.mark.parametrize(("meshes", "load"), [(2, 5.0), (2, 50.0), (3, 200.0)])
def test_a_flat_net_bears_a_load(meshes, load):
    """No energy from nowhere, no gap beyond a millionth of a link, no halving of steps, and nothing told."""
    world = pl.World(net(meshes, 4, 1.0, load=load), threads=1)
    world.on_step(EnergyGuard(world))
    for _ in range(30):
        report = world.step()
        assert report.substeps == world.substeps and report.stretch < 1e-5
    assert not report.warnings


def hanging_net(meshes: int, links: int, size: float, shrunk: float, load: float) -> np.ndarray:
    """Depths [m] of knots in equilibrium: least energy of rigid bars between points, by SciPy."""
    n, side = meshes * links, size / (meshes * links)
    cells = [(i, j) for i in range(n + 1) for j in range(n + 1) if i % links == 0 or j % links == 0]
    number = {cell: k for k, cell in enumerate(cells)}
    bars = [(number[a, b], number[c, d]) for a, b in cells for c, d in ((a + 1, b), (a, b + 1))
            if (c, d) in number and ((a % links == 0 and a == c) or (b % links == 0 and b == d))]
    left, right = np.array(bars).T
    flat = np.array([(j * side, i * side, 0.0) for i, j in cells])
    held = np.array([i % n == 0 and j % n == 0 for i, j in cells])
    start = flat + np.where(held[:, None], shrunk * (0.5 * size - flat) * [1, 1, 0], 0.0)
    start[~held, 2] -= 0.05 * np.sin(np.pi * flat[~held, 0] / size) + 0.05 * np.sin(np.pi * flat[~held, 1] / size)
    weight = np.zeros(len(cells))
    np.add.at(weight, np.array(bars), 0.5 * G * 0.05 / n)
    weight[number[meshes // 2 * links, meshes // 2 * links]] += load * G

    def points(x: np.ndarray) -> np.ndarray:
        p = start.copy()
        p[~held] = x.reshape(-1, 3)
        return p

    def lengths(x: np.ndarray) -> np.ndarray:
        d = points(x)[right] - points(x)[left]
        return ((d * d).sum(1) / side**2 - 1.0) / 2.0

    def slopes(x: np.ndarray) -> np.ndarray:
        d, rows = (points(x)[right] - points(x)[left]) / side**2, np.arange(len(bars))
        jacobian = np.zeros((len(bars), len(cells), 3))
        jacobian[rows, right] += d
        jacobian[rows, left] -= d
        return jacobian[:, ~held].reshape(len(bars), -1)

    pull = np.zeros((len(cells), 3))
    pull[:, 2] = weight
    found = minimize(lambda x: points(x)[:, 2] @ weight, start[~held].ravel(), jac=lambda x: pull[~held].ravel(),
                     constraints={"type": "eq", "fun": lengths, "jac": slopes}, method="SLSQP",
                     options={"maxiter": 500, "ftol": 1e-12})
    assert found.success and np.abs(lengths(found.x)).max() < 1e-9
    at = [number[i * links, j * links] for i in range(meshes + 1) for j in range(meshes + 1)]
    return points(found.x)[at].reshape(meshes + 1, meshes + 1, 3)


def test_a_slack_net_hangs_as_the_least_energy_has_it():
    """2 x 2 meshes of 2 links a side, flat; corners then move inwards by 1 %, 2 kg hang at its middle: SciPy's minimum."""
    world = pl.World(net(2, 2, 1.0, shrunk=0.01, drag=10.0, load=2.0), threads=1)
    world.run(4.0)
    knots = np.array([[world[f"x{i}"].positions[2 * j] for j in range(3)] for i in range(3)])
    np.testing.assert_allclose(knots, hanging_net(2, 2, 1.0, 0.01, 2.0), atol=1e-6)
