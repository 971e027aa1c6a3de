"""Vertices of cloth and solids against the shapes of bodies, and the places of both for the step."""

from ..._jit import entry, kernel, merged
from ...math.quat import axes, load4
from ...math.vec3 import add, add_scaled, cross, dot, load, norm, scale, sub
from ...model.bodies import DRIVEN, DYNAMIC, Bodies, Motion
from ...model.shapes import BOX, FIELD, PLANE, Excluded, Fields, Hulls, Shapes
from ...model.soft_contacts import CLOSED, SoftContacts, Surfaces
from ..bounds import place_shapes
from ..support import move_in, turn_in, turn_out
from ..work import Extents, Places
from .persist import VERTEX_BODY, Fresh, emit, in_use, key_of, row_of, set_mover
from .point_shape import FAR, point_to_shape
from .sliding import STAYS, met_by
from .spines import Spines
from .tree import refit, search
from .triangle import corner_normal
from .work import Boxes, Skin

FACES_IT = 0.9
"""Cosine above which a direction is that of a face [-]."""

EVERYWHERE = (1e300, 1e300, 1e300)


@entry
def place(shapes: Shapes, surfaces: Surfaces, motion: Motion, extents: Extents, places: Places, skin: Skin, boxes: Boxes,
          fresh: Fresh, dt: float) -> None:
    """Where all shapes and triangles are and how far they may get in `dt` [s]. Writes: places, boxes, fresh.found.count"""
    place_shapes(shapes, motion, extents, places, dt)
    refit(surfaces, motion, skin, boxes, dt)
    fresh.found.count[0] = 0


@entry
def touch_vertices(bodies: Bodies, shapes: Shapes, hulls: Hulls, fields: Fields, excluded: Excluded, motion: Motion,
                   surfaces: Surfaces, places: Places, skin: Skin, boxes: Boxes, spines: Spines, contacts: SoftContacts,
                   fresh: Fresh, dt: float) -> int:
    """Contacts found so far, with those of vertices and bodies. Writes: fresh, boxes.hit, boxes.stack"""
    old, things = in_use(contacts), surfaces.closed.shape[0]
    for i in range(shapes.kind.shape[0]):
        frame = frame_of(places, i)
        for k in range(things):
            # Pushes pass many cells of a stiff sheet in a step: what moves elsewhere in it may draw a vertex along. Not between
            # driven jaws, where more rows only contradict each other more.
            stir = 0.0 if bodies.kind[shapes.body[i]] == DRIVEN else boxes.stir[k]
            margin = skin.slop[k] + dt * stir
            for h in range(leaves_near(shapes, surfaces, places, skin, boxes, i, frame, k, dt)):
                leaf = boxes.hit[h]
                for n in range(skin.first_node[leaf], skin.first_node[leaf + 1]):
                    v = skin.node[n]
                    moves = bodies.kind[shapes.body[i]] == DYNAMIC or bodies.kind[v] == DYNAMIC
                    if moves and not skin.covered[v] and not passes(excluded.pair, shapes.body[i], v):
                        touch_vertex(shapes, hulls, fields, motion, surfaces, skin, contacts, old, fresh.found, i, frame, k, v,
                                     dt, margin + dt * boxes.stilled[v], spines.thin[i * things + k])
    return fresh.found.count[0]


@kernel
def frame_of(places, i):
    """Origin and axes of a shape in the world."""
    x, y, z = axes(load4(places.quaternion, i))
    return load(places.position, i), x, y, z


@kernel
def leaves_near(shapes, surfaces, places, skin, boxes, i, frame, k, dt):
    """Number of the leaves of thing `k` that shape `i` may reach. Writes: boxes.hit, boxes.stack"""
    grow = dt * (norm(load(boxes.drift, k)) + boxes.stir[k])
    if shapes.kind[i] == PLANE:
        above = dot(frame[3], frame[0]) + grow + dt * (norm(load(places.velocity, i)) + places.sweep[i])
        return search(surfaces, skin, boxes, k, scale(-1.0, EVERYWHERE), EVERYWHERE, frame[3], above)
    low, high = load(places.lower, i), load(places.upper, i)
    if shapes.kind[i] == FIELD:
        # Solid all the way down: what has sunk below its lowest height is lifted too.
        down = scale(-max(shapes.size[i, 0], shapes.size[i, 1]), frame[3])
        low = add(low, (min(down[0], 0.0), min(down[1], 0.0), min(down[2], 0.0)))
        high = add(high, (max(down[0], 0.0), max(down[1], 0.0), max(down[2], 0.0)))
    low, high = sub(low, (grow, grow, grow)), add(high, (grow, grow, grow))
    return search(surfaces, skin, boxes, k, low, high, (0.0, 0.0, 0.0), 0.0)


