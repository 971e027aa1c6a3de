"""Triangles of cloth and solids against the shapes of bodies, where these reach through between the vertices.

A triangle looks to the side where the body is: outwards, if it bounds a solid; on a sheet to the side to which the distance of
its vertices fell when they met, for as long as they stay near. Where the body has come through, the triangle is moved back
until it is free of the body, and nearest points are looked for there.
"""

from ..._jit import entry, kernel, merged
from ...math.vec3 import add_scaled, dot, load, scale, store, sub
from ...model.bodies import DYNAMIC, Bodies, Motion
from ...model.shapes import FIELD, HULL, PLANE, SPHERE, Excluded, Fields, Hulls, Shapes
from ...model.soft_contacts import CLOSED, SoftContacts, Surfaces
from ..convex import _shape
from ..gjk import FAR, TOUCHING, gjk, gjk_of_point, triangle_weights
from ..support import HERE, core_radius, move_in, move_out, support_inside, turn_in, turn_out
from ..work import Extents, Places
from .between import keep, keep_other, set_sides, slop_of
from .corners import SHORTER, field_corners, shape_corners
from .persist import CORNER_BODY, FACE_BODY, Fresh, emit, in_use, key_of, row_of, sides_of
from .point_shape import FAR as FARTHEST
from .point_shape import point_to_shape
from .rims import parts
from .spines import Spines
from .triangle import TINY, corners_of, mix, region, unit_normal
from .vertices import frame_of, leaves_near, passes, speed_beside
from .work import Boxes, FaceWork, Skin

BETTER = 0.1
"""Share of the slop by which a point between vertices must be nearer than they are, to become a contact of its own [-]; once
it is one, it stays until it is far: it is nearer no more where it is pushed out, and would come and go with every step."""

CLEAR = 0.2
"""Part along the normal of a triangle from which on falling distance says where a body is [-]."""


@entry
def touch_faces(bodies: Bodies, shapes: Shapes, hulls: Hulls, fields: Fields, excluded: Excluded, motion: Motion,
                surfaces: Surfaces, extents: Extents, places: Places, skin: Skin, boxes: Boxes, spines: Spines,
                contacts: SoftContacts, fresh: Fresh, work: FaceWork, dt: float) -> int:
    """Contacts found so far, with those of triangles and bodies. Writes: fresh, work, boxes"""
    old, things = in_use(contacts), surfaces.closed.shape[0]
    for n in range(surfaces.node.shape[0]):
        boxes.asked[surfaces.node[n]] = 0
    for i in range(shapes.kind.shape[0]):
        if shapes.kind[i] == PLANE:
            continue  # its nearest point of a triangle is a vertex
        frame, body = frame_of(places, i), shapes.body[i]
        for k in range(things):
            if spines.whole[i] and spines.thin[i * things + k]:
                continue  # its spine speaks for it (rods.py)
            for h in range(leaves_near(shapes, surfaces, places, skin, boxes, i, frame, k, dt)):
                leaf = boxes.hit[h]
                f = skin.order[leaf]
                if skin.hollow[f]:
                    continue
                margin = skin.slop[k] + dt * _fastest(motion, surfaces.face, body, f)
                most = surfaces.offset[k] + margin
                if shapes.kind[i] != FIELD:
                    for c in range(3):
                        v = surfaces.face[f, c]
                        if boxes.asked[v] != i + 1:
                            _ask(shapes, hulls, fields, boxes, frame, load(motion.position, v), i, v, most)
                    low, least = _bound(surfaces.face, motion.position, boxes.distance, f)
                    if low > most or (work.first_corner[i] == work.first_corner[i + 1]
                                      and low > least):
                        continue
                if may_touch(bodies.kind, excluded.pair, surfaces.face, body, f):
                    about = (i, k, leaf, f)
                    if shapes.kind[i] == FIELD:
                        field_corners(shapes, fields, motion, surfaces, fresh.found, work, about, frame, margin)
                    else:
                        so_far = fresh.found.count[0]
                        for later in range(2):
                            if fresh.found.count[0] == so_far and (not later or parts(
                                    shapes, hulls, fields, motion, surfaces, boxes, work, about, frame, dt, skin.slop[k])):
                                _touch_face(shapes, hulls, fields, motion, surfaces, extents, skin, boxes, contacts, old,
                                            fresh.found, work, about, frame, margin, later == 1)
                            if not later and fresh.found.count[0] == so_far:
                                keep(shapes, hulls, fields, motion, surfaces, skin, contacts, old, fresh.found, about, frame,
                                     margin)
    return fresh.found.count[0]


