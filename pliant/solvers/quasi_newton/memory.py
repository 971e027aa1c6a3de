"""What L-BFGS remembers: the last steps taken and how the forces bent along them; its two loops."""

from typing import Annotated, NamedTuple

from ..._jit import entry, kernel
from ...model.schema import Array, index, real


class Memory(NamedTuple):
    """The last steps, in a ring."""

    taken: Annotated[Array, real("m d", "m", "steps")]
    bent: Annotated[Array, real("m d", "N", "how much smaller the forces were after them")]
    rho: Annotated[Array, real("m", "1/J", "one over their product")]
    alpha: Annotated[Array, real("m", "-", "scratch of the two loops")]
    ring: Annotated[Array, index("2", "steps held, place of the next")]


Flat = Annotated[Array, real("d", "m, N", "x, y and z of all vertices, one after the other")]


@kernel
def dot_row(a, i, b):
    """a[i] . b in eight sums of fixed order: they fill a register, and none waits for itself."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    whole = b.shape[0] - b.shape[0] % 8
    for k in range(0, whole, 8):
        s0 += a[i, k] * b[k]
        s1 += a[i, k + 1] * b[k + 1]
        s2 += a[i, k + 2] * b[k + 2]
        s3 += a[i, k + 3] * b[k + 3]
        s4 += a[i, k + 4] * b[k + 4]
        s5 += a[i, k + 5] * b[k + 5]
        s6 += a[i, k + 6] * b[k + 6]
        s7 += a[i, k + 7] * b[k + 7]
    for k in range(whole, b.shape[0]):
        s0 += a[i, k] * b[k]
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))


@kernel
def add_row(b, factor, a, i):
    """b += factor a[i]. Writes: b"""
    for k in range(b.shape[0]):
        b[k] += factor * a[i, k]


@entry
def unbend(memory: Memory, force: Flat) -> None:
    """The loop before the solve, from the last step to the first. Writes: force, memory.alpha"""
    size = memory.rho.shape[0]
    for back in range(memory.ring[0]):
        i = (memory.ring[1] - 1 - back + size) % size
        memory.alpha[i] = memory.rho[i] * dot_row(memory.taken, i, force)
        add_row(force, -memory.alpha[i], memory.bent, i)


@entry
def bend(memory: Memory, step: Flat, force: Flat) -> float:
    """The loop after the solve, from the first step to the last; returns the product of step and force [J]. Writes: step"""
    size = memory.rho.shape[0]
    for back in range(memory.ring[0] - 1, -1, -1):
        i = (memory.ring[1] - 1 - back + size) % size
        add_row(step, memory.alpha[i] - memory.rho[i] * dot_row(memory.bent, i, step), memory.taken, i)
    s0 = s1 = s2 = 0.0
    for k in range(0, step.shape[0], 3):
        s0 += step[k] * force[k]
        s1 += step[k + 1] * force[k + 1]
        s2 += step[k + 2] * force[k + 2]
    return s0 + s1 + s2


@entry
def remember(memory: Memory, step: Flat, before: Flat, after: Flat, scale: float) -> None:
    """Keep a step of `scale` times `step` that changed the force from `before` to `after`. Writes: memory

    A step along which the forces did not grow smaller says nothing of a minimum and is left out.
    """
    i = memory.ring[1]
    product = taken_square = bent_square = 0.0
    for k in range(step.shape[0]):
        taken, bent = scale * step[k], before[k] - after[k]
        memory.taken[i, k], memory.bent[i, k] = taken, bent
        product += taken * bent
        taken_square += taken * taken
        bent_square += bent * bent
    if product > 0.0 and product * product > 1e-28 * taken_square * bent_square:
        memory.rho[i] = 1.0 / product
        memory.ring[0] = min(memory.ring[0] + 1, memory.rho.shape[0])
        memory.ring[1] = (i + 1) % memory.rho.shape[0]
