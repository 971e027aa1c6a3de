"""Two edges of cloth or solids that cross: only where both stand out, for what is flat meets with its vertices.

Edges of sheets need to stand out the less the nearer they come than their thickness: there vertices alone do not hold them
apart, and of a sheet that was wrung, edges that stood out by half a millimetre went through each other. A contact keeps its
side: the sign of (e1 x e2) . d, with d from the first edge to the second.
"""

from ..._jit import kernel, merged
from ...math.vec3 import add_scaled, cross, dot, load, norm, scale, sub
from ...model.soft_contacts import CLOSED
from .persist import EDGE_EDGE, emit, key_of, row_of, set_mover

PARALLEL = 1e-3
"""Sine of the angle below which edges do not cross."""


@kernel
def crossing(p, u, q, v):
    """Parameters of the nearest points of two lines p + s u, q + t v, and whether both lie strictly inside their edges."""
    r = sub(p, q)
    a, b, e, c, f = dot(u, u), dot(u, v), dot(v, v), dot(u, r), dot(v, r)
    d = a * e - b * b
    if d <= PARALLEL * PARALLEL * a * e:
        return 0.0, 0.0, False
    s, t = (b * f - c * e) / d, (a * f - b * c) / d
    return s, t, s > 0.0 and s < 1.0 and t > 0.0 and t < 1.0


@kernel
def _stands_towards(position, wing, e, p, towards):
    """How far [m] an edge through `p` stands out beyond its triangles along a unit vector; 1e300 where there is none."""
    least = 1e300
    for c in range(2):
        o = wing[e, c]
        if o >= 0:
            out = dot(sub(p, load(position, o)), towards)
            if wing[e, 1] < 0:
                # A rim need not stand out; its only triangle must not lean over.
                return 1e300 if out > -1e-9 * norm(sub(p, load(position, o))) else out
            least = min(least, out)
    return least


@merged
def edge_edge(surfaces, motion, rest, skin, crossed, contacts, old, found, k, one, other, two, dt):
    """The contact of two edges. Writes: found, crossed"""
    if one > two:
        k, one, other, two = other, two, k, one
    i, j, m, n = surfaces.edge[one, 0], surfaces.edge[one, 1], surfaces.edge[two, 0], surfaces.edge[two, 1]
    if i == m or i == n or j == m or j == n:
        return
    p, q = load(motion.position, i), load(motion.position, m)
    u, v = sub(load(motion.position, j), p), sub(load(motion.position, n), q)
    s, t, cross_inside = crossing(p, u, q, v)
    if not cross_inside:
        return
    p, q = add_scaled(p, s, u), add_scaled(q, t, v)
    gap, thickness = sub(q, p), surfaces.offset[k] + surfaces.offset[other]
    slop = min(skin.slop[k], skin.slop[other])
    beside = _beside(motion.velocity, i, j, s, m, n, t)
    margin = slop + dt * norm(beside)
    inside = min(skin.length[k], skin.length[other])
    distance = norm(gap)
    if distance > max(thickness + margin, 0.5 * inside) or distance < 1e-12:
        return
    if k == other and _near_at_rest(surfaces.edge, rest, one, two, thickness):
        return
    side = 0 if dot(cross(u, v), gap) >= 0.0 else 1
    kept = _kept(contacts.key, old, one, two, side)
    through = kept >= 0 and kept != side
    sheets = surfaces.closed[k] != CLOSED and surfaces.closed[other] != CLOSED
    if through and distance > (thickness + slop if sheets else max(thickness, 0.5 * inside)):
        return
    towards, wanted = scale((-1.0 if through else 1.0) / distance, gap), 0.5 * slop if kept >= 0 else slop
    if sheets:
        coming = (-distance if through else distance) - thickness + dt * min(dot(beside, towards), 0.0)
        wanted = max(min(wanted, slop + coming), -0.5 * slop if kept >= 0 else 0.0)  # what came and went would tremble
        if kept < 0 and (_leads_through(motion.position, surfaces.edge, skin.wing, one, two)
                         or _leads_through(motion.position, surfaces.edge, skin.wing, two, one)):
            crossed[k] = one if k == other else crossed[k]
            return
    turned = _turned(surfaces.closed, motion.position, skin.wing, k, one, p, other, two, q, towards, wanted, through)
    if turned < 0:
        return
    if turned == 1:
        towards, through, side = scale(-1.0, towards), True, 1 - side
    elif through:
        side = kept
    separation = (-distance if through else distance) - thickness
    if separation > margin:
        return
    middle = add_scaled(p, surfaces.offset[k] + 0.5 * separation, towards)
    friction = max(surfaces.friction[k], surfaces.friction[other])
    row = emit(found, key_of(EDGE_EDGE, one, two, side), -1, middle, towards, separation, friction)
    _set_edge(found, row, 0, i, j, s)
    _set_edge(found, row, 3, m, n, t)


