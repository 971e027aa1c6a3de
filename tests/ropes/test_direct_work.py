"""Work of motors and driven ends on direct ropes, and ends that are torn along: energy balances, and comes from nowhere."""

import numpy as np
import pytest
from direct import within
from energy import EnergyGuard

import pliant as pl
from pliant.couple.judge import CLOSED, FELT, JOLT


def motor(part) -> pl.Scene:
    """An arm of 0.6 m on a driven hinge, a rope of the same length on its end."""
    scene = pl.Scene()
    scene.add(pl.Body("arm", pl.Box(0.6, 0.05, 0.05), mass=1.0, position=(0.3, 0, 1), collide=False))
    scene.add(pl.Revolute("axle", pl.WORLD, "arm", anchor=(0, 0, 1), axis=(0, 1, 0), motor=part))
    rope = scene.add(pl.Rope("r", [(0.6, 0, 1), (1.2, 0, 1)], 13, 0.01, mass=0.5, bend=0.01, twist=0.01))
    scene.attach(rope.start, "arm")
    return scene


def clamp() -> pl.Scene:
    """A rope whose clamp moves and turns along smooth ways."""
    scene, t = pl.Scene(), np.linspace(0.0, 1.0, 401)
    rope = scene.add(pl.Rope("r", [(0, 0, 1), (0.6, 0, 1)], 13, 0.01, mass=0.5, bend=0.01, twist=0.01))
    way = np.c_[0.2 * np.sin(6 * t) ** 2, 0 * t, 0.1 * np.sin(4 * t) ** 2]
    turn = np.c_[0 * t, np.sin(3 * t) ** 2, 0.5 * t**2]
    scene.pin(rope.start, clamp=True, motion=pl.Motion(t, way, rotations=turn))
    return scene


def spring() -> pl.Scene:
    """A rope on a body that hangs by a spring on one that moves along smooth ways."""
    scene, t = pl.Scene(), np.linspace(0.0, 1.0, 401)
    way = np.c_[0.2 * np.sin(6 * t) ** 2, 0 * t, 0.1 * np.sin(4 * t) ** 2]
    scene.add(pl.Body("hand", pl.Box(0.1, 0.1, 0.1), position=(0, 0, 1), motion=pl.Motion(t, way), collide=False))
    scene.add(pl.Body("b", pl.Sphere(0.05), mass=0.5, position=(0.3, 0, 1), collide=False))
    scene.add(pl.Spring("s", "hand", "b", stiffness=200.0, damping=0.0))
    rope = scene.add(pl.Rope("r", [(0.3, 0, 1), (0.9, 0, 1)], 13, 0.01, mass=0.3, bend=0.01, twist=0.01))
    scene.attach(rope.start, "b")
    return scene


def hinge() -> pl.Scene:
    """A rope on an arm that hangs by a hinge on a body that moves and turns along smooth ways."""
    scene, t = pl.Scene(), np.linspace(0.0, 1.0, 401)
    way, turn = np.c_[0.2 * np.sin(6 * t) ** 2, 0 * t, 0.1 * np.sin(4 * t) ** 2], np.c_[0 * t, np.sin(3 * t) ** 2, 0 * t]
    motion = pl.Motion(t, way, rotations=turn)
    scene.add(pl.Body("hand", pl.Box(0.1, 0.1, 0.1), position=(0, 0, 1), motion=motion, collide=False))
    scene.add(pl.Body("arm", pl.Box(0.3, 0.05, 0.05), mass=0.5, position=(0.15, 0, 1), collide=False))
    scene.add(pl.Revolute("wrist", "hand", "arm", anchor=(0, 0, 1), axis=(0, 1, 0)))
    rope = scene.add(pl.Rope("r", [(0.3, 0, 1), (0.9, 0, 1)], 13, 0.01, mass=0.3, bend=0.01, twist=0.01))
    scene.attach(rope.start, "arm")
    return scene


