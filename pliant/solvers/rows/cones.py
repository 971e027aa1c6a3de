"""Contacts of one dense system while Newton's method solves them: what they do, and what they miss of Coulomb's cones."""

from typing import Annotated, NamedTuple

from ..._jit import entry
from ...equations.contact.cone_residual import cone_residual, cone_state, kept_state
from ...math.vec3 import add_scaled, dot, load, store
from ...model.schema import Array, index, real

Square = Annotated[Array, real("k k", "1/kg", "how speeds along rows answer impulses along rows")]
Triples = Annotated[Array, real("r 3", "m/s, N s", "along the normal and two tangents of each contact")]
Friction = Annotated[Array, real("r", "-", "Coulomb")]


class Cones(NamedTuple):
    """Contacts while they are solved, along the normal and two tangents of each."""

    speed: Annotated[Array, real("n 3", "m/s", "with the impulses as they are")]
    impulse: Annotated[Array, real("n 3", "N s", "so far")]
    off: Annotated[Array, real("n 3", "m/s", "F of cone_residual.py")]
    step: Annotated[Array, real("n 3", "N s", "of Newton's method")]
    turned: Annotated[Array, real("n 3", "m/s", "what it does to the speeds")]
    right: Annotated[Array, real("n 3", "m/s", "right side of its equations, of contacts that push")]
    kind: Annotated[Array, index("n", "OPEN, STICKS or SLIPS, as the last step of Newton's method had it")]
    slip: Annotated[Array, real("n 5", "-", "of contacts that slip: the direction (2), G of cone_residual.py (3)")]
    column: Annotated[Array, index("n", "place of a contact among those that push, -1: it does not")]


@entry
def measure(own: Friction, friction: Friction, state: Cones, length: float) -> float:
    """F of all contacts after `length` of a step; returns the sum of its squares [m2/s2]. Writes: state.off"""
    total = 0.0
    for r in range(len(friction)):
        u = add_scaled(load(state.speed, r), length, load(state.turned, r))
        off = cone_residual(own[r], friction[r], u, add_scaled(load(state.impulse, r), length, load(state.step, r)))
        store(state.off, r, off)
        total += dot(off, off)
    return total


@entry
def find_kinds(own: Friction, friction: Friction, state: Cones, keeps: bool) -> None:
    """What contacts do; `keeps`: what they did in the last step of Newton's method. Writes: state.kind, .slip; F of `keeps`"""
    for r in range(len(friction)):
        if keeps:
            kind, s, g, off = kept_state(state.kind[r], own[r], friction[r], load(state.speed, r), load(state.impulse, r))
            store(state.off, r, off)
        else:
            kind, s, g = cone_state(own[r], friction[r], load(state.speed, r), load(state.impulse, r))
        state.kind[r] = kind
        state.slip[r, 0], state.slip[r, 1], state.slip[r, 2], state.slip[r, 3], state.slip[r, 4] = s[0], s[1], g[0], g[1], g[2]
