"""How the substeps of an island of bodies, joints, springs and contacts are taken."""

from math import inf
from typing import NamedTuple

from .._jit import kernel
from ..math.vec3 import dot, load, norm, sub
from ..model.rows import FRAME
from ..solvers.rows.contact_core import is_wheel
from ..solvers.rows.drive import is_limit
from ..solvers.rows.heavy_contacts import are_heavy
from ..solvers.rows.who_is_few import are_few, is_uneven
from .move import kinetic_of
from .ports import answers_of, load_at
from .prepare import has_joints
from .ways import is_linkage, is_rigid, is_touched

CLOSED = 1e-6
"""A joint whose gap [m or rad] is below this is closed; where something touches, `GAPING` will do, of limits too."""
SHUT = 1e-8
"""The same of loops, and of limits: what they gape costs energy, their force times the gap, with one sign in every substep."""
GAPING, LEAST = 1e-5, 1e-11
"""A substep that leaves a larger gap [m or rad] is taken again in halves; what joins heavy and light bodies may leave less, but
the second. Light ones close gaps by turning rather than by moving what is heavy, and where they lie in line that takes the
square root of a gap over their length, which aiming does not find."""
UNEVEN = 100.0
"""From such a ratio of masses on [-]."""
AIMED = 3
"""Where something touches, the main sweeps are so many times fewer than the relaxing ones: those calm a stack."""
FINEST, FINEST_TOUCHING, FINEST_UNEVEN = 32, 8, 512
"""Parts that a substep is halved into at most; of springs that touch something the second, since each costs most there; of
loops and of what joins heavy and light bodies the third: what is heavy turns light cranks through their dead points at once,
and light links under a heavy end swing as fast as it pulls."""
LAVISH, LAVISH_LOOP = 128, 32
"""So many times more substeps than asked for may be finer than `FINEST` parts; of loops, which may be jammed for good."""
TURN = 0.1
"""How far a body of a driven loop turns in a substep at most [rad]: what its motor has done swings by the square of that.
Halved where its energy asks for it, within every turn, it would not swing but drift; so it is only where that is much."""

YAWS = 1e-3
"""Wheels that turn faster about the normal [rad/s] scrub."""


class Settings(NamedTuple):
    """What a step is asked to do."""

    dt: float
    """[s]"""
    substeps: int
    iterations: int
    tolerance: float
    """Sweeps end when they change no velocity by more [m/s or rad/s]."""
    gravity: tuple
    """[m/s2] (3,), world frame."""
    drag: float
    """[1/s]"""


class Substep(NamedTuple):
    """One substep, or one try at it."""

    h: float
    """[s]"""
    energy: float
    """Kinetic and potential energy that it starts with [J]."""
    finest: bool
    """It is not halved any more, whatever comes of it."""
    longer: int
    """The next one is so many times as long."""


class Manner(NamedTuple):
    """How the substeps of one island are taken."""

    implicit: bool
    """By implicit Euler: springs or contacts are in it. Else free bodies, joints and drives: second order."""
    free: bool
    """Nothing drives it either: it keeps its energy."""
    touched: bool
    few: bool
    """Its contacts are few enough to be solved at once, or heavy."""
    heavy: bool
    """They are solved by way of the velocities of bodies: heavy and light ones rest on each other."""
    aimed: int
    """Sweeps before the move."""
    shut: float
    """Gap [m or rad] at which joints count as closed where nothing touches."""
    gaping: float
    """Gap [m or rad] at which a substep is taken again in halves."""
    wary: bool
    """What it gains is watched: joints without springs touch something."""
    uneven: bool
    """So is it, closely: heavy and light bodies without joints or springs touch, or what has joints rolls on free wheels."""
    parts: int
    """Into how many a substep may be halved."""
    driven: bool
    """Drives move joints, and nothing else does: what comes from nowhere is watched."""
    limited: bool
    """Joints have limits, to be met where the bodies come to."""
    looped: bool
    """Its joints close loops: how far bodies turn in a substep is watched too."""
    sprung: bool
    """Springs are in it."""
    alone: bool
    """Nothing else joins its bodies, but for few contacts: springs that turn may be solved to the end."""


