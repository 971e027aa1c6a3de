"""Vertices squeezed between bodies that do not yield, as cloth in a vice: contacts that contradict each other.

Where two bodies that nothing pushes aside, one of them driven, leave less room than what lies between them is thick, no
velocity meets all contacts, and sweeps would raise their impulses for ever. So contacts of squeezed vertices, with such bodies
and with each other, give way,

    J v + bias + gamma lambda = 0,  lambda >= 0        gamma = YIELD sum w^2 / m

with w the weights and m the masses of the vertices. Two that face each other on one vertex, and want it to part from them by
a and b, then bear lambda <= m (a + b) / YIELD each: it comes to lie where both push alike, takes no speed from either, and what
they bear, friction too, stays in proportion to how fast they contradict each other. What is squeezed is found through layers:
what holds one side of a sheet holds what lies on its other side.

Check: tests/soft/test_driven_vice.py
"""

from ..._jit import kernel
from ...math.vec3 import dot, load, scale
from ...model.bodies import DRIVEN
from ...model.soft_contacts import SOFTNESS
from ...model.soft_things import VERTEX

YIELD = 1.0 / 32.0
"""How much contacts of what is squeezed give way, as a share of how its vertices answer [-]: two that are swept in turn come
nearer by (1 + YIELD)^-2 a sweep, so that the last sweeps of a substep (couple/soft/swept.py: LAST_PASSES) leave a seventh of
what they miss."""
LAYERS = 4
"""Layers of cloth through which it is seen what holds a vertex: one more for every time that all contacts are gone through."""
SIDE = 0.5
"""The cosine of directions up to which a vertex is held from one side, and beyond whose negative from the other [-]."""


@kernel
def holds_firm(contacts, k, bodies):
    """Whether side a of contact `k` is a body that nothing pushes aside."""
    a = contacts.mover[k, 0]
    return bodies.link[a] != VERTEX and bodies.inverse_mass[a] == 0.0


@kernel
def find_held(contacts, k, bodies, work):
    """Note which vertices of contact `k` something firm holds, by itself or through those on the other side.

    Writes: work.held, .holder, .squeezed
    """
    a = contacts.mover[k, 0]
    if holds_firm(contacts, k, bodies):
        hold_side(contacts, k, 3, 1.0, a, bodies, work)
    elif bodies.link[a] == VERTEX:
        over, under = holder_beside(contacts, k, 0, 1.0, work), holder_beside(contacts, k, 3, -1.0, work)
        if over >= 0:
            hold_side(contacts, k, 3, 1.0, over, bodies, work)
        if under >= 0:
            hold_side(contacts, k, 0, -1.0, under, bodies, work)


@kernel
def holder_beside(contacts, k, first, sign, work):
    """What holds a vertex of the side of contact `k` whose movers begin at `first` along `sign` times its normal, or -1."""
    for c in range(first, first + 3):
        m = contacts.mover[k, c]
        if m >= 0 and work.held[m] != 0 and sign * dot(held_along(contacts, m, work), load(contacts.normal, k)) > SIDE:
            return work.holder[m]
    return -1


@kernel
def held_along(contacts, m, work):
    """The direction in which vertex `m` is held."""
    return scale(1.0 if work.held[m] > 0 else -1.0, load(contacts.normal, abs(work.held[m]) - 1))


@kernel
def hold_side(contacts, k, first, sign, holder, bodies, work):
    """Let `holder` hold the vertices of a side along `sign` times the normal; what another holds against that is squeezed, if
    one of the two is driven: fixed ones come no nearer.

    Writes: work.held, .holder, .squeezed
    """
    for c in range(first, first + 3):
        m = contacts.mover[k, c]
        if m >= 0 and work.held[m] == 0:
            work.held[m], work.holder[m] = k + 1 if sign > 0.0 else -k - 1, holder
        elif m >= 0 and DRIVEN in (bodies.kind[holder], bodies.kind[work.holder[m]]) and work.holder[m] != holder:
            along = sign * dot(held_along(contacts, m, work), load(contacts.normal, k))
            work.squeezed[m] = 1 if along < -SIDE else work.squeezed[m]


@kernel
def soften(contacts, k, bodies, work):
    """How much contact `k` of something firm, or of soft things with each other, gives way. Writes: work.contact"""
    squeezed, answer = False, 0.0
    for c in range(6 if holds_firm(contacts, k, bodies) or bodies.link[contacts.mover[k, 0]] == VERTEX else 0):
        m = contacts.mover[k, c]
        if m >= 0 and bodies.link[m] == VERTEX:
            squeezed = squeezed or work.squeezed[m] == 1
            answer += contacts.weight[k, c] ** 2 * bodies.inverse_mass[m]
    work.contact[k, SOFTNESS] = YIELD * answer if squeezed else 0.0
