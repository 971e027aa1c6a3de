"""Sheets that fall on the ball of the scenes `cloth` and `drape`."""

import numpy as np
from energy import EnergyGuard

import pliant as pl

CENTRE, RADIUS = np.array([0.0, 0.0, 0.6]), 0.3


def fallen(name: str, bearers: tuple[str, ...] = ()) -> tuple[pl.World, np.ndarray, np.ndarray]:
    """A scene after 5 s in still air; the forces on its sheet in the last second, of contacts and of `bearers`; all gaps."""
    world, forces, gaps = pl.World(pl.load(name), threads=1), [], []
    world.on_step(EnergyGuard(world))

    def look(w: pl.World) -> None:
        forces.append(sum((w[one].force for one in bearers), w["sheet"].contact_force))
        gaps.append(surface_distances(w).min() - RADIUS)

    world.run(5.0, each=look)
    return world, np.array(forces[-60:]), np.array(gaps)


def surface_distances(world: pl.World) -> np.ndarray:
    """Distances of vertices, of the middles of edges and of faces from the ball's centre [m]."""
    corner = world["sheet"].positions[world["sheet"].faces]
    points = np.concatenate([corner, 0.5 * (corner + np.roll(corner, 1, axis=1)), corner.mean(axis=1, keepdims=True)], axis=1)
    return np.linalg.norm(points - CENTRE, axis=2)


def bears_its_weight(world: pl.World, forces: np.ndarray, side: float) -> float:
    """Statics, to what still swings after 5 s; returns the weight [N] of a sheet of this `side` [m]."""
    weight = 9.81 * world["sheet"].mass
    assert abs(weight / (9.81 * 60.0 * 0.004 * side**2) - 1.0) < 1e-12
    swing = forces.std(axis=0).max()
    np.testing.assert_allclose(forces.mean(axis=0), (0.0, 0.0, weight), rtol=0, atol=0.01 * weight + swing)
    assert swing < 0.1 * weight
    return weight


def clear_of_the_ball(world: pl.World) -> float:
    """Smallest distance [m] of a vertex from the ball."""
    return float(np.linalg.norm(world["sheet"].positions - CENTRE, axis=1).min() - RADIUS)


def has_come_to_rest(world: pl.World) -> bool:
    """Of what it fell with, of the order of weight times height, hardly a thousandth is left."""
    return world.energy().kinetic < 1e-3 * 9.81 * world["sheet"].mass * 0.2