@kernel
def _ask(shapes, hulls, fields, boxes, frame, p, i, v, limit):
    """Signed distance [m] of a vertex to a shape and its gradient, world frame. Writes: boxes"""
    distance, n = point_to_shape(int(shapes.kind[i]), load(shapes.size, i), int(shapes.data[i]), hulls, fields,
                                 move_in(frame, p), limit)
    n = turn_out(frame, n)
    boxes.asked[v] = i + 1
    boxes.distance[v, 0], boxes.distance[v, 1], boxes.distance[v, 2], boxes.distance[v, 3] = distance, n[0], n[1], n[2]


@merged
def _bound(face, position, distance, f):
    """A lower bound of the distance [m] of a convex shape to a triangle, and the least distance of its vertices.

    The distance to a convex shape is a convex function: over the triangle it is nowhere below its tangent plane at any vertex,
    nor below the mean of the three, which is least at a vertex.
    """
    low, least = 1e300, 1e300
    for at in range(3):
        x, mean = load(position, face[f, at]), 0.0
        for c in range(3):
            v = face[f, c]
            if distance[v, 0] >= FARTHEST:
                return -1e300, 1e300
            d = sub(x, load(position, v))
            mean += (distance[v, 0] + distance[v, 1] * d[0] + distance[v, 2] * d[1] + distance[v, 3] * d[2]) / 3.0
        low, least = min(low, mean), min(least, distance[face[f, at], 0])
    return low, least


@kernel
def may_touch(kind, pair, face, body, f):
    """Whether something of a body and a triangle moves, and none of its vertices was told to let the body pass."""
    moves = kind[body] == DYNAMIC
    for c in range(3):
        v = face[f, c]
        moves = moves or kind[v] == DYNAMIC
        if passes(pair, body, v):
            return False
    return moves


@merged
def _fastest(motion, face, body, f):
    """How fast [m/s] the fastest corner of a triangle moves as seen from a body; no other point of it is faster."""
    most = 0.0
    for c in range(3):
        v = face[f, c]
        most = max(most, speed_beside(motion, body, load(motion.position, v), load(motion.velocity, v)))
    return most


@kernel
def _side(surfaces, contacts, old, i, k, f, n, away):
    """Which side of a triangle the body is on: 1 along its normal, -1 against it, 0 none; and whether that is remembered."""
    one, other = sides_of(contacts.key, old, key_of(FACE_BODY, i, f, 0))
    if surfaces.closed[k] == CLOSED:
        return 1 if one >= 0 or dot(n, away) > 0.0 else 0, one >= 0
    if one >= 0 or other >= 0:
        return 1 if one >= 0 else -1, True
    return 1 if dot(n, away) >= 0.0 else -1, False


@kernel
def _towards(surfaces, distance, contacts, old, work, frame, i, f, n, middle):
    """The way from a triangle of a sheet to a body: that of falling distance, if it is all outside; where that is along the
    triangle, the way to a corner that stood on it before, or to the body's middle.

    The middle of a wide plate may be above the plane of a triangle that hangs over its edge.
    """
    way, outside = (0.0, 0.0, 0.0), True
    for c in range(3):
        v = surfaces.face[f, c]
        outside = outside and distance[v, 0] > 0.0
        way = sub(way, scale(1.0 / 3.0, (distance[v, 1], distance[v, 2], distance[v, 3])))
    way = turn_in(frame, way)
    if outside and abs(dot(way, n)) >= CLEAR:
        return way
    for one in range(work.first_corner[i], work.first_corner[i + 1]):
        row = row_of(contacts.key, old, key_of(CORNER_BODY, one, f, 0))
        if row >= 0:
            return turn_in(frame, scale(-1.0, load(contacts.normal, row)))
    return middle


