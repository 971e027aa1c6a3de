"""Random points of a sweep, spread evenly, and what every one of them has to stand."""

from collections.abc import Iterator
from math import cos, sin

import numpy as np
import pytest
from energy import EnergyGuard
from scipy.stats import qmc

import pliant as pl


def points(ranges: dict, count: int, seed: int) -> Iterator[tuple[str, dict, np.random.Generator]]:
    """Logarithmically even points of `ranges`, substeps one and "auto" by turns, and a generator of its own for each.

    The lowest fifth of "c" is zero.
    """
    cube = qmc.LatinHypercube(len(ranges), rng=np.random.default_rng(seed)).random(count)
    for i, row in enumerate(cube):
        point = {name: low * (high / low) ** u for (name, (low, high)), u in zip(ranges.items(), row, strict=True)}
        point["c"] = 0.0 if row[list(ranges).index("c")] < 0.2 else point["c"]
        point["substeps"] = "auto" if i % 4 == 3 else 1
        yield f"seed {seed}, point {i}: {point}", point, np.random.default_rng((seed, i))


def sweep(kind, ranges: dict, count: int, seed: int, steps: int) -> None:
    """`steps` steps of scenes kind(point, rng): finite, as `step` sees to, and no energy beyond the start's, by the helper."""
    print(f"seed {seed}")
    for text, point, rng in points(ranges, count, seed):
        world = pl.World(kind(point, rng), dt=point["h"], substeps=point["substeps"], threads=1)
        guard = EnergyGuard(world)
        try:
            for _ in range(steps):
                world.step()
                guard(world)
        except (AssertionError, pl.Diverged) as error:
            raise AssertionError(f"{text}: {error}") from None


def sweeps(kinds: list, ranges: dict, steps: int, seed: int, count: int, wide: int) -> tuple:
    """Two tests: `count` points of `steps` steps in all, shared among `kinds`; and, as a soak, `wide` of each in five other
    cubes."""
    @pytest.mark.parametrize("kind", kinds)
    def narrow_sweep(kind):
        sweep(kind, ranges, count // len(kinds), seed, steps)

    @pytest.mark.soak
    @pytest.mark.parametrize("cube", range(5))
    @pytest.mark.parametrize("kind", kinds)
    def wide_sweep(kind, cube):
        sweep(kind, ranges, wide, cube, steps)

    return narrow_sweep, wide_sweep


def parallelogram(scene: pl.Scene, mass: float, lean: float) -> list[tuple]:
    """Three bars of `mass` [kg] each on the ground, that `lean` [rad], to be hinged: (name, parent, child, place) of each."""
    foot, top, along = np.zeros(3), np.array([0.3 * cos(lean), 0.0, 0.3 * sin(lean)]), np.array([0.5, 0.0, 0.0])
    turned = (cos(0.5 * lean), 0.0, -sin(0.5 * lean), 0.0)
    for name, start in (("left", foot), ("right", along)):
        scene.add(pl.Body(name, pl.Box(0.3, 0.03, 0.03), mass=mass, position=start + 0.5 * top, quaternion=turned,
                          collide=False))
    scene.add(pl.Body("bar", pl.Box(0.5, 0.03, 0.03), mass=mass, position=top + 0.5 * along, collide=False))
    return [("a", pl.WORLD, "left", foot), ("b", "left", "bar", top), ("c", "bar", "right", top + along),
            ("d", pl.WORLD, "right", along)]
