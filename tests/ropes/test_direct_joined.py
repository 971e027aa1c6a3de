"""Direct ropes joined to ropes, to bodies and to springs: the shape, and what is read at their ends, however it is written.

Joined end to end two ropes are one: the same links balanced in NumPy, the same closed forms.
"""

import numpy as np
import oracle_balance as ob
import oracles
import pytest
from direct import CLOSE, rope_scene, settled, within
from oracles import G

import pliant as pl

N = 10
TOLERANCE = 1e-6
"""Of the largest: shapes at rest are right to 3e-7."""
WAYS = {"end to start": ("r.end", "q.start"), "start to end": ("q.start", "r.end"), "by arc": ("r@1.0", "q@0.0")}


def second(scene: pl.Scene, path, **rope) -> pl.Scene:
    given = {"points": N + 1, "radius": 0.01, "mass": 0.1, "bend": 0.1, "twist": 0.1} | rope
    scene.add(pl.Rope("q", path=path, **given))
    return scene


def both(world: pl.World) -> np.ndarray:
    """Points (x, z) [m] of r and then q, where they meet only once."""
    return np.vstack([world["r"].positions, world["q"].positions[1:]])[:, [0, 2]]


@pytest.mark.parametrize("way", list(WAYS))
def test_two_clamped_ropes_are_one_elastica(way):
    """Oracle: balanced links, thin and thick halves joined by the compliance of both their half elements."""
    scene = second(rope_scene(G, 5.0, points=N + 1, bend=0.5), [(1, 0, 0), (2, 0, 0)], bend=0.2)
    scene.pin("r@0.0" if way == "by arc" else "r.start", clamp=True, name="wall")
    scene.attach(*WAYS[way], clamp=True, name="knot")
    world = settled(scene, 10.0)
    lengths, bending = np.full(2 * N, 1.0 / N), np.repeat([0.5, 0.2], N)
    links = ob.Links(lengths, ob.joint_stiffness(lengths, bending), ob.weights(lengths, 0.1 * G), np.zeros(2 * N))
    angle, _ = ob.balance(links, np.zeros(2 * N), 20)
    points = ob.points_of(lengths, angle)
    within(f"{way}: shape", np.abs(both(world) - points).max(), 2.0 * CLOSE)
    weight = 0.1 * G
    for what, forces in (("r", [2.0 * weight, -weight]), ("q", [weight, 0.0])):  # up at its start, down at its end
        held = np.array([world[what].start.force[2], world[what].end.force[2]])
        within(f"{way}: forces on {what}", np.abs(held - forces).max(), TOLERANCE * weight)
    moment = weight / N * (0.5 * (points[N + 1:, 0] + points[N:-1, 0]) - points[N, 0]).sum()
    within(f"{way}: torque on q", np.abs(world["q"].start.torque - [0, -moment, 0]).max(), TOLERANCE * moment)
    within(f"{way}: torque on r", np.abs(world["r"].end.torque - [0, moment, 0]).max(), TOLERANCE * moment)
    bend = world["q"].curvature[0] if way == "start to end" else world["r"].curvature[-1]  # of the one that is held
    within(f"{way}: curvature", abs(bend / (2.0 * N * np.sin(0.5 * (angle[N - 1] - angle[N]))) - 1.0), 1e-5)
    sign = 1.0 if way == "start to end" else -1.0  # on what is named first
    within(f"{way}: the knot's force", abs(world["knot"].force[2] - sign * weight), TOLERANCE * weight)
    where = np.array([points[N, 0], 0.0, points[N, 1]])
    within(f"{way}: where the knot is", np.abs(world["knot"].position - where).max(), 2.0 * CLOSE)
    within("and the wall", np.abs(world["wall"].position).max(), 1e-15)


