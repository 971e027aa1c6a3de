"""What is thin against triangles of cloth and solids: where its spine will cross their edges, and where it ends.

A thin rod lies between vertices, and its nearest point of a triangle says nothing of where else it comes through as it turns.
So each edge that the spine lies over, or comes over within the step, is a contact at that place of both; so is each triangle
that an end comes to. On a solid what is under the surface is inside where that is the nearest, and pushed out there; on a sheet
the side on which something was is remembered.
"""

from math import sqrt

from ..._jit import entry, kernel, merged
from ...math.vec3 import add, add_scaled, cross, dot, load, norm, normalize, scale, sub
from ...model.bodies import Bodies, Motion
from ...model.shapes import Excluded, Shapes
from ...model.soft_contacts import CLOSED, SoftContacts, Surfaces
from ..gjk import triangle_weights
from ..support import move_out
from ..work import Places
from .between import LEFT
from .edge_edge import PARALLEL
from .faces import may_touch
from .persist import END_BODY, SPINE_EDGE, Fresh, emit, in_use, key_of, set_mover, sides_of
from .spines import Spines
from .tree import search
from .triangle import TINY, corners_of, foot_weights, mix, region, set_triangle, unit_normal
from .vertices import frame_of, velocity_beside
from .work import INSIDE, Boxes, Skin

FASTER = 2.0
"""How much faster than it came a rod may go on within a step [-]: one that is stopped at an end turns about it, and its other
end goes on half as fast again."""
NEAREST = 0.8
"""Share of how deep something is under a triangle that it must be from all others, to be inside there [-]; where it was a
contact before, half of that."""
YIELDS = 0.1
"""How deep a spine may stay, as a share of its radius [-]."""


@entry
def touch_rods(bodies: Bodies, shapes: Shapes, excluded: Excluded, motion: Motion, surfaces: Surfaces, places: Places,
               skin: Skin, boxes: Boxes, spines: Spines, contacts: SoftContacts, fresh: Fresh, dt: float) -> int:
    """Contacts found so far, with those of spines and triangles. Writes: fresh, boxes.hit, boxes.stack"""
    old, things = in_use(contacts), surfaces.closed.shape[0]
    for i in range(shapes.kind.shape[0]):
        frame, body = frame_of(places, i), shapes.body[i]
        for k in range(things):
            first, last = spines.first[i], spines.first[i + 1]
            if first == last or not spines.thin[i * things + k]:
                continue
            count = _triangles_near(motion, surfaces, places, skin, boxes, i, k, dt)
            for h in range(count):
                leaf = boxes.hit[h]
                f = skin.order[leaf]
                if skin.hollow[f] or not may_touch(bodies.kind, excluded.pair, surfaces.face, body, f):
                    continue
                for one in range(first, last):
                    about = (i, k, leaf, f, one, count)
                    line = (move_out(frame, load(spines.start, one)), move_out(frame, load(spines.end, one)))
                    _meet_edges(shapes, motion, surfaces, skin, boxes, spines, contacts, old, fresh.found, about, line, dt)
                    _meet_ends(shapes, motion, surfaces, skin, boxes, spines, contacts, old, fresh.found, about, line, dt)
    return fresh.found.count[0]


@kernel
def _triangles_near(motion, surfaces, places, skin, boxes, i, k, dt):
    """Number of the leaves of thing `k` that shape `i` may reach, or lies under. Writes: boxes.hit, boxes.stack"""
    speed = norm(load(places.velocity, i)) + places.sweep[i]
    grow = INSIDE * skin.length[k] + skin.slop[k] + dt * (norm(load(boxes.drift, k)) + boxes.stir[k] + (FASTER - 1.0) * speed)
    low, high = sub(load(places.lower, i), (grow, grow, grow)), add(load(places.upper, i), (grow, grow, grow))
    return search(surfaces, skin, boxes, k, low, high, (0.0, 0.0, 0.0), 0.0)


@merged
def _meet_edges(shapes, motion, surfaces, skin, boxes, spines, contacts, old, found, about, line, dt):
    """Contacts of a spine with the edges that the triangle in a leaf owns. Writes: found"""
    _, _, leaf, f, _, _ = about
    for at in range(skin.first_edge[leaf], skin.first_edge[leaf + 1]):
        e = skin.edge[at]
        for c in range(3):
            v, w = surfaces.face[f, (c + 1) % 3], surfaces.face[f, (c + 2) % 3]
            if min(v, w) == surfaces.edge[e, 0] and max(v, w) == surfaces.edge[e, 1]:
                _meet_edge(shapes, motion, surfaces, skin, boxes, spines, contacts, old, found, about, line, (e, c, v, w), dt)


