"""What is round touches where geometry has it, whatever it spins: rollers rub with mu N, balls roll in rows without a force."""

from math import cos, pi, sin

import numpy as np
import pytest
from oracle_tools import G, about, slope

import pliant as pl

MU, LOAD = 0.5, 50.0
"""Friction [-] and force [N] that rollers are pressed with."""
SMALL, LARGE = 0.1, 0.2
"""Radii [m] of the two."""
SOLVED = 1e-6
"""Speed [m/s] to which a substep solves its rows."""
SHAPES = {
    "cylinder": lambda radius: pl.Cylinder(radius, 0.5),
    "capsule": lambda radius: pl.Capsule(radius, 0.5),
    "ball": pl.Sphere,
}
X = np.array([1.0, 0.0, 0.0])


def pressed(one: str, two: str, rates, angle: float) -> tuple[pl.World, np.ndarray, np.ndarray]:
    """Two rollers side by side along x, the second on a slide and its axle turned by `angle` [rad] about x, held at `rates`
    [rad/s] by motors, or free at None; and their axles."""
    axles = np.array([0.0, 1.0, 0.0]), np.array([0.0, cos(angle), sin(angle)])
    scene, apart = pl.Scene(gravity=(0, 0, 0)), SMALL + LARGE
    scene.add(pl.Body("slide", pl.Box(0.05, 0.05, 0.05), mass=0.5, position=(apart, 0, 0), collide=False))
    scene.add(pl.Prismatic("rail", pl.WORLD, "slide", axis=(1, 0, 0)))
    scene.add(pl.Load("press", "slide", force=(-LOAD, 0, 0)))
    for k, (name, shape, radius, parent) in enumerate((("a", one, SMALL, pl.WORLD), ("b", two, LARGE, "slide"))):
        motor, spin = None if rates[k] is None else pl.VelocityMotor(rates[k], 50.0), (rates[k] or 0.0) * axles[k]
        scene.add(pl.Body(name, SHAPES[shape](radius), mass=2.0 + 2.0 * k, position=(k * apart, 0, 0), friction=MU,
                          quaternion=about((1, 0, 0), k * angle - pi / 2), angular_velocity=tuple(spin)))
        scene.add(pl.Revolute(f"{name} axle", parent, name, axis=tuple(axles[k]), motor=motor))
    return pl.World(scene), *axles


@pytest.mark.parametrize("angle", [0.0, 0.05, 0.5, pi / 2])
@pytest.mark.parametrize("rates", [(10.0, 5.0), (30.0, 20.0), (10.0, 0.0), (-10.0, 2.0)])
@pytest.mark.parametrize(("one", "two"), [("cylinder", "cylinder"), ("ball", "ball"), ("capsule", "capsule"),
                                          ("capsule", "cylinder"), ("ball", "cylinder")])
def test_rollers_rub_by_coulombs_law(one, two, rates, angle):
    """Oracle: mu N against the slip w_b x (-r_b n) - w_a x r_a n, and motors that hold its moments about their axles; to what
    6.5 kg, as fast as the solver leaves them a substep, amount to."""
    world, axle_a, axle_b = pressed(one, two, rates, angle)
    slip = np.cross(rates[1] * axle_b, -LARGE * X) - np.cross(rates[0] * axle_a, SMALL * X)
    friction = MU * LOAD * slip / np.linalg.norm(slip)
    world.run(0.25)
    found, efforts = [], []
    for _ in range(30):
        world.step()
        found.append(world["a"].contact_force)
        efforts.append((world["a axle"].effort, world["b axle"].effort))
    off = 6.5 * SOLVED * 8 / world.dt
    assert np.mean(found, axis=0) == pytest.approx(friction - LOAD * X, abs=off)
    moments = -np.cross(SMALL * X, friction) @ axle_a, np.cross(-LARGE * X, friction) @ axle_b
    assert np.mean(efforts, axis=0) == pytest.approx(moments, abs=LARGE * off)


