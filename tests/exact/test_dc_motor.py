"""The DC motor behind its gear: the recurrence of implicit Euler, final speed, time constant, voltage limit."""

import numpy as np
import pytest

import pliant as pl
from pliant.couple.step import TOLERANCE
from pliant.equations.rigid.dc_motor import dc_motor_row

EPS = np.finfo(float).eps
MASS, RADIUS = 4.0, 0.1
INERTIA = 0.4 * MASS * RADIUS**2
MOTOR = {"k_t": 0.05, "k_e": 0.06, "resistance": 0.8, "max_voltage": 24.0}
DRIVES = {"direct": (1.0, 0.0), "geared": (20.0, 0.0), "geared with rotor": (20.0, 3e-5)}
"""Gear ratio n and rotor's inertia J [kg m2]."""


def wheel(voltage: float, gear: float, rotor: float, h: float, substeps: int = 1, speed: float = 0.0, **more) -> pl.World:
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("wheel", pl.Sphere(RADIUS), mass=MASS, angular_velocity=(0, 0, speed), collide=False))
    scene.add(pl.Revolute("axle", pl.WORLD, "wheel", motor=pl.DCMotor(voltage, **MOTOR, gear=gear, inertia=rotor, **more)))
    return pl.World(scene, dt=h, substeps=substeps, threads=1)


def constants(gear: float, rotor: float) -> tuple[float, float]:
    """(n k_e [V s/rad], time constant (I + n^2 J) R / (n^2 k_t k_e) [s])."""
    total = INERTIA + gear**2 * rotor
    return gear * MOTOR["k_e"], total * MOTOR["resistance"] / (gear**2 * MOTOR["k_t"] * MOTOR["k_e"])


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("h", [1e-3, 0.1])
def test_is_the_recurrence_of_implicit_euler(drive, h):
    """(I + n^2 J)(w' - w) = h n k_t (U - n k_e w') / R; the effort read is that torque, and what the rotor leaves of it turns
    the wheel."""
    gear, rotor = DRIVES[drive]
    world, w = wheel(12.0, gear, rotor, h), 0.0
    total = INERTIA + gear**2 * rotor
    c, push = gear**2 * MOTOR["k_t"] * MOTOR["k_e"] / MOTOR["resistance"], gear * MOTOR["k_t"] * 12.0 / MOTOR["resistance"]
    for _ in range(300):
        before, w = w, (total * w + h * push) / (total + h * c)
        world.step()
        assert abs(world["axle"].rate - w) <= 300 * 8 * EPS * 12.0 / (gear * MOTOR["k_e"])
        room, efforts = 300 * 16 * EPS * (push + total * w / h), world["axle"].efforts()
        assert abs(world["axle"].effort - (push - c * w)) <= room and efforts["motor"] == world["axle"].effort
        assert abs(efforts["rotor"] + gear**2 * rotor * (w - before) / h) <= room
        assert abs(sum(efforts.values()) - INERTIA * (w - before) / h) <= room


@pytest.mark.parametrize("drive", DRIVES)
def test_final_speed_and_time_constant(drive):
    """w(t) = U / (n k_e) (1 - exp(-t / T)); implicit Euler is off by (h / 2T)(t / T) exp(-t / T) of it, and O(h^2).

    The second-order term is at most (h / T)^2 of the final speed.
    """
    gear, rotor = DRIVES[drive]
    n_k_e, T = constants(gear, rotor)
    h, final = T / 200.0, -9.0 / n_k_e
    world = wheel(-9.0, gear, rotor, h)
    for step in range(1, 601):
        world.step()
        t = step * h / T
        first_order = -h / (2.0 * T) * t * np.exp(-t)  # slower than the exponential
        assert abs(world["axle"].rate / final - (1.0 - np.exp(-t)) - first_order) <= (h / T) ** 2, step
    for _ in range(20 * 200):
        world.step()
    assert abs(world["axle"].rate - final) <= 2.0 * np.exp(-20.0) * abs(final)


def test_stable_at_a_tenth_of_a_second():
    """T = 0.4 ms and h = 0.1 s: towards the final speed without ever passing it, from rest and from ten times too fast."""
    gear = 500.0
    n_k_e, T = constants(gear, 0.0)
    assert T < 1e-3
    for speed in (0.0, 10.0 * 12.0 / n_k_e):
        world, off = wheel(12.0, gear, 0.0, 0.1, speed=speed), speed - 12.0 / n_k_e
        for _ in range(5):
            world.step()
            now = world["axle"].rate - 12.0 / n_k_e
            off /= 1.0 + 0.1 / T
            assert abs(now - off) <= 64 * EPS * max(speed, 12.0 / n_k_e)


@pytest.mark.parametrize("h", [1e-3, 0.1])
@pytest.mark.parametrize("speed", [0.0, 40.0])
@pytest.mark.parametrize("share", [0.01, 0.5])
def test_a_limit_of_the_current_bounds_its_torque_and_the_rotor_takes_of_that(share, speed, h):
    """(I + n^2 J)(w' - w) = h min(max(n k_t (U - n k_e w') / R, -M), M), to rounding, at any step, sped up and braked, with a
    rotor of ten times the inertia of the wheel; while M is reached, w = w_0 +- M t / (I + n^2 J); the effort read is the
    torque, never beyond M."""
    gear, rotor = 20.0, 10.0 * INERTIA / 20.0**2
    total, c = INERTIA + gear**2 * rotor, gear**2 * MOTOR["k_t"] * MOTOR["k_e"] / MOTOR["resistance"]
    push = gear * MOTOR["k_t"] * 12.0 / MOTOR["resistance"]
    most, w = share * push, speed
    world = wheel(12.0, gear, rotor, h, speed=speed, max_effort=most)
    room, sign = 300 * 16 * EPS * (speed + 12.0 / (gear * MOTOR["k_e"])), 1.0 if speed == 0.0 else -1.0
    for step in range(1, 301):
        free = (total * w + h * push) / (total + h * c)
        w = min(max(free, w - h * most / total), w + h * most / total)
        world.step()
        assert abs(world["axle"].rate - w) <= room
        assert abs(world["axle"].effort - min(max(push - c * w, -most), most)) <= room * (total / h + c)
        if abs(push - c * w) > most:
            assert abs(world["axle"].rate - (speed + sign * most * step * h / total)) <= room
    assert abs(push - c * speed) > most


