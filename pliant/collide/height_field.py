"""Points where a height field and a convex shape touch.

A shape meets the triangles with the points that it would meet their planes with (`plane`), each point only in the
triangle over which it stands: on level cells that gives one plane's contacts, wherever the edges run. Vertices of
polyhedra meet the triangle in their own column. Convex edges and corners are looked at apart (`ridges`). What has
sunk is lifted, if it is not deeper than it is large nor nearer to the border of the rectangle: else it came from beside, and
lies under the ground, which does not push it. Outside the rectangle there is nothing.

In a hollow the ground rises before what moves: points also meet the triangle over which they will stand when the step ends,
if that lies no higher, where they are now, than the ground below them. Else they would sink into it, and to push them out again
is work that nobody does.
"""

from .._jit import entry, kernel, stage
from ..math.quat import axes, conj, from_rotation_vector, load4, qmul, rotate, unrotate
from ..math.vec3 import add, add_scaled, cross, dot, load, neg, norm, scale, store, sub
from ..model.contacts import Contacts
from ..model.shapes import BOX, CYLINDER, FIELD, HULL, Fields, Hulls, Shapes
from .bounds import half_lengths
from .field_points import choose, offer
from .pairs import WITH_FIELD
from .persist import emit
from .plane import FIRST_ON_RIM, round_point, round_points
from .ridges import meet_ridges
from .terrain import CONVEX_ANGLE, cell_is_near, cell_range, column, corner, grid_of, in_column, slope_normal
from .work import Extents, FieldWork, Pairs, Places

Quaternion = tuple[float, float, float, float]

LEVEL = 1e-9
"""Planes at a point that differ by less [m] are one."""


@entry
def touch_fields(
    shapes: Shapes,
    hulls: Hulls,
    fields: Fields,
    extents: Extents,
    places: Places,
    pairs: Pairs,
    fresh: Contacts,
    work: FieldWork,
    dt: float,
) -> int:
    """Contacts found so far, with those of height fields within a step `dt` [s].

    Writes: fresh, work, pairs.begin, pairs.number
    """
    for k in range(pairs.count[0]):
        if pairs.family[k] != WITH_FIELD:
            continue
        i, j = pairs.shape[k, 0], pairs.shape[k, 1]
        pairs.begin[k] = fresh.count[0]
        if shapes.kind[i] == FIELD:
            touch_field(shapes, hulls, fields, extents, places, i, j, False, pairs.margin[k], pairs.sway[k], dt, fresh, work)
        else:
            touch_field(shapes, hulls, fields, extents, places, j, i, True, pairs.margin[k], pairs.sway[k], dt, fresh, work)
        pairs.number[k] = fresh.count[0] - pairs.begin[k]
    return fresh.count[0]


@kernel
def touch_field(shapes, hulls, fields, extents, places, field, other, field_is_second, margin, sway, dt, fresh, work):
    """Contacts of one field with one shape. Writes: fresh, work"""
    origin, turn = load(places.position, field), load4(places.quaternion, field)
    position, quaternion = seen_from(origin, turn, load(places.position, other), load4(places.quaternion, other))
    middle = add(position, rotate(quaternion, load(extents.centre, other)))
    about = unrotate(turn, sub(load(places.turn, other), load(places.turn, field)))
    moved = _moved(extents, places, field, other, middle, dt)
    count = gather(shapes, hulls, fields, extents, work, field, other, position, quaternion, margin, sway, moved, about)
    ids = (other, field) if field_is_second else (field, other)
    for k in range(choose(work, count, norm(load(extents.half, other)), margin)):
        c = work.chosen[k]
        point, normal = add(origin, rotate(turn, load(work.position, c))), rotate(turn, load(work.normal, c))
        emit(fresh, ids, work.feature[c], point, neg(normal) if field_is_second else normal, work.separation[c])


@kernel
def seen_from(origin, turn, position, quaternion):
    """Place and quaternion in a frame that lies at `origin` and is turned by `turn`."""
    return unrotate(turn, sub(position, origin)), qmul(conj(turn), quaternion)


