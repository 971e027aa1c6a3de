"""Direct ropes that stretch and shear, lie stretched or slack: closed forms, exact where half lengths hold the ends."""

import numpy as np
import oracle_balance as ob
import oracles
import pytest
from direct import CLOSE, at_least, order, plane, rope_scene, settled, within
from oracles import G

import pliant as pl


@pytest.mark.parametrize("load", [0.0, 2.0])
def test_a_hanging_rope_stretches(load):
    """Oracle: closed form, exact at the joints (midpoint rule, linear tension); a body hangs on half an element."""
    n, stretching = 8, 50.0
    scene = rope_scene(G, 5.0, points=n + 1, stretch=stretching, shear=stretching, path=[(0, 0, 0), (0, 0, -1)])
    scene.pin("r.start", clamp=True)
    if load:
        scene.add(pl.Body("bob", pl.Sphere(0.05), mass=load / G, position=(0, 0, -1), collide=False))
        scene.attach("r.end", "bob")
    world = settled(scene, 10.0)
    s = np.linspace(0.0, 1.0, n + 1)
    centres = world._engine.state.motion.position[world["r"]._elements, 2]
    mid = 0.5 * (s[:-1] + s[1:])
    sink = -centres - mid
    expected = oracles.hanging_stretch(mid, 1.0, 0.1, stretching, load)
    # Between joints tension is linear; the sum of midpoints up to a centre is that of the trapezoids: off by a l²/8 EA.
    off = 0.1 * G / stretching * (1.0 / n) ** 2 / 8.0
    within("hanging stretch at centres", np.abs(sink - expected - off).max(), 1e-7)
    tip = float(oracles.hanging_stretch(1.0, 1.0, 0.1, stretching, load))
    end = -world["bob"].position[2] - 1.0 if load else -world["r"].positions[-1, 2] - 1.0
    within("hanging stretch at the tip", abs(end - tip), 1e-7)


def test_a_pulled_free_end_stretches():
    """Oracle: F L/EA of closed form, without weight, the last half element among it."""
    scene = rope_scene(0.0, 5.0, points=9, stretch=50.0, shear=50.0)
    scene.pin("r.start", clamp=True)
    scene.add(pl.Load("pull", "r.end", force=(2.0, 0, 0)))
    world = settled(scene, 10.0)
    points = world["r"].positions
    within("pulled free end", abs(points[-1, 0] - 1.04), 1e-6)
    world["r"].positions = points
    within("what is read may be set", np.abs(world["r"].positions - points).max(), 1e-12)
    within("and pulls as it did", abs(world["r"].energy.elastic.sum() / (0.5 * 2.0**2 / 50.0 * 7.5 / 8.0) - 1.0), 1e-6)


@pytest.mark.parametrize("clamp", [False, True])
@pytest.mark.parametrize("slides", ["start", "end"])
def test_an_end_that_slides_is_pulled_out(slides, clamp):
    """Oracle: F L/EA of closed form and F in every element; the pin bears nothing along its axis, and the other all of it."""
    scene, out = rope_scene(0.0, 5.0, points=9, stretch=50.0, shear=50.0), -1.0 if slides == "start" else 1.0
    other = "end" if slides == "start" else "start"
    scene.pin(f"r.{slides}", clamp=clamp, slide=(1, 0, 0))
    scene.pin(f"r.{other}", clamp=clamp, name="far")
    scene.add(pl.Load("pull", f"r.{slides}", force=(2.0 * out, 0, 0)))
    world = settled(scene, 10.0, dt=0.02)
    within("how far it slides", abs((world["r"].length - 1.0) / 0.04 - 1.0), 1e-6)
    within("tension [N]", np.abs(world["r"].tension - 2.0).max(), 1e-6)
    within("what holds the other end [N]", np.abs(world["far"].force - (-2.0 * out, 0, 0)).max(), 1e-6)
    assert world["r"].start.force[0] == pytest.approx(0.0 if slides == "start" else -2.0, abs=1e-6)


def test_a_rope_that_stretches_swings_on_a_rail():
    """Its upper end slides along x, nothing else acts along x: momentum along x stays nought to what Newton's method leaves,
    the end stays on its rail; energy is lost at second order in the step."""
    lost, mass = [], 0.1
    for h in (0.01, 0.005, 0.0025):
        scene = rope_scene(G, mass=mass, points=11, stretch=50.0, shear=50.0, path=[(0, 0, 0), (0.6, 0, -0.8)])
        scene.pin("r.start", slide=(1, 0, 0))
        world = pl.World(scene, dt=h, substeps=1, threads=1)
        before = world.energy().total
        world.run(1.0)
        lost.append(before - world.energy().total)
        speeds = world._engine.state.motion.velocity[world["r"]._elements, 0]
        within("momentum along the rail [of m sqrt(2 g L)]", abs(speeds.mean()) / np.sqrt(2.0 * G), CLOSE)
        within("off the rail [m]", np.abs(world["r"].positions[0, 1:]).max(), CLOSE)
    at_least("energy lost, order", order(lost), 1.9)


