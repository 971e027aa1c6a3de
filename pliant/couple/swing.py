"""Where joints alone lead the bodies that soft things hang on, at second order: SHAKE and RATTLE, before all else pulls them.

Implicit Euler, which soft things need, has joints and weight act along directions of where a substep ends: a share w^2 h^2 of
what swings at w is lost in each. So joints and forces from outside first take the bodies through the substep h by themselves,

    c = v0 + h/2 a + M^-1 J(x0)^T l,   C(x0 + h c) = 0        u = c + M^-1 J(x)^T m,   J(x) u = 0,   x = x0 + h c

a of weight, and free rotation in place of c where bodies turn. What soft things, drives and contacts do comes on top, by
implicit Euler from there: bodies set out with c, and reach c + d; they have u + d at the end, and then take the second half of
what acts from outside, h/2 a within the directions of joints, which ties, drives and contacts answer as they stand. Without
these d is 0, and a linkage goes as it would without soft things; momentum is kept throughout. What they hold still would begin
to move by the second half, h/2 a; there all of h a acts before (`freedom`), and velocities are those of half a substep ago.

Source: [Andersen1983] RATTLE
Check: tests/soft/test_swinging_machines.py
"""

from math import inf, nan

from .._jit import entry, kernel, stage
from ..equations.rigid.tree_elimination import factor6
from ..math.quat import conj, load4, qmul, to_rotation_vector
from ..math.sym3 import load6, sym_mul
from ..math.vec3 import add, add_scaled, dot, load, scale, store, sub
from ..model.bodies import DRIVEN, PAST_SPIN, PAST_STEP, PAST_VELOCITY, TURNS
from ..model.islands import Islands
from ..model.joints import FRICTION, ROD
from ..model.rows import CAME_HOME, FIRST_WAY, LATE, QUATERNION, SPIN_RATE, SWUNG, TURNED, VELOCITY
from ..model.sets import Linkage, Movers, Sets
from ..solvers.rows.drive import is_motor
from ..solvers.rows.joint import prepare_joint
from ..solvers.tree.factor import begin_body, fold_joint
from .joints_at_once import sweep_joints
from .move import energy_of, go_back, has_driven, keep_start, kick, kinetic_of, move, push_work, row4, steer
from .ports import load_at, store_at
from .predict import momentum_of
from .prepare import aim_again, prepare_inertia

CLOSED, CLOSINGS = 1e-9, 10
"""Joints whose gap [m or rad] is below the first are closed; how often they are aimed at."""
STRAYED = 1e-2
"""Joints alone that change the kinetic energy by more [-] in a substep swing too fast for it."""
HELD, FREE = 0.25, 0.75
"""Bodies that follow a smaller share of what joints leave of forces from outside [-] are held, a larger one free."""
FLEET = 100.0
"""What has more than so many times the kinetic energy [-] that these forces alone give it in a substep is free whatever it
follows: half of them more or less is a twentieth of its speed at most, and where a pendulum is lowest they vanish."""


@entry
def lead_bodies(sets: Sets, islands: Islands, i: int, h: float, step: int, gravity: tuple, drag: float) -> tuple:
    """Where joints alone lead the bodies of an island in substep number `step` of `h` [s].

    Returns by how much [s] velocities are those of before its end, no number where bodies are to be led by implicit Euler; the
    energy [J] that they gain by going so, as second order does back and forth; and the power [W] of what pushes from outside.

    Writes: movers.start, linkage.work, scratch; velocities of driven bodies
    """
    movers, linkage = sets.movers, sets.linkage
    if not can_swing(sets, islands, i):
        return nan, 0.0, 0.0
    steer(movers, islands, i, (step + 0.5) * h)
    keep_start(movers, islands, i)
    power = given_power(movers, islands, i, gravity)
    before, low = energy_of(movers, islands, i, gravity), kinetic_of(movers, islands, i, 0.0)
    place_joints(movers, linkage, islands, i, h, 1.0)
    late = 0.5 * freedom(movers, linkage, islands, i, h, gravity, drag)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        for r in range(6):
            linkage.state.impulse[islands.joint[m], r] = 0.0
    kick(movers, islands, i, gravity, drag, (1.0 - late) * h)
    gap = inf
    for _ in range(CLOSINGS):
        project(movers, linkage, islands, i, False)
        move(movers, islands, i, h)
        last, gap = gap, aim_again(linkage.joints, linkage.work, movers.motion, islands, i, h)
        if gap < CLOSED or not gap < last:
            break
    note_way(movers, islands, i, h)
    place_joints(movers, linkage, islands, i, h, 0.0)
    project(movers, linkage, islands, i, True)
    note_home(movers, islands, i)
    kick(movers, islands, i, gravity, drag, late * h)
    project(movers, linkage, islands, i, True)
    note_late(movers, islands, i)
    keep_impulses(linkage, islands, i)
    kinetic, done = kinetic_of(movers, islands, i, 0.0), push_work(movers, islands, i, h)
    gain = 0.0 if has_driven(movers, islands, i) else energy_of(movers, islands, i, gravity) - before - done
    most = STRAYED * kinetic + (1.0 - 2.0 * late) * abs(kinetic - low)
    go_back(movers, islands, i)
    prepare_inertia(movers, islands, i)
    lag = (0.5 - late) * h if gap < CLOSED and abs(gain) <= most else nan
    return lag, gain if lag == 0.0 else 0.0, power


