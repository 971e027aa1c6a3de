"""Direct ropes at rest: catenary, elastica, three-point bending and circle against closed forms.

Two oracles each: the same chain of rigid links balanced in NumPy (`oracle_balance`), met to what Newton's method is told
to leave, and the continuous rod, approached with the second power of an element's length.
"""

from math import asin, pi, sin, sqrt

import numpy as np
import oracle_balance as ob
import oracles
import pytest
from direct import CLOSE, at_least, order, plane, rope_scene, settled, within
from oracles import G
from scipy.integrate import solve_bvp

import pliant as pl


def test_catenary():
    """A limp rope between two pins, oracles: balanced links; catenary of closed form, order 2."""
    span, length, rise = 2.0, 2.8, 0.4
    exact, errors = oracles.catenary(span, length, rise), []
    for n in (12, 24, 48):
        scene = rope_scene(G, 5.0, path=[(0, 0, 0), (span, 0, rise)], length=length, points=n + 1, bend="limp", twist="limp")
        scene.pin("r.start")
        scene.pin("r.end")
        world = settled(scene, 12.0)
        points, lengths = plane(world), np.full(n, length / n)
        steps = np.diff(exact.position(np.linspace(0, length, n + 1)), axis=0)
        links = ob.Links(lengths, np.zeros(n), ob.weights(lengths, 0.1 * G / length), np.zeros(n), held={0: span, 1: rise})
        angle, hold = ob.balance(links, np.arctan2(steps[:, 1], steps[:, 0]))
        missed = np.abs(points - ob.points_of(lengths, angle)).max()
        within(f"catenary, {n} elements, against balanced links", missed, CLOSE * length)
        within("and the force that holds its end [N]", np.abs(world["r"].end.force[[0, 2]] - hold).max(), 1e-6 * 0.1 * G)
        errors.append(np.abs(points - exact.position(np.linspace(0, length, n + 1))).max())
    at_least("catenary, order in element length", order(errors), 1.9)


def cantilever(n: int, **rope) -> pl.World:
    scene = rope_scene(G, 5.0, points=n + 1, **rope)
    scene.pin("r.start", clamp=True)
    return settled(scene, 8.0)


def test_heavy_elastica():
    """Oracles: balanced links; the tip of the elastica, 5e-4 L at 51 points, order 2."""
    exact, errors = np.array(oracles.CABLE_TIP), []
    for n in (12, 25, 50):
        points, lengths = plane(cantilever(n)), np.full(n, 1.0 / n)
        links = ob.Links(lengths, ob.joint_stiffness(lengths, 0.1), ob.weights(lengths, 0.1 * G), np.zeros(n))
        angle, _ = ob.balance(links, np.zeros(n), 10)
        within(f"elastica, {n} elements, against balanced links", np.abs(points - ob.points_of(lengths, angle)).max(), CLOSE)
        errors.append(np.linalg.norm(points[-1] - exact))
    within("elastica, tip at 51 points", errors[-1], 5e-4)
    at_least("elastica, order in element length", order(errors[1:]), 1.9)


def test_damping_does_not_change_the_shape():
    """Kelvin-Voigt bears nothing where nothing moves: oracle as above."""
    n = 20
    points, lengths = plane(cantilever(n, damping=0.05)), np.full(n, 1.0 / n)
    links = ob.Links(lengths, ob.joint_stiffness(lengths, 0.1), ob.weights(lengths, 0.1 * G), np.zeros(n))
    within("damped elastica", np.abs(points - ob.points_of(lengths, ob.balance(links, np.zeros(n), 10)[0])).max(), CLOSE)


@pytest.mark.parametrize("n", [20, 21])
def test_elements_of_different_length(n):
    """Arc lengths given, elements from 1 to 3: balanced links; the elastica within the error of Richardson (n, 2n)."""
    errors = []
    for parts in (n, 2 * n):
        lengths = np.interp((np.arange(parts) + 0.5) / parts, [0.0, 1.0], [1.0, 3.0])
        lengths /= lengths.sum()
        scene = rope_scene(G, 5.0, points=np.concatenate([[0.0], np.cumsum(lengths)]))
        scene.pin("r.start", clamp=True)
        points = plane(settled(scene, 8.0))
        links = ob.Links(lengths, ob.joint_stiffness(lengths, 0.1), ob.weights(lengths, 0.1 * G), np.zeros(parts))
        angle, _ = ob.balance(links, np.zeros(parts), 10)
        within(f"{parts} different elements", np.abs(points - ob.points_of(lengths, angle)).max(), CLOSE)
        errors.append(np.linalg.norm(points[-1] - oracles.CABLE_TIP))
    at_least("different elements, order", order(errors), 1.9)


