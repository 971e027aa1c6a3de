"""What L-BFGS remembers, and its two loops in terms of the steps that local/global would take.

With r the force, A the constant matrix and p = A^-1 r the step of local/global, a step s taken changes r by -y and p by -z,
z = A^-1 y: the difference of two steps that are solved for anyway. The loops of L-BFGS, with gamma A^-1 for a first guess, then
need no vector between them:

    a_i = (s_i.r - sum_{j>i} a_j s_i.y_j) / s_i.y_i                                          from the last step to the first
    b_i = a_i - (gamma (z_i.r - sum_j a_j y_i.z_j) + sum_{j<i} b_j s_j.y_i) / s_i.y_i        from the first to the last
    step = gamma p + sum_i b_i s_i - gamma a_i z_i

two passes over what is remembered, one for the products with r, one for the sum. Products with y are differences of those
with r. g = s.y / y.z of the last step says how much less the energy bends along it than A, which lies above every second
derivative and far above where elements turn. Where they are stretched A is right, so gamma = (1 + g)/2 lies between: twisting
bars from mild to stiff came to 1e-10 in 8, 17, 19, 52, 66 iterations with it, in 9, 17, 19, 50, 69 with g, and in 10, 22, 25,
61, 83 with 1.

A is right, too, for how a thing that nothing holds moves as a whole: there p leaves nothing to be learnt, and what is
remembered is rounding, which would grow. So the step takes its mean, weighed by the masses, from p.

Source: [PaperD] the constant matrix; [Nocedal2006] the two loops and the scale of their first guess
Check: tests/soft/test_quasi_newton.py
"""

from typing import Annotated, NamedTuple

from ..._jit import entry, kernel
from ...model.schema import Array, index, real

WIDTH = 64
"""Numbers that are added up side by side."""
LEAST = 1e-12
"""Share of the force along a step that has to go for the step to be learnt from [-]: less is rounding."""


class Memory(NamedTuple):
    """The last steps, in a ring of one row more, where the next is made."""

    taken: Annotated[Array, real("m d", "m", "steps s")]
    shorter: Annotated[Array, real("m d", "m", "by how much steps of local/global were shorter after them, z; of the next: p")]
    bent: Annotated[Array, real("d", "N", "forces before the next step, then how much smaller they were after it, y")]
    start: Annotated[Array, real("d", "m", "where the next step starts")]
    next: Annotated[Array, real("r d", "m", "that step, one row")]
    slope: Annotated[Array, real("m m", "J", "s_i.y_j of an older step i and a newer j")]
    square: Annotated[Array, real("m m", "J", "y_i.z_j")]
    along: Annotated[Array, real("m 2", "J", "s_i.r and z_i.r")]
    share: Annotated[Array, real("m 2", "-", "a_i and b_i")]
    scale: Annotated[Array, real("2", "-, J", "gamma; how steeply the energy falls along the next step")]
    heft: Annotated[Array, real("n", "-", "share of each vertex in the mass, if nothing holds any of them, else zero")]
    lanes: Annotated[Array, real("w", "J", "parts of a product")]
    ring: Annotated[Array, index("3", "steps held, row of the next, whether that is taken and has to be learnt from")]


Flat = Annotated[Array, real("d", "m, N, m/s", "x, y and z of all vertices, one after the other")]


@kernel
def dot_row(a, i, r, lanes):
    """a[i] . r, side by side in vector instructions and then folded: one order of sums. Writes: lanes"""
    whole, total = r.shape[0] - r.shape[0] % WIDTH, 0.0
    for k in range(WIDTH):
        lanes[k] = 0.0
    for first in range(0, whole, WIDTH):
        for k in range(WIDTH):
            lanes[k] += a[i, first + k] * r[first + k]
    half = WIDTH // 2
    while half > 0:
        for k in range(half):
            lanes[k] += lanes[half + k]
        half //= 2
    for k in range(whole, r.shape[0]):
        total += a[i, k] * r[k]
    return total + lanes[0]


@kernel
def put(a, i, b):
    """a[i] = b. Writes: a"""
    for k in range(b.shape[0]):
        a[i, k] = b[k]


@kernel
def row_of(memory, age):
    """Row of the step that is `age` steps older than the last."""
    rows = memory.taken.shape[0]
    return (memory.ring[1] - 1 - age + rows) % rows


@entry
def go(memory: Memory, place: Flat, length: float) -> None:
    """To `length` times the next step from its start. Writes: place"""
    for k in range(place.shape[0]):
        place[k] = memory.start[k] + length * memory.next[0, k]


@entry
def arrive(memory: Memory, force: Flat, place: Flat, start: Flat, written: Flat, velocity: Flat, length: float, h: float
           ) -> float:
    """Note what `length` of the next step did to the forces and write velocities; returns the largest change [m/s].

    A step along which the forces did not grow smaller says nothing of a minimum and is left out.
    Writes: memory, written, velocity
    """
    i, taken, bent = memory.ring[1], memory.taken, memory.bent
    for k in range(force.shape[0]):
        bent[k] -= force[k]
    for k in range(force.shape[0]):
        taken[i, k] = length * memory.next[0, k]
    for k in range(force.shape[0]):
        velocity[k] = written[k] = (place[k] - start[k]) / h
    x = y = z = 0.0  # three, so that none waits for itself
    for k in range(0, force.shape[0], 3):
        x, y, z = max(x, abs(taken[i, k])), max(y, abs(taken[i, k + 1])), max(z, abs(taken[i, k + 2]))
    product = dot_row(taken, i, bent, memory.lanes)
    memory.slope[i, i] = product
    memory.ring[2] = 1 if product > LEAST * length * memory.scale[1] else 0
    return max(x, max(y, z)) / h


