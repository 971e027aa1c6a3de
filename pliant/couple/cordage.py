"""What an island does with its ropes of points and elements: begin, solve, hold, finish, each by the rope's own method."""

from math import inf

from .._jit import kernel, stage
from ..equations.rod.bend_twist_torque import torque_on_left
from ..equations.rod.darboux_vector import relative, torque
from ..math.quat import load4
from ..math.vec3 import add, add_scaled, dot, load, neg, norm, scale, sub
from ..model.bodies import DRIVEN
from ..model.islands import Islands
from ..model.point_ropes import (
    AHEAD,
    ASIDE,
    BEFORE,
    BEND,
    BENDING,
    COMPLIANT,
    DIRECTION,
    ELEMENT,
    ELEMENTS,
    IMPULSE,
    KIND,
    POINTS,
    POSITION,
    REST,
    ROW,
    STRETCHING,
)
from ..model.rows import TURNED
from ..model.sets import Cordage, Movers
from ..solvers.compliant.begin import begin_compliant
from ..solvers.compliant.solve import solve_compliant
from ..solvers.projection.begin import begin_projection
from ..solvers.projection.carrier import carried_point, clamp_frame, follow_carriers, place_carried
from ..solvers.projection.columns import load4_at
from ..solvers.projection.finish import finish_projection
from ..solvers.projection.read import note_projection
from ..solvers.projection.solve import solve_projection
from ..solvers.sweep.begin import begin_sweep
from ..solvers.sweep.finish import finish_sweep
from ..solvers.sweep.read import note_moments, note_sweep
from ..solvers.sweep.solve import solve_sweep
from .ports import load_at, store_at
from .ways import PATIENCE

HALF_TURN = 3.14
"""An element by impulses that turns further in a substep [rad] has left the steps that explicit torques allow."""


@kernel
def passes_of(ropes, bodies, islands, i, iterations, h):
    """How often the ropes of an island are passed over in a substep of `h` [s], if they do not come to rest before.

    By positions every pass stiffens a rope: there it is as often as asked.
    """
    for m in range(islands.first_rope[i], islands.first_rope[i + 1]):
        if ropes.rope[islands.rope[m], KIND] == POSITION:
            return iterations
    return PATIENCE * iterations


@kernel
def begin_ropes(cordage, movers, islands, i, h, dt, fresh):
    """Begin a substep, of a new step if `fresh`; returns the work [J] of motions against explicit torques.

    Writes: cordage, velocities and carried ends
    """
    ropes, state, motion, work = cordage.ropes, cordage.state, movers.motion, 0.0
    for m in range(islands.first_rope[i], islands.first_rope[i + 1]):
        k = islands.rope[m]
        if fresh:
            forget_means(ropes, state, k)
        if ropes.rope[k, KIND] == IMPULSE:
            place_carried(ropes, motion, k)
            follow_carriers(ropes, motion, k)
            note_moments(ropes, state, motion, k, h, dt)
            for end in range(2):
                twist = scale(h, clamp_torque(ropes, motion, k, end))
                work += hold_twist(ropes, state, movers.bodies.kind, motion, k, end, twist, dt)
            begin_sweep(ropes, state, cordage.work, movers.bodies, motion, k, h)
        elif ropes.rope[k, KIND] == COMPLIANT:
            begin_compliant(ropes, state, cordage.work, movers.bodies, motion, k, h)
        else:
            begin_projection(ropes, state, cordage.work, movers.bodies, motion, k, h)
    return work


@kernel
def forget_means(ropes, state, k):
    """Writes: state.hold, .mean of rope k"""
    for c in range(12):
        state.hold[k, c] = 0.0
    for row in range(ropes.rope[k, ROW], ropes.rope[k, ROW] + ropes.rope[k, ELEMENTS]):
        for c in range(6):
            state.mean[row, c] = 0.0


@stage
def solve_ropes(cordage: Cordage, movers: Movers, islands: Islands, i: int, h: float) -> float:
    """One pass over all ropes; returns the largest change of a velocity [m/s]. Writes: velocities, cordage"""
    ropes, state, work, bodies, motion = cordage.ropes, cordage.state, cordage.work, movers.bodies, movers.motion
    change = 0.0
    for m in range(islands.first_rope[i], islands.first_rope[i + 1]):
        k = islands.rope[m]
        if ropes.rope[k, KIND] == IMPULSE:
            change = max(change, solve_sweep(ropes, state, work, bodies, motion, k, h))
        elif ropes.rope[k, KIND] == COMPLIANT:
            change = max(change, solve_compliant(ropes, state, work, bodies, motion, k, h))
        else:
            change = max(change, solve_projection(ropes, state, work, bodies, motion, k, h))
    return change


