"""Jointed things that touch with faces, more contacts than a few: they rest, and nothing comes out of nowhere."""

import numpy as np
import pytest

import pliant as pl

G = 9.81
H = 1 / 480  # [s] the longest substep
SLOP = 2e-4  # [m] how deep contacts leave what they touch
STILL = G * H * 1e-3  # [m/s] of what gravity gives in a substep


def watched(world: pl.World, seconds: float) -> tuple[float, float]:
    """(largest rise of energy less work [J], greatest depth [m]) in a run."""
    least, rise, depth = np.inf, 0.0, 0.0
    for _ in range(round(seconds / world.dt)):
        report = world.step()
        balance = report.energy.total - report.energy.work
        least = min(least, balance)
        rise, depth = max(rise, balance - least), max(depth, report.penetration)
    return rise, depth


def fastest(world: pl.World) -> float:
    return max(np.abs(world[name].velocity).max() for name in world.body_names)


def gripped(force: float, finger: float, box: float, ground: bool) -> pl.World:
    """A box on the ground or in empty space between two fingers on sliders, each pushed at it."""
    scene = pl.Scene(gravity=(0, 0, -G if ground else 0))
    if ground:
        scene.add(pl.Ground(friction=0.6))
    scene.add(pl.Body("box", pl.Box(0.06, 0.06, 0.1), mass=box, position=(0, 0, 0.05), friction=0.6))
    for name, side in (("left", -1), ("right", 1)):
        scene.add(pl.Body(name, pl.Box(0.02, 0.03, 0.1), mass=finger, position=(0.04 * side, 0, 0.06), friction=0.6))
        scene.add(pl.Prismatic(f"slide_{name}", pl.WORLD, name, axis=(-side, 0, 0)))
        scene.add(pl.Load(f"push_{name}", name, force=(-side * force, 0, 0)))
    return pl.World(scene)


@pytest.mark.parametrize(("force", "finger"), [(2.0, 0.1), (40.0, 0.1), (40.0, 0.01), (40.0, 1.0), (80.0, 0.3)])
@pytest.mark.parametrize("ground", [True, False])
def test_what_two_fingers_hold_stays(force, finger, ground):
    """Oracle: statics. By symmetry the box stays; contacts give way by what they bear in a substep, F h^2 / m of a finger."""
    world = gripped(force, finger, 0.5, ground)
    rise, depth = watched(world, 1.5)
    out = 2.0 * force * max(depth - SLOP, 0.0)  # [J] what contacts push two fingers out by takes back work that sinking was
    assert rise < out + 1e-6 * force * 0.1  # [J] of the work that the force does along its own length
    assert depth < force * H * H * (1.0 / finger + 1.0 / 0.5)
    np.testing.assert_allclose(world["box"].position, (0, 0, 0.05), atol=1e-4)
    assert fastest(world) < STILL