@pytest.mark.parametrize("rates", [(10.0, 5.0), (30.0, 20.0), (-10.0, 2.0)])
@pytest.mark.parametrize("tilt", [0.4, 1.2])
def test_a_ball_rubs_on_a_rim(rates, tilt):
    """Oracle: as above, between the rim of a disc and a ball pressed on it `tilt` [rad] from its plane, on axles alike."""
    scene, n = pl.Scene(gravity=(0, 0, 0)), np.array([cos(tilt), 0.0, sin(tilt)])
    rim = np.array([SMALL, 0.0, 0.05])
    scene.add(pl.Body("a", pl.Cylinder(SMALL, 0.1), mass=2.0, friction=MU, angular_velocity=(0, 0, rates[0])))
    scene.add(pl.Revolute("a axle", pl.WORLD, "a", axis=(0, 0, 1), motor=pl.VelocityMotor(rates[0], 50.0)))
    place = tuple(rim + LARGE * n)
    scene.add(pl.Body("slide", pl.Box(0.05, 0.05, 0.05), mass=0.5, position=place, collide=False))
    scene.add(pl.Prismatic("rail", pl.WORLD, "slide", axis=tuple(n)))
    scene.add(pl.Load("press", "slide", force=tuple(-LOAD * n)))
    scene.add(pl.Body("b", pl.Sphere(LARGE), mass=4.0, position=place, friction=MU, angular_velocity=(0, 0, rates[1])))
    scene.add(pl.Revolute("b axle", "slide", "b", axis=(0, 0, 1), motor=pl.VelocityMotor(rates[1], 50.0)))
    world, z = pl.World(scene), np.array([0.0, 0.0, 1.0])
    slip = np.cross(rates[1] * z, -LARGE * n) - np.cross(rates[0] * z, rim)
    friction = MU * LOAD * slip / np.linalg.norm(slip)
    world.run(0.25)
    found = []
    for _ in range(30):
        world.step()
        found.append((*world["a"].contact_force, world["a axle"].effort, world["b axle"].effort))
    moments = -np.cross(rim, friction) @ z, np.cross(-LARGE * n, friction) @ z
    off = 6.5 * SOLVED * 8 / world.dt
    assert np.mean(found, axis=0) == pytest.approx((*(friction - LOAD * n), *moments), abs=off)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_roller_turns_another_without_slip(shape):
    """Oracle: w_b r_b = -w_a r_a, as gears; that takes I_b w_b / (mu N r_b), less than 0.1 s."""
    world, _, _ = pressed(shape, shape, (10.0, None), 0.0)
    world.run(0.5)
    assert world["b"].angular_velocity[1] == pytest.approx(-10.0 * SMALL / LARGE, rel=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rate", [5.0, 20.0])
def test_it_lies_on_two_rollers_that_turn_the_same_way(shape, rate):
    """Oracle: both carry its surface along the same way, so that it spins at -w r_b / r_a and stays, and their motors have
    nothing to do, but against each other: it may be wedged."""
    scene, side = pl.Scene(), 0.22
    for k, x in enumerate((-side, side)):
        scene.add(pl.Body(f"r{k}", pl.Cylinder(LARGE, 0.6), mass=4.0, position=(x, 0, 0), quaternion=about((1, 0, 0), -pi / 2),
                          angular_velocity=(0, rate, 0)))
        scene.add(pl.Revolute(f"j{k}", pl.WORLD, f"r{k}", axis=(0, 1, 0), motor=pl.VelocityMotor(rate, 50.0)))
    high = np.sqrt((SMALL + LARGE) ** 2 - side**2)
    scene.add(pl.Body("on", SHAPES[shape](SMALL), mass=1.0, position=(0, 0, high), quaternion=about((1, 0, 0), -pi / 2),
                      angular_velocity=(0, -rate * LARGE / SMALL, 0)))
    world = pl.World(scene)
    world.run(2.0)
    assert world["on"].angular_velocity == pytest.approx((0, -rate * LARGE / SMALL, 0), abs=1e-4 * rate)
    assert world["on"].position == pytest.approx((0, 0, high), abs=2e-4)
    assert world["j0"].effort + world["j1"].effort == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("substeps", ["auto", 32])
def test_balls_roll_down_in_a_row_without_a_force(friction, substeps):
    """Oracle: all roll alike, 5/14 g sin(a) t^2, first order in the substep: h / t; nothing pushes one against the other."""
    alpha, radius = 0.15, 0.1
    normal, down, _ = slope(alpha)
    scene = pl.Scene()
    scene.add(pl.Ground(normal=tuple(normal), friction=0.5))
    for k in range(6):
        scene.add(pl.Body(f"b{k}", pl.Sphere(radius), mass=1.0, position=tuple(2 * radius * k * down + radius * normal),
                          friction=friction))
    world = pl.World(scene, substeps=substeps)
    world.run(3.0)
    ways = np.array([world[f"b{k}"].position @ down - 2 * radius * k for k in range(6)])
    assert ways == pytest.approx(5 / 14 * G * sin(alpha) * 9.0, rel=world.dt / 8 / 3.0)
    assert np.ptp(ways) < 2e-4


@pytest.mark.parametrize("friction", [0.0, 0.1])
@pytest.mark.parametrize("shape", ["cylinder", "ball"])
def test_a_row_rolls_before_a_block(shape, friction):
    """Oracle: m a = F - F' - f and c m a = f - mu (F + F') of each, pushed by F and pushing F', c = I / m r^2:
    F = ((1 + c) m a + (1 + mu) F') / (1 - mu). None is lifted."""
    number, radius, a, c = 5, 0.1, 3.0, 0.4 if shape == "ball" else 0.5
    scene, wanted = pl.Scene(), 0.0
    scene.add(pl.Ground(friction=0.8))
    for k in range(number):
        scene.add(pl.Body(f"b{k}", SHAPES[shape](radius), mass=1.0, position=(2 * radius * k, 0, radius), friction=friction,
                          quaternion=about((1, 0, 0), -pi / 2)))
        wanted = ((1 + c) * a + (1 + friction) * wanted) / (1 - friction)
    scene.add(pl.Body("block", pl.Box(0.1, 1.0, 0.2), position=(-radius - 0.05, 0, 0.12), friction=0.0,
                      motion=pl.Motion(lambda t: ((0.5 * a * t * t, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))))
    world, found = pl.World(scene), []
    while world.time < 1.5:
        world.step()
        assert max(world[f"b{k}"].position[2] for k in range(number)) < radius + 2e-4
        found.append(-world["block"].contact_force[0])
    assert np.mean(found[-20:]) == pytest.approx(wanted, rel=0.01)


def test_balls_that_spin_alike_do_not_part():
    """Oracle: without friction nothing turns their spin, which goes past the other's surface, into a push."""
    scene = pl.Scene(gravity=(0, 0, 0))
    for name, x in (("a", -0.1), ("b", 0.1)):
        scene.add(pl.Body(name, pl.Sphere(0.1), mass=1.0, position=(x, 0, 0), angular_velocity=(0, 0, 30), friction=0.0))
    world = pl.World(scene)
    world.run(2.0)
    assert np.abs(world["a"].velocity).max() < SOLVED
    assert world["a"].angular_velocity == pytest.approx((0, 0, 30), abs=SOLVED)