@kernel
def can_swing(sets, islands, i):
    """Whether all joints of an island are those of trees, without ropes and what gives way, no motor drives them, and nothing
    asks for their reaction or pushes from outside as bodies turn.

    Joints would lead driven arms as if they were free, and motors take that back where the substep ends: with wrong efforts.
    """
    joints, drives, can = sets.linkage.joints, sets.drivetrain.drives, islands.first_spring[i] == islands.first_spring[i + 1]
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        can &= joints.kind[j] != ROD and joints.outer[j] >= 0 and joints.anvil[j] == 0.0 and joints.spring[j] == 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        law = drives.law[islands.drive[m]]
        can &= not is_motor(law) and (law != FRICTION or drives.gain[islands.drive[m]] == 0.0)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        can &= sets.movers.push.turning[islands.body[m], TURNS] == 0.0
    return can


@stage
def freedom(movers: Movers, linkage: Linkage, islands: Islands, i: int, h: float, gravity: tuple, drag: float) -> float:
    """Of what joints leave of the forces from outside, the share [-] that bodies followed in the substep before, as HELD
    and FREE have it: 1 where little else pushes, 0 where something holds them, or nobody knows.

    Writes: velocities and back, impulses
    """
    motion, start, past = movers.motion, movers.start.table, movers.history.table
    project(movers, linkage, islands, i, True)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        store_at(start, islands.body[m], LATE, load(motion.velocity, islands.body[m]))
        store_at(start, islands.body[m], LATE + 3, load(motion.angular_velocity, islands.body[m]))
    kick(movers, islands, i, gravity, drag, h)
    project(movers, linkage, islands, i, True)
    along, whole, known = 0.0, 0.0, True
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if is_led(movers.bodies, k):
            known &= past[k, PAST_STEP] == h
            push = scale(movers.bodies.mass[k], sub(load(motion.velocity, k), load_at(start, k, LATE)))
            twist = sub(load(motion.angular_velocity, k), load_at(start, k, LATE + 3))
            twist = momentum_of(movers.bodies, k, load4(motion.quaternion, k), twist)
            along += dot(push, sub(load_at(start, k, VELOCITY), load_at(past, k, PAST_VELOCITY)))
            along += dot(twist, sub(load_at(start, k, SPIN_RATE), load_at(past, k, PAST_SPIN)))
            whole += dot(push, sub(load(motion.velocity, k), load_at(start, k, LATE)))
            whole += dot(twist, sub(load(motion.angular_velocity, k), load_at(start, k, LATE + 3)))
    go_back(movers, islands, i)
    if not FLEET * whole > 2.0 * kinetic_of(movers, islands, i, 0.0):
        return 1.0
    return min(max((along / whole - HELD) / (FREE - HELD), 0.0), 1.0) if known and whole > 0.0 else 0.0


@stage
def place_joints(movers: Movers, linkage: Linkage, islands: Islands, i: int, h: float, curved: float) -> None:
    """Rows and factors where bodies are; `curved` as prepare_joint has it. Writes: movers.ports, linkage"""
    bodies, joints, tree = movers.bodies, linkage.joints, linkage.tree
    prepare_inertia(movers, islands, i)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if bodies.tree[islands.body[m]] >= 0:
            begin_body(bodies, islands.body[m], movers.motion, tree)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        prepare_joint(joints, j, movers.motion, linkage.rows, linkage.work, h, curved)
        fold_joint(joints, j, movers.ports, linkage.rows, linkage.work, tree)
        for r in range(6):
            linkage.state.relaxed[j, r] = 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if bodies.tree[islands.body[m]] == 1:
            factor6(tree.body, islands.body[m], 6)


