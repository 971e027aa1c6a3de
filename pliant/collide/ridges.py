"""Convex edges and corners of a height field against a shape: where no triangle's own normal is the normal of contact.

An edge or corner pushes only along directions that its triangles leave free (its normal cone), or that are so after as
little turning as the step may bring (`lean`): what rocks comes down on an edge from beside. What lies level or bends up
has no such direction, so it cannot catch a wheel that rolls over it.
"""


from .._jit import kernel
from ..math.quat import axes, rotate, unrotate
from ..math.vec3 import add, add_scaled, cross, dot, load, neg, norm, normalize, scale, sub
from ..model.shapes import BOX, CYLINDER, HULL
from .field_points import offer
from .ridge_rounds import STANDING, corner_and_round, edge_and_cap, edge_and_round
from .terrain import cell_is_near, corner, corner_admits, edge_bends_down, edge_ends, wings

FIRST_RIDGE = 1 << 20
"""Features of edges and corners are numbered from here, above the vertices and points of shapes."""


@kernel
def meet_ridges(fields, grid, cells_x, cells_y, middle, radius, shape, hulls, margin, lean, work, count):
    """Candidates of all convex edges and corners nearer than `radius` [m] to `middle`; their number. Writes: work

    The shape is the tuple (kind, centre, quaternion, size, number of its hull, number of its faces in work.plane). It may
    push an edge or corner along what leaves the free directions by up to `lean` [rad].
    """
    near = radius * radius
    for i in range(cells_x[0], cells_x[1] + 2):
        for j in range(cells_y[0], cells_y[1] + 2):
            if not cell_is_near(fields, grid, i, j, middle, radius):
                continue
            p = corner(fields, grid, i, j)
            d = sub(middle, p)
            if dot(d, d) < near:
                count = _meet_corner(fields, grid, i, j, p, shape, margin, lean, work, count)
            for way in range(3):
                i1, j1, _, _, _, _ = edge_ends(i, j, way)
                if i1 <= cells_x[1] + 1 and j1 <= cells_y[1] + 1 and edge_bends_down(fields, grid, i, j, way):
                    e = sub(corner(fields, grid, i1, j1), p)
                    along = min(max(dot(d, e) / dot(e, e), 0.0), 1.0)
                    away = add_scaled(d, -along, e)
                    if dot(away, away) < near:
                        count = _meet_edge(fields, grid, i, j, way, p, e, shape, hulls, margin, lean, work, count)
    return count


@kernel
def _meet_corner(fields, grid, i, j, p, shape, margin, lean, work, count):
    """Corner (i, j) against any shape. Writes: work"""
    kind, centre, quaternion, size, _, faces = shape
    if kind in (BOX, HULL):
        gap, normal = _corner_and_faces(p, faces, work.plane)
    else:
        gap, normal = corner_and_round(p, kind, centre, axes(quaternion)[2], size)
    if gap < margin and normal[2] > 0.0 and corner_admits(fields, grid, i, j, normal, lean):
        return offer(work, count, FIRST_RIDGE + ((i * grid[2] + j) * 4 + 3) * 4, p, normal, gap)
    return count


@kernel
def _corner_and_faces(p, faces, plane):
    """Gap [m] between a point and the face that it is least deep behind, and the direction into that face."""
    gap, face = -1e300, 0
    for f in range(faces):
        d = _away(plane, f, p)
        if d > gap:
            gap, face = d, f
    return gap, neg(load(plane, face))


@kernel
def _meet_edge(fields, grid, i, j, way, p, e, shape, hulls, margin, lean, work, count):
    """The inside of an edge against any shape. Writes: work"""
    kind, centre, quaternion, size, _, faces = shape
    length = norm(e)
    e = scale(1.0 / length, e)
    one, two = wings(fields, grid, i, j, way, p, e)
    flat, axis = kind in (BOX, HULL), axes(quaternion)[2]
    standing = kind == CYLINDER and abs(axis[2]) > STANDING
    first, last, face = 0.0, 0.0, -1
    if flat:
        first, last, face = _edge_and_faces(p, e, length, one, two, faces, margin, lean, work.plane)
    for k in range(3):
        if flat and k == 2:
            t, gap, normal, number = _edge_and_edges(p, e, length, one, two, shape, hulls, margin, lean)
            if number < 0:
                continue
        elif flat:
            if face < 0:
                continue
            t = first if k == 0 else last
            normal = _across(work.plane, face, e)
            gap = -_away(work.plane, face, add_scaled(p, t, e)) / dot(normal, load(work.plane, face))
        elif standing and k > 0:
            t, gap, normal = edge_and_cap(k, p, e, length, centre, axis, size)
        else:
            t, gap, normal = edge_and_round(k, p, e, length, kind, centre, axis, size)
        free = normal[2] > 0.0 and dot(normal, one) <= lean and dot(normal, two) <= lean
        if gap < margin and free:
            feature = FIRST_RIDGE + ((i * grid[2] + j) * 4 + way) * 4 + k
            count = offer(work, count, feature, add_scaled(p, t, e), normal, gap)
    return count


