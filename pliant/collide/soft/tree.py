"""Boxes around the triangles of cloth and solids for one step, and the search for those near something."""

from math import sqrt

from ..._jit import kernel
from ...math.vec3 import add_scaled, load, norm, sub
from ...model.soft_contacts import CLOSED
from .triangle import unit_normal
from .work import FLAT_LEVELS


@kernel
def refit(surfaces, motion, skin, boxes, dt):
    """Boxes of all that the triangles can reach in `dt` [s] beside the drift of their thing. Writes: boxes"""
    for k in range(surfaces.closed.shape[0]):
        u = _drift(surfaces, motion, boxes, k)
        thickness, square = surfaces.offset[k] + skin.slop[k], 0.0
        for i in range(surfaces.first_node[k], surfaces.first_node[k + 1]):
            v = surfaces.node[i]
            speed = norm(sub(load(motion.velocity, v), u))
            boxes.reach[v] = thickness + dt * (speed + boxes.stilled[v])
            square += speed * speed
        count = max(surfaces.first_node[k + 1] - surfaces.first_node[k], 1)
        boxes.stir[k] = 0.0 if surfaces.closed[k] == CLOSED else sqrt(square / count)
        first, leaves = skin.level[k, 0], surfaces.first_face[k]
        for leaf in range(leaves, surfaces.first_face[k + 1]):
            f = skin.order[leaf]
            _enclose_triangle(surfaces, motion, boxes, first + leaf - leaves, f, skin.depth_in[k] + skin.bulge[f])
        for level in range(1, skin.depth[k] + 1):
            begin, end = skin.level[k, level], skin.level[k, level + 1]
            for row in range(begin, end):
                child = skin.level[k, level - 1] + 4 * (row - begin)
                _enclose(boxes.box, row, child, min(child + 4, begin))
        if surfaces.itself[k]:
            for leaf in range(leaves, surfaces.first_face[k + 1]):
                _face(boxes.facing, first + leaf - leaves, surfaces.face, skin.order[leaf], motion.position)
            for level in range(1, min(FLAT_LEVELS, skin.depth[k]) + 1):
                begin, end = skin.level[k, level], skin.level[k, level + 1]
                for row in range(begin, end):
                    child = skin.level[k, level - 1] + 4 * (row - begin)
                    _enclose(boxes.facing, row, child, min(child + 4, begin))


@kernel
def _face(facing, row, face, f, position):
    """The unit normal of a triangle. Writes: facing"""
    n = unit_normal(load(position, face[f, 0]), load(position, face[f, 1]), load(position, face[f, 2]))
    for c in range(3):
        facing[row, c] = facing[row, c + 3] = n[c]


@kernel
def flat_together(facing, first_near, near, i, j):
    """Whether two boxes of triangles of one thing have common vertices and normals less than 60 degrees apart: such a piece
    of a surface bends, but does not meet itself."""
    square = 0.0
    for c in range(3):
        span = max(facing[i, c + 3], facing[j, c + 3]) - min(facing[i, c], facing[j, c])
        square += span * span
    if square > 1.0:
        return False
    low, high = first_near[i], first_near[i + 1]
    while low < high:
        middle = (low + high) >> 1
        if near[middle] < j:
            low = middle + 1
        else:
            high = middle
    return low < first_near[i + 1] and near[low] == j


@kernel
def _drift(surfaces, motion, boxes, k):
    """Mean velocity of a thing's vertices [m/s]. Writes: boxes.drift"""
    u = (0.0, 0.0, 0.0)
    begin, end = surfaces.first_node[k], surfaces.first_node[k + 1]
    for i in range(begin, end):
        u = add_scaled(u, 1.0 / (end - begin), load(motion.velocity, surfaces.node[i]))
    boxes.drift[k, 0], boxes.drift[k, 1], boxes.drift[k, 2] = u
    return u


@kernel
def _enclose_triangle(surfaces, motion, boxes, row, f, more):
    box = boxes.box
    for c in range(3):
        box[row, c], box[row, c + 3] = 1e300, -1e300
    for corner in range(3):
        v = surfaces.face[f, corner]
        reach = boxes.reach[v] + more
        for c in range(3):
            x = motion.position[v, c]
            box[row, c] = min(box[row, c], x - reach)
            box[row, c + 3] = max(box[row, c + 3], x + reach)


@kernel
def _enclose(box, row, first, last):
    for c in range(3):
        low, high = box[first, c], box[first, c + 3]
        for child in range(first + 1, last):
            low, high = min(low, box[child, c]), max(high, box[child, c + 3])
        box[row, c], box[row, c + 3] = low, high


@kernel
def meets(box, row, low, high, normal, height):
    """Whether a box meets the box (low, high) and reaches below `height` [m] along `normal` (zero: anything does)."""
    if (
        box[row, 0] > high[0] or low[0] > box[row, 3] or box[row, 1] > high[1] or low[1] > box[row, 4]
        or box[row, 2] > high[2] or low[2] > box[row, 5]
    ):
        return False
    lowest = 0.0
    for c in range(3):
        lowest += normal[c] * (box[row, c] if normal[c] > 0.0 else box[row, c + 3])
    return lowest <= height


@kernel
def search(surfaces, skin, boxes, k, low, high, normal, height):
    """Number of the leaves of thing `k` whose boxes meet what `meets` describes. Writes: boxes.hit, boxes.stack"""
    box, stack, level = boxes.box, boxes.stack, skin.level
    top, found = 0, 0
    root = skin.depth[k]
    if skin.level[k, root + 1] > skin.level[k, root] and meets(box, level[k, root], low, high, normal, height):
        stack[0, 0], stack[0, 1] = level[k, root], root
        top = 1
    while top > 0:
        top -= 1
        row, at = stack[top, 0], stack[top, 1]
        if at == 0:
            boxes.hit[found] = surfaces.first_face[k] + row - level[k, 0]
            found += 1
            continue
        begin = level[k, at - 1] + 4 * (row - level[k, at])
        for child in range(min(begin + 4, level[k, at]) - 1, begin - 1, -1):
            if meets(box, child, low, high, normal, height):
                stack[top, 0], stack[top, 1] = child, at - 1
                top += 1
    return found
