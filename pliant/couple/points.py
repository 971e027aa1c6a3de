"""The substeps of islands with ropes of points and elements: kick, sweep rows and ropes together, move, relax.

They are those of substep.py, with the ropes' own passes among the rows, and taken once: explicit torques and projected
stiffness belong to the substep that was asked for, so that it is never halved. Joints that gape where velocities lead are aimed
at again, unless ropes go by positions, whose passes count. Ropes look ahead to x + h v, so that they are solved before the
move alone. Each stage is an entry, because all in one would take the compiler too long.
"""

from math import hypot, inf

from .._jit import bind, entry, kernel
from ..equations.rigid.free_rotation import turn
from ..math.quat import store4
from ..math.vec3 import add_scaled, load, store
from ..model.bodies import DYNAMIC
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.rows import POSITION, QUATERNION, TURNED
from ..model.sets import Cordage, Movers, Sets, Touch
from ..model.shapes import Shapes
from ..solvers.projection.turning import turned_by
from ..solvers.rows.contact import bound_frictions, sweep_contacts
from ..solvers.rows.contact_pair import ZERO
from ..solvers.rows.drive_halves import note_halfway
from ..solvers.tree.drives import let_go
from .cordage import begin_ropes, finish_ropes, hold_ropes, passes_of, solve_ropes
from .finish import finish_contacts, finish_rows, note_reactions
from .joints_at_once import sweep_joints
from .manner import GAPING
from .move import keep_start, kick, move_contacts, push_work, steer
from .phases import CLOSINGS
from .ports import load_at, store_at
from .prepare import aim_again, enter_island, factor_trees, has_joints, place, prepare_soft
from .sweep import FOLLOWED, meet_contacts, sweep_drives, sweep_springs, warm_start, warm_start_joints
from .ways import PATIENCE, is_touched

SLOWER = 0.5
"""A sweep that leaves more of the gap of a joint [-] is the last."""


class PointSolver:
    """Advances islands with ropes of points and elements; the other solvers leave these alone."""

    def __init__(self, sets: Sets, shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome,
                 cordage: Cordage) -> None:
        self._place = bind(place_points, sets, shapes, contacts, islands, outcome)
        self._start = bind(start_points, sets, islands, outcome, cordage)
        self._sweep = bind(sweep_points, sets, islands, outcome, cordage)
        self._end = bind(end_points, sets.movers, sets.touch, islands, outcome, cordage)
        self._finish = bind(finish_points, sets, contacts, islands, outcome)

    def __call__(self, first: int, last: int, dt: float, substeps: int, iterations: int, tolerance: float, gravity: tuple,
                 drag: float) -> None:
        """Advance those among islands `first` to `last` by `dt` [s]."""
        h = dt / substeps
        self._place(first, last, h, True)
        for step in range(substeps):
            self._start(first, last, h, dt, gravity, drag, step)
            self._sweep(first, last, h, iterations, tolerance, False)
            self._end(first, last, h, dt)
            self._place(first, last, h, False)
            self._sweep(first, last, h, iterations, tolerance, True)
            self._finish(first, last, h, dt, 2.0 * dt * hypot(*gravity), step == substeps - 1)


@kernel
def has_ropes(islands, i):
    """Whether an island holds ropes of points and elements."""
    return islands.first_rope[i] < islands.first_rope[i + 1]


@entry
def place_points(sets: Sets, shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, first: int, last: int,
                 h: float, fresh: bool) -> None:
    """Rows where the movers are, in a `fresh` step those of contacts too. Writes: as prepare.py says, outcome"""
    movers, linkage, drivetrain = sets.movers, sets.linkage, sets.drivetrain
    for i in range(first, last):
        if has_ropes(islands, i):
            if fresh:
                enter_island(sets, shapes, contacts, islands, outcome, i)
                keep_start(movers, islands, i)
            else:
                note_halfway(drivetrain, linkage.joints, movers.motion, islands, i)
                note_reactions(linkage, drivetrain, islands, i)
            outcome.drift[i] = max(outcome.drift[i], place(movers, linkage, drivetrain, islands, i, h, 0.0))
            let_go(drivetrain, islands, i)
            factor_trees(movers, linkage, drivetrain, islands, i)


@entry
def start_points(sets: Sets, islands: Islands, outcome: Outcome, cordage: Cordage, first: int, last: int, h: float, dt: float,
                 gravity: tuple, drag: float, step: int) -> None:
    """Begin substep number `step` of `h` [s]: forces from outside and impulses kept act.

    Writes: velocities, laws, cordage, outcome
    """
    movers, linkage, drivetrain, springwork, touch = sets
    for i in range(first, last):
        if has_ropes(islands, i):
            steer(movers, islands, i, (step + 0.5) * h)
            keep_start(movers, islands, i)
            meet_contacts(touch, movers.ports, movers.motion, islands, i, h, False, False, False)
            kick(movers, islands, i, gravity, drag, h)
            prepare_soft(drivetrain, springwork, movers, islands, i, h)
            warm_start(linkage, drivetrain, springwork, touch, movers.motion, islands, i)
            outcome.work[i] += begin_ropes(cordage, movers, islands, i, h, dt, step == 0)