@kernel
def _edge_and_edges(p, e, length, one, two, shape, hulls, margin, lean):
    """Where an edge crosses an edge of a polyhedron: where along it [m], the gap [m], the direction into the shape and
    the number of that edge (-1: nowhere). Of several crossings the one that is least deep counts."""
    kind, centre, quaternion, size, data, _ = shape
    best = 0.0, -1e300, e, -1
    if kind == BOX:
        frame = axes(quaternion)
        for k in range(3):
            normal = _free_normal(e, frame[k], one, two, lean)
            if normal[2] > 0.0:
                middle, at = centre, k
                for other in range(3):
                    if other != k:
                        up = dot(normal, frame[other]) > 0.0
                        middle = add_scaled(middle, -size[other] if up else size[other], frame[other])
                        at = 2 * at + (1 if up else 0)
                start = add_scaled(middle, -size[k], frame[k])
                best = _cross_at(p, e, length, start, scale(2.0 * size[k], frame[k]), normal, margin, at, best)
        return best
    begin, end = hulls.first_vertex[data], hulls.first_vertex[data + 1]
    for f in range(hulls.first_face[data], hulls.first_face[data + 1]):
        first, last = hulls.first_corner[f], hulls.first_corner[f + 1]
        for c in range(first, last):
            v, w = hulls.corner[c], hulls.corner[c + 1 if c + 1 < last else first]
            if v < w:
                start = add(centre, rotate(quaternion, load(hulls.vertex, v)))
                g = sub(add(centre, rotate(quaternion, load(hulls.vertex, w))), start)
                normal = _free_normal(e, g, one, two, lean)
                if normal[2] > 0.0:
                    trial = _cross_at(p, e, length, start, g, normal, margin, c, best)
                    if trial[3] == c and _is_lowest(hulls, begin, end, v, unrotate(quaternion, normal)):
                        best = trial
    return best


@kernel
def _free_normal(e, g, one, two, lean):
    """The upward unit vector at right angles to two edges, or zero where the first one may not push that way."""
    normal = cross(e, g)
    if dot(normal, normal) < 1e-8 * dot(g, g):
        return 0.0, 0.0, 0.0
    normal = scale(1.0 if normal[2] > 0.0 else -1.0, normalize(normal))
    if dot(normal, one) <= lean and dot(normal, two) <= lean:
        return normal
    return 0.0, 0.0, 0.0


@kernel
def _cross_at(p, e, length, start, g, normal, margin, number, best):
    """`best`, or the crossing of the edge p + t e with the edge start + u g where that is less deep.

    One that is deeper than it is far from the end of the shape's edge is none: that end is the nearer way out, as of the
    upright edges of a box that lies over the border of a field.
    """
    d = sub(start, p)
    gap = dot(normal, d)
    if gap <= best[1] or gap > margin:
        return best
    side = cross(normal, e)
    u = -dot(side, d) / dot(side, g)
    t = dot(e, d) + u * dot(e, g)
    if u < 0.0 or u > 1.0 or t < 0.0 or t > length or min(u, 1.0 - u) * norm(g) < -gap:
        return best
    return t, gap, normal, number


@kernel
def _is_lowest(hulls, begin, end, v, normal):
    """Whether no vertex of a hull is lower along `normal`, in the hull's frame, than its vertex `v`."""
    level = dot(normal, load(hulls.vertex, v))
    lowest = level
    for other in range(begin, end):
        lowest = min(lowest, dot(normal, load(hulls.vertex, other)))
    return lowest > level - 1e-9


@kernel
def _edge_and_faces(p, e, length, one, two, faces, margin, lean, plane):
    """The part (from, to) [m] of an edge under a face, and that face (-1: none): of the faces that the edge may push
    against, at right angles to itself, the one that it is least deep behind."""
    gap, face, first, last = -1e300, -1, 0.0, 0.0
    for f in range(faces):
        normal = _across(plane, f, e)
        if normal[2] > 0.1 and dot(normal, one) <= lean and dot(normal, two) <= lean:
            a, b = _under(plane, faces, f, p, e, length)
            if a < b:
                behind = min(_away(plane, f, add_scaled(p, a, e)), _away(plane, f, add_scaled(p, b, e)))
                if behind > gap and (behind > 0.0 or _is_way_out(plane, faces, f, add_scaled(p, 0.5 * (a + b), e))):
                    gap, face, first, last = behind, f, a, b
    return first, last, face if gap < margin else -1


@kernel
def _is_way_out(plane, faces, face, p):
    """Whether a point inside is nearest to `face`: else it comes out by another, which it may cross at an edge."""
    depth, nearest = _away(plane, face, p), True
    for f in range(faces):
        nearest &= _away(plane, f, p) <= depth
    return nearest


@kernel
def _away(plane, f, p):
    """How far [m] a point is outside face `f`."""
    return plane[f, 0] * p[0] + plane[f, 1] * p[1] + plane[f, 2] * p[2] - plane[f, 3]


@kernel
def _across(plane, f, e):
    """Into face `f`, at right angles to the unit vector `e`; zero unless the face is within 6 degrees of it."""
    along = plane[f, 0] * e[0] + plane[f, 1] * e[1] + plane[f, 2] * e[2]
    if along * along > 0.01:
        return 0.0, 0.0, 0.0
    return normalize((along * e[0] - plane[f, 0], along * e[1] - plane[f, 1], along * e[2] - plane[f, 2]))


@kernel
def _under(plane, faces, face, p, e, length):
    """The part [m, m] of an edge that is inside all faces but `face`."""
    first, last = 0.0, length
    for f in range(faces):
        if f != face:
            slope = plane[f, 0] * e[0] + plane[f, 1] * e[1] + plane[f, 2] * e[2]
            away = _away(plane, f, p)
            if slope > 1e-12:
                last = min(last, -away / slope)
            elif slope < -1e-12:
                first = max(first, -away / slope)
            elif away > 0.0:
                return 1.0, 0.0
    return first, last
