"""What L-BFGS remembers: the last steps taken and how the forces bent along them; its two loops."""

from typing import Annotated, NamedTuple

from ..._jit import entry, kernel
from ...model.schema import Array, index, real
from ...model.soft import Points


class Memory(NamedTuple):
    """The last steps, in a ring."""

    taken: Annotated[Array, real("m d", "m", "steps")]
    bent: Annotated[Array, real("m d", "N", "how much smaller the forces were after them")]
    rho: Annotated[Array, real("m", "1/J", "one over their product")]
    alpha: Annotated[Array, real("m", "-", "scratch of the two loops")]
    ring: Annotated[Array, index("2", "steps held, place of the next")]


@kernel
def dot_row(a, i, b):
    """a[i] . b, b (n, 3), in four sums of fixed order: one alone would wait for itself."""
    s0 = s1 = s2 = 0.0
    for v in range(b.shape[0]):
        s0 += a[i, 3 * v] * b[v, 0]
        s1 += a[i, 3 * v + 1] * b[v, 1]
        s2 += a[i, 3 * v + 2] * b[v, 2]
    return s0 + s1 + s2


@kernel
def add_row(b, factor, a, i):
    """b += factor a[i]. Writes: b"""
    for v in range(b.shape[0]):
        for k in range(3):
            b[v, k] += factor * a[i, 3 * v + k]


@entry
def unbend(memory: Memory, force: Points) -> None:
    """The loop before the solve, from the last step to the first. Writes: force, memory.alpha"""
    size = memory.rho.shape[0]
    for back in range(memory.ring[0]):
        i = (memory.ring[1] - 1 - back + size) % size
        memory.alpha[i] = memory.rho[i] * dot_row(memory.taken, i, force)
        add_row(force, -memory.alpha[i], memory.bent, i)


@entry
def bend(memory: Memory, step: Points) -> None:
    """The loop after the solve, from the first step to the last. Writes: step"""
    size = memory.rho.shape[0]
    for back in range(memory.ring[0] - 1, -1, -1):
        i = (memory.ring[1] - 1 - back + size) % size
        add_row(step, memory.alpha[i] - memory.rho[i] * dot_row(memory.bent, i, step), memory.taken, i)


@entry
def remember(memory: Memory, step: Points, before: Points, after: Points, scale: float) -> None:
    """Keep a step of `scale` times `step` that changed the force from `before` to `after`. Writes: memory

    A step along which the forces did not grow smaller says nothing of a minimum and is left out.
    """
    i = memory.ring[1]
    product = taken_square = bent_square = 0.0
    for v in range(step.shape[0]):
        for k in range(3):
            taken, bent = scale * step[v, k], before[v, k] - after[v, k]
            memory.taken[i, 3 * v + k], memory.bent[i, 3 * v + k] = taken, bent
            product += taken * bent
            taken_square += taken * taken
            bent_square += bent * bent
    if product > 0.0 and product * product > 1e-28 * taken_square * bent_square:
        memory.rho[i] = 1.0 / product
        memory.ring[0] = min(memory.ring[0] + 1, memory.rho.shape[0])
        memory.ring[1] = (i + 1) % memory.rho.shape[0]


@entry
def inner_product(a: Points, b: Points) -> float:
    """Sum of a . b over all vertices, in a fixed order."""
    s0 = s1 = s2 = 0.0
    for v in range(a.shape[0]):
        s0 += a[v, 0] * b[v, 0]
        s1 += a[v, 1] * b[v, 1]
        s2 += a[v, 2] * b[v, 2]
    return s0 + s1 + s2