def plates(count: int) -> pl.World:
    """Plates joined by hinges lie flat on the ground."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.8))
    for k in range(count):
        scene.add(pl.Body(f"plate{k}", pl.Box(0.2, 0.3, 0.02), mass=0.5, position=(0.2 * k + 0.1, 0, 0.01)))
    for k in range(count - 1):
        scene.add(pl.Revolute(f"hinge{k}", f"plate{k}", f"plate{k + 1}", anchor=(0.2 * k + 0.2, 0, 0.02), axis=(0, 1, 0)))
    return pl.World(scene)


@pytest.mark.parametrize("count", [2, 3, 5, 7])
def test_hinged_plates_lie_still(count):
    """Oracle: nothing pushes them. They may sink by what contacts yield, and walk by a rounding of that."""
    world = plates(count)
    rise, depth = watched(world, 3.0)
    assert rise < 1e-6 * count * 0.5 * G * 0.01 and depth < 1e-4
    assert fastest(world) < STILL
    for k in range(count):
        np.testing.assert_allclose(world[f"plate{k}"].position[:2], (0.2 * k + 0.1, 0), atol=1e-6)


def legged(foot: float) -> pl.World:
    """A trunk of 12 kg on four legs of three joints each, held by motors, on flat feet on hinges: 16 joints, 16 contacts."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.8))
    scene.add(pl.Body("trunk", pl.Box(0.5, 0.25, 0.12), mass=12, position=(0, 0, 0.5)))
    motor = pl.PositionMotor(0, 400, 8, 60)
    for k, (x, y) in enumerate([(0.2, 0.17), (0.2, -0.17), (-0.2, 0.17), (-0.2, -0.17)]):
        for name, size, mass, z in (("hip", (0.06, 0.06, 0.06), 0.4, 0.5), ("thigh", (0.04, 0.04, 0.22), 0.6, 0.39),
                                    ("shin", (0.03, 0.03, 0.22), 0.3, 0.17)):
            scene.add(pl.Body(f"{name}{k}", pl.Box(*size), mass=mass, position=(x, y, z), collide=False))
        scene.add(pl.Body(f"foot{k}", pl.Box(0.08, 0.06, 0.02), mass=foot, position=(x, y, 0.05)))
        scene.add(pl.Revolute(f"roll{k}", "trunk", f"hip{k}", axis=(1, 0, 0), motor=motor))
        scene.add(pl.Revolute(f"swing{k}", f"hip{k}", f"thigh{k}", anchor=(x, y, 0.5), axis=(0, 1, 0), motor=motor))
        scene.add(pl.Revolute(f"knee{k}", f"thigh{k}", f"shin{k}", anchor=(x, y, 0.28), axis=(0, 1, 0), motor=motor))
        scene.add(pl.Revolute(f"ankle{k}", f"shin{k}", f"foot{k}", anchor=(x, y, 0.06), axis=(0, 1, 0),
                              motor=pl.PositionMotor(0, 50, 2, 20)))
    return pl.World(scene)


@pytest.mark.parametrize("foot", [0.1, 0.5, 2.0])
def test_a_walking_robot_stands_on_flat_feet(foot):
    """Oracle: it falls by the 4 cm under its feet and stands: energy only goes, feet bear its weight."""
    world = legged(foot)
    start = world.energy().total
    rise, _ = watched(world, 3.0)
    assert rise < 1e-4 * start and fastest(world) < STILL
    borne = sum(force[2] for force in world.contacts.force)
    assert abs(borne) == pytest.approx((12 + 4 * (1.3 + foot)) * G, rel=1e-3)


def looped(finger: float) -> pl.World:
    """A box on the ground between two fingers, each led by a parallelogram of two cranks and pushed at it by 30 N."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.6))
    scene.add(pl.Body("palm", pl.Box(0.1, 0.04, 0.04), position=(0, 0, 0.35), fixed=True, collide=False))
    scene.add(pl.Body("box", pl.Box(0.08, 0.06, 0.2), mass=0.5, position=(0, 0, 0.1), friction=0.6))
    for name, x in (("left", -0.05), ("right", 0.05)):
        scene.add(pl.Body(name, pl.Box(0.02, 0.03, 0.2), mass=finger, position=(x, 0, 0.16), friction=0.6))
        for k, z in (("low", 0.0), ("high", 0.03)):
            crank = f"{name}_{k}"
            scene.add(pl.Body(crank, pl.Box(0.01, 0.01, 0.12), mass=0.03, position=(x, 0, 0.29 + z), collide=False))
            scene.add(pl.Revolute(f"{crank}_at_palm", "palm", crank, anchor=(x, 0, 0.35 + z), axis=(0, 1, 0)))
            scene.add(pl.Revolute(f"{crank}_at_finger", crank, name, anchor=(x, 0, 0.23 + z), axis=(0, 1, 0)))
        scene.add(pl.Load(f"{name}_push", name, force=(30.0 if x < 0 else -30.0, 0, 0)))
    return pl.World(scene)


@pytest.mark.parametrize("finger", [0.05, 0.3])
def test_fingers_on_loops_of_joints_hold(finger):
    """Oracle: statics. Both push level and alike, and what they weigh is less than friction bears: the box stays. Energy less
    work rises by no more than both pushes give back as what has sunk comes out: how deep that is depends on rounding."""
    world = looped(finger)
    start = world.energy().total
    rise, depth = watched(world, 1.5)
    end = world.energy()
    assert rise < 2.0 * 30.0 * depth and end.total - end.work < start
    assert depth < 30.0 * H * H * (1.0 / finger + 1.0 / 0.5)
    np.testing.assert_allclose(world["box"].position, (0, 0, 0.1), atol=1e-3)
    assert fastest(world) < STILL
