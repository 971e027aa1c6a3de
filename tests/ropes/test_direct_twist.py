"""Direct ropes that twist, at rest: helix and torsion against closed forms, as test_direct_statics.py has those that bend."""

from itertools import pairwise
from math import pi, sqrt

import numpy as np
import oracles
import pytest
from direct import CLOSE, at_least, order, rope_scene, settled, within

import pliant as pl


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


def _quaternion_matrix(q) -> np.ndarray:
    w, x, y, z = q
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


def _circumcentre(a, b, c) -> np.ndarray:
    """Of three points in space."""
    u, v = b - a, c - a
    n = np.cross(u, v)
    return a + (np.cross(n, u) * (v @ v) + np.cross(v, n) * (u @ u)) / (2.0 * (n @ n))
