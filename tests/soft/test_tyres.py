"""A tyre of rubber on a hub with a motor, in a frame that slides along and up, on the ground. Oracles: momentum, rest."""

from itertools import product
from math import cos, pi, sin

import numpy as np
import pytest

import pliant as pl

INSIDE, OUTSIDE, WIDTH, AROUND = 0.12, 0.2, 0.1, 32
G = 9.81


def ring() -> tuple[np.ndarray, np.ndarray]:
    """Vertices [m] (n, 3) and cells (c, 4) of a ring about z, two cubes thick and two wide."""
    number = {place: k for k, place in enumerate(product(range(AROUND), range(3), range(3)))}
    vertices = [((INSIDE + (OUTSIDE - INSIDE) * r / 2) * cos(2 * pi * a / AROUND),
                 (INSIDE + (OUTSIDE - INSIDE) * r / 2) * sin(2 * pi * a / AROUND), WIDTH * (z / 2 - 0.5)) for a, r, z in number]
    cells = []
    for a, r, z in product(range(AROUND), range(2), range(2)):
        cube = [number[(a + i) % AROUND, r + j, z + k] for i, j, k in product((0, 1), repeat=3)]
        for path in ((4, 6), (6, 2), (2, 3), (3, 1), (1, 5), (5, 4)):
            cells.append([cube[0], cube[path[0]], cube[path[1]], cube[7]])
    x, cell = np.array(vertices), np.array(cells)
    edges = x[cell[:, 1:]] - x[cell[:, :1]]
    wrong = np.linalg.det(edges) < 0.0
    cell[wrong] = cell[wrong][:, [0, 2, 1, 3]]
    return x, cell


def rolling(rate: float) -> pl.World:
    """Standing, its motor set to `rate` [rad/s]; 33.8 kg in all."""
    turn, place = (cos(pi / 4), -sin(pi / 4), 0.0, 0.0), (0.0, 0.0, 0.2005)
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.9))
    vertices, cells = ring()
    tyre = scene.add(pl.Solid("tyre", vertices, cells=cells, material="rubber", position=place, quaternion=turn))
    hub = scene.add(pl.Body("hub", pl.Cylinder(INSIDE, WIDTH), mass=5.0, position=place, quaternion=turn, collide=False))
    scene.attach(tyre.vertices(np.hypot(tyre.rest[:, 0], tyre.rest[:, 1]) < 1.01 * INSIDE), hub)
    frame = scene.add(pl.Body("frame", pl.Box(0.3, 0.05, 0.05), mass=20.0, position=place, collide=False))
    scene.add(pl.Revolute("axle", frame, hub, anchor=place, axis=(0, 1, 0), motor=pl.VelocityMotor(rate, 60.0)))
    slide = scene.add(pl.Body("slide", pl.Box(0.05, 0.05, 0.05), mass=1.0, position=(0, 0, 0.6), collide=False))
    scene.add(pl.Prismatic("along", pl.WORLD, slide, axis=(1, 0, 0)))
    scene.add(pl.Prismatic("up", slide, frame, axis=(0, 0, 1)))
    return pl.World(scene, threads=1)


def test_a_braked_tyre_stands():
    """It comes to rest, and the ground bears the weight."""
    world = rolling(0.0)
    world.run(1.5)
    weight = (25.0 + world["tyre"].mass) * G
    assert np.abs(world["tyre"].velocities).max() < 1e-5
    assert world["tyre"].contact_force[2] == pytest.approx(weight, rel=1e-5)


@pytest.mark.parametrize("rate", [5.0, 20.0])
def test_a_tyre_rolls_at_its_rate_and_the_ground_bears_its_weight(rate):
    """What the ground has pushed up in a second is the weight's impulse and what has come to move upwards, to 1e-3 of it: rows
    that are relaxed last push bodies of trees by hundredths of that. A wheel of 32 corners rolls by its circumference to 0.5 %,
    less what it slips while it is pushed up."""
    world = rolling(rate)
    mass = world._engine.model.soft[0].mass

    def rising():
        return mass @ world["tyre"].velocities[:, 2] + 5.0 * world["hub"].velocity[2] + 20.0 * world["frame"].velocity[2]

    world.run(1.0)
    before, pushed, way = rising(), 0.0, world["frame"].position[0]
    for _ in range(60):
        world.step()
        pushed += world["tyre"].contact_force[2] / 60.0
    weight = (25.0 + mass.sum()) * G
    assert pushed - weight == pytest.approx(rising() - before, abs=1e-3 * weight)
    assert world["frame"].position[0] - way == pytest.approx(rate * OUTSIDE, rel=0.05)
    assert world["axle"].rate == pytest.approx(rate, rel=1e-3)
