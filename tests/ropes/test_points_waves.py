"""Small motions of ropes of points: frequencies of twisting, stretching, swinging and bending modes, by impulses and compliant.

Oracle: a mode of the chain of points (an eigenproblem in NumPy) started alone moves as one number would under the method's
own integrator (`small_motion`), an exact recurrence. So its frequency is found free of the integrator's error, and held
against the eigenproblem and the continuous rod. By impulses a rope does not stretch, and so has no stretching waves. By
positions (paper C) stiffness is made of passes, and so is every frequency: it is left out.
"""

from math import pi

import numpy as np
import oracles
import pytest
from direct import rope_scene, within
from oracles import G
from scipy.linalg import eigh
from small_motion import chain_matrix, found, run, turns_about_x

import pliant as pl

EXACT = ("impulse", "compliant")
ANGLE = 2e-3
"""Largest turn of an element [rad]: laws are linear to its square."""
NEAR = ANGLE**2


@pytest.mark.parametrize(("method", "mode", "lag"), [("impulse", 0, 0.0), ("impulse", 2, 0.0), ("impulse", 0, 2e-5),
                                                     ("compliant", 0, 0.0), ("compliant", 2, 0.0), ("compliant", 0, 2e-3)])
def test_twisting_waves(method, mode, lag):
    """(n - 1/2) pi c/L, c = sqrt(GJ/(rho I_p)), lower by the chain's (k l)^2/24; decay by the Kelvin-Voigt time."""
    n, radius, mass, twisting = 20, 0.01, 0.1, 0.1
    scene = rope_scene(points=n + 1, radius=radius, mass=mass, twist=twisting, bend=0.02, damping=lag, method=method)
    scene.pin("r.start", clamp=True)
    values, shapes = eigh(chain_matrix(twisting * n, n), 0.5 * mass / n * radius**2 * np.eye(n))
    frequency, shape = np.sqrt(values[mode]), shapes[:, mode] / np.abs(shapes[:, mode]).max()
    h = min(0.1 / frequency, 1.0 / np.sqrt(values[-1]))
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    spin = np.zeros((n, 3))
    spin[:, 0] = ANGLE * frequency * shape
    world["r"].angular_velocities = spin
    start = world["r"].quaternions
    turns = run(world, 100, lambda w: turns_about_x(start, w["r"].quaternions))
    series = turns @ shape / (shape @ shape) / (ANGLE * frequency)
    seen, decay, misfit = found(series, h, frequency, lag, method)
    words = f"{method}, twisting mode {mode + 1}"
    rest = turns - np.outer(turns @ shape / (shape @ shape), shape)
    within(f"{words}: nothing but that mode", np.abs(rest).max() / ANGLE, NEAR)
    within(f"{words}: misfit", misfit, NEAR)
    within(f"{words}: frequency against the eigenproblem", abs(seen / frequency - 1.0), NEAR)
    within(f"{words}: Kelvin-Voigt time [1/frequency]", abs(decay - lag) * frequency, NEAR)
    speed = oracles.twist_wave_speed(twisting, mass / (pi * radius**2), radius)
    exact, coarse = oracles.fixed_free_frequencies(speed, 1.0, mode + 1)[-1], ((mode + 0.5) * pi / n) ** 2 / 24
    within(f"{words}: against the wave speed", abs(seen / exact - 1.0), coarse + NEAR)


def differences(n: int, length: float) -> np.ndarray:
    """From displacements of points 1 to n (point 0 is held) to slopes or strains of the elements (n, n)."""
    return (np.eye(n) - np.eye(n, k=-1)) / length


def lumps(n: int, mass: float) -> np.ndarray:
    """Masses of points 1 to n: half of each element beside them [kg]."""
    return mass / n * np.append(np.ones(n - 1), 0.5)


@pytest.mark.parametrize(("mode", "lag"), [(0, 0.0), (2, 0.0), (0, 2e-3)])
def test_stretching_waves(mode, lag):
    """(n - 1/2) pi c/L, c = sqrt(EA/mu), lower by the chain's (k l)^2/24; decay by the Kelvin-Voigt time."""
    n, mass, stretching = 20, 0.1, 50.0
    scene = rope_scene(points=n + 1, mass=mass, stretch=stretching, shear=stretching, damping=lag, method="compliant")
    scene.pin("r.start", clamp=True)
    strain = differences(n, 1.0 / n)
    values, shapes = eigh(stretching / n * strain.T @ strain, np.diag(lumps(n, mass)))
    frequency, shape = np.sqrt(values[mode]), shapes[:, mode] / np.abs(strain @ shapes[:, mode]).max()
    world = pl.World(scene, dt=0.1 / frequency, substeps=1, threads=1)
    world["r"].velocities = np.column_stack([np.append(0.0, ANGLE * frequency * shape), np.zeros((n + 1, 2))])
    x = world["r"].positions[1:, 0]
    moved = run(world, 100, lambda w: w["r"].positions[1:, 0] - x)
    weight = lumps(n, mass) * shape
    series = moved @ weight / (shape @ weight) / (ANGLE * frequency)
    seen, decay, misfit = found(series, world.dt, frequency, lag, "compliant")
    words = f"compliant, stretching mode {mode + 1}"
    within(f"{words}: misfit", misfit, NEAR)
    within(f"{words}: frequency against the eigenproblem", abs(seen / frequency - 1.0), NEAR)
    within(f"{words}: Kelvin-Voigt time [1/frequency]", abs(decay - lag) * frequency, NEAR)
    exact = oracles.fixed_free_frequencies(oracles.stretch_wave_speed(stretching, mass), 1.0, mode + 1)[-1]
    within(f"{words}: against the wave speed", abs(seen / exact - 1.0), ((mode + 0.5) * pi / n) ** 2 / 24 + NEAR)


