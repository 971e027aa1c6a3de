"""One rope, four methods: where they model the same thing they agree. Oracles are named in each test.

Direct links of mass m and points that carry half of each neighbour's mass weigh the same at every shape, and both bend in
the same joints: at rest they are one and the same chain, so that what differs is how far each solver has come.
"""

from itertools import pairwise

import numpy as np
import pytest
from direct import within
from energy import EnergyGuard
from oracles import CABLE_TIP, G, catenary

import pliant as pl
from pliant.report import Report

METHODS = ("direct", "impulse", "position", "compliant")
POINT_METHODS = METHODS[1:]
SOFT = pl.Material(density=1200.0, young=0.05e6, shear=0.1e6)
"""Paper A's rope."""
HALF = 1200.0 * np.pi * 0.015**2 * 0.1
"""Mass [kg] of half an element of its 15 points."""


def cantilever(method: str, passes: int | None = None, seconds: float = 8.0, **more) -> pl.World:
    """A cable clamped horizontally, settled: 1 m, 0.1 kg, E I = 0.1 N m2. Its radius is of no account at rest; a thick one
    turns slowly, which lets explicit bending take 2 ms."""
    scene = pl.Scene(drag=7.0)
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=21, radius=0.1, mass=0.1, bend=0.1, twist=0.1,
                             method=method))
    scene.pin(rope.start, clamp=True, name="clamp")
    for name, (place, force) in more.items():
        scene.add(pl.Load(name, rope.at(place) if isinstance(place, float) else place, force=force))
    world = pl.World(scene, dt=0.05 if method == "direct" else 2e-3, substeps=1, threads=1)
    world.iterations = passes or world.iterations
    world.run(seconds)
    return world


def hanging(points: int = 15, box: float = 0.0, method: str = "impulse", motion=None, **world) -> pl.World:
    """Paper A's rope from the origin downward, with a box of so many kilograms at its end."""
    scene = pl.Scene(drag=2.0 if box else 0.0)
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (0, 0, -2.8)], points=points, radius=0.015, material=SOFT, method=method))
    scene.pin(rope.start, name="pin", motion=motion)
    if box:
        scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=box, position=(0, 0, -2.9)))
        scene.attach(rope.end, "box", at=(0, 0, 0.1), name="grip")
    return pl.World(scene, threads=1, **world)


def surplus(world: pl.World, seconds: float) -> tuple[float, Report]:
    """Energy that no motion put in, at most, over the largest kinetic energy; and the worst of the reports.

    For explicit torques, which lend to every swing a share of its energy and take it back: they are judged at the end.
    """
    found, first = [], world.energy()
    world.on_step(lambda w: found.append((w.energy().total - w.energy().work, w.energy().kinetic)))
    report = world.run(seconds)
    above, kinetic = np.array(found).T
    return float((above.max() - first.total) / kinetic.max()), report


@pytest.fixture(scope="module")
def cantilevers() -> dict[str, pl.World]:
    return {method: cantilever(method) for method in METHODS}


def test_a_cantilever_has_one_shape(cantilevers):
    """Oracle: the heavy elastica to 1 %, and the direct chain, which has the same rest, to what is left of the motion.

    Velocities are solved to 1e-6 m/s in steps of 2 ms: 2e-9 m a step, settled in about 50 of them.
    """
    direct = cantilevers["direct"]["r"].positions
    for method, most in (("impulse", 1e-7), ("compliant", 1e-7)):
        within(f"{method} against direct", np.abs(cantilevers[method]["r"].positions - direct).max(), most)
    for method in ("direct", "impulse", "compliant"):
        tip = cantilevers[method]["r"].positions[-1, [0, 2]]
        within(f"{method} against the elastica", np.linalg.norm(tip - CABLE_TIP), 1e-2)


def test_readings_of_all_methods_are_alike(cantilevers):
    """Oracle: the direct rope's readings at the same rest; the holder bears the weight, and its moment about the clamp.

    Forces settle as positions do, to their scale: the weight of 0.981 N and its moment of 0.37 N m.
    """
    direct = cantilevers["direct"]["r"]
    for method, share in (("impulse", 1e-6), ("compliant", 1e-6)):
        rope, pin = cantilevers[method]["r"], cantilevers[method]["clamp"]
        within(f"{method} tension", np.abs(rope.tension - direct.tension).max(), share * 0.981)
        within(f"{method} shear force", np.abs(rope.shear_force - direct.shear_force).max(), share * 0.981)
        within(f"{method} bending", np.abs(rope.bending_moment - direct.bending_moment).max(), share * 0.37)
        within(f"{method} twisting", np.abs(rope.twisting_moment).max(), share * 0.37)
        within(f"{method} curvature", np.abs(rope.curvature - direct.curvature).max(), share * 3.7)
        within(f"{method} holder's force", np.abs(pin.force - (0, 0, 0.1 * G)).max(), share * 0.981)
        within(f"{method} holder's torque", np.abs(pin.torque - cantilevers["direct"]["clamp"].torque).max(), share * 0.37)
        within(f"{method} elastic energy", abs(rope.energy.elastic.sum() - direct.energy.elastic.sum()), share * 0.11)
        energy = cantilevers[method].energy()
        assert energy.elastic == pytest.approx(rope.energy.elastic.sum(), rel=1e-12)
        assert rope.start.force == pytest.approx(pin.force) and not rope.end.force.any()


