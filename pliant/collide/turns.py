"""How fast shapes that may touch turn out of the space that they take: what turns far in a step passes what it should hit."""

from .._jit import entry, kernel
from ..math.quat import load4, qmul, rotate
from ..math.vec3 import cross, load, norm
from ..model.bodies import Motion
from ..model.contacts import Contacts
from ..model.shapes import CAPSULE, CYLINDER, FIELD, PLANE, SPHERE, Shapes

CENTRED = 1e-6
"""A shape that lies this near [m] to an axis of its body through the centre of mass lies on it."""


@entry
def largest_turn(shapes: Shapes, motion: Motion, contacts: Contacts, least: float) -> float:
    """Largest rate [rad/s] of all shapes that have contacts, 0 if no body turns faster than `least`."""
    fast, most = False, 0.0
    for k in range(motion.angular_velocity.shape[0]):
        fast |= norm(load(motion.angular_velocity, k)) > least
    if fast:
        for k in range(contacts.count[0]):
            for side in range(2):
                most = max(most, turning(shapes, motion, contacts.shape[k, side]))
    return most


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
