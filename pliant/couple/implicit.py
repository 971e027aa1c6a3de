"""The substeps of islands with ropes: implicit, taken again in halves when joints do not close.

Where nothing touches they are integrated at second order (BDF2), else by implicit Euler. Islands without ropes are left
to substep.py: full implicitness costs a body that turns about a joint of its energy, h^2 w^2 / 2 of it in a substep at
first order. Where there are contacts the rows are swept once more at the end, for velocities alone.
"""

from math import inf

from .._jit import entry, kernel, merged
from ..math.vec3 import norm, store
from ..model.bodies import DRIVEN, LOST, PAST_STEP
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.joints import ROD
from ..model.sets import Sets
from ..model.shapes import Shapes
from ..solvers.rows.few_ropes import has_rods
from ..solvers.rows.joint import joint_width, prepare_coordinates
from ..solvers.rows.who_is_few import are_few_beside_ropes
from .finish import finish_contacts, finish_rows
from .given import jolted_work, note_borne
from .judge import FORGET, HALVE, KEEP, STOP, judge, slow_down
from .move import go_back, keep_start, move_contacts, push_along, steer
from .newton import OPEN, newton, order_of
from .predict import remember
from .prepare import doubled, enter_island, halved
from .rope import is_rope
from .sweep import meet_contacts, sweep
from .ways import is_touched

FINEST = 256
"""Parts that a substep is halved into at most."""
LAME = 2
"""The same after one whose joints did not close even so: ropes that are pulled further than they are long cannot follow."""
TORN = 0.01
"""One that cannot be halved any more, and whose joints miss by more [-], is stopped; by less, it is slowed down."""
AIMED = 3
"""Where something touches, the sweeps of a Newton step are so many times fewer than those at the end, which decide on
velocities: by two and six of them friction that slides is true to 3e-6 of itself, by six and three to 6e-4."""


@entry
def solve_implicit(sets: Sets, shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, first: int, last: int,
                   dt: float, substeps: int, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
    """Advance islands with ropes among `first` to `last` by `dt` [s]. Writes: all states, scratch and outcome of those"""
    movers, linkage, touch = sets.movers, sets.linkage, sets.touch
    tick, grazing = dt / (substeps * FINEST), 2.0 * dt * norm(gravity)
    for i in range(first, last):
        outcome.stopped[i] = 0
        if not has_rods(linkage.joints, islands, i) or islands.first_rope[i] < islands.first_rope[i + 1]:
            continue
        enter_island(sets, shapes, contacts, islands, outcome, i)
        left, ticks, alone = substeps * FINEST, FINEST, is_rope(movers.bodies, linkage.joints, islands, i)
        few = are_few_beside_ropes(movers, linkage.joints, touch.work.body, islands, i)
        aimed = (iterations + AIMED - 1) // AIMED if is_touched(islands, i) else iterations
        while left > 0:
            h = ticks * tick
            steer(movers, islands, i, dt - left * tick + 0.5 * h)
            b = order_of(movers, islands, i, h)
            keep_start(movers, islands, i)
            meet_contacts(touch, movers.ports, movers.motion, islands, i, h, few, False, False)
            miss, hastened = newton(sets, islands, outcome, i, alone, h, b, aimed, tolerance, gravity, drag, False, False)
            finest = ticks == 1 or (ticks <= FINEST // LAME and is_lost(movers, islands, i))
            verdict = judge(sets, islands, i, b, h, gravity, miss < OPEN, finest, hastened)
            if verdict == HALVE:
                ticks = halved(sets, islands, i, ticks)
                continue
            if verdict == FORGET:
                go_back(movers, islands, i)
                remember(movers, islands, i, 0.0)
                continue
            left -= ticks
            arrive(sets, islands, outcome, i, verdict, miss, h, b, dt, iterations, tolerance, gravity, few)
            finish_contacts(touch, contacts, movers, islands, outcome, i, grazing, dt, left == 0, 1.0, False, gravity, inf)
            outcome.substeps[i] += 1
            if ticks < FINEST and left % (2 * ticks) == 0 and left > 0:
                ticks = doubled(sets, islands, i, ticks)


@merged
def arrive(sets, islands, outcome, i, verdict, miss, h, b, dt, iterations, tolerance, gravity, few):
    """End a substep that is not taken again: stop what runs away, sweep contacts for velocities, note what rows have done.

    Writes: motion, impulses, scratch, outcome
    """
    movers, linkage, drivetrain, touch = sets.movers, sets.linkage, sets.drivetrain, sets.touch
    if verdict == STOP and not (miss < TORN and slow_down(sets, islands, i, gravity, h)):
        stop(movers, linkage, islands, i)
        outcome.stopped[i] = 1
    if is_touched(islands, i):
        move_contacts(touch, movers.motion, islands, i, h, few)
        sweep(sets, islands, outcome, i, h, iterations, tolerance, True)
    if not miss < OPEN:
        outcome.residual[i] = max(outcome.residual[i], miss / h)
    place_again(movers, linkage, drivetrain, islands, i)
    note_gaps(movers, linkage, islands, outcome, i)
    jerk, jerked = jolted_work(movers, islands, i, h if verdict != STOP else 0.0, b)
    finish_rows(sets, islands, outcome, i, b * h, dt, b, False)
    outcome.work[i] += jerk
    if verdict == KEEP and not jerked:
        outcome.work[i] += note_borne(movers, islands, i, h)
    remember(movers, islands, i, LOST if not miss < OPEN else h if verdict == KEEP else 0.0)
    outcome.work[i] += push_along(movers, islands, i, h)


@kernel
def is_lost(movers, islands, i):
    """Whether joints of the island did not close in its last substep, which could not be halved any more."""
    lost = False
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        lost |= movers.history.table[islands.body[m], PAST_STEP] == LOST
    return lost


@kernel
def stop(movers, linkage, islands, i):
    """Leave an island where the substep started, at rest: of all that can be done the one thing that adds no energy.

    Writes: motion, impulses of joints
    """
    go_back(movers, islands, i)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN:
            store(movers.motion.velocity, k, (0.0, 0.0, 0.0))
            store(movers.motion.angular_velocity, k, (0.0, 0.0, 0.0))
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        for r in range(6):
            linkage.state.impulse[islands.joint[m], r] = 0.0


@kernel
def place_again(movers, linkage, drivetrain, islands, i):
    """Coordinates of joints where the bodies have come to. Writes: drivetrain.rows, .place"""
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if linkage.joints.coordinates[j] > 0:
            prepare_coordinates(linkage.joints, j, drivetrain.coordinates, movers.ports, movers.motion, drivetrain.rows,
                                drivetrain.place, False)


@kernel
def note_gaps(movers, linkage, islands, outcome, i):
    """How far joints gape where the bodies have come to. Writes: outcome.drift"""
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        if linkage.joints.kind[islands.joint[m]] != ROD:
            outcome.drift[i] = max(outcome.drift[i], joint_width(linkage.joints, islands.joint[m], movers.motion))
