"""By which triangle of a soft thing a vertex of another is met where they slide over each other: as sliding.py has it.

The triangles that may meet it are those around the nearest point: it lies on an edge or at a corner, or on the front of a solid
that slides, with the lower side just below.
"""

from ..._jit import kernel, stage
from ...math.vec3 import add, add_scaled, dot, load, norm, scale, sub
from ...model.bodies import Motion
from ...model.soft_contacts import CLOSED, Surfaces
from ..gjk import triangle_weights
from ..passing import ASKEW, LEVEL, NEARER
from .point_shape import FAR
from .sliding import CLEARLY, LEADS, SLIDES, SOON, STAYS, goes_on
from .triangle import MOST_AROUND, TINY, corners_of, mix, unit_normal
from .work import Skin


@kernel
def may_slide(closed, w, way, normal, separation):
    """Whether triangles around the nearest point with weights `w`, of a surface that is `closed` or not, are worth a look."""
    nearer = -dot(way, normal)
    return nearer >= NEARER and separation <= SOON * nearer and (closed == CLOSED or min(w[0], w[1], w[2]) <= TINY)


@stage
def met_by_triangle(surfaces: Surfaces, motion: Motion, skin: Skin, v: int, f: int, slop: float, side: int, w: tuple,
                    way: tuple, thickness: float, normal: tuple, separation: float):
    """Normal and gap [m] of the triangle by which vertex `v` is met, of those around its nearest point in triangle `f`, with
    weights `w`. `way` [m]: where the vertex goes in the step, as seen from there."""
    nearer = -dot(way, normal)
    x, least, best = load(motion.position, v), -1e300, normal
    ahead = goes_on(motion.position, skin, v, scale(-1.0, normal))
    share = (max(separation, 0.0) + STAYS * slop) / nearer
    corner = _corner(surfaces.face, f, w)
    t = f
    for step in range(MOST_AROUND):
        if step > 0:
            t = _next(surfaces.face, skin.beside, f, t, corner, step)
        if t == -2 or (step > 0 and t == f):
            break
        if t < 0:
            continue
        a, b, c = corners_of(motion.position, surfaces.face, t)
        n = scale(float(side), unit_normal(a, b, c))
        gap = dot(n, sub(x, a)) - thickness
        end = gap + min(share, SOON) * dot(way, n)
        if dot(n, normal) > ASKEW or gap <= least or gap < -slop or -dot(way, n) > SLIDES * nearer:
            continue
        along = goes_on(motion.position, skin, v, scale(-1.0, n))
        if not (along < ahead - CLEARLY or (min(gap, end) >= -LEVEL and along < LEADS)):
            continue
        on = add_scaled(add(x, scale(min(share, SOON), way)), -thickness - end, n)
        on = sub(mix(a, b, c, triangle_weights(sub(a, on), sub(b, on), sub(c, on))), on)
        if norm(on) <= STAYS * slop + thickness:
            least, best = gap, n
    if least == -1e300:
        return normal, separation
    return best, least if separation <= nearer else FAR


@kernel
def _corner(face, f, w):
    """The mover at the corner of a triangle that weights `w` name, or -1."""
    for c in range(3):
        if w[c] > 1.0 - TINY:
            return face[f, c]
    return -1


@kernel
def _next(face, beside, f, t, corner, step):
    """The triangle after `t` around a `corner`, or else the next beside `f`; -1: there is none, -2: no more."""
    if corner < 0:
        return beside[f, step - 1] if step <= 3 else -2
    at = 0 if face[t, 0] == corner else (1 if face[t, 1] == corner else 2)
    t = beside[t, (at + 1) % 3]
    return t if t >= 0 else -2