def test_loads_on_places_bend_ropes_alike():
    """Oracle: the direct rope under the same loads, at a point, between points and at the end."""
    loads = {"down": (0.5, (0, 0, -0.3)), "up": (0.77, (0, 0, 0.4)), "side": ("r.end", (0, 0.2, 0))}
    shapes = {method: cantilever(method, **loads)["r"].positions for method in ("direct", "impulse", "compliant")}
    within("impulse", np.abs(shapes["impulse"] - shapes["direct"]).max(), 1e-4)  # a link takes a force on it with its moment
    within("compliant", np.abs(shapes["compliant"] - shapes["direct"]).max(), 1e-4)
    within("one another", np.abs(shapes["compliant"] - shapes["impulse"]).max(), 1e-7)
    world = cantilever("impulse", seconds=0.0)
    for _ in range(4000):  # the same by pushes
        for place, force in loads.values():
            world.apply_force(f"r@{place}" if isinstance(place, float) else place, force)
        world.step()
    within("pushes", np.abs(world["r"].positions - shapes["impulse"]).max(), 1e-12)


@pytest.mark.parametrize("method", ["direct", "impulse", "compliant"])
@pytest.mark.parametrize("applied", [False, True])
def test_a_torque_along_the_rope_bends_it_up_to_its_place(method, applied):
    """Clamped at its start, a torque M at s, between middles of elements or on one, given or applied step by step.

    Oracle: the tip of a beam, M s (L - s/2)/EI, which links with half-length clamps reach exactly for small M: each bends by
    M l/EI, and the two beside s by their shares. Bends of 0.01 rad leave squares of it.
    """
    for s in (0.5, 0.53, 0.575):
        scene = pl.Scene(gravity=(0, 0, 0), drag=7.0)
        rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=21, radius=0.1, mass=0.1, bend=0.1, twist=0.1,
                                 method=method))
        scene.pin(rope.start, clamp=True)
        if not applied:
            scene.add(pl.Load("turn", rope.at(s), torque=(0, 1e-3, 0)))
        world = pl.World(scene, dt=2e-3, substeps=1, threads=1)
        world.run(6.0, each=(lambda w, s=s: w.apply_force(f"r@{s}", (0, 0, 0), torque=(0, 1e-3, 0))) if applied else None)
        joints = [(0.0, 0.5)] + [(k / 20, 1.0) for k in range(1, 20)]  # where it bends, and by how much of an element
        held = [min(max((s - x) * 20 + 0.5, 0.0), 1.0) if x > 0.0 else 1.0 for x, _ in joints]
        tip = -sum(1e-3 / 0.1 * part / 20 * share * (1.0 - x) for (x, part), share in zip(joints, held, strict=True))
        assert world["r"].positions[-1, 2] == pytest.approx(tip, rel=2e-3)
        assert tip == pytest.approx(-1e-3 / 0.1 * s * (1.0 - 0.5 * s), rel=2e-3)


def test_a_slack_rope_hangs_as_a_catenary():
    """Oracle: the direct chain, and the catenary: 30 chords of a curve bent by at most 3.2 / m leave l^2 k / 8 = 1 mm."""
    shapes = {}
    for method in METHODS:
        scene = pl.Scene(drag=4.0)
        scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], length=1.5, points=31, radius=0.02, mass=0.3, bend=1e-5,
                          twist=1e-5, method=method))
        scene.pin("r.start", name="left")
        scene.pin("r.end")
        world = pl.World(scene, dt=0.02 if method == "direct" else 2e-3, substeps=1, threads=1)
        world.run(10.0)
        shapes[method] = world["r"].positions
        assert world["left"].force[2] == pytest.approx(0.5 * 0.3 * G, rel=1e-3)
    exact = catenary(1.0, 1.5).position(np.linspace(0.0, 1.5, 31))
    within("direct against the catenary", np.abs(shapes["direct"][:, [0, 2]] - exact).max(), 1e-3)
    for method, most in (("impulse", 1e-8), ("compliant", 1e-8), ("position", 1e-3)):
        within(f"{method} against direct", np.abs(shapes[method] - shapes["direct"]).max(), most)


