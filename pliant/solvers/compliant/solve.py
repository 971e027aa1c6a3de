"""One pass over a compliant rope is one step of Newton's method: all impulses at once, from the banded system.

Elements turn as the impulses so far ask for where the rope is ahead, and strains that will then be missing ask for more of
them. Whatever other rows did to the velocities between two passes is seen. Two or three passes end a substep of a rope
whose ends are free or held; bodies that hang on other rows as well take more.
"""

from ..._jit import kernel, stage
from ...equations.rod.compliant_chain import taut_lightness
from ...equations.rod.darboux_vector import relative
from ...math.banded import RIGHT, solve_banded
from ...math.quat import load4, rotate, unrotate
from ...math.vec3 import add, cross, load, neg, norm, scale, sub
from ...model.bodies import Bodies, Motion
from ...model.point_ropes import (
    AHEAD,
    AIM,
    ASKED,
    BEFORE,
    BENDING,
    CHORD,
    ELEMENT,
    ELEMENTS,
    GIVEN,
    LEVERED,
    LIGHT,
    POINT,
    POINTS,
    ROW,
    SOFT_SHEAR,
    SOFT_STRETCH,
    SPAN,
    STRETCHING,
    PointRopes,
    PointRopeState,
    PointRopeWork,
)
from ..projection.begin import lightness
from ..projection.carrier import clamp_frame, follow_carriers
from ..projection.columns import load4_at, load_at, store4_at, store_at
from ..projection.turning import turned_by
from .push import arm_ahead, end_push, end_row, push_points, turn_carrier, turn_element
from .system import assemble

FURTHEST = 0.5
"""An element turns no further than this in a pass [rad]: Newton's method looks no further ahead."""


@stage
def solve_compliant(ropes: PointRopes, state: PointRopeState, work: PointRopeWork, bodies: Bodies, motion: Motion, k: int,
                    h: float) -> float:
    """One pass; returns the largest change of a velocity [m/s]. Writes: velocities of rope k, state.impulse, work"""
    follow_carriers(ropes, motion, k)
    look_ahead(ropes, work, motion, k, h)
    aim(ropes, state, work, bodies, k, h)
    ask(ropes, state, work, bodies, motion, k, h)
    assemble(ropes, state, work, bodies, motion, k, h)
    solve_banded(work.system, 6 * ropes.rope[k, ROW], 6 * ropes.rope[k, ELEMENTS])
    return push_all(ropes, state, work, bodies, motion, k, h)


@kernel
def look_ahead(ropes, work, motion, k, h):
    """Orientations at the end of the step as angular velocities have it. Writes: work.row"""
    row, e = ropes.rope[k, ROW], ropes.rope[k, ELEMENT]
    for j in range(ropes.rope[k, ELEMENTS]):
        q = turned_by(load4(motion.quaternion, e + j), load(motion.angular_velocity, e + j), h)
        store4_at(work.row, row + j, AHEAD, q)


@kernel
def aim(ropes, state, work, bodies, k, h):
    """The chords that elements aim at, as stretched as their impulses say, and their inertia as their pulls say.

    Writes: work.row
    """
    for j in range(ropes.rope[k, ELEMENTS]):
        row, e = ropes.rope[k, ROW] + j, ropes.rope[k, ELEMENT] + j
        x, y, z = unrotate(load4_at(work.row, row, AHEAD), load_at(state.impulse, row, STRETCHING))
        shear = work.row[row, SOFT_SHEAR]
        along = work.row[row, SPAN] + work.row[row, AIM + 2] - work.row[row, SOFT_STRETCH] * z
        store_at(work.row, row, CHORD, (work.row[row, AIM] - shear * x, work.row[row, AIM + 1] - shear * y, along))
        store_at(work.row, row, LIGHT, taut_lightness(load(bodies.inverse_inertia, e), along, -z, h))


