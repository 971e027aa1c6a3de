"""What joints bear where bodies were slowed or stood by no row's impulse: what was done to them is added, leaves to root.

A substep that cannot be solved, or has gained energy, is given other velocities than its rows have made. Something has to have
held the bodies: it is read as if their joints did, so that all forces that are read still add up to how momenta change. A joint
bears what all bodies beyond it lack,

    P = sum m (v - u)        L = sum I (w - s) + r x m (v - u)        u, s: as the rows' impulses alone would have it

and what the root of a tree that hangs on nothing lacks, no joint bears.
"""

from .._jit import kernel, stage
from ..math.quat import load4, rotate, unrotate
from ..math.vec3 import add, add_scaled, cross, load, mul, scale, store, sub
from ..model.bodies import DYNAMIC
from ..model.islands import Islands
from ..model.rows import FREE, GOES, PUSH, VELOCITY
from ..model.sets import Sets
from ..solvers.rows.contact_end import sum_contact
from .course import load_velocities, note_velocities
from .move import kick
from .ports import load_at, store_at
from .prepare import lay_anew
from .sweep import warm_start, warm_start_joints


@stage
def bear(sets: Sets, islands: Islands, i: int, h: float, dt: float, gravity: tuple, drag: float, stands: bool,
         times: int) -> None:
    """Let joints bear, in the mean over `dt` [s], what a substep `h` [s] has done to bodies of an island by no impulse: it has
    slowed them since `note_given`, or they stand where it began, for so many `times` of it, as contacts then bear.

    Writes: linkage.state.force, .torque; if they stand, as `lay_anew`, and touch.work
    """
    movers, linkage, drivetrain, springwork, touch = sets
    for m in range(islands.first_contact[i], islands.first_contact[i + 1] if stands else 0):
        sum_contact(islands.contact[m], touch.work, times - 1.0)
    if stands:
        lay_anew(sets, islands, i, h)
        load_velocities(movers, islands, i, VELOCITY)
        kick(movers, islands, i, gravity, drag, h)
        warm_start(linkage, drivetrain, springwork, touch, movers.motion, islands, i)
        warm_start_joints(linkage.joints, linkage.state.relaxed, linkage.rows, linkage.work, movers.motion, islands, i)
        note_velocities(movers, islands, i, FREE)
        load_velocities(movers, islands, i, GOES)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        lack(movers, islands.body[m], linkage.tree.body)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if linkage.joints.outer[j] >= 0:
            hand_on(movers, linkage, j, dt)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        for c in range(6):
            linkage.tree.body[islands.body[m], PUSH + c] = 0.0


@kernel
def lack(movers, k, table):
    """What body `k` lacks [N s, N m s], about its centre. Writes: table"""
    bodies, motion, start, zero = movers.bodies, movers.motion, movers.start.table, (0.0, 0.0, 0.0)
    push, twist = zero, zero
    if bodies.kind[k] == DYNAMIC:
        push = scale(bodies.mass[k], sub(load(motion.velocity, k), load_at(start, k, FREE)))
        q, turned = load4(motion.quaternion, k), sub(load(motion.angular_velocity, k), load_at(start, k, FREE + 3))
        twist = rotate(q, mul(load(bodies.inertia, k), unrotate(q, turned)))
    store_at(table, k, PUSH, push)
    store_at(table, k, PUSH + 3, twist)


@kernel
def hand_on(movers, linkage, j, dt):
    """Let joint `j` bear what its outer body lacks, with all beyond, and its inner one lack it.

    Writes: linkage.state.force, .torque, .tree
    """
    joints, state, table, motion = linkage.joints, linkage.state, linkage.tree.body, movers.motion
    side = joints.outer[j]
    b, a, child = joints.body[j, side], joints.body[j, 1 - side], joints.body[j, 1]
    push, twist = load_at(table, b, PUSH), load_at(table, b, PUSH + 3)
    anchor = add(load(motion.position, child), rotate(load4(motion.quaternion, child), load(joints.anchor_b, j)))
    around = add(twist, cross(sub(load(motion.position, b), anchor), push))
    sign = 1.0 if side == 1 else -1.0
    store(state.force, j, add_scaled(load(state.force, j), sign / dt, push))
    store(state.torque, j, add_scaled(load(state.torque, j), sign / dt, around))
    around = add(twist, cross(sub(load(motion.position, b), load(motion.position, a)), push))
    if movers.bodies.kind[a] == DYNAMIC:
        store_at(table, a, PUSH, add(load_at(table, a, PUSH), push))
        store_at(table, a, PUSH + 3, add(load_at(table, a, PUSH + 3), around))
