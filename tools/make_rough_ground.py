"""Writes the heights of the scout's rough ground: bumps of 5 to 10 cm on gentle waves, flat where the robot starts."""

from pathlib import Path

import numpy as np

SIDE, COUNT, SEED = 40.0, 251, 7
"""Length of a side [m], points along it, seed of the bumps."""
START = 0.10
"""Height of the flat place around the origin [m]."""


def heights() -> np.ndarray:
    """Heights (COUNT, COUNT) [m]: nowhere below 2 cm except at the rim, which dips under the plane around it."""
    rng = np.random.default_rng(SEED)
    line = np.linspace(-SIDE / 2, SIDE / 2, COUNT)
    x, y = np.meshgrid(line, line, indexing="ij")
    waves = 0.03 * np.sin(0.7 * x + 0.4) * np.cos(0.5 * y) + 0.03 * np.sin(0.3 * x - 0.45 * y)
    bumps = np.zeros_like(x)
    for px, py in _spread(rng, 1.0):
        tall, wide = rng.uniform(0.05, 0.10), rng.uniform(0.22, 0.40)
        bumps = np.maximum(bumps, tall * np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * wide * wide)))
    ground = START + waves + bumps
    flat = _smooth((np.hypot(x, y) - 0.9) / 0.8)
    rim = _smooth((SIDE / 2 - np.maximum(abs(x), abs(y))) / 2.5)
    ground = START + flat * (ground - START)
    return np.round(rim * ground - (1 - rim) * 0.06, 4)


def _spread(rng: np.random.Generator, spacing: float):
    """One random place in every square of a grid, so that bumps are everywhere but in no pattern."""
    for i in np.arange(-SIDE / 2, SIDE / 2, spacing):
        for j in np.arange(-SIDE / 2, SIDE / 2, spacing):
            yield i + spacing * rng.uniform(), j + spacing * rng.uniform()


def _smooth(t: np.ndarray) -> np.ndarray:
    """0 below 0, 1 above 1, level at both."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3 - 2 * t)


def main() -> None:
    folder = Path(__file__).resolve().parents[1] / "pliant" / "scene" / "built_in"
    np.savez_compressed(folder / "rough-ground.npz", heights=heights().astype(np.float32))


if __name__ == "__main__":
    main()
