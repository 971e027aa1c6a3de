"""The substeps of islands with ropes: implicit, taken again in halves when joints do not close.

Where nothing touches they are integrated at second order (BDF2), else by implicit Euler. Islands without ropes are left
to substep.py: full implicitness costs a body that turns about a joint of its energy, h^2 w^2 / 2 of it in a substep at
first order. Where there are contacts the rows are swept once more at the end, for velocities alone.
"""

from .._jit import entry, kernel
from ..math.vec3 import norm
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.sets import Drivetrain, Linkage, Movers, Springwork, Touch
from ..model.shapes import Shapes
from ..solvers.rows.joint import prepare_coordinates
from .finish import finish_contacts, finish_drives, finish_joints, finish_springs
from .move import go_back, keep_start, move_contacts, push_work
from .newton import newton, order_of, remember
from .prepare import begin_island, prepare_contacts, prepare_inertia, rescale
from .sweep import has_rods, meet_contacts, sweep

FINEST = 32
"""Parts that a substep is halved into at most."""
OPEN = 1e-5
"""A substep whose joints miss more [-] is taken again in halves."""


@entry
def solve_implicit(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch,
                   shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, first: int, last: int,
                   dt: float, substeps: int, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
    """Advance islands with ropes among `first` to `last` by `dt` [s]. Writes: all states, scratch and outcome of those"""
    tick = dt / (substeps * FINEST)
    for i in range(first, last):
        if not has_rods(linkage.joints, islands, i) or islands.first_rope[i] < islands.first_rope[i + 1]:
            continue
        begin_island(linkage.state, drivetrain.state, springwork.state, islands, outcome, i)
        prepare_inertia(movers, islands, i)
        prepare_contacts(touch, contacts, shapes, movers.ports, movers.motion, islands, i)
        left, ticks = substeps * FINEST, FINEST
        while left > 0:
            h = ticks * tick
            b = order_of(movers, islands, i, h)
            keep_start(movers, islands, i)
            meet_contacts(touch, movers.motion, islands, i)
            miss = newton(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, b, iterations, tolerance,
                          gravity, drag)
            if ticks > 1 and not miss < OPEN:
                go_back(movers, islands, i)
                ticks //= 2
                rescale(linkage.state, drivetrain.state, springwork.state, touch.work, islands, i, 0.5)
                continue
            if touched(islands, i):
                move_contacts(touch, movers.motion, islands, i, h)
                sweep(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, max(1, iterations // 2),
                      tolerance, True)
            if not miss < OPEN:
                outcome.residual[i] = max(outcome.residual[i], miss / h)
            left -= ticks
            remember(movers, islands, i, h)
            place_again(movers, linkage, drivetrain, islands, i)
            before = outcome.work[i]
            finish_drives(linkage.joints, drivetrain, movers, islands, outcome, i, b * h, b * dt)
            finish_joints(linkage, drivetrain, movers, islands, outcome, i, b * dt)
            finish_springs(springwork, movers, islands, outcome, i, b * h, b * dt)
            outcome.work[i] = before + (outcome.work[i] - before) / b + push_work(movers, islands, i, h)
            finish_contacts(touch, contacts, movers, islands, outcome, i, 2.0 * dt * norm(gravity), dt, left == 0)
            outcome.substeps[i] += 1
            if ticks < FINEST and left % (2 * ticks) == 0 and left > 0:
                ticks *= 2
                rescale(linkage.state, drivetrain.state, springwork.state, touch.work, islands, i, 2.0)


@kernel
def touched(islands, i):
    """Whether an island has contacts."""
    return islands.first_contact[i] < islands.first_contact[i + 1]


@kernel
def place_again(movers, linkage, drivetrain, islands, i):
    """Coordinates of joints where the bodies have come to. Writes: drivetrain.rows, .place"""
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if linkage.joints.coordinates[j] > 0:
            prepare_coordinates(linkage.joints, j, drivetrain.coordinates, movers.ports, movers.motion, drivetrain.rows,
                                drivetrain.place)