@pytest.mark.parametrize("way", list(WAYS))
def test_two_ropes_stretch_one_after_the_other(way):
    """Oracle: closed form, the upper one under the lower one's weight, both half elements of the knot among them."""
    scene = rope_scene(G, 5.0, points=N + 1, stretch=50.0, shear=50.0, path=[(0, 0, 0), (0, 0, -1)])
    second(scene, [(0, 0, -1), (0, 0, -2)], stretch=20.0, shear=20.0)
    scene.pin("r@0.0" if way == "by arc" else "r.start")
    scene.attach(*WAYS[way])
    world = settled(scene, 12.0)
    upper = float(oracles.hanging_stretch(1.0, 1.0, 0.1, 50.0, 0.1 * G))
    lower = float(oracles.hanging_stretch(1.0, 1.0, 0.1, 20.0))
    within(f"{way}: the tip", abs(-world["q"].positions[-1, 2] - 2.0 - upper - lower), 2e-7)
    middles = 0.1 * G * (1.0 - (np.arange(N) + 0.5) / N)
    within(f"{way}: tension above", np.abs(world["r"].tension - 0.1 * G - middles).max(), TOLERANCE * G)
    within(f"{way}: tension below", np.abs(world["q"].tension - middles).max(), TOLERANCE * G)


def test_three_ropes_meet_in_a_knot():
    """Statics: under 10 kg two ropes at 45 degrees pull m g/sqrt 2 each, the third m g; the ropes weigh 1e-6 of it."""
    scene = pl.Scene(drag=5.0)
    for name, path in (("left", [(-1, 0, 1), (0, 0, 0)]), ("right", [(1, 0, 1), (0, 0, 0)]), ("down", [(0, 0, 0), (0, 0, -1)])):
        scene.add(pl.Rope(name, path=path, points=6, radius=0.01, mass=1e-5, bend=1e-6, twist=1e-6))
    scene.add(pl.Body("load", pl.Sphere(0.1), mass=10.0, position=(0, 0, -1), collide=False))
    scene.pin("left.start")
    scene.pin("right.start")
    scene.attach("left.end", "down.start")
    scene.attach("right.end", "down.start")
    scene.attach("load", "down.end")
    world = pl.World(scene, dt=0.02, substeps=1, threads=1)
    world.run(4.0)
    weight = 10.0 * G
    within("down", np.abs(world["down"].tension / weight - 1.0).max(), 1e-5)
    for name, x in (("left", -1.0), ("right", 1.0)):
        within(name, np.abs(world[name].tension / (weight / np.sqrt(2.0)) - 1.0).max(), 1e-5)
        within(f"what pulls {name} at the knot", np.abs(world[name].end.force / (0.5 * weight) - [-x, 0, -1]).max(), 1e-5)
    within("what the knot bears", np.abs(world["down"].start.force / weight - [0, 0, 1]).max(), 1e-5)


def test_a_rope_hangs_on_the_middle_of_another():
    """Statics: a V of 45 degrees, m g/sqrt 2 in both its arms, while the rope in its bottom bears m g."""
    scene = pl.Scene(drag=5.0)
    limp = {"radius": 0.01, "mass": 1e-5, "bend": "limp", "twist": "limp"}
    long = scene.add(pl.Rope("v", path=[(-1, 0, 1), (0, 0, 0), (1, 0, 1)], points=21, **limp))
    scene.add(pl.Rope("down", path=[(0, 0, 0), (0, 0, -1)], points=6, **limp))
    scene.add(pl.Body("load", pl.Sphere(0.1), mass=10.0, position=(0, 0, -1), collide=False))
    scene.pin(long.start)
    scene.pin(long.end)
    scene.attach("down.start", long.at(np.sqrt(2.0)), name="knot")
    scene.attach("down.end", "load")
    world = pl.World(scene, dt=0.02, substeps=1, threads=1)
    world.run(4.0)
    weight = 10.0 * G
    within("arms", np.abs(world["v"].tension[[0, 1, -2, -1]] / (weight / np.sqrt(2.0)) - 1.0).max(), 1e-4)
    within("down", np.abs(world["down"].tension / weight - 1.0).max(), 1e-5)
    within("the knot", np.abs(world["knot"].force / weight - [0, 0, 1]).max(), 1e-5)
    within("where the knot is", np.abs(world["knot"].position).max(), 1e-4)