@kernel
def passes(pair, body, v):
    """Whether a body and a vertex were told to let each other pass."""
    wanted = int(min(body, v)) * 4294967296 + int(max(body, v))
    low, high = 0, pair.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if pair[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < pair.shape[0] and pair[low] == wanted


@merged
def velocity_beside(motion, body, p, velocity):
    """Velocity [m/s] of something at `p` with this velocity as seen from a body."""
    lever = sub(p, load(motion.position, body))
    return sub(velocity, add(load(motion.velocity, body), cross(load(motion.angular_velocity, body), lever)))


@merged
def speed_beside(motion, body, p, velocity):
    """How fast [m/s] that is."""
    return norm(velocity_beside(motion, body, p, velocity))


@merged
def touch_vertex(shapes, hulls, fields, motion, surfaces, skin, contacts, old, found, i, frame, k, v, dt, margin, thin):
    """The contact of one vertex with one shape, if they may touch within the step. Writes: found

    `margin` [m] is how near they must come beside what the vertex itself moves.
    """
    p, offset = load(motion.position, v), surfaces.offset[k]
    way = scale(dt, velocity_beside(motion, shapes.body[i], p, load(motion.velocity, v)))
    margin += norm(way)
    distance, out = point_to_shape(
        int(shapes.kind[i]), load(shapes.size, i), int(shapes.data[i]), hulls, fields, move_in(frame, p), offset + margin)
    if shapes.kind[i] == BOX and abs(distance) < STAYS * skin.slop[k]:
        row = row_of(contacts.key, old, key_of(VERTEX_BODY, i, v, 0))
        if row >= 0:
            distance, out = same_face(load(shapes.size, i), move_in(frame, p), turn_in(frame, load(contacts.normal, row)),
                                      distance, out, STAYS * skin.slop[k])
    if distance - offset > margin:
        return
    distance, out = met_by(shapes, hulls, fields, motion, surfaces, skin, i, frame, k, v, move_in(frame, p),
                           turn_in(frame, way), distance, out)
    if distance >= FAR:
        return
    separation, normal = distance - offset, turn_out(frame, out)
    if thin and surfaces.closed[k] == CLOSED and dot(
            normal, corner_normal(surfaces.face, motion.position, skin.beside, skin.fan[v], v)[0]) > 0.0:
        return  # it has gone by, and would be kept from where it came
    middle = add_scaled(p, -offset - 0.5 * separation, normal)
    friction = max(shapes.friction[i], surfaces.friction[k])
    row = emit(found, key_of(VERTEX_BODY, i, v, 0), i, middle, normal, separation, friction)
    set_mover(found, row, 0, shapes.body[i], 1.0)
    set_mover(found, row, 3, v, 1.0)


@kernel
def same_face(half, p, came, distance, out, slack):
    """Distance [m] and direction of a point to the face of a box that it touched before, if no other is farther by `slack`.

    At an edge rounding alone would settle by which face it is to be kept out. The distance to a convex shape is the largest of
    those to all planes that bound it, so the old face is seen to have become the wrong one as the difference grows.
    """
    for c in range(3):
        if abs(came[c]) > FACES_IT:
            height = abs(p[c]) - half[c] if p[c] * came[c] > 0.0 else -abs(p[c]) - half[c]
            if distance - height < slack:
                sign = 1.0 if came[c] > 0.0 else -1.0
                return height, (sign if c == 0 else 0.0, sign if c == 1 else 0.0, sign if c == 2 else 0.0)
    return distance, out
