"""The implicit substep of an island with ropes: predict, place all rows where that leads, solve, move, until joints close.

With a number b, v+ = v' + b h M^-1 (f + J^T F) and x+ = x' + b h v+: implicit Euler has b = 1 and starts from where the
bodies are, BDF2 has b = 2/3 and starts from x' = (4 x_n - x_n-1)/3, v' = (4 v_n - v_n-1)/3. So both are one and the same
substep of length b h from another start. Rotations do the same with angular momenta, which makes the gyroscopic torque
implicit. Rows are linearised where the bodies have come to, C + J (x - x_k) with x - x_k = b h (v - v_k): Newton's method.
"""

from .._jit import kernel, merged, stage
from ..equations.rigid.tree_elimination import factor6
from ..math.vec3 import load, store
from ..model.bodies import DRIVEN, PAST_STEP
from ..model.islands import Islands, Outcome
from ..model.joints import ROD
from ..model.rows import AIM, SPUN
from ..model.sets import Linkage, Movers, Sets
from ..solvers.chain.factor import fold_rod, pull_rod
from ..solvers.chain.measure import rod_miss
from ..solvers.chain.place import let_slide, look_back, place_rod
from ..solvers.chain.solve import push_rod
from ..solvers.loop.closure import factor_loops, give_rows, given_way, loops_of, rod_rows
from ..solvers.rows.drive import look_back_rotor, prepare_drive
from ..solvers.rows.joint import answer_joint, close_joint, factor_alone, lean_on_joint, prepare_coordinates, prepare_joint
from ..solvers.rows.spring import aim_spring, length_before
from ..solvers.tree.factor import fold_joint
from ..solvers.tree.heft import ask_heft
from .hasten import hasten, note_guess
from .joints_at_once import sweep_joints
from .judge import CLOSED
from .ports import row_speed, store_at
from .predict import begin_mover, loose_speeds, move_from, predict
from .rope import forget_rope, solve_rope
from .sweep import sweep, warm_start
from .ways import is_touched

NEWTONS = 12
"""How often an implicit substep places its rows."""
EASY = 3
"""After as many it is hastened."""
SLOW = 6
"""After as many it ends if it would not arrive, going on as in the last three."""
WIDE = 0.05
"""Where links turn by more [rad], and by more each time, it runs away."""
OPEN = 1e-5
"""A substep whose joints miss more [-] is taken again in halves."""
TINY = 1e-300
"""In place of a miss of zero."""
CLOSE_TOUCHED = 1e-5
"""CLOSED where there are contacts, whose sweeps end before that and whose next substep is near."""
STILL, SHARE, LEAST = 1e-4, 1e-2, 1e-9
"""Largest turn of a link in the last of them [rad], and as a share of its turn in the substep [-]: gaps are quadratic in
turns and say too little of them, of small ones above all."""