@kernel
def _leads_through(position, edge, wing, one, two):
    """Whether an edge leads through a triangle of another: then nobody can tell on which side either belongs."""
    a, b = load(position, edge[one, 0]), load(position, edge[one, 1])
    p, q, found = load(position, edge[two, 0]), load(position, edge[two, 1]), False
    for c in range(2):
        o = wing[two, c]
        if o >= 0 and o != edge[one, 0] and o != edge[one, 1]:
            r = load(position, o)
            n = cross(sub(q, p), sub(r, p))
            high, low = dot(n, sub(a, p)), dot(n, sub(b, p))
            if high * low < 0.0:
                at = add_scaled(a, high / (high - low), sub(b, a))
                found |= (dot(cross(sub(q, p), sub(at, p)), n) > 0.0 and dot(cross(sub(r, q), sub(at, q)), n) > 0.0
                          and dot(cross(sub(p, r), sub(at, r)), n) > 0.0)
    return found


@kernel
def _set_edge(found, row, c, i, j, s):
    """A side of a contact, from column `c` on, is the point of edge `i`, `j` at the share `s` [-]. Writes: found"""
    set_mover(found, row, c, i, 1.0 - s)
    set_mover(found, row, c + 1, j, s)


@kernel
def _kept(keys, old, one, two, side):
    """The side (0, 1) on which two edges, now on `side`, had a contact; -1: there was none."""
    if row_of(keys, old, key_of(EDGE_EDGE, one, two, side)) >= 0:
        return side
    return 1 - side if row_of(keys, old, key_of(EDGE_EDGE, one, two, 1 - side)) >= 0 else -1


@kernel
def _turned(closed, position, wing, k, one, p, other, two, q, towards, wanted, through):
    """Whether edges stand out towards each other as is said (0), of two solids the other way round (1), or neither (-1)."""
    if _ridges(position, wing, one, p, two, q, towards, wanted):
        return 0
    if through or closed[k] != CLOSED or closed[other] != CLOSED or k == other:
        return -1
    return 1 if _ridges(position, wing, one, p, two, q, scale(-1.0, towards), wanted) else -1


@kernel
def _ridges(position, wing, one, p, two, q, towards, wanted):
    """Whether two edges stand out towards each other by at least `wanted` [m]."""
    return (_stands_towards(position, wing, one, p, towards) >= wanted
            and _stands_towards(position, wing, two, q, scale(-1.0, towards)) >= wanted)


@kernel
def _beside(velocity, i, j, s, m, n, t):
    """Velocity [m/s] of a point of the second edge as seen from one of the first."""
    a, b = load(velocity, i), load(velocity, j)
    c, d = load(velocity, m), load(velocity, n)
    return sub(add_scaled(c, t, sub(d, c)), add_scaled(a, s, sub(b, a)))


@kernel
def _near_at_rest(edge, rest, one, two, thickness):
    """Whether two edges of one thing are nearer at rest than its thickness [m], where they cross or at their middles."""
    p, q = load(rest, edge[one, 0]), load(rest, edge[two, 0])
    u, v = sub(load(rest, edge[one, 1]), p), sub(load(rest, edge[two, 1]), q)
    s, t, cross_inside = crossing(p, u, q, v)
    if not cross_inside:
        s, t = 0.5, 0.5
    gap = sub(add_scaled(q, t, v), add_scaled(p, s, u))
    return dot(gap, gap) < thickness * thickness
