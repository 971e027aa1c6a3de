"""Steps of one rope of points and elements alone, by the passes that worlds make, with what couple/ does around them."""

from pliant._jit import entry, kernel
from pliant.math.quat import from_rotation_vector, load4, qmul, qnormalize, rotate, store4, unrotate
from pliant.math.vec3 import add_at, add_scaled, load, mul, scale, store
from pliant.model.bodies import Bodies, Motion, Push
from pliant.model.point_ropes import (
    ELEMENT,
    ELEMENTS,
    IMPULSE,
    KIND,
    POINT,
    POINTS,
    POSITION,
    PointRopes,
    PointRopeState,
    PointRopeWork,
)
from pliant.solvers.compliant.begin import begin_compliant
from pliant.solvers.compliant.solve import solve_compliant
from pliant.solvers.projection.begin import begin_projection
from pliant.solvers.projection.finish import finish_projection
from pliant.solvers.projection.read import note_projection
from pliant.solvers.projection.solve import solve_projection
from pliant.solvers.sweep.begin import begin_sweep
from pliant.solvers.sweep.finish import finish_sweep
from pliant.solvers.sweep.read import note_moments, note_sweep
from pliant.solvers.sweep.solve import solve_sweep


@entry
def advance(ropes: PointRopes, state: PointRopeState, work: PointRopeWork, bodies: Bodies, motion: Motion, push: Push, k: int,
            gravity: tuple, drag: float, h: float, steps: int, passes: int, tolerance: float) -> int:
    """`steps` of `h` [s], each of at most `passes`, fewer once no velocity changes by more than `tolerance` [m/s].

    Returns all passes made. Writes: motion, state, work of rope k
    """
    made, kind = 0, ropes.rope[k, KIND]
    for _ in range(steps):
        kick_alone(ropes, bodies, motion, push, k, gravity, drag, h)
        if kind == IMPULSE:
            begin_sweep(ropes, state, work, bodies, motion, k, h)
        elif kind == POSITION:
            begin_projection(ropes, state, work, bodies, motion, k, h)
        else:
            begin_compliant(ropes, state, work, bodies, motion, k, h)
        for _ in range(passes):
            made += 1
            if solve_alone(ropes, state, work, bodies, motion, k, h, kind) < tolerance:
                break
        move_alone(ropes, motion, k, h)
        if kind == IMPULSE:
            finish_sweep(ropes, work, bodies, motion, k, h)
        else:
            finish_projection(ropes, bodies, motion, k, h)
    return made


@entry
def note_alone(ropes: PointRopes, state: PointRopeState, motion: Motion, k: int, h: float) -> None:
    """Forces and moments of the last step of `h` [s]. Writes: state.mean"""
    state.mean[:] = 0.0
    if ropes.rope[k, KIND] == IMPULSE:
        note_moments(ropes, state, motion, k, h, h)
        note_sweep(ropes, state, k, h)
    else:
        note_projection(ropes, state, motion, k, h)


@kernel
def solve_alone(ropes, state, work, bodies, motion, k, h, kind):
    """One pass; returns the largest change of a velocity [m/s]. Writes: motion, state, work of rope k"""
    if kind == IMPULSE:
        return solve_sweep(ropes, state, work, bodies, motion, k, h)
    if kind == POSITION:
        return solve_projection(ropes, state, work, bodies, motion, k, h)
    return solve_compliant(ropes, state, work, bodies, motion, k, h)


@kernel
def kick_alone(ropes, bodies, motion, push, k, gravity, drag, h):
    """Velocities under gravity, pushes and `drag` [1/s], for `h` [s]; what is held keeps its own. Writes: them

    Drag takes from the velocity there was, not from what forces add: a rope that hangs still carries its whole weight.
    """
    point, element, keep = ropes.rope[k, POINT], ropes.rope[k, ELEMENT], 1.0 / (1.0 + h * drag)
    for i in range(point, point + ropes.rope[k, POINTS]):
        kick_linear(bodies, motion, push, i, gravity, keep, h)
    for e in range(element, element + ropes.rope[k, ELEMENTS]):
        kick_angular(bodies, motion, push, e, keep, h)
    for end in range(2):
        body = ropes.carrier[k, end]
        if body >= 0 and (end == 0 or body != ropes.carrier[k, 0]):
            kick_linear(bodies, motion, push, body, gravity, keep, h)
            kick_angular(bodies, motion, push, body, keep, h)


@kernel
def kick_linear(bodies, motion, push, i, gravity, keep, h):
    """Writes: velocity of mover i"""
    if bodies.inverse_mass[i] > 0.0:
        pull = add_scaled(gravity, bodies.inverse_mass[i], load(push.force, i))
        store(motion.velocity, i, add_scaled(scale(keep, load(motion.velocity, i)), h, pull))


@kernel
def kick_angular(bodies, motion, push, i, keep, h):
    """Writes: angular velocity of mover i"""
    if bodies.inverse_inertia[i, 2] > 0.0:
        q = load4(motion.quaternion, i)
        spin = scale(h, rotate(q, mul(load(bodies.inverse_inertia, i), unrotate(q, load(push.torque, i)))))
        store(motion.angular_velocity, i, add_scaled(spin, keep, load(motion.angular_velocity, i)))


@kernel
def move_alone(ropes, motion, k, h):
    """Writes: positions and orientations of rope k and its carriers"""
    point, element = ropes.rope[k, POINT], ropes.rope[k, ELEMENT]
    for i in range(point, point + ropes.rope[k, POINTS]):
        add_at(motion.position, i, scale(h, load(motion.velocity, i)))
    for e in range(element, element + ropes.rope[k, ELEMENTS]):
        turn_alone(motion, e, h)
    for end in range(2):
        body = ropes.carrier[k, end]
        if body >= 0 and (end == 0 or body != ropes.carrier[k, 0]):
            add_at(motion.position, body, scale(h, load(motion.velocity, body)))
            turn_alone(motion, body, h)


@kernel
def turn_alone(motion, i, h):
    """Writes: orientation of mover i"""
    turn = from_rotation_vector(scale(h, load(motion.angular_velocity, i)))
    store4(motion.quaternion, i, qnormalize(qmul(turn, load4(motion.quaternion, i))))
