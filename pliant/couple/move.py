"""How the bodies of an island move in a substep: by forces from outside, by their velocities, and back to the start."""

from math import pi

from .._jit import kernel, stage
from ..equations.rigid.free_rotation import turn
from ..equations.rigid.levered_push import torque_of, turned_levers
from ..math.quat import conj, load4, qmul, rotate, store4, to_rotation_vector, unrotate
from ..math.sym3 import load6, sym_mul
from ..math.vec3 import add, add_scaled, dot, load, mul, norm, scale, store, sub
from ..model.bodies import DRIVEN, HASTENED, LEVERED, OWN, STEERED, TURNS, Motion
from ..model.islands import Islands
from ..model.rows import AHEAD, CLOCK, POSITION, QUATERNION, SPIN_RATE, TURNED, VELOCITY
from ..model.sets import Touch
from ..model.soft_things import VERTEX
from ..solvers.rows.contact import CREEP_BACK, push_of
from ..solvers.rows.contact_course import STILL, advance_contact, answer_anew, stray, take_to_the_end
from ..solvers.rows.contact_end import lifted_by
from .ports import load_at, store_at


@kernel
def keep_start(movers, islands, i):
    """Writes: movers.start"""
    motion, start = movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        for c in range(3):
            start[k, POSITION + c] = motion.position[k, c]
            start[k, VELOCITY + c] = motion.velocity[k, c]
            start[k, SPIN_RATE + c] = motion.angular_velocity[k, c]
            start[k, TURNED + c] = motion.angular_velocity[k, c]
        for c in range(4):
            start[k, QUATERNION + c] = motion.quaternion[k, c]


@kernel
def go_back(movers, islands, i):
    """Writes: motion"""
    motion, start = movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        for c in range(3):
            motion.position[k, c] = start[k, POSITION + c]
            motion.velocity[k, c] = start[k, VELOCITY + c]
            motion.angular_velocity[k, c] = start[k, SPIN_RATE + c]
        for c in range(4):
            motion.quaternion[k, c] = start[k, QUATERNION + c]


