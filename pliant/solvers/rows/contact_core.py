"""What of two shapes a contact between them follows within a step, whatever they spin: faces, lines and points in them.

A ball touches where its centre has it, the side of a capsule or cylinder where its axle has it, and edges and corners of boxes
are lines and points that lie on the surface. Both are taken along with their bodies, and the normal is by geometry:

    point and point    along the way from one to the other
    point and line     along the shortest way
    line and line      at right angles to both; side by side, along the shortest way
    rim and ball       along the way from the nearest point of the circle
    a face and either  that of the face, which turns with its body

The edge of a rim and the corner of a box have neither radius: the way between them is all gap, it turns as far as it likes when
they come close, and round when they have passed. Their contact turns as between faces, with what both bodies share.

The contact lies on the surface, at that normal from the point or line; on a line it slides along, as the other body goes.
"""

from ..._jit import kernel
from ...collide.convex_points import FIRST_END, LAST_END
from ...collide.ridges import FIRST_RIDGE
from ...couple.ports import load_at, store_at
from ...math.quat import load4, qmul, qnormalize, rotate, unrotate
from ...math.vec3 import add, add_scaled, cross, dot, neg, normalize, sub
from ...model.shapes import BOX, CAPSULE, CYLINDER, FIELD, SPHERE

FACE, LINE, POINT, RIM = 0, 1, 2, 3
CORES, ON_RIDGE = 2, -2
"""What the number of a contact with a line or a point is counted from, by fours; of something round on an edge of a field."""
SQUARE = 1e-4
"""Sine of the angle below which a normal is at right angles to a line, or along that of a face [-]."""
TILTED = 0.5
"""Sine of the angle by which a wheel may lean on a face with its side [-]."""
ASIDE = 0.1
"""Sine of the angle below which two lines lie side by side: what they share has two ends [-]."""
AXLE, REACH = 0, 3
OTHER = 4


@kernel
def is_round(kind):
    """Whether a shape touches with its side or end wherever it has turned to."""
    return kind == SPHERE or kind == CAPSULE or kind == CYLINDER


@kernel
def on_ridge(shapes, s_a, s_b, feature):
    """Whether a contact is with an edge or a corner of a field."""
    return feature >= FIRST_RIDGE and (shapes.kind[s_a] == FIELD or shapes.kind[s_b] == FIELD)


@kernel
def core_of(shapes, s, turned, n, feature):
    """What shape `s`, whose frame is `turned`, touches with along `n` outwards: FACE, LINE, POINT or RIM; axle; radius [m]."""
    kind, axle = shapes.kind[s], rotate(turned, (0.0, 0.0, 1.0))
    if kind == SPHERE:
        return POINT, axle, shapes.size[s, 0]
    lean, ends = abs(dot(n, axle)), feature == FIRST_END or feature == LAST_END
    if kind == CAPSULE:
        return LINE if lean < (ASIDE if ends else SQUARE) else POINT, axle, shapes.size[s, 0]
    if kind == CYLINDER:
        level = lean < (ASIDE if ends else SQUARE)
        return LINE if level else FACE if lean * lean > 1.0 - SQUARE * SQUARE else RIM, axle, shapes.size[s, 0]
    if kind != BOX:
        return FACE, axle, 0.0
    x, y, z = unrotate(turned, n)
    x, y, z = abs(x), abs(y), abs(z)
    if max(x, y, z) ** 2 > 1.0 - SQUARE * SQUARE:
        return FACE, axle, 0.0
    if min(x, y, z) > SQUARE:
        return POINT, axle, 0.0
    edge = (1.0, 0.0, 0.0) if x < SQUARE else (0.0, 1.0, 0.0) if y < SQUARE else (0.0, 0.0, 1.0)
    return LINE, rotate(turned, edge), 0.0


@kernel
def on_a_face(kind, core, lean):
    """What a shape of a `kind` that has this `core` at a `lean` [-] touches a face with: a wheel with an end of its lowest
    line, a capsule with one of its ends."""
    if kind == CYLINDER and lean < TILTED:
        return LINE
    return POINT if kind == CAPSULE else core


@kernel
def find_cores(cores, k, shapes, s_a, s_b, motion, n, feature, wide_a, wide_b):
    """The number of contact `k` with normal `n`, CORES or more, if a line or a point touches, else -1; its levers end `wide_a`
    and `wide_b` [m] beyond the surfaces. Writes: cores at `k`"""
    if not (is_round(shapes.kind[s_a]) or is_round(shapes.kind[s_b])):
        return -1
    if on_ridge(shapes, s_a, s_b, feature):
        return ON_RIDGE
    turned_a = qmul(load4(motion.quaternion, shapes.body[s_a]), load4(shapes.quaternion, s_a))
    turned_b = qmul(load4(motion.quaternion, shapes.body[s_b]), load4(shapes.quaternion, s_b))
    one, axle_a, radius_a = core_of(shapes, s_a, turned_a, n, feature)
    two, axle_b, radius_b = core_of(shapes, s_b, turned_b, neg(n), feature)
    if one == FACE:
        two = on_a_face(shapes.kind[s_b], two, abs(dot(n, axle_b)))
    elif two == FACE:
        one = on_a_face(shapes.kind[s_a], one, abs(dot(n, axle_a)))
    if one == two == FACE or (one == RIM and not (two == POINT and radius_b > 0.0)) or (
            two == RIM and not (one == POINT and radius_a > 0.0)):
        return -1
    store_at(cores, k, AXLE, axle_a)
    store_at(cores, k, OTHER + AXLE, axle_b)
    cores[k, REACH], cores[k, OTHER + REACH] = radius_a + wide_a, radius_b + wide_b
    return CORES + 4 * one + two