@merged
def _meet_edge(shapes, motion, surfaces, skin, boxes, spines, contacts, old, found, about, line, edge, dt):
    """The contact of a spine with one edge, from `v` to `w`, opposite to corner `c` of a triangle. Writes: found"""
    i, k, _, f, one, _ = about
    e, c, v, w = edge
    body, radius = shapes.body[i], spines.radius[one]
    a, u = load(motion.position, v), sub(load(motion.position, w), load(motion.position, v))
    n, m = unit_normal(*corners_of(motion.position, surfaces.face, f)), (0.0, 0.0, 0.0)
    p, d = line[0], sub(line[1], line[0])
    beyond, into, back = skin.beside[f, c], sub(load(motion.position, surfaces.face[f, c]), a), (0.0, 0.0, 0.0)
    if beyond >= 0:
        m = unit_normal(*corners_of(motion.position, surfaces.face, beyond))
        back = sub(load(motion.position, skin.across[f, c]), a)
    up = normalize(add(n, m))
    if dot(up, up) == 0.0:
        return
    start, end = load(motion.velocity, v), load(motion.velocity, w)
    first, last = velocity_beside(motion, body, line[0], start), velocity_beside(motion, body, line[1], end)
    came = (scale(-dt, velocity_beside(motion, body, line[0], (0.0, 0.0, 0.0))),
            scale(-dt, velocity_beside(motion, body, line[1], (0.0, 0.0, 0.0))))
    there = (add(p, came[0]), add(d, sub(came[1], came[0])), add_scaled(a, dt, start), add_scaled(u, dt, sub(end, start)))
    s, t, high, valid = _over(p, d, a, u, up)
    side, alive = _side(surfaces, contacts, old, k, key_of(SPINE_EDGE, one, e, 0),
                        dot(up, sub(add_scaled(p, min(max(s, 0.0), 1.0), d), a)))
    up, n, m = scale(side, up), scale(side, n), scale(side, m)
    margin = skin.slop[k] + dt * (boxes.stir[k] + FASTER * max(norm(first), norm(last)))
    share = _when(side * high, _over(*there, up)[2], radius + surfaces.offset[k])
    inside = False
    for time in (share, 0.0, 1.0):
        if not inside:
            s, t, _, valid = _over(_between(p, there[0], time), _between(d, there[1], time), _between(a, there[2], time),
                                   _between(u, there[3], time), up)
            inside = valid and s >= 0.0 and s <= 1.0 and t >= 0.0 and t <= 1.0
    if not inside:
        return
    q = add_scaled(p, s, d)
    gap = sub(q, add_scaled(a, t, u))
    normal = _within(cross(d, u), u, up, n, m, into, back, beyond >= 0)
    name = key_of(SPINE_EDGE, one, e, 0 if side > 0.0 else 1)
    _emit(shapes, motion, surfaces, skin, boxes, spines, found, about, (name, alive), q, gap, normal, d, margin,
          (0.0, 1.0 - t, t) if c == 0 else ((t, 0.0, 1.0 - t) if c == 1 else (1.0 - t, t, 0.0)))


@kernel
def _between(a, b, share):
    """What is a `share` of the way from `a` to `b`."""
    return add_scaled(a, share, sub(b, a))


@kernel
def _when(high, later, touching):
    """At which share of the step something that is `high` [m], and `later` at its end, is as low as `touching`."""
    return min(max((high - touching) / (high - later), 0.0), 1.0) if later < high else 0.0


@kernel
def _over(p, d, a, u, up):
    """Shares s, t at which a line p + s d is over another, a + t u, as seen along `up`, how high [m], and whether it is."""
    across, gap = cross(u, up), sub(a, p)
    twice = dot(d, across)
    if abs(twice) <= PARALLEL * norm(d) * norm(u):
        return 0.5, 0.5, -dot(gap, up), False
    return dot(gap, across) / twice, dot(d, cross(up, gap)) / twice, dot(d, cross(gap, u)) / twice, True


@kernel
def _side(surfaces, contacts, old, k, name, high):
    """The side of a triangle that a body is on: 1, or -1 behind a sheet; and whether the contact `name` was there before."""
    one, other = sides_of(contacts.key, old, name)
    if surfaces.closed[k] == CLOSED:
        return 1.0, one >= 0
    if one >= 0 or other >= 0:
        return 1.0 if one >= 0 else -1.0, True
    return 1.0 if high >= 0.0 else -1.0, False


@kernel
def _within(across, u, up, n, m, into, back, closed):
    """The direction `across` an edge along `u` and what crosses it, if it lies between those in which its triangles look; else
    the nearer of these. `into`, `back`: to the third corners of both."""
    length, out = norm(across), up
    if length > 0.0:
        out = scale((1.0 if dot(across, up) >= 0.0 else -1.0) / length, across)
    square = max(dot(u, u), 1e-300)
    one = dot(out, add_scaled(into, -dot(into, u) / square, u)) > 0.0
    two = closed and dot(out, add_scaled(back, -dot(back, u) / square, u)) > 0.0
    if closed and dot(n, back) >= 0.0:
        return up  # a valley, or flat
    return n if one else (m if two else out)