@entry
def learn(memory: Memory, change: Flat) -> None:
    """Learn from the last step by `change`, z, where the forces have changed otherwise since. Writes: memory"""
    i = memory.ring[1]
    put(memory.shorter, i, change)
    for age in range(memory.ring[0]):
        j = row_of(memory, age)
        memory.slope[j, i] = dot_row(memory.taken, j, memory.bent, memory.lanes)
        memory.square[j, i] = dot_row(memory.shorter, j, memory.bent, memory.lanes)
    keep(memory)


@entry
def aim(memory: Memory, force: Flat, place: Flat, plain: Flat) -> float:
    """The next step by the force and the step of local/global; returns how steeply the energy falls [J]. Writes: memory"""
    fresh, made = memory.ring[2] == 1, memory.ring[1]
    for age in range(memory.ring[0]):
        j = row_of(memory, age)
        u, w = dot_row(memory.taken, j, force, memory.lanes), dot_row(memory.shorter, j, force, memory.lanes)
        if fresh:
            memory.slope[j, made], memory.square[j, made] = memory.along[j, 0] - u, memory.along[j, 1] - w
        memory.along[j, 0], memory.along[j, 1] = u, w
    if fresh:
        for k in range(plain.shape[0]):
            memory.shorter[made, k] -= plain[k]
        keep(memory)
        memory.along[made, 0] = dot_row(memory.taken, made, force, memory.lanes)
        memory.along[made, 1] = dot_row(memory.shorter, made, force, memory.lanes)
    two_loops(memory)
    combine(memory, plain)
    if memory.ring[0] > 0 and memory.heft[0] > 0.0:
        move_as_plain(memory, plain)
    made = memory.ring[1]
    put(memory.shorter, made, plain)
    for k in range(force.shape[0]):
        memory.bent[k] = force[k]
    for k in range(place.shape[0]):
        memory.start[k] = place[k]
    memory.scale[1] = dot_row(memory.next, 0, force, memory.lanes)
    return memory.scale[1]


@kernel
def keep(memory):
    """The row that is made becomes the last step; the oldest goes where there are too many. Writes: memory"""
    i, rows = memory.ring[1], memory.taken.shape[0]
    own = dot_row(memory.shorter, i, memory.bent, memory.lanes)
    memory.square[i, i] = own
    for age in range(memory.ring[0]):
        j = row_of(memory, age)
        memory.square[i, j] = memory.square[j, i]
    memory.scale[0] = 0.5 + 0.5 * memory.slope[i, i] / own if own > 0.0 else 1.0
    memory.ring[0], memory.ring[1], memory.ring[2] = min(memory.ring[0] + 1, rows - 1), (i + 1) % rows, 0


@kernel
def two_loops(memory):
    """a_i and b_i of all steps. Writes: memory.share"""
    held, share, gamma = memory.ring[0], memory.share, memory.scale[0]
    for age in range(held):
        i = row_of(memory, age)
        rest = memory.along[i, 0]
        for newer in range(age):
            j = row_of(memory, newer)
            rest -= share[j, 0] * memory.slope[i, j]
        share[i, 0] = rest / memory.slope[i, i]
    for age in range(held - 1, -1, -1):
        i = row_of(memory, age)
        plain, turned = memory.along[i, 1], 0.0
        for other in range(held):
            j = row_of(memory, other)
            plain -= share[j, 0] * memory.square[i, j]
            if other > age:
                turned += share[j, 1] * memory.slope[j, i]
        share[i, 1] = share[i, 0] - (gamma * plain + turned) / memory.slope[i, i]


@kernel
def combine(memory, plain):
    """gamma p + sum of b_i s_i - gamma a_i z_i. Writes: memory.next"""
    held, share, s, z, out = memory.ring[0], memory.share, memory.taken, memory.shorter, memory.next
    gamma = memory.scale[0] if held > 0 else 1.0
    for k in range(plain.shape[0]):
        out[0, k] = gamma * plain[k]
    for age in range(held):
        i = row_of(memory, age)
        b, a = share[i, 1], -gamma * share[i, 0]
        for k in range(plain.shape[0]):
            out[0, k] += b * s[i, k] + a * z[i, k]


@kernel
def move_as_plain(memory, plain):
    """Let the step move the whole as that of local/global does. Writes: memory.next"""
    x = y = z = 0.0
    step, heft = memory.next, memory.heft
    for v in range(heft.shape[0]):
        x += heft[v] * (plain[3 * v] - step[0, 3 * v])
        y += heft[v] * (plain[3 * v + 1] - step[0, 3 * v + 1])
        z += heft[v] * (plain[3 * v + 2] - step[0, 3 * v + 2])
    for v in range(heft.shape[0]):
        step[0, 3 * v] += x
        step[0, 3 * v + 1] += y
        step[0, 3 * v + 2] += z
