"""Ropes that all methods carry, settled: rest shapes, two ways of bending, stiffness that varies, many turns of twist.

Oracle of each: the direct rope, whose links have the same rest, and a closed form where there is one.
"""

import numpy as np
import pytest
from direct import within
from oracles import G
from scipy.optimize import brentq

import pliant as pl

EXACT = ("impulse", "compliant")
"""Methods that have the stiffness they are told; by positions it is made of passes."""
POINT_METHODS = ("impulse", "position", "compliant")


def settled(method: str, *, seconds: float = 8.0, clamp_end=None, gravity=(0, 0, -G), drag: float = 7.0, **rope) -> pl.World:
    """A rod of 1 m clamped at its start, 21 points; thick, so that explicit torques take 2 ms."""
    scene = pl.Scene(gravity=gravity, drag=drag)
    scene.add(pl.Rope("r", **{"path": [(0, 0, 0), (1, 0, 0)], "points": 21, "radius": 0.1, "mass": 0.1, "bend": 0.1,
                              "twist": 0.1, "method": method, **rope}))
    scene.pin("r.start", clamp=True, name="clamp")
    if clamp_end is not None:
        scene.pin("r.end", clamp=True, motion=clamp_end, name="end")
    world = pl.World(scene, dt=0.05 if method == "direct" else 2e-3, substeps=1, threads=1)
    world.run(seconds)
    return world


SHAPES = {
    "helix": {"rest": (2.0, 0.0, 5.0), "gravity": (0, 0, 0)},
    "rest that varies": {"rest": np.column_stack([np.linspace(0, 2, 19), np.linspace(1, -1, 19), np.full(19, 1.0)])},
    "along its path": {"path": [(0, 0, 0), (0.4, 0.2, 0), (0.7, 0.1, 0.4)], "length": None, "rest": "path"},
    "two ways of bending": {"bend": (0.1, 0.03), "normal": (0, 1, 1)},
    "stiffness that varies": {"bend": np.linspace(0.1, 0.02, 20), "twist": np.linspace(0.02, 0.1, 20)},
    "points that vary": {"points": np.concatenate([np.linspace(0, 0.4, 7), np.linspace(0.5, 1.0, 6)])},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_all_methods_have_one_shape(shape):
    """Oracle: the direct rope. What is left of the motion after 8 s at a rate of 3.5 / s is e^-28 of it; velocities are solved
    to 1e-6 m/s, which a step of 2 ms and 50 steps to settle make 1e-7 m, ten times that for 20 elements in a row.

    Direct ropes twist by the angle a, the others by 2 sin(a/2) cos(b/2) where they bend by b: a share a^2/24 + b^2/8 of it."""
    direct = settled("direct", **SHAPES[shape])["r"]
    length = direct.length / 20
    a, b = np.abs(length * direct.twist).max(), np.abs(length * direct.curvature).max()
    other, moment = (a**2 / 24 + b**2 / 8 if a > 1e-9 else 0.0), np.abs(direct.bending_moment).max()
    for method in EXACT:
        rope = settled(method, **SHAPES[shape])["r"]
        within(f"{method}: places", np.abs(rope.positions - direct.positions).max(), 2e-6 + other)
        within(f"{method}: bending", np.abs(rope.bending_moment - direct.bending_moment).max(), 2e-5 + other * moment)
        within(f"{method}: twisting", np.abs(rope.twisting_moment - direct.twisting_moment).max(), 2e-5 + other * moment)


@pytest.mark.parametrize("method", POINT_METHODS)
def test_a_rope_at_rest_in_a_helix_is_one(method):
    """Oracle: figure 4 of paper C, Omega = (2, 0, 5): radius 2/29 m. Nothing pulls, so that by positions it comes there too.

    Chords l between points of a helix that turn by |Omega| l each lie on one of that radius exactly, if the turn is
    2 asin(l |Omega| / 2), as all methods measure it."""
    points = settled(method, **SHAPES["helix"])["r"].positions
    out = points[:-2] - 2.0 * points[1:-1] + points[2:]  # towards the axis
    out /= np.linalg.norm(out, axis=1)[:, None]
    axis = np.linalg.svd(out)[2][2]
    across = points - np.outer(points @ axis, axis)
    centre = across[1:-1] + 2.0 / 29.0 * out
    within("distance from one axis", np.abs(centre - centre.mean(0)).max(), 1e-4 * 2.0 / 29.0)


@pytest.mark.parametrize("method", EXACT)
def test_a_rod_takes_many_turns_of_twist(method):
    """Oracle: the law of the joints. 19 of them turn by a, m = GJ / l 2 sin(a / 2), torque m cos(a / 2) = GJ / l sin a; those
    of half a length at the clamps by b, sin b = sin(a) / 2; together three turns. GJ = 0.01 is too little to buckle EI = 0.1.
    """
    turns, stiffness = 6.0 * np.pi, 0.01 * 20.0
    a = brentq(lambda a: 19.0 * a + 2.0 * np.arcsin(0.5 * np.sin(a)) - turns, 0.0, 1.5)
    motion = pl.Motion([0.0, 6.0], rotations=[(0, 0, 0), (turns, 0, 0)], smooth=True)
    world = settled(method, twist=0.01, gravity=(0, 0, 0), clamp_end=motion, seconds=12.0)
    rope = world["r"]
    within("twist", np.abs(rope.twist[1:-1] - 20.0 * 2.0 * np.sin(a / 2)).max(), 1e-5 * 20.0)
    within("moment", np.abs(rope.twisting_moment - stiffness * np.sin(a)).max(), 1e-5 * stiffness)
    within("torque", np.abs(world["end"].torque - (stiffness * np.sin(a), 0, 0)).max(), 1e-5 * stiffness)
    within("torque at the start", np.abs(world["clamp"].torque - (-stiffness * np.sin(a), 0, 0)).max(), 1e-5 * stiffness)
    within("straight", np.abs(rope.positions[:, 1:]).max(), 1e-6)


@pytest.mark.parametrize("method", POINT_METHODS)
def test_a_torque_on_the_free_end_is_the_moment_everywhere(method):
    """Oracle: statics. 0.05 N m about the axis at the end: every joint and the clamp bear it, whatever stiffness there is."""
    scene = pl.Scene(gravity=(0, 0, 0), drag=7.0)
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=21, radius=0.1, mass=0.1, bend=0.1, twist=0.1,
                             method=method))
    scene.pin(rope.start, clamp=True, name="clamp")
    scene.add(pl.Load("twist", rope.end, torque=(0.05, 0, 0)))
    world = pl.World(scene, dt=2e-3, substeps=1, threads=1)
    world.run(8.0)
    within("moments", np.abs(world["r"].twisting_moment[:-1] - 0.05).max(), 1e-4 * 0.05)
    within("clamp", np.abs(world["clamp"].torque - (-0.05, 0, 0)).max(), 1e-4 * 0.05)


