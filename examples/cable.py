"""Bend and twist a cable at its tip, check its balance at every point, and draw what it settles to: cable.svg."""

from pathlib import Path

import numpy as np

import pliant as pl

CASES = ((0.0, 0.0), (-1.0, 0.0), (0.5, 0.0), (1.5, 0.0), (0.0, 0.2))
"""Force [N] and torque [N m] at the tip."""


def build(force: float = 0.0, torque: float = 0.0, scene: str = "cable") -> pl.World:
    """The cable, settled under a force and a torque at its tip; "cable-paper" has paper C's masses, 50 kg a metre."""
    world = pl.World(pl.load(scene))
    world.control["tip_force"], world.control["tip_torque"] = force, torque
    world.run(15.0)
    return world


def out_of_balance(world: pl.World, force: float) -> float:
    """The largest share by which a bending moment differs from that of all weights and forces beyond its point."""
    cable, mass = world["cable"], world.scene["cable"].mass
    points = cable.positions
    middles, weight = 0.5 * (points[1:] + points[:-1])[:, 0], -9.81 * mass / (len(points) - 1)
    beyond = [force * (points[-1, 0] - x) + weight * (middles[k:] - x).sum() for k, x in enumerate(points[:-1, 0])]
    return float(np.abs(np.abs(beyond) - np.linalg.norm(cable.bending_moment, axis=1)[:-1]).max() / np.abs(beyond).max())


def turned(world: pl.World) -> float:
    """How far the tip is twisted against the clamp [rad]: the turns of all joints together."""
    cable = world["cable"]
    element = cable.length / (len(cable.twist) - 1)
    return float(np.abs(cable.twist[1:-1]).sum() * element + abs(cable.twist[0]) * element / 2)


def draw(shapes: list[np.ndarray], path: str) -> None:
    """Side views of points (n, 3) as an SVG of a metre to 400 pixels."""
    lines = [" ".join(f"{40 + 400 * x:.1f},{420 - 400 * z:.1f}" for x, _, z in points) for points in shapes]
    rows = [f'<polyline fill="none" stroke="steelblue" stroke-width="6" points="{line}"/>' for line in lines]
    Path(path).write_text('<svg xmlns="http://www.w3.org/2000/svg" width="480" height="840">' + "".join(rows) + "</svg>\n")


def check() -> None:
    assert out_of_balance(build(0.5), 0.5) < 1e-3, "statics at every point"
    exact = 0.2 * (1.0 - 0.5 / 49) / 0.5  # T L/GJ up to the middle of the last element
    assert abs(turned(build(0.0, 0.2)) / exact - 1.0) < 1e-3, "torsion"


if __name__ == "__main__":
    worlds = [build(*case) for case in CASES]
    print("force upwards and torque at the tip of a cable that is clamped level at the origin")
    for (force, torque), world in zip(CASES, worlds, strict=True):
        x, y, z = world["cable"].positions[-1]
        print(f"{force:5.1f} N, {torque:4.1f} N m: tip at ({x:6.3f}, {y:6.3f}, {z:6.3f}) m, twisted by {turned(world):.4f} rad")
    draw([world["cable"].positions for world in worlds], "cable.svg")
    print("drawn in cable.svg")
