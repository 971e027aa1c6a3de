"""What driven bodies give through all drives, joints, rods and springs of an island in a substep."""

from .._jit import kernel, stage
from ..math.mat3 import turned_vec
from ..math.vec3 import add, add_scaled, cross, dot, scale
from ..model.bodies import DRIVEN
from ..model.islands import Islands
from ..model.joints import ROD
from ..model.rods import ALONG, GAP_LAW, RATE, SOFT
from ..model.rows import HALFWAY, LEANT
from ..model.sets import Sets
from ..solvers.chain.place import aside, lever, load_mat
from ..solvers.rows.joint import total_impulse
from .given import begin_giving, give, give_row
from .ports import load_at


@stage
def note_giving(sets: Sets, islands: Islands, i: int, b: float) -> None:
    """What driven bodies give through drives, joints and springs by their impulses now, `b` as newton.py has it, 0 elsewhere.

    Writes: movers.history.given, drivetrain.lean
    """
    movers, linkage, drivetrain, springwork = sets.movers, sets.linkage, sets.drivetrain, sets.springwork
    joints, kind = linkage.joints, movers.bodies.kind
    begin_giving(movers, islands, i, b)
    sum_drives(drivetrain, islands, i, False)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drivetrain.drives.coordinate[k]
        j = drivetrain.coordinates.joint[c]
        give_row(movers, drivetrain.rows, c, drivetrain.state.impulse[k], joints.body[j, 0], joints.body[j, 1])
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        left, right = joints.body[j, 0], joints.body[j, 1]
        if not (kind[left] == DRIVEN or kind[right] == DRIVEN):
            continue
        if joints.kind[j] == ROD:
            give_rods(linkage, j, movers)
            continue
        for r in range(linkage.work.count[j]):
            impulse = total_impulse(joints, j, r, linkage.state, drivetrain.lean, 1.0, 1.0)
            give_row(movers, linkage.rows, 6 * j + r, impulse, left, right)
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        give_row(movers, springwork.rows, k, springwork.state.impulse[k], springwork.springs.body[k, 0],
                 springwork.springs.body[k, 1])


@kernel
def sum_drives(drivetrain, islands, i, late):
    """How much all drives of each coordinate lean on its joint, or how much after the move alone (`late`).

    Writes: drivetrain.lean
    """
    drives, lean = drivetrain.drives, drivetrain.lean.table
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        lean[drives.coordinate[islands.drive[m]], LEANT] = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        before = drivetrain.law.table[k, HALFWAY] if late else 0.0
        lean[drives.coordinate[k], LEANT] += drivetrain.state.impulse[k] - before


@kernel
def give_rods(linkage, j, movers):
    """What driven ends of rod `j` give. Writes: movers.history.given"""
    joints, soft = linkage.joints, linkage.rods.table[linkage.joints.rod[j], GAP_LAW] == SOFT
    force, moment = rod_push(linkage, j)
    for side in range(2):
        if movers.bodies.kind[joints.body[j, side]] == DRIVEN:
            give_rod(linkage, j, side, movers.history.given, force, moment, soft)


@kernel
def rod_push(linkage, j):
    """(force on the right link of rod `j` [N s], moment in the left one's axes [N m s])."""
    joints, state = linkage.joints, linkage.state
    force = add_scaled(load_at(state.impulse, j, 0), 1.0, load_at(state.relaxed, j, 0))
    if joints.outer[j] < 0 and linkage.rods.table[joints.rod[j], GAP_LAW] == SOFT:  # its rows lie along the gap's own axes
        rows = linkage.rows.table
        force = add(add(scale(force[0], load_at(rows, 6 * j, 0)), scale(force[1], load_at(rows, 6 * j + 1, 0))),
                    scale(force[2], load_at(rows, 6 * j + 2, 0)))
    return force, load_at(state.impulse, j, 3)


@kernel
def give_rod(linkage, j, side, given, force, moment, soft):
    """What the driven body that is the left (0) or right (1) one of rod `j` gives. Writes: given"""
    joints, work, sign = linkage.joints, linkage.rod_work, 1.0 if side == 0 else -1.0
    bending = turned_vec(load_mat(work.table, joints.rod[j], RATE), moment)
    torque = add(bending, cross(lever(joints, j, work.table, side), force))
    if soft:
        torque = add_scaled(torque, dot(load_at(work.give, joints.rod[j], ALONG), force), aside(joints, j, work.give, side))
    give(given, joints.body[j, side], scale(sign, force), scale(sign, torque))