@pytest.mark.parametrize("passes", [5, 20, 100])
def test_moments_by_positions_are_those_of_the_loads(passes):
    """Oracle: statics. A rope by positions bends as its passes let it, and reads what its projections do: at every point the
    moment of the weights beyond it, and in its clamp of all. Each substep it falls by h^2 g before it is lifted again, and
    turns by h^2 g / l while it is: that much of the moments, some of it twice."""
    scene = pl.Scene(drag=7.0)
    scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=21, radius=0.1, mass=0.1, bend=0.1, twist=0.1,
                      method="position"))
    scene.pin("r.start", clamp=True, name="clamp")
    world = pl.World(scene, dt=2e-3, substeps=1, threads=1)
    world.iterations = passes
    world.run(8.0)
    rope, weights = world["r"], 0.1 * G * np.r_[0.5, np.ones(19), 0.5] / 20.0
    x = rope.positions[:, 0]
    want = np.array([weights[j:] @ (x[j:] - x[j]) for j in range(21)])
    near = 2.0 * 2e-3**2 * G / 0.05 * want[0]
    within("moments", np.abs(np.linalg.norm(rope.bending_moment, axis=1) - want).max(), near)
    within("clamp", abs(np.linalg.norm(world["clamp"].torque) - want[0]), near)
    within("forces", np.abs(np.hypot(rope.tension, np.linalg.norm(rope.shear_force, axis=1)) - np.cumsum(weights[:0:-1])[::-1]
                            ).max(), 1e-4 * G)
