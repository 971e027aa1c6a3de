"""Points on the relief of patches against the shapes of bodies.

A point stands for the relief around it, which touches where it is nearest (equations/contact/nearest_on_relief.py), and in a
step elsewhere (solvers/rows/soft_glide.py): so that a ball of patches rolls, and not over a lattice of points.
"""

from ..._jit import entry, kernel, merged
from ...equations.contact.nearest_on_relief import (
    SLIDES,
    ahead,
    faded,
    flattened,
    gap_change,
    going_share,
    most_nearer,
    opening,
    rolling_share,
    slope_between,
    spin_about,
    turned_normal,
    way_over,
)
from ...equations.patch.patch_point import patch_point, patch_tangents
from ...equations.patch.vertex_normal import face_normal
from ...math.vec3 import add, add_at, add_scaled, cross, dot, load, norm, normalize, scale, store, sub
from ...model.bodies import Bodies, Motion
from ...model.shapes import PLANE, Excluded, Fields, Hulls, Shapes
from ...model.soft_contacts import Relief, Surfaces
from ..support import move_in, turn_out
from ..work import Places
from .beneath import bear
from .faces import may_touch
from .persist import POINT_BODY, Fresh, emit, key_of, set_mover
from .point_shape import point_to_shape
from .triangle import corners_of, mix
from .vertices import frame_of, leaves_near, speed_beside
from .work import Boxes, Skin

ROLLS = 0.5
"""Share of what rolls rather than drills above which where it touches goes on over it [-]."""
MOST_TURN = 0.5
"""Angle [rad] by which a relief may roll in a step: farther on nobody can tell how it bends."""


@entry
def touch_points(bodies: Bodies, shapes: Shapes, hulls: Hulls, fields: Fields, excluded: Excluded, motion: Motion,
                 surfaces: Surfaces, relief: Relief, places: Places, skin: Skin, boxes: Boxes, fresh: Fresh, dt: float) -> int:
    """Contacts found so far, with those of points of reliefs and bodies. Writes: fresh, boxes"""
    for k in range(surfaces.closed.shape[0]):
        if skin.first_point[surfaces.first_face[k]] == skin.first_point[surfaces.first_face[k + 1]]:
            continue
        normals_of(surfaces, skin.corner_weight, motion.position, boxes.normal, k)
        left = _least_left(surfaces, relief, skin, boxes, motion, k)
        for i in range(shapes.kind.shape[0]):
            frame = frame_of(places, i)
            for h in range(leaves_near(shapes, surfaces, places, skin, boxes, i, frame, k, dt)):
                f = skin.order[boxes.hit[h]]
                if may_touch(bodies.kind, excluded.pair, surfaces.face, shapes.body[i], f):
                    for point in range(skin.first_point[f], skin.first_point[f + 1]):
                        _touch_point(shapes, hulls, fields, motion, surfaces, relief, skin, boxes, fresh.found, i, frame, k, f,
                                     point, left, dt)
    return fresh.found.count[0]


@kernel
def _least_left(surfaces, relief, skin, boxes, motion, k):
    """How much of the curvature of rest is left where the relief of thing `k` is flattest [-]."""
    least = 1.0
    for f in range(surfaces.first_face[k], surfaces.first_face[k + 1]):
        opens, known = 0.0, False
        for point in range(skin.first_point[f], skin.first_point[f + 1]):
            if relief.curve[point] > 0.0:
                if not known:
                    opens, known = opening(*corners_of(motion.position, surfaces.face, f),
                                           *corners_of(boxes.normal, surfaces.face, f)), True
                least = min(least, 1.0 - (relief.opens[point] - opens) / relief.curve[point])
    return least


@kernel
def normals_of(surfaces, weight, position, normal, k):
    """Unit normals of the vertices of thing `k`. Writes: normal"""
    for n in range(surfaces.first_node[k], surfaces.first_node[k + 1]):
        store(normal, surfaces.node[n], (0.0, 0.0, 0.0))
    for f in range(surfaces.first_face[k], surfaces.first_face[k + 1]):
        across = face_normal(corners_of(position, surfaces.face, f))
        for c in range(3):
            add_at(normal, surfaces.face[f, c], scale(weight[f, c], across))
    for n in range(surfaces.first_node[k], surfaces.first_node[k + 1]):
        store(normal, surfaces.node[n], normalize(load(normal, surfaces.node[n])))


