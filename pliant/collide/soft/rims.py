"""Triangles that will hang over the rim of a body once some of their vertices are stopped on it.

While a sheet falls flat onto a table all points of a triangle over the rim are as near as its vertices, which speak for
themselves. Within the step those on the table are stopped, the others fall on, and the rim comes through between them. So such
triangles are looked at where they would be then, and the point that would have come through deepest is a contact from now on.
"""

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, cross, dot, load, scale, store, sub
from ..support import move_in
from .point_shape import point_to_shape


@kernel
def parts(shapes, hulls, fields, motion, surfaces, boxes, work, about, frame, dt, least):
    """Whether a body would stop some vertices of a triangle, of those that come by more than `least` [m], and not others.

    Writes: work.ahead, where they would be after `dt` [s], in the frame of the shape
    """
    i, k, _, f = about
    stopped, passes = False, False
    for c in range(3):
        v, body = surfaces.face[f, c], shapes.body[i]
        x, out = load(motion.position, v), (boxes.distance[v, 1], boxes.distance[v, 2], boxes.distance[v, 3])
        carried = add(load(motion.velocity, body), cross(load(motion.angular_velocity, body),
                                                         sub(x, load(motion.position, body))))
        way = scale(dt, sub(load(motion.velocity, v), carried))
        gap = boxes.distance[v, 0] - surfaces.offset[k]
        through = min(gap, 0.0) - gap - dot(way, out)
        at = add(x, way)
        if through > least:
            later, _ = point_to_shape(int(shapes.kind[i]), load(shapes.size, i), int(shapes.data[i]), hulls, fields,
                                      move_in(frame, at), 1e150)
            if later < surfaces.offset[k]:
                at, stopped = add_scaled(at, through, out), True
            else:
                passes = True
        elif dot(way, way) > least * least:
            passes = True
        store(work.ahead, c, move_in(frame, at))
    return stopped and passes
