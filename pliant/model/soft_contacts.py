"""Where cloth and solids touch bodies, each other and themselves: surfaces, and contacts kept from step to step.

A side of a contact is up to three movers with weights: a body alone (weight 1), a vertex, an edge, a triangle. So one kind
of row serves vertex against body, vertex against triangle and edge against edge.
"""

from typing import Annotated, NamedTuple

from .schema import Array, index, key, real

CLOSED = 1
"""A surface that bounds a solid: its triangles look outwards and are felt from outside alone."""


class Surfaces(NamedTuple):
    """Surfaces of all soft things, thing after thing; numbers of movers. What touches nothing has none of these."""

    mover: Annotated[Array, index("k", "first mover of each thing")]
    first_node: Annotated[Array, index("t", "thing k has nodes first_node[k] to first_node[k + 1]")]
    first_face: Annotated[Array, index("t", "likewise triangles")]
    first_edge: Annotated[Array, index("t", "likewise edges")]
    closed: Annotated[Array, index("k", "CLOSED, or 0: a sheet, felt from both sides; one a thing")]
    itself: Annotated[Array, index("k", "1: it also touches itself; one a thing")]
    offset: Annotated[Array, real("k", "m", "half the thickness, by which its surface stands out; one a thing")]
    friction: Annotated[Array, real("k", "-", "Coulomb; between two surfaces the larger counts; one a thing")]
    node: Annotated[Array, index("n", "mover of each vertex on a surface, ascending within a thing")]
    face: Annotated[Array, index("f 3", "movers of each triangle")]
    edge: Annotated[Array, index("e 2", "movers of each edge, the smaller first, each edge once")]


class Relief(NamedTuple):
    """Points of patches that stand out of the triangles of surfaces, or lie below them, or bend there; by triangle."""

    face: Annotated[Array, index("p", "the triangle of each point, ascending")]
    weight: Annotated[Array, real("p 3", "-", "of the triangle's corners")]
    height: Annotated[Array, real("p", "m", "along the blend of the normals of its vertices")]
    slope: Annotated[Array, real("p 2", "m", "derivatives of the height by the weights of the second and the third corner")]
    form: Annotated[Array, real("p 3", "m", "how its outward normal turns by these weights (uu, uv, vv), at rest")]
    curve: Annotated[Array, real("p", "1/m", "largest outward curvature of the relief there, at rest")]
    reach: Annotated[Array, real("p", "m", "how far from a point the relief is its own: l / sqrt(3) for points l apart")]
    opens: Annotated[Array, real("p", "1/m", "how the normals of its triangle's vertices open outwards along sides, at rest")]


class Fine(NamedTuple):
    """Small triangles that follow the relief of patches, and how the triangles under them carry their corners.

    A table of surfaces holds them in place of the patches; what has no relief stands there with its own triangles. Their
    corners have numbers beyond those of all movers.
    """

    face: Annotated[Array, index("p", "the patch that carries each corner, a triangle of the surfaces")]
    weight: Annotated[Array, real("p 3", "-", "of that triangle's corners")]
    height: Annotated[Array, real("p", "m", "along the blend of the normals of its vertices")]
    under: Annotated[Array, index("f", "the patch under each small triangle; -1: a thing's own triangle")]
    under_edge: Annotated[Array, index("e", "a patch under each of their edges, likewise")]
    rise: Annotated[Array, real("f 3", "m", "how high the relief is over the middle of the side after each corner, at rest")]
    rise_edge: Annotated[Array, real("e", "m", "likewise over the middle of each edge")]
    curve: Annotated[Array, real("p", "1/m", "largest outward curvature of the relief at each corner along a side, at rest")]
    reach: Annotated[Array, real("p", "m", "how far from a corner the relief is its own: l / sqrt(3) for even sides l")]