@kernel
def finish_ropes(cordage, movers, islands, i, h, dt):
    """End a substep of a step `dt` [s] where the movers have come to.

    Writes: motion, movers.start (how elements turn), cordage.work, .state.mean
    """
    ropes, work, bodies, motion = cordage.ropes, cordage.work, movers.bodies, movers.motion
    for m in range(islands.first_rope[i], islands.first_rope[i + 1]):
        k = islands.rope[m]
        first, elements = ropes.rope[k, ELEMENT], ropes.rope[k, ELEMENTS]
        if ropes.rope[k, KIND] == IMPULSE:
            for e in range(first, first + elements):
                if not norm(load(motion.angular_velocity, e)) * h < HALF_TURN:
                    motion.angular_velocity[e, 0] = inf  # the finite check finds it
            finish_sweep(ropes, work, bodies, motion, k, h)
            note_sweep(ropes, cordage.state, k, dt)
        else:
            finish_projection(ropes, bodies, motion, k, h)
            note_projection(ropes, cordage.state, motion, k, dt)
        for e in range(first, first + elements):
            store_at(movers.start.table, e, TURNED, load(motion.angular_velocity, e))


@kernel
def hold_ropes(cordage, movers, islands, i, dt):
    """What carriers do to the ends, before the substep is finished; returns the work [J] of motions. Writes: cordage.state"""
    ropes, state, motion, kind, work = cordage.ropes, cordage.state, movers.motion, movers.bodies.kind, 0.0
    for m in range(islands.first_rope[i], islands.first_rope[i + 1]):
        k = islands.rope[m]
        for end in range(2):
            body = ropes.carrier[k, end]
            if body >= 0:
                push = end_push(ropes, state, cordage.work, k, end)
                held = add_scaled(load_at(state.hold, k, 6 * end), -1.0 / dt, push)
                store_at(state.hold, k, 6 * end, held)
                if kind[body] == DRIVEN:
                    work -= dot(push, load(motion.velocity, carried_point(ropes, k, end)))
                if ropes.rope[k, KIND] != IMPULSE:
                    work += hold_twist(ropes, state, kind, motion, k, end, clamp_twist(ropes, state, cordage.work, k, end), dt)
    return work


@kernel
def end_push(ropes, state, work, k, end):
    """Impulse [N s] of the rope on the point at an end in this substep, world axes."""
    row = ropes.rope[k, ROW] + ropes.rope[k, BEFORE] + (ropes.rope[k, POINTS] - 2 if end == 1 else 0)
    push = load_at(state.impulse, row, STRETCHING)
    if ropes.rope[k, KIND] == IMPULSE:
        x, y, p = push
        push = add(scale(p, load_at(work.row, row, DIRECTION)),
                   add(scale(x, load_at(work.row, row, ASIDE)), scale(y, load_at(work.row, row, ASIDE + 3))))
    return push if end == 1 else neg(push)


@kernel
def hold_twist(ropes, state, kind, motion, k, end, twist, dt):
    """Count the angular impulse `twist` [N m s] on the carrier of a clamp; returns a motion's work [J]. Writes: state.hold"""
    body, frame = ropes.carrier[k, end], clamp_frame(ropes, k, end)
    if body < 0 or frame < 0:
        return 0.0
    store_at(state.hold, k, 6 * end + 3, add_scaled(load_at(state.hold, k, 6 * end + 3), -1.0 / dt, twist))
    return -dot(twist, load(motion.angular_velocity, body)) if kind[body] == DRIVEN else 0.0


@kernel
def clamp_torque(ropes, motion, k, end):
    """Explicit torque [N m] on the frame of a clamp, world axes, as begin_sweep is about to apply it."""
    frame = clamp_frame(ropes, k, end)
    if frame < 0:
        return 0.0, 0.0, 0.0
    left = frame if end == 0 else frame - 1
    row = ropes.rope[k, ROW] + left - ropes.rope[k, ELEMENT]
    spin = sub(load(motion.angular_velocity, left + 1), load(motion.angular_velocity, left))
    one = torque_on_left(load4(motion.quaternion, left), load4(motion.quaternion, left + 1), spin,
                         load_at(ropes.row, row, BEND), load_at(ropes.row, row, REST), ropes.damping[k])
    return one if end == 0 else neg(one)


@kernel
def clamp_twist(ropes, state, work, k, end):
    """Angular impulse [N m s] on the frame of a clamp by all projections of this substep, world axes."""
    frame = clamp_frame(ropes, k, end)
    if frame < 0:
        return 0.0, 0.0, 0.0
    row = ropes.rope[k, ROW] + (frame if end == 0 else frame - 1) - ropes.rope[k, ELEMENT]
    twist = load_at(state.impulse, row, BENDING)
    if ropes.rope[k, KIND] == COMPLIANT:
        q = load4_at(work.row, row, AHEAD)
        twist = torque(relative(q, load4_at(work.row, row + 1, AHEAD)), q, twist)
    return neg(twist) if end == 0 else twist