@pytest.mark.parametrize("by", ["load", "load that follows", "spring", "body", "body first", "joint"])
def test_tension_up_to_an_end_that_is_pulled(by):
    """Oracle: 10 N at the end of a rope without weight are the tension of every element, whatever pulls."""
    scene = rope_scene(0.0, 5.0, points=N + 1)
    scene.pin("r.start")
    if by.startswith("load"):
        force = (0, 0, 10.0) if by.endswith("follows") else (10.0, 0, 0)  # d3 lies along the rope
        scene.add(pl.Load("pull", "r.end", force=force, follow=by.endswith("follows")))
    elif by == "spring":
        scene.add(pl.Spring("pull", "r.end", pl.WORLD, stiffness=10.0, rest_length=0.0, at_b=(2, 0, 0)))
    else:
        scene.add(pl.Body("b", pl.Sphere(0.1), mass=1.0, position=(1, 0, 0), collide=False))
        scene.add(pl.Load("pull", "b", force=(10.0, 0, 0)))
        if by == "joint":
            scene.add(pl.Spherical("hold", "r.end", "b", anchor=(1, 0, 0)))
        else:
            scene.attach(*("r.end", "b")[::-1 if by == "body first" else 1])
    world = settled(scene, 4.0)
    within(f"{by}: tension", np.abs(world["r"].tension - 10.0).max(), 1e-6 * 10.0)
    within("what holds its start", np.abs(world["r"].start.force - [-10.0, 0, 0]).max(), 1e-6 * 10.0)
    held = [0.0, 0, 0] if by.startswith("load") else [10.0, 0, 0]
    within("and its end", np.abs(world["r"].end.force - held).max(), 1e-6 * 10.0)


def test_what_both_clamps_bear():
    """A beam clamped at both ends, one sliding: balanced links; w L^2/12 of the continuous beam to (l/L)^2."""
    n = 20
    scene = rope_scene(G, 5.0, points=n + 1, bend=5.0, normal=(0, 1, 0))
    scene.pin("r.start", clamp=True, name="left")
    scene.pin("r.end", clamp=True, slide=(1, 0, 0), name="right")
    world = settled(scene, 6.0)
    lengths = np.full(n, 1.0 / n)
    links = ob.Links(lengths, ob.joint_stiffness(lengths, 5.0), ob.weights(lengths, 0.1 * G), np.zeros(n), held={1: 0.0},
                     last=(2.0 * 5.0 * n, 0.0))
    angle, _ = ob.balance(links, np.zeros(n))
    moment = -links.stiffness[0] * np.sin(angle[0])  # the wall turns the start up, about -y
    for what, sign in (("left", 1.0), ("right", -1.0)):
        end = world["r"].start if what == "left" else world["r"].end
        for hold in (world[what], end):
            within(f"{what}: force", np.abs(hold.force - [0, 0, 0.05 * G]).max(), TOLERANCE * G)
            within(f"{what}: torque", np.abs(hold.torque - [0, -sign * moment, 0]).max(), TOLERANCE * moment)
    within("against w L^2/12", abs(moment / (0.1 * G / 12.0) - 1.0), 1.0 / n**2 + (angle**2).max())
    within("where the sliding end is", np.abs(world["right"].position - world["r"].positions[-1]).max(), 1e-12)


def test_two_bodies_on_two_ropes_keep_their_momentum():
    """One rope 1 % longer than the way, one slack, the bodies part with 2 m/s: linear momentum to rounding, and they move."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("a", pl.Sphere(0.1), mass=20.0, velocity=(-1, 0, 0), collide=False))
    scene.add(pl.Body("b", pl.Sphere(0.1), mass=2.0, position=(2.4, 0, 0), velocity=(1, 0, 0), collide=False))
    for name, length, points in (("tight", 2.424, 12), ("slack", 3.5, 6)):
        scene.add(pl.Rope(name, path=[(0, 0, 0), (2.4, 0, 0)], points=points, radius=0.006, mass=0.2, bend=1e-3, twist=1e-3,
                          length=length))
        scene.attach(f"{name}.start", "a")
        scene.attach(f"{name}.end", "b")
    world = pl.World(scene, dt=0.001, substeps=1, threads=1)
    world.run(0.01)
    bodies, motion = world._engine.model.bodies, world._engine.state.motion
    within("momentum lost", np.abs(bodies.mass @ motion.velocity - [-18.0, 0, 0]).max() / 18.0, 1e-10)
