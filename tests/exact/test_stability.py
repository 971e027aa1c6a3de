"""Springs are stable at any stiffness, damping, step and mass: a Latin hypercube over all of them."""

import numpy as np
import pytest
from energy import EnergyGuard
from scipy.stats import qmc
from seeds import SPRINGS

import pliant as pl

EPS = np.finfo(float).eps
SEED = SPRINGS
STEPS = 50
RANGES = {"k": (1e-2, 1e12), "c": (1e-3, 1e9), "h": (1e-4, 0.1), "m_a": (1e-3, 1e3), "m_b": (1e-3, 1e3)}
"""Stiffness [N/m], damping [N s/m], step [s], masses [kg]; the lowest tenth of the dampings is zero."""


def points(count: int, seed: int):
    """Logarithmically even points of RANGES, and a generator of its own for each."""
    cube = qmc.LatinHypercube(len(RANGES), rng=np.random.default_rng(seed)).random(count)
    for i, row in enumerate(cube):
        point = {name: low * (high / low) ** u for (name, (low, high)), u in zip(RANGES.items(), row, strict=True)}
        if row[1] < 0.1:
            point["c"] = 0.0
        yield f"seed {seed}, point {i}: {point}", point, np.random.default_rng((seed, i))


def unit(rng) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def ball(name: str, position, mass: float, velocity) -> pl.Body:
    return pl.Body(name, pl.Sphere(0.1), mass=mass, position=tuple(position), velocity=tuple(velocity), collide=False)


def along_a_line(point: dict, rng, seed_text: str) -> None:
    """Two bodies, stretched by -0.4 to 0.4 m and parting at -2 to 2 m/s: E falls in every step, as implicit Euler's must.

    Rounding: positions of size 1 m round by eps, so the deflection d by some 8 eps, which is k |d| 8 eps + k (8 eps)^2
    of energy in each step, and the sums that make velocities round by 64 eps of the energy itself.
    """
    n, scene = unit(rng), pl.Scene(gravity=(0, 0, 0))
    scene.add(ball("a", (0, 0, 0), point["m_a"], (0, 0, 0)))
    scene.add(ball("b", rng.uniform(0.6, 1.4) * n, point["m_b"], rng.uniform(-2, 2) * n))
    scene.add(pl.Spring("s", "a", "b", stiffness=point["k"], damping=point["c"], rest_length=1.0))
    world = pl.World(scene, dt=point["h"], substeps=1, threads=1)
    before = start = world.energy()
    for _ in range(STEPS):
        now = world.step().energy
        gap, shift = np.sqrt(2.0 * before.elastic / point["k"]), 8 * EPS * (1.0 + np.linalg.norm(world["b"].position))
        rounding = point["k"] * (gap + shift) * shift + 64 * EPS * before.total
        assert now.total <= before.total + rounding, f"{seed_text}: {before} then {now}"
        assert now.total <= start.total * (1.0 + STEPS * 64 * EPS) + STEPS * rounding, seed_text
        before = now


def turning_and_swinging(point: dict, rng, seed_text: str) -> None:
    """Fastened off the centres, thrown sideways, under gravity, every other one hung from the world."""
    n, scene = unit(rng), pl.Scene()
    if rng.uniform() < 0.5:
        scene.add(ball("a", (0, 0, 0), point["m_a"], rng.uniform(-2, 2, 3)))
        end, at = "a", tuple(0.08 * unit(rng))
    else:
        end, at = pl.WORLD, (0.0, 0.0, 0.0)
    scene.add(ball("b", rng.uniform(0.8, 1.2) * n, point["m_b"], rng.uniform(-3, 3, 3)))
    scene.add(
        pl.Spring(
            "s", end, "b", stiffness=point["k"], damping=point["c"], rest_length=1.0, at_a=at, at_b=tuple(0.08 * unit(rng))
        )
    )
    world = pl.World(scene, dt=point["h"], substeps=1, threads=1)
    guard = EnergyGuard(world)
    for _ in range(STEPS):
        world.step()  # raises when anything is not finite
        try:
            guard(world)
        except AssertionError as error:
            raise AssertionError(f"{seed_text}: {error}") from None


TRIALS = [along_a_line, turning_and_swinging]


@pytest.mark.parametrize("trial", TRIALS)
def test_sweep(trial):
    """200 points of 50 steps."""
    for text, point, rng in points(200, SEED):
        trial(point, rng, text)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("trial", TRIALS)
def test_wide_sweep(trial, seed):
    """Ten other cubes of 1000 points."""
    print(f"seed {seed}")
    for text, point, rng in points(1000, seed):
        trial(point, rng, text)


def chain(stiffness: float, rest_length: float | None, substeps) -> pl.World:
    """Four links on hinges, level, the last held by a spring from above; at rest, or stretched by 0.25 m."""
    scene = pl.Scene()
    for i in range(4):
        scene.add(pl.Body(f"b{i}", pl.Box(0.2, 0.05, 0.05), mass=0.5, position=(0.1 + 0.2 * i, 0, 0), collide=False))
        scene.add(pl.Revolute(f"j{i}", f"b{i - 1}" if i else pl.WORLD, f"b{i}", anchor=(0.2 * i, 0, 0), axis=(0, 1, 0)))
    scene.add(pl.Spring("s", pl.WORLD, "b3", stiffness=stiffness, rest_length=rest_length, at_a=(0.4, 0, 0.8)))
    return pl.World(scene, substeps=substeps, threads=1)


@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e6, 1e9, 1e12])
def test_a_spring_on_a_chain_adds_nothing(stiffness):
    """At rest when let go, as many substeps as the world chooses, 5 s: energy by the helper."""
    world = chain(stiffness, None, "auto")
    world.on_step(EnergyGuard(world))
    world.run(5.0)


@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e6, 1e9])
def test_a_stretched_spring_on_a_chain_stays_finite(stiffness):
    """Stretched by 0.25 m when let go, one substep of 1/60 s: no NaN, and energy by the helper."""
    world = chain(stiffness, 0.6, 1)
    world.on_step(EnergyGuard(world))
    world.run(5.0)


@pytest.mark.parametrize("substeps", [1, "auto"])
@pytest.mark.parametrize("springs", [1, 2])
@pytest.mark.parametrize("joint", [pl.Revolute, pl.Spherical])
def test_a_heavy_load_on_springs_from_a_light_link(joint, springs, substeps):
    """100 kg on springs of 1e5 N/m from 0.1 kg on a pivot, all off the centres, thrown, 5 s: energy and a closed pivot.

    A substep whose joint gapes by 1e-5 m is taken again in halves, down to 1/32: it never got that far if this holds.
    """
    scene = pl.Scene()
    scene.add(pl.Body("link", pl.Box(0.2, 0.05, 0.05), mass=0.1, position=(0.1, 0, 0), collide=False))
    scene.add(joint("pivot", pl.WORLD, "link", anchor=(0, 0, 0), axis=(0, 1, 0)))
    scene.add(pl.Body("load", pl.Box(0.5, 0.5, 0.5), mass=100.0, position=(0.2, 0, -1), velocity=(0.3, 0.15, 0), collide=False))
    for y in (0.0,) if springs == 1 else (-0.2, 0.2):
        ends = {"at_a": (0.1, 0.1 * y, 0.02), "at_b": (0.1, y, 0.25)}
        scene.add(pl.Spring(f"spring {y}", "link", "load", stiffness=1e5, **ends))
    world = pl.World(scene, substeps=substeps, threads=1)
    world.on_step(EnergyGuard(world))
    assert world.run(5.0).drift <= 1e-5
    assert world["load"].position[2] < -0.9, "it hangs on the springs"
