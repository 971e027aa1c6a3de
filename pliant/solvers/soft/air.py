"""What air does to the triangles of cloth through a substep: drag outside, pressure inside."""

from typing import Annotated, TypeAlias

from ..._jit import entry, kernel
from ...equations.elastic.air_drag import air_impulse
from ...math.vec3 import add, cross, load, norm, scale, store, sub
from ...model.schema import Array, index
from ...model.soft import Numbers, Points

Faces: TypeAlias = Annotated[Array, index("m 3", "corners of triangles")]


@entry
def blow(faces: Faces, face_mass: Numbers, position: Points, before: Points, velocity: Points, impulse: Points, wind: tuple,
         pressure: float, h: float) -> None:
    """Add to the impulses on the vertices what `wind` [m/s] drags and `pressure` [Pa] pushes in `h` [s]. Writes: impulse

    `before`: velocities as the substep began; `velocity`: after all other forces. No mass of a face: no drag on it.
    """
    for f in range(faces.shape[0]):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        x = load(position, a)
        across = cross(sub(load(position, b), x), sub(load(position, c), x))
        twice = norm(across)
        if twice == 0.0:
            continue
        push = scale(0.5 * pressure * h, across)
        if face_mass[f] > 0.0:
            old = sub(wind, mean_of(before, a, b, c))
            now = sub(wind, mean_of(velocity, a, b, c))
            push = add(push, air_impulse(scale(1.0 / twice, across), 0.5 * twice, face_mass[f], old, now, h))
        third = scale(1.0 / 3.0, push)
        store(impulse, a, add(load(impulse, a), third))
        store(impulse, b, add(load(impulse, b), third))
        store(impulse, c, add(load(impulse, c), third))


@kernel
def mean_of(values, a, b, c):
    """Mean of three rows."""
    return scale(1.0 / 3.0, add(add(load(values, a), load(values, b)), load(values, c)))