SCENES = {
    "hinge": (hinge, 1.9),
    "spring": (spring, 1.9),
    "motor": (lambda: motor(pl.VelocityMotor(target=4.0, max_effort=2.0)), 1.9),
    "clamp": (clamp, 1.9),
    "sudden motor": (lambda: motor(pl.VelocityMotor(target=4.0, max_effort=1e9)), 1.4),
}


@pytest.mark.parametrize("name", SCENES)
def test_energy_balances(name):
    """Oracle: E(t) - E(0) = W but for what the scheme dissipates, which is of second order.

    A motor that holds its speed from the first substep on jolts the rope, what that loses is of an order between one and
    two; counted as if its first torque had acted through a whole substep its work was 23 % off at any step.
    """
    build, least = SCENES[name]
    open_ = []
    for steps in (480, 960, 1920):
        world = pl.World(build(), dt=1 / steps, substeps=1, threads=1)
        start = world.energy().total
        world.run(0.5)
        energy = world.energy()
        open_.append(abs(energy.total - start - energy.work))
    assert np.log2(open_[0] / open_[2]) > 2.0 * least  # over both: where jolts fall differs from step to step
    assert open_[2] < 3e-3 * energy.work


def jerked(stretch, shear, way, seconds, mass) -> pl.Scene:
    """A rope of 1 m whose clamp jumps along `way` within `seconds` after 0.2 s and then stands, a mass on its other end."""
    scene, still = pl.Scene(), (0, 0, 0)
    material = pl.Material(1000, 1e7, poisson=0.3)
    rope = scene.add(pl.Rope("a", [(0, 0, 2), (1, 0, 2)], 16, 0.01, material, stretch=stretch, shear=shear))
    scene.pin(rope.start, motion=pl.Motion([0, 0.2, 0.2 + seconds, 1], [still, still, way, way]), clamp=True)
    scene.add(pl.Body("w", pl.Sphere(0.05), mass=mass, position=(1.05, 0, 2), collide=False))
    scene.attach(rope.end, "w")
    return scene


@pytest.mark.parametrize("stretch,shear", [(1e9, 1e3), (1e9, 1e4), (1e7, 1e3), (1e9, 1e9), (np.inf, 1e3), (np.inf, np.inf)])
def test_an_end_is_jerked(stretch, shear):
    """A clamp jumps by 0.36 m in 10 ms with 1 kg on the other end, which then passes it and draws the rope taut again.

    Oracle: `energy.py`; and no step gives back more than the 1e-3 of the largest kinetic energy that it allows and a ninth
    of what it looks back over (JOLT) and changes energy (FELT): a third of a velocity comes again, a ninth of its energy.
    A whip is chaos: by the last digits a link may fold, which is told.
    """
    world = pl.World(jerked(stretch, shear, (-0.3, 0, 0.2), 0.01, 1.0), dt=1 / 60, threads=1)
    guard, last = EnergyGuard(world), world.energy().total
    for _ in range(60):
        report = world.step()
        energy = report.energy
        guard(world)
        assert np.isfinite(world["a"].positions).all() and all(" turns by " in text for text in report.warnings)
        assert energy.total - energy.work - last < (1e-3 + 2 * JOLT * FELT / 9) * guard.kinetic
        last = energy.total - energy.work
    assert guard.kinetic > 100.0


@pytest.mark.parametrize("way,mass,substeps", [((0, 0, 0.5), 1.0, 2), ((0, 0, 0.5), 1.0, 4), ((-0.3, 0, 0.2), 100.0, 8)])
def test_a_clamp_that_stands_does_no_work_and_no_link_turns_too_far(way, mass, substeps):
    """A clamp jumps by 0.4 to 0.5 m in a step of 1/60 s and then stands, while the rope whips.

    Oracle: what stands does no work, exactly, from the second substep on; and energies as in the test above. Links that
    Newton's method found to have turned by a turn more in each substep brought 2 to 17 times the energy that there is.
    """
    world = pl.World(jerked(np.inf, np.inf, way, 1 / 60, mass), dt=1 / 60, substeps=substeps, threads=1)
    world.run(0.2 + 2 / 60)
    work, most, last = world.energy().work, world.energy().kinetic, np.inf
    for _ in range(20):
        energy = world.step().energy
        most = max(most, energy.kinetic)
        assert energy.work == work and energy.total - last < (1e-3 + 2 * JOLT * FELT / 9) * most
        last = energy.total
    assert most > 100.0 and most < work


