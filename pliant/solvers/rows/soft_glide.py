"""Contacts of reliefs that roll: where they touch goes on over the patch within a step, substep by substep.

A ball of patches that rolls at v stands after h on another point of itself, v h ahead, before that v^2 h^2 / (2 R) above the
ground. Held at the point that it stood on first it would have to be lifted, or pushed behind its middle and driven on. Where
it rolls on another relief the place goes on over both.

Check: tests/soft/test_rolling_reliefs.py
"""

from ..._jit import kernel
from ...equations.contact.borne_above import weight_gradients
from ...math.vec3 import add, dot, load, scale, store
from ...model.soft_contacts import DISTANCE, GLIDED


@kernel
def glide_soft_contact(contacts, k, motion, work, h):
    """Take contact `k` to where it touches after a substep of `h` [s], once a substep. Writes: contacts, work"""
    if contacts.bend[k] == 0.0 or work.contact[k, GLIDED] > 0.0:
        return
    way = scale(h, load(contacts.glide, k))
    for side in range(0 if contacts.mover[k, 2] >= 0 else 3, 6, 3):
        gradients = weight_gradients(load(motion.position, contacts.mover[k, side]),
                                     load(motion.position, contacts.mover[k, side + 1]),
                                     load(motion.position, contacts.mover[k, side + 2]))
        for c in range(3):
            contacts.weight[k, side + c] += dot(gradients[c], way)
    store(contacts.position, k, add(load(contacts.position, k), way))
    work.contact[k, DISTANCE] += 0.5 * contacts.bend[k] * dot(way, way)
    work.contact[k, GLIDED] = 1.0
