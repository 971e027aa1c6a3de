"""Direct ropes at rest: catenary, elastica, three-point bending, circle, helix and torsion against closed forms.

Two oracles each: the same chain of rigid links balanced in NumPy (`oracle_balance`), met to what Newton's method is told
to leave, and the continuous rod, approached with the second power of an element's length.
"""

from itertools import pairwise
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


def helix_world(n: int, darboux) -> pl.World:
    scene = rope_scene(0.0, 5.0, points=n + 1, rest=darboux, normal=(0, 1, 0))
    scene.pin("r.start", clamp=True)
    return settled(scene, 12.0)


def test_helix():
    """Rest Darboux vector (2, 0, 5) 1/m: links turned against each other by 2 Im p = l u, the first by half of it.

    Their points lie on a cylinder of radius kappa/(kappa^2 + tau^2) exactly and rise by tau/|u| a metre, whatever n;
    what turns from one to the next is 2 arcsin(|u| l/2) instead of |u| l.
    """
    darboux = np.array([2.0, 0.0, 5.0])
    rate, (radius, pitch) = np.linalg.norm(darboux), oracles.helix_size(darboux)
    for n in (15, 60):
        points = helix_world(n, darboux)["r"].positions
        u = 0.5 * darboux / n
        turn, half = (_quaternion_matrix(np.array([sqrt(1.0 - w @ w), *w])) for w in (u, 0.5 * u))
        frame, expected = FRAME @ half, [np.zeros(3)]
        for _ in range(n):
            expected.append(expected[-1] + frame[:, 2] / n)
            frame = frame @ turn
        within(f"helix, {n} elements", np.abs(points - expected).max(), CLOSE * rate)
        curved = np.diff(points, 2, axis=0)  # towards the axis
        axis = np.cross(curved[2], curved[3]) / np.linalg.norm(np.cross(curved[2], curved[3]))
        across = points - np.outer(points @ axis, axis)
        centre = _circumcentre(across[2], across[5], across[9])
        off = np.abs(np.linalg.norm(across - centre, axis=1) / radius - 1.0).max()
        within("radius of the helix", off, CLOSE * rate / radius)
        rise = abs((points[-1] - points[0]) @ axis)
        within("rise of the helix", abs(rise * 2 * pi / rate / pitch - 1.0), CLOSE * rate / radius)


FRAME = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""d1 = y, d2 = z, d3 = x in columns."""


def test_a_clamped_helix_starts_along_its_clamp():
    """The clamp holds the end's direction, the rod is curved from there on: points on the helix of closed form, order 2."""
    darboux, errors = np.array([2.0, 0.0, 5.0]), []
    for n in (15, 30, 60):
        points = helix_world(n, darboux)["r"].positions
        errors.append(np.abs(points - oracles.helix(np.linspace(0, 1, n + 1), darboux, FRAME)).max())
    at_least("clamped helix, order", order(errors), 1.9)


@pytest.mark.parametrize("turns,points", [(0.8, 4), (3.0, 16), (3.0, 41), (-2.5, 9)])
def test_a_rod_is_wound(turns, points):
    """By turns between two clamps, up to a third of one a joint. Oracle: GJ theta/L at any number of points, T^2 L/2GJ."""
    scene, angle = rope_scene(0.0, 5.0, points=points, bend=10.0), 2.0 * np.pi * turns
    scene.pin("r.start", clamp=True, name="start")
    scene.pin("r.end", clamp=True, motion=pl.Motion([0.0, 4.0], rotations=[(0, 0, 0), (angle, 0, 0)]))
    world = pl.World(scene, dt=0.02, substeps=1, threads=1)
    assert angle * 0.02 / 4.0 / (points - 1) < 0.1  # wound slowly
    report, torque = world.run(8.0), 0.1 * angle
    within("torque of a wound rod", abs(world["start"].torque[0] / -torque - 1.0), 1e-5)
    within("its moments", np.abs(world["r"].twisting_moment / torque - 1.0).max(), 1e-5)
    within("its twist", np.abs(world["r"].twist / angle - 1.0).max(), 1e-5)
    within("its energy", abs(world["r"].energy.elastic.sum() / (0.5 * torque * angle) - 1.0), 1e-5)
    assert abs(angle) / (points - 1) > 0.5 * pi or not report.warnings


def test_torsion():
    """T L/GJ: a torque along the rope turns the middle of element k by T (k + 1/2) l/GJ, however many there are."""
    n, torque = 40, 0.3
    scene = rope_scene(0.0, 5.0, points=n + 1, bend=10.0)  # a bending stiffness of 0.1 would let it buckle
    scene.pin("r.start", clamp=True)
    scene.add(pl.Load("turn", "r.end", torque=(torque, 0, 0)))
    world = settled(scene, 8.0)
    q = world["r"].quaternions
    turned = [2.0 * np.arctan2(*_about_x(q[0], _start(world)))]
    turned += [2.0 * np.arctan2(*_about_x(b, a)) for a, b in pairwise(q)]
    middles = [oracles.torsion_angle(torque, (k + 0.5) / n, 0.1) for k in range(n)]
    within("torsion of each element", np.abs(np.cumsum(turned) - middles).max(), CLOSE * n)
    within("nothing moves sideways", np.abs(world["r"].positions[:, 1:]).max(), 1e-9)


def _start(world: pl.World) -> np.ndarray:
    fresh = pl.World(world.scene, dt=0.1, substeps=1, threads=1)
    return fresh["r"].quaternions[0]


def _about_x(b, a) -> tuple[float, float]:
    """(x, w) of the turn from quaternion a to b, world axes."""
    w = b @ a
    x = a[0] * b[1] - a[1] * b[0] - (b[2] * a[3] - b[3] * a[2])
    return (x, w) if w >= 0.0 else (-x, -w)


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


def _quaternion_matrix(q) -> np.ndarray:
    w, x, y, z = q
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


def _circumcentre(a, b, c) -> np.ndarray:
    """Of three points in space."""
    u, v = b - a, c - a
    n = np.cross(u, v)
    return a + (np.cross(n, u) * (v @ v) + np.cross(v, n) * (u @ u)) / (2.0 * (n @ n))