@entry
def sweep_points(sets: Sets, islands: Islands, outcome: Outcome, cordage: Cordage, first: int, last: int, h: float,
                 iterations: int, tolerance: float, relaxed: bool) -> None:
    """Sweep rows and ropes; once the movers have moved, `relaxed`, the rows alone. Writes: impulses, velocities, outcome"""
    movers, linkage = sets.movers, sets.linkage
    for i in range(first, last):
        if has_ropes(islands, i):
            touched = is_touched(islands, i)
            passes = iterations if touched else PATIENCE * iterations
            closings = 1
            if relaxed:
                warm_start_joints(linkage.joints, linkage.state.relaxed, linkage.rows, linkage.work, movers.motion, islands, i)
            else:
                passes = passes_of(cordage.ropes, movers.bodies, islands, i, iterations, h)
                closings = CLOSINGS if has_joints(islands, i) and passes > iterations else 1
            gap = inf
            for n in range(closings):
                sweep_all(sets, cordage, islands, outcome, i, h, passes, tolerance, relaxed)
                before, gap = gap, look_where(movers, linkage, islands, i, h) if n + 1 < closings else 0.0
                if gap < GAPING or not gap < SLOWER * before:
                    break


@entry
def end_points(movers: Movers, touch: Touch, islands: Islands, outcome: Outcome, cordage: Cordage, first: int, last: int,
               h: float, dt: float) -> None:
    """Move, and end the ropes' substep where that leads. Writes: motion, movers.start, touch, cordage, outcome"""
    for i in range(first, last):
        if has_ropes(islands, i):
            move_all(movers, islands, i, h)
            outcome.work[i] += hold_ropes(cordage, movers, islands, i, dt)
            finish_ropes(cordage, movers, islands, i, h, dt)
            move_contacts(touch, movers.motion, islands, i, h, False)


@entry
def finish_points(sets: Sets, contacts: Contacts, islands: Islands, outcome: Outcome, first: int, last: int, h: float,
                  dt: float, threshold: float, final: bool) -> None:
    """Note what the substep did, after the `final` one also what contacts keep. Writes: as finish.py says, outcome"""
    movers, touch = sets.movers, sets.touch
    for i in range(first, last):
        if has_ropes(islands, i):
            outcome.work[i] += push_work(movers, islands, i, h)
            finish_rows(sets, islands, outcome, i, h, dt, 0.0, True)
            finish_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, final, 1.0, False, ZERO, inf)
            outcome.substeps[i] += 1


@kernel
def sweep_all(sets, cordage, islands, outcome, i, h, passes, tolerance, relaxed):
    """Visit ropes and rows until no velocity changes by more than `tolerance` [m/s or rad/s], or `passes` times.

    Writes: impulses, velocities, outcome
    """
    movers, linkage, drivetrain, springwork, touch = sets
    motion, residual = movers.motion, 0.0
    impulse = linkage.state.relaxed if relaxed else linkage.state.impulse
    for made in range(passes):
        residual = 0.0 if relaxed else solve_ropes(cordage, movers, islands, i, h)
        residual = max(residual, sweep_springs(springwork, motion, islands, i, relaxed))
        change = sweep_drives(drivetrain, linkage.joints, linkage.state, motion, islands, i, h, relaxed, made < FOLLOWED, False,
                              False)
        residual = max(residual, change)
        residual = max(residual, sweep_contacts(touch, motion, islands, i, h, relaxed, False))
        residual = max(residual, sweep_joints(linkage, movers.bodies.tree, movers.ports, motion, impulse, islands, i, relaxed))
        outcome.iterations[i] += 1
        if residual < tolerance:
            break
    if relaxed:
        bound_frictions(touch, motion, islands, i)
    outcome.residual[i] = max(outcome.residual[i], residual)


@kernel
def look_where(movers, linkage, islands, i, h):
    """Aim joints at what they gape where velocities lead; returns the largest gap [m or rad]. Writes: linkage.work"""
    motion, start = movers.motion, movers.start.table
    move_all(movers, islands, i, h)
    gap = aim_again(linkage.joints, linkage.work, motion, islands, i, h)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(motion.position, k, load_at(start, k, POSITION))
        store4(motion.quaternion, k, (start[k, QUATERNION], start[k, QUATERNION + 1], start[k, QUATERNION + 2],
                                      start[k, QUATERNION + 3]))
    return gap


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
