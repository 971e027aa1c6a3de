"""Small triangles over patches for one step: where they are, and what of their contacts the patches under them bear."""

from ..._jit import entry, kernel
from ...equations.contact.nearest_on_relief import (
    gap_change,
    rolling_share,
    slope_between,
    spin_about,
    turned_normal,
    way_to_nearest,
)
from ...equations.patch.patch_point import patch_point
from ...math.vec3 import add, add_scaled, dot, load, norm, scale, store, sub
from ...model.bodies import Motion
from ...model.soft_contacts import Fine, Surfaces
from .beneath import bear
from .persist import EDGE_EDGE, FEATURES, VERTEX_FACE, Fresh
from .points import MOST_TURN, ROLLS, normals_of
from .tree import refit
from .triangle import TINY, corners_of, foot_weights, mix, unit_normal
from .work import Boxes, Skin

LEVEL = 0.95
"""Cosine between two triangles, or one and a contact, from which on they are one plane to a relief that lies on them [-]."""
STEPS = 6
"""Triangles over which the nearest point of a relief may be from the corner that stands for it, at most."""


@entry
def place_fine(surfaces: Surfaces, motion: Motion, skin: Skin, boxes: Boxes, small: Surfaces, fine: Fine, moving: Motion,
               small_skin: Skin, small_boxes: Boxes, dt: float) -> None:
    """Where the small triangles are, how they move, and how far they may get in `dt` [s].

    Writes: boxes.normal, moving, small_boxes
    """
    movers = motion.position.shape[0]
    for k in range(small.closed.shape[0]):
        first, last = small.first_node[k], small.first_node[k + 1]
        if first < last and small.node[first] >= movers:
            normals_of(surfaces, skin.corner_weight, motion.position, boxes.normal, k)
        for i in range(first, last):
            v = small.node[i]
            if v < movers:
                store(moving.position, v, load(motion.position, v))
                store(moving.velocity, v, load(motion.velocity, v))
                small_boxes.stilled[v] = boxes.stilled[v]
                continue
            q = v - movers
            f, w = fine.face[q], load(fine.weight, q)
            store(moving.position, v, patch_point(corners_of(motion.position, surfaces.face, f),
                                                  corners_of(boxes.normal, surfaces.face, f), w[1], w[2], fine.height[q]))
            a, b, c = corners_of(motion.velocity, surfaces.face, f)
            store(moving.velocity, v, mix(a, b, c, w))
            small_boxes.stilled[v] = max(boxes.stilled[surfaces.face[f, 0]], boxes.stilled[surfaces.face[f, 1]],
                                         boxes.stilled[surfaces.face[f, 2]])
        if first < last and small.node[first] >= movers:
            normals_of(small, small_skin.corner_weight, moving.position, small_boxes.normal, k)
    refit(small, moving, small_skin, small_boxes, dt)


@entry
def lay_down(surfaces: Surfaces, motion: Motion, small: Surfaces, fine: Fine, moving: Motion, small_skin: Skin,
             small_boxes: Boxes, fresh: Fresh, dt: float) -> None:
    """Let patches bear the contacts of the small triangles over them, as near as the relief over these is. Writes: fresh"""
    found, movers = fresh.found, motion.position.shape[0]
    for row in range(min(found.count[0], found.key.shape[0])):
        name = found.key[row] >> 1
        kind, one, two = name // (FEATURES * FEATURES), name // FEATURES % FEATURES, name % FEATURES
        if kind == VERTEX_FACE:
            _rise_of_face(small, fine, moving.position, found, row, two)
            if one >= movers and fine.under[two] >= 0:
                _slide(small, fine, small_boxes.normal, found, row, movers, one, two)
                _roll(surfaces, motion, small, fine, found, row, movers, one, two, dt)
            elif one >= movers:
                _slide_on(small, fine, small_skin.beside, moving.position, small_boxes.normal, found, row, movers, one, two)
            _bear(surfaces, motion.position, fine, found, row, 0, movers, fine.under[two])
            _bear(surfaces, motion.position, fine, found, row, 3, movers, fine.face[one - movers] if one >= movers else -1)
        elif kind == EDGE_EDGE:
            _rise_of_edge(surfaces, motion.position, fine, found, row, 0, one)
            _rise_of_edge(surfaces, motion.position, fine, found, row, 3, two)
            _bear(surfaces, motion.position, fine, found, row, 0, movers, fine.under_edge[one])
            _bear(surfaces, motion.position, fine, found, row, 3, movers, fine.under_edge[two])


@kernel
def _rise_of_face(small, fine, position, found, row, f):
    """The vertex of a contact is nearer to the relief than to small triangle `f` under that, which is taken for a parabola over
    it. Writes: found"""
    if fine.under[f] >= 0:
        u, v, w = found.weight[row, 0], found.weight[row, 1], found.weight[row, 2]
        rise = 4.0 * (u * v * fine.rise[f, 0] + v * w * fine.rise[f, 1] + w * u * fine.rise[f, 2])
        found.separation[row] -= rise * dot(unit_normal(*corners_of(position, small.face, f)), load(found.normal, row))


