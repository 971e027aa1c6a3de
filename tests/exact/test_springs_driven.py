"""Springs beside motors, latches, limits, dry friction and driven bodies give no more energy than those do work."""


import numpy as np
import pytest
from energy import EnergyGuard
from random_points import parallelogram, points, sweeps
from seeds import SPRINGS_DRIVEN

import pliant as pl

STEPS = 40
RANGES = {"k": (1e-2, 1e12), "c": (1e-3, 1e9), "h": (1e-4, 0.1), "m": (1e-3, 1e3), "ratio": (1.0, 1e3),
          "effort": (1e-2, 1e6)}
"""Stiffness [N/m or N m/rad], damping [N s/m or N m s/rad], step [s], a mass [kg], the largest of them over the least, and
what motors give for each kilogram [N/kg or N m/kg], the highest fifth of which is taken for no bound."""


def spread(value: float, rng) -> float:
    """Some times less or more."""
    return value * 10.0 ** rng.uniform(-1.0, 1.0)


def add_spring(scene: pl.Scene, name: str, one, other, at_a, at_b, point: dict, rng) -> None:
    """A spring that is drawn by up to 5 cm."""
    place = np.zeros(3) if one == pl.WORLD else np.array(scene[one].position)
    length = np.linalg.norm(np.array(scene[other].position) + at_b - place - at_a)
    scene.add(pl.Spring(name, one, other, at_a=at_a, at_b=at_b, stiffness=spread(point["k"], rng),
                        damping=spread(point["c"], rng), rest_length=max(length + rng.uniform(-0.05, 0.05), 0.0)))


def motor(point: dict, mass: float, rng) -> pl.VelocityMotor | pl.PositionMotor | pl.DCMotor:
    """One of the three kinds that its mass can follow, or cannot."""
    kind, effort = rng.integers(3), point["effort"] * mass if point["effort"] < 2.5e4 else np.inf
    if kind == 0:
        return pl.VelocityMotor(target=rng.uniform(-10.0, 10.0), max_effort=effort)
    if kind == 1:
        return pl.PositionMotor(target=rng.uniform(-1.0, 1.0), stiffness=spread(1e3 * mass, rng),
                                damping=spread(10.0 * mass, rng), max_effort=effort)
    return pl.DCMotor(voltage=12.0 * rng.choice((-1.0, 1.0)), k_t=0.05, k_e=0.05, resistance=spread(1.0, rng), max_voltage=12.0,
                      gear=spread(10.0, rng), inertia=rng.choice((0.0, 1e-3)) * mass, max_effort=effort)


def add_arm(scene: pl.Scene, root, at, point: dict, rng) -> list[str]:
    """One to three links on hinges and slides from `root`, the first driven, some of the others too."""
    parent, links = root, []
    for i in range(int(rng.integers(1, 4))):
        mass, start = point["m"] * point["ratio"] ** rng.uniform(-0.5, 0.5), np.add(at, (0.3 * i, 0.0, 0.0))
        name = f"link{i}"
        scene.add(pl.Body(name, pl.Box(0.3, 0.05, 0.05), mass=mass, position=np.add(start, (0.15, 0, 0)),
                          collide=False))
        joint = pl.Revolute if i == 0 or rng.uniform() < 0.7 else pl.Prismatic
        scene.add(joint(f"joint{i}", parent, name, anchor=start, axis=(0, 1, 0) if rng.uniform() < 0.7 else (0, 0, 1),
                        motor=motor(point, mass, rng) if i == 0 or rng.uniform() < 0.4 else None,
                        friction=rng.choice((0.0, 0.5, 10.0)) * mass, damping=rng.choice((0.0, 0.1)) * mass,
                        limits=(-rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0)) if rng.uniform() < 0.4 else None))
        parent = name
        links.append(name)
    return links


