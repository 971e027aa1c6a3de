"""A quarter car on a moving road: its frequency response, natural frequencies and damping against the closed form."""

from math import pi, sin

import numpy as np
import pytest
from oracle_tools import G

import pliant as pl

WHEEL, CAR = 40.0, 300.0  # [kg]
TYRE, STRUT, DAMPER = 160e3, 18e3, 1200.0  # [N/m, N/m, N s/m]
ROAD = 0.01  # [m]


def response(s: complex) -> np.ndarray:
    """(wheel, car) per metre of road, for motion as exp(s t)."""
    link = STRUT + s * DAMPER
    system = np.array([[WHEEL * s * s + link + TYRE, -link], [-link, CAR * s * s + link]])
    return np.linalg.solve(system, [TYRE, 0.0])


def poles() -> np.ndarray:
    """Of the free car [1/s], upper half plane, slow one first."""
    m, k = np.diag([WHEEL, CAR]), np.array([[STRUT + TYRE, -STRUT], [-STRUT, STRUT]])
    c = DAMPER * np.array([[1.0, -1.0], [-1.0, 1.0]])
    inverse = np.linalg.inv(m)
    s = np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ k, -inverse @ c]]))
    return np.array(sorted(s[s.imag > 0], key=abs))


def car(dt: float, frequency: float = 0.0, gravity: float = 0.0) -> pl.World:
    """Road, wheel and car on upright slides, tyre and strut as springs on them; one substep a step."""
    scene = pl.Scene(gravity=(0, 0, -gravity))

    def bumps(t):
        return (0, 0, ROAD * sin(2 * pi * frequency * t)), (1, 0, 0, 0)

    scene.add(pl.Body("road", pl.Box(1, 1, 0.1), motion=pl.Motion(bumps), collide=False))
    scene.add(pl.Body("wheel", pl.Sphere(0.2), mass=WHEEL, position=(0, 0, 0.4), collide=False))
    scene.add(pl.Body("car", pl.Box(1, 1, 0.3), mass=CAR, position=(0, 0, 1.0), collide=False))
    scene.add(pl.Prismatic("hub", "road", "wheel"))
    scene.add(pl.Prismatic("guide", "wheel", "car"))
    scene.add(pl.JointSpring("tyre", "hub", stiffness=TYRE))
    scene.add(pl.JointSpring("strut", "guide", stiffness=STRUT, damping=DAMPER))
    return pl.World(scene, dt=dt, substeps=1)


def heights(world: pl.World) -> tuple[float, float]:
    """How far wheel and car are from where they started [m]."""
    return world["wheel"].position[2] - 0.4, world["car"].position[2] - 1.0


def steady(frequency: float, per_period: int) -> np.ndarray:
    """Complex amplitudes of wheel and car per metre of road, by projection onto the last whole period."""
    dt = 1.0 / (frequency * per_period)
    world = car(dt, frequency)
    # the slow mode decays as exp(-2 t); after 8 s it is down to 1e-7
    world.run(np.ceil(8.0 * frequency) / frequency)
    wave = np.zeros(2, complex)
    for _ in range(per_period):
        world.step()
        wave += 2j / per_period / ROAD * np.array(heights(world)) * np.exp(-2j * pi * frequency * world.time)
    return wave


@pytest.mark.parametrize("frequency", [0.7, 1.3, 10.0])
def test_frequency_response(frequency):
    """Oracle: the transfer function, amplitude and phase at once as a complex number, below, at and above the car's own.

    Exactly: implicit Euler replaces s by (1 - exp(-s h)) / h; to 1e-5, what is left of the start. In the limit: of the
    two results at h and h/2 the extrapolation errs by the second order, (w h)^2 times a resonance's sharpness of three.
    """
    s = 2j * pi * frequency
    results = {}
    for n in (200, 400):
        results[n] = steady(frequency, n)
        h = 1.0 / (frequency * n)
        assert np.abs(results[n] - response((1 - np.exp(-s * h)) / h)).max() < 1e-5
    limit, exact = 2 * results[400] - results[200], response(s)
    allowed = 3 * (2 * pi / 200) ** 2
    assert np.abs(np.abs(limit) / np.abs(exact) - 1).max() < allowed
    assert np.abs(np.angle(limit / exact)).max() < allowed


def test_natural_frequencies_and_damping_of_the_free_car():
    """Oracle: the four eigenvalues. A free linear motion obeys a recurrence of order four, whose roots z are found from the
    heights alone; implicit Euler has z = 1 / (1 - s h)."""
    h = 1.0 / 500.0
    world = car(h)
    world["car"].position = (0, 0, 1.05)
    world["wheel"].position = (0, 0, 0.39)
    x = []
    for _ in range(400):
        world.step()
        x.append(heights(world))
    x = np.array(x)
    table = np.vstack([np.column_stack([x[k:len(x) - 4 + k, c] for k in range(4)]) for c in (0, 1)])
    recurrence, *_ = np.linalg.lstsq(table, np.concatenate([x[4:, 0], x[4:, 1]]), rcond=None)
    z = np.roots([1.0, *-recurrence[::-1]])
    s = (1.0 - 1.0 / z) / h
    found = np.array(sorted(s[s.imag > 0], key=abs))
    exact = poles()
    assert np.abs(found / exact - 1).max() < 1e-5
    frequency, damping = np.abs(found) / (2 * pi), -found.real / np.abs(found)
    assert frequency == pytest.approx(np.abs(exact) / (2 * pi), rel=1e-5)
    assert damping == pytest.approx(-exact.real / np.abs(exact), rel=1e-4)


def test_the_car_sinks_under_its_weight():
    """Oracle: statics, m g / k for each spring, read as travel and as force, to what is left after 10 s."""
    world = car(1 / 240, gravity=G)
    world.run(10.0)
    assert world["hub"].travel == pytest.approx(-(WHEEL + CAR) * G / TYRE, rel=1e-6)
    assert world["guide"].travel == pytest.approx(-CAR * G / STRUT, rel=1e-6)
    assert world["strut"].force == pytest.approx(CAR * G, rel=1e-6)
    assert world["tyre"].force == pytest.approx((WHEEL + CAR) * G, rel=1e-6)
