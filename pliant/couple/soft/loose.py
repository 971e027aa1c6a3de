"""How bodies on no joints turn in substeps of soft things: freely, and what pushes them comes on top.

Implicit Euler would turn a body by its angular velocity and then ask which one belongs to its angular momentum there: one that
tumbles gains energy by that, or loses it. So it sets out as it turns freely (equations/rigid/free_rotation.py),

    w* = the turn from q0 to q1 / h        I(q1) w* + pushes = I(q1) w        q = q0 turned by h w

and where it has come to it takes L - I(q1) w* on top, L the angular momentum that it has there when nothing pushes it: then it
is where it would be without soft things, with the same angular velocity, and L is kept whatever pushes.

Source: [Austin1993] the free rotation
Check: tests/soft/test_tumbling_by.py
"""

from ..._jit import kernel
from ...equations.rigid.free_rotation import turn
from ...math.quat import conj, load4, qmul, to_rotation_vector
from ...math.sym3 import sym_mul, turned_diagonal
from ...math.vec3 import add, load, scale, store, sub
from ...model.rows import CAME_HOME, FIRST_WAY, LATE
from ..move import whole_turn
from ..ports import load_at, store_at
from ..predict import momentum_of, tumbles


@kernel
def set_out(movers, islands, i, h, drag):
    """The way of those that tumble through a substep of `h` [s], and what they have more at its end. Writes: movers.start"""
    bodies, motion, start, keep = movers.bodies, movers.motion, movers.start.table, 1.0 / (1.0 + h * drag)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if tumbles(bodies, k):
            q, w = load4(motion.quaternion, k), scale(keep, load(motion.angular_velocity, k))
            there, after = turn(q, w, load(bodies.inertia, k), load(bodies.inverse_inertia, k), h)
            way = whole_turn(to_rotation_vector(qmul(there, conj(q))), scale(0.5 * h, add(w, after)))
            way = scale(1.0 / h, way)
            spin = momentum_of(bodies, k, there, way)
            store_at(start, k, FIRST_WAY + 3, way)
            store_at(start, k, FIRST_WAY + 6, spin)
            store_at(start, k, CAME_HOME + 3, sub(momentum_of(bodies, k, there, after), spin))


@kernel
def turn_home(movers, islands, i):
    """Angular velocities of those that tumble as they are at the end of the substep. Writes: velocities, movers.start"""
    bodies, motion, start = movers.bodies, movers.motion, movers.start.table
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        home = (0.0, 0.0, 0.0)
        if tumbles(bodies, k):
            inertia = turned_diagonal(load4(motion.quaternion, k), load(bodies.inverse_inertia, k))
            home = sym_mul(inertia, load_at(start, k, CAME_HOME + 3))
            store(motion.angular_velocity, k, add(load(motion.angular_velocity, k), home))
        if bodies.tree[k] < 0:
            store_at(start, k, LATE + 3, home)