@kernel
def _slide(small, fine, normals, found, row, movers, v, f):
    """A corner of small triangles stands for the relief around it: the contact goes to where that is nearest. Writes: found"""
    curve = fine.curve[v - movers] + max(fine.curve[small.face[f, 0] - movers], fine.curve[small.face[f, 1] - movers],
                                         fine.curve[small.face[f, 2] - movers])
    s = slope_between(load(normals, v), mix(*corners_of(normals, small.face, f), load(found.weight, row)),
                      load(found.normal, row))
    way = way_to_nearest(s, curve, fine.reach[v - movers])
    found.separation[row] += gap_change(s, way)
    store(found.position, row, add(load(found.position, row), way))


@kernel
def _roll(surfaces, motion, small, fine, found, row, movers, v, f, dt):
    """Where it touches goes on over both patches within the step, if they roll on each other. Writes: found"""
    n, p, q = load(found.normal, row), fine.face[v - movers], fine.under[f]
    curve = fine.curve[v - movers] + max(fine.curve[small.face[f, 0] - movers], fine.curve[small.face[f, 1] - movers],
                                         fine.curve[small.face[f, 2] - movers])
    if not curve > 0.0:
        return
    a, b, c = corners_of(motion.position, surfaces.face, p)
    x, y, z = corners_of(motion.velocity, surfaces.face, p)
    d, e, g = corners_of(motion.position, surfaces.face, q)
    r, s, t = corners_of(motion.velocity, surfaces.face, q)
    turned = sub(turned_normal(n, d, e, g, r, s, t), turned_normal(n, a, b, c, x, y, z))
    turned = add_scaled(turned, -dot(turned, n), n)
    glide, reach = scale(-1.0 / curve, turned), fine.reach[v - movers]
    drills = reach * abs(spin_about(n, a, b, c, x, y, z) - spin_about(n, d, e, g, r, s, t))
    if rolling_share(norm(glide), drills) > ROLLS and norm(glide) > 0.0 and dt * norm(turned) <= MOST_TURN:
        found.bend[row] = curve
        store(found.glide, row, glide)


@kernel
def _slide_on(small, fine, beside, position, normals, found, row, movers, v, f):
    """Likewise over a thing's own triangle `f` and those level with it: the one that the nearest point lies on bears it.

    Writes: found
    """
    n, out = load(found.normal, row), unit_normal(*corners_of(position, small.face, f))
    if abs(dot(n, out)) < LEVEL:
        return
    s = slope_between(load(normals, v), _bent(small.face, beside, position, f, load(found.weight, row), out), n)
    way = way_to_nearest(s, fine.curve[v - movers], fine.reach[v - movers])
    nearer, at = gap_change(s, way), add(load(found.position, row), way)
    for _ in range(STEPS):
        w = foot_weights(*corners_of(position, small.face, f), at)
        least = min(w[0], w[1], w[2])
        if least >= -TINY:
            found.separation[row] += nearer
            store(found.position, row, at)
            bear(small.face, position, found, row, 0, f, w, 1.0)
            return
        f = beside[f, 0 if w[0] == least else (1 if w[1] == least else 2)]
        if f < 0 or dot(unit_normal(*corners_of(position, small.face, f)), out) < LEVEL:
            return


@kernel
def _bent(face, beside, position, f, w, out):
    """The direction in which triangle `f` looks at weights `w`, level with its neighbours where it meets them.

    By its own, `out`, alone what bends would be met far from the corner as soon as it bends, and bend less, and less far.
    """
    n = out
    for c in range(3):
        g = beside[f, c]
        across = unit_normal(*corners_of(position, face, g)) if g >= 0 else out
        if dot(across, out) >= LEVEL:
            n = add_scaled(n, 0.5 * max(0.0, 1.0 - 2.0 * w[c]), sub(across, out))
    return scale(1.0 / norm(n), n)


@kernel
def _rise_of_edge(surfaces, position, fine, found, row, column, e):
    """Likewise of an edge, the side of a contact from `column` on. Writes: found"""
    f = fine.under_edge[e]
    if f >= 0:
        out = dot(unit_normal(*corners_of(position, surfaces.face, f)), load(found.normal, row))
        rise = 4.0 * found.weight[row, column] * found.weight[row, column + 1] * fine.rise_edge[e]
        found.separation[row] -= rise if (out >= 0.0) == (column == 0) else -rise


@kernel
def _bear(surfaces, position, fine, found, row, column, movers, f):
    """A side of a contact, from `column` on, is a point of patch `f`; none if that is negative. Writes: found"""
    if f < 0:
        return
    w = (0.0, 0.0, 0.0)
    for c in range(column, column + 3):
        if found.mover[row, c] >= 0:
            q, share = found.mover[row, c] - movers, found.weight[row, c]
            for d in range(3):
                v, part = surfaces.face[fine.face[q], d], share * fine.weight[q, d]
                w = (w[0] + (part if v == surfaces.face[f, 0] else 0.0), w[1] + (part if v == surfaces.face[f, 1] else 0.0),
                     w[2] + (part if v == surfaces.face[f, 2] else 0.0))
    bear(surfaces.face, position, found, row, column, f, w, 1.0)