def test_a_force_applied_to_a_free_end_is_in_its_tension():
    """Oracle: F in every element, the last among them, and F L/EA; after a step without the force its end pulls no more."""
    scene = rope_scene(0.0, 5.0, points=9, stretch=50.0, shear=50.0)
    scene.pin("r.start", clamp=True)
    world = pl.World(scene, dt=0.1, substeps=1, threads=1)
    world.run(10.0, each=lambda w: w.apply_force("r.end", (2.0, 0, 0)))
    within("tension [N]", np.abs(world["r"].tension - 2.0).max(), 1e-6)
    within("and the end", abs(world["r"].positions[-1, 0] - 1.04), 1e-6)
    inner = world["r"].tension[-2]
    world.step()
    assert world["r"].tension[-1] < 0.5 * inner and world["r"].positions[-1, 0] < 1.04 - 0.5 * 2.0 / 50.0 / 8.0


def test_shear_adds_to_a_cantilevers_sag():
    """Timoshenko: w L^4/8 EI + w L^2/2 GA for a short thick rod; links sag by a share (l/L)^2 more, theirs exactly
    (bend at half lengths), and a cubic law beyond it is (sag/L)^2."""
    n, bending, shearing = 20, 50.0, 100.0
    scene = rope_scene(G, 5.0, points=n + 1, bend=bending, stretch=1e6, shear=shearing)
    scene.pin("r.start", clamp=True)
    tip = -float(plane(settled(scene, 8.0, dt=0.02))[-1, 1])
    weight = 0.1 * G
    exact = oracles.tip_deflection(1.0, bending, weight) + 0.5 * weight / shearing
    lengths = np.full(n, 1.0 / n)
    links = ob.Links(lengths, ob.joint_stiffness(lengths, bending), ob.weights(lengths, weight), np.zeros(n))
    sag = -float(ob.points_of(lengths, ob.balance(links, np.zeros(n))[0])[-1, 1])
    excess = sag - oracles.tip_deflection(1.0, bending, weight)
    within("sag with shear", abs(tip - exact - excess) / exact, exact**2 + weight / 1e6 + CLOSE / exact)


def test_a_rope_laid_stretched_pulls_at_once():
    """Pinned at both ends, 4 % longer than unstretched, no weight: T = 0.04 EA at once, and nothing moves.

    What stands for the second pin gives way by 1/1000 in the first Newton step, and nothing damps the wave that makes:
    1e-3 of the tension, squared by the second step, and a factor of 100.
    """
    scene = rope_scene(points=11, length=1.0 / 1.04, stretch=50.0, shear=50.0)
    scene.pin("r.start")
    scene.pin("r.end")
    world = pl.World(scene, dt=0.01, substeps=1, threads=1)
    start = world["r"].positions
    assert start[:, 0] == pytest.approx(np.linspace(0, 1, 11), abs=1e-12)
    world.run(0.2)
    within("tension when laid stretched [N]", np.abs(world["r"].tension - 50.0 * 0.04).max(), 1e-4 * 50.0 * 0.04)
    within("and it stays where it is [m]", np.abs(world["r"].positions - start).max(), CLOSE)


def test_slack_is_laid_as_a_sag():
    """Points as far apart as elements are long, ends on the path, the rest below it; it settles to the catenary's links."""
    n = 30
    scene = rope_scene(G, 5.0, path=[(0, 0, 0), (1.5, 0, 0)], length=2.0, points=n + 1, bend="limp", twist="limp")
    scene.pin("r.start")
    scene.pin("r.end")
    world = pl.World(scene, dt=0.1, substeps=1, threads=1)
    points = world["r"].positions
    within("slack, distance of points", np.abs(np.linalg.norm(np.diff(points, axis=0), axis=1) - 2.0 / n).max(), 1e-9)
    assert points[[0, -1]] == pytest.approx(np.array([[0, 0, 0], [1.5, 0, 0]]), abs=1e-12)
    assert (points[1:-1, 2] < 0.0).all() and np.abs(points[:, 1]).max() < 1e-12
    assert points[:, 2] == pytest.approx(points[::-1, 2], abs=1e-9)
    world.run(12.0)
    exact = oracles.catenary(1.5, 2.0).position(np.linspace(0, 2, n + 1))
    lengths = np.full(n, 2.0 / n)
    steps = np.diff(exact, axis=0)
    links = ob.Links(lengths, np.zeros(n), ob.weights(lengths, 0.05 * G), np.zeros(n), held={0: 1.5, 1: 0.0})
    angle, _ = ob.balance(links, np.arctan2(steps[:, 1], steps[:, 0]))
    within("slack, settled", np.abs(plane(world) - ob.points_of(lengths, angle)).max(), CLOSE * 2.0)


@pytest.mark.parametrize("place", [0.5, 0.53, 0.42])
def test_a_load_between_the_ends_of_a_rope_that_stretches(place):
    """Hung by one end. Oracle: s + int T ds / EA at every point, exactly, since elements are uniform: the loaded one too, and
    those beside a load within an element. The loaded point was off by F l / (4 EA)."""
    n, load, stiffness, mass = 10, 20.0, 1e3, 0.5
    scene = pl.Scene(drag=20.0)
    scene.add(pl.Rope("r", [(0, 0, 0), (0, 0, -1)], n + 1, 0.005, mass=mass, bend=1e-2, twist=1e-2, stretch=stiffness,
                      shear=stiffness, damping=0.02))
    scene.pin("r.start", clamp=True)
    scene.add(pl.Load("load", f"r@{place}", force=(0, 0, -load)))
    world = pl.World(scene, dt=1 / 60, threads=1)
    world.run(5.0)
    s = np.linspace(0.0, 1.0, n + 1)
    drawn = s + (mass * G * (s - 0.5 * s**2) + load * np.minimum(s, place)) / stiffness
    within("off by [m]", np.abs(-world["r"].positions[:, 2] - drawn).max(), 1e-9)
