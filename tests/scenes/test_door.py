"""The door closes when its equation of motion says so, latches, opens to a push and closes again."""

import numpy as np
from scipy.integrate import solve_ivp

import pliant as pl

CLOSED = -np.pi / 2
NEARLY = CLOSED + 2e-2


def inertia_about_hinge(door: pl.Body) -> float:
    """[kg m2] of the door's boxes about the upright axis through the hinge, 0.46 m from the middle of the leaf."""
    boxes = [(p.shape, p.position) for p in door.shape]
    volume = sum(b.x * b.y * b.z for b, _ in boxes)
    return sum(door.mass * b.x * b.y * b.z / volume * ((b.x**2 + b.y**2) / 12 + (0.46 + x) ** 2 + y**2)
               for b, (x, y, _) in boxes)


def closing_time(scene: pl.Scene) -> float:
    """When the door is all but closed [s]: I a'' = -k (a - rest) - (c + n^2 k_t k_e / R) a' + friction."""
    spring, hinge = scene["closer"], scene["hinge"]
    inertia, motor = inertia_about_hinge(scene["door"]), hinge.motor
    damping = spring.damping + motor.gear**2 * motor.k_t * motor.k_e / motor.resistance

    def rate(_, y):
        # The door turns one way only, from rest, so dry friction has one sign.
        return y[1], (-spring.stiffness * (y[0] - spring.rest) - damping * y[1] + hinge.friction) / inertia

    def at_stop(_, y):
        return y[0] - NEARLY

    at_stop.terminal = True
    return float(solve_ivp(rate, (0, 20), (0.0, 0.0), events=at_stop, rtol=1e-10, atol=1e-12).t_events[0][0])


def run_until(world: pl.World, event: str, seconds: float) -> float:
    """The time of the first event of that kind [s]."""
    for _ in range(round(seconds / world.dt)):
        if any(event in e for e in world.step().events):
            return world.time
    raise AssertionError(f"no event '{event}' within {seconds} s")


def test_door_closes_on_time_and_latches():
    world = pl.World(pl.load("door"))
    exact = closing_time(world.scene)
    world.run(6.0, each=lambda w: w["hinge"].angle < NEARLY)
    # Implicit Euler runs late by about h/2 for each time constant passed, a substep or two; the step adds one dt.
    assert exact - world.dt / world.substeps < world.time < exact + 2 * world.dt
    assert run_until(world, "caught", 0.5) < exact + 0.5
    world.run(1.0)
    assert world["latch"].engaged
    assert abs(world["hinge"].angle - CLOSED) < 1e-4
    assert abs(world["door"].position[1]) < 1e-3, "the leaf stands in its frame"


def test_a_latched_door_holds_until_it_is_pushed_beyond_the_hold():
    world = pl.World(pl.load("door"))
    run_until(world, "caught", 6.0)
    motor, spring = world.scene["hinge"].motor, world.scene["closer"]
    torque = motor.gear * motor.k_t * motor.max_voltage / motor.resistance
    pull = spring.stiffness * (CLOSED - spring.rest)
    least = (world.scene["latch"].hold + pull + world.scene["hinge"].friction) / torque
    world.control["push"] = 0.97 * least
    report = world.run(1.0)
    assert not report.events and abs(world["hinge"].angle - CLOSED) < 1e-3
    world.control["push"] = 1.03 * least
    run_until(world, "let go", 1.0)
    world.control["push"] = 1.0
    world.run(3.0)
    assert world["hinge"].angle > CLOSED + 1.0
    world.control["push"] = 0.0
    run_until(world, "caught", 10.0)
