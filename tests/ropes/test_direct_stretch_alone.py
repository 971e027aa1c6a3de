"""Direct ropes that stretch but do not shear, as `Rope(stretch=EA)` makes them: the elastic catenary, and a swing."""

import numpy as np
import pytest
from direct import at_least, order, plane, rope_scene, settled, within
from energy import EnergyGuard
from oracles import G
from scipy.integrate import cumulative_trapezoid
from scipy.optimize import brentq

import pliant as pl

WEIGHT, STRETCHING = 0.1 * G, 0.5 * G


def elastic_catenary(s, span: float, length: float, weight: float, stretching: float) -> tuple[np.ndarray, float]:
    """((x, z) [m] of unstretched arcs s between two level pins, horizontal pull H [N]).

    With V(s) = W/2 - W s/L the tension is T = sqrt(H^2 + V^2), a piece ds is (1 + T/EA) ds long and points along (H, -V)/T;
    integrated: x = H s/EA + (H L/W)(asinh V0/H - asinh V/H), z = -(V0 + V) s/2EA - (L/W)(T0 - T).
    """
    s, first = np.asarray(s, float), 0.5 * weight

    def place(pull: float) -> np.ndarray:
        v = first - weight * s / length
        x = pull * s / stretching + pull * length / weight * (np.arcsinh(first / pull) - np.arcsinh(v / pull))
        z = -(first + v) * s / (2.0 * stretching) - length / weight * (np.hypot(pull, first) - np.hypot(pull, v))
        return np.stack([x, z], axis=-1)

    pull = brentq(lambda h: place(h)[-1, 0] - span, 1e-6 * weight, 1e6 * weight, xtol=1e-15)
    return place(pull), pull


def hung(n: int, length: float, share: float) -> float:
    """A limp rope at rest between two pins 1 m apart, EA five times its weight, GA `share` times EA; its error [m]."""
    scene = rope_scene(G, 5.0, points=n + 1, length=length, bend="limp", twist="limp", stretch=STRETCHING,
                       shear=share * STRETCHING)
    scene.pin("r.start")
    scene.pin("r.end")
    world = settled(scene, 12.0)
    exact, pull = elastic_catenary(np.linspace(0.0, length, n + 1), 1.0, length, WEIGHT, STRETCHING)
    start, end = world["r"].start.force, world["r"].end.force
    within(f"{n} elements: what holds it up [N]", abs(start[2] + end[2] - WEIGHT), 1e-6 * WEIGHT)
    within("and along, of the pull", abs(-start[0] / pull - 1.0), 1.0 / n)
    return float(np.abs(plane(world) - exact).max())


@pytest.mark.parametrize("length", [0.95, 1.2])
@pytest.mark.parametrize("share", [0.4, 1.0, 3.0, np.inf])
def test_elastic_catenary(length, share):
    """Laid stretched or slack: closed form, the same with any shear, for a limp rope points where it is pulled; order 2.

    (Where GA is less than T it does not, see below.)
    """
    errors = [hung(n, length, share) for n in (12, 24, 48)]
    within(f"elastic catenary, GA = {share} EA, 48 elements", errors[-1], 1e-4)
    at_least("order", order(errors), 1.9)


def turned_catenary(s, span: float, length: float, weight: float, stretching: float, shearing: float) -> np.ndarray:
    """(x, z) [m] as above of a limp rope whose pieces may turn across the pull and shear.

    A piece whose axis is turned by a from a pull T gives way by T cos(a)/EA along its axis and T sin(a)/GA across, and has
    -T cos a - (T cos a)^2 / 2EA - (T sin a)^2 / 2GA. At a = 0 that is least while T (1/GA - 1/EA) < 1; beyond, at
    cos a = 1 / T (1/GA - 1/EA), where what it gives across the pull cancels and its length along it is T/GA instead of
    1 + T/EA. So x' = H max(1/T + 1/EA, 1/GA), z' = -V max(…): the larger of the two is the one that holds.
    """
    fine = np.linspace(0.0, length, 20001)
    v = weight * (0.5 - fine / length)

    def place(pull: float) -> np.ndarray:
        longer = np.maximum(1.0 / np.hypot(pull, v) + 1.0 / stretching, 1.0 / shearing)
        return cumulative_trapezoid(np.stack([pull * longer, -v * longer]), fine, initial=0.0)

    pull = brentq(lambda h: place(h)[0, -1] - span, 1e-6 * weight, 1e6 * weight, xtol=1e-15)
    return np.stack([np.interp(s, fine, row) for row in place(pull)], axis=-1)


def test_a_rope_that_shears_easily_turns_across_its_pull():
    """GA a tenth of EA, less than the pull at both ends: the law above, first order for its kink; the other is 5 cm off."""
    errors, off = [], 0.0
    for n in (12, 24, 48):
        scene = rope_scene(G, 5.0, points=n + 1, length=0.95, bend="limp", twist="limp", stretch=STRETCHING,
                           shear=0.1 * STRETCHING)
        scene.pin("r.start")
        scene.pin("r.end")
        points, s = plane(settled(scene, 12.0)), np.linspace(0.0, 0.95, n + 1)
        errors.append(float(np.abs(points - turned_catenary(s, 1.0, 0.95, WEIGHT, STRETCHING, 0.1 * STRETCHING)).max()))
        off = float(np.abs(points - elastic_catenary(s, 1.0, 0.95, WEIGHT, STRETCHING)[0]).max())
    within("sheared catenary, 48 elements", errors[-1], 1e-3)
    at_least("order", order(errors), 0.9)
    assert off > 0.05