def tie(scene: pl.Scene, root, links: list[str], point: dict, rng) -> None:
    """One to four springs between links, to the root and to the world."""
    for i in range(int(rng.integers(1, 5))):
        other = links[rng.integers(len(links))]
        one = [pl.WORLD, root, *(name for name in links if name != other)][rng.integers(len(links) + 1)]
        at = rng.uniform(-0.5, 0.5, 3) * (0.3, 0.05, 0.05)
        to = rng.uniform(-1.0, 1.0, 3) if one == pl.WORLD else rng.uniform(-0.1, 0.1, 3)
        add_spring(scene, f"s{i}", one, other, to, at, point, rng)


def motored(point: dict, rng) -> pl.Scene:
    """An arm from the world, driven by motors, with springs."""
    scene = pl.Scene()
    links = add_arm(scene, pl.WORLD, (0, 0, 0), point, rng)
    tie(scene, pl.WORLD, links, point, rng)
    return scene


def coiled(point: dict, rng) -> pl.Scene:
    """The same with coils in its joints, also where motors drive."""
    scene = pl.Scene()
    links = add_arm(scene, pl.WORLD, (0, 0, 0), point, rng)
    for i in range(len(links)):
        if i == len(links) - 1 or rng.uniform() < 0.6:
            scene.add(pl.JointSpring(f"coil{i}", f"joint{i}", stiffness=spread(point["k"], rng),
                                     damping=spread(point["c"], rng), rest=rng.uniform(-0.3, 0.3)))
    return scene


def latched(point: dict, rng) -> pl.Scene:
    """A flap or a drawer that springs pull into its latch, or out of it."""
    scene, mass = pl.Scene(), point["m"]
    scene.add(pl.Body("flap", pl.Box(0.3, 0.2, 0.05), mass=mass, position=(0.15, 0, 0), collide=False))
    joint = pl.Revolute if rng.uniform() < 0.5 else pl.Prismatic
    scene.add(joint("joint", pl.WORLD, "flap", anchor=(0, 0, 0), axis=(0, 1, 0), friction=rng.choice((0.0, 0.5)) * mass,
                    limits=(-1.0, 1.0) if rng.uniform() < 0.5 else None))
    scene.add(pl.Latch("latch", "joint", at=rng.choice((0.0, rng.uniform(-0.3, 0.3))), hold=point["effort"] * mass))
    tie(scene, pl.WORLD, ["flap"], point, rng)
    return scene


def stirred(rng) -> pl.Motion:
    """To and fro, and round, from rest; its speed jumps at the ends of a table that is not smooth."""
    way, turn, beat = rng.uniform(-0.3, 0.3, 3), rng.uniform(-1.0, 1.0, 3), rng.uniform(0.05, 1.0)
    return pl.Motion([0.0, beat, 2.0 * beat], positions=[(0, 0, 0), way, (0, 0, 0)], rotations=[(0, 0, 0), turn, (0, 0, 0)],
                     smooth=bool(rng.uniform() < 0.5), loop=True)


def carried(point: dict, rng) -> pl.Scene:
    """One to four balls on springs from a driven body, each other and the world."""
    scene, names = pl.Scene(), []
    scene.add(pl.Body("stage", pl.Box(0.5, 0.5, 0.1), motion=stirred(rng), collide=False))
    for i in range(int(rng.integers(1, 5))):
        mass = point["m"] * point["ratio"] ** rng.uniform(-0.5, 0.5)
        names.append(f"ball{i}")
        scene.add(pl.Body(names[-1], pl.Sphere(0.1), mass=mass, position=rng.uniform(-1.0, 1.0, 3), collide=False,
                          velocity=rng.uniform(-1.0, 1.0, 3)))
        add_spring(scene, f"hung{i}", "stage" if i == 0 or rng.uniform() < 0.5 else names[-2], names[-1],
                   rng.uniform(-0.1, 0.1, 3), rng.uniform(-0.1, 0.1, 3), point, rng)
    tie(scene, "stage", names, point, rng)
    return scene


