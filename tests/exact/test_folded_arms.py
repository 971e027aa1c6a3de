"""Arms whose motors fold them onto themselves: links that are pressed together gain nothing, however they turn."""

import numpy as np
import pytest
from energy import SHARE

import pliant as pl
from pliant.solvers.rows.contact import SLOP

EFFORT = 100.0  # [N m]
THIN = 0.03  # [m] thinnest link


def folded(seed: int) -> tuple[pl.World, int]:
    """An arm of two to five links, stretched, whose motors turn its joints to and fro at random; all links may touch."""
    rng = np.random.default_rng(seed)
    links, level = int(rng.integers(2, 6)), rng.random() < 0.5
    scene, parent, x = pl.Scene(gravity=(0, 0, -float(rng.choice([0.0, 9.81])))), pl.WORLD, 0.0
    for k in range(links):
        length, width = float(rng.uniform(0.1, 0.6)), float(rng.uniform(THIN, 0.08))
        scene.add(pl.Body(f"link{k}", pl.Box(0.95 * length, width, width), mass=float(rng.uniform(0.2, 3.0)),
                          position=(x + length / 2, 0, 0)))
        axis = (0, 1, 0) if level else tuple(float(c) for c in rng.normal(size=3) * (0.2, 1.0, 1.0))
        sign = float(rng.choice([-1.0, 1.0]))
        motor = pl.VelocityMotor(sign * float(rng.uniform(2.0, 10.0)), EFFORT) if rng.random() < 0.6 else (
            pl.PositionMotor(3.1 * sign, 200.0, 5.0, max_effort=EFFORT))
        scene.add(pl.Revolute(f"joint{k}", parent, f"link{k}", anchor=(x, 0, 0), axis=axis,
                              motor=None if k == 0 and rng.random() < 0.4 else motor))
        parent, x = f"link{k}", x + length
    return pl.World(scene, threads=1), links


@pytest.mark.parametrize("seed", range(12))
def test_an_arm_that_is_folded_gains_nothing(seed):
    """Oracle: conservation. Energy less the motors' work never rises above its start, but for what one linearisation a substep
    may add to what moves, and what it takes to push links apart by the slop: motors are turned back by that over the width of
    the thinnest link, and weights lifted."""
    world, links = folded(seed)
    start, most = world.energy(), 0.0
    mass = sum(world.scene[f"link{k}"].mass for k in range(links))
    allowed = links * EFFORT * SLOP / THIN + mass * 9.81 * SLOP
    for _ in range(120):
        now = world.step().energy
        most = max(most, now.kinetic)
        assert now.total - now.work <= start.total + SHARE * most + allowed


@pytest.mark.parametrize("spin", [-8.0, -3.0, 3.0, 5.0])
def test_what_motors_press_together_turns_on_as_one(spin):
    """Oracle: angular momentum. Two links that motors fold onto the first turn with it about a free hinge; what presses them is
    between them alone, and does not turn them. Contacts are implicit, of first order: within a second no more than h w of the
    momentum about the hinge may go."""
    scene, parent = pl.Scene(gravity=(0, 0, 0)), pl.WORLD
    for k, sign in enumerate((0.0, 1.0, 1.0)):
        speed = spin * (0.3 * k + 0.15)
        scene.add(pl.Body(f"link{k}", pl.Box(0.28, 0.05, 0.05), mass=1.0, position=(0.3 * k + 0.15, 0, 0),
                          angular_velocity=(0, spin, 0), velocity=(0, 0, -speed)))
        scene.add(pl.Revolute(f"joint{k}", parent, f"link{k}", anchor=(0.3 * k, 0, 0), axis=(0, 1, 0),
                              motor=pl.VelocityMotor(sign * 6.0, EFFORT) if sign else None))
        parent = f"link{k}"
    world = pl.World(scene, threads=1)
    world.run(1.0)
    before = momentum(world)
    assert max(np.linalg.norm(force) for force in world.contacts.force) > 100.0, "they are pressed together"
    world.run(1.0)
    h = world.dt / world.substeps
    assert abs(momentum(world) - before) < abs(before) * h * abs(world["joint0"].rate)


def momentum(world: pl.World) -> float:
    """About the first hinge, along its axis [kg m2/s]."""
    total = 0.0
    for k in range(3):
        body = world[f"link{k}"]
        total += np.cross(body.position, body.velocity)[1] + (0.28**2 + 0.05**2) / 12.0 * body.angular_velocity[1]
    return total