def test_at_rest_without_weight():
    """Let go stretched, at rest after a second: what is left is rounding, and steps take the substeps asked for, no more."""
    scene = pl.Scene(gravity=(0, 0, 0))
    rope = scene.add(pl.Rope("r", [(0, 0, 0), (0, 0, -1.01)], 21, 0.005, mass=0.1, bend="limp", twist="limp", stretch=1e6,
                             shear=1e6, length=(0.0, 1.0)))
    scene.pin(rope.start)
    scene.add(pl.Body("b", pl.Sphere(0.05), mass=1.0, position=(0, 0, -1.01)))
    scene.attach(rope.end, "b")
    world = pl.World(scene, threads=1)
    world.run(1.0)
    assert world.energy().kinetic < 1e-20
    for _ in range(30):
        assert world.step().substeps == world.substeps


def test_shear_that_is_stiff_is_like_none():
    """A swing of 0.4 s: the tip with G A a hundred and ten thousand times E A lies as near to none as these shares tell."""
    tips = []
    for shear in (np.inf, 1e4 * 5.0, 1e2 * 5.0):
        scene = rope_scene(G, points=11, bend=1e-3, twist=1e-3, stretch=5.0, shear=shear)
        scene.pin("r.start")
        world = pl.World(scene, dt=0.002, substeps=1, threads=1)
        world.run(0.4)
        tips.append(world["r"].positions[-1])
    within("ten thousand", float(np.linalg.norm(tips[1] - tips[0])), 1e-4)
    within("a hundred", float(np.linalg.norm(tips[2] - tips[0])), 1e-2)


@pytest.mark.parametrize("h", [0.002, 1.0 / 60.0])
@pytest.mark.parametrize("given", [{"stretch": 50.0}, {"shear": 50.0, "length": 1.1}, {"stretch": [np.inf] * 10 + [50.0] * 10}])
def test_it_swings_between_two_pins(given, h):
    """Soft one way and rigid the other, or soft in parts: no energy from nowhere in 1 s, and it stays together."""
    scene = rope_scene(G, points=21, bend=1e-3, twist=1e-3, **given)
    scene.pin("r.start")
    scene.pin("r.end")
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    world.on_step(EnergyGuard(world))
    report = world.run(1.0)
    assert report.stretch < 0.2 and np.isfinite(world["r"].positions).all() and not report.warnings


def test_damping_does_not_brake_what_only_turns():
    """Kelvin-Voigt acts on strains: spun freely, a rope comes to one stretched state that its angular momentum settles.

    Oracle: energy and angular momentum after 2 s do not depend on the damping time, which settles stretch in 0.2 s and less;
    what the step leaves of turning is (h w)^2 = 1e-4 of it. (Slow bending waves remain, whose energy is less.)
    """
    ends = []
    for damping in (0.003, 0.01, 0.03):
        scene = rope_scene(path=[(-0.5, 0, 0), (0.5, 0, 0)], points=11, bend=1e-3, twist=1e-3, stretch=50.0, damping=damping)
        world = pl.World(scene, dt=0.001, substeps=1, threads=1)
        world["r"].velocities = np.cross([0.0, 0.0, 10.0], world["r"].positions)
        world.run(2.0)
        bodies, motion, k = world._engine.model.bodies, world._engine.state.motion, world["r"]._elements
        turning = np.cross(motion.position[k], bodies.mass[k, None] * motion.velocity[k])[:, 2].sum()
        ends.append((world.energy().total, turning))
    for what, values in zip(("energy", "angular momentum"), np.transpose(ends), strict=True):
        within(f"{what}: spread over damping times", float(np.ptp(values) / values.mean()), 1e-4)


@pytest.mark.parametrize(("stretch", "masses", "length"), [(4.8e6, (1.33, 0.21), None), (8.7e5, (116.0, 0.13), 1.17)])
def test_what_does_not_shear_holds_no_energy_of_shear(stretch, masses, length):
    """Oracle: nothing gives energy to two balls that fall and roll apart on a stiff rope, drawn taut at once or in a jerk.

    It shears by what Newton's method leaves, nanometres; by the stiffness that stands for a rigid one these were 13 J.
    A rope of 1.2 m at most holds no more than that times the largest of its readings; 1 mJ is Newton's.
    """
    scene, ends = pl.Scene(), ((0.0, 0.03, 0.84), (0.8, 0.18, 0.23))
    scene.add(pl.Ground(friction=0.4))
    for name, mass, place, velocity in zip("ab", masses, ends, ((0.5, -0.1, -2.3), (1.4, 1.0, 0.8)), strict=True):
        scene.add(pl.Body(name, pl.Sphere(0.15), mass=mass, position=place, velocity=velocity, angular_velocity=(1, -3, 1)))
    rope = scene.add(pl.Rope("r", path=ends, points=19, radius=0.01, mass=0.02, stretch=stretch, bend=1.3e-3, twist=0.01,
                             length=length, collide=False))
    scene.attach(rope.start, "a")
    scene.attach(rope.end, "b")
    world = pl.World(scene, dt=1 / 60, threads=1)
    guard = EnergyGuard(world)
    for _ in range(120):
        world.step()
        guard(world)
        pull = np.abs(world["r"].tension).max()
        bent = 0.5 * 1.3e-3 * (world["r"].curvature ** 2).max() + 0.5 * 0.01 * (world["r"].twist ** 2).max()
        assert world.energy().elastic <= 1.2 * (pull**2 / (2.0 * stretch) + bent + 1e-3)
