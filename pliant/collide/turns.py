"""How fast shapes that may touch turn out of the space that they take: what turns far in a step passes what it should hit."""

from math import sqrt
from typing import Annotated

import numpy as np

from .._jit import entry, kernel
from ..math.quat import load4, qmul, rotate
from ..math.vec3 import add, cross, load, norm
from ..model.bodies import Motion
from ..model.contacts import Contacts
from ..model.schema import Array, index
from ..model.shapes import CAPSULE, CYLINDER, FIELD, PLANE, SPHERE, Shapes
from .work import Extents

Marks = Annotated[Array, index("b", "in how many parts of a step a body and what touches it are to be advanced")]

MOST_PARTS = 32
"""Of a step."""

CENTRED = 1e-6
"""A shape that lies this near [m] to an axis of its body through the centre of mass lies on it."""


@entry
def largest_turn(shapes: Shapes, extents: Extents, motion: Motion, contacts: Contacts, parts: Marks, least: float,
                 dt: float) -> int:
    """In how many parts a step `dt` [s] is to be taken, at most, so that shapes that have contacts turn by an angle that is
    safe in each; 1 if none turns faster than `least` [rad/s]. Writes: parts of their bodies

    Contacts lie where they are found. A point at `reach` that turns by a strays from its tangent by reach a^2 / 2, and two
    shapes that are h1 and h2 thick from the middle out pass each other if that is h1 + h2: half of it is safe.
    """
    fast, most = False, 1
    for k in range(motion.angular_velocity.shape[0]):
        fast |= norm(load(motion.angular_velocity, k)) > least
    if not fast:
        return 1
    for k in range(contacts.count[0]):
        i, j, turns = contacts.shape[k, 0], contacts.shape[k, 1], 0.0
        thick = _thickness(shapes, extents, i, j) + _thickness(shapes, extents, j, i)
        for one in (i, j):
            rate = turning(shapes, motion, one)
            if rate > 0.0:
                turns = max(turns, dt * rate * sqrt(_reach(shapes, extents, one) / thick))
        most = max(most, mark(parts, shapes.body[i], shapes.body[j], turns, 2))
    return most


@kernel
def mark(parts, a, b, times, finer):
    """Ask for so many parts or more for bodies `a` and `b`: a power of `finer`, and that one of two, so that substeps stay
    alike. Returns it. Writes: parts
    """
    wanted = 1
    while wanted < MOST_PARTS and times > wanted:
        wanted *= finer
    parts[a], parts[b] = max(parts[a], wanted), max(parts[b], wanted)
    return wanted


def slowest_turn(shapes: Shapes, extents: Extents) -> float:
    """An angle [rad] by which every shape may turn safely."""
    bounded = (shapes.kind != PLANE) & (shapes.kind != FIELD)
    half, middle = extents.half[bounded], shapes.position[bounded]
    far = np.linalg.norm(half, axis=1) + np.linalg.norm(extents.centre[bounded], axis=1) + np.linalg.norm(middle, axis=1)
    return float(np.sqrt(half.min(axis=1) / far).min(initial=1.0))


@kernel
def _reach(shapes, extents, i):
    """How far [m] the points of shape `i` lie from the centre of mass of its body."""
    middle = add(load(shapes.position, i), rotate(load4(shapes.quaternion, i), load(extents.centre, i)))
    return norm(middle) + norm(load(extents.half, i))


@kernel
def _thickness(shapes, extents, i, j):
    """How thick [m] shape `i` is, from the middle out; ground is as thick as the shape `j` on it."""
    k = j if shapes.kind[i] == PLANE or shapes.kind[i] == FIELD else i
    return min(extents.half[k, 0], extents.half[k, 1], extents.half[k, 2])


@kernel
def turning(shapes, motion, i):
    """Rate [rad/s] at which shape `i` turns, but for a spin about its own axis of revolution through the centre of mass."""
    kind, body, offset = shapes.kind[i], shapes.body[i], load(shapes.position, i)
    spin = load(motion.angular_velocity, body)
    if kind == PLANE or kind == FIELD or (kind == SPHERE and norm(offset) < CENTRED):
        return 0.0
    if kind == CAPSULE or kind == CYLINDER:
        own = load4(shapes.quaternion, i)
        if norm(cross(offset, rotate(own, (0.0, 0.0, 1.0)))) < CENTRED:
            return norm(cross(spin, rotate(qmul(load4(motion.quaternion, body), own), (0.0, 0.0, 1.0))))
    return norm(spin)
