"""A vertex of cloth or a solid and a triangle of the same or another: side, gap and contact.

The nearest point of the triangle is inside it, on an edge or at a corner. Points on an edge count only where the triangle
across is not nearer still, and speak through the one triangle that owns the edge; points at corners likewise. A sheet keeps
what touches it on the side where it was first, as long as the contact or one with a neighbouring triangle lives; what has come
through itself deeper than that is let go, until it has come undone. A solid
pushes what is inside it out the nearest way, where a way counts as longer the more it turns from the one by which the vertex
came: at the edges of a box that stands on another the nearest way would lead sideways.
"""

from ..._jit import kernel, merged
from ...math.vec3 import add_scaled, cross, dot, load, norm, scale, sub
from ...model.soft_contacts import CLOSED
from ..gjk import triangle_weights
from .persist import FEATURES, VERTEX_FACE, VOID, claim, key_of, set_mover, write
from .sliding import goes_on
from .sliding_pairs import may_slide, met_by_triangle
from .triangle import TINY, corner_normal, corners_of, mix, region, set_triangle, unit_normal

STAYS = 0.2
"""Share of the slop within which what is at an edge keeps the direction it had [-]."""
ASTERN = 0.3
"""Cosine between a solid's own direction at a vertex and that of a contact above which it would be pushed through itself [-]:
the edge of a box that stands on another is not pushed sideways out of its side."""
FLAT = 0.1
"""Cosine between an edge of a surface and a way out of it above which it is no way out [-]."""
COINCIDES = 1e-4
"""Share of the mean edge within which corners and edges lie in one place [-]."""


@merged
def vertex_face(surfaces, motion, rest, skin, boxes, contacts, old, found, k, v, other, leaf, dt):
    """The contact of vertex `v` of thing `k` with the triangle in a leaf of thing `other`. Writes: found, boxes"""
    f = skin.order[leaf]
    if surfaces.face[f, 0] == v or surfaces.face[f, 1] == v or surfaces.face[f, 2] == v:
        return
    x = load(motion.position, v)
    a, b, c = corners_of(motion.position, surfaces.face, f)
    w = triangle_weights(sub(a, x), sub(b, x), sub(c, x))
    gap = sub(x, mix(a, b, c, w))
    square = dot(gap, gap)
    thickness = surfaces.offset[k] + surfaces.offset[other]
    beside = sub(load(motion.velocity, v), mix(*corners_of(motion.velocity, surfaces.face, f), w))
    margin = min(skin.slop[k], skin.slop[other]) + skin.bulge[f] + dt * norm(beside)
    farthest = max(thickness + margin, skin.depth_in[other])
    if square > farthest * farthest:
        return
    speaks, sheet_goes_on, out = region(surfaces, motion, skin, leaf, f, a, b, c, w, gap, False)
    if not speaks or (k == other and _near_at_rest(surfaces.face, rest, f, v, thickness)):
        return
    side, through, kept = _side(surfaces, motion, skin, boxes, contacts, old, (k, v, other, f), sheet_goes_on, gap, out,
                                thickness)
    if not kept or (k == other and not through and surfaces.closed[k] != CLOSED and _pierces(
            motion.position, skin.first_ring, skin.ring, v, a, b, c, thickness + skin.slop[k])):
        return
    normal, separation, way = _way(surfaces, motion, skin, boxes, contacts, old, (k, v, other, f), side, through, w, gap, out,
                                   thickness)
    if k != other and not through and may_slide(surfaces.closed[other], w, scale(dt, beside), normal, separation):
        normal, separation = met_by_triangle(surfaces, motion, skin, int(v), int(f), min(skin.slop[k], skin.slop[other]),
                                             int(side), w, scale(dt, beside), thickness, normal, separation)
    row = _row(surfaces, motion, skin, boxes, found, (k, v, other), normal, separation, way, norm(gap), margin, through)
    if row < 0:
        return
    middle = add_scaled(x, -surfaces.offset[k] - 0.5 * separation, normal)
    friction = max(surfaces.friction[k], surfaces.friction[other])
    write(found, row, key_of(VERTEX_FACE, v, f, 0 if side > 0 else 1), -1, middle, normal, separation, friction)
    set_triangle(found, row, 0, surfaces, f, w)
    set_mover(found, row, 3, v, 1.0)