@stage
def newton(sets: Sets, islands: Islands, outcome: Outcome, i: int, alone: bool, h: float, b: float, iterations: int,
           tolerance: float, gravity: tuple, drag: float, led: bool, out: bool) -> tuple:
    """One implicit substep, of ropes `alone` or not, of bodies that joints have `led` first (swing.py) or not; `out`
    as `predict` has it.

    Returns what joints still miss [-], and whether it was hastened.

    Writes: motion, impulses, scratch
    """
    movers, linkage, drivetrain, springwork, touch = sets
    step, miss, hastened = b * h, 1.0, False
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        if linkage.joints.kind[islands.joint[m]] == ROD:
            look_back(linkage.joints, islands.joint[m], linkage.rods.table, movers.bodies, movers.motion, movers.history.table,
                      linkage.rod_work, b)
    predict(movers, islands, i, h, b, gravity, drag, led, out)
    touched = is_touched(islands, i)
    strides, last, before, early, known = 0, 1.0, 1.0, 1.0, outcome.residual[i]
    for n in range(NEWTONS):
        earlier, early, before = early, before, miss
        outcome.residual[i] = known  # what sweeps leave counts where the bodies come to at last
        if n >= EASY:
            note_guess(movers, islands, i)
        if alone:
            turned, turning, miss = solve_rope(movers, linkage, islands, i, step)
            outcome.iterations[i] += 1
        else:
            place_rows(sets, islands, i, step, b)
            release(movers, linkage, islands, i, step)
            warm_start(linkage, drivetrain, springwork, touch, movers.motion, islands, i)
            if touched:  # else contacts would find what joints hold free, and push it less, or more, than it takes
                hold_joints(movers, linkage, islands, i)
            sweep(sets, islands, outcome, i, step, iterations, tolerance, False)
            turned, turning = move_from(movers, islands, i, step)
            miss = misses(movers, linkage, islands, i, step)
        still = touched or turned < min(STILL, SHARE * turning + LEAST)
        if (still and miss < (CLOSE_TOUCHED if touched else CLOSED)) or not miss < 1e3 * before:
            break
        strides, last = strides + 1 if turned > max(last, WIDE) else 0, turned
        arriving = miss * (miss / max(earlier, TINY)) ** ((NEWTONS - n) / 3.0)
        if not touched and (strides >= EASY or (n >= SLOW and arriving > OPEN)):
            break  # it runs away, or would not arrive: half of the substep is nearer
        if n >= EASY and not touched and n + 1 < NEWTONS:
            hasten(movers, islands, i, step, n - EASY)
            hastened = n > EASY
    if alone:
        forget_rope(movers, linkage, islands, i)
    return miss, hastened


@stage
def hold_joints(movers: Movers, linkage: Linkage, islands: Islands, i: int) -> None:
    """Let joints answer what has been pushed. Writes: as `sweep_joints`"""
    sweep_joints(linkage, movers.bodies.tree, movers.ports, movers.motion, linkage.state.impulse, islands, i, False)


@kernel
def order_of(movers, islands, i, h):
    """The number b of an island: 2/3 where all its bodies look back to a substep as long and nothing touches, else 1."""
    if is_touched(islands, i):
        return 1.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN and movers.history.table[k, PAST_STEP] != h:
            return 1.0
    return 2.0 / 3.0


@stage
def place_rows(sets: Sets, islands: Islands, i: int, step: float, b: float) -> None:
    """All rows and factors where the bodies have come to; `b` as `order_of` has it.

    Writes: movers.ports, linkage, drivetrain, springwork
    """
    movers, linkage, drivetrain, springwork = sets.movers, sets.linkage, sets.drivetrain, sets.springwork
    bodies, motion, tree, joints = movers.bodies, movers.motion, linkage.tree, linkage.joints
    rods, work = linkage.rods.table, linkage.rod_work
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        begin_mover(movers, islands.body[m], tree, step)
    tail, loops = loops_of(joints, islands, i)
    for m in range(tail, tail + loops):
        if joints.kind[islands.joint[m]] == ROD:
            place_rod(joints, islands.joint[m], rods, motion, work, step)
            pull_rod(joints, islands.joint[m], bodies, work, linkage.state.impulse, tree.body, step)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        if joints.kind[islands.joint[m]] == ROD:
            place_link(movers, linkage, islands.joint[m], step)
        else:
            place_joint(movers, linkage, drivetrain, islands.joint[m], step)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if bodies.tree[islands.body[m]] == 1:
            factor6(tree.body, islands.body[m], 6)
    factor_loops(linkage, bodies.tree, movers.ports, motion, islands, i)
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        aim_spring(springwork.springs, k, springwork.state, movers.ports, motion, springwork.rows, springwork.law, step,
                   length_before(springwork.springs, k, motion, step))
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        prepare_drive(drivetrain.drives, islands.drive[m], drivetrain.place, drivetrain.state, drivetrain.law, step)
        if b < 1.0:
            look_back_rotor(drivetrain.drives, islands.drive[m], drivetrain.state, drivetrain.law.table)