@merged
def _meet_ends(shapes, motion, surfaces, skin, boxes, spines, contacts, old, found, about, line, dt):
    """Contacts of the ends of a spine with a triangle. Writes: found"""
    i, k, _, f, one, _ = about
    a, b, c = corners_of(motion.position, surfaces.face, f)
    u, v, w = corners_of(motion.velocity, surfaces.face, f)
    n = unit_normal(a, b, c)
    if dot(n, n) == 0.0:
        return
    for end in range(2):
        p = line[end]
        side, alive = _side(surfaces, contacts, old, k, key_of(END_BODY, 2 * one + end, f, 0), dot(n, sub(p, a)))
        up = scale(side, n)
        weights = foot_weights(a, b, c, p)
        beside = scale(-1.0, velocity_beside(motion, shapes.body[i], p, mix(u, v, w, weights)))
        way = scale(-dt, velocity_beside(motion, shapes.body[i], p, (0.0, 0.0, 0.0)))
        high = dot(up, sub(p, a))
        share = _when(high, high + dt * dot(beside, up), spines.radius[one] + surfaces.offset[k])
        there = foot_weights(add_scaled(a, share * dt, u), add_scaled(b, share * dt, v), add_scaled(c, share * dt, w),
                             add_scaled(p, share, way))
        weights = there if min(there[0], there[1], there[2]) >= -TINY else weights
        over = min(weights[0], weights[1], weights[2]) >= -TINY
        if not over:
            over, weights, up = _beside(surfaces, motion, skin, about, (a, b, c), p)
        if over:
            margin = skin.slop[k] + dt * (boxes.stir[k] + FASTER * norm(beside))
            name = key_of(END_BODY, 2 * one + end, f, 0 if side > 0.0 else 1)
            _emit(shapes, motion, surfaces, skin, boxes, spines, found, about, (name, alive), p, sub(p, mix(a, b, c, weights)),
                  up, sub(line[1], line[0]), margin, weights)


@merged
def _beside(surfaces, motion, skin, about, corners, p):
    """Whether a point that is over no triangle is nearest to an edge of this one, which speaks for it; weights of the place,
    and the direction from it to the point."""
    _, k, leaf, f, _, _ = about
    a, b, c = corners
    w = triangle_weights(sub(a, p), sub(b, p), sub(c, p))
    gap = sub(p, mix(a, b, c, w))
    speaks, _, out = region(surfaces, motion, skin, leaf, f, a, b, c, w, gap, False)
    speaks = speaks and norm(gap) > 0.0 and max(w[0], w[1], w[2]) <= 1.0 - TINY
    return speaks and (surfaces.closed[k] != CLOSED or dot(gap, out) > 0.0), w, normalize(gap)


@merged
def _emit(shapes, motion, surfaces, skin, boxes, spines, found, about, named, p, gap, up, d, margin, weights):
    """A contact at `p` on a spine along `d`, `gap` [m] from a place of a surface that looks along `up`. Writes: found"""
    i, k, _, f, one, count = about
    name, alive = named
    lean = dot(d, up) ** 2 / max(dot(d, d), 1e-300) if spines.flat[one] else 0.0
    radius = spines.radius[one] * sqrt(max(1.0 - lean, 0.0))
    high = dot(gap, up)
    separation = high - radius - surfaces.offset[k]
    if separation > margin:
        return
    if separation < 0.0 and surfaces.closed[k] == CLOSED:
        least, inside = _nearest(motion, surfaces, skin, boxes, count, p)
        if high < 0.0 and (not inside or least < -(0.5 if alive else 1.0) * NEAREST * high):
            return
        if high >= 0.0 and not inside:  # a plane may be nearer than what of it is there
            separation = max(separation, least - radius - surfaces.offset[k])
    normal = scale(-1.0, up)
    at = add_scaled(p, radius + 0.5 * separation, normal)
    row = emit(found, name, i, at, normal, separation, max(shapes.friction[i], surfaces.friction[k]))
    set_mover(found, row, 0, shapes.body[i], 1.0)
    set_triangle(found, row, 3, surfaces, f, weights)
    if row >= 0:
        found.slop[row] = min(LEFT * skin.slop[k], YIELDS * spines.radius[one])


@kernel
def _nearest(motion, surfaces, skin, boxes, count, p):
    """How far [m] a point is from the nearest of the triangles found, and whether that, or all that are as near, look away."""
    least, inside = 1e300, False
    for h in range(count):
        a, b, c = corners_of(motion.position, surfaces.face, skin.order[boxes.hit[h]])
        a, b, c = sub(a, p), sub(b, p), sub(c, p)
        q = mix(a, b, c, triangle_weights(a, b, c))
        distance = norm(q)
        if distance <= (1.0 + TINY) * least:
            behind = dot(unit_normal(a, b, c), q) > 0.0
            inside = behind and (inside or distance < (1.0 - TINY) * least)
            least = min(least, distance)
    return least, inside
