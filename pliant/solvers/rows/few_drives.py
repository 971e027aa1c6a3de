"""Bounded drives beside few contacts, met together with them.

While a tree holds a drive, what is pressed on it answers as if that never gave way: contacts then bear whatever stops them, the
drive is found beyond its bound, gives way, and contacts that now meet no resistance push it back within: links that motors fold
on each other would go round in that circle, and be shot apart. So where drives have changed sides, all bounded ones leave the
trees, and are rows of one system with the contacts (few_newton.py).

Equation: equations/rigid/boxed_residual.py
"""

from math import inf

from ..._jit import kernel
from ...couple.ports import load_at, push_row, row_speed
from ...equations.rigid.boxed_residual import boxed_residual, is_inside
from ...math.vec3 import neg
from ...model.rows import (
    ARM_A,
    ARM_B,
    BIAS,
    BOUND,
    BOUNDED,
    DRIVE,
    GAMMA,
    HIGH,
    LOW,
    RELAXED,
    RESPONSE,
    ROW_BEST,
    ROW_HIGH,
    ROW_LOW,
    ROW_OF,
    ROW_OFF,
    ROW_OWN,
    ROW_PLACE,
    ROW_STEP,
    ROW_SWAYED,
    ROW_TRIAL,
    ROW_U,
    ROW_YIELDS,
    SWEPT,
)
from ..tree.answers import enter_tree
from ..tree.drives import add_up
from .contact_pair import in_tree
from .few_springs import contact_rows, first_row

ALIKE = 1e-9
"""How much rows yield, in shares of what they answer [-]: two that hold one coordinate share what they hold."""

HELD_FAST = 1e-9
"""A drive whose coordinate a motor without bound holds answers itself by rounding alone, less than this share of what the
bodies would [-]; it keeps what it has."""

AT_BOUND = 1e-9
"""What would change a speed by less [m/s or rad/s] does not keep a drive from its bound."""


@kernel
def list_bounded(drivetrain, joints, touch, islands, i):
    """List drives that have a bound; returns how many these are, with those that trees have no room for.

    Writes: touch.few.drives
    """
    law, rows, count = drivetrain.law.table, touch.few.drives, 0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if is_bounded(drivetrain, joints, k):
            r = islands.first_drive[i] + count
            rows[r, DRIVE], rows[r, ROW_LOW], rows[r, ROW_HIGH], rows[r, ROW_OF] = k, law[k, LOW], law[k, HIGH], m
            count += 1
    return count


@kernel
def let_out(drivetrain, touch, islands, i, count):
    """Let trees hold none of the `count` drives that were listed. Writes: drivetrain.law, .lean"""
    law = drivetrain.law.table
    for r in range(islands.first_drive[i], islands.first_drive[i] + count):
        k = int(touch.few.drives[r, DRIVE])
        law[k, BOUND] = SWEPT if law[k, BOUND] == SWEPT else BOUNDED
    add_up(drivetrain.drives, law, drivetrain.lean.table, islands, i)


@kernel
def is_bounded(drivetrain, joints, k):
    """Whether drive `k` is met together with contacts: it has a bound, and a tree holds it; or none has room for it, as for
    what brakes the spin of a ball beside limits of its swing; or its joint closes a loop."""
    law, j = drivetrain.law.table, drivetrain.coordinates.joint[drivetrain.drives.coordinate[k]]
    if law[k, BOUND] != SWEPT:
        return law[k, LOW] > -inf or law[k, HIGH] < inf
    return joints.outer[j] < 0 or joints.anvil[j] + joints.spring[j] == 0.0


@kernel
def bodies_of(drivetrain, joints, k):
    """Row of drive `k`, and the bodies that it pushes."""
    c = drivetrain.drives.coordinate[k]
    j = drivetrain.coordinates.joint[c]
    return c, joints.body[j, 0], joints.body[j, 1]


@kernel
def enter_bounded(drivetrain, joints, touch, part, ports, islands, i, count):
    """Let `count` drives climb the trees as contacts do. Writes: touch.few"""
    table, matrix, size = drivetrain.rows.table, touch.few.matrix, contact_rows(islands, i)
    top = first_row(islands, i)
    for p in range(count):
        c, a, b = bodies_of(drivetrain, joints, int(touch.few.drives[islands.first_drive[i] + p, DRIVE]))
        n, arm_a, arm_b = load_at(table, c, 0), load_at(table, c, ARM_A), load_at(table, c, ARM_B)
        enter_tree(touch.few.climbers, top + size + p, 0, a if in_tree(part, ports, a) else -1, (*neg(n), *neg(arm_a)))
        enter_tree(touch.few.climbers, top + size + p, 1, b if in_tree(part, ports, b) else -1, (*n, *arm_b))
        for q in range(size + count):
            matrix[top + size + p, q] = 0.0
            matrix[top + q, size + p] = 0.0