@merged
def _row(surfaces, motion, skin, boxes, found, about, normal, separation, way, distance, margin, through):
    """The row of a vertex's contact with a triangle, along `normal`; -1: none. Writes: boxes, found"""
    k, v, other = about
    _begin(boxes.nearest, boxes.inside, boxes.beside, v, other)
    if separation > margin:
        if surfaces.closed[other] == CLOSED:
            _shun(boxes.nearest, boxes.inside, found.key, v, way)
        return -1
    if through and _astern(surfaces, motion, skin, k, v, other, normal):
        # It lies along a face, and is not to be pushed out by one that it cannot have come through in a step.
        _shun(boxes.nearest, boxes.inside, found.key, v, max(distance, margin))
        return -1
    row = _place(boxes.nearest, boxes.inside, v, way, through)
    if row == -2:
        return -1
    if _astern(surfaces, motion, skin, k, v, other, normal):
        if row >= 0:
            found.key[row] = VOID  # the vertex is outside, so that no way out is wanted
        return -1
    if row == -1:
        row = claim(found.count, found.key.shape[0])
        if through:
            boxes.inside[v] = row
    return row


@merged
def _side(surfaces, motion, skin, boxes, contacts, old, about, goes_on, gap, out, thickness):
    """The side of a triangle that a vertex belongs to (1, -1), whether it has come through, and whether there is a contact."""
    k, v, other, f = about
    height = dot(out, gap)
    side = _remembered(surfaces.face, motion.position, skin.beside, boxes.past, contacts.key, old, v, f, out)
    if surfaces.closed[other] == CLOSED:
        through = height < 0.0 and goes_on
        return 1, through, not (through and (norm(gap) > skin.depth_in[other] or (k == other and side == 0)))
    coincides = k != other and norm(gap) < COINCIDES * skin.length[other]
    drawn_in = surfaces.closed[k] == CLOSED and goes_on and norm(gap) <= thickness + skin.slop[other]
    if side == 0 and (coincides or drawn_in):
        side = _beside(surfaces, motion, skin, k, v, other, out)
    if coincides:
        return side, False, True
    if side == 0:
        side = 1 if height >= 0.0 else -1
    through = height * side < 0.0
    if through and (not goes_on or norm(gap) > thickness + skin.slop[other]):
        side, through = -side, False  # it went round the rim, or has long been on the other side
    return side, through, True


@kernel
def _beside(surfaces, motion, skin, k, v, other, out):
    """The side of a sheet on which a vertex belongs that lies in it: of two sheets in one place the later one lies before the
    earlier one, and a solid behind its own surface, also where the sheet was drawn into it while nobody looked. Each would else
    be kept before the other."""
    if k > other and surfaces.closed[k] != CLOSED:
        return 1
    return -1 if dot(corner_normal(surfaces.face, motion.position, skin.beside, skin.fan[v], v)[0], out) > 0.0 else 1


@kernel
def _pierces(position, first_ring, ring, v, a, b, c, depth):
    """Whether an edge of a sheet at vertex `v` leads through its triangle a, b, c to what is deeper than `depth` [m] behind it.

    Then nobody can tell on which side either end belongs: pushed both ways it would stay tangled for ever.
    """
    n, x, found = unit_normal(a, b, c), load(position, v), False
    height = dot(n, sub(x, a))
    for r in range(first_ring[v], first_ring[v + 1]):
        along = sub(load(position, ring[r]), x)
        behind = height + dot(n, along)
        if height * behind < 0.0 and abs(behind) > depth:
            p = add_scaled(x, height / (height - behind), along)
            found |= (dot(cross(sub(b, a), sub(p, a)), n) > 0.0 and dot(cross(sub(c, b), sub(p, b)), n) > 0.0
                      and dot(cross(sub(a, c), sub(p, c)), n) > 0.0)
    return found


@kernel
def _astern(surfaces, motion, skin, k, v, other, normal):
    """Whether a solid would be pushed along `normal` through itself, to bring its vertex out of another."""
    if k == other or surfaces.closed[k] != CLOSED or surfaces.closed[other] != CLOSED:
        return False
    return dot(corner_normal(surfaces.face, motion.position, skin.beside, skin.fan[v], v)[0], normal) > ASTERN


@merged
def _way(surfaces, motion, skin, boxes, contacts, old, about, side, through, w, gap, out, thickness):
    """The direction in which a vertex leaves a triangle, the gap along it [m], and how long this way counts [m]."""
    k, v, other, f = about
    distance, towards = norm(gap), -1.0 if through else 1.0
    normal = scale(towards / distance, gap) if distance > 1e-12 else scale(side / max(norm(out), 1e-300), out)
    separation, way = towards * distance - thickness, distance
    if surfaces.closed[other] != CLOSED:
        if k != other and distance < COINCIDES * skin.length[other]:
            normal = scale(side / max(norm(out), 1e-300), out)
            separation = dot(normal, gap) - thickness
        return normal, separation, way
    at_edge = min(w[0], w[1], w[2]) <= TINY
    came = _came_by(contacts, boxes.past, old, v, surfaces.first_face[other], surfaces.first_face[other + 1])
    if dot(came, came) > 0.0:
        near = distance < STAYS * skin.slop[other]
        if near and (at_edge or _astern(surfaces, motion, skin, k, v, other, normal)):
            # So near to an edge or a corner little things would settle the direction.
            normal, separation = came, dot(came, gap) - thickness
        elif through:
            way += skin.depth_in[other] * (1.0 - dot(came, normal))
    elif at_edge and surfaces.closed[k] == CLOSED and distance < COINCIDES * skin.length[other]:
        normal = _between(surfaces.face, motion.position, skin, v, f, w, out)
        separation = dot(normal, gap) - thickness
    return normal, separation, way