@kernel
def ask(ropes, state, work, bodies, motion, k, h):
    """What the impulses so far ask of the elements where they are ahead, and were not given yet; carriers take it at once.

    Writes: work.row, angular velocities of carriers
    """
    before, table, rope = (0.0, 0.0, 0.0), work.row, ropes.rope
    clamped_start, clamped_end = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for j in range(rope[k, ELEMENTS]):
        row = rope[k, ROW] + j
        q = load4_at(table, row, AHEAD)
        left, right = turns_of_joint(table, row, load_at(state.impulse, row, BENDING), j + 1 < rope[k, ELEMENTS])
        turn = add(before, left)
        if 0 <= j - rope[k, BEFORE] < rope[k, POINTS] - 1:
            turn = add(turn, cross(unrotate(q, load_at(state.impulse, row, STRETCHING)), load_at(table, row, CHORD)))
        turn = sub(turn, unrotate(q, load_at(table, row, GIVEN)))
        end = end_of_frame(ropes, k, rope[k, ELEMENT] + j)
        clamped_start = rotate(q, turn) if end == 0 else clamped_start
        clamped_end = rotate(q, turn) if end == 1 else clamped_end
        store_at(table, row, ASKED, turn if end < 0 else (0.0, 0.0, 0.0))
        before = right
    for end in range(2):
        if ropes.carrier[k, end] >= 0:
            turn = add(clamped_start if end == 0 else clamped_end,
                       cross(arm_ahead(ropes, motion, k, end, h), end_push(ropes, state, k, end)))
            turn = sub(turn, load_at(table, end_row(ropes, k, end), LEVERED))
            turn_carrier(ropes, state, work, bodies, motion, k, end, turn, h)
    follow_carriers(ropes, motion, k)


@kernel
def turns_of_joint(table, row, impulse, exists):
    """Angular impulses [N m s] of the joint behind an element on it and on the next one, each in its own axes."""
    if not exists:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    p = relative(load4_at(table, row, AHEAD), load4_at(table, row + 1, AHEAD))
    straight, across = scale(p[0], impulse), cross((p[1], p[2], p[3]), impulse)
    return neg(add(straight, across)), sub(straight, across)


@kernel
def lever_carriers(ropes, state, work, bodies, motion, k, j, push, h):
    """`push` [N s] on the second point of element j turns the bodies that carry ends of the element. Writes: them, work.row"""
    for end in range(2):
        if ropes.carrier[k, end] >= 0 and ropes.rope[k, ROW] + j == end_row(ropes, k, end):
            turn = cross(arm_ahead(ropes, motion, k, end, h), push if end == 1 else neg(push))
            turn_carrier(ropes, state, work, bodies, motion, k, end, turn, h)


@kernel
def end_of_frame(ropes, k, e):
    """The end whose clamp has the frame e, -1 for an element between points."""
    return 0 if clamp_frame(ropes, k, 0) == e else 1 if clamp_frame(ropes, k, 1) == e else -1


@kernel
def push_all(ropes, state, work, bodies, motion, k, h):
    """The impulses found act; returns the largest change of a velocity [m/s]. Writes: velocities, state.impulse, work.row"""
    before, change, table, rope, system = (0.0, 0.0, 0.0), 0.0, work.row, ropes.rope, work.system
    point = rope[k, POINT] - rope[k, BEFORE]
    for j in range(rope[k, ELEMENTS]):
        row, i = rope[k, ROW] + j, 6 * (rope[k, ROW] + j)
        q, bend = load4_at(table, row, AHEAD), (system[i + 3, RIGHT], system[i + 4, RIGHT], system[i + 5, RIGHT])
        left, right = turns_of_joint(table, row, bend, j + 1 < rope[k, ELEMENTS])
        store_at(state.impulse, row, BENDING, add(load_at(state.impulse, row, BENDING), bend))
        turn = add(before, left)
        if 0 <= j - rope[k, BEFORE] < rope[k, POINTS] - 1:
            step = system[i, RIGHT], system[i + 1, RIGHT], system[i + 2, RIGHT]
            turn = add(turn, cross(step, load_at(table, row, CHORD)))
            push = rotate(q, step)
            store_at(state.impulse, row, STRETCHING, add(load_at(state.impulse, row, STRETCHING), push))
            push_points(ropes, bodies, motion, k, j, point + j, push)
            lever_carriers(ropes, state, work, bodies, motion, k, j, push, h)
            change = max(change, norm(push) * lightness(ropes, bodies, k, j - rope[k, BEFORE]))
        end = end_of_frame(ropes, k, rope[k, ELEMENT] + j)
        if end >= 0:
            if ropes.carrier[k, end] >= 0:
                turn_carrier(ropes, state, work, bodies, motion, k, end, rotate(q, turn), h)
        else:
            turn = add(turn, load_at(table, row, ASKED))
            change = max(change, turn_element(ropes, work, bodies, motion, k, j, turn, FURTHEST / h) * table[row, SPAN])
        before = right
    follow_carriers(ropes, motion, k)
    return change