@merged
def place_link(movers, linkage, j, step):
    """Rows of the rod `j`, and its outer link folded into its inner one: all that pulls that link has been placed by then.

    Writes: linkage
    """
    joints, rods, work = linkage.joints, linkage.rods.table, linkage.rod_work
    if joints.outer[j] < 0:
        rod_rows(joints, j, rods, movers.ports, work, linkage.rows, linkage.work, step)
        return
    place_rod(joints, j, rods, movers.motion, work, step)
    pull_rod(joints, j, movers.bodies, work, linkage.state.impulse, linkage.tree.body, step)
    fold_rod(joints, j, rods, movers.ports, movers.motion, work, linkage.tree.body, step)


@merged
def place_joint(movers, linkage, drivetrain, j, step):
    """Rows of a joint that is not a rod, those of its coordinates, and its outer body folded into its inner one.

    Writes: linkage, drivetrain.rows, .lean, .place
    """
    joints, rows, work, tree = linkage.joints, linkage.rows, linkage.work, linkage.tree
    prepare_joint(joints, j, movers.motion, rows, work, step, 0.0)
    answer_joint(joints, j, movers.ports, rows, work)
    for r in range(work.count[j]):
        work.table[j, AIM + r] -= row_speed(rows, 6 * j + r, movers.motion, joints.body[j, 0], joints.body[j, 1])
    if joints.coordinates[j] > 0:
        factor_alone(rows, j, tree, work.count[j])
        place_coordinates(movers, linkage, drivetrain, j, step)
    if joints.spring[j] > 0.0 or joints.outer[j] < 0:
        give_rows(joints, j, rows, work, work.count[j], step)
    if joints.outer[j] >= 0:
        fold_joint(joints, j, movers.ports, rows, work, tree)


@kernel
def place_coordinates(movers, linkage, drivetrain, j, step):
    """Coordinates of joint `j` as they were where the substep started from. Writes: drivetrain.rows, .lean, .place"""
    joints = linkage.joints
    prepare_coordinates(joints, j, drivetrain.coordinates, movers.ports, movers.motion, drivetrain.rows, drivetrain.place, True)
    for c in range(joints.first_coordinate[j], joints.first_coordinate[j] + joints.coordinates[j]):
        speed = row_speed(drivetrain.rows, c, movers.motion, joints.body[j, 0], joints.body[j, 1])
        drivetrain.place.value[c] -= step * speed
    lean_on_joint(joints, j, linkage.rows, linkage.work, linkage.tree, drivetrain.rows, drivetrain.lean)


@merged
def release(movers, linkage, islands, i, step):
    """Velocities before any row acts, and no impulse on what a tree solves exactly. Writes: velocities, linkage.state

    Where a tree reaches what does not move a second time it knows that only as something heavy: there the impulse is
    kept, so that the weight shrinks with what is still missing.
    """
    motion = movers.motion
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN:
            store_at(linkage.tree.body, k, SPUN, load(motion.angular_velocity, k))
            ask_heft(linkage.tree.body, k)
            v, w = loose_speeds(movers, k, step)
            store(motion.velocity, k, v)
            store(motion.angular_velocity, k, w)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        leans = linkage.joints.anvil[j] > 0.0 and linkage.joints.outer[j] >= 0
        if leans and linkage.joints.kind[j] == ROD:
            let_slide(linkage.joints, j, linkage.rods.table, motion, linkage.state.impulse)
            push_rod(linkage.joints, j, linkage.rods.table, movers.ports, linkage.rod_work, linkage.state.impulse,
                     linkage.tree.body)
        for r in range(6):
            linkage.state.relaxed[j, r] = 0.0
            if not leans:
                linkage.state.impulse[j, r] = 0.0


@merged
def misses(movers, linkage, islands, i, step):
    """What the joints of trees still miss. Writes: linkage.work (scratch)"""
    joints, worst = linkage.joints, 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if joints.kind[j] == ROD:
            one = rod_miss(joints, j, linkage.rods.table, movers.motion, linkage.state.impulse, linkage.rod_work, step)
        else:
            one = close_joint(joints, j, movers.motion, linkage.work, step)
            if joints.outer[j] < 0 or joints.spring[j] > 0.0:
                one = max(0.0, one - given_way(linkage.work, linkage.state.impulse, j, step))
        if not one <= worst:
            worst = one  # also when it is not a number
    return worst
