"""Rigid bodies: what never changes, and how they move."""

from typing import Annotated, NamedTuple

from .schema import Array, index, real

DYNAMIC, FIXED, DRIVEN = 0, 1, 2
PASSED = 2


class Bodies(NamedTuple):
    """Rigid bodies; body 0 is the world itself. Their own frame sits in the centre of mass, along the principal axes."""

    kind: Annotated[Array, index("n", "DYNAMIC, FIXED or DRIVEN")]
    tree: Annotated[Array, index(
        "n", "its part in a tree of joints: -1 none, 0 a branch, 1 the root, PASSED a link that has one neighbour beyond it, "
        "which is folded just before")]
    link: Annotated[Array, index("n", "1 for a link of a rope, 2 for a vertex of a soft thing")]
    mass: Annotated[Array, real("n", "kg", "zero unless dynamic")]
    inverse_mass: Annotated[Array, real("n", "1/kg", "zero unless dynamic")]
    inertia: Annotated[Array, real("n 3", "kg m2", "principal moments; zero unless dynamic")]
    inverse_inertia: Annotated[Array, real("n 3", "1/(kg m2)", "zero unless dynamic")]


class Motion(NamedTuple):
    """Where the bodies are and how they move."""

    position: Annotated[Array, real("n 3", "m", "centre of mass, world frame")]
    quaternion: Annotated[Array, real("n 4", "-", "principal axes to world")]
    velocity: Annotated[Array, real("n 3", "m/s", "of the centre of mass, world frame")]
    angular_velocity: Annotated[Array, real("n 3", "rad/s", "world frame")]


TURNS, LEVERED, OWN = 0, 1, 10


class Push(NamedTuple):
    """Forces from outside that act through the coming step."""

    force: Annotated[Array, real("n 3", "N", "at the centre of mass, world frame")]
    torque: Annotated[Array, real("n 3", "N m", "world frame")]
    turning: Annotated[Array, real(
        "n 16", "-, N m, N, N m",
        "1 where any of these is not zero; lever in the body's frame times force in the world's, summed over forces that act "
        "beside the centre (9); force (3) and torque (3) that turn with the body, its frame",
    )]


PAST_POSITION, PAST_TURN, PAST_VELOCITY, PAST_SPIN, PAST_MOMENTUM, PAST_STEP, PAST_PUSH = 0, 3, 7, 10, 13, 16, 17
LOST = -1.0
"""In place of a substep's length: its joints did not close, however short it was."""
SPED, BORNE_BY, LAST, OWED, KNOWN, STEERED, HASTENED = 6, 12, 18, 24, 30, 31, 37


class History(NamedTuple):
    """How bodies of ropes moved one substep before, for the second-order scheme."""

    table: Annotated[Array, real(
        "n 23", "m, -, m/s, rad/s, kg m2/s, s, N, N m",
        "position (3), quaternion (4), velocity (3), angular velocity (3), angular momentum (3), length of that substep; "
        "0: nothing to look back to; LOST; force and torque from outside where it ended (6)",
    )]
    given: Annotated[Array, real(
        "n 43", "N s, N m s, m/s, rad/s, N, N m, m/s, rad/s, m, rad, -, m/s, rad/s, m/s2, rad/s2",
        "of a driven body: what it has given to others (6), about its centre, world frame, see carried_impulse.py; how fast it "
        "was to them (6); what it gave without a jolt (6); how fast it was (6); ways of jolts before that was known (6); "
        "1 once it is known; how fast it is as the step begins (6), and how that changes in a second (6)",
    )]