@kernel
def manner_of(movers, linkage, drivetrain, touch, islands, i, iterations, stiff):
    """How island `i` is advanced; 1 if its springs are `stiff`."""
    implicit, free, touched = not is_rigid(drivetrain, islands, i), is_linkage(islands, i), is_touched(islands, i)
    looped = not implicit and has_loops(linkage.joints, movers.ports, islands, i)
    aimed = (iterations + AIMED - 1) // AIMED if touched else iterations
    few, heavy = are_few(movers, linkage.joints, touch.work.body, islands, i, stiff), are_heavy(movers, touch, islands, i)
    sprung = islands.first_spring[i] < islands.first_spring[i + 1]
    sprung = sprung and kinetic_of(movers, islands, i, 0.0) < inf  # what has no number is to be told, not settled
    jointed = has_joints(islands, i)
    light = lightness(movers.ports, islands, i) if jointed and not implicit else 1.0
    gaping = max(GAPING * min(1.0, UNEVEN * light), LEAST)
    shut = min(SHUT if looped else CLOSED, 0.1 * gaping)
    return Manner(implicit, free, touched, few or heavy, heavy, aimed, shut, gaping, touched and jointed and not sprung,
                  touched and not sprung and (on_free_wheels(touch.work, movers.motion, islands, i) if jointed else is_uneven(
                      movers, islands, i)),
                  FINEST_UNEVEN if looped or gaping < GAPING else FINEST_TOUCHING if touched and sprung else FINEST,
                  not (implicit or free), has_limits(drivetrain.drives, islands, i), looped, sprung,
                  sprung and not jointed and (few or not touched))


@kernel
def on_free_wheels(work, motion, islands, i):
    """Whether something of an island that nothing drives stands with its side on a face and turns there, as wheels do in
    bends: they gain a little."""
    found = False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        turns = sub(load(motion.angular_velocity, work.body[k, 1]), load(motion.angular_velocity, work.body[k, 0]))
        found |= is_wheel(work.body[k, 2]) and abs(dot(turns, load_at(work.table, k, FRAME))) > YAWS
    return found and islands.first_drive[i] == islands.first_drive[i + 1]


@kernel
def has_limits(drives, islands, i):
    """Whether joints of an island have limits."""
    found = False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        found |= is_limit(drives.law[islands.drive[m]])
    return found


@kernel
def has_loops(joints, ports, islands, i):
    """Whether joints of an island close loops, also by way of what does not move."""
    found = False
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        found |= joints.outer[j] < 0 or ports.inverse_mass[joints.body[j, joints.outer[j]]] == 0.0
    return found


@kernel
def lightness(ports, islands, i):
    """Mass of the lightest body of an island over that of the heaviest [-]."""
    least, most = answers_of(ports, islands, i)
    return least / most if most > 0.0 else 1.0


@kernel
def turned(movers, islands, i, h):
    """How far [rad] the fastest body of an island turns in `h` [s]."""
    fastest = 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        fastest = max(fastest, norm(load(movers.motion.angular_velocity, islands.body[m])))
    return fastest * h


@kernel
def first_ticks(movers, islands, i, manner, h):
    """Ticks of the first substep of a step, for substeps of `h` [s] if they may be as long."""
    ticks, angle = manner.parts, turned(movers, islands, i, h)
    while ticks > 1 and angle > TURN:
        ticks, angle = ticks // 2, 0.5 * angle
    return ticks


@kernel
def least_ticks(manner, taken, substeps):
    """Ticks of the finest substep, when so many were `taken` in a step of `substeps`: what a step costs has an end."""
    return 1 if taken < (LAVISH_LOOP if manner.looped else LAVISH) * substeps else max(manner.parts // FINEST, 1)