def test_a_rope_folds_back_onto_its_clamp():
    """A rope that shears by more than an element, jerked so that it comes to lie back along its clamp, moves on.

    Oracle: none of it is stopped, nor warned of, and energy comes from nowhere. (Where links fold, forces across that were no
    gradient of any energy kept Newton's method from converging at any step: the rope stood for ever.)
    """
    world = pl.World(jerked(1e9, 1e3, (-0.3, 0, 0.2), 0.003, 1.0), dt=1e-3, threads=1)
    guard = EnergyGuard(world)
    for _ in range(400):
        report = world.step()
        guard(world)
        assert not report.warnings
        assert report.energy.kinetic > 0.0


@pytest.mark.parametrize("times", [(0.0, 0.5, 1.5, 3.0), (0.0, 0.507, 1.503, 3.0)])
@pytest.mark.parametrize("height", [1.0, 0.0889])
@pytest.mark.parametrize("substeps", [1, 8])
def test_a_load_is_lifted_along_straight_pieces(times, height, substeps):
    """A pin stands, rises at one speed from one step to the next, or within a step, and stands again, 500 kg on its rope.

    Oracle: M g z and, while it rises, M v^2 / 2 more: the rope hangs straight and moves as its pin. Left is what gaps that
    count as closed are off by, times the pull, and rounding. A jolt's substep counted at its mean speed alone left
    M g v h / 2: 41 J at 1 m/s.
    """
    scene = pl.Scene()
    rope = scene.add(pl.Rope("r", [(0, 0, 2), (0, 0, 0)], 20, 0.005, "nylon rope"))
    scene.add(pl.Body("load", pl.Box(0.4, 0.4, 0.4), mass=500.0, position=(0, 0, -0.2), collide=False))
    scene.attach(rope.end, "load")
    scene.pin(rope.start, motion=pl.Motion(times, [(0, 0, z) for z in (0.0, 0.0, height, height)]))
    world = pl.World(scene, dt=1 / 60, substeps=substeps, threads=1)
    mass, start = 500.0 + rope.stuff.density * np.pi * 0.005**2 * 2.0, world.energy().total
    near = 9.81 * mass * 2.0 * CLOSED + 1e-12 * (abs(start) + 9.81 * mass)
    world.run(1.2)
    speed, risen = height / (times[2] - times[1]), world["r"].positions[0, 2] - 2.0
    assert world.energy().work == pytest.approx(mass * (9.81 * risen + 0.5 * speed**2), rel=0.0, abs=near)
    world.run(1.0)
    assert world.energy().work == pytest.approx(mass * 9.81 * height, rel=0.0, abs=near)


@pytest.mark.parametrize("hold", ["pin", "clamp", "body"])
@pytest.mark.parametrize("substeps", [1, 8])
def test_a_load_is_lifted_from_the_start(hold, substeps):
    """What holds the rope rises at one speed from the first substep on, 500 kg below. Oracle and what is left: as above.

    Before that substep nobody has given any force; the work of its jolt missed M g v h / 2, 10 J of eight substeps.
    """
    scene, speed = pl.Scene(), 2.0
    rope = scene.add(pl.Rope("r", [(0, 0, 0), (0, 0, -1)], 12, 0.01, mass=0.5, bend=0.01, twist=0.01))
    scene.add(pl.Body("load", pl.Sphere(0.1), mass=500.0, position=(0, 0, -1.1)))
    scene.attach(rope.end, "load")
    motion = pl.Motion([0, 2], [(0, 0, 0), (0, 0, 2 * speed)])
    if hold == "body":
        scene.add(pl.Body("hand", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0, 0, 0.05), motion=motion))
        scene.attach(rope.start, "hand")
    else:
        scene.pin(rope.start, motion=motion, clamp=hold == "clamp")
    world = pl.World(scene, dt=1 / 60, substeps=substeps, threads=1)
    start = world.energy().total
    world.run(1.0)
    energy, near = world.energy(), 9.81 * 500.5 * CLOSED + 1e-12 * (abs(start) + 9.81 * 500.5 * speed)
    assert energy.work == pytest.approx(500.5 * (9.81 * speed + 0.5 * speed**2), rel=0.0, abs=near)
    assert energy.total - start == pytest.approx(energy.work, rel=0.0, abs=near)