@stage
def gather(shapes: Shapes, hulls: Hulls, fields: Fields, extents: Extents, work: FieldWork, field: int, other: int,
           position: tuple, quaternion: Quaternion, margin: float, sway: float, moved: tuple, about: tuple) -> int:
    """Number of points where a field and a shape, placed in its frame, are nearer than `margin` [m]. Writes: work

    In the step the shape goes so far (`moved` [m], `about` [rad]), its points by up to `sway` [m] more.
    """
    frame = axes(quaternion)
    half = load(extents.half, other)
    middle = add(position, rotate(quaternion, load(extents.centre, other)))
    reach = half_lengths(shapes.kind[other], frame, half)
    grid = grid_of(fields, shapes.data[field], load(shapes.size, field))
    cells_x = cell_range(middle[0] - reach[0] - margin, middle[0] + reach[0] + margin, grid[5], grid[3], grid[1])
    cells_y = cell_range(middle[1] - reach[1] - margin, middle[1] + reach[1] + margin, grid[6], grid[4], grid[2])
    if cells_x[1] < cells_x[0] or cells_y[1] < cells_y[0]:
        return 0
    radius, size, kind, faces = norm(half), load(shapes.size, other), shapes.kind[other], 0
    if kind in (BOX, HULL):
        count = _vertices(fields, grid, kind, position, quaternion, size, hulls, shapes.data[other], margin, middle, moved,
                          about, work)
        faces = _planes(kind, position, quaternion, size, hulls, shapes.data[other], work)
    else:
        count = _round(fields, grid, cells_x, cells_y, radius + margin, kind, position, frame, size, margin, moved, about, work)
    lean = CONVEX_ANGLE + sway / radius if faces or kind == CYLINDER else CONVEX_ANGLE
    shape = (kind, position, quaternion, size, shapes.data[other], faces)
    count = meet_ridges(fields, grid, cells_x, cells_y, middle, radius + margin, shape, hulls, margin, lean, work, count)
    if count == 0 and faces == 0:
        count = _lift(fields, grid, kind, position, frame, size, about, work)
    return _leave_out(grid, extents.slop[other], 2.0 * radius + margin, work, count)


@kernel
def _leave_out(grid, slop, most, work, count):
    """The number of points that are left without those that are under the ground rather than in it. Writes: work

    They are deeper than `most` [m], or nearer to the border: they came in from beside.
    """
    left = 0
    for c in range(count):
        x, y, depth = work.position[c, 0], work.position[c, 1], -work.separation[c]
        beside = min(min(x - grid[5], -grid[5] - x), min(y - grid[6], -grid[6] - y))
        if depth <= most and depth <= slop + max(beside, 0.0):
            work.feature[left], work.separation[left] = work.feature[c], work.separation[c]
            store(work.position, left, load(work.position, c))
            store(work.normal, left, load(work.normal, c))
            left += 1
    return left


@kernel
def _moved(extents, places, field, other, middle, dt):
    """How far [m] the middle of a shape, in the frame of a field, goes in that frame within the step."""
    turn = load4(places.quaternion, field)
    way = scale(dt, sub(load(places.velocity, other), load(places.velocity, field)))
    turned = cross(unrotate(turn, load(places.turn, field)), sub(middle, load(extents.centre, field)))
    return sub(unrotate(turn, way), turned)


@kernel
def _is_ground(fields, grid, point, separation):
    """Whether a triangle that is `separation` [m] below a point lies no higher than the ground below that point."""
    i, j, side = column(grid, point)
    if i < 0:
        return separation >= 0.0
    return separation + LEVEL >= dot(slope_normal(fields, grid, i, j, side), sub(point, corner(fields, grid, i, j)))


@kernel
def _round(fields, grid, cells_x, cells_y, reach, kind, centre, frame, size, margin, moved, about, work):
    """Candidates of a sphere, capsule or cylinder. Writes: work"""
    count = 0
    tolerance = 1e-6 * (1.0 + reach / min(grid[3], grid[4]))
    for i in range(cells_x[0], cells_x[1] + 1):
        for j in range(cells_y[0], cells_y[1] + 1):
            if not cell_is_near(fields, grid, i, j, centre, reach):
                continue
            p = corner(fields, grid, i, j)
            for side in range(2):
                normal = slope_normal(fields, grid, i, j, side)
                if dot(normal, sub(centre, p)) < reach:
                    count = _round_triangle(fields, grid, i, j, side, p, normal, kind, centre, frame, size, margin, moved,
                                            about, tolerance, work, count)
    return count


