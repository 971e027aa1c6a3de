"""What the tests of direct ropes share: a rope in a scene, worlds that settle, errors against oracles and their orders."""

from itertools import pairwise

import numpy as np

import pliant as pl

CLOSE = 3e-7
"""A substep ends when no joint gapes by more than this share of an element: a rope errs by this share of its length."""


def rope_scene(gravity: float = 0.0, drag: float = 0.0, *, path=((0, 0, 0), (1, 0, 0)), **rope) -> pl.Scene:
    """A scene with one rope "r", 1 m along +x, 10 mm thick, 0.1 kg, E I = G J = 0.1 N m2 unless told otherwise."""
    scene = pl.Scene(gravity=(0.0, 0.0, -gravity), drag=drag)
    given = {"points": 21, "radius": 0.01, "mass": 0.1, "bend": 0.1, "twist": 0.1} | rope
    scene.add(pl.Rope("r", path=path, **given))
    return scene


def slide(scene: pl.Scene, word: str, clamp: bool = False) -> None:
    """Hold an end of "r", which lies along x, by a large light body on a rail along x: a pin that slides, for every method."""
    x = 0.0 if word == "start" else 1.0
    scene.add(pl.Body("slider", pl.Box(0.5, 0.5, 0.5), mass=0.1, position=(x, 0, 0), collide=False))
    scene.add(pl.Prismatic("rail", pl.WORLD, "slider", anchor=(x, 0, 0), axis=(1, 0, 0)))
    scene.attach(f"r.{word}", "slider", at=(0, 0, 0), clamp=clamp)


def settled(scene: pl.Scene, seconds: float, dt: float = 0.1) -> pl.World:
    """The world after `seconds`; where nothing moves any more the length of the step is of no account."""
    world = pl.World(scene, dt=dt, substeps=1, threads=1)
    report = world.run(seconds)
    speed = float(np.abs(world["r"].velocities).max())
    assert speed < 1e-6, f"still moving, {speed:.3g} m/s; {report}"
    return world


def plane(world: pl.World, name: str = "r") -> np.ndarray:
    """Points (x, z) [m] of a rope that lies in the plane y = 0."""
    points = world[name].positions
    assert np.abs(points[:, 1]).max() < 1e-5 * world[name].length, "it has left its plane"
    return points[:, [0, 2]]


def within(what: str, measured: float, most: float) -> None:
    """Fail above `most`; say both (pytest -rP shows them)."""
    print(f"| {what} | {measured:.3g} | {most:.3g} |")
    assert measured <= most, f"{what}: {measured:.6g}, at most {most:.6g}"


def order(errors, ratio: float = 2.0) -> float:
    """The least exponent by which errors fall when the step or element shrinks by `ratio` from one to the next."""
    return float(min(np.log(a / b) / np.log(ratio) for a, b in pairwise(errors)))


def at_least(what: str, measured: float, least: float) -> None:
    """Fail below `least`; say both."""
    print(f"| {what} | {measured:.3g} | at least {least:.3g} |")
    assert measured >= least, f"{what}: {measured:.6g}, at least {least:.6g}"