@merged
def _touch_face(shapes, hulls, fields, motion, surfaces, extents, skin, boxes, contacts, old, found, work, about, frame, margin,
                later):
    """Contacts of one triangle with one convex shape, by where it is, or would be `later` (rims.py). Writes: found, work"""
    i, k, _, f = about
    a, b, c = corners_of(motion.position, surfaces.face, f)
    now = move_in(frame, a), move_in(frame, b), move_in(frame, c)
    there = (load(work.ahead, 0), load(work.ahead, 1), load(work.ahead, 2)) if later else now
    n = unit_normal(there[0], there[1], there[2])
    away = sub(load(extents.centre, i), there[0])
    if surfaces.closed[k] != CLOSED:
        away = _towards(surfaces, boxes.distance, contacts, old, work, frame, i, f, n, away)
    side, alive = _side(surfaces, contacts, old, i, k, f, n, away)
    if side == 0 or dot(n, n) == 0.0:
        return
    n = scale(float(side), n)
    shape = _shape(shapes.kind[i], load(shapes.size, i), shapes.data[i], hulls)
    radius, offset = core_radius(shape), surfaces.offset[k]
    met, separation, normal, point, w, back, there = _apart(
        shape, hulls, surfaces.face, boxes.distance, work, frame, f, there, n, alive, surfaces.closed[k] == CLOSED, offset,
        margin, skin.slop[k])
    if not met:
        return
    best = 1e300
    if later:
        if separation > -slop_of(skin, k, radius):
            return
        p = mix(now[0], now[1], now[2], w)
        separation, normal = point_to_shape(
            int(shapes.kind[i]), load(shapes.size, i), int(shapes.data[i]), hulls, fields, p, offset + margin)
        separation -= offset
        point = add_scaled(p, -separation - offset - radius, normal)
    else:
        through = alive or back > 0.0
        best = shape_corners(shapes, hulls, surfaces, found, work, about, frame, there, n, back, through, margin)
    if separation > margin or max(w[0], w[1], w[2]) > 1.0 - TINY:
        return  # far, or at a vertex, which speaks for itself
    out = turn_out(frame, normal)
    alone = later or (surfaces.closed[k] == CLOSED and (back > 0.0 or _is_alone(
        surfaces, motion, skin, contacts, old, about, w, move_out(frame, load(extents.centre, i)))))
    sure = alive or later or separation <= _least(surfaces, boxes.distance, f, k, best) - BETTER * skin.slop[k]
    if sure and region(surfaces, motion, skin, about[2], f, a, b, c, w, scale(-1.0, out), alone)[0]:
        at = move_out(frame, add_scaled(point, radius + 0.5 * separation, normal))
        friction = max(shapes.friction[i], surfaces.friction[k])
        row = emit(found, key_of(FACE_BODY, i, f, 0 if side > 0 else 1), i, at, out, separation, friction)
        set_sides(found, row, shapes.body[i], surfaces, f, w, slop_of(skin, k, radius))
        if surfaces.closed[k] == CLOSED:
            keep_other(shapes, hulls, fields, motion, surfaces, skin, contacts, old, found, about, frame, margin, w)