@kernel
def _round_triangle(fields, grid, i, j, side, p, normal, kind, centre, frame, size, margin, moved, about, tolerance, work,
                    count):
    """The points of a curved shape that stand over one triangle, or will: seen along its normal, or from above when sunk."""
    first, last = round_points(kind, frame, normal, about)
    for k in range(first, last):
        feature, point = round_point(kind, k, centre, frame, size, normal, about)
        separation = dot(normal, sub(point, p))
        if separation < margin:
            foot = add_scaled(point, -separation, normal)
            over = separation > -size[0] and in_column(grid, i, j, side, foot, tolerance)
            if over or (separation < 0.0 and in_column(grid, i, j, side, point, tolerance)):
                count = offer(work, count, feature, foot, normal, separation)
            else:
                arm = sub(point, centre)
                if kind != CYLINDER or feature < FIRST_ON_RIM:
                    arm = scale(dot(arm, frame[2]), frame[2])  # the place of contact, which does not turn with what rolls
                later = add(foot, add(moved, cross(about, arm)))
                if in_column(grid, i, j, side, later, tolerance) and _is_ground(fields, grid, point, separation):
                    count = offer(work, count, -1 - feature, foot, normal, separation)
    return count


@kernel
def _lift(fields, grid, kind, centre, frame, size, about, work):
    """One candidate for a curved shape whose middle is under the surface and that no feature holds. Writes: work"""
    i, j, side = column(grid, centre)
    if i < 0:
        return 0
    normal, p = slope_normal(fields, grid, i, j, side), corner(fields, grid, i, j)
    if dot(normal, sub(centre, p)) > 0.0:
        return 0
    first, last = round_points(kind, frame, normal, about)
    feature, deepest = round_point(kind, first, centre, frame, size, normal, about)
    for k in range(first + 1, last):
        name, point = round_point(kind, k, centre, frame, size, normal, about)
        if dot(normal, sub(point, deepest)) < 0.0:
            feature, deepest = name, point
    separation = dot(normal, sub(deepest, p))
    return offer(work, 0, feature, add_scaled(deepest, -separation, normal), normal, separation)


@kernel
def _vertices(fields, grid, kind, position, quaternion, size, hulls, data, margin, middle, moved, about, work):
    """Candidates of the vertices of a polyhedron, each in its own column, and in that where it will be. Writes: work"""
    count, turned = 0, from_rotation_vector(about)
    begin = 0 if kind == BOX else hulls.first_vertex[data]
    end = 8 if kind == BOX else hulls.first_vertex[data + 1]
    for v in range(begin, end):
        if kind == BOX:
            local = (
                size[0] if v & 1 else -size[0],
                size[1] if v & 2 else -size[1],
                size[2] if v & 4 else -size[2],
            )
        else:
            local = load(hulls.vertex, v)
        point = add(position, rotate(quaternion, local))
        later = add(add(middle, moved), rotate(turned, sub(point, middle)))
        here, there = column(grid, point), column(grid, later)
        for time in range(2):
            i, j, side = here if time == 0 else there
            if i < 0 or (time == 1 and there == here):
                continue
            normal = slope_normal(fields, grid, i, j, side)
            separation = dot(normal, sub(point, corner(fields, grid, i, j)))
            if separation < margin and (time == 0 or _is_ground(fields, grid, point, separation)):
                foot = add_scaled(point, -separation, normal)
                count = offer(work, count, v - begin if time == 0 else begin - v - 1, foot, normal, separation)
    return count


@kernel
def _planes(kind, position, quaternion, size, hulls, data, work):
    """Number of faces of a polyhedron; their planes go to the field's frame. Writes: work.plane"""
    begin = 0 if kind == BOX else hulls.first_face[data]
    faces = 6 if kind == BOX else hulls.first_face[data + 1] - begin
    frame = axes(quaternion)
    for f in range(faces):
        if kind == BOX:
            axis = frame[0] if f < 2 else (frame[1] if f < 4 else frame[2])
            offset = size[0] if f < 2 else (size[1] if f < 4 else size[2])
            normal = scale(1.0 if f % 2 == 0 else -1.0, axis)
        else:
            normal, offset = rotate(quaternion, load(hulls.plane, begin + f)), hulls.plane[begin + f, 3]
        work.plane[f, 0] = normal[0]
        work.plane[f, 1] = normal[1]
        work.plane[f, 2] = normal[2]
        work.plane[f, 3] = offset + dot(normal, position)
    return faces
