"""What can be read of direct ropes: forces, moments, energies against statics; snapshots; one hash for any threads."""

from collections.abc import Callable

import numpy as np
import oracle_balance as ob
import oracles
import pytest
from direct import CLOSE, plane, rope_scene, settled, within
from oracles import G

import pliant as pl

N = 20


@pytest.fixture(scope="module")
def cantilever() -> tuple[pl.World, ob.Links, np.ndarray]:
    """The heavy elastica at rest: the world, its links in NumPy, their angles."""
    scene = rope_scene(G, 5.0, points=N + 1, normal=(0, 1, 0))
    scene.pin("r.start", clamp=True, name="clamp")
    lengths = np.full(N, 1.0 / N)
    links = ob.Links(lengths, ob.joint_stiffness(lengths, 0.1), ob.weights(lengths, 0.1 * G), np.zeros(N))
    return settled(scene, 10.0), links, ob.balance(links, np.zeros(N), 10)[0]


TOLERANCE = 1e-6
"""Of the largest: shapes at rest are right to 3e-7."""


def test_tension_and_shear(cantilever):
    """What hangs beyond the middle of an element, along it and across."""
    world, _, angle = cantilever
    beyond = 0.1 * G * (1.0 - (np.arange(N) + 0.5) / N)
    within("tension", np.abs(world["r"].tension + beyond * np.sin(angle)).max(), TOLERANCE * 0.1 * G)
    shear = world["r"].shear_force
    within("shear force along d1", np.abs(shear[:, 0]).max(), TOLERANCE * 0.1 * G)
    within("shear force along d2", np.abs(np.abs(shear[:, 1]) - beyond * np.cos(angle)).max(), TOLERANCE * 0.1 * G)


def test_moments_and_curvature(cantilever):
    """M = (EI/l) sin(bend) at each joint, twice that at the clamp, zero at the free end; curvature 2 sin(bend/2)/l."""
    world, links, angle = cantilever
    bends = np.diff(angle, prepend=0.0)
    expected = np.append(links.stiffness * np.sin(bends), 0.0)
    moment = world["r"].bending_moment
    top = np.abs(expected).max()
    within("bending moment about d1", np.abs(np.abs(moment[:, 0]) - np.abs(expected)).max(), TOLERANCE * top)
    assert np.ptp(np.sign(moment[:-1, 0])) == 0.0  # one sign all along
    others = max(np.abs(moment[:, 1]).max(), np.abs(world["r"].twisting_moment).max())
    within("bending moment about d2, twisting moment", others, TOLERANCE * top)
    spans = np.full(N + 1, 1.0 / N)
    spans[[0, -1]] = 0.5 / N
    curvature = np.append(2.0 * np.sin(0.5 * np.abs(bends)), 0.0) / spans
    within("curvature", np.abs(world["r"].curvature - curvature).max(), TOLERANCE * curvature.max() * N)
    assert world["r"].bend_radius[3] == pytest.approx(1.0 / curvature[3], rel=1e-4)
    within("twist", np.abs(world["r"].twist).max(), TOLERANCE * N)
    exact = oracles.elastica(1.0, 0.1, 0.1 * G, points=N + 1)
    off = np.abs(np.abs(moment[:, 0]) - np.abs(exact.moment)).max() / top
    within("bending moment against the continuous elastica", off, 1.0 / N**2)


def test_what_holds_it(cantilever):
    """The clamp bears the weight and the weight's moment about it; the pin's own reading agrees; the free end bears nothing."""
    world, links, angle = cantilever
    points = ob.points_of(links.lengths, angle)
    moment = 0.1 * G / N * (0.5 * (points[1:, 0] + points[:-1, 0])).sum()
    for what, hold in (("rope.start", world["r"].start), ("pin", world["clamp"])):
        within(f"{what}: force", np.abs(hold.force - [0, 0, 0.1 * G]).max(), TOLERANCE * 0.1 * G)
        within(f"{what}: torque", np.abs(hold.torque - [0, -moment, 0]).max(), TOLERANCE * moment)  # holds up: about -y
    assert not world["r"].end.force.any() and not world["r"].end.torque.any()