def swing(scene: pl.Scene, stiffness: np.ndarray, inertia: float, mode: int, across, limit: float = np.inf):
    """(frequency found, of the eigenproblem, Kelvin-Voigt time, misfit) of a mode across the rope; `stiffness` of slopes.

    `inertia`: of an element about an axis across it [kg m2]; `limit`: the longest step [s].
    """
    rope = scene["r"]
    n, length, method = rope.elements, float(np.linalg.norm(rope.path[-1] - rope.path[0])), rope.method
    slope = differences(n, length / n)
    weight = np.diag(lumps(n, rope.mass)) + inertia * slope.T @ slope
    values, shapes = eigh(slope.T @ stiffness @ slope, weight)
    frequency, shape = np.sqrt(values[mode]), shapes[:, mode] / np.abs(slope @ shapes[:, mode]).max()
    world = pl.World(scene, dt=min(0.1 / frequency, limit), substeps=1, threads=1)
    world["r"].velocities = np.outer(np.append(0.0, ANGLE * frequency * shape), across)
    spin = np.zeros((n, 3))
    spin[:, 1] = -ANGLE * frequency * (slope @ shape)
    world["r"].angular_velocities = spin
    steps = round(10.0 / frequency / world.dt)
    moved = run(world, steps, lambda w: w["r"].positions[1:] @ np.array(across))
    series = moved @ weight @ shape / (shape @ weight @ shape) / (ANGLE * frequency)
    return (*found(series, world.dt, frequency, rope.damping, method), frequency)


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_hanging_chain(method, mode):
    """A limp rope: the eigenproblem of its points; j0 sqrt(g/L)/2 of the continuous chain within 1 %."""
    n, length, mass, radius = 40, 2.0, 0.3, 0.005
    scene = rope_scene(G, path=[(0, 0, 0), (0, 0, -length)], points=n + 1, radius=radius, mass=mass, bend="limp", twist="limp",
                       method=method)
    scene.pin("r.start")
    pull = G * np.cumsum(lumps(n, mass)[::-1])[::-1]
    seen, _, misfit, frequency = swing(scene, np.diag(pull * length / n), mass / n * radius**2 / 4.0, mode, (1.0, 0.0, 0.0),
                                       0.5 * np.sqrt(mass / n * length / n / (mass * G)))
    words = f"{method}, hanging mode {mode + 1}"
    within(f"{words}: misfit", misfit, NEAR)
    within(f"{words}: against the eigenproblem", abs(seen / frequency - 1.0), NEAR)
    exact = oracles.hanging_chain_frequencies(length, mode + 1)[-1]
    within(f"{words}: against the Bessel zero", abs(seen / exact - 1.0), 0.01)


@pytest.mark.parametrize(("method", "mode", "lag"), [("impulse", 0, 0.0), ("compliant", 0, 0.0), ("compliant", 1, 0.0),
                                                     ("compliant", 2, 0.0), ("compliant", 0, 5e-3)])
def test_cantilever(method, mode, lag):
    """No gravity: the eigenproblem of the points; beta^2 sqrt(EI/(mu L^4)) within 1 %; decay by the Kelvin-Voigt time."""
    n, radius = (20, 0.05) if method == "impulse" else (40, 0.01)  # thick: explicit torques allow 1 ms
    mass, bending = 0.1, 0.1
    scene = rope_scene(points=n + 1, radius=radius, mass=mass, bend=bending, twist=bending, damping=lag, method=method)
    scene.pin("r.start", clamp=True)
    inertia = mass / n * radius**2 / 4.0
    limit = 0.8 / n * np.sqrt(mass * radius**2 / 4.0 / bending) if method == "impulse" else np.inf
    seen, decay, misfit, frequency = swing(scene, chain_matrix(bending * n, n), inertia, mode, (0.0, 0.0, 1.0), limit)
    words = f"{method}, cantilever mode {mode + 1}"
    within(f"{words}: misfit", misfit, NEAR)
    within(f"{words}: against the eigenproblem", abs(seen / frequency - 1.0), NEAR)
    exact = oracles.cantilever_frequencies(1.0, bending, mass, mode + 1)[-1]
    within(f"{words}: against beta^2", abs(seen / exact - 1.0), 0.01)
    within(f"{words}: Kelvin-Voigt time [1/frequency]", abs(decay - lag) * frequency, NEAR)