def test_stiffness_by_positions_is_made_of_passes(cantilevers):
    """Oracle: docs/paper_c.md; every pass stiffens PBD, so that it sags less than the elastica, and less with more passes;
    XPBD stays."""
    sags = [-cantilever("position", passes)["r"].positions[-1, 2] for passes in (5, 20, 100)]
    print(sags)
    assert -CABLE_TIP[1] > sags[0] and all(more < 0.5 * few for few, more in pairwise(sags))
    assert -cantilevers["position"]["r"].positions[-1, 2] == sags[1], "twenty passes are what a world takes by itself"
    more = cantilever("compliant", 12)["r"].positions
    within("twice the passes of XPBD", np.abs(more - cantilevers["compliant"]["r"].positions).max(), 1e-9)


def gently(seconds: float) -> pl.Motion:
    times = np.linspace(0.0, seconds, round(20 * seconds) + 1)
    swing = 0.1 * np.sin(2.0 * times) * np.minimum(times, 1.0)
    return pl.Motion(times, np.column_stack([swing, 0.05 * (1.0 - np.cos(1.3 * times)), 0.0 * times]), smooth=True)


def test_paper_a_holds_its_rope_at_fifteen_milliseconds():
    """Oracle: the paper's claim; hung and gently moved, 15 points at 15 ms: stable, stretch below 1 %, no energy from
    nowhere."""
    seconds = 60.0
    world = hanging(motion=gently(seconds), dt=0.015, substeps=1)
    assert not world.warnings
    gained, report = surplus(world, seconds)
    within("stretch", report.stretch, 1e-2)
    within("energy from nowhere", gained, 1e-2)
    within("speed", np.abs(world["r"].velocities).max(), 4.0)  # the pin moves at 0.3 m/s at most


def test_beyond_its_step_a_rope_by_impulses_is_named():
    """Oracle: h < l sqrt(rho / G) = 10.95 ms for 29 points, docs/paper_a.md: "auto" keeps below, 15 ms is warned of and
    raises."""
    limit = 0.1 * np.sqrt(1200.0 / 0.1e6)
    world = hanging(29, dt=0.015, substeps=1, motion=gently(20.0))
    assert any("'r'" in said and f"{limit:.3g}" in said for said in world.warnings)
    with pytest.raises(pl.Diverged, match="substeps") as raised:
        world.run(20.0)
    assert raised.value.thing == "r" and np.isfinite(world["r"].positions).all()
    for points, dt in ((29, 0.015), (241, 1 / 60)):
        world = hanging(points, dt=dt)
        assert dt / world.substeps < 2.8 / (points - 1) * np.sqrt(1200.0 / 0.1e6) and not world.warnings
    assert hanging(dt=1 / 60).substeps == 8, "where ropes allow it, substeps are as they always are"


