"""Drives and springs beside ropes, solved at once where sweeps take long: how each of them answers every other is asked.

Beside ropes no tree takes a drive, and a sweep knows of it only what its joint's two bodies answer. A joint at its limit that
bears another which slides with friction then takes hundreds of sweeps. So each row is pushed by what would move it by 1 m/s or
1 rad/s, all joints and loops are solved, and the speeds along all rows say what a unit of it does: the rows' system

    u = u_0 + K (lambda - lambda_0),     u + bias + gamma lambda = 0 or lambda at a bound

is small, and solved by sweeps over its numbers alone.
"""

from .._jit import kernel, stage
from ..model.islands import Islands
from ..model.joints import FRICTION, ROD
from ..model.rows import BIAS, BOUND, GAMMA, HIGH, LACKS, LOW, RELAXED, RESPONSE, SWEPT
from ..model.sets import Sets
from ..solvers.rows.drive import friction_bounds
from ..solvers.rows.few_springs import first_row
from .joints_at_once import sweep_joints
from .ports import push_row, row_speed

MOST_ROWS = 32
"""So many rows at most: asking takes as many solves of all joints."""
SWEEPS, SHARE = 2000, 1e-3
"""Of the small system, at most, and the share of the tolerance [-] at which they end."""
FOLLOWINGS = 12
"""How often that is done, at most, while friction follows the reactions that it changes."""
TRIED = LACKS - 1
"""Column of impulses, beside what rows lack."""


@kernel
def may_settle(joints, islands, i):
    """Whether an island has ropes beside springs or drives, few enough, and touches nothing."""
    count = rows_of(islands, i)
    if count == 0 or count > MOST_ROWS or islands.first_contact[i] < islands.first_contact[i + 1]:
        return False
    found = False
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        found |= joints.kind[islands.joint[m]] == ROD
    return found


@kernel
def rows_of(islands, i):
    """Rows of springs and drives of an island."""
    return islands.first_spring[i + 1] - islands.first_spring[i] + islands.first_drive[i + 1] - islands.first_drive[i]


@stage
def settle_drives(sets: Sets, islands: Islands, i: int, h: float, tolerance: float, relaxed: bool) -> None:
    """Solve the springs and drives of an island at once. Writes: impulses, velocities, scratch"""
    movers, linkage, drivetrain, springwork, touch = sets
    matrix, top, count, motion = touch.few.matrix, first_row(islands, i), rows_of(islands, i), movers.motion
    impulse = linkage.state.relaxed if relaxed else linkage.state.impulse
    at = RELAXED if relaxed else BIAS
    for p in range(count):
        rows, r, _, k, held, a, b = row_at(linkage, drivetrain, springwork, islands, i, p)
        matrix[top + p, LACKS], matrix[top + p, TRIED] = row_speed(rows, r, motion, a, b), held[k]
    for q in range(count):
        rows, r, law, k, held, a, b = row_at(linkage, drivetrain, springwork, islands, i, q)
        push = 1.0 / rows.table[r, RESPONSE] if law.table[k, BOUND] == SWEPT and rows.table[r, RESPONSE] > 0.0 else 0.0
        if push > 0.0:
            held[k] += push
            push_row(rows, r, motion, a, b, push)
            sweep_joints(linkage, movers.bodies.tree, movers.ports, motion, impulse, islands, i, relaxed)
        for p in range(count):
            rows, r, _, _, _, a, b = row_at(linkage, drivetrain, springwork, islands, i, p)
            speed = row_speed(rows, r, motion, a, b)
            matrix[top + p, q] = (speed - matrix[top + p, LACKS]) / push if push > 0.0 else 0.0
            matrix[top + p, LACKS] = speed
    for _ in range(FOLLOWINGS):
        find(linkage, drivetrain, springwork, touch, islands, i, at, SHARE * tolerance)
        for p in range(count):
            rows, r, _, k, held, a, b = row_at(linkage, drivetrain, springwork, islands, i, p)
            push_row(rows, r, motion, a, b, matrix[top + p, TRIED] - held[k])
            held[k] = matrix[top + p, TRIED]
        sweep_joints(linkage, movers.bodies.tree, movers.ports, motion, impulse, islands, i, relaxed)
        if follow_reactions(linkage, drivetrain, islands, i, h, relaxed) < tolerance:
            break
        for p in range(count):
            rows, r, _, _, _, a, b = row_at(linkage, drivetrain, springwork, islands, i, p)
            matrix[top + p, LACKS] = row_speed(rows, r, motion, a, b)


@kernel
def follow_reactions(linkage, drivetrain, islands, i, h, relaxed):
    """Bounds of friction that follows the reaction of its joint; returns the largest change of one, times what its row answers
    [m/s or rad/s]. Writes: drivetrain.law"""
    drives, law, largest = drivetrain.drives, drivetrain.law.table, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if drives.law[k] == FRICTION and drives.gain[k] > 0.0 and law[k, BOUND] == SWEPT:
            c, before = drives.coordinate[k], law[k, HIGH]
            friction_bounds(drivetrain, k, linkage.joints, drivetrain.coordinates.joint[c], linkage.state, islands, i, h,
                            relaxed, 1.0)
            largest = max(largest, abs(law[k, HIGH] - before) * drivetrain.rows.table[c, RESPONSE])
    return largest


@kernel
def find(linkage, drivetrain, springwork, touch, islands, i, at, close):
    """Impulses of the small system, from those that rows had, to `close` [m/s or rad/s]. Writes: touch.few.matrix"""
    matrix, top, count = touch.few.matrix, first_row(islands, i), rows_of(islands, i)
    for p in range(count):
        _, _, _, k, held, _, _ = row_at(linkage, drivetrain, springwork, islands, i, p)
        move(matrix, top, count, p, matrix[top + p, TRIED] - held[k])
    for _ in range(SWEEPS):
        change = 0.0
        for p in range(count):
            _, _, law, k, _, _, _ = row_at(linkage, drivetrain, springwork, islands, i, p)
            own = matrix[top + p, p]
            if own > 0.0:
                gamma, tried = law.table[k, GAMMA], matrix[top + p, TRIED]
                new = tried - (matrix[top + p, LACKS] + law.table[k, at] + gamma * tried) / (own + gamma)
                new = min(max(new, law.table[k, LOW]), law.table[k, HIGH])
                move(matrix, top, count, p, new - tried)
                matrix[top + p, TRIED] = new
                change = max(change, abs(new - tried) * own)
        if change < close:
            break


@kernel
def move(matrix, top, count, p, change):
    """Speeds along all rows when the impulse of row `p` changes. Writes: matrix"""
    for q in range(count):
        matrix[top + q, LACKS] += matrix[top + q, p] * change


@kernel
def row_at(linkage, drivetrain, springwork, islands, i, q):
    """(rows, number in them, law, number in it, impulses, bodies a and b) of row `q` of an island: springs, then drives."""
    springs = islands.first_spring[i + 1] - islands.first_spring[i]
    if q < springs:
        k, body = islands.spring[islands.first_spring[i] + q], springwork.springs.body
        return springwork.rows, k, springwork.law, k, springwork.state.impulse, body[k, 0], body[k, 1]
    k, body = islands.drive[islands.first_drive[i] + q - springs], linkage.joints.body
    c = drivetrain.drives.coordinate[k]
    j = drivetrain.coordinates.joint[c]
    return drivetrain.rows, c, drivetrain.law, k, drivetrain.state.impulse, body[j, 0], body[j, 1]
