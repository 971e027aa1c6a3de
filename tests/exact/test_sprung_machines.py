"""Machines on wheels with many stiff springs on their joints drive: they neither stand still nor lose momentum by it.

Oracles: a wheel that rolls goes at its rate times its radius; the ground bears what all weighs; momentum changes by what
contacts and weight push; energy by the helper (energy.py).
"""

from math import cos, pi, sin

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

WHEEL = 0.3
"""[m]"""
LYING = (cos(pi / 4), sin(pi / 4), 0, 0)
"""Of a wheel: its axle along y."""


def wheel(scene: pl.Scene, name: str, carrier: str, place: tuple, motor: pl.VelocityMotor | None) -> None:
    """One of 15 kg on a hub."""
    scene.add(pl.Body(f"wheel{name}", pl.Cylinder(WHEEL, 0.15), mass=15, position=place, quaternion=LYING, friction=0.9))
    scene.add(pl.Revolute(f"hub{name}", carrier, f"wheel{name}", anchor=place, axis=(0, 1, 0), motor=motor))


def bar(scene: pl.Scene, name: str, start: tuple, end: tuple, mass: float) -> str:
    """A link between two points in a plane across x."""
    way, middle = np.subtract(end, start), np.add(start, end) / 2
    half = -0.5 * np.arctan2(way[1], way[2])
    scene.add(pl.Body(name, pl.Box(0.03, 0.03, float(np.linalg.norm(way))), mass=mass, position=middle,
                      quaternion=(np.cos(half), np.sin(half), 0, 0), collide=False))
    return name


def low_loader(axles: int, bushings: int, stiffness: float) -> pl.Scene:
    """Two swing arms an axle, each held by some stiff bushings; all wheels driven at 8 rad/s."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.9))
    scene.add(pl.Body("chassis", pl.Box(axles, 0.8, 0.3), mass=100 * axles, position=(0, 0, 0.8)))
    for i in range(axles):
        for y in (0.6, -0.6):
            name, x = f"{i}{y:+}", i - (axles - 1) / 2
            scene.add(pl.Body(f"arm{name}", pl.Box(0.461, 0.03, 0.03), mass=8, position=(x + 0.175, y, 0.45),
                              quaternion=(cos(1.21594), 0, sin(1.21594), 0), collide=False))
            scene.add(pl.Revolute(f"pivot{name}", "chassis", f"arm{name}", anchor=(x + 0.35, y, 0.6), axis=(0, 1, 0)))
            wheel(scene, name, f"arm{name}", (x, 1.2 * y, 0.3), pl.VelocityMotor(8, 60))
            for p in range(bushings):
                scene.add(pl.Spring(f"bushing{name}{p}", "chassis", f"arm{name}", stiffness=stiffness, damping=1000,
                                    at_a=(x, y * (1 + 0.02 * p), -0.05), at_b=(0.2, 0, 0)))
    return scene


def car(ties: float) -> pl.Scene:
    """Four double wishbones, which are loops, each with a coil and a tie rod, a spring; the front wheels driven at 12 rad/s."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.9))
    scene.add(pl.Body("chassis", pl.Box(2.4, 0.8, 0.3), mass=400, position=(0, 0, 0.57)))
    for x in (1, -1):
        for y in (1, -1):
            name = f"{x:+}{y:+}"
            low = bar(scene, f"low{name}", (x, y * 0.4, 0.32), (x, y * 0.7, 0.3), 5)
            high = bar(scene, f"high{name}", (x, y * 0.4, 0.57), (x, y * 0.7, 0.55), 5)
            upright = bar(scene, f"upright{name}", (x, y * 0.7, 0.3), (x, y * 0.7, 0.55), 6)
            for link, z in ((low, 0.32), (high, 0.57)):
                scene.add(pl.Revolute(f"hinge{link}", "chassis", link, anchor=(x, y * 0.4, z), axis=(1, 0, 0)))
                scene.add(pl.Spherical(f"ball{link}", link, upright, anchor=(x, y * 0.7, z - 0.02)))
            scene.add(pl.Spring(f"tie{name}", "chassis", upright, stiffness=ties, damping=200, at_a=(x - 0.15, y * 0.4, -0.15),
                                at_b=(-0.15, 0, 0)))
            scene.add(pl.Spring(f"coil{name}", "chassis", low, stiffness=3e4, damping=1500, rest_length=0.42,
                                at_a=(x, y * 0.45, 0.1), at_b=(0.08, 0, 0)))
            wheel(scene, name, upright, (x, y * 0.85, 0.3), pl.VelocityMotor(12, 150) if x > 0 else None)
    return scene