@stage
def project(movers: Movers, linkage: Linkage, islands: Islands, i: int, relaxed: bool) -> None:
    """Velocities that close joints at the end of the substep, or `relaxed` keep them closed. Writes: as `sweep_joints`"""
    impulse = linkage.state.relaxed if relaxed else linkage.state.impulse
    sweep_joints(linkage, movers.bodies.tree, movers.ports, movers.motion, impulse, islands, i, relaxed)


@kernel
def note_way(movers, islands, i, h):
    """The way c of a substep of `h` [s], and the turn and angular momentum along it.

    Writes: movers.start, angular velocities
    """
    motion, start = movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        q = load4(motion.quaternion, k)
        turned = scale(1.0 / h, to_rotation_vector(qmul(q, conj(row4(start, k, QUATERNION)))))
        store_at(start, k, FIRST_WAY, load(motion.velocity, k))
        store_at(start, k, FIRST_WAY + 3, turned)
        store_at(start, k, FIRST_WAY + 6, momentum_of(movers.bodies, k, q, turned))
        store(motion.angular_velocity, k, load_at(start, k, TURNED))


@kernel
def note_home(movers, islands, i):
    """By what velocities and angular momenta at the end are larger than along the way. Writes: movers.start"""
    motion, start = movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        v, w = load(motion.velocity, k), load(motion.angular_velocity, k)
        store_at(start, k, CAME_HOME, sub(v, load_at(start, k, FIRST_WAY)))
        spin = momentum_of(movers.bodies, k, load4(motion.quaternion, k), w)
        store_at(start, k, CAME_HOME + 3, sub(spin, load_at(start, k, FIRST_WAY + 6)))
        store_at(start, k, LATE, v)
        store_at(start, k, LATE + 3, w)


@kernel
def note_late(movers, islands, i):
    """What the second half of forces from outside gives. Writes: movers.start"""
    motion, start = movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store_at(start, k, LATE, sub(load(motion.velocity, k), load_at(start, k, LATE)))
        store_at(start, k, LATE + 3, sub(load(motion.angular_velocity, k), load_at(start, k, LATE + 3)))


@kernel
def keep_impulses(linkage, islands, i):
    """Of joints by that, for their reactions. Writes: linkage.work"""
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        for r in range(6):
            linkage.work.table[j, SWUNG + r] = linkage.state.impulse[j, r] + linkage.state.relaxed[j, r]


@kernel
def given_power(movers, islands, i, gravity):
    """Of forces from outside on bodies that joints lead [W]."""
    power, motion, push = 0.0, movers.motion, movers.push
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if is_led(movers.bodies, k):
            force = add_scaled(load(push.force, k), movers.bodies.mass[k], gravity)
            power += dot(force, load(motion.velocity, k)) + dot(load(push.torque, k), load(motion.angular_velocity, k))
    return power


@kernel
def is_led(bodies, k):
    """Whether body `k` is led by its joints."""
    return bodies.tree[k] >= 0 and bodies.kind[k] != DRIVEN


@kernel
def push_late(movers, islands, i):
    """The second half of what acts from outside, where bodies have come to. Writes: velocities"""
    motion, start = movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if is_led(movers.bodies, k):
            store(motion.velocity, k, add(load(motion.velocity, k), load_at(start, k, LATE)))
            store(motion.angular_velocity, k, add(load(motion.angular_velocity, k), load_at(start, k, LATE + 3)))


@entry
def come_home(movers: Movers, islands: Islands, i: int, gravity: tuple) -> float:
    """Velocities as they are at the end of the substep, not along its way; returns `given_power` there.

    Writes: velocities, ports
    """
    motion, start = movers.motion, movers.start.table
    prepare_inertia(movers, islands, i)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if is_led(movers.bodies, k):
            turn = sym_mul(load6(movers.ports.inverse_inertia, k), load_at(start, k, CAME_HOME + 3))
            store(motion.velocity, k, add(load(motion.velocity, k), load_at(start, k, CAME_HOME)))
            store(motion.angular_velocity, k, add(load(motion.angular_velocity, k), turn))
    return given_power(movers, islands, i, gravity)


@kernel
def add_impulses(linkage, islands, i):
    """Of joints before all else pulled. Writes: linkage.state.impulse"""
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        for r in range(6):
            linkage.state.impulse[islands.joint[m], r] += linkage.work.table[islands.joint[m], SWUNG + r]
