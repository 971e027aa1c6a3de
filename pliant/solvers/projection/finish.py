"""Ends a substep of a projected rope, after the movers have moved: elements keep their angular momentum."""

from ..._jit import kernel
from ...equations.rod.carried_spin import carried_spin
from ...math.quat import load4
from ...math.vec3 import add, load, scale, store
from ...model.point_ropes import BEFORE, ELEMENT, ELEMENTS, POINT, POINTS
from .carrier import place_carried


@kernel
def finish_projection(ropes, bodies, motion, k, h):
    """Writes: angular velocities of rope k; positions of its elements, which lie midway between their points."""
    carry_spin(ropes, bodies, motion, k, h)
    place_carried(ropes, motion, k)
    place_elements(ropes, motion, k)


@kernel
def carry_spin(ropes, bodies, motion, k, h):
    """Writes: angular velocities of rope k"""
    first = ropes.rope[k, ELEMENT]
    for e in range(first, first + ropes.rope[k, ELEMENTS]):
        w = carried_spin(load4(motion.quaternion, e), load(motion.angular_velocity, e), load(bodies.inverse_inertia, e), h)
        store(motion.angular_velocity, e, w)


@kernel
def place_elements(ropes, motion, k):
    """Writes: positions of the elements of rope k"""
    e, point = ropes.rope[k, ELEMENT] + ropes.rope[k, BEFORE], ropes.rope[k, POINT]
    for i in range(ropes.rope[k, POINTS] - 1):
        middle = scale(0.5, add(load(motion.position, point + i), load(motion.position, point + i + 1)))
        store(motion.position, e + i, middle)
