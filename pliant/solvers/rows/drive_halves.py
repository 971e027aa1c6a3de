"""Drives in two halves, before the move and after it: what they push in each, and the work of both.

Equation: equations/rigid/drive_in_halves.py.
"""

from ..._jit import kernel
from ...couple.ports import push_row, row_speed
from ...equations.rigid.drive_in_halves import share_of_law, work_of_halves
from ...model.joints import CATCHES, DAMPER, DRAWS, FRICTION, HOLDS, LATCH, ROTOR
from ...model.rows import BEGAN, DONE, GAMMA, HALFWAY, HIGH, LOW, MET_AT, SET_OUT, STRAYS
from .drive import is_limit, is_motor, within_law


@kernel
def note_starts(drivetrain, joints, motion, islands, i, halves):
    """Where driven coordinates are when a substep starts, and how fast they go; of those that do not push in `halves`, as their
    rates say. Writes: drivetrain.lean, .law"""
    law, lean = drivetrain.law.table, drivetrain.lean.table
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drivetrain.drives.coordinate[k]
        lean[c, SET_OUT], lean[c, MET_AT], lean[c, STRAYS] = drivetrain.place.value[c], drivetrain.place.rate[c], 0.0
        law[k, HALFWAY], law[k, DONE], law[k, BEGAN] = 0.0, 0.0, drivetrain.place.rate[c]
    if halves:
        note_speeds(drivetrain, joints, motion, islands, i)


@kernel
def note_speeds(drivetrain, joints, motion, islands, i):
    """How fast driven coordinates go before drives push. Writes: drivetrain.lean"""
    last = -1
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        c = drivetrain.drives.coordinate[islands.drive[m]]
        if c != last:  # drives of a coordinate follow each other
            drivetrain.lean.table[c, MET_AT] = coordinate_speed(drivetrain, joints, motion, c)
            last = c


@kernel
def coordinate_speed(drivetrain, joints, motion, c):
    """Rate of coordinate `c` now [m/s or rad/s]."""
    j = drivetrain.coordinates.joint[c]
    return row_speed(drivetrain.rows, c, motion, joints.body[j, 0], joints.body[j, 1])


@kernel
def note_halfway(drivetrain, joints, motion, islands, i):
    """What drives have pushed before the move, and done. Writes: drivetrain.law"""
    law, lean, last, before, now = drivetrain.law.table, drivetrain.lean.table, -1, 0.0, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c, pushed = drivetrain.drives.coordinate[k], drivetrain.state.impulse[k]
        if c != last:
            before, now, last = lean[c, MET_AT], coordinate_speed(drivetrain, joints, motion, c), c
        law[k, HALFWAY], law[k, BEGAN] = pushed, before
        law[k, DONE] = 0.5 * pushed * (before + now)


@kernel
def work_of_drive(drivetrain, k, after):
    """Work [J] of drive `k` in a substep that has ended `after` which its coordinate goes so fast: its impulses before the move
    and after it, each by the mean of the speeds that it finds and leaves, which is what they change kinetic energies by."""
    law, c = drivetrain.law.table, drivetrain.drives.coordinate[k]
    return law[k, DONE] + 0.5 * (drivetrain.state.impulse[k] - law[k, HALFWAY]) * (drivetrain.lean.table[c, MET_AT] + after)


@kernel
def work_in_halves(drivetrain, k, way, after):
    """Work [J] of drive `k` in a substep of two halves that has ended `after` which its coordinate goes so fast, and gone its
    `way` at this speed. Equation: equations/rigid/drive_in_halves.py."""
    first = drivetrain.law.table[k, HALFWAY]
    return work_of_halves(first, drivetrain.state.impulse[k] - first, way, after - drivetrain.law.table[k, BEGAN])


@kernel
def drive_work(joints, drivetrain, motion, islands, i):
    """Work [J] of all drives of an island in a substep, by how they change kinetic energies."""
    work, last, after = 0.0, -1, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drivetrain.drives.coordinate[k]
        if c != last:
            after, last = coordinate_speed(drivetrain, joints, motion, c), c
        work += work_of_drive(drivetrain, k, after)
    return work


@kernel
def braked_at_once(drivetrain, islands, i):
    """Impulses of drives but for limits that brake their coordinates before the move without giving way, times what they change
    the speeds there by [J]: for an impact twice what it takes, in steady motion of second order in h."""
    law, taken = drivetrain.law.table, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        left = law[k, HALFWAY] * drivetrain.lean.table[drivetrain.drives.coordinate[k], MET_AT]
        if law[k, GAMMA] == 0.0 and not is_limit(drivetrain.drives.law[k]) and 2.0 * law[k, DONE] < left:
            taken += 2.0 * abs(left - law[k, DONE])
    return taken


@kernel
def takes_halves(drivetrain, k):
    """Whether drive `k` may push in two halves: springs store energy, and latches catch, but for those that let all pass."""
    rule, engaged = drivetrain.drives.law[k], drivetrain.state.engaged[k]
    idle = rule == LATCH and engaged != CATCHES and engaged != DRAWS and engaged != HOLDS
    return is_motor(rule) or is_limit(rule) or rule == DAMPER or rule == FRICTION or idle


@kernel
def begin_half(drivetrain, islands, i):
    """Laws for the first half of a substep, for impulses that start within it. Writes: law, impulses beyond it

    Equation: equations/rigid/drive_in_halves.py.
    """
    law, state = drivetrain.law.table, drivetrain.state
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        share_effort(drivetrain, k, 0.5)
        state.impulse[k] = within_law(law, k, state.impulse[k])


@kernel
def go_on(drivetrain, joints, motion, islands, i):
    """Laws for the whole substep after the first half; what was at a bound goes on to the same one.

    Writes: law, impulses, velocities
    """
    drives, law, state = drivetrain.drives, drivetrain.law.table, drivetrain.state
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        before, low, high = state.impulse[k], law[k, LOW], law[k, HIGH]
        share_effort(drivetrain, k, 2.0)
        if low == before or high == before:
            c = drives.coordinate[k]
            j = drivetrain.coordinates.joint[c]
            state.impulse[k] = law[k, LOW] if low == before else law[k, HIGH]
            push_row(drivetrain.rows, c, motion, joints.body[j, 0], joints.body[j, 1], state.impulse[k] - before)


@kernel
def share_effort(drivetrain, k, share):
    """Let drive `k` push with `share` times as much as its law has it. Writes: law at `k`"""
    law = drivetrain.law.table
    if drivetrain.drives.law[k] != ROTOR:
        law[k, GAMMA], law[k, LOW], law[k, HIGH] = share_of_law(law[k, GAMMA], law[k, LOW], law[k, HIGH], share)
