"""Small motions of direct ropes: frequencies and decay of twisting, stretching, bending and swinging modes.

Oracle: a mode of the chain of rigid links (an eigenproblem in NumPy) started alone moves as one number would under BDF2,
whose past before the start is what a trial step of implicit Euler says: an exact recurrence. So from what the rope does
its frequency and Kelvin-Voigt time are found free of the integrator's error, and held against the eigenproblem and the
continuous rod.
"""

from math import pi

import numpy as np
import oracle_chain as oc
import oracles
import pytest
from direct import rope_scene, within
from oracles import G
from scipy.linalg import eigh
from small_motion import chain_matrix, found, run, turns_about_x

import pliant as pl

SMALL = 1e-4
"""Largest bend or strain between neighbours in these tests: laws are linear to its square, turns to itself."""


@pytest.mark.parametrize(("mode", "lag"), [(0, 0.0), (2, 0.0), (0, 2e-3)])
def test_twisting_waves(mode, lag):
    """(n - 1/2) pi c/L, c = sqrt(GJ/(rho I_p)), lower by the chain's (k l)^2/24; decay by the Kelvin-Voigt time."""
    n, radius, mass, twisting = 20, 0.01, 0.1, 0.1
    scene = rope_scene(points=n + 1, radius=radius, mass=mass, twist=twisting, bend=10.0, damping=lag)
    scene.pin("r.start", clamp=True)
    inertia = 0.5 * mass / n * radius**2
    values, shapes = eigh(chain_matrix(twisting * n, n), inertia * np.eye(n))
    frequency, shape = np.sqrt(values[mode]), shapes[:, mode] / np.abs(shapes[:, mode]).max()
    amplitude, h = n * SMALL * 0.2, 0.1 / frequency
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    spin = np.zeros((n, 3))
    spin[:, 0] = amplitude * frequency * shape
    world["r"].angular_velocities = spin
    start = world["r"].quaternions
    turns = run(world, 100, lambda w: turns_about_x(start, w["r"].quaternions))
    series = turns @ shape / (shape @ shape) / (amplitude * frequency)
    seen, decay, misfit = found(series, h, frequency, lag)
    rest = turns - np.outer(turns @ shape / (shape @ shape), shape)
    within(f"twisting mode {mode + 1}: nothing but that mode", np.abs(rest).max() / amplitude, SMALL)
    within(f"twisting mode {mode + 1}: misfit", misfit, SMALL)
    within(f"twisting mode {mode + 1}: frequency against the eigenproblem", abs(seen / frequency - 1.0), SMALL)
    speed = oracles.twist_wave_speed(twisting, mass / (pi * radius**2), radius)
    exact, coarse = oracles.fixed_free_frequencies(speed, 1.0, mode + 1)[-1], ((mode + 0.5) * pi / n) ** 2 / 24
    within(f"twisting mode {mode + 1}: against the wave speed", abs(seen / exact - 1.0), coarse + SMALL)
    within(f"twisting mode {mode + 1}: Kelvin-Voigt time [1/frequency]", abs(decay - lag) * frequency, SMALL)


@pytest.mark.parametrize(("mode", "lag"), [(0, 0.0), (2, 0.0), (0, 2e-3)])
def test_stretching_waves(mode, lag):
    """(n - 1/2) pi c/L, c = sqrt(EA/mu), lower by the chain's (k l)^2/24."""
    n, mass, stretching = 20, 0.1, 50.0
    scene = rope_scene(points=n + 1, mass=mass, stretch=stretching, shear=stretching, damping=lag)
    scene.pin("r.start", clamp=True)
    values, shapes = eigh(chain_matrix(stretching * n, n), mass / n * np.eye(n))
    frequency, shape = np.sqrt(values[mode]), shapes[:, mode] / np.abs(shapes[:, mode]).max()
    amplitude, h = SMALL * 0.2, 0.1 / frequency
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    speeds, points = amplitude * frequency * shape, [0.0]
    for speed in speeds:
        points.append(2.0 * speed - points[-1])  # so that each element's middle has its speed
    world["r"].velocities = np.column_stack([points, np.zeros((n + 1, 2))])
    centres = (np.arange(n) + 0.5) / n
    moved = run(world, 100, lambda w: w["r"]._ends(0.0)[:, 0] - centres)
    series = moved @ shape / (shape @ shape) / (amplitude * frequency)
    seen, decay, misfit = found(series, h, frequency, lag)
    within(f"stretching mode {mode + 1}: misfit", misfit, SMALL)
    within(f"stretching mode {mode + 1}: frequency against the eigenproblem", abs(seen / frequency - 1.0), SMALL)
    exact = oracles.fixed_free_frequencies(oracles.stretch_wave_speed(stretching, mass), 1.0, mode + 1)[-1]
    coarse = ((mode + 0.5) * pi / n) ** 2 / 24
    within(f"stretching mode {mode + 1}: against the wave speed", abs(seen / exact - 1.0), coarse + SMALL)
    within(f"stretching mode {mode + 1}: Kelvin-Voigt time [1/frequency]", abs(decay - lag) * frequency, SMALL)


