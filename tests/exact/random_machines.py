"""Random machines, trees and loops of joints with drives of all kinds, driven back and forth by one control u."""

import numpy as np

import pliant as pl

PERIOD = 0.31
"""After so long [s] the control turns about."""


def motor(rng: np.random.Generator) -> object:
    """One that follows the control u, with a bound or none."""
    effort, gear = float(10 ** rng.uniform(0.5, 2.6)), float(rng.uniform(5, 100))
    bound = effort if rng.random() < 0.6 else float("inf")
    return (pl.VelocityMotor({"u": float(rng.uniform(2, 30) * rng.choice([-1, 1]))}, max_effort=bound),
            pl.DCMotor({"u": 24.0}, 0.05, 0.05, 0.5, 24.0, gear=gear, inertia=float(rng.choice([0, 1e-5]))),
            pl.PositionMotor({"u": 1.5}, float(10 ** rng.uniform(2, 5)), float(10 ** rng.uniform(0, 2)), max_effort=bound),
            )[rng.integers(3)]


def drives(rng: np.random.Generator, kind: type, driven: float) -> dict:
    """What moves or brakes a joint of this `kind`: a motor with the probability `driven`, damping, frictions, limits or not."""
    found: dict = {}
    if kind is not pl.Spherical and rng.random() < driven:
        found["motor"] = motor(rng)
    for field, share, low, high in (("damping", 0.3, -2, 1), ("friction", 0.3, -1, 1), ("reaction_friction", 0.4, -3, -0.7)):
        if rng.random() < share:
            found[field] = float(10 ** rng.uniform(low, high))
    if rng.random() < 0.5:
        most = float(rng.uniform(0.1, 1.5)) * (0.3 if kind in (pl.Prismatic, pl.Cylindrical) else 1.0)
        found["limits"] = (0.0 if kind is pl.Spherical else -most, most)
    return found


def world_of(scene: pl.Scene, rng: np.random.Generator) -> pl.World:
    """In steps of 1/25 to 1/240 s, two to sixteen substeps or "auto"."""
    substeps = rng.choice([0, 2, 4, 8, 16])
    return pl.World(scene, dt=float(rng.choice([1 / 25, 1 / 30, 1 / 60, 1 / 240])), threads=1,
                    substeps=int(substeps) if substeps else "auto")


def tree(rng: np.random.Generator) -> pl.World:
    """Up to six links on the world or on a body that floats free."""
    floats = rng.random() < 0.4
    scene, parent = pl.Scene(gravity=(0, 0, 0.0 if floats else float(rng.choice([0.0, -9.81])))), pl.WORLD
    scene.add(pl.Control("u", -1, 1))
    if floats:
        parent = scene.add(pl.Body("base", pl.Box(0.3, 0.3, 0.3), mass=float(10 ** rng.uniform(-0.5, 1.2)), collide=False))
    links: list = []
    for k in range(rng.integers(1, 7)):
        up = parent if not links or rng.random() < 0.7 else links[rng.integers(len(links))]
        link = scene.add(pl.Body(f"link{k}", pl.Capsule(0.04, 0.3), mass=float(10 ** rng.uniform(-0.5, 1.2)), collide=False,
                                 position=(0.4 * k + 0.2, 0, 0), quaternion=(0.5**0.5, 0, 0.5**0.5, 0)))
        kind = (pl.Revolute, pl.Revolute, pl.Universal, pl.Prismatic, pl.Cylindrical, pl.Spherical)[rng.integers(6)]
        scene.add(kind(f"joint{k}", up, link, anchor=(0.4 * k, 0, 0), axis=np.eye(3)[rng.integers(3)],
                       **drives(rng, kind, 0.75)))
        links.append(link)
        parent = link
    return world_of(scene, rng)