@kernel
def begin_bounded(drivetrain, joints, touch, motion, islands, i, count, relaxed):
    """Speeds as drives ask for them. Writes: touch.few.drives"""
    law, rows, size, top = drivetrain.law.table, touch.few.drives, contact_rows(islands, i), first_row(islands, i)
    for p in range(count):
        r = islands.first_drive[i] + p
        k = int(rows[r, DRIVE])
        c, a, b = bodies_of(drivetrain, joints, k)
        own = touch.few.matrix[top + size + p, size + p] + law[k, GAMMA]
        if own <= HELD_FAST * drivetrain.rows.table[c, RESPONSE]:  # nothing that it pushes can give way to it
            own = drivetrain.rows.table[c, RESPONSE]
            rows[r, ROW_LOW] = rows[r, ROW_HIGH] = drivetrain.state.impulse[k]
        rows[r, ROW_YIELDS] = law[k, GAMMA] + ALIKE * own
        rows[r, ROW_OWN] = (1.0 + ALIKE) * own
        rows[r, ROW_TRIAL] = drivetrain.state.impulse[k]
        rows[r, ROW_U] = row_speed(drivetrain.rows, c, motion, a, b) + law[k, RELAXED if relaxed else BIAS] + (
            rows[r, ROW_YIELDS] * rows[r, ROW_TRIAL])
        rows[r, ROW_STEP] = rows[r, ROW_SWAYED] = 0.0


@kernel
def measure_bounded(rows, first, count, length):
    """(sum of the squares of F, its largest entry) after `length` of a step. Writes: rows"""
    total, largest = 0.0, 0.0
    for r in range(first, first + count):
        u, x = rows[r, ROW_U] + length * rows[r, ROW_SWAYED], rows[r, ROW_TRIAL] + length * rows[r, ROW_STEP]
        off = boxed_residual(rows[r, ROW_OWN], rows[r, ROW_LOW], rows[r, ROW_HIGH], u, x)
        rows[r, ROW_OFF] = off
        total += off * off
        largest = max(largest, abs(off))
    return total, largest


@kernel
def place_bounded(rows, first, count, place):
    """Places from `place` on for drives inside their bounds; the others go to theirs. Returns the next place. Writes: rows"""
    for r in range(first, first + count):
        rows[r, ROW_STEP], rows[r, ROW_PLACE] = 0.0, -1.0
        if is_inside(rows[r, ROW_OWN], rows[r, ROW_LOW], rows[r, ROW_HIGH], rows[r, ROW_U], rows[r, ROW_TRIAL]):
            rows[r, ROW_PLACE] = place
            place += 1
        else:
            rows[r, ROW_STEP] = -rows[r, ROW_OFF] / rows[r, ROW_OWN]
    return place


@kernel
def keep_best_bounded(rows, first, count):
    """Writes: rows"""
    for r in range(first, first + count):
        rows[r, ROW_BEST] = rows[r, ROW_TRIAL]


@kernel
def go_bounded(rows, first, count, length):
    """Writes: rows"""
    for r in range(first, first + count):
        rows[r, ROW_TRIAL] += length * rows[r, ROW_STEP]
        rows[r, ROW_U] += length * rows[r, ROW_SWAYED]
        rows[r, ROW_STEP] = rows[r, ROW_SWAYED] = 0.0


@kernel
def push_bounded(drivetrain, joints, touch, motion, islands, i, count):
    """Push the bodies from the impulses that drives had to the best ones. Writes: drivetrain.state.impulse, velocities"""
    rows = touch.few.drives
    for r in range(islands.first_drive[i], islands.first_drive[i] + count):
        k = int(rows[r, DRIVE])
        c, a, b = bodies_of(drivetrain, joints, k)
        new, near = rows[r, ROW_BEST], AT_BOUND / rows[r, ROW_OWN]
        if new < rows[r, ROW_LOW] + near:
            new = rows[r, ROW_LOW]
        elif new > rows[r, ROW_HIGH] - near:
            new = rows[r, ROW_HIGH]
        push_row(drivetrain.rows, c, motion, a, b, new - drivetrain.state.impulse[k])
        drivetrain.state.impulse[k] = new