@kernel
def turn_back(movers, islands, i):
    """Turn bodies as they were when the substep began, which is where their rows lie: trees that are factored anew with other
    drives take inertias from there. Writes: motion.quaternion"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store4(movers.motion.quaternion, k, row4(movers.start.table, k, QUATERNION))


@kernel
def steer(movers, islands, i, time):
    """Velocities of driven bodies at `time` [s] of the step: in the middle of a substep those that lead to its end.

    Writes: velocities
    """
    given = movers.history.given
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] == DRIVEN and movers.bodies.link[k] != VERTEX:
            store(movers.motion.velocity, k, add_scaled(load_at(given, k, STEERED), time, load_at(given, k, HASTENED)))
            store(movers.motion.angular_velocity, k,
                  add_scaled(load_at(given, k, STEERED + 3), time, load_at(given, k, HASTENED + 3)))


@kernel
def kick(movers, islands, i, gravity, drag, h):
    """Velocities under the forces from outside, for `h` [s]. Writes: velocities"""
    bodies, motion, push = movers.bodies, movers.motion, movers.push
    keep = 1.0 / (1.0 + h * drag)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if bodies.kind[k] == DRIVEN:
            continue
        v, w = load(motion.velocity, k), load(motion.angular_velocity, k)
        force, torque = push_on(push, k, load4(motion.quaternion, k))
        shove = scale(h * bodies.inverse_mass[k], force)
        twist = scale(h, sym_mul(load6(movers.ports.inverse_inertia, k), torque))
        fall = h if bodies.inverse_mass[k] > 0.0 else 0.0  # elements of ropes, carried points: held by what they belong to
        store(motion.velocity, k, add_scaled(add(scale(keep, v), shove), fall, gravity))
        store(motion.angular_velocity, k, add(scale(keep, w), twist))


@kernel
def push_on(push, k, q):
    """(force [N], torque [N m]) from outside on body `k` turned by `q`, world frame."""
    force, torque, turning = load(push.force, k), load(push.torque, k), push.turning
    if turning[k, TURNS] > 0.0:
        force = add(force, rotate(q, load_at(turning, k, OWN)))
        torque = add(add(torque, rotate(q, load_at(turning, k, OWN + 3))), torque_of(turned_levers(q, levers(turning, k))))
    return force, torque


@kernel
def levers(turning, k):
    """Q of body `k`, three rows [N m]."""
    return load_at(turning, k, LEVERED), load_at(turning, k, LEVERED + 3), load_at(turning, k, LEVERED + 6)


@kernel
def push_work(movers, islands, i, h):
    """Work [J] of pushes through a substep of `h` [s]: force times the way, torque times how fast `move` turned at both ends.

    Speeds at both ends of the substep do not tell it where something stops a body.
    """
    motion, push, start, work = movers.motion, movers.push, movers.start.table, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if not pushed(push, k):
            continue
        q, before = load4(motion.quaternion, k), row4(start, k, QUATERNION)
        (force, torque), (first, second) = push_on(push, k, q), push_on(push, k, before)
        work += 0.5 * dot(add(force, first), sub(load(motion.position, k), load_at(start, k, POSITION)))
        if q[0] != before[0] or q[1] != before[1] or q[2] != before[2] or q[3] != before[3]:  # else it was put back
            w = load_at(start, k, TURNED)
            work += 0.5 * h * (dot(torque, w) + dot(second, speed_before(w, q, before, load(movers.bodies.inertia, k))))
    return work


@kernel
def speed_before(w, q, before, inertia):
    """Angular velocity [rad/s] of what has turned freely to `q` and there turns by `w`, as it did `before`."""
    if inertia[0] * inertia[1] * inertia[2] == 0.0:
        return w
    x, y, z = unrotate(before, rotate(q, mul(inertia, unrotate(q, w))))
    return rotate(before, (x / inertia[0], y / inertia[1], z / inertia[2]))


@kernel
def push_along(movers, islands, i, h):
    """The same through an implicit substep, which turns by one velocity: torque, as it is at both ends, times the turn."""
    motion, push, start, work = movers.motion, movers.push, movers.start.table, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if not pushed(push, k):
            continue
        q, before = load4(motion.quaternion, k), row4(start, k, QUATERNION)
        (force, torque), (first, second) = push_on(push, k, q), push_on(push, k, before)
        way = sub(load(motion.position, k), load_at(start, k, POSITION))
        spin = scale(0.5 * h, add(load_at(start, k, SPIN_RATE), load(motion.angular_velocity, k)))
        turned = whole_turn(to_rotation_vector(qmul(q, conj(before))), spin)
        work += 0.5 * (dot(add(force, first), way) + dot(add(torque, second), turned))
    return work


@kernel
def whole_turn(short, about):
    """The rotation vector [rad] of a turn, `short` of full turns, that is nearest to `about`."""
    angle = norm(short)
    axis = scale(1.0 / max(angle, 1e-300), short)
    if angle < 1e-9:
        axis = scale(1.0 / max(norm(about), 1e-300), about)
    turns = (dot(about, axis) - angle + pi) // (2.0 * pi)
    return add_scaled(short, 2.0 * pi * turns, axis)


@kernel
def row4(table, k, c):
    """Four numbers from column `c` on."""
    return table[k, c], table[k, c + 1], table[k, c + 2], table[k, c + 3]


@kernel
def pushed(push, k):
    """Whether anything pushes body `k` from outside."""
    found = push.turning[k, TURNS] > 0.0
    for c in range(3):
        found |= push.force[k, c] != 0.0 or push.torque[k, c] != 0.0
    return found


@kernel
def kinetic_of(movers, islands, i, floor):
    """Kinetic energy [J] of an island, and `floor` [J/kg] for each kilogram."""
    bodies, motion, energy = movers.bodies, movers.motion, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        v, spin = load(motion.velocity, k), unrotate(load4(motion.quaternion, k), load(motion.angular_velocity, k))
        energy += bodies.mass[k] * (0.5 * dot(v, v) + floor) + 0.5 * dot(spin, mul(load(bodies.inertia, k), spin))
    return energy


@kernel
def has_driven(movers, islands, i):
    """Whether a body of an island is moved from outside."""
    found = False
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        found |= movers.bodies.kind[islands.body[m]] == DRIVEN
    return found


@kernel
def energy_of(movers, islands, i, gravity):
    """Kinetic and gravity's energy [J] of an island."""
    energy = kinetic_of(movers, islands, i, 0.0)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        energy -= movers.bodies.mass[k] * dot(gravity, load(movers.motion.position, k))
    return energy


