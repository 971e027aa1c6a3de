"""Cloth and solids against each other and against themselves: two trees of triangles walked side by side.

Each pair of triangles that may meet is looked at once, with the vertices and edges that belong to them: every vertex against
every triangle, every edge against every edge, none twice.
"""

from ..._jit import entry, kernel, merged, stage
from ...math.vec3 import add, add_scaled, dot, load, norm, sub
from ...model.bodies import Motion
from ...model.shapes import Excluded
from ...model.soft_contacts import SoftContacts, Surfaces
from ..gjk import segment_weights, triangle_weights
from .edge_edge import edge_edge
from .persist import FEATURES, VERTEX_FACE, Fresh, in_use
from .tree import flat_together
from .triangle import mix
from .vertex_face import vertex_face
from .vertices import passes
from .work import FLAT_LEVELS, Boxes, Rest, Skin

RIM = 1e300
MOST = 256
"""What is noted at once, at most: of twice four triangles with up to three vertices and edges each."""


@entry
def touch_soft(excluded: Excluded, surfaces: Surfaces, motion: Motion, rest: Rest, skin: Skin, boxes: Boxes,
               contacts: SoftContacts, fresh: Fresh, dt: float) -> int:
    """Contacts found so far, with those among soft things; vertices that are tied do not touch. Writes: fresh, boxes"""
    things = surfaces.closed.shape[0]
    old = in_use(contacts)
    begin(surfaces, motion, skin, boxes, contacts, old)
    boxes.meetings[0] = 0
    for k in range(things):
        for other in range(k, things):
            some = _has_faces(surfaces.first_face, k) and _has_faces(surfaces.first_face, other)
            if some and (other > k or surfaces.itself[k]):
                _walk(excluded, surfaces, motion, rest, skin, boxes, contacts, old, fresh.found, k, other, dt)
    look(excluded, surfaces, motion, rest, skin, boxes, contacts, old, fresh.found, dt)
    return fresh.found.count[0]


@kernel
def _has_faces(first_face, k):
    return first_face[k + 1] > first_face[k]


