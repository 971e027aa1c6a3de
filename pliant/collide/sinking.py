"""How deep shapes would sink into height fields within a step, in spite of their contacts.

Contacts of a field are those of triangles, edges and corners that are near when a step begins. What is fast comes over others
within it, and what turns comes down on others. So each shape is led on, pushed as its contacts ask for, and looked at on its
way. Where it sinks the step is taken in parts: to be pushed out again is work that nobody does.
"""

from .._jit import entry, kernel
from ..math.vec3 import load
from ..model.bodies import Bodies, Motion
from ..model.contacts import Contacts
from ..model.shapes import FIELD, Fields, Hulls, Shapes
from .ahead import DEEP, FINER, LONG, MOST, SHALLOW, Twist, led, pushed
from .height_field import gather, seen_from
from .pairs import WITH_FIELD
from .turns import Marks, mark
from .work import Extents, FieldWork, Pairs, Places

LOOKS = 8
"""How often a shape is looked at on its way, at most; else once for each time that it goes as far as it is thick."""
STILL = (0.0, 0.0, 0.0)


@entry
def sinks_ahead(bodies: Bodies, shapes: Shapes, hulls: Hulls, fields: Fields, motion: Motion, extents: Extents, places: Places,
                pairs: Pairs, fresh: Contacts, work: FieldWork, parts: Marks, dt: float) -> int:
    """In how many parts a step `dt` [s] is to be taken, at most, so that what no joint holds does not sink into fields by much.

    Writes: parts of their bodies, work, fresh.impulse
    """
    most = 1
    for k in range(pairs.count[0]):
        i, j = pairs.shape[k, 0], pairs.shape[k, 1]
        slop = min(extents.slop[i], extents.slop[j])
        if pairs.family[k] != WITH_FIELD or pairs.margin[k] <= (1.0 + LONG) * slop or (
                max(bodies.tree[shapes.body[i]], bodies.tree[shapes.body[j]]) >= 0):
            continue
        first, number, before = pairs.begin[k], pairs.number[k], 0.0
        for c in range(first, first + number):
            before = max(before, -fresh.separation[c])
        depth = deepest(bodies, shapes, hulls, fields, motion, extents, places, fresh, work, i, j, first, number,
                        pairs.margin[k], dt) - before
        if depth > DEEP * slop:
            most = max(most, mark(parts, shapes.body[i], shapes.body[j], min(depth / (SHALLOW * slop), MOST), FINER))
    return most


@kernel
def deepest(bodies, shapes, hulls, fields, motion, extents, places, fresh, work, i, j, first, number, margin, dt):
    """How deep [m] one of shapes `i` and `j` comes into the other, a field, within `dt` [s]. Writes: work, fresh.impulse"""
    a, b = shapes.body[i], shapes.body[j]
    one, two = pushed(bodies, shapes, fresh, motion, i, j, first, number, Twist(
        load(motion.velocity, a), load(motion.angular_velocity, a)), Twist(
        load(motion.velocity, b), load(motion.angular_velocity, b)), 0.0, dt)
    field, other = (i, j) if shapes.kind[i] == FIELD else (j, i)
    half, depth = load(extents.half, other), 0.0
    looks = min(1 + int(margin / min(half[0], half[1], half[2])), LOOKS)
    for look in range(1, looks + 1):
        time = dt * look / looks
        place, turned = led(shapes, motion, places, i, one, one, 0.0, time)
        later, later_turned = led(shapes, motion, places, j, two, two, 0.0, time)
        if field == j:
            place, turned, later, later_turned = later, later_turned, place, turned
        position, quaternion = seen_from(place, turned, later, later_turned)
        count = gather(shapes, hulls, fields, extents, work, field, other, position, quaternion, 0.0, 0.0, STILL, STILL)
        for c in range(count):
            depth = max(depth, -work.separation[c])
    return depth