@kernel
def raised(movers, islands, i, gravity):
    """Energy [J] of gravity that an island has gained since its substep began."""
    energy, start = 0.0, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        energy -= movers.bodies.mass[k] * dot(gravity, sub(load(movers.motion.position, k), load_at(start, k, POSITION)))
    return energy


@kernel
def move(movers, islands, i, h):
    """From the start, positions by velocities and orientations by free rotation.

    Writes: motion.position, .quaternion, movers.start (how they turn)
    """
    bodies, motion, start = movers.bodies, movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(motion.position, k, add_scaled(load_at(start, k, POSITION), h, load(motion.velocity, k)))
        before = (start[k, QUATERNION], start[k, QUATERNION + 1], start[k, QUATERNION + 2], start[k, QUATERNION + 3])
        q, w = turn(before, load(motion.angular_velocity, k), load(bodies.inertia, k),
                    load(bodies.inverse_inertia, k), h)
        store4(motion.quaternion, k, q)
        store_at(start, k, TURNED, w)


@kernel
def move_contacts(touch, motion, islands, i, h, few):
    """Writes: touch.work"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        advance_contact(islands.contact[m], motion, touch.work, h, few)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1] if few else 0):
        if touch.work.course[islands.contact[m], AHEAD] > 0.0:
            stray(islands.contact[m], motion, touch.work, h)


@kernel
def turn_contacts(touch, ports, motion, islands, i):
    """Writes: touch.work"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        take_to_the_end(islands.contact[m], ports, motion, touch.work)


@kernel
def has_turned(motion, islands, i, span):
    """Whether a body of an island turns by more than STILL [rad] in a `span` [s]."""
    fastest = 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        w = load(motion.angular_velocity, islands.body[m])
        fastest = max(fastest, dot(w, w))
    return fastest * span * span >= STILL * STILL


@kernel
def answer_contacts(touch, movers, islands, i, loose):
    """Let contacts be answered as bodies have turned since the step began, if any has, and those that meet `loose` ones, on no
    joints, where these have come to. Writes: touch.work, velocities"""
    first, last = islands.first_contact[i], islands.first_contact[i + 1]
    if first == last:
        return
    turned = has_turned(movers.motion, islands, i, touch.work.table[islands.contact[first], CLOCK])
    if not (turned or loose):
        return
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        answer_anew(islands.contact[m], movers.ports, movers.motion, movers.start.table, touch.work, loose)


@stage
def lift_work(touch: Touch, motion: Motion, islands: Islands, i: int, h: float) -> float:
    """Work [J] that contacts do in a substep by pushing penetrations out and taking creep back, before `move_contacts`.

    No more than all of them do together: what they give each other comes from nowhere else.
    """
    work, whole, push = 0.0, 0.0, push_of(h, False)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        lifted, done = lifted_by(islands.contact[m], motion, touch.work, h, push, CREEP_BACK / h)
        work += lifted
        whole += done
    return min(work, max(whole, 0.0))
