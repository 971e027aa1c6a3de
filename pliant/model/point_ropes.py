"""Ropes of points and elements (papers A and C): what never changes, what they did, and scratch.

The points of a rope are movers that have mass and do not turn, its elements are movers that turn and have no mass; both
lie side by side in the table of movers. Point i and point i + 1 hold element i between them.

A clamp holds a frame against the end of a rope. That frame is an element more, before the first or after the last, which
has no points: it joins the rope by half a length of bend and twist, twice the stiffness of a whole one. (Holding the
first element instead would move the clamp by half an element into the rope, an error of first order.)

Few wide tables instead of many narrow ones: each array that passes from kernel to kernel costs compile time.
"""

from typing import Annotated, NamedTuple

from .schema import Array, index, real

IMPULSE, POSITION, COMPLIANT = 0, 1, 2
KIND, POINT, POINTS, ELEMENT, ELEMENTS, BEFORE, ROW = 0, 1, 2, 3, 4, 5, 6
LENGTH, STRETCH, SHEAR, BEND, REST, BETWEEN = 0, 1, 2, 3, 6, 9
STRETCHING, BENDING = 0, 3
DIRECTION, NEARNESS, PIVOT, UPPER, SOLVED, ASIDE, ACROSS, ANSWER = 0, 3, 4, 5, 6, 7, 13, 19
SOFT_SHEAR, SOFT_STRETCH, SOFT_BEND, AIM, AIM_BEND, AHEAD, SPIN, LIGHT, SPAN = 0, 1, 2, 5, 8, 11, 15, 18, 21
GIVEN, CHORD, ASKED, LEVERED = 15, 22, 25, 28
TENSION, SHEAR_FORCE, MOMENT = 0, 1, 3
HOLD = 7


class PointRopes(NamedTuple):
    """Ropes of papers A and C; elements count from the frame of the clamp at the start, if there is one."""

    rope: Annotated[Array, index(
        "n 7",
        "IMPULSE, POSITION or COMPLIANT; first point (a mover), points; first element (a mover), elements; elements that lie "
        "before the first point, the frame of a clamp (0 or 1); first row",
    )]
    carrier: Annotated[Array, index(
        "n 2",
        "the mover that carries the first and the last point, -1: none; a carried point is held (inverse mass zero), and so is "
        "the frame of a clamp at that end",
    )]
    hold: Annotated[Array, real("n 14", "m, -", "at each end: anchor (3) and frame of the clamp (4), in the carrier's axes")]
    damping: Annotated[Array, real("n", "s", "Kelvin-Voigt time: the damper that goes with a stiffness k is this times k")]
    row: Annotated[Array, real(
        "r 10", "m; N; N; N m; -; m",
        "an element: length, stretching stiffness EA, shearing stiffness GA (inf: rigid); the joint after it: stiffness of "
        "bending about d1, d2 and of twisting EI/l^, EI/l^, GJ/l^ (inf: rigid), their rest l^ u^ (3), distance l^",
    )]


class PointRopeState(NamedTuple):
    """What the ropes did in the last substep, also to start the next one warm, and what held their ends."""

    impulse: Annotated[Array, real(
        "r 6", "N s; N m s",
        "in an element: on its second point, against stretching and shearing, world axes; in the joint after it: COMPLIANT, "
        "against bending about d1, d2 and twisting about d3; POSITION, on the next element, world axes; of an IMPULSE rope: "
        "alignment along d1, d2 [N m s], tension",
    )]
    hold: Annotated[Array, real(
        "n 12", "N, N m",
        "what carries each end does to the rope: force (3) and torque about the end (3), mean over the last step",
    )]
    mean: Annotated[Array, real(
        "r 6", "N; N; N m",
        "means over the last step, along axes that turn meanwhile: in an element its tension, positive pulls, and shear force "
        "along d1, d2; in the joint after it the moments of bending about d1, d2 and of twisting, axes of 2 Im p",
    )]


class PointRopeWork(NamedTuple):
    """Scratch of one substep."""

    row: Annotated[Array, real(
        "r 31", "-, m, …",
        "IMPULSE: direction n (3), 1/distance, Thomas: 1/pivot, upper, solution; d1, d2 without their part along n (6); d1, d2 "
        "(6); inverse of the 2 x 2 response (3). Others: compliance over a step of shearing, stretching, bending (3); aims of "
        "strain (3) and of bend (3); orientation ahead (4); POSITION: angular velocity that it came from (3); COMPLIANT: "
        "angular impulse that the rope has given the element (3); inverse moments of inertia (3), length; own axes "
        "ahead: chord (3), angular impulse that it still shall have (3); angular impulse that the rope has given the "
        "carrier of its end, world axes (3)",
    )]
    system: Annotated[Array, real(
        "s 10", "m/(N s), 1/(N m s), …",
        "COMPLIANT: six equations a row, of its element and its joint: what lies left of the diagonal in a band of eight, "
        "column d for the unknown d before; right side",
    )]


class PointRopeReadings(NamedTuple):
    """What the ropes say of where they are."""

    row: Annotated[Array, real("r 3", "rad/m", "how much the joint after an element bends about d1, d2 and twists")]


class RopeAlarm(NamedTuple):
    """What is wrong with a rope after a step."""

    worst: Annotated[Array, real(
        "n 4", "-",
        "largest lengthening of what should not stretch, below zero if shorter, element of it; largest pull over the largest "
        "that the substep allows (IMPULSE), element of it",
    )]
