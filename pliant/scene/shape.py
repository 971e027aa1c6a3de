"""Shapes of rigid bodies, each in its own frame."""

from pathlib import Path
from typing import Any

import numpy as np

from .errors import fail, number, unit_quaternion, vector
from .thing import Part, Quaternion, Vector


class Box(Part, frozen=True):
    """A box with full lengths x, y, z [m]."""

    x: float
    y: float
    z: float

    def __post_init__(self) -> None:
        self._set(**{f: number(self, f, getattr(self, f), "m", above=0.0) for f in ("x", "y", "z")})


class Sphere(Part, frozen=True):
    """A ball of radius [m]."""

    radius: float

    def __post_init__(self) -> None:
        self._set(radius=number(self, "radius", self.radius, "m", above=0.0))


class Capsule(Part, frozen=True):
    """A cylinder with round caps along local z: radius [m], length without the caps [m]."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        self._set(radius=number(self, "radius", self.radius, "m", above=0.0),
                  length=number(self, "length", self.length, "m", above=0.0))


class Cylinder(Part, frozen=True):
    """A cylinder along local z: radius [m], length [m]."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        self._set(radius=number(self, "radius", self.radius, "m", above=0.0),
                  length=number(self, "length", self.length, "m", above=0.0))


class Mesh(Part, frozen=True):
    """A convex body from a closed mesh: a file that trimesh reads, or (vertices (n, 3) [m], faces (m, 3)).

    Of a mesh that is not convex the hull is taken, and the world says so in its warnings.
    """

    source: Any
    scale: float = 1.0
    """Factor on all lengths [-]."""

    def __post_init__(self) -> None:
        self._set(scale=number(self, "scale", self.scale, above=0.0))
        if isinstance(self.source, (str, Path)):
            self._set(source=str(self.source))
            return
        try:
            vertices, faces = self.source
            vertices, faces = np.asarray(vertices, float), np.asarray(faces, int)
            good = vertices.ndim == 2 and vertices.shape[1] == 3 and faces.ndim == 2 and faces.shape[1] == 3
        except (TypeError, ValueError):
            good = False
        if not good:
            raise fail(self, "source must be the path of a mesh file or a pair (vertices (n, 3), faces (m, 3)).")
        if not np.isfinite(vertices).all():
            raise fail(self, "source has vertices that are not finite.")
        if faces.size and (faces.min() < 0 or faces.max() >= len(vertices)):
            raise fail(self, f"source has faces that name vertices outside 0 to {len(vertices) - 1}.")
        self._set(source=(vertices, faces))


class HeightField(Part, frozen=True):
    """Terrain: heights (nx, ny) [m] over a rectangle size = (x, y) [m] centred on the body's origin."""

    heights: Any
    size: tuple[float, float]

    def __post_init__(self) -> None:
        try:
            heights = np.ascontiguousarray(self.heights, float)
        except (TypeError, ValueError):
            raise fail(self, "heights must be a table of numbers, at least 2 by 2.") from None
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise fail(self, f"heights has shape {heights.shape}; it must be at least 2 by 2.")
        if not np.isfinite(heights).all():
            raise fail(self, "heights has numbers that are not finite.")
        size = vector(self, "size", self.size, 2)
        if min(size) <= 0.0:
            raise fail(self, f"size is {size} m; both lengths must be positive.")
        self._set(heights=heights, size=size)


class Placed(Part, frozen=True):
    """A shape moved and turned inside its body; a body may have a list of them."""

    shape: "Box | Sphere | Capsule | Cylinder | Mesh"
    position: Vector = (0.0, 0.0, 0.0)
    """[m], body's frame."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if not isinstance(self.shape, (Box, Sphere, Capsule, Cylinder, Mesh)):
            raise fail(self, f"shape is {self.shape!r}; it must be a Box, Sphere, Capsule, Cylinder or Mesh.")
        self._set(position=vector(self, "position", self.position),
                  quaternion=unit_quaternion(self, "quaternion", self.quaternion))


Shape = Box | Sphere | Capsule | Cylinder | Mesh | HeightField