@merged
def begin(surfaces, motion, skin, boxes, contacts, old):
    """What is known of vertices and edges before the walk. Writes: boxes"""
    for i in range(surfaces.node.shape[0]):
        v = surfaces.node[i]
        boxes.nearest[v], boxes.inside[v], boxes.beside[v], boxes.past[v] = 1e300, -1, -1, -1
    for row in range(old - 1, -1, -1):
        name = contacts.key[row] >> 1
        if name // (FEATURES * FEATURES) == VERTEX_FACE:
            boxes.past[name // FEATURES % FEATURES] = row
    for k in range(surfaces.itself.shape[0]):
        if surfaces.itself[k]:
            boxes.crossed[k] = -1
    for e in range(surfaces.edge.shape[0]):
        boxes.sharp[e] = _stands_out(surfaces, motion, skin, e)


@merged
def _stands_out(surfaces, motion, skin, e):
    """How far [m] an edge stands out over the line between the third corners of its triangles, at most; RIM at a rim."""
    if skin.wing[e, 1] < 0:
        return RIM
    p = load(motion.position, surfaces.edge[e, 0])
    along = sub(load(motion.position, surfaces.edge[e, 1]), p)
    square = max(dot(along, along), 1e-300)
    one = sub(load(motion.position, skin.wing[e, 0]), p)
    two = sub(load(motion.position, skin.wing[e, 1]), p)
    one = add_scaled(one, -dot(one, along) / square, along)
    two = add_scaled(two, -dot(two, along) / square, along)
    _, t = segment_weights(one, two)
    return norm(add_scaled(one, t, sub(two, one)))


@merged
def _meets(box, row, low, high):
    """Whether a box meets the box (low, high)."""
    return (
        box[row, 0] <= high[0] and low[0] <= box[row, 3] and box[row, 1] <= high[1] and low[1] <= box[row, 4]
        and box[row, 2] <= high[2] and low[2] <= box[row, 5]
    )


@merged
def _grown(box, row, grow):
    """Corners of a box grown by `grow` [m]."""
    return ((box[row, 0] - grow, box[row, 1] - grow, box[row, 2] - grow),
            (box[row, 3] + grow, box[row, 4] + grow, box[row, 5] + grow))


@merged
def _walk(excluded, surfaces, motion, rest, skin, boxes, contacts, old, found, k, other, dt):
    """All pairs of leaves of two things, or of one with itself, that may meet. Writes: found, boxes"""
    box, pair, level = boxes.box, boxes.pair, skin.level
    grow = dt * norm(sub(load(boxes.drift, k), load(boxes.drift, other)))
    same = k == other
    pair[0, 0], pair[0, 1] = level[k, skin.depth[k]], skin.depth[k]
    pair[0, 2], pair[0, 3] = level[other, skin.depth[other]], skin.depth[other]
    low, high = _grown(box, pair[0, 0], grow)
    top = 1 if _meets(box, pair[0, 2], low, high) else 0
    while top > 0:
        top -= 1
        i, at, j, by = pair[top, 0], pair[top, 1], pair[top, 2], pair[top, 3]
        if same and at == by and at > 0 and at <= FLAT_LEVELS and flat_together(
                boxes.facing, skin.first_near, skin.near, i, j):
            continue
        if at <= 1 and by <= 1:
            one, two = _leaves(surfaces, skin, k, i, at), _leaves(surfaces, skin, other, j, by)
            _meet(surfaces, motion, skin, boxes, k, i, one, other, j, two, grow)
            if boxes.meetings[0] > boxes.meeting.shape[0] - MOST:
                look(excluded, surfaces, motion, rest, skin, boxes, contacts, old, found, dt)
            continue
        # The higher one opens; at one level, both.
        first, last, down = i, i + 1, at
        if at >= by and at > 0:
            first = level[k, at - 1] + 4 * (i - level[k, at])
            last, down = min(first + 4, level[k, at]), at - 1
        begin_j, end_j, down_j = j, j + 1, by
        if by >= at and by > 0:
            begin_j = level[other, by - 1] + 4 * (j - level[other, by])
            end_j, down_j = min(begin_j + 4, level[other, by]), by - 1
        for a in range(first, last):
            low, high = _grown(box, a, grow)
            for b in range(max(begin_j, a) if same and i == j else begin_j, end_j):
                if _meets(box, b, low, high):
                    pair[top, 0], pair[top, 1], pair[top, 2], pair[top, 3] = a, down, b, down_j
                    top += 1


@merged
def _meet(surfaces, motion, skin, boxes, k, i, one, other, j, two, grow):
    """Note what may meet of the leaves one[0] to one[1] in box i and two[0] to two[1] in box j. Writes: boxes"""
    _vertices_near(surfaces, motion, skin, boxes, k, one, other, j, two, grow)
    if i != j:
        _vertices_near(surfaces, motion, skin, boxes, other, two, k, i, one, grow)
    least = min(skin.slop[k], skin.slop[other])
    for a in range(skin.first_edge[one[0]], skin.first_edge[one[1]]):
        for b in range(a + 1 if i == j else skin.first_edge[two[0]], skin.first_edge[two[1]]):
            if boxes.sharp[skin.edge[a]] + boxes.sharp[skin.edge[b]] >= least:
                _note(boxes.meeting, boxes.meetings, k, skin.edge[a], other, skin.edge[b], 1)


@merged
def _vertices_near(surfaces, motion, skin, boxes, k, one, other, j, two, grow):
    """Note the vertices of some leaves near triangles of others, in box j. Writes: boxes"""
    first = skin.level[other, 0] - surfaces.first_face[other]
    for n in range(skin.first_node[one[0]], skin.first_node[one[1]]):
        v = skin.node[n]
        x, reach = load(motion.position, v), boxes.reach[v] + grow
        low, high = sub(x, (reach, reach, reach)), add(x, (reach, reach, reach))
        if _meets(boxes.box, j, low, high):
            for leaf in range(two[0], two[1]):
                if _meets(boxes.box, first + leaf, low, high) and _near(
                        surfaces.face, motion.position, boxes.reach, v, skin.order[leaf],
                        grow + skin.depth_in[other] + skin.bulge[skin.order[leaf]]):
                    _note(boxes.meeting, boxes.meetings, k, v, other, leaf, 0)


@merged
def _leaves(surfaces, skin, k, row, at):
    """First and last leaf, plus one, of a box of level 0 or 1."""
    first = surfaces.first_face[k] + (row - skin.level[k, at]) * (4 if at == 1 else 1)
    return first, min(first + (4 if at == 1 else 1), surfaces.first_face[k + 1])


@kernel
def _note(meeting, meetings, k, one, other, two, edges):
    """Writes: meeting, meetings"""
    at = meetings[0]
    meeting[at, 0], meeting[at, 1], meeting[at, 2], meeting[at, 3], meeting[at, 4] = k, one, other, two, edges
    meetings[0] = at + 1


@stage
def look(excluded: Excluded, surfaces: Surfaces, motion: Motion, rest: Rest, skin: Skin, boxes: Boxes, contacts: SoftContacts,
         old: int, found: SoftContacts, dt: float) -> None:
    """Contacts of what was noted. Writes: found, boxes

    Handing over so many arrays takes longer than a contact: so it is done once for many.
    """
    for at in range(boxes.meetings[0]):
        k, one, other, two = boxes.meeting[at, 0], boxes.meeting[at, 1], boxes.meeting[at, 2], boxes.meeting[at, 3]
        if excluded.pair.shape[0] > 0 and _holds(excluded.pair, surfaces, skin, one, two, boxes.meeting[at, 4]):
            continue
        if boxes.meeting[at, 4]:
            edge_edge(surfaces, motion, rest, skin, boxes.crossed, contacts, old, found, k, one, other, two, dt)
        else:
            vertex_face(surfaces, motion, rest, skin, boxes, contacts, old, found, k, one, other, two, dt)
    boxes.meetings[0] = 0


@kernel
def _holds(tied, surfaces, skin, one, two, edges):
    """Whether a vertex is tied to one of a leaf's triangle, or an end of an edge to one of another."""
    found = False
    if edges:
        for c in range(4):
            found |= passes(tied, surfaces.edge[one, c // 2], surfaces.edge[two, c % 2])
    else:
        for c in range(3):
            found |= passes(tied, one, surfaces.face[skin.order[two], c])
    return found


@kernel
def _near(face, position, reach, v, f, grow):
    """Whether a vertex is none of a triangle's and may reach it within the step: by their distance. Cheap, and asked first."""
    i, j, k = face[f, 0], face[f, 1], face[f, 2]
    if v == i or v == j or v == k:
        return False
    x = load(position, v)
    a, b, c = sub(load(position, i), x), sub(load(position, j), x), sub(load(position, k), x)
    gap = mix(a, b, c, triangle_weights(a, b, c))
    most = reach[v] + max(reach[i], reach[j], reach[k]) + grow
    return dot(gap, gap) <= most * most
