"""Triangles for every shape, each in its own frame, and the coil of a spring."""

from functools import singledispatch
from itertools import pairwise
from typing import cast

import numpy as np
import trimesh

from ..compile.hulls import field_triangles, load_mesh
from ..scene.shape import Box, Capsule, Cylinder, HeightField, Mesh, Sphere

AROUND = 48
"""Sides of a round shape."""
SHARP = np.radians(30.0)
"""Edges bent more than this are drawn as edges."""


@singledispatch
def shape_mesh(shape) -> trimesh.Trimesh:
    """The surface of a shape [m], shape's frame, outward; closed for all but a HeightField."""
    raise TypeError(f"{type(shape).__name__} has no picture.")


@shape_mesh.register
def _(shape: Box) -> trimesh.Trimesh:
    return trimesh.creation.box(extents=(shape.x, shape.y, shape.z))


@shape_mesh.register
def _(shape: Sphere) -> trimesh.Trimesh:
    return _turned(_cap_profile(shape.radius, 0.0))


@shape_mesh.register
def _(shape: Capsule) -> trimesh.Trimesh:
    return _turned(_cap_profile(shape.radius, shape.length))


@shape_mesh.register
def _(shape: Cylinder) -> trimesh.Trimesh:
    r, h = shape.radius, 0.5 * shape.length
    return _turned([(0.0, -h), (r, -h), (r, h), (0.0, h)])


@shape_mesh.register
def _(shape: Mesh) -> trimesh.Trimesh:
    mesh = load_mesh(shape.source, shape.scale, may_be_open=True)
    return trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)


@shape_mesh.register
def _(shape: HeightField) -> trimesh.Trimesh:
    return trimesh.Trimesh(*field_triangles(shape.heights, shape.size), process=False)


def shape_marks(shape) -> trimesh.Trimesh | None:
    """What shows a round shape turning: a hub on the ends of a wheel, a band around a ball; None for the others."""
    if isinstance(shape, Cylinder) and shape.length <= 2.0 * shape.radius:
        return _hub(shape.radius, shape.length)
    if isinstance(shape, Sphere):
        # Raised by a thousandth, so that the ball's own surface does not show through it.
        angles = np.linspace(-0.16, 0.16, 5)
        return _turned([(1.001 * shape.radius * np.cos(a), 1.001 * shape.radius * np.sin(a)) for a in angles])
    return None


def _hub(radius: float, length: float, spokes: int = 5) -> trimesh.Trimesh:
    lift = 0.02 * radius
    disc = _turned([(0.0, -0.5 * length - lift), (0.34 * radius, -0.5 * length - lift),
                    (0.34 * radius, 0.5 * length + lift), (0.0, 0.5 * length + lift)])
    bars = [disc]
    for k in range(spokes):
        bar = trimesh.creation.box(extents=(0.5 * radius, 0.13 * radius, length + lift))
        bar.apply_translation((0.45 * radius, 0.0, 0.0))
        bar.apply_transform(trimesh.transformations.rotation_matrix(2.0 * np.pi * k / spokes, (0.0, 0.0, 1.0)))
        bars.append(bar)
    return cast(trimesh.Trimesh, trimesh.util.concatenate(bars))


