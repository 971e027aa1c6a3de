"""What of a contact over a patch the triangle beneath it bears: along the contact's line, and where it is steep by levers."""

from ..._jit import kernel, merged
from ...equations.contact.borne_above import tilts_above
from ...math.vec3 import add_scaled, dot, load, norm, sub
from .triangle import corners_of, foot_weights, mix, unit_normal

FAR = 2.0
"""How far from what bears it a contact may act on its patch, as a share of how far it is from there [-]: up to 60 degrees are
taken whole."""


@merged
def bear(face, position, found, row, column, f, w, whole):
    """A side of a contact, from `column` on, is a point over triangle `f`, whose base has weights `w`; `whole`: how much of its
    moment corners bear, 1 all of it, 0 what friction has at the base. Writes: found"""
    if row < 0:
        return
    p, n = load(found.position, row), load(found.normal, row)
    a, b, c = corners_of(position, face, f)
    w = _beneath(a, b, c, w, p, n)
    tilts = tilts_above(a, b, c, n, whole * dot(sub(p, mix(a, b, c, w)), n))
    found.tilts[row] = 1
    for d in range(3):
        found.mover[row, column + d], found.weight[row, column + d] = face[f, d], w[d]
        for x in range(3):
            found.tilt[row, 3 * (column + d) + x] = tilts[d][x]


@kernel
def _beneath(a, b, c, w, p, normal):
    """Weights of a triangle's corners where the line through `p` along a contact's `normal` meets it, in place of `w`.

    What pushes the two sides so acts along one line, and no turn comes of it; likewise a patch that turns stiffly parts as its
    relief does. Where the relief is steep the line meets the triangle far away: no farther than FAR of how far it is from it.
    """
    n, base = unit_normal(a, b, c), mix(a, b, c, w)
    up = sub(p, base)
    lean, height = dot(n, normal), norm(up)
    if abs(lean) * 1e6 <= 1.0 or height == 0.0:
        return w
    way = add_scaled(up, -dot(n, up) / lean, normal)
    far = norm(way)
    moved = foot_weights(a, b, c, add_scaled(base, min(1.0, FAR * height / max(far, 1e-300)), way))
    return moved if moved[0] + moved[1] + moved[2] > 0.0 else w
