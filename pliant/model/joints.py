"""Joints, their free coordinates, and what drives, limits and brakes those."""

from typing import Annotated, NamedTuple

from .schema import Array, index, real

REVOLUTE, PRISMATIC, SPHERICAL, FIXED_JOINT, UNIVERSAL, CYLINDRICAL, ROD = 0, 1, 2, 3, 4, 5, 6
TRAVEL, ANGLE, CROSS_FIRST, CROSS_SECOND, ROTATION, SPIN, SWING = 0, 1, 2, 3, 4, 5, 6
SPRING, DAMPER, FRICTION, LIMIT_LOW, LIMIT_HIGH, VELOCITY_MOTOR, POSITION_MOTOR, DC_MOTOR, LATCH, ROTOR = range(10)

READY, HOLDS, GONE, CATCHES, DRAWS = 0, 1, 2, 3, 4


class Joints(NamedTuple):
    """Joints between two bodies; the frames coincide when all coordinates are zero, z is the axis.

    Their order is that of elimination: in every tree outer joints come before inner ones.
    """

    kind: Annotated[Array, index("n", "REVOLUTE, PRISMATIC, SPHERICAL, FIXED_JOINT, UNIVERSAL, CYLINDRICAL or ROD")]
    body: Annotated[Array, index("n 2", "parent and child")]
    anchor_a: Annotated[Array, real("n 3", "m", "in the parent's frame")]
    anchor_b: Annotated[Array, real("n 3", "m", "in the child's frame")]
    frame_a: Annotated[Array, real("n 4", "-", "joint's frame to the parent's")]
    frame_b: Annotated[Array, real("n 4", "-", "joint's frame to the child's")]
    outer: Annotated[Array, index(
        "n",
        "which of its bodies is outer in its tree; -1: it closes a loop and is solved alone",
    )]
    anvil: Annotated[Array, real(
        "n", "kg",
        "where the outer body does not move: the mass that stands for it; where a loop is closed beside ropes: one that says "
        "how stiffly",
    )]
    spring: Annotated[Array, real(
        "n", "N/m, N m/rad",
        "where the outer body does not move: how stiffly it holds, if no mass stands for it; a ROD's gap has it too",
    )]
    rod: Annotated[Array, index("n", "of a ROD, its number among the rods")]
    first_coordinate: Annotated[Array, index("n", "number of its first coordinate")]
    coordinates: Annotated[Array, index("n", "how many coordinates it has")]


class Coordinates(NamedTuple):
    """What joints leave free."""

    joint: Annotated[Array, index("n", "the joint it belongs to")]
    kind: Annotated[Array, index("n", "TRAVEL, ANGLE, CROSS_FIRST, CROSS_SECOND, ROTATION, SPIN or SWING")]
    axis: Annotated[Array, index("n", "for ROTATION and SPIN: which axis of the joint's frame")]


class CoordinateState(NamedTuple):
    """Where the coordinates are."""

    value: Annotated[Array, real("n", "rad or m", "unwrapped over many turns")]
    rate: Annotated[Array, real("n", "rad/s or m/s", "at the end of the last substep")]


class Drives(NamedTuple):
    """Springs, dampers, dry friction, limits, motors and latches on coordinates; each is one row."""

    coordinate: Annotated[Array, index("n", "what it acts on")]
    law: Annotated[Array, index("n", "SPRING, DAMPER, FRICTION, LIMIT_LOW, LIMIT_HIGH, a motor, its ROTOR, or LATCH")]
    stiffness: Annotated[Array, real("n", "N m/rad or N/m", "")]
    damping: Annotated[Array, real("n", "N m s/rad or N s/m", "of a DC motor: its back-EMF")]
    rest: Annotated[Array, real("n", "rad or m", "rest, limit, or where the latch catches; of a DC motor its voltage at most")]
    max_effort: Annotated[Array, real("n", "N m or N", "dry friction, motor's limit, latch's hold")]
    max_rate: Annotated[Array, real("n", "rad/s or m/s", "motors that hold a speed or a place: the largest they drive at")]
    gain: Annotated[Array, real(
        "n", "N m/V; m or -",
        "DC motor: torque per volt; friction: share of the reaction force",
    )]
    inertia: Annotated[Array, real("n", "kg m2 or kg", "ROTOR: as the joint feels it")]


class DriveState(NamedTuple):
    """What the drives are told and what they did."""

    target: Annotated[Array, real("n", "rad, m, rad/s, m/s or V", "what a motor is told")]
    impulse: Annotated[Array, real("n", "N m s or N s", "of the last substep")]
    carried: Annotated[Array, real("n", "N m s or N s", "what of it and earlier ones has acted, see carried_impulse.py")]
    effort: Annotated[Array, real("n", "N m or N", "mean over the last step")]
    deflection: Annotated[Array, real(
        "n", "rad or m",
        "of a spring, from rest at the end of the last substep, as its impulse has it; of a latch, from its place",
    )]
    engaged: Annotated[Array, index(
        "n",
        "of a latch: READY to catch, CATCHES, DRAWS back what ran past it, HOLDS, or GONE: let go and not yet left",
    )]


class JointState(NamedTuple):
    """What the joints did."""

    impulse: Annotated[Array, real("n 6", "N s, N m s", "of their rows in the last substep, to close at its end")]
    relaxed: Annotated[Array, real("n 6", "N s, N m s", "likewise, to bring the velocities in line there")]
    force: Annotated[Array, real("n 3", "N", "on the child, mean over the last step, world frame")]
    torque: Annotated[Array, real("n 3", "N m", "on the child about the anchor, likewise")]
    own: Annotated[Array, real("n 6", "N", "of a rod: that force along axes of its left and right body, which turn meanwhile")]
    carried: Annotated[Array, real("n 12", "N s, N m s", "what of forces, torques and those has acted, see carried_impulse.py")]