def swing(chain: oc.Chain, world: pl.World, stiff: np.ndarray, mode: int, along, across, steps: int = 100):
    """(frequency found, of the eigenproblem, Kelvin-Voigt time, misfit): links start to turn as the mode does."""
    weight, _ = oc.matrices(chain)
    values, shapes = eigh(stiff, weight)
    frequency, shape = np.sqrt(values[mode]), shapes[:, mode] / np.abs(shapes[:, mode]).max()
    h, length = world.dt, chain.link[0]
    assert h * frequency < 0.5
    amplitude = 0.2 * SMALL
    turning = amplitude * frequency * shape
    speeds = np.concatenate([[0.0], np.cumsum(length * turning)])
    world["r"].velocities = np.outer(speeds, across)
    read = run(world, steps, lambda w: np.diff(w["r"].positions @ np.array(across)) / length)
    series = (read @ weight @ shape) / (shape @ weight @ shape) / (amplitude * frequency)
    return (*found(series, h, frequency, world.scene["r"].damping), frequency)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_hanging_chain(mode):
    """A limp rope: the eigenproblem of its links; j0 sqrt(g/L)/2 of the continuous chain within 1 %.

    The very first step knows no tension yet and may stop where the pull's turning is (h omega)^2 of it wrong, which
    leaves (h omega)^4 of the speed.
    """
    chain = oc.Chain(40, 2.0, 0.3, 0.005)
    scene = rope_scene(G, path=[(0, 0, 0), (0, 0, -2)], points=41, radius=0.005, mass=0.3, bend="limp", twist="limp")
    scene.pin("r.start")
    guess = oc.hanging_frequencies(chain, mode + 1)[-1]
    world = pl.World(scene, dt=0.1 / guess, substeps=1, threads=1)
    seen, _, misfit, frequency = swing(chain, world, np.diag(oc.matrices(chain)[1]), mode, (0, 0, -1), (1.0, 0.0, 0.0))
    within(f"hanging mode {mode + 1}: misfit", misfit, 0.1**4 + SMALL)
    within(f"hanging mode {mode + 1}: against the eigenproblem", abs(seen / frequency - 1.0), SMALL)
    exact = oracles.hanging_chain_frequencies(2.0, mode + 1)[-1]
    within(f"hanging mode {mode + 1}: against the Bessel zero", abs(seen / exact - 1.0), 0.01)


@pytest.mark.parametrize(("mode", "lag"), [(0, 0.0), (1, 0.0), (2, 0.0), (0, 5e-3), (1, 2e-3)])
def test_cantilever(mode, lag):
    """No gravity: the eigenproblem of the links; beta^2 sqrt(EI/(mu L^4)) within 1 %; decay by the Kelvin-Voigt time."""
    chain = oc.Chain(40, 1.0, 0.1, 0.001, 0.1, clamp=0.0)
    scene = rope_scene(points=41, radius=0.001, damping=lag)
    scene.pin("r.start", clamp=True)
    guess = oc.free_frequencies(chain, mode + 1)[-1]
    world = pl.World(scene, dt=0.1 / guess, substeps=1, threads=1)
    seen, decay, misfit, frequency = swing(chain, world, oc._bend_matrix(chain), mode, (1, 0, 0), (0.0, 0.0, 1.0))
    within(f"cantilever mode {mode + 1}: misfit", misfit, SMALL)
    within(f"cantilever mode {mode + 1}: against the eigenproblem", abs(seen / frequency - 1.0), SMALL)
    exact = oracles.cantilever_frequencies(1.0, 0.1, 0.1, mode + 1)[-1]
    within(f"cantilever mode {mode + 1}: against beta^2", abs(seen / exact - 1.0), 0.01)
    within(f"cantilever mode {mode + 1}: Kelvin-Voigt time [1/frequency]", abs(decay - lag) * frequency, SMALL)