@merged
def _touch_point(shapes, hulls, fields, motion, surfaces, relief, skin, boxes, found, i, frame, k, f, point, left,
                 dt):
    """The contact of one point with one shape, if they may touch within the step. Writes: found"""
    w, offset = load(relief.weight, point), surfaces.offset[k]
    corners = corners_of(motion.position, surfaces.face, f)
    p = patch_point(corners, corners_of(boxes.normal, surfaces.face, f), w[1], w[2], relief.height[point])
    a, b, c = corners_of(motion.velocity, surfaces.face, f)
    margin = skin.slop[k] + dt * speed_beside(motion, shapes.body[i], p, mix(a, b, c, w))
    lower = most_nearer(relief.curve[point], relief.reach[point])
    distance, normal = _to_shape(shapes, hulls, fields, i, frame, p, offset + margin + lower)
    if distance - offset > margin + lower:
        return
    glide, bend, goes = (0.0, 0.0, 0.0), 0.0, 0.0
    if lower > 0.0:
        p, glide, bend, goes = _nearest(shapes, hulls, fields, motion, surfaces, relief, boxes, i, frame, f, point, p, normal,
                                        left, dt)
        distance, normal = _to_shape(shapes, hulls, fields, i, frame, p, offset + margin)
    separation = distance - offset
    if separation > margin:
        return
    middle = add_scaled(p, -offset - 0.5 * separation, normal)
    friction = max(shapes.friction[i], surfaces.friction[k])
    row = emit(found, key_of(POINT_BODY, i, point, 0), i, middle, normal, separation, friction)
    set_mover(found, row, 0, shapes.body[i], 1.0)
    bear(surfaces.face, motion.position, found, row, 3, f, w, goes)
    if row >= 0:
        found.bend[row] = bend
        store(found.glide, row, glide)


@kernel
def _to_shape(shapes, hulls, fields, i, frame, p, limit):
    """Signed distance [m] of `p` to shape `i` and its gradient, world frame; FAR, or anything above `limit` [m], beyond it."""
    distance, out = point_to_shape(int(shapes.kind[i]), load(shapes.size, i), int(shapes.data[i]), hulls, fields,
                                   move_in(frame, p), limit)
    return distance, turn_out(frame, out)


@merged
def _nearest(shapes, hulls, fields, motion, surfaces, relief, boxes, i, frame, f, point, p, n, least, dt):
    """Where the relief around a point `p` touches shape `i`, along `n` from there [m], how fast that place goes over it [m/s],
    the curvature of both [1/m], 0 where it does not roll, and how much it goes where `least` of all curvature is left."""
    reach, still = relief.reach[point], (0.0, 0.0, 0.0)
    a, b, c = corners_of(motion.position, surfaces.face, f)
    normals = corners_of(boxes.normal, surfaces.face, f)
    left = 1.0 - (relief.opens[point] - opening(a, b, c, *normals)) / relief.curve[point]
    one, two = patch_tangents((a, b, c), normals, relief.weight[point, 1], relief.weight[point, 2], relief.height[point],
                              relief.slope[point, 0], relief.slope[point, 1])
    m, form, k = normalize(cross(one, two)), scale(left, load(relief.form, point)), 0.0
    goes = going_share(least) if dot(m, n) < 0.0 else 0.0  # from behind it is hollow
    if goes == 0.0:
        return p, still, 0.0, goes
    s = slope_between(m, n, n)
    whole = way_over(s, one, two, form, k, n)
    way = faded(whole, reach)
    if shapes.kind[i] != PLANE and norm(way) > 0.0:
        _, out = _to_shape(shapes, hulls, fields, i, frame, add_scaled(add(p, way), gap_change(s, way), n), 1e150)
        k = max(dot(sub(out, n), way) / dot(way, way), 0.0)
        whole = way_over(s, one, two, form, k, n)
        way = faded(whole, reach)
    u, v, w = corners_of(motion.velocity, surfaces.face, f)
    spin = load(motion.angular_velocity, shapes.body[i])
    turned = sub(cross(spin, n), turned_normal(n, a, b, c, u, v, w))  # its own normal, where it is nearest, is -n
    glide = way_over(turned, one, two, form, k, n)
    share = rolling_share(norm(glide), reach * abs(spin_about(n, a, b, c, u, v, w) - dot(spin, n)))
    rolls = share > ROLLS and least >= SLIDES and norm(glide) > 0.0 and norm(whole) <= reach and dt * norm(turned) <= MOST_TURN
    slid = gap_change(s, way) - 0.5 * k * dot(way, way)
    p = add_scaled(add_scaled(p, goes * share, way), goes * (share * slid + (1.0 - share) * flattened(s, whole, reach)), n)
    if not rolls:
        return p, still, 0.0, goes
    bend = -dot(turned, glide) / dot(glide, glide)
    return add(p, ahead(glide, bend)), glide, bend, goes
