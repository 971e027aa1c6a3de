"""What air does to the triangles of cloth through a substep: drag outside, pressure inside."""

from math import inf
from typing import Annotated, TypeAlias

from ..._jit import entry, kernel
from ...equations.elastic.air_drag import air_impulse
from ...math.vec3 import add, add_scaled, cross, load, norm, scale, store, sub
from ...model.schema import Array, index
from ...model.soft import Numbers, Points

Faces: TypeAlias = Annotated[Array, index("m 3", "corners of triangles")]


@entry
def blow(faces: Faces, face_mass: Numbers, position: Points, before: Points, velocity: Points, push: Points, impulse: Points,
         wind: tuple, h: float, held: bool) -> None:
    """Add to the impulses on the vertices what `wind` [m/s] drags in `h` [s]. Writes: push, impulse

    `before`: velocities as the substep began; `velocity`: as they are by now, with what each face was pushed by, `push` [N s];
    `held`: as if they were still those of before. No mass of a face: no drag on it.
    """
    for f in range(faces.shape[0]):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        x = load(position, a)
        across = cross(sub(load(position, b), x), sub(load(position, c), x))
        twice, mass = norm(across), face_mass[f]
        if twice == 0.0 or mass == 0.0:
            continue
        old = sub(wind, mean_of(before, a, b, c))
        now = add_scaled(sub(wind, mean_of(velocity, a, b, c)), 1.0 / mass, load(push, f))
        new = air_impulse(scale(1.0 / twice, across), 0.5 * twice, inf if held else mass, old, old if held else now, h)
        store(push, f, new)
        share(impulse, a, b, c, new)


@entry
def swell(faces: Faces, position: Points, impulse: Points, pressure: float, h: float) -> None:
    """Add to the impulses on the vertices what `pressure` [Pa] inside pushes in `h` [s]. Writes: impulse"""
    for f in range(faces.shape[0]):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        x = load(position, a)
        across = cross(sub(load(position, b), x), sub(load(position, c), x))
        share(impulse, a, b, c, scale(0.5 * pressure * h, across))


@kernel
def share(impulse, a, b, c, push):
    """A third of `push` to each of three rows. Writes: impulse"""
    third = scale(1.0 / 3.0, push)
    store(impulse, a, add(load(impulse, a), third))
    store(impulse, b, add(load(impulse, b), third))
    store(impulse, c, add(load(impulse, c), third))


@kernel
def mean_of(values, a, b, c):
    """Mean of three rows."""
    return scale(1.0 / 3.0, add(add(load(values, a), load(values, b)), load(values, c)))