@kernel
def is_wheel(number):
    """Whether a line touches a face."""
    return number == CORES + 4 * FACE + LINE or number == CORES + 4 * LINE + FACE


@kernel
def reach_of(cores, k):
    """How far [m] apart the points or lines of contact `k` are; of a face, how far one of them is from it."""
    return cores[k, REACH] + cores[k, OTHER + REACH]


@kernel
def outwards(core, axle, n):
    """Unit vector from a `core` to the surface that touches along `n`: a wheel's rim stays round its axle when it leans."""
    return normalize(add_scaled(n, -dot(n, axle), axle)) if core == LINE else n


@kernel
def follow(cores, k, number, q_a, q_b, n, r_a, r_b, way):
    """Levers [m] and normal of contact `k` when its bodies, `way` [m] further apart, have turned by `q_a` and `q_b`."""
    one, two = (number - CORES) // 4, (number - CORES) % 4
    axle_a, reach_a = load_at(cores, k, AXLE), cores[k, REACH]
    axle_b, reach_b = load_at(cores, k, OTHER + AXLE), cores[k, OTHER + REACH]
    if one == FACE:
        return before_face(q_a, q_b, two, axle_b, reach_b, n, r_a, r_b, way)
    if two == FACE:
        to_b, to_a, m = before_face(q_b, q_a, one, axle_a, reach_a, neg(n), r_b, r_a, neg(way))
        return to_a, to_b, neg(m)
    if one == RIM:
        return before_rim(q_a, q_b, axle_a, reach_a, reach_b, n, r_a, r_b, way)
    if two == RIM:
        to_b, to_a, m = before_rim(q_b, q_a, axle_b, reach_b, reach_a, neg(n), r_b, r_a, neg(way))
        return to_a, to_b, neg(m)
    return between(q_a, q_b, one, two, axle_a, axle_b, reach_a, reach_b, n, r_a, r_b, way)


@kernel
def before_face(q_face, q, core, axle, reach, n, r_face, r, way):
    """Levers [m] at a body with a face and one with a `core`, and the normal from the first to the second."""
    m = rotate(q_face, n)
    inside = rotate(q, add_scaled(r, reach, outwards(core, axle, n)))
    to = add_scaled(inside, -reach, outwards(core, rotate(q, axle), m))
    return add(r_face, add(sub(to, r), way)), to, m


@kernel
def before_rim(q_rim, q, axle, radius, reach, n, r_rim, r, way):
    """The same of a cylinder that touches with its rim and a body that does with a point."""
    out, centre = outwards(LINE, axle, n), add_scaled(r, reach, n)
    middle = add_scaled(r_rim, -radius, out)
    in_rim, inside, axle = rotate(q_rim, middle), rotate(q, centre), rotate(q_rim, axle)
    apart = add(add_scaled(way, radius, out), sub(sub(inside, centre), sub(in_rim, middle)))
    apart = add_scaled(apart, reach, n)
    rim = outwards(LINE, axle, apart)
    m = normalize(add_scaled(apart, -radius, rim))
    return add_scaled(in_rim, radius, rim), add_scaled(inside, -reach, m), m


@kernel
def between(q_a, q_b, one, two, axle_a, axle_b, reach_a, reach_b, n, r_a, r_b, way):
    """The same of two bodies of which neither touches with a face."""
    core_a, core_b, reach = add_scaled(r_a, -reach_a, n), add_scaled(r_b, reach_b, n), reach_a + reach_b
    in_a, in_b, lean_a, lean_b = rotate(q_a, core_a), rotate(q_b, core_b), dot(n, axle_a), dot(n, axle_b)
    axle_a, axle_b = rotate(q_a, axle_a), rotate(q_b, axle_b)
    apart = add(add_scaled(way, reach, n), sub(sub(in_b, core_b), sub(in_a, core_a)))
    aside, along_a, along_b = cross(axle_a, axle_b), 0.0, 0.0
    sine = dot(aside, aside)
    if one == LINE and two == LINE and sine > ASIDE * ASIDE:
        along_a, along_b = dot(cross(apart, axle_b), aside) / sine, dot(cross(apart, axle_a), aside) / sine
    elif one == LINE:
        along_a = dot(apart, axle_a) - reach * lean_a
        if two == LINE:
            along_a *= 0.5
            along_b = -along_a if dot(axle_a, axle_b) > 0.0 else along_a
    elif two == LINE:
        along_b = reach * lean_b - dot(apart, axle_b)
    in_a, in_b = add_scaled(in_a, along_a, axle_a), add_scaled(in_b, along_b, axle_b)
    shortest = add_scaled(add_scaled(apart, -along_a, axle_a), along_b, axle_b)
    m = normalize(shortest) if dot(shortest, n) > 0.0 else n
    return add_scaled(in_a, reach_a, m), add_scaled(in_b, -reach_b, m), m


@kernel
def turn_axles(cores, k, q_a, q_b):
    """Writes: cores at `k`"""
    store_at(cores, k, AXLE, rotate(q_a, load_at(cores, k, AXLE)))
    store_at(cores, k, OTHER + AXLE, rotate(q_b, load_at(cores, k, OTHER + AXLE)))


@kernel
def shortest_turn(n, m):
    """Quaternion that turns the unit vector `n` into `m`, less than half round."""
    c = cross(n, m)
    return qnormalize((1.0 + dot(n, m), c[0], c[1], c[2]))