def test_energies(cantilever):
    """Elastic (EI/l)(1 - cos bend) at each point, half of it for each element beside it and all at the clamp; gravity m g z of
    each element; the world's sums are the same."""
    world, links, angle = cantilever
    energy, bends = world["r"].energy, np.diff(angle, prepend=0.0)
    at_points = np.append(links.stiffness * (1.0 - np.cos(bends)), 0.0)
    expected = 0.5 * (at_points[:-1] + at_points[1:])
    expected[0] += 0.5 * at_points[0]
    within("elastic energy of elements", np.abs(energy.elastic - expected).max(), TOLERANCE * expected.max())
    heights = ob.points_of(links.lengths, angle)[:, 1]
    gravity = 0.1 * G / N * 0.5 * (heights[1:] + heights[:-1])
    within("energy of gravity", np.abs(energy.gravity - gravity).max(), TOLERANCE * np.abs(gravity).max())
    within("kinetic energy", energy.kinetic.sum(), 1e-12)
    whole = world.energy()
    within("the world's elastic energy", abs(whole.elastic / expected.sum() - 1.0), TOLERANCE)
    within("the world's energy of gravity", abs(whole.gravity / gravity.sum() - 1.0), TOLERANCE)


def test_twisting_moment_and_twist():
    """T at every point up to the one before the end; T/GJ."""
    scene = rope_scene(0.0, 5.0, points=N + 1, bend=10.0)
    scene.pin("r.start", clamp=True)
    scene.add(pl.Load("turn", "r.end", torque=(0.2, 0, 0)))
    world = settled(scene, 8.0)
    within("twisting moment", np.abs(world["r"].twisting_moment[:-1] - 0.2).max(), TOLERANCE * 0.2)
    within("twist", np.abs(world["r"].twist[1:-1] - 0.2 / 0.1).max(), 1e-5)
    within("what the start bears", np.abs(world["r"].start.torque - [-0.2, 0, 0]).max(), TOLERANCE)


def test_stretched_length_and_tension():
    """T/EA = strain, point to point, of a rope pulled between a pin and a body that hangs on it; strain energy T^2 L/2EA."""
    scene = rope_scene(G, 5.0, points=9, path=[(0, 0, 0), (0, 0, -1)], mass=1e-6, stretch=50.0, shear=50.0)
    scene.pin("r.start")
    scene.add(pl.Body("bob", pl.Sphere(0.05), mass=0.5, position=(0, 0, -1), collide=False))
    scene.attach("r.end", "bob", at=(0, 0, 0))
    world = settled(scene, 10.0)
    pull = 0.5 * G
    within("tension of a stretched rope", np.abs(world["r"].tension / pull - 1.0).max(), 1e-5)
    within("its length", abs(world["r"].length - 1.0 - pull / 50.0), 1e-5 * pull / 50.0 + CLOSE)
    within("its elastic energy", abs(world["r"].energy.elastic.sum() / (0.5 * pull**2 / 50.0) - 1.0), 1e-5)
    ends = np.array([world["r"].start.force[2], -world["r"].end.force[2]])
    within("and what its ends bear", np.abs(ends / pull - 1.0).max(), 1e-5)


def many_ropes(count: int = 12) -> pl.Scene:
    """Ropes of every kind: swinging, clamped, stretching, with a bob, driven, with rest shapes."""
    scene = pl.Scene()
    steel = pl.Material(1200.0, 0.05e6, shear=0.1e6)
    for k in range(count):
        rest = (1.0, 0.0, 2.0) if k % 3 == 0 else "straight"
        stretch = {"stretch": 100.0, "shear": 100.0} if k % 4 == 1 else {}
        end = (1.0 + 0.1 * k, k, 0)
        rope = scene.add(pl.Rope(f"r{k}", path=[(0, k, 0), end], points=6 + 2 * k, radius=0.01, material=steel, rest=rest,
                                 damping=0.01 * (k % 2), **stretch))
        motion = pl.Motion([0.0, 0.3, 0.6], positions=[(0, 0, 0), (0, 0, 0.1), (0, 0, 0)], loop=True) if k % 5 == 2 else None
        scene.pin(rope.start, clamp=k % 2 == 0, motion=motion)
        if k % 3 == 1:
            scene.add(pl.Body(f"bob{k}", pl.Sphere(0.05), mass=0.2, position=end, collide=False))
            scene.attach(rope.end, f"bob{k}")
    return scene


