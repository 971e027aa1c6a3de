"""Buckling: Euler's columns and Greenhill's twisted rods give way within 1 % of the closed forms, by every method that can.

A straight rod under 0.99 of its critical load forgets a small kick; under 1.01 of it leaves the straight. What it leaves
to is, for columns, the shape of balanced links. Ropes of points cannot slide in a pin: a body on a rail holds them. By
impulses, explicitly, such a rod takes steps of 6 us, too many for a test. By positions (paper C) stiffness is made of
passes, and so is its load. Twisted rings are for direct ropes alone, which alone may be closed
(`test_direct_twisted_rings.py`).
"""

import numpy as np
import oracle_balance as ob
import oracle_buckling
import pytest
from direct import rope_scene, slide, within

import pliant as pl

N, BENDING, KICK = 40, 10.0, 1e-3
METHODS = ("direct", "compliant")
S = np.linspace(0.0, 1.0, N + 1)
SHAPES = {"clamped-free": S**2, "pinned-pinned": np.sin(np.pi * S), "clamped-clamped": np.sin(np.pi * S) ** 2}


def kicked(scene: pl.Scene, shape, seconds: float, first: float = 0.0) -> tuple[pl.World, list[float]]:
    """The world after a kick of 1 mm in one step of 2 ms, and how far it is from the straight at 1/4, 2/4, … of the time."""
    world = pl.World(scene, dt=0.002, substeps=1, threads=1)
    world.run(first)
    speeds = world["r"].velocities
    speeds[:, 2] += KICK * shape / world.dt
    world["r"].velocities = speeds
    away = []
    for _ in range(4):
        world.run(seconds / 4)
        away.append(float(np.abs(world["r"].positions[:, 1:]).max()))
    return world, away


def column(ends: str, share: float, method: str = "direct") -> pl.Scene:
    scene = rope_scene(0.0, 20.0, points=N + 1, bend=BENDING, twist=BENDING, radius=0.005, method=method)
    load = share * oracle_buckling.euler_load(1.0, BENDING, ends)
    if ends == "clamped-free":
        scene.pin("r.start", clamp=True)
        scene.add(pl.Load("press", "r.end", force=(-load, 0, 0)))
        return scene
    clamp = ends == "clamped-clamped"
    hold_sliding(scene, clamp)
    scene.pin("r.end", clamp=clamp)
    scene.add(pl.Load("press", "r.start", force=(load, 0, 0)))
    return scene


def hold_sliding(scene: pl.Scene, clamp: bool) -> None:
    """Hold its start so that it may move along x."""
    if scene["r"].method == "direct":
        scene.pin("r.start", clamp=clamp, slide=(1, 0, 0))
    else:
        slide(scene, "start", clamp)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ends", list(oracle_buckling.EULER))
def test_euler_column(ends, method):
    """1/4, 1 and 4 times pi^2 EI/L^2, within 1 %; the buckled shape is that of balanced links under the same load."""
    seconds = 8.0 if ends == "clamped-free" else 3.0
    _, away = kicked(column(ends, 0.99, method), SHAPES[ends], seconds)
    within(f"{method}, {ends}, 0.99 of Euler's load: what is left of the kick", away[-1] / KICK, 0.2)
    world, away = kicked(column(ends, 1.01, method), SHAPES[ends], seconds)
    assert away[-1] > 20.0 * KICK, f"it has not buckled: {away}"
    points, lengths = world["r"].positions[:, [0, 2]], np.full(N, 1.0 / N)
    if ends != "clamped-free":  # seen from the end that stays
        points = np.column_stack([1.0 - points[::-1, 0], points[::-1, 1]])
    forces = np.zeros((N + 1, 2))
    forces[-1, 0] = -1.01 * oracle_buckling.euler_load(1.0, BENDING, ends)
    held = {} if ends == "clamped-free" else {1: 0.0}
    last = (2.0 * BENDING * N, 0.0) if ends == "clamped-clamped" else None
    stiffness = ob.joint_stiffness(lengths, BENDING, ends != "pinned-pinned")
    links = ob.Links(lengths, stiffness, forces, np.zeros(N), held=held, last=last)
    assert abs(ob.buckling_load(links) / oracle_buckling.euler_load(1.0, BENDING, ends) - 1.0) < 0.005  # else 1 % would be luck
    steps = np.diff(points, axis=0)
    angle, _ = ob.balance(links, np.arctan2(steps[:, 1], steps[:, 0]))
    expected = np.abs(ob.points_of(lengths, angle)[:, 1]).max()
    assert expected > 20.0 * KICK
    within(f"{method}, {ends}, 1.01 of Euler's load: how far it bends", abs(away[-1] / expected - 1.0), 1e-3)


@pytest.mark.parametrize(("tension", "method"), [(0.0, "direct"), (200.0, "direct"), (-100.0, "direct"), (0.0, "compliant"),
                                                 (200.0, "compliant")])
def test_greenhill(tension, method):
    """Clamped ends, one turned, the other sliding under a pull: cot p - 1/p = cot q - 1/q, within 1 %."""
    moment, twisting = oracle_buckling.greenhill_clamped(1.0, BENDING, tension), 5.0 * BENDING
    for share in (0.99, 1.01):
        angle = share * moment / twisting
        scene = rope_scene(0.0, 20.0, points=N + 1, bend=BENDING, twist=twisting, radius=0.005, method=method)
        hold_sliding(scene, clamp=True)
        scene.pin("r.end", clamp=True, motion=pl.Motion([0.0, 0.5], rotations=[(0, 0, 0), (angle, 0, 0)]))
        if tension:
            scene.add(pl.Load("pull", "r.start", force=(-tension, 0, 0)))
        world, away = kicked(scene, SHAPES["clamped-clamped"], 2.0, first=0.6)
        if share < 1.0:
            within(f"{method}, twisted to 0.99, T = {tension:g} N: what is left of the kick", away[-1] / KICK, 0.2)
            within("and its twisting moment", abs(world["r"].twisting_moment / (share * moment) - 1.0).max(), 1e-3)
        else:
            assert away[-1] > 20.0 * KICK, f"it has not buckled: {away}"
            print(f"| {method}, twisted to 1.01, T = {tension:g} N: away by | {away[-1]:.3g} | above {20 * KICK:.3g} |")


def test_a_pressed_column_comes_to_rest_at_long_steps():
    """Half of Euler's load, steps of 10 ms with drag: the slowest mode decays as exp(-10 t), to 1e-9 of the kick in 2 s."""
    world = pl.World(column("clamped-clamped", 0.5), dt=0.01, substeps=1, threads=1)
    speeds = np.zeros((N + 1, 3))
    speeds[:, 2] = KICK * SHAPES["clamped-clamped"] / world.dt
    world["r"].velocities = speeds
    world.run(3.0)
    within("pressed column after 3 s", np.abs(world["r"].positions[:, 1:]).max() / KICK, 1e-6)