@pytest.mark.parametrize("method", METHODS)
def test_a_box_of_five_kilograms_hangs_on_its_rope(method):
    """Oracle: tension is the weight below, in an element's middle for direct links and above its lower point for the others;
    what holds the box bears 5 kg, and the pin all. Settled at rate 1/s for 12 s: to 1e-5 of the weight."""
    world = hanging(box=5.0, method=method, dt=1 / 100, substeps=2)
    world.run(12.0)
    below = 5.0 + 2.0 * HALF * (np.arange(14)[::-1] + 0.5)
    near = 1e-5 * 72.0
    within("tension", np.abs(world["r"].tension - G * below).max(), near)
    within("what holds the box", np.abs(world["grip"].force - (0, 0, -5.0 * G)).max(), near)
    within("what holds all", np.abs(world["pin"].force - (0, 0, G * (5.0 + 28.0 * HALF))).max(), near)
    within("stretch", abs(world["r"].length / 2.8 - 1.0), {"position": 5e-3}.get(method, 1e-6))
    assert world["r"].energy.gravity.sum() == pytest.approx(-28.0 * HALF * G * 1.4, rel=5e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_box_is_pulled_over_ground(method):
    """Oracle: the law of momentum, step by step: M dv = (ground - rope + m g) dt with the forces that are read, to rounding
    and the tolerance of sweeps; friction stays in Coulomb's cone; the box comes along behind the pin."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.5))
    scene.add(pl.Body("box", pl.Box(0.4, 0.4, 0.2), mass=5.0, position=(3.0, 0, 0.1)))
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0.1), (2.8, 0, 0.1)], points=15, radius=0.015, material=SOFT, method=method))
    scene.attach(rope.end, "box", name="grip")
    scene.pin(rope.start, motion=pl.Motion([0, 1, 9], [(0, 0, 0), (-0.25, 0, 0), (-4.25, 0, 0)]))
    world = pl.World(scene, dt=1 / 100, substeps=4, threads=1)
    mass, before, miss = 5.0 + (0.0 if method == "direct" else HALF), np.zeros(3), 0.0
    for _ in range(300):
        world.step()
        ground, now = world["box"].contact_force, world["box"].velocity
        assert np.hypot(*ground[:2]) <= 0.5 * ground[2] * (1.0 + 64.0 * np.finfo(float).eps)
        change = ground - world["grip"].force + 5.0 * np.array(scene.gravity)
        miss, before = max(miss, np.abs(mass * (now - before) / world.dt - change).max()), now
    within("momentum [N]", miss, 1e-6 * mass / world.dt)
    within("stretch", abs(world["r"].length / 2.8 - 1.0), 5e-3)
    assert world["box"].position[0] < 2.4, "the pin went 1.25 m"


@pytest.mark.parametrize("method", ["impulse", "compliant"])
def test_a_driven_clamp_does_the_work_that_twisting_takes(method):
    """Oracle: torque GJ a / L and energy GJ a^2 / 2L of a straight rope twisted slowly by a = 2 rad, by all of which the motion
    works. Joints turn by 0.2 rad, where 2 sin(x / 2) for x takes x^2 / 24 = 0.2 % away; half a per cent of waves is left."""
    scene = pl.Scene(gravity=(0, 0, 0))
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=11, radius=0.1, mass=0.5, bend=0.1, twist=0.1,
                             method=method))
    scene.pin(rope.start, clamp=True, name="drive", motion=pl.Motion([0, 6], rotations=[(0, 0, 0), (2.0, 0, 0)], smooth=True))
    scene.pin(rope.end, clamp=True, name="far")
    world = pl.World(scene, dt=1 / 200, substeps=4, threads=1)
    world.run(6.0)
    within("energy", abs(world.energy().elastic - 0.2), 0.01 * 0.2)
    within("work", abs(world.energy().work - 0.2), 0.01 * 0.2)
    for name, sign in (("drive", 1.0), ("far", -1.0)):
        within(f"torque at {name}", np.abs(world[name].torque - (sign * 0.2, 0, 0)).max(), 0.02 * 0.2)
    within("twisting", np.abs(np.abs(world["r"].twisting_moment) - 0.2).max(), 0.02 * 0.2)


@pytest.mark.parametrize("method", POINT_METHODS)
def test_no_energy_comes_from_what_drives_a_clamp(method):
    """Oracle: E - W does not grow while a driven clamp swings a rope about, turns and bends it."""
    scene = pl.Scene()
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=11, radius=0.1, mass=0.5, bend=0.1, twist=0.1,
                             method=method))
    turn = pl.Motion([0.0, 2.0], positions=[(0, 0, 0), (0.3, 0.1, 0)], rotations=[(0, 0, 0), (2.0, 0.6, 0)], smooth=True)
    scene.pin(rope.start, clamp=True, motion=turn)
    world = pl.World(scene, dt=1 / 200, substeps=4, threads=1)
    if method != "impulse":
        world.on_step(EnergyGuard(world))
    within("energy from nowhere", surplus(world, 2.0)[0], 1e-2)


def test_assigning_moves_points_and_lets_held_ends_be():
    world = hanging(points=9, dt=0.01)
    rope = world["r"]
    there = rope.positions + np.linspace(0.0, 0.1, 9)[:, None] * np.array((0, 1, 0))
    rope.positions, rope.velocities = there, np.zeros((9, 3))
    assert np.array_equal(rope.positions, there) and not rope.velocities.any()
    along = np.diff(there, axis=0)
    w, x, y, z = rope.quaternions.T
    axis = np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    np.testing.assert_allclose(axis, along / np.linalg.norm(along, axis=1)[:, None], atol=1e-12)
    with pytest.raises(pl.SceneError, match="held"):
        rope.positions = there + 1.0


def test_paper_a_s_stiffness_is_that_of_its_section():
    """Oracle: E pi r^4 / 4 and G pi r^4 / 2; with r^2 as printed."""
    assert pl.paper_a_stiffness(SOFT, 0.015) == pytest.approx((0.05e6 * np.pi * 0.015**4 / 4, 0.1e6 * np.pi * 0.015**4 / 2))
    assert pl.paper_a_stiffness(SOFT, 0.015, power=2)[0] == pytest.approx(0.05e6 * np.pi * 0.015**2 / 4)
    assert pl.paper_a_stiffness("rubber", 0.01)[0] == pytest.approx(5e6 * np.pi * 0.01**4 / 4)
    for bad in (("wood", 0.1), ("rubber", -1.0), ("rubber", 0.1, 3)):
        with pytest.raises(pl.SceneError):
            pl.paper_a_stiffness(*bad)