@pytest.mark.parametrize("share", [0.1, 2.0])
def test_a_rotor_beside_a_direct_rope_looks_back_as_bodies_do(share):
    """A limp rope on the axis of the wheel turns nothing, but BDF2 is taken. Oracle: with the torque at its bound M all along
    w = M t / (I + n^2 J), to rounding; else implicit Euler in the first substep, then BDF2's recurrence of I + n^2 J, to the
    tolerance of sweeps in each."""
    gear, rotor, h = 20.0, 10.0 * INERTIA / 20.0**2, 1e-3
    total, c = INERTIA + gear**2 * rotor, gear**2 * MOTOR["k_t"] * MOTOR["k_e"] / MOTOR["resistance"]
    push = gear * MOTOR["k_t"] * 12.0 / MOTOR["resistance"]
    most, before, w = share * push, 0.0, 0.0
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("wheel", pl.Sphere(RADIUS), mass=MASS, collide=False))
    motor = pl.DCMotor(12.0, **MOTOR, gear=gear, inertia=rotor, max_effort=most)
    scene.add(pl.Revolute("axle", pl.WORLD, "wheel", motor=motor))
    scene.add(pl.Rope("rope", [(0, 0, 0), (0, 0, -0.5)], 5, 0.004, mass=1e-3, bend="limp", twist="limp", collide=False))
    scene.add(pl.Attachment("hold", "rope.start", "wheel"))
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    room = 100 * (64 * EPS * 12.0 / (gear * MOTOR["k_e"]) if share < 1.0 else TOLERANCE)
    for step in range(1, 101):
        start, part = (w, h) if step == 1 else ((4.0 * w - before) / 3.0, 2.0 * h / 3.0)
        before, w = w, min((total * start + part * push) / (total + part * c), start + part * most / total)
        energy = world.step().energy
        assert abs(world["axle"].rate - w) <= room
        assert abs(energy.work - energy.kinetic) <= 100 * 64 * EPS * energy.kinetic + room * total * w
        if share < 1.0:
            assert abs(world["axle"].rate - most * step * h / total) <= room
    assert (push - c * w > most) == (share < 1.0)


@pytest.mark.parametrize("asked, given", [(100.0, 24.0), (-100.0, -24.0), (23.0, 23.0)])
def test_voltage_is_limited(asked, given):
    """Above max_voltage the motor runs as at max_voltage."""
    n_k_e, T = constants(5.0, 0.0)
    world = wheel(asked, 5.0, 0.0, T)
    for _ in range(60):  # off by 2^-60 of it
        world.step()
    assert abs(world["axle"].rate - given / n_k_e) <= 1e-12 * abs(given) / n_k_e


def test_voltage_follows_a_control():
    """The voltage may be a control's: turned off, the wheel is braked by its own back-EMF with the same time constant."""
    n_k_e, T = constants(20.0, 0.0)
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Control("volts", -24, 24, 12.0))
    scene.add(pl.Body("wheel", pl.Sphere(RADIUS), mass=MASS, collide=False))
    scene.add(pl.Revolute("axle", pl.WORLD, "wheel", motor=pl.DCMotor("volts", **MOTOR, gear=20.0)))
    world = pl.World(scene, dt=T / 10.0, substeps=1, threads=1)
    for _ in range(500):
        world.step()
    top = world["axle"].rate
    assert abs(top - 12.0 / n_k_e) <= 1e-12 * top
    world.control["volts"] = 0.0
    for step in range(1, 50):
        world.step()
        assert abs(world["axle"].rate - top / 1.1**step) <= 1e-12 * top


@pytest.mark.parametrize("drive", DRIVES)
def test_its_work_is_the_energy_of_the_wheel(drive):
    """Nothing else pushes: W = I w^2 / 2 at every step, to rounding."""
    world = wheel(24.0, *DRIVES[drive], 0.01, substeps=2)
    for _ in range(200):
        energy = world.step().energy
        assert abs(energy.work - energy.kinetic) <= 200 * 64 * EPS * energy.kinetic


def test_without_back_emf_it_is_a_torque():
    """k_e = 0 and no rotor: n k_t U / R, whatever the speed."""
    assert dc_motor_row(0.3, 12.0, 0.0, 0.01) == (0.0, 0.0)
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("wheel", pl.Sphere(RADIUS), mass=MASS, collide=False))
    scene.add(pl.Revolute("axle", pl.WORLD, "wheel", motor=pl.DCMotor(12.0, 0.05, 0.0, 0.8, 24.0, gear=3.0)))
    world = pl.World(scene, dt=0.01, substeps=1, threads=1)
    torque = 3.0 * 0.05 * 12.0 / 0.8
    for step in range(1, 101):
        world.step()
        assert abs(world["axle"].rate - step * 0.01 * torque / INERTIA) <= 1e-12 * step
        assert abs(world["axle"].effort - torque) <= 1e-12