class SoftContacts(NamedTuple):
    """A table of fixed capacity; the first `count[0]` are in use, sorted by key."""

    count: Annotated[Array, index("1", "contacts in use; more than the capacity means that some were left out")]
    key: Annotated[Array, key("n", "which features touch: the same from step to step, different for different contacts")]
    mover: Annotated[Array, index("n 6", "up to three movers of side a, then of side b; -1: none")]
    weight: Annotated[Array, real("n 6", "-", "of these, adding up to one on each side; a body has 1")]
    tilts: Annotated[Array, index("n", "1 where they touch over triangles, whose corners bear moments too (borne_above.py)")]
    tilt: Annotated[Array, real("n 18", "-", "levers L of the movers, by which")]
    glide: Annotated[Array, real("n 3", "m/s", "how fast the place that touches goes over a relief that rolls, world frame")]
    bend: Annotated[Array, real("n", "1/m", "by which curvature that relief leaves on that way; 0: it does not roll")]
    shape: Annotated[Array, index("n", "the shape of a body on side a, -1 if both sides are soft")]
    position: Annotated[Array, real("n 3", "m", "where they touch, world frame")]
    normal: Annotated[Array, real("n 3", "-", "unit, from a to b, world frame")]
    separation: Annotated[Array, real("n", "m", "gap along the normal, thickness taken off; negative: penetration")]
    slop: Annotated[Array, real("n", "m", "penetration that is not pushed out")]
    friction: Annotated[Array, real("n", "-", "Coulomb")]
    impulse: Annotated[Array, real("n 3", "N s", "on b in the last substep, world frame, kept to start the next one warm")]
    force: Annotated[Array, real("n 3", "N", "on b, mean over the last step, world frame")]
    age: Annotated[Array, index("n", "steps this contact has lived")]


class Ties(NamedTuple):
    """Vertices held at points of bodies, links of ropes or other vertices."""

    mover: Annotated[Array, index("n 2", "what holds, and the vertex")]
    anchor: Annotated[Array, real("n 3", "m", "point of what holds, in its own frame")]


class TieState(NamedTuple):
    """What ties bear."""

    holds: Annotated[Array, index("n", "1, or 0 once it has been let go")]
    impulse: Annotated[Array, real("n 3", "N s", "on the vertex in the last substep, world frame, kept to start warm")]
    force: Annotated[Array, real("n 3", "N", "on the vertex, mean over the last step, world frame")]


ARM, TANGENT, COTANGENT, RESPONSES, IMPULSES, TOTALS, DISTANCE, MEETING, HEFTS, GLIDED, SOFTNESS = (
    0, 3, 6, 9, 12, 15, 18, 19, 20, 23, 24)
TIE_ARM, TIE_GAP, TIE_ANSWER, TIE_WAY = 0, 3, 6, 12


class SoftRows(NamedTuple):
    """Scratch of contacts and ties of soft things."""

    answer: Annotated[Array, real("b", "1/kg", "how each vertex answers an impulse")]
    response: Annotated[Array, real(
        "b 36", "1/kg, …",
        "of bodies: 6 x 6, how velocity and angular velocity answer an impulse and an angular one",
    )]
    along: Annotated[Array, real("b 6", "m/s, rad/s", "how bodies answer a unit impulse of a drive")]
    carrier: Annotated[Array, index("b", "bodies of an island that such rows push")]
    mark: Annotated[Array, index("b", "whether rows name a mover, and are likely to push it")]
    pull: Annotated[Array, real("b 6", "N s, N m s", "impulses of these rows on each mover, so far in this substep")]
    contact: Annotated[Array, real(
        "c 25", "m, -, 1/kg, N s, m, m/s, kg, -, 1/kg",
        "lever of the body (3), two tangents (3, 3), responses along normal and tangents (3), impulses of this substep (3) and "
        "of the step (3) along them, gap, speed at which the two met as the substep began, inverses of the responses (3), 1 "
        "once it has gone where it is to touch in this substep, how much it gives way along the normal beside its sides",
    )]
    body: Annotated[Array, real(
        "c 18", "1/kg, 1/(kg m)", "how the body of a contact answers unit impulses along normal and tangents: velocity (3) and "
        "angular velocity (3) of each")]
    below: Annotated[Array, index("b", "of a vertex: the contact with the heaviest body that it touches, -1: none")]
    through: Annotated[Array, index("c", "the contact that bears what this one pushes through a vertex, -1: none")]
    held: Annotated[Array, index("b", "of a vertex: one more than the contact along whose normal something firm holds it, "
                                 "negative: against it, 0: none")]
    holder: Annotated[Array, index("b", "of what is held: the body that holds it")]
    squeezed: Annotated[Array, index("b", "1 for vertices that something firm holds from two sides")]
    tie: Annotated[Array, real(
        "t 15", "m, m, kg, m",
        "lever (3), gap (3), inverse of the response (xx, yy, zz, xy, xz, yz), way that it lacks beside its velocity (3)",
    )]