MET, SWEPT = 1e-6, 0.05
"""What goes amiss of the momentum [-] where springs are solved at once, and where there are too many: there what sweeps gain is
taken out of all that stands on the ground."""


@pytest.mark.parametrize(("scene", "rate", "amiss"), [
    (low_loader(4, 4, 1e7), 8.0, MET), (low_loader(4, 8, 1e7), 8.0, SWEPT), (low_loader(8, 4, 1e6), 8.0, SWEPT),
    (car(1e5), 12.0, MET), (car(1e6), 12.0, MET), (car(1e9), 12.0, MET),
], ids=["32 bushings", "64 bushings", "16 arms", "soft ties", "stiff ties", "hard ties"])
def test_it_drives(scene, rate, amiss):
    """After three seconds it rolls as fast as its motors turn; until then it moves in every step, and nothing is gained."""
    world = pl.World(scene, threads=1)
    guard = EnergyGuard(world)
    mass = sum(world[name].mass for name in world.body_names)
    start, pushed, pressed = momentum(world), np.zeros(3), []
    for _ in range(180):
        world.step()
        guard(world)
        assert np.linalg.norm(world["chassis"].velocity) > 0.0
        force = sum(world[name].contact_force for name in world.body_names if name.startswith("wheel"))
        pressed.append(force[2])
        pushed += (force + mass * np.array(world.scene.gravity)) * world.dt
    assert world["chassis"].velocity[0] == pytest.approx(rate * WHEEL, rel=2e-2)
    assert np.mean(pressed[120:]) == pytest.approx(9.81 * mass, rel=1e-2)
    assert np.abs(momentum(world) - start - pushed).max() <= amiss * mass * rate * WHEEL


def momentum(world: pl.World) -> np.ndarray:
    """[kg m/s] (3,), of all bodies."""
    return sum(world[name].mass * world[name].velocity for name in world.body_names)


@pytest.mark.parametrize("substeps", [4, 8, 32])
@pytest.mark.parametrize("rubs", [0.01, 0.5, 10.0])
def test_a_parked_car_stands_on_its_springs(rubs, substeps):
    """Oracle: weight, in every step, of a car held by its rear motors whose front wheels rub in their hinges: what rubs changes
    sides, back and forth, by rounding, and contacts have to be solved anew with it."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.9))
    scene.add(pl.Body("car", pl.Box(2.6, 0.4, 0.3), mass=600, position=(0, 0, 0.6), collide=False, center_of_mass=(0.2, 0, 0)))
    for k, (x, y) in enumerate(((1.1, 0.75), (1.1, -0.75), (-1.1, 0.75), (-1.1, -0.75))):
        scene.add(pl.Body(f"hub{k}", pl.Box(0.1, 0.1, 0.1), mass=8, position=(x, 0.85 * y, 0.3), collide=False))
        scene.add(pl.Prismatic(f"strut{k}", "car", f"hub{k}", axis=(0, 0, 1)))
        scene.add(pl.JointSpring(f"coil{k}", f"strut{k}", stiffness=18000, damping=900, rest=-0.1))
        scene.add(pl.Body(f"wheel{k}", pl.Sphere(0.3), mass=14, position=(x, y, 0.3)))
        scene.add(pl.Revolute(f"axle{k}", f"hub{k}", f"wheel{k}", axis=(0, 1, 0), friction=rubs if k < 2 else 0.0,
                              motor=None if k < 2 else pl.VelocityMotor(0.0, max_effort=250)))
    world = pl.World(scene, substeps=substeps, threads=1)
    world.run(2.0)
    for _ in range(120):
        assert not world.step().warnings
        borne = sum(world[f"wheel{k}"].contact_force[2] for k in range(4))
        assert borne == pytest.approx(688 * 9.81, rel=2e-4)  # it still settles by 1e-3 m/s2
