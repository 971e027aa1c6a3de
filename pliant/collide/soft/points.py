"""Points on the relief of patches against the shapes of bodies."""

from ..._jit import entry, kernel, merged
from ...equations.patch.patch_point import patch_point
from ...equations.patch.vertex_normal import face_normal
from ...math.vec3 import add_at, add_scaled, load, normalize, scale, store
from ...model.bodies import Bodies, Motion
from ...model.shapes import Excluded, Fields, Hulls, Shapes
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


@entry
def touch_points(bodies: Bodies, shapes: Shapes, hulls: Hulls, fields: Fields, excluded: Excluded, motion: Motion,
                 surfaces: Surfaces, relief: Relief, places: Places, skin: Skin, boxes: Boxes, fresh: Fresh, dt: float) -> int:
    """Contacts found so far, with those of points of reliefs and bodies. Writes: fresh, boxes"""
    for k in range(surfaces.closed.shape[0]):
        if skin.first_point[surfaces.first_face[k]] == skin.first_point[surfaces.first_face[k + 1]]:
            continue
        normals_of(surfaces, skin.corner_weight, motion.position, boxes.normal, k)
        for i in range(shapes.kind.shape[0]):
            frame = frame_of(places, i)
            for h in range(leaves_near(shapes, surfaces, places, skin, boxes, i, frame, k, dt)):
                f = skin.order[boxes.hit[h]]
                if may_touch(bodies.kind, excluded.pair, surfaces.face, shapes.body[i], f):
                    for point in range(skin.first_point[f], skin.first_point[f + 1]):
                        _touch_point(shapes, hulls, fields, motion, surfaces, relief, skin, boxes, fresh.found, i, frame, k, f,
                                     point, dt)
    return fresh.found.count[0]


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
def _touch_point(shapes, hulls, fields, motion, surfaces, relief, skin, boxes, found, i, frame, k, f, point, dt):
    """The contact of one point with one shape, if they may touch within the step. Writes: found"""
    w, offset = load(relief.weight, point), surfaces.offset[k]
    corners = corners_of(motion.position, surfaces.face, f)
    p = patch_point(corners, corners_of(boxes.normal, surfaces.face, f), w[1], w[2], relief.height[point])
    a, b, c = corners_of(motion.velocity, surfaces.face, f)
    margin = skin.slop[k] + dt * speed_beside(motion, shapes.body[i], p, mix(a, b, c, w))
    distance, out = point_to_shape(
        int(shapes.kind[i]), load(shapes.size, i), int(shapes.data[i]), hulls, fields, move_in(frame, p), offset + margin)
    separation = distance - offset
    if separation > margin:
        return
    normal = turn_out(frame, out)
    middle = add_scaled(p, -offset - 0.5 * separation, normal)
    friction = max(shapes.friction[i], surfaces.friction[k])
    row = emit(found, key_of(POINT_BODY, i, point, 0), i, middle, normal, separation, friction)
    set_mover(found, row, 0, shapes.body[i], 1.0)
    bear(surfaces.face, motion.position, found, row, 3, f, w)