def _cap_profile(radius: float, length: float, steps: int = AROUND // 4) -> list[tuple[float, float]]:
    """Half the outline of a capsule from pole to pole: (distance from the axis, height) [m]."""
    angles = np.linspace(0.0, 0.5 * np.pi, steps + 1)
    upper = [(radius * np.cos(a), 0.5 * length + radius * np.sin(a)) for a in angles[:-1]]
    upper.append((0.0, 0.5 * length + radius))
    lower = [(r, -z) for r, z in reversed(upper)]
    return lower + (upper if length > 0.0 else upper[1:])


def _turned(profile, sides: int = AROUND) -> trimesh.Trimesh:
    """The surface that an outline (distance from the axis, height) sweeps about z; poles are single vertices."""
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    rings: list[np.ndarray] = []
    vertices: list[np.ndarray] = []
    faces: list[np.ndarray] = []
    first = 0
    for r, z in profile:
        if r > 0.0:
            vertices.append(np.stack([r * np.cos(turn), r * np.sin(turn), np.full(sides, z)], axis=-1))
            rings.append(first + np.arange(sides))
        else:
            vertices.append(np.array([[0.0, 0.0, z]]))
            rings.append(np.full(sides, first))
        first += len(vertices[-1])
    for low, high in pairwise(rings):
        low_next, high_next = np.roll(low, -1), np.roll(high, -1)
        if low[0] != low[1]:
            faces.append(np.stack([low, low_next, high_next], axis=-1))
        if high[0] != high[1]:
            faces.append(np.stack([low, high_next, high], axis=-1))
    return trimesh.Trimesh(np.concatenate(vertices), np.concatenate(faces), process=False)


def crisp(mesh: trimesh.Trimesh) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces with vertices parted along sharp edges, so that smooth shading keeps the edges."""
    if len(mesh.faces) > 200_000:
        return np.asarray(mesh.vertices), np.asarray(mesh.faces)
    parted = trimesh.graph.smooth_shade(mesh, angle=float(SHARP))
    return np.asarray(parted.vertices), np.asarray(parted.faces)


def coil(turns: float, wire: float, flat: float, steps: int = 20, sides: int = 8) -> trimesh.Trimesh:
    """A coil about z from z = 0 to 1 of radius 1 with leads on the axis, to be scaled to (radius, radius, length).

    `wire`: radius of the wire [of the coil's radius]; `flat`: coil's radius over the spring's length, so that the wire
    is round after scaling by it.
    """
    path = coil_path(turns, steps)
    along = np.gradient(path * (1.0, 1.0, 1.0 / flat), axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.zeros_like(path)
    across[0] = (1.0, 0.0, 0.0)
    for i in range(1, len(path)):  # carried along the wire without twist
        across[i] = across[i - 1] - (across[i - 1] @ along[i]) * along[i]
        across[i] /= np.linalg.norm(across[i])
    other = np.cross(along, across)
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)[None, :, None]
    rings = wire * (np.cos(turn) * across[:, None] + np.sin(turn) * other[:, None]) * (1.0, 1.0, flat)
    vertices = (path[:, None] + rings).reshape(-1, 3)
    return trimesh.Trimesh(np.concatenate([vertices, path[[0, -1]]]), _tube_faces(len(path), sides), process=False)


def coil_path(turns: float, steps: int, lead: float = 0.12) -> np.ndarray:
    """The wire's centre line (n, 3): a lead on the axis, a helix of radius 1, a lead; z from 0 to 1."""
    angle = np.linspace(0.0, 2.0 * np.pi * turns, round(turns * steps) + 1)
    part = angle / angle[-1]
    ease = np.clip(np.minimum(part, 1.0 - part) * turns * 2.0, 0.0, 1.0)
    radius = ease * ease * (3.0 - 2.0 * ease)  # opens over half a turn
    helix = np.stack([radius * np.cos(angle), radius * np.sin(angle), lead + (1.0 - 2.0 * lead) * part], axis=-1)
    return np.concatenate([[(0.0, 0.0, 0.0)], helix, [(0.0, 0.0, 1.0)]])


def _tube_faces(rings: int, sides: int) -> np.ndarray:
    ring = np.arange(rings * sides).reshape(rings, sides)
    a, b = ring[:-1], ring[1:]
    a_next, b_next = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    first, last = np.full(sides, rings * sides), np.full(sides, rings * sides + 1)
    return np.concatenate([
        np.stack([a, a_next, b_next], -1).reshape(-1, 3), np.stack([a, b_next, b], -1).reshape(-1, 3),
        np.stack([np.roll(ring[0], -1), ring[0], first], -1), np.stack([ring[-1], np.roll(ring[-1], -1), last], -1)])