@merged
def _apart(shape, hulls, face, distances, work, frame, f, there, n, alive, closed, offset, margin, slop):
    """How far a triangle that stands `there` is from a body on the side of `n`: (whether they are near, separation [m] of both
    their skins, normal, point of the core, weights of the corners, how far it was moved back, where it then stood).

    Where the body has come through, it is moved back until that is in front of all of it.
    """
    a, b, c = there
    radius, back, none = core_radius(shape), 0.0, n
    lowest, reach = dot(n, sub(support_inside(shape, hulls.vertex, scale(-1.0, n)), a)), radius + offset + margin
    if lowest > reach:
        return False, 0.0, none, none, none, 0.0, there
    touching, distance, normal, point = _nearest(shape, hulls, work, a, b, c, reach)
    if touching < 0:
        return False, 0.0, none, none, none, 0.0, there
    w = _weights(a, b, c, add_scaled(point, distance, normal))
    # Beyond the inside of the triangle, it has come through; beyond an edge it may have gone round it.
    if touching == 1 or (alive and dot(normal, n) > 0.0 and min(w[0], w[1], w[2]) > TINY):
        back = max(0.0, -lowest) + slop  # and a little more: nearest points want a gap
        a, b, c = add_scaled(a, -back, n), add_scaled(b, -back, n), add_scaled(c, -back, n)
        touching, distance, normal, point = _nearest(shape, hulls, work, a, b, c, 1e150)
        # A large body that lies tilted on a solid's triangle is through by little, however far its plane reaches behind.
        deep = -distance - back * dot(n, normal) if closed else -lowest
        if _shortest_by_vertices(shape, hulls, face, distances, frame, f, there) < SHORTER * (radius + deep):
            return False, 0.0, none, none, none, 0.0, there
        w = _weights(a, b, c, add_scaled(point, distance, normal))
    return True, distance + back * dot(n, normal) - radius - offset, normal, point, w, back, (a, b, c)


@kernel
def _least(surfaces, distances, f, k, best):
    """The least distance [m] of the vertices of a triangle to a body, or `best` if that is less."""
    for v in range(3):
        best = min(best, distances[surfaces.face[f, v], 0] - surfaces.offset[k])
    return best


@kernel
def _is_alone(surfaces, motion, skin, contacts, old, about, w, middle):
    """Whether the triangle beyond the edge nearest to a point with weights `w` looks away from a body around `middle`, world
    frame: as the side of a solid whose upper edge the body stands on. It says nothing, also where it owns the edge.

    Triangles that the body has come through are moved back each its own way, and see the edge between them each from there.
    """
    i, k, _, f = about
    other = skin.beside[f, 0 if w[0] <= w[1] and w[0] <= w[2] else (1 if w[1] <= w[2] else 2)]
    if other < 0:
        return False
    a, b, c = corners_of(motion.position, surfaces.face, other)
    return _side(surfaces, contacts, old, i, k, other, unit_normal(a, b, c), sub(middle, a))[0] == 0


@kernel
def _shortest_by_vertices(shape, hulls, face, distance, frame, f, there):
    """How far [m] a triangle that stands `there` must be moved out of a body, at least, along the ways out of its vertices.

    Where it stands upright in the side of something large, as in a fold on a table, the way back along its own normal would be
    as long as the table; then its vertices have the contacts that are wanted.
    """
    least = 1e300
    for at in range(3):
        v = face[f, at]
        out = turn_in(frame, (distance[v, 1], distance[v, 2], distance[v, 3]))
        top = dot(out, support_inside(shape, hulls.vertex, out)) + core_radius(shape)
        least = min(least, top - min(dot(out, there[0]), dot(out, there[1]), dot(out, there[2])))
    return least


@kernel
def _weights(a, b, c, p):
    """Weights of a triangle's corners at its point nearest to `p`."""
    return triangle_weights(sub(a, p), sub(b, p), sub(c, p))


@kernel
def _nearest(shape, hulls, work, a, b, c, reach):
    """-1 (far), 0 or 1 (touching); distance [m], normal and point of the core, of a shape and a triangle in its frame."""
    if shape[0] == SPHERE:
        state, distance, normal, point = gjk_of_point(a, b, c, reach)
    else:
        store(work.triangle, 0, a)
        store(work.triangle, 1, b)
        store(work.triangle, 2, c)
        other = (shape[0] * 0 + HULL, shape[1], shape[2] * 0, shape[2] * 0 + 3, shape[2] * 0, shape[2] * 0)
        state, distance, normal, point = gjk(shape, hulls.vertex, other, work.triangle, HERE, reach, work.simplex)
    return -1 if state == FAR else (1 if state == TOUCHING else 0), distance, normal, point