def shaken(point: dict, rng) -> pl.Scene:
    """An arm with motors and springs on a driven body."""
    scene = pl.Scene()
    scene.add(pl.Body("stage", pl.Box(0.5, 0.5, 0.1), motion=stirred(rng), collide=False))
    links = add_arm(scene, "stage", (0, 0, 0), point, rng)
    tie(scene, "stage", links, point, rng)
    return scene


def four_bar(point: dict, rng) -> pl.Scene:
    """A parallelogram on the ground, driven at one hinge, with springs."""
    scene, lean = pl.Scene(), rng.uniform(0.7, 1.4)
    for name, one, other, place in parallelogram(scene, point["m"], lean):
        scene.add(pl.Revolute(name, one, other, anchor=place, axis=(0, 1, 0),
                              motor=motor(point, point["m"], rng) if name == "a" else None))
    tie(scene, pl.WORLD, ["left", "bar", "right"], point, rng)
    return scene


def standing(point: dict, rng) -> pl.Scene:
    """An arm with motors and springs on a base that stands on the ground."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.8))
    scene.add(pl.Body("base", pl.Box(1.0, 1.0, 0.1), mass=point["m"] * point["ratio"], position=(0, 0, 0.05)))
    links = add_arm(scene, "base", (0, 0, 1.5), point, rng)
    tie(scene, "base", links, point, rng)
    return scene


KINDS = [motored, coiled, latched, carried, shaken, four_bar, standing]

test_driven, test_driven_wide = sweeps(KINDS, RANGES, STEPS, SPRINGS_DRIVEN, 42, 200)


@pytest.mark.parametrize("stiffness", [1e2, 1e6, 1e12])
def test_work_of_a_motor_that_draws_a_spring(stiffness):
    """Oracle: implicit Euler. A motor without bound draws a mass at the speed u from where its spring is at rest: it gives
    h k x_n, and m u at first, along the way h u, so that its work is m u^2 + k (h u)^2 n (n + 1) / 2; to rounding."""
    mass, speed, h = 2.0, 0.5, 1.0 / 240.0
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("slide", pl.Box(0.1, 0.1, 0.1), mass=mass, position=(1.0, 0, 0), collide=False))
    scene.add(pl.Prismatic("joint", pl.WORLD, "slide", axis=(1, 0, 0), motor=pl.VelocityMotor(speed, np.inf)))
    scene.add(pl.Spring("spring", pl.WORLD, "slide", stiffness=stiffness, rest_length=1.0))
    world = pl.World(scene, dt=h, substeps=1)
    for n in range(1, 21):
        world.step()
        now, way = world.energy(), h * speed
        assert now.work == pytest.approx(mass * speed**2 + 0.5 * stiffness * way**2 * n * (n + 1), rel=1e-9)
        assert now.total == pytest.approx(0.5 * mass * speed**2 + 0.5 * stiffness * (n * way) ** 2, rel=1e-9)


@pytest.mark.parametrize("stiffness", [1e2, 1e6, 1e12])
def test_work_of_a_driven_body_that_draws_a_spring(stiffness):
    """Oracle: implicit Euler. A driven body goes on at u, a mass follows it on a spring: m (v' - v) = h k d', with
    d' = d + h (u - v'), and the work in a step is h k d' u; to rounding of lengths, 1e-15 m."""
    mass, speed, h, drawn, v, work = 2.0, 0.5, 1.0 / 240.0, 0.0, 0.0, 0.0
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("stage", pl.Box(0.1, 0.1, 0.1), motion=pl.Motion([0.0, 10.0], [(0, 0, 0), (10.0 * speed, 0, 0)]),
                      position=(1.0, 0, 0), collide=False))
    scene.add(pl.Body("load", pl.Box(0.1, 0.1, 0.1), mass=mass, collide=False))
    scene.add(pl.Spring("spring", "stage", "load", stiffness=stiffness, rest_length=1.0))
    world = pl.World(scene, dt=h, substeps=1)
    guard = EnergyGuard(world)
    for _ in range(20):
        world.step()
        guard(world)
        drawn = (drawn + h * (speed - v)) / (1.0 + h * h * stiffness / mass)
        v += h * stiffness * drawn / mass
        work += h * stiffness * drawn * speed
        assert world["load"].velocity[0] == pytest.approx(v, rel=1e-6)
        assert world.energy().work == pytest.approx(work, rel=1e-6)