def test_work_from_the_start_is_of_second_order():
    """A driven body rises at one speed from the first substep on and draws a spring, on which a rope with its load hangs.

    Oracle: E(t) - E(0) = W but for what the scheme dissipates, of second order; the force grows while it is not yet known.
    """
    open_ = []
    for steps in (480, 960, 1920):
        scene = pl.Scene()
        motion = pl.Motion([0, 2], [(0, 0, 0), (0, 0, 1.0)])
        scene.add(pl.Body("hand", pl.Box(0.1, 0.1, 0.1), position=(0, 0, 1), motion=motion, collide=False))
        scene.add(pl.Body("b", pl.Sphere(0.05), mass=0.5, position=(0, 0, 0), collide=False))
        scene.add(pl.Spring("s", "hand", "b", stiffness=200.0, damping=0.0, rest_length=0.96))
        rope = scene.add(pl.Rope("r", [(0, 0, 0), (0, 0, -0.6)], 13, 0.01, mass=0.3, bend=0.01, twist=0.01))
        scene.attach(rope.start, "b")
        world = pl.World(scene, dt=1 / steps, substeps=1, threads=1)
        start = world.energy().total
        world.run(0.3)
        energy = world.energy()
        open_.append(abs(energy.total - start - energy.work))
    assert np.log2(open_[0] / open_[2]) > 2.0 * 1.9


@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
@pytest.mark.parametrize("load", [{"torque": (0.8, 0.0, 0.0)}, {"force": (0.0, 0.0, 1.0)}])
def test_work_of_a_sudden_load_is_force_times_way(load, dt):
    """Oracle: W = T theta = T^2 (L - l/2)/GJ of a torque about the axis, the last half element being rigid; F z of a force.

    The end's place is that of its half element, whose turn counts the force by a trapezoid: 1e-6 of it.
    """
    scene = pl.Scene(gravity=(0, 0, 0), drag=8.0)
    rope = scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=21, radius=0.01, mass=0.1, bend=1.0, twist=0.7))
    scene.pin(rope.start, clamp=True)
    scene.add(pl.Load("push", rope.end, **load))
    world = pl.World(scene, dt=dt, threads=1)
    world.run(3.0)
    expected = 0.8**2 / 0.7 * (1.0 - 0.5 / 20) if "torque" in load else world["r"].positions[-1, 2]
    assert world.energy().work == pytest.approx(expected, rel=1e-6)


def test_what_a_snatch_takes_does_not_come_back():
    """A ball falls into a slack rope. Oracle: E - W, which no step may raise by more than in the tests above: 4.8 % of what is
    kinetic came back, a substep that looks back having run into the jerk and overshot."""
    place, scene = (0.4, 0, 0.3), pl.Scene()
    scene.add(pl.Rope("r", [(0, 0, 0), place], 20, 0.005, length=1.0, mass=0.15, bend=0.1, twist=0.1))
    scene.add(pl.Body("b", pl.Sphere(0.05), mass=0.5, position=place, collide=False))
    scene.pin("r.start")
    scene.attach("r.end", "b")
    world, most, rise = pl.World(scene, dt=1 / 60, threads=1), 0.0, 0.0
    last = world.energy().total
    for _ in range(90):
        energy = world.step().energy
        most, rise = max(most, energy.kinetic), max(rise, energy.total - energy.work - last)
        last = energy.total - energy.work
    within("rise of E - W over the kinetic energy", rise / most, 1e-3 + 2 * JOLT * FELT / 9)
