"""Gives impulses to elements and joints of a projected rope: velocities of points, orientations ahead of elements."""

from ..._jit import kernel
from ...equations.rod.bend_twist import turns_by_bend_twist
from ...equations.rod.stretch_shear import turn_by_stretch_shear
from ...math.quat import rotate
from ...math.vec3 import add_at, load, scale
from ...model.point_ropes import AHEAD, BENDING, STRETCHING
from .columns import add_to, store4_at
from .turning import nudged


@kernel
def give_element(state, work, bodies, motion, row, left, e, q, a, impulse, h):
    """`impulse` [N s] against stretching and shearing, axes of the element `q`, lever `a` [m].

    Writes: velocities of two points, the orientation ahead, state.impulse
    """
    push = rotate(q, impulse)
    add_at(motion.velocity, left, scale(-bodies.inverse_mass[left], push))
    add_at(motion.velocity, left + 1, scale(bodies.inverse_mass[left + 1], push))
    turn = turn_by_stretch_shear(a, impulse, load(bodies.inverse_inertia, e))
    store4_at(work.row, row, AHEAD, nudged(q, scale(h, turn)))
    add_to(state.impulse, row, STRETCHING, impulse)


@kernel
def give_joint(state, work, bodies, row, e, q_left, q_right, p, impulse, h):
    """`impulse` [N m s] against bending and twisting by p. Writes: two orientations ahead, state.impulse"""
    left, right = load(bodies.inverse_inertia, e), load(bodies.inverse_inertia, e + 1)
    turn_left, turn_right = turns_by_bend_twist(p, impulse, left, right)
    store4_at(work.row, row, AHEAD, nudged(q_left, scale(h, turn_left)))
    store4_at(work.row, row + 1, AHEAD, nudged(q_right, scale(h, turn_right)))
    add_to(state.impulse, row, BENDING, impulse)
