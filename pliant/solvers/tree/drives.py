"""Drives solved with the tree of their joint: one row a coordinate for all of its drives that are between their bounds.

Equation: equations/rigid/shared_row.py. A drive at a bound pushes with that; after each solve of the trees the drives are
checked, and those that would pass a bound or leave it change sides, for which the trees are factored anew.
"""

from ..._jit import kernel
from ...couple.ports import push_row, row_speed
from ...equations.rigid.shared_row import conductance, shared_bias, shared_gamma
from ...model.joints import FRICTION
from ...model.rows import (
    AIM,
    BIAS,
    BOUND,
    BOUNDED,
    DRAWN,
    GAMMA,
    GIVES,
    HELD,
    HIGH,
    INSIDE,
    KNOWN,
    LOW,
    RELAXED,
    RESPONSE,
    RIGID,
    SPEED,
    STIFF,
    SWEPT,
)
from ..rows.drive import friction_bounds, part_pair
from ..rows.row import solve_row


@kernel
def enter_drives(drivetrain, linkage, islands, i):
    """Let trees take the drives that may be solved with them; returns whether their factors are others than before.

    Writes: drivetrain.law, .lean
    """
    drives, law, lean, impulse = drivetrain.drives, drivetrain.law.table, drivetrain.lean.table, drivetrain.state.impulse
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        lean[drives.coordinate[islands.drive[m]], RIGID] = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drives.coordinate[k]
        if has_room(linkage.joints, linkage.work, drivetrain.coordinates.joint[c]):
            law[k, BOUND] = BOUNDED
            if law[k, LOW] < impulse[k] < law[k, HIGH]:
                take(law, lean, k, c)
    return add_up(drives, law, lean, islands, i)


@kernel
def has_room(joints, work, j):
    """Whether the tree of joint `j` can take all its coordinates: it has six rows, and bodies that it knows as they are."""
    return joints.outer[j] >= 0 and joints.anvil[j] + joints.spring[j] == 0.0 and work.count[j] + joints.coordinates[j] <= 6


@kernel
def take(law, lean, k, c):
    """Let the tree solve drive `k` on coordinate `c`; of rigid ones only one. Writes: law at `k`, lean at `c`"""
    if law[k, GAMMA] == 0.0:
        if lean[c, RIGID] > 0.0:
            return
        lean[c, RIGID] = k + 1.0
    law[k, BOUND] = INSIDE


@kernel
def displace(law, lean, impulse, k, c, at):
    """Where a tree solves another rigid drive on coordinate `c` than `k`, let one of the two go to its bound and the other bear
    the rest, as the motor that drives into a limit gives way to that. Speeds stay as they are.

    Returns whether one has. Writes: law, lean, impulse
    """
    other = int(lean[c, RIGID]) - 1
    if law[k, GAMMA] > 0.0 or other < 0:
        return False
    gone = part_pair(law, impulse, k, other, at)
    if gone == other:
        law[other, BOUND], lean[c, RIGID] = BOUNDED, 0.0
    return gone >= 0


@kernel
def add_up(drives, law, lean, islands, i):
    """What the drives on each coordinate are together; returns whether that is new to the factors. Writes: lean"""
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        c = drives.coordinate[islands.drive[m]]
        lean[c, STIFF] = 0.0
        lean[c, RIGID] = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drives.coordinate[k]
        if law[k, BOUND] == INSIDE:
            if law[k, GAMMA] == 0.0:
                lean[c, RIGID] = k + 1.0
            else:
                lean[c, STIFF] += conductance(law[k, GAMMA])
    changed = False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        c = drives.coordinate[islands.drive[m]]
        now = -1.0 if lean[c, RIGID] > 0.0 else lean[c, STIFF]
        changed |= lean[c, KNOWN] != now
        lean[c, KNOWN] = now
    return changed


@kernel
def let_go(drivetrain, islands, i):
    """Take no drive into a tree. Writes: drivetrain.lean"""
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        drivetrain.lean.table[drivetrain.drives.coordinate[islands.drive[m]], KNOWN] = 0.0


@kernel
def add_rows(joints, j, coordinate_rows, lean, rows, work):
    """Rows of the driven coordinates of joint `j`, after its rigid ones. Writes: rows, work at `j`"""
    r = work.count[j]
    for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
        if lean.table[c, KNOWN] != 0.0:
            for e in range(RESPONSE + 1):
                rows.table[6 * j + r, e] = coordinate_rows.table[c, e]
            work.table[j, GIVES + r] = shared_gamma(lean.table[c, KNOWN])
            r += 1
    work.taken[j] = r


@kernel
def aim_drives(linkage, drivetrain, islands, i, relaxed):
    """What the rows of coordinates lack beside their speed. Writes: linkage.work, drivetrain.lean"""
    drives, law, lean, state = drivetrain.drives, drivetrain.law.table, drivetrain.lean.table, drivetrain.state
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        c = drives.coordinate[islands.drive[m]]
        lean[c, DRAWN] = 0.0
        lean[c, HELD] = 0.0
    at = RELAXED if relaxed else BIAS
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if law[k, BOUND] == INSIDE:
            c = drives.coordinate[k]
            lean[c, HELD] += state.impulse[k]
            if law[k, GAMMA] > 0.0:
                lean[c, DRAWN] += law[k, at] * conductance(law[k, GAMMA])
    joints, work = linkage.joints, linkage.work
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        r = work.count[j]
        if work.taken[j] > r:
            for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
                if lean[c, KNOWN] != 0.0:
                    work.table[j, AIM + r] = bias_of(law, lean, c, at) + work.table[j, GIVES + r] * lean[c, HELD]
                    r += 1