@kernel
def _remembered(faces, position, beside, past, keys, old, v, f, out):
    """Side (1, -1) of the old contact of a vertex with a triangle, or else with a neighbour of it; 0: there is none.

    A neighbour folded over it has no say. Also 0 where they contradict each other, which would draw the vertex both ways:
    then it is where it is.
    """
    own, side, row = 0, 0, past[v]
    while row >= 0 and row < old:
        name = keys[row] >> 1
        if name // (FEATURES * FEATURES) != VERTEX_FACE or name // FEATURES % FEATURES != v:
            break
        face = name % FEATURES
        its = 1 if keys[row] & 1 == 0 else -1
        if face == f:
            own = its
        elif ((face == beside[f, 0] or face == beside[f, 1] or face == beside[f, 2])
              and dot(unit_normal(*corners_of(position, faces, face)), out) > 0.0):
            side = its if side == 0 or side == its else 2
        row += 1
    if own == 0:
        return side if side != 2 else 0
    return own if side == 0 or side == own else 0


@merged
def _between(face, position, skin, v, f, w, out):
    """The direction in which a vertex of a solid leaves an edge or a corner of another that it coincides with: away from both.

    Two boxes of one size, one on the other, so part upwards at their edges too. Where the other goes on that way, as what is
    flat does, its own direction is the only one.
    """
    own = corner_normal(face, position, skin.beside, skin.fan[v], v)[0]
    out = scale(1.0 / max(norm(out), 1e-300), out)
    both = sub(out, own)
    size = norm(both)
    if size < 1e-3:
        return out
    both = scale(1.0 / size, both)
    for c in range(3):
        if w[c] > TINY and goes_on(position, skin, face[f, c], both) > FLAT:
            return out
    return both


@kernel
def _came_by(contacts, past, old, v, first, last):
    """Normal of the nearest of the old contacts of a vertex with the triangles `first` to `last` - 1; zero: there is none."""
    out, least, row = (0.0, 0.0, 0.0), 1e300, past[v]
    while row >= 0 and row < old:
        name = contacts.key[row] >> 1
        if name // (FEATURES * FEATURES) != VERTEX_FACE or name // FEATURES % FEATURES != v:
            break
        if name % FEATURES >= first and name % FEATURES < last and contacts.separation[row] < least:
            out, least = load(contacts.normal, row), contacts.separation[row]
        row += 1
    return out


@kernel
def _near_at_rest(face, rest, f, v, thickness):
    """Whether a vertex and a triangle of one thing are nearer at rest than its thickness [m]: too fine a mesh to tell."""
    x = load(rest, v)
    a, b, c = corners_of(rest, face, f)
    w = triangle_weights(sub(a, x), sub(b, x), sub(c, x))
    gap = sub(x, mix(a, b, c, w))
    return dot(gap, gap) < thickness * thickness


@kernel
def _begin(nearest, inside, beside, v, other):
    """Triangles of one thing are looked at in a row; of another nothing was found yet. Writes: nearest, inside, beside"""
    if beside[v] != other:
        nearest[v], inside[v], beside[v] = 1e300, -1, other


@kernel
def _shun(nearest, inside, keys, v, most):
    """Let no way out of a solid count that is longer than `most` [m]. Writes: nearest, inside, keys"""
    if most < nearest[v]:
        nearest[v] = most
        if inside[v] >= 0:
            keys[inside[v]] = VOID
        inside[v] = -1


@kernel
def _place(nearest, inside, v, distance, through):
    """Where the contact of a vertex goes: -1 a new row, -2 nowhere, else the row of what it makes void. Writes: nearest, inside

    Of triangles that a vertex is behind only the nearest counts, and none if it is still nearer to one that it is before.
    """
    if through and distance >= nearest[v]:
        return -2
    row = -1
    if distance < nearest[v]:
        nearest[v] = distance
        row = inside[v]
        if not through:
            inside[v] = -1
    return row
