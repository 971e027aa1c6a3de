"""Volume, centre of mass and inertia of shapes of density 1, of several placed together, and principal axes."""

from collections.abc import Iterable, Sequence
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]


class MassProperties(NamedTuple):
    """Mass and its first two moments; for density 1 the mass [kg] is the volume [m3]."""

    mass: float
    """[kg]"""
    centre: Matrix
    """Centre of mass [m] (3,), frame of the shape or body."""
    inertia: Matrix
    """Inertia tensor about the centre of mass [kg m2] (3, 3), along the axes of that frame."""

    def scaled(self, factor: float) -> "MassProperties":
        """The same body `factor` [-] times as dense."""
        return MassProperties(factor * self.mass, self.centre, factor * self.inertia)

    def placed(self, position: ArrayLike, quaternion: ArrayLike) -> "MassProperties":
        """Seen from a frame in which its own frame stands at `position` [m], turned by `quaternion` (w, x, y, z)."""
        turn = rotation_matrix(quaternion)
        return MassProperties(self.mass, np.asarray(position, float) + turn @ self.centre, turn @ self.inertia @ turn.T)


def box(x: float, y: float, z: float) -> MassProperties:
    """A box with full lengths x, y, z [m]."""
    mass = x * y * z
    return _diagonal(mass, mass / 12.0 * (y * y + z * z), mass / 12.0 * (z * z + x * x), mass / 12.0 * (x * x + y * y))


def sphere(radius: float) -> MassProperties:
    """A ball of radius [m]."""
    mass = 4.0 / 3.0 * pi * radius**3
    moment = 0.4 * mass * radius * radius
    return _diagonal(mass, moment, moment, moment)


def cylinder(radius: float, length: float) -> MassProperties:
    """A cylinder of radius and length [m] along z."""
    mass = pi * radius * radius * length
    across = mass * (3.0 * radius * radius + length * length) / 12.0
    return _diagonal(mass, across, across, 0.5 * mass * radius * radius)


def capsule(radius: float, length: float) -> MassProperties:
    """A cylinder of radius and length [m] along z with a half ball on either end.

    A half ball has its centre of mass 3/8 r from its flat side; about the ball's centre each axis has 2/5 m r2, so
    moving it out by half the length adds m ((length / 2)2 + 3/8 r length).
    """
    middle, balls = cylinder(radius, length), sphere(radius)
    out = balls.mass * (0.25 * length * length + 0.375 * radius * length)
    across = middle.inertia[0, 0] + balls.inertia[0, 0] + out
    return _diagonal(middle.mass + balls.mass, across, across, middle.inertia[2, 2] + balls.inertia[2, 2])


def polyhedron(vertices: ArrayLike, triangles: ArrayLike) -> MassProperties:
    """A closed mesh: vertices (n, 3) [m], triangles (m, 3) counter-clockwise from outside.

    By the divergence theorem the solid is the sum of the signed tetrahedra between a point and the triangles. With
    corners 0, a, b, c and D = det(a, b, c) a tetrahedron has volume D/6, first moment D/24 (a + b + c) and second
    moments D/120 (aaT + bbT + ccT + ssT), s = a + b + c.
    """
    vertices = np.asarray(vertices, float)
    middle = vertices.mean(axis=0)
    corners = (vertices - middle)[np.asarray(triangles, int)]
    determinant = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    total = corners.sum(axis=1)
    volume = determinant.sum() / 6.0
    centre = determinant @ total / (24.0 * volume)
    second = np.einsum("i,ikj,ikl->jl", determinant, corners, corners)
    second += np.einsum("i,ij,il->jl", determinant, total, total)
    second = second / 120.0 - volume * np.outer(centre, centre)
    return MassProperties(float(volume), middle + centre, np.trace(second) * np.eye(3) - second)


def fan(faces: Iterable[Sequence[int]]) -> Matrix:
    """Triangles (m, 3) of convex polygons given by their corners."""
    return np.array([(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)], int)


def combined(parts: Sequence[MassProperties]) -> MassProperties:
    """Several bodies in one frame as one rigid body, by the parallel-axis theorem."""
    if len(parts) == 1:
        return parts[0]
    mass = sum(part.mass for part in parts)
    centre = sum((part.mass * part.centre for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        d = part.centre - centre
        inertia += part.inertia + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return MassProperties(mass, centre, inertia)


def principal_axes(inertia: ArrayLike) -> tuple[Matrix, Matrix]:
    """Principal moments [kg m2] (3,) and the quaternion (w, x, y, z) that turns principal axes into the given frame.

    A diagonal tensor keeps its axes exactly. Otherwise each principal axis is named after the axis of the frame that it
    lies nearest to and points to the same side, so that small changes of the tensor make small changes of the axes.
    """
    tensor = np.asarray(inertia, float)
    tensor = 0.5 * (tensor + tensor.T)
    off = np.abs(tensor - np.diag(np.diag(tensor))).max()
    if off <= 1e-12 * np.abs(tensor).max():
        return np.diag(tensor).copy(), np.array([1.0, 0.0, 0.0, 0.0])
    moments, vectors = np.linalg.eigh(tensor)
    order = max(_PERMUTATIONS, key=lambda p: round(sum(abs(vectors[k, p[k]]) for k in range(3)), 9))
    moments, vectors = moments[list(order)], vectors[:, list(order)]
    vectors = vectors * np.where(np.diag(vectors) < 0.0, -1.0, 1.0)
    if np.linalg.det(vectors) < 0.0:
        vectors[:, np.argmin(np.diag(vectors))] *= -1.0
    return moments, quaternion_of(vectors)


def rotation_matrix(quaternion: ArrayLike) -> Matrix:
    """The rotation (3, 3) of a unit quaternion (w, x, y, z)."""
    w, x, y, z = np.asarray(quaternion, float)
    return np.array([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ])


def quaternion_of(rotation: ArrayLike) -> Matrix:
    """The unit quaternion (w, x, y, z), w not negative, of a proper rotation (3, 3).

    It is the eigenvector of the largest eigenvalue of the symmetric matrix K with q K q = trace of R(q)T R: no case
    needs a division by something small.
    """
    r = np.asarray(rotation, float)
    k = np.array([
        [r[0, 0] + r[1, 1] + r[2, 2], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
        [0.0, r[0, 0] - r[1, 1] - r[2, 2], r[1, 0] + r[0, 1], r[0, 2] + r[2, 0]],
        [0.0, 0.0, r[1, 1] - r[0, 0] - r[2, 2], r[2, 1] + r[1, 2]],
        [0.0, 0.0, 0.0, r[2, 2] - r[0, 0] - r[1, 1]],
    ])
    q = np.linalg.eigh(k, UPLO="U")[1][:, 3]
    leading = q[np.argmax(np.abs(q) > 1e-9)]
    return q if leading > 0.0 else -q


_PERMUTATIONS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))


def _diagonal(mass: float, x: float, y: float, z: float) -> MassProperties:
    return MassProperties(mass, np.zeros(3), np.diag([x, y, z]))