def test_stiffness_that_varies_along_the_rope():
    """EI(s) = EI (1.5 - s/L): balanced links, whose joints add the compliances of halves; the boundary value problem."""
    def rate(s, y):
        bending = 0.1 * (1.5 - s)
        return np.array([y[1] / bending, 0.1 * G * (1.0 - s) * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])])

    mesh = np.linspace(0.0, 1.0, 101)
    guess = np.stack([-0.8 * mesh, 0.0 * mesh, mesh, -0.4 * mesh])
    found = solve_bvp(rate, lambda a, b: np.array([a[0], b[1], a[2], a[3]]), mesh, guess, tol=1e-9)
    assert found.success
    errors = []
    for n in (16, 32):
        centres, lengths = (np.arange(n) + 0.5) / n, np.full(n, 1.0 / n)
        bending = 0.1 * (1.5 - centres)
        world = cantilever(n, bend=bending)
        links = ob.Links(lengths, ob.joint_stiffness(lengths, bending), ob.weights(lengths, 0.1 * G), np.zeros(n))
        expected = ob.points_of(lengths, ob.balance(links, np.zeros(n), 10)[0])
        within(f"stiffness along the rope, {n} elements", np.abs(plane(world) - expected).max(), CLOSE)
        errors.append(np.linalg.norm(plane(world)[-1] - found.sol(1.0)[2:]))
    at_least("stiffness along the rope, order", order(errors), 1.9)


def test_two_stiffnesses_across():
    """Bending about d1 and d2 differs: edgewise, flatwise and, with d1 under 30 degrees, both at once, small sag.

    Oracle: w L^4 / 8 EI in each direction for the exact links (balanced in that plane); a cubic law beyond it is
    (sag/L)^2 of it.
    """
    soft, stiff, n, weight = 20.0, 80.0, 10, 0.1 * G
    lengths = np.full(n, 1.0 / n)

    def sag(bending: float) -> float:
        links = ob.Links(lengths, ob.joint_stiffness(lengths, bending), ob.weights(lengths, weight), np.zeros(n))
        return float(ob.points_of(lengths, ob.balance(links, np.zeros(n))[0])[-1, 1])

    for normal, bending in (((0, 1, 0), soft), ((0, 0, 1), stiff)):  # d1 = y: gravity bends about d1; d1 = z: about d2
        world = cantilever(n, bend=(soft, stiff), twist=1e3, normal=normal)
        within(f"sag with d1 along {normal}", abs(plane(world)[-1, 1] / sag(bending) - 1.0), CLOSE / abs(sag(bending)))
    c, s = np.cos(pi / 6), sin(pi / 6)
    world = cantilever(n, bend=(soft, stiff), twist=1e3, normal=(0, c, s))  # about d1 bends along d2' = (0, -s, c)
    tip, size = world["r"].positions[-1], abs(sag(soft))
    along_d1, along_d2 = np.array([0, c, s]), np.array([0, -s, c])
    expected = sag(stiff) * s * along_d1 + sag(soft) * c * along_d2
    within("askew, both directions", np.linalg.norm(tip - [tip[0], 0, 0] - expected) / size, size**2 + CLOSE / size)


