"""The substeps of islands with ropes of points and elements: kick, sweep rows and ropes together, move, relax.

They are those of substep.py, with the ropes' own passes among the rows and without halves: explicit torques and projected
stiffness belong to the substep that was asked for. Ropes look ahead to x + h v, so that they are solved before the move
alone; where joints gape and are aimed at again, all go back to the start for it.
"""

from .._jit import entry, kernel
from ..equations.rigid.free_rotation import turn
from ..math.quat import store4
from ..math.vec3 import add_scaled, load, norm, store
from ..model.bodies import DYNAMIC
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.rows import POSITION, QUATERNION, TURNED
from ..model.sets import Cordage, Drivetrain, Linkage, Movers, Springwork, Touch
from ..model.shapes import Shapes
from ..solvers.projection.turning import turned_by
from .cordage import begin_ropes, finish_ropes, hold_ropes, passes_of, solve_ropes
from .finish import finish_contacts, finish_drives, finish_joints, finish_springs
from .move import keep_start, kick, move_contacts, push_work
from .ports import load_at, store_at
from .prepare import aim_again, begin_island, place, prepare_contacts, prepare_inertia, prepare_soft, swing_springs
from .substep import CLOSED, CLOSINGS, SWUNG
from .sweep import (
    meet_contacts,
    sweep,
    sweep_contacts,
    sweep_drives,
    sweep_joints,
    sweep_springs,
    warm_start,
    warm_start_joints,
)


@entry
def solve_points(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, springwork: Springwork, touch: Touch,
                 shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, cordage: Cordage, first: int,
                 last: int, dt: float, substeps: int, iterations: int, tolerance: float, gravity: tuple,
                 drag: float) -> None:
    """Advance islands with ropes of points among `first` to `last` by `dt` [s]. Writes: states, scratch, outcome of those"""
    h = dt / substeps
    for i in range(first, last):
        if islands.first_rope[i] == islands.first_rope[i + 1]:
            continue
        begin_island(linkage.state, drivetrain.state, springwork.state, islands, outcome, i)
        prepare_inertia(movers, islands, i)
        prepare_contacts(touch, contacts, shapes, movers.ports, movers.motion, islands, i)
        passes = passes_of(cordage.ropes, movers.bodies, islands, i, iterations, h)
        for step in range(substeps):
            keep_start(movers, islands, i)
            if step == 0:
                place(movers, linkage, drivetrain, islands, i, h)
            meet_contacts(touch, movers.motion, islands, i)
            kick(movers, islands, i, gravity, drag, h)
            prepare_soft(drivetrain, springwork, movers, islands, i, h)
            warm_start(linkage, drivetrain, springwork, touch, movers.motion, islands, i)
            outcome.work[i] += begin_ropes(cordage, movers, islands, i, h, dt, step == 0)
            gap = 1.0
            for _ in range(CLOSINGS):
                sweep_all(movers, linkage, drivetrain, springwork, touch, cordage, islands, outcome, i, h, passes, tolerance)
                move_all(movers, islands, i, h)
                before, gap = gap, aim_again(linkage.joints, linkage.work, movers.motion, islands, i, h)
                swung = swing_springs(springwork, movers, islands, i, h)
                if (gap < CLOSED and swung < SWUNG) or not gap < 2.0 * max(before, CLOSED):
                    break
                return_to_start(movers, islands, i)
            outcome.work[i] += hold_ropes(cordage, movers, islands, i, dt)
            finish_ropes(cordage, movers, islands, i, h)
            move_contacts(touch, movers.motion, islands, i, h)
            drift = place(movers, linkage, drivetrain, islands, i, h)
            outcome.drift[i] = max(outcome.drift[i], drift)
            warm_start_joints(linkage.joints, linkage.state.relaxed, linkage.rows, linkage.work, movers.motion, islands, i)
            sweep(movers, linkage, drivetrain, springwork, touch, islands, outcome, i, h, iterations, tolerance, True)
            outcome.work[i] += push_work(movers, islands, i, h)
            finish_drives(linkage.joints, drivetrain, movers, islands, outcome, i, h, dt)
            finish_joints(linkage, drivetrain, movers, islands, outcome, i, dt)
            finish_springs(springwork, movers, islands, outcome, i, h, dt)
            finish_contacts(touch, contacts, movers, islands, outcome, i, 2.0 * dt * norm(gravity), dt, step == substeps - 1)
            outcome.substeps[i] += 1


@kernel
def sweep_all(movers, linkage, drivetrain, springwork, touch, cordage, islands, outcome, i, h, passes, tolerance):
    """Visit rows and ropes until no velocity changes by more than `tolerance` [m/s or rad/s], or `passes` times.

    Writes: impulses, velocities, outcome
    """
    motion, residual = movers.motion, 0.0
    for _ in range(passes):
        residual = solve_ropes(cordage, movers, islands, i, h)
        residual = max(residual, sweep_springs(springwork, motion, islands, i, False))
        residual = max(residual, sweep_drives(drivetrain, linkage.joints, linkage.state, motion, islands, i, h, False))
        residual = max(residual, sweep_contacts(touch, motion, islands, i, h, False))
        residual = max(residual, sweep_joints(linkage, movers.bodies.tree, movers.ports, motion, linkage.state.impulse, islands,
                                              i, False))
        outcome.iterations[i] += 1
        if residual < tolerance:
            break
    outcome.residual[i] = max(outcome.residual[i], residual)


@kernel
def move_all(movers, islands, i, h):
    """From the start, positions by velocities; bodies turn freely, what has no mass just by its angular velocity.

    Writes: motion.position, .quaternion, movers.start (how they turn)
    """
    bodies, motion, start = movers.bodies, movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(motion.position, k, add_scaled(load_at(start, k, POSITION), h, load(motion.velocity, k)))
        q = (start[k, QUATERNION], start[k, QUATERNION + 1], start[k, QUATERNION + 2], start[k, QUATERNION + 3])
        w = load(motion.angular_velocity, k)
        if bodies.kind[k] == DYNAMIC and bodies.inverse_mass[k] == 0.0:
            q = turned_by(q, w, h)
        else:
            q, w = turn(q, w, load(bodies.inertia, k), load(bodies.inverse_inertia, k), h)
        store4(motion.quaternion, k, q)
        store_at(start, k, TURNED, w)


@kernel
def return_to_start(movers, islands, i):
    """Writes: motion.position, .quaternion"""
    motion, start = movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(motion.position, k, load_at(start, k, POSITION))
        store4(motion.quaternion, k, (start[k, QUATERNION], start[k, QUATERNION + 1], start[k, QUATERNION + 2],
                                      start[k, QUATERNION + 3]))
