"""Shapes of rigid bodies, each in its own frame."""

from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from .errors import fail, number, shown, table, unit_quaternion, vector
from .thing import Part, Quaternion, Vector


class Box(Part, frozen=True):
    """A box with full lengths x, y, z [m]."""

    x: float
    """Full length along x [m]."""
    y: float
    """Full length along y [m]."""
    z: float
    """Full length along z [m]."""

    def __post_init__(self) -> None:
        self._set(**{f: number(self, f, getattr(self, f), "m", above=0.0) for f in ("x", "y", "z")})


class Sphere(Part, frozen=True):
    """A ball of radius [m]."""

    radius: float
    """[m]"""

    def __post_init__(self) -> None:
        self._set(radius=number(self, "radius", self.radius, "m", above=0.0))


class Capsule(Part, frozen=True):
    """A cylinder with round caps along local z: radius [m], length without the caps [m]."""

    radius: float
    """[m]"""
    length: float
    """Along local z [m], without the caps."""

    def __post_init__(self) -> None:
        self._set(radius=number(self, "radius", self.radius, "m", above=0.0),
                  length=number(self, "length", self.length, "m", above=0.0))


class Cylinder(Part, frozen=True):
    """A cylinder along local z: radius [m], length [m]."""

    radius: float
    """[m]"""
    length: float
    """Along local z [m]."""

    def __post_init__(self) -> None:
        self._set(radius=number(self, "radius", self.radius, "m", above=0.0),
                  length=number(self, "length", self.length, "m", above=0.0))


class Mesh(Part, frozen=True):
    """A convex body from a closed mesh: a file that trimesh reads, a trimesh, or (vertices (n, 3) [m], faces (m, 3)).

    Of a mesh that is not convex the hull is taken, and the world says so in its warnings.
    """

    source: Any
    """The path of a file, a trimesh, or (vertices (n, 3) [m], faces (m, 3))."""
    scale: float | Vector = 1.0
    """Factor on all lengths, or three along x, y and z, of which negative ones mirror it [-]."""

    def __post_init__(self) -> None:
        self._set(scale=self._checked_scale())
        if isinstance(self.source, (str, Path)) and str(self.source).isprintable():
            self._set(source=str(self.source))
            return
        try:
            given = self.source
            vertices, faces = (given.vertices, given.faces) if hasattr(given, "vertices") and hasattr(given, "faces") else given
        except (TypeError, ValueError):
            raise fail(self, f"source is {shown(self.source)}; it must be the path of a mesh file, a trimesh or a pair "
                             "(vertices (n, 3), faces (m, 3)).") from None
        vertices, faces = (table(self, f"source's {word}", rows, (1, inf), (3, 3))
                           for word, rows in (("vertices", vertices), ("faces", faces)))
        if (faces != np.floor(faces)).any():
            broken = float(faces[faces != np.floor(faces)][0])
            raise fail(self, f"source has {broken:g} among its faces; they must be whole numbers, vertices from 0 to "
                             f"{len(vertices) - 1}.")
        if faces.min() < 0 or faces.max() >= len(vertices):
            raise fail(self, f"source has faces that name vertices outside 0 to {len(vertices) - 1}; they count from 0.")
        extent = float(np.max(np.abs(self.scale) * np.ptp(vertices, axis=0)))
        number(self, "source's largest extent", extent, "m", above=0.0)
        corners = faces.astype(int)
        corners.setflags(write=False)
        self._set(source=(vertices, corners))

    def _checked_scale(self) -> float | Vector:
        if not isinstance(self.scale, (tuple, list, np.ndarray)):
            return number(self, "scale", self.scale, above=0.0)
        scale = vector(self, "scale", self.scale)
        if not all(scale):
            raise fail(self, f"scale is {scale}; none of its numbers may be 0.")
        return scale


class HeightField(Part, frozen=True):
    """Terrain: heights (nx, ny) [m] over a rectangle size = (x, y) [m] centred on the body's origin.

    It has a top, and lifts what has sunk through that; what comes in from beside and lies deeper than it is large passes below.
    """

    heights: Any
    """(nx, ny) [m], x along the first index."""
    size: tuple[float, float]
    """Full lengths (x, y) [m] of the rectangle."""

    def __post_init__(self) -> None:
        heights, size = table(self, "heights", self.heights, (2, inf), (2, inf)), vector(self, "size", self.size, 2)
        self._set(heights=heights, size=tuple(number(self, "size", length, "m", above=0.0) for length in size))


class Placed(Part, frozen=True):
    """A shape moved and turned inside its body; a body may have a list of them."""

    shape: "Box | Sphere | Capsule | Cylinder | Mesh"
    """What is placed."""
    position: Vector = (0.0, 0.0, 0.0)
    """[m], body's frame."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Shape's frame to body's (w, x, y, z), unit."""

    def __post_init__(self) -> None:
        if not isinstance(self.shape, (Box, Sphere, Capsule, Cylinder, Mesh)):
            raise fail(self, f"shape is {shown(self.shape)}; it must be a Box, Sphere, Capsule, Cylinder or Mesh.")
        self._set(position=vector(self, "position", self.position),
                  quaternion=unit_quaternion(self, "quaternion", self.quaternion))


Shape = Box | Sphere | Capsule | Cylinder | Mesh | HeightField
