"""Contacts between the vertices of triangles, of cloth and solids, and bodies: how deep these may stay, and how they go on."""

from ..._jit import kernel, merged
from ...math.vec3 import add_scaled, dot, load
from ...model.soft_contacts import CLOSED
from ..convex import _shape
from ..support import core_radius, move_in, turn_in, turn_out
from .persist import FACE_BODY, emit, key_of, set_mover, sides_of
from .point_shape import point_to_shape
from .sliding import STAYS
from .triangle import corners_of, mix, set_triangle

LEFT = 0.5
"""Share of the slop by which a body may stay inside a triangle, between its vertices [-]: there the nearest point wanders as
the triangle tilts, and pushing it out wherever it appears would never come to rest."""
SMALL = 0.1
"""The same at most, as a share of the radius of what is round [-]."""
ALIKE = 0.5
"""Cosine between the old direction of a contact between vertices and the new one above which it goes on [-]."""
SHORTER = 0.5
"""Share of the way out along the old direction of a contact below which another is taken instead [-]."""
MARCHES = 8
"""Steps by which that way is found."""
FARTHER = 0.25
"""How far weights of a nearest point may change before it is another one [-]."""


@kernel
def slop_of(skin, k, radius):
    """How deep [m] a shape may stay inside triangles of thing `k` between their vertices.

    With the vertices on something round the middle of an edge l is inside it by l^2 / (8 R): as far as the mesh can tell.
    """
    sagitta = min(skin.length[k] ** 2 / (8.0 * radius), SMALL * radius) if radius > 0.0 else 0.0
    return max(LEFT * skin.slop[k], sagitta)


@merged
def set_sides(found, row, body, surfaces, f, w, slop):
    """A body and a triangle, and how deep they may stay in each other [m]. Writes: found"""
    set_mover(found, row, 0, body, 1.0)
    set_triangle(found, row, 3, surfaces, f, w)
    if row >= 0:
        found.slop[row] = slop


@kernel
def keep(shapes, hulls, fields, motion, surfaces, skin, contacts, old, found, about, frame, margin):
    """A contact between vertices that no nearest point renews goes on at the same point while that is near. Writes: found

    Where it is pushed out, a vertex or another point of the triangle may be as near; without it what it held would sink in.
    """
    rows = sides_of(contacts.key, old, key_of(FACE_BODY, about[0], about[3], 0))
    for side in range(2):
        row = rows[side]
        if row >= 0:
            _go_on(shapes, hulls, fields, motion, surfaces, skin, contacts, found, about, frame, margin, row, side)


@kernel
def keep_other(shapes, hulls, fields, motion, surfaces, skin, contacts, old, found, about, frame, margin, w):
    """Of a solid's triangle whose nearest point is now at weights `w`: that of its contacts before that is farthest from there
    goes on beside it, as its second. Writes: found

    An edge that lies along an edge is nearest now at one end, now at the other: held at one alone, the other sinks in.
    """
    far, best = -1, FARTHER
    rows = sides_of(contacts.key, old, key_of(FACE_BODY, about[0], about[3], 0))
    for side in range(2):
        row = rows[side]
        for c in range(3 if row >= 0 else 0):
            if abs(contacts.weight[row, 3 + c] - w[c]) > best:
                far, best = row, abs(contacts.weight[row, 3 + c] - w[c])
    if far >= 0:
        _go_on(shapes, hulls, fields, motion, surfaces, skin, contacts, found, about, frame, margin, far, 1)


@kernel
def _go_on(shapes, hulls, fields, motion, surfaces, skin, contacts, found, about, frame, margin, row, side):
    """The old contact in `row` at the same point of its triangle, if that is near, for `side`. Writes: found"""
    i, k, _, f = about
    w = (contacts.weight[row, 3], contacts.weight[row, 4], contacts.weight[row, 5])
    was, offset = load(contacts.normal, row), surfaces.offset[k]
    p = mix(*corners_of(motion.position, surfaces.face, f), w)
    distance, out = point_to_shape(
        int(shapes.kind[i]), load(shapes.size, i), int(shapes.data[i]), hulls, fields, move_in(frame, p), offset + margin)
    normal, near = turn_out(frame, out), abs(distance) <= STAYS * skin.slop[k]
    if near or dot(normal, was) <= ALIKE:
        # At an edge of the shape little things would settle the direction, and where it is deeper than wide the wrong ones.
        if distance < 0.0 and surfaces.closed[k] == CLOSED:
            deep = _way_out(shapes, hulls, fields, i, move_in(frame, p), turn_in(frame, was))
            if not near and SHORTER * deep > -distance:
                return
            distance = -deep
        elif not near:
            return
        normal = was
    separation = distance - offset
    if separation > margin:
        return
    middle = add_scaled(p, -offset - 0.5 * separation, normal)
    friction = max(shapes.friction[i], surfaces.friction[k])
    new = emit(found, key_of(FACE_BODY, i, f, side), i, middle, normal, separation, friction)
    radius = core_radius(_shape(shapes.kind[i], load(shapes.size, i), shapes.data[i], hulls))
    set_sides(found, new, shapes.body[i], surfaces, f, w, slop_of(skin, k, radius))


@kernel
def _way_out(shapes, hulls, fields, i, p, along):
    """How far [m] a point inside shape `i` is from its surface `along` a direction, at most; in the shape's frame."""
    way = 0.0
    for _ in range(MARCHES):
        distance, _ = point_to_shape(int(shapes.kind[i]), load(shapes.size, i), int(shapes.data[i]), hulls, fields,
                                     add_scaled(p, way, along), 1e150)
        if distance >= 0.0:
            break
        way -= distance  # no surface is nearer
    return way
