"""Ropes of points at rest: three-point bending, an end moment's circle and hanging stretch against closed forms.

Two oracles each: the same chain of straight elements balanced in NumPy (`oracle_balance`), and the continuous rod,
approached with the second power of an element's length. A pin that slides is a light body on a rail here. By impulses a
rope does not stretch. By positions (paper C) stiffness is made of passes: what it bends to is no closed form, and what it
bears is in `test_methods_settled.py`.
"""

from math import asin, pi

import numpy as np
import oracle_balance as ob
import oracles
import pytest
from direct import CLOSE, at_least, order, plane, rope_scene, slide, within
from oracles import G

import pliant as pl

THICK = 0.1
"""Radius [m], of no account at rest: a thick rope turns slowly, which lets explicit torques take 2 ms."""
CASES = [("impulse", THICK, 2e-3, (10, 20)), ("compliant", 0.01, 0.02, (10, 20, 40))]


@pytest.mark.parametrize(("method", "radius", "dt", "sizes"), CASES, ids=["impulse", "compliant"])
def test_three_point_bending(method, radius, dt, sizes):
    """A load on the middle, one end pinned, one on a rail: balanced links; the large elastica, order 2."""
    force, errors = 1.0, []
    exact = oracles.three_point_bending(1.0, 0.1, force)
    for n in sizes:
        scene = rope_scene(0.0, 5.0, points=n + 1, method=method, radius=radius)
        scene.pin("r.start")
        slide(scene, "end")
        scene.add(pl.Load("press", "r@0.5", force=(0, 0, -force)))
        world = pl.World(scene, dt=dt, substeps=1, threads=1)
        world.run(8.0)
        points, lengths, forces = plane(world), np.full(n, 1.0 / n), np.zeros((n + 1, 2))
        forces[n // 2, 1] = -force
        links = ob.Links(lengths, ob.joint_stiffness(lengths, 0.1, False), forces, np.zeros(n), held={1: 0.0})
        angle, _ = ob.balance(links, np.zeros(n), 10)
        within(f"{method}, three points, {n} elements", np.abs(points - ob.points_of(lengths, angle)).max(), CLOSE)
        errors.append(np.hypot(points[n // 2, 1] + exact[0], 1.0 - points[-1, 0] - exact[1]))
    at_least(f"{method}, three points, order", order(errors), 1.9)


@pytest.mark.parametrize(("method", "radius", "dt", "sizes"), [*CASES, ("compliant", 1e-3, 0.1, (20, 40))],
                         ids=["impulse", "compliant", "a thread at long steps"])
def test_an_end_moment_rolls_it_into_a_circle(method, radius, dt, sizes):
    """M = pi EI/L and 2 pi EI/L: every joint bends by arcsin(M l/EI), the clamp by half as much; a circle, with order 2.

    By impulses half a turn: kept in its plane by stiffness the other way, a whole one would take steps of 0.1 ms.
    """
    for turns in (0.5,) if method == "impulse" else (0.5, 1.0):
        errors, moment = [], oracles.circle_moment(1.0, 0.1, turns)
        across = {} if method == "impulse" else {"bend": (0.1, 100.0), "twist": 100.0, "normal": (0, 1, 0)}
        for n in sizes:
            scene = rope_scene(0.0, 5.0, points=n + 1, method=method, radius=radius, **across)
            scene.pin("r.start", clamp=True)
            scene.add(pl.Load("roll", "r.end", torque=(0, -moment, 0)))  # about -y: from +x towards +z
            world = pl.World(scene, dt=dt, substeps=1, threads=1)
            world.run(8.0)
            points, lengths = plane(world), np.full(n, 1.0 / n)
            bends = np.full(n, asin(moment / n / 0.1))
            bends[0] = asin(0.5 * moment / n / 0.1)
            missed = np.abs(points - ob.points_of(lengths, np.cumsum(bends))).max()
            within(f"{method}, {turns} turns, {n} elements", missed, CLOSE * 2 * pi)
            errors.append(np.abs(points - oracles.arc(np.linspace(0, 1, n + 1), 2 * pi * turns)).max())
        at_least(f"{method}, {turns} turns, order", order(errors), 1.9)


@pytest.mark.parametrize("method", ["direct", "impulse", "position", "compliant"])
def test_a_rope_without_any_stiffness_is_a_chain(method):
    """bend = twist = 0 with no material is a choice: a limp rope, which hangs as the balanced chain of its elements.

    By positions 100 passes of 20 elements leave it longer by less than 1e-3.
    """
    n, span, length = 20, 1.0, 1.3
    scene = rope_scene(G, 5.0, path=[(0, 0, 0), (span, 0, 0)], length=length, points=n + 1, bend="limp", twist="limp",
                       method=method)
    scene.pin("r.start")
    scene.pin("r.end")
    world = pl.World(scene, dt=0.02 if method in ("direct", "compliant") else 4e-3, substeps=1, threads=1)
    world.iterations = 100 if method == "position" else world.iterations
    world.run(8.0)
    smooth, lengths = oracles.catenary(span, length).position(np.linspace(0, length, n + 1)), np.full(n, length / n)
    steps = np.diff(smooth, axis=0)
    links = ob.Links(lengths, np.zeros(n), ob.weights(lengths, 0.1 * G / length), np.zeros(n), held={0: span, 1: 0.0})
    angle, _ = ob.balance(links, np.arctan2(steps[:, 1], steps[:, 0]))
    most = 1e-3 if method == "position" else CLOSE * length
    within(f"{method}, limp", np.abs(plane(world) - ob.points_of(lengths, angle)).max(), most)


@pytest.mark.parametrize("load", [0.0, 2.0])
def test_a_hanging_rope_stretches(load):
    """Oracle: closed form, exact at the points: tension is linear, and an element's is what hangs below its middle."""
    n, stretching = 8, 50.0
    scene = rope_scene(G, 5.0, points=n + 1, stretch=stretching, shear=stretching, path=[(0, 0, 0), (0, 0, -1)],
                       method="compliant")
    scene.pin("r.start", clamp=True)
    if load:
        scene.add(pl.Body("bob", pl.Sphere(0.05), mass=load / G, position=(0, 0, -1), collide=False))
        scene.attach("r.end", "bob", at=(0, 0, 0))
    world = pl.World(scene, dt=0.05, substeps=1, threads=1)
    world.run(10.0)
    s = np.linspace(0.0, 1.0, n + 1)
    sink = -world["r"].positions[:, 2] - s
    within("hanging stretch", np.abs(sink - oracles.hanging_stretch(s, 1.0, 0.1, stretching, load)).max(), 1e-7)
