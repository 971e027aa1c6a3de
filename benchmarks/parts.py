"""A scene as plain numbers, for engines that are not pliant: masses, places, the tree of joints."""

from typing import NamedTuple

import numpy as np

import pliant as pl
from pliant.scene.joint import Joint


class Solid(NamedTuple):
    """Mass properties of a body."""

    mass: float
    """[kg]"""
    center: np.ndarray
    """Centre of mass [m], body's frame (3,)."""
    inertia: np.ndarray
    """About the centre of mass, body's axes [kg m2] (3, 3)."""


def rotation(q) -> np.ndarray:
    """Matrix (3, 3) of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def rotations(q: np.ndarray) -> np.ndarray:
    """Matrices (n, 3, 3) of quaternions (n, 4)."""
    return np.moveaxis(rotation(q.T), -1, 0)


def product(a, b) -> np.ndarray:
    """Quaternion product (w, x, y, z)."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return np.array([aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
                     aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw])


def inverse(q) -> np.ndarray:
    """The opposite turn of a unit quaternion."""
    return np.array([q[0], -q[1], -q[2], -q[3]])


def placed_shapes(body: pl.Body) -> tuple[pl.Placed, ...]:
    """The shapes of a body, each with its place; a height field is not among them."""
    if isinstance(body.shape, tuple):
        return body.shape
    return () if isinstance(body.shape, pl.HeightField) else (pl.Placed(body.shape),)


def _unit_density(shape) -> tuple[float, np.ndarray]:
    """Volume [m3] and inertia / density (3, 3) of a shape about its own centre."""
    if isinstance(shape, pl.Box):
        volume = shape.x * shape.y * shape.z
        xx, yy, zz = shape.x**2, shape.y**2, shape.z**2
        return volume, volume / 12.0 * np.diag([yy + zz, xx + zz, xx + yy])
    r = shape.radius
    if isinstance(shape, pl.Sphere):
        volume = 4.0 / 3.0 * np.pi * r**3
        return volume, 0.4 * volume * r**2 * np.eye(3)
    length = shape.length
    tube = np.pi * r**2 * length
    across, along = tube * (3 * r**2 + length**2) / 12.0, 0.5 * tube * r**2
    if isinstance(shape, pl.Cylinder):
        return tube, np.diag([across, across, along])
    if not isinstance(shape, pl.Capsule):
        raise TypeError(f"the benchmark knows no mass properties of {type(shape).__name__}")
    caps = 4.0 / 3.0 * np.pi * r**3  # two half balls, each with its centre 3/8 r outside the tube's end
    across += caps * (0.4 * r**2 + 0.375 * r * length + 0.25 * length**2)
    return tube + caps, np.diag([across, across, along + 0.4 * caps * r**2])


def solid(body: pl.Body) -> Solid:
    """Mass properties of a body: as given, the rest from its shapes at even density."""
    volumes, centers, inertias = [], [], []
    for one in placed_shapes(body):
        volume, inertia = _unit_density(one.shape)
        turn = rotation(one.quaternion)
        volumes.append(volume)
        centers.append(np.array(one.position))
        inertias.append(turn @ inertia @ turn.T)
    volume = sum(volumes)
    mass = body.mass if body.mass is not None else volume * (body.density or 1000.0)
    center = sum(v * c for v, c in zip(volumes, centers, strict=True)) / volume
    if body.center_of_mass is not None:
        center = np.array(body.center_of_mass)
    if body.inertia is not None:
        xx, yy, zz, xy, xz, yz = (*body.inertia, 0.0, 0.0, 0.0)[:6]
        return Solid(mass, center, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    total = np.zeros((3, 3))
    for v, c, inertia in zip(volumes, centers, inertias, strict=True):
        arm = c - center
        total += inertia + v * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return Solid(mass, center, mass / volume * total)


class Tree(NamedTuple):
    """Bodies depth first (PyBullet numbers them so whatever it is told), each with the joint that holds it."""

    bodies: list[pl.Body]
    joint_of: dict[str, Joint]
    """By the child's name; a body without one is free."""


def tree(scene: pl.Scene) -> Tree:
    """Sort the bodies of a scene along its joints; a closed loop is refused."""
    bodies = {t.name: t for t in scene.flat() if isinstance(t, pl.Body)}
    joint_of: dict[str, Joint] = {}
    for joint in (t for t in scene.flat() if isinstance(t, Joint)):
        if joint.child in joint_of or joint.child not in bodies:
            raise ValueError(f"joint '{joint.name}' closes a loop or names no body; the peers get trees only")
        joint_of[joint.child] = joint
    children: dict[str, list[str]] = {}
    for name in bodies:
        children.setdefault(joint_of[name].parent if name in joint_of else "", []).append(name)
    done: list[pl.Body] = []
    waiting = [*children.get("", []), *children.get(pl.WORLD, [])][::-1]
    while waiting:
        name = waiting.pop()
        done.append(bodies[name])
        waiting += children.get(name, [])[::-1]
    return Tree(done, joint_of)


def anchor_of(joint: Joint, child: pl.Body) -> np.ndarray:
    """Where a joint sits [m], world frame, at the start."""
    return np.array(child.position if joint.anchor is None else joint.anchor)


def value_of(signal, controls: dict[str, float]) -> float:
    """A motor's signal as a number, with the controls as they stand."""
    if isinstance(signal, str):
        return controls[signal]
    if isinstance(signal, dict):
        return sum(weight * controls[name] for name, weight in signal.items())
    return signal