def point_of_cube(cube: int, number: int) -> tuple[dict, np.random.Generator]:
    """One point of a wide sweep."""
    return next((point, rng) for text, point, rng in points(RANGES, 200, cube) if f"point {number}:" in text)


def test_an_arm_that_friction_holds_at_its_limit_against_dampers_stays_where_it_is():
    """Oracle: it has come to rest, and nothing that acts on it changes any more but by what a damper lets creep.

    Dampers and drives that change sides in turn scattered each other, four times more a turn, until no number was left.
    """
    point, rng = point_of_cube(2, 166)
    world = pl.World(motored(point, rng), dt=point["h"], substeps=1, threads=1)
    guard = EnergyGuard(world)
    for _ in range(10):
        world.step()
        guard(world)
    rest = [world[name].position for name in ("link0", "link1", "link2")]
    for _ in range(30):
        world.step()
        guard(world)
    for name, place in zip(("link0", "link1", "link2"), rest, strict=True):
        assert np.linalg.norm(world[name].position - place) < 0.01 * 0.3
    assert world.energy().kinetic < 1e-6


def test_what_a_driven_body_carries_along_turns_with_it():
    """Oracle: a rigid motion closes joints as they were; a substep is kept with gaps of 1e-5 m.

    A driven body turns by 0.9 rad in 0.1 s and carries an arm that springs of 5e8 N/m tear at. Each body went on along its own
    velocity then, (w h)^2 / 2 of its distance away from the others in every substep: 1.3 mm in a step, until joints were torn.
    """
    point, rng = point_of_cube(0, 197)
    world = pl.World(shaken(point, rng), dt=point["h"], substeps=1, threads=1)
    for _ in range(STEPS):
        assert world.step().drift <= 1e-5


@pytest.mark.parametrize("cube,number", [(4, 22), (1, 152), (4, 104)])
def test_arms_on_a_driven_body_that_jolts_keep_to_numbers(cube, number):
    """Oracle: energy by the helper, which no number that is none passes.

    Stiff springs and limits that cannot be met together scattered each other, until what they did to the world, which does not
    move, was infinity times nothing; it was handed on to all that was tried after.
    """
    keep_energy(shaken, cube, number)


def keep_energy(kind, cube: int, number: int) -> None:
    """One point of a wide sweep, which gains nothing by the helper."""
    point, rng = point_of_cube(cube, number)
    world = pl.World(kind(point, rng), dt=point["h"], substeps=point["substeps"], threads=1)
    guard = EnergyGuard(world)
    for _ in range(STEPS):
        world.step()
        guard(world)


@pytest.mark.parametrize("cube,number", [(4, 37), (1, 171)])
def test_joints_that_stay_apart_do_no_work_of_closing(cube, number):
    """Oracle: energy by the helper. Joints that stayed as far apart as they were, under 2e9 N and under 0.5 N, were let do the
    work of closing in every substep: 7e6 J and 4e-7 J in a step."""
    keep_energy(shaken, cube, number)


def test_springs_laid_where_nothing_is_a_number_are_not_handed_on():
    """Oracle: energy by the helper. Where a try has gone to infinity rows of springs lie there, and bodies that then stand ask
    what they bear."""
    keep_energy(motored, 2, 27)


def test_contacts_that_are_not_met_draw_no_spring():
    """Oracle: energy by the helper. Stiff springs on an arm press its base, 33 g, into the ground, which pushed it out again by
    impulses that were 3e4 m/s off, and drew the springs by 22 J."""
    keep_energy(standing, 2, 140)