@pytest.mark.parametrize("slides", ["start", "end"])
def test_three_point_bending(slides):
    """A load on the middle, pins at the ends, one of which slides: balanced links; the large elastica, order 2."""
    force, errors = 1.0, []
    exact = oracles.three_point_bending(1.0, 0.1, force)
    for n in (10, 20, 40):
        scene = rope_scene(0.0, 5.0, points=n + 1)
        for word in ("start", "end"):
            scene.pin(f"r.{word}", slide=(1, 0, 0) if word == slides else None)
        scene.add(pl.Load("press", "r@0.5", force=(0, 0, -force)))
        world = settled(scene, 8.0, dt=0.01)
        points, lengths = plane(world), np.full(n, 1.0 / n)
        points[-1 if slides == "end" else 0, 0] = end_of(world, slides)[0]
        points[:, 0] = points[:, 0] - points[0, 0] if slides == "end" else 1.0 - points[:, 0]
        points = points if slides == "end" else points[::-1]
        forces = np.zeros((n + 1, 2))
        forces[n // 2, 1] = -force
        links = ob.Links(lengths, ob.joint_stiffness(lengths, 0.1, False), forces, np.zeros(n), held={1: 0.0})
        angle, _ = ob.balance(links, np.zeros(n), 10)
        within(f"three points, {n} elements", np.abs(points - ob.points_of(lengths, angle)).max(), CLOSE)
        errors.append(np.hypot(points[n // 2, 1] + exact[0], 1.0 - points[-1, 0] - exact[1]))
    at_least("three points, order", order(errors), 1.9)


def end_of(world: pl.World, word: str) -> np.ndarray:
    """Where the rope itself ends [m] (3,)."""
    return world["r"]._ends(-0.5)[0] if word == "start" else world["r"]._ends(0.5)[-1]


def test_positions_follow_a_sliding_end():
    """The first point is where the first element begins."""
    scene = rope_scene(0.0, 5.0)
    scene.pin("r.start", slide=(1, 0, 0))
    scene.pin("r.end")
    scene.add(pl.Load("press", "r@0.5", force=(0, 0, -1.0)))
    world = settled(scene, 8.0, dt=0.01)
    assert end_of(world, "start")[0] > 0.01
    within("point of a sliding end", np.abs(world["r"].positions[0] - end_of(world, "start")).max(), CLOSE)


@pytest.mark.parametrize("turns", [0.5, 1.0])
def test_an_end_moment_rolls_it_into_a_circle(turns):
    """M = 2 pi EI / L: every joint bends by arcsin(M l/EI), the clamp by arcsin(M l/2 EI); a circle, with order 2."""
    errors, moment = [], oracles.circle_moment(1.0, 0.1, turns)
    for n in (20, 40):
        scene = rope_scene(0.0, 5.0, points=n + 1, bend=(0.1, 100.0), twist=100.0, normal=(0, 1, 0))
        scene.pin("r.start", clamp=True)
        scene.add(pl.Load("roll", "r.end", torque=(0, -moment, 0)))  # about -y: from +x towards +z
        points, lengths = plane(settled(scene, 12.0)), np.full(n, 1.0 / n)
        bends = np.full(n, asin(moment / n / 0.1))
        bends[0] = asin(0.5 * moment / n / 0.1)
        within(f"{turns} turns, {n} elements", np.abs(points - ob.points_of(lengths, np.cumsum(bends))).max(), CLOSE * 2 * pi)
        errors.append(np.abs(points - oracles.arc(np.linspace(0, 1, n + 1), 2 * pi * turns)).max())
    at_least(f"{turns} turns, order", order(errors), 1.9)


@pytest.mark.parametrize("h", [0.002, 1 / 60])
def test_a_taut_rope_between_pins_stays(h):
    """As long as the way between its pins it cannot sag: gaps of CLOSE leave a slack of CLOSE L, a sag of sqrt(3/8 CLOSE) L."""
    scene = rope_scene(G)
    scene.pin("r.start")
    scene.pin("r.end")
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    world.run(1.0)
    within(f"taut rope at {1e3 * h:.3g} ms: sag", np.abs(world["r"].positions[:, 1:]).max(), sqrt(0.375 * CLOSE))


def test_a_curved_rope_rests_on_its_path():
    """rest="path": a clamped arc of 3 rad without weight stays where it is laid, without stress."""
    angle = np.linspace(0.0, 3.0, 31)
    path = np.column_stack([np.sin(angle), 0.0 * angle, 1.0 - np.cos(angle)])
    scene = rope_scene(path=path, points=31, rest="path")
    scene.pin("r.start", clamp=True)
    world = pl.World(scene, dt=0.01, substeps=1, threads=1)
    start = world["r"].positions
    world.run(0.5)
    within("a rope that rests on its path moves by [m]", np.abs(world["r"].positions - start).max(), 1e-12)
    within("and its elastic energy [J]", world["r"].energy.elastic.sum(), 1e-20)
