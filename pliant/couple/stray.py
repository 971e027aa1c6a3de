"""Which bodies went another way in a step than they set out on, and what they met there unforeseen.

Contacts are sought along the speeds with which a step begins. Motors, springs and forces from outside change these within it:
what starts hard from rest just before a wall has none with it, and goes F dt^2 / (2 m) into it.
"""

from math import inf, pi
from typing import Annotated

from .._jit import entry, kernel
from ..collide.ahead import Twist, closes
from ..collide.bounds import sweep_speed
from ..collide.meeting import MET
from ..collide.work import Extents, Pairs
from ..math.quat import axes, conj, from_rotation_vector, load4, qmul, rotate, to_rotation_vector
from ..math.vec3 import add, add_scaled, cross, dot, load, norm, scale, sub
from ..model.bodies import DYNAMIC, Bodies, Motion, Push
from ..model.contacts import Contacts
from ..model.islands import Islands
from ..model.schema import Array, index, real
from ..model.shapes import PLANE, Shapes
from .move import pushed

Pushed = Annotated[Array, index("b", "1 of movers in islands with drives, springs, forces from outside, or what is drawn")]
Drawn = Annotated[Array, index("b", "1 of vertices that grips, moved pins or air may draw")]
Ways = Annotated[Array, real(
    "b 7", "m/s, rad/s, -",
    "velocity (3) and angular velocity (3), mean over a step if a body strayed, else as it set out; by how many times the slop "
    "of a shape it strayed, 0 if by less than one",
)]


@entry
def note_pushed(islands: Islands, push: Push, drawn: Drawn, marks: Pushed) -> int:
    """How many islands hold drives, springs, what is pushed or drawn from outside. Writes: marks of movers, islands.owner"""
    return mark_pushed(islands, push, drawn, marks)


@kernel
def mark_pushed(islands, push, drawn, marks):
    """The same for kernels."""
    count, sudden = 0, islands.owner
    for i in range(islands.count[0]):
        own = islands.first_drive[i] < islands.first_drive[i + 1] or islands.first_spring[i] < islands.first_spring[i + 1]
        sudden[i] = 1 if own else 0
    for k in range(islands.label.shape[0]):
        if islands.label[k] >= 0 and (drawn[k] or pushed(push, k)):
            sudden[islands.label[k]] = 1
    for i in range(islands.count[0]):
        count += sudden[i]
    for k in range(islands.label.shape[0]):
        marks[k] = sudden[islands.label[k]] if islands.label[k] >= 0 else 0
    return count


@entry
def strays(bodies: Bodies, shapes: Shapes, extents: Extents, islands: Islands, push: Push, before: Motion, motion: Motion,
           drawn: Drawn, marks: Pushed, ways: Ways, dt: float, noted: bool) -> int:
    """How many shapes of marked bodies went by more than their slop elsewhere in a step `dt` [s] than they set out to.

    Marks are those that were `noted` before, or are made here. Writes: ways, marks, islands.owner
    """
    if not noted:
        mark_pushed(islands, push, drawn, marks)
    count = 0
    for k in range(bodies.kind.shape[0]):
        ways[k, 6] = 0.0
    for i in range(shapes.kind.shape[0]):
        k = shapes.body[i]
        if bodies.kind[k] != DYNAMIC or marks[k] == 0 or shapes.kind[i] == PLANE:
            continue
        shift, turn = strayed(before, motion, k, dt)
        q = load4(before.quaternion, k)
        own = qmul(q, load4(shapes.quaternion, i))
        lever = add(rotate(q, load(shapes.position, i)), rotate(own, load(extents.centre, i)))
        away = norm(add(shift, cross(turn, lever))) + sweep_speed(shapes.kind[i], axes(own), load(extents.half, i), turn)
        if extents.slop[i] < away < inf:
            ways[k, 6] = max(ways[k, 6], away / extents.slop[i])
            count += 1
    for k in range(bodies.kind.shape[0]):
        note_way(before, motion, ways, k, dt)
    return count


@kernel
def strayed(before, motion, k, dt):
    """By how much [m, rad] body `k` went and turned otherwise in a step `dt` [s] than as it set out.

    Whole turns are those that come nearest to what the mean of its speeds at the start and the end makes.
    """
    start, end = load(before.angular_velocity, k), load(motion.angular_velocity, k)
    shift = add_scaled(sub(load(motion.position, k), load(before.position, k)), -dt, load(before.velocity, k))
    led = qmul(from_rotation_vector(scale(dt, start)), load4(before.quaternion, k))
    turn = to_rotation_vector(qmul(load4(motion.quaternion, k), conj(led)))
    angle, twice = norm(turn), dt * dot(sub(end, start), turn)
    if not (angle > 1e-9 and abs(twice) < inf):
        return shift, turn
    mean = 0.5 * twice / angle
    return shift, scale(1.0 + round((mean - angle) / (2.0 * pi)) * 2.0 * pi / angle, turn)


@kernel
def note_way(before, motion, ways, k, dt):
    """Writes: ways at body `k`"""
    v, w = load(before.velocity, k), load(before.angular_velocity, k)
    if ways[k, 6] > 0.0:
        shift, turn = strayed(before, motion, k, dt)
        v, w = add_scaled(v, 1.0 / dt, shift), add_scaled(w, 1.0 / dt, turn)
    for c in range(3):
        ways[k, c], ways[k, 3 + c] = v[c], w[c]


@entry
def met_astray(shapes: Shapes, extents: Extents, motion: Motion, contacts: Contacts, pairs: Pairs, fresh: Contacts, ways: Ways,
               dt: float) -> int:
    """How many of the contacts just found, along `ways`, overlap at the end of the step and are of shapes that had none in it.

    Writes: pairs.number and .margin (0 of all others)
    """
    count, old = 0, 0
    for k in range(pairs.count[0]):
        i, j = pairs.shape[k, 0], pairs.shape[k, 1]
        a, b = shapes.body[i], shapes.body[j]
        while old < contacts.count[0] and (contacts.shape[old, 0] < i or (
                contacts.shape[old, 0] == i and contacts.shape[old, 1] < j)):
            old += 1
        known = old < contacts.count[0] and contacts.shape[old, 0] == i and contacts.shape[old, 1] == j
        slop, depth = min(extents.slop[i], extents.slop[j]), 0.0
        if not known and max(ways[a, 6], ways[b, 6]) > 0.0:
            one, two = Twist(load(motion.velocity, a), load(motion.angular_velocity, a)), Twist(
                load(motion.velocity, b), load(motion.angular_velocity, b))
            for row in range(pairs.begin[k], pairs.begin[k] + pairs.number[k]):
                depth = max(depth, -fresh.separation[row] - dt * closes(fresh, motion, row, a, b, one, two))
        if depth > MET * slop:
            count += pairs.number[k]
        else:
            pairs.number[k], pairs.margin[k] = 0, 0.0
    return count