def test_snapshots_of_ropes_continue_bit_for_bit(tmp_path):
    """Oracle: the hash of every step of the uninterrupted run."""
    world = pl.World(many_ropes(6), dt=1 / 120, substeps=2, threads=1)
    world.run(0.2)
    world.save(tmp_path / "ropes.snapshot")
    expected = [world.step().hash for _ in range(30)]
    again = pl.World.restore(tmp_path / "ropes.snapshot")
    assert [again.step().hash for _ in range(30)] == expected
    assert again["r1"].tension == pytest.approx(world["r1"].tension, rel=0, abs=0)


def test_reset_goes_back_to_the_same_run():
    """Oracle: the hashes of the first run."""
    world = pl.World(many_ropes(5), dt=1 / 120, substeps=1, threads=1)
    first = [world.step().hash for _ in range(20)]
    world.reset()
    assert [world.step().hash for _ in range(20)] == first


def test_one_hash_for_any_number_of_threads():
    """Twelve ropes of different lengths, 40 steps, 1 and 2 threads: the same bits."""
    runs = []
    for threads in (1, 2):
        world = pl.World(many_ropes(), dt=1 / 120, substeps=2, threads=threads)
        runs.append([world.step().hash for _ in range(40)])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 40


def test_positions_and_velocities_can_be_set():
    """What is set is read back; points at distances of the elements' lengths are taken to rounding, speeds exactly."""
    scene = rope_scene(points=9)
    world = pl.World(scene, dt=0.01, substeps=1, threads=1)
    angle = np.linspace(0.0, 1.0, 8)
    points = np.zeros((9, 3))
    points[1:, [0, 2]] = np.cumsum(np.column_stack([np.cos(angle), np.sin(angle)]) / 8, axis=0)
    world["r"].positions = points
    within("points set and read", np.abs(world["r"].positions - points).max(), 1e-15)
    assert plane(world).shape == (9, 2)
    spin = np.array([0.3, -0.2, 0.5])
    world["r"].velocities = np.cross(spin, points)
    within("speeds set and read", np.abs(world["r"].velocities - np.cross(spin, points)).max(), 1e-15)
    with pytest.raises(pl.SceneError, match="positions"):
        world["r"].positions = points[:-1]
    with pytest.raises(pl.SceneError, match="velocities"):
        world["r"].velocities = np.full((9, 3), np.nan)


LIGHT = 1e-4
"""Mass of ropes that bear forces [kg]; what they weigh, where there is gravity, is what readings err by."""


def hung(how: str, path, s: float, force, **rope) -> tuple[pl.Scene, Callable | None]:
    """A light rope, not yet held, with a force [N] downwards at arc length s; and what to do before each step."""
    scene = rope_scene(G if how == "body" else 0.0, 20.0, path=path, mass=LIGHT, **rope)
    if how == "load":
        scene.add(pl.Load("pull", f"r@{s}", force=(0, 0, -force)))
    if how == "body":
        begin, end, *_ = np.array(path, float)
        here = begin + s * (end - begin) / np.linalg.norm(end - begin)
        scene.add(pl.Body("bob", pl.Sphere(0.05), mass=force / G, position=here, collide=False))
        scene.attach(f"r@{s}", "bob", at=(0, 0, 0))
    return scene, (lambda world: world.apply_force(f"r@{s}", (0, 0, -force))) if how == "push" else None


WAYS = pytest.mark.parametrize("how", ["load", "push", "body"])
"""In which a force comes to a point of a rope."""


@WAYS
def test_tension_of_a_rope_drawn_to_a_v(how):
    """Limp, 90 degrees, F at its lowest point: F / (2 sin 45) in every element, also beside F, and no shear."""
    half = float(np.sqrt(2.0))
    scene, each = hung(how, [(-1, 0, 0), (0, 0, -1), (1, 0, 0)], half, 98.1, points=11, bend="limp", twist="limp",
                       length=2.0 * half)
    scene.pin("r.start")
    scene.pin("r.end")
    world = pl.World(scene, threads=1)
    world.run(2.0, each=each)
    within("tension", np.abs(world["r"].tension - 98.1 * np.sqrt(0.5)).max(), LIGHT * G)
    within("shear force", np.abs(world["r"].shear_force).max(), LIGHT * G)


