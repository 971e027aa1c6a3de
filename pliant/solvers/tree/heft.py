"""What soft things add to a body of a tree that holds them: while it is solved, they go along as their blocks answer.

Vertices with the velocities v_t are tied to the body at levers r_t. With W the inverse of how they answer impulses, the ties
put W (v + w x r_t - v_t) on them, so that to the body they are a mass M, known by sum W, sum W r and sum W r r^T, with the
momentum b that the velocities v_t are worth: M V - b is what it has to give. A light rope that is pushed by the impulse
of something heavy alone has no solution near, or none; with the mass it hardly moves against what it holds.
"""

from ..._jit import kernel
from ...couple.ports import load_at, store_at
from ...equations.rigid.tree_elimination import row6
from ...math.sym3 import sym_mul
from ...math.vec3 import add, add_scaled, cross, sub
from ...model.rows import ASKED, BORNE, LACKED, PUSH
from ..chain.factor import add_mass


@kernel
def add_heft(body, k):
    """Writes: body at `k`, its mass"""
    m, c = body[k, BORNE], load_at(body, k, BORNE + 1)
    B = ((0.0, c[2], -c[1]), (-c[2], 0.0, c[0]), (c[1], -c[0], 0.0))
    add_mass(body, k, ((m, m, m, 0.0, 0.0, 0.0), B, row6(body, k, BORNE + 4)))


@kernel
def ask_heft(body, k):
    """Begin a solve: all of the momentum is still to be felt. Writes: body at `k`"""
    if body[k, BORNE] > 0.0:
        for c in range(6):
            body[k, LACKED + c] = body[k, ASKED + c]


@kernel
def feel_heft(body, k, v, w):
    """What soft things give a body that moves so. Writes: body at `k`"""
    p, turn = momentum(body, k, v, w)
    store_at(body, k, PUSH, add(load_at(body, k, PUSH), sub(load_at(body, k, LACKED), p)))
    store_at(body, k, PUSH + 3, add(load_at(body, k, PUSH + 3), sub(load_at(body, k, LACKED + 3), turn)))


@kernel
def know_heft(body, k, v, w):
    """They move as the body does. Writes: body at `k`"""
    p, turn = momentum(body, k, v, w)
    store_at(body, k, LACKED, p)
    store_at(body, k, LACKED + 3, turn)


@kernel
def momentum(body, k, v, w):
    """M V, [N s] and about the body's centre [N m s]."""
    c = load_at(body, k, BORNE + 1)
    return add_scaled(cross(w, c), body[k, BORNE], v), add(cross(c, v), sym_mul(row6(body, k, BORNE + 4), w))