def sprung_tree(rng: np.random.Generator) -> pl.World:
    """Up to six links on the world, with springs in joints, and motors, limits and frictions; none slides on a link."""
    scene, links = pl.Scene(gravity=(0, 0, float(rng.choice([0.0, -9.81])))), [pl.WORLD]
    scene.add(pl.Control("u", -1, 1))
    for k in range(rng.integers(1, 7)):
        up = links[-1] if k == 0 or rng.random() < 0.7 else links[rng.integers(1, len(links))]
        links.append(scene.add(pl.Body(f"link{k}", pl.Capsule(0.04, 0.3), mass=float(10 ** rng.uniform(-0.5, 1.2)),
                                       collide=False, position=(0.4 * k + 0.2, 0, 0), quaternion=(0.5**0.5, 0, 0.5**0.5, 0))))
        kinds = (pl.Revolute, pl.Universal, pl.Spherical) + ((pl.Prismatic, pl.Cylindrical) if k == 0 else ())
        kind = kinds[rng.integers(len(kinds))]
        scene.add(kind(f"joint{k}", up, links[-1], anchor=(0.4 * k, 0, 0), axis=np.eye(3)[rng.integers(3)],
                       **drives(rng, kind, 0.4)))
        if kind is not pl.Spherical and rng.random() < 0.7:
            scene.add(pl.JointSpring(f"spring{k}", f"joint{k}", float(10 ** rng.uniform(0, 6)),
                                     float(rng.choice([0, 10 ** rng.uniform(-2, 2)])), rest=float(rng.uniform(-0.5, 0.5))))
    return world_of(scene, rng)


def bar(scene: pl.Scene, rng: np.random.Generator, name: str, start: np.ndarray, end: np.ndarray) -> pl.Body:
    """A link in the plane of x and z."""
    way, half = end - start, 0.5 * np.arctan2(end[0] - start[0], end[2] - start[2])
    return scene.add(pl.Body(name, pl.Box(0.03, 0.03, float(np.linalg.norm(way))), mass=float(10 ** rng.uniform(-0.5, 1.2)),
                             position=0.5 * (start + end), quaternion=(np.cos(half), 0, np.sin(half), 0), collide=False))


def loop(rng: np.random.Generator) -> pl.World:
    """A four-bar linkage or a slider-crank, its crank driven, others now and then."""
    scene = pl.Scene(gravity=(0, 0, float(rng.choice([0.0, -9.81]))))
    scene.add(pl.Control("u", -1, 1))
    foot, turn, length = np.zeros(3), float(rng.uniform(0.3, 1.2)), float(rng.uniform(0.2, 0.6))
    top = length * np.array([np.cos(turn), 0, np.sin(turn)])
    crank = bar(scene, rng, "crank", foot, top)
    slides = rng.random() < 0.5
    if slides:
        rod_length = max(float(rng.uniform(0.4, 1.2)), top[2] + 0.05 + length)
        far = np.array([top[0] + np.sqrt(rod_length**2 - top[2] ** 2), 0, 0])
        rod = bar(scene, rng, "rod", top, far)
        end = scene.add(pl.Body("slider", pl.Box(0.05, 0.05, 0.05), mass=float(10 ** rng.uniform(-0.5, 1.2)), position=far,
                                collide=False))
    else:
        far = top + np.array([rng.uniform(0.1, 0.5), 0, rng.uniform(-0.1, 0.4)])
        last = np.array([rng.uniform(0.3, 0.8), 0, 0])
        rod, end = bar(scene, rng, "rod", top, far), bar(scene, rng, "rocker", last, far)
    joints = [("joint0", pl.WORLD, crank, foot, 1.0), ("joint1", crank, rod, top, 0.2), ("joint2", rod, end, far, 0.0)]
    for name, a, b, at, driven in joints:
        scene.add(pl.Revolute(name, a, b, anchor=at, axis=(0, 1, 0), **drives(rng, pl.Revolute, driven)))
    kind, at, axis = (pl.Prismatic, far, (1, 0, 0)) if slides else (pl.Revolute, last, (0, 1, 0))
    scene.add(kind("joint3", pl.WORLD, end, anchor=at, axis=axis, **drives(rng, kind, 0.3)))
    return world_of(scene, rng)