@kernel
def bias_of(law, lean, c, at):
    """Bias of all drives on coordinate `c` together [m/s or rad/s]."""
    rigid = int(lean[c, RIGID])
    return law[rigid - 1, at] if rigid > 0 else shared_bias(lean[c, STIFF], lean[c, DRAWN])


@kernel
def share_drives(linkage, drivetrain, motion, impulse, islands, i, relaxed):
    """Share what the trees found for coordinates among their drives, which lean on the joint's rigid rows; note speeds.

    Writes: impulse, linkage.work, drivetrain.state.impulse, .lean
    """
    drives, law, lean, state = drivetrain.drives, drivetrain.law.table, drivetrain.lean.table, drivetrain.state
    joints, work = linkage.joints, linkage.work
    at = RELAXED if relaxed else BIAS
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        r, count = work.count[j], work.count[j]
        for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
            lean[c, SPEED] = row_speed(drivetrain.rows, c, motion, joints.body[j, 0], joints.body[j, 1])
            if r < work.taken[j] and lean[c, KNOWN] != 0.0:
                p = impulse[j, r]
                impulse[j, r] = 0.0
                lean[c, HELD] += p
                work.table[j, AIM + r] += work.table[j, GIVES + r] * p
                for s in range(count):
                    impulse[j, s] -= p * lean[c, s]
                r += 1
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        if law[k, BOUND] == INSIDE:
            c = drives.coordinate[k]
            against = bias_of(law, lean, c, at) + shared_gamma(lean[c, KNOWN]) * lean[c, HELD]
            if law[k, GAMMA] == 0.0:
                state.impulse[k] = lean[c, HELD] - (against * lean[c, STIFF] - lean[c, DRAWN])
            else:
                state.impulse[k] = (against - law[k, at]) * conductance(law[k, GAMMA])


@kernel
def check_drives(drivetrain, joints, joint_state, motion, islands, i, h, tolerance, open_to, relaxed, follow):
    """Hold drives to their bounds; those of friction `follow` the reaction of its joint, by this share of how it changed.

    Returns the largest |d lambda| response, whether trees have to aim anew, and whether they have to be factored anew. Drives
    that leave a bound are taken into the tree if it is `open_to` them. Writes: impulses, velocities, law, lean
    """
    drives, law, state, rows = drivetrain.drives, drivetrain.law, drivetrain.state, drivetrain.rows
    table, lean, largest, moved, stale = law.table, drivetrain.lean.table, 0.0, False, False
    at = RELAXED if relaxed else BIAS
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drives.coordinate[k]
        gain = drives.gain[k] if follow > 0.0 else 0.0
        if table[k, BOUND] == SWEPT or rests(table, k, state.impulse[k], lean[c, SPEED], gain, at):
            continue
        j = drivetrain.coordinates.joint[c]
        a, b = joints.body[j, 0], joints.body[j, 1]
        if follow > 0.0 and drives.law[k] == FRICTION and drives.gain[k] > 0.0:
            held, upper = state.impulse[k], state.impulse[k] == table[k, HIGH]
            slips = table[k, BOUND] == BOUNDED and rests(table, k, held, lean[c, SPEED], 0.0, at)
            friction_bounds(drivetrain, k, joints, j, joint_state, islands, i, h, relaxed, follow)
            if slips:  # on at its new bound: alone its row would stop, which does not know of its joints
                state.impulse[k] = table[k, HIGH] if upper else table[k, LOW]
                push_row(rows, c, motion, a, b, state.impulse[k] - held)
                largest = max(largest, abs(state.impulse[k] - held) * rows.table[c, RESPONSE])
                continue
        if table[k, BOUND] == INSIDE:
            extra = min(max(state.impulse[k], table[k, LOW]), table[k, HIGH]) - state.impulse[k]
            change = abs(extra) * rows.table[c, RESPONSE]
            if extra != 0.0:
                state.impulse[k] += extra
                push_row(rows, c, motion, a, b, extra)
                stale = True
            if change > tolerance:
                table[k, BOUND] = BOUNDED
                moved = True
        else:
            change = solve_row(rows, c, law, k, state.impulse, motion, a, b, relaxed)
            if change > tolerance and open_to and table[k, LOW] < state.impulse[k] < table[k, HIGH]:
                stale |= displace(table, lean, state.impulse, k, c, at)
                take(table, lean, k, c)
                moved |= table[k, BOUND] == INSIDE
        largest = max(largest, change)
    if moved:  # what they hold together is another, also where that is as rigid as before
        stale, moved = True, add_up(drives, table, lean, islands, i)
    return largest, stale, moved


@kernel
def rests(law, k, impulse, speed, gain, at):
    """Whether drive `k` stays as it is at the speed noted: between its bounds, or pressed against one that stays."""
    if law[k, BOUND] == INSIDE:
        return gain == 0.0 and law[k, LOW] <= impulse <= law[k, HIGH]
    missing = -(speed + law[k, at] + law[k, GAMMA] * impulse)
    return gain == 0.0 and ((missing <= 0.0 and impulse == law[k, LOW]) or (missing >= 0.0 and impulse == law[k, HIGH]))