@WAYS
@pytest.mark.parametrize("s", [0.5, 0.53, 0.58])
def test_tension_of_a_hanging_rope_pulled_along_its_length(how, s):
    """F at its end, F at s, where two elements meet or within one: F in elements whose middle is beyond s, 2 F before it."""
    scene, each = hung(how, [(0, 0, 0), (0, 0, -1)], s, 10.0, points=11)
    scene.pin("r.start")
    scene.add(pl.Load("last", "r.end", force=(0, 0, -10.0)))
    world = pl.World(scene, threads=1)
    world.run(1.0, each=each)
    expected = np.where((np.arange(10) + 0.5) / 10 < s, 20.0, 10.0)
    within("tension", np.abs(world["r"].tension - expected).max(), LIGHT * G)


@WAYS
def test_shear_force_of_a_beam_loaded_in_its_middle(how):
    """On two supports: F/2 before the middle and -F/2 beyond, in every element; slopes of F L^2/16 EI leave squares of it."""
    scene, each = hung(how, [(0, 0, 0), (1, 0, 0)], 0.5, 1.0, points=11, bend=100.0, twist=100.0, normal=(0, 0, 1))
    scene.pin("r.start")
    scene.pin("r.end", slide=(1, 0, 0))
    world = pl.World(scene, threads=1)
    world.run(3.0, each=each)
    shear = world["r"].shear_force
    within("shear force", np.abs(shear[:, 0] - np.repeat([-0.5, 0.5], 5)).max(), LIGHT * G)
    within("shear force across", np.abs(shear[:, 1]).max(), LIGHT * G)


@pytest.mark.parametrize("applied", [False, True])
def test_a_force_along_a_rope_that_stretches_lengthens_it_up_to_its_place(applied):
    """F at s, held at the start: the end moves by F s / EA, exactly, wherever s lies among joints and middles of elements."""
    for s in (0.5, 0.53, 0.55, 0.58):
        scene, each = hung("push" if applied else "load", [(0, 0, 0), (0, 0, -1)], s, 10.0, points=11, stretch=300.0,
                           shear=200.0)
        scene.pin("r.start")
        world = pl.World(scene, threads=1)
        world.run(2.0, each=each)
        points = world["r"].positions
        within("the end", abs(points[-1, 2] + 1.0 + 10.0 * s / 300.0), 1e-6)
        whole = int(s * 10.0 - 0.5)  # points before elements that bear the load stretch as the rope before it
        within("points before", np.abs(points[:whole + 1, 2] * 300.0 / 310.0 + np.arange(whole + 1) / 10.0).max(), 1e-6)


@pytest.mark.parametrize("driven", ["start", "end"])
@pytest.mark.parametrize("by", ["pin", "body"])
def test_what_clamps_bear_of_a_rope_that_stretches_and_shears_unequally_balances(driven, by):
    """One clamp turns about all axes and stays where it is: forces and moments of both on a rope at rest sum to nothing."""
    scene = rope_scene(0.0, 20.0, points=9, bend=1.0, twist=1.5, stretch=300.0, shear=100.0)
    turn = pl.Motion([0.0, 1.0], rotations=[(0, 0, 0), (1, 1, 1)], smooth=True)
    for x, word in enumerate(("start", "end")):
        motion = turn if word == driven else None
        if by == "pin":
            scene.pin(f"r.{word}", clamp=True, motion=motion, name=word)
        else:
            scene.add(pl.Body(f"b{x}", pl.Sphere(0.05), mass=1.0, position=(x, 0, 0), motion=motion, fixed=motion is None))
            scene.attach(f"b{x}", f"r.{word}", clamp=True, name=word)
    world = pl.World(scene, threads=1)
    world.run(4.0)
    own = world["r"].start, world["r"].end
    for start, end in (own, (world["start"], world["end"])):
        within("forces", np.abs(start.force + end.force).max(), 1e-9)
        within("moments", np.abs(start.torque + end.torque + np.cross([1, 0, 0], end.force)).max(), 1e-9)
    sign = 1.0 if by == "pin" else -1.0  # what is named first is held
    within("alike", np.abs(own[1].torque - sign * world["end"].torque).max(), 1e-15)
