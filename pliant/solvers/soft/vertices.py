"""What the elements' pushes, inertia, pins and impulses of rows add up to at every vertex, in a fixed order."""

from ..._jit import entry, kernel
from ...math.vec3 import add, add_scaled, dot, load, mul, scale, store, sub
from ...model.soft import Pins, Points, SoftWork, Vertices


@entry
def collect(vertices: Vertices, pins: Pins, work: SoftWork, h: float) -> None:
    """The force that is still unbalanced at every vertex, -dE/dp of equation 5. Writes: work.right

    One thread does: a hundred thousand additions take no longer than to wake a second one.
    """
    inner, square, rate = work.inner, 1.0 / (h * h), 1.0 / h
    for v in range(vertices.mass.shape[0]):
        total = load_of(inner, 0, v)
        for t in range(1, inner.shape[0]):
            total = add(total, load_of(inner, t, v))
        x, inertia, pin = load(work.place, v), square * vertices.mass[v], pins.weight[v]
        total = add_scaled(total, rate, load(work.impulse, v))
        total = add_scaled(add_scaled(total, pin, sub(load(pins.target, v), x)), inertia, sub(load(work.aim, v), x))
        store(work.right, v, scale(1.0 if vertices.inverse_mass[v] > 0.0 else 0.0, total))


@kernel
def load_of(array, t, v):
    """What task `t` has at vertex `v`."""
    return array[t, v, 0], array[t, v, 1], array[t, v, 2]


@entry
def vertex_energy(vertices: Vertices, pins: Pins, work: SoftWork, h: float) -> float:
    """What of E of equation 5 is not the elements' [J]: inertia, pins, less the work of the rows' impulses."""
    inertia = pinned = pushed = (0.0, 0.0, 0.0)
    for v in range(vertices.mass.shape[0]):
        x = load(work.place, v)
        far, pulled = sub(x, load(work.aim, v)), sub(x, load(pins.target, v))
        inertia = add_scaled(inertia, vertices.mass[v], mul(far, far))
        pinned = add_scaled(pinned, pins.weight[v], mul(pulled, pulled))
        pushed = add(pushed, mul(load(work.impulse, v), x))
    one = (1.0, 1.0, 1.0)
    return 0.5 * dot(one, inertia) / (h * h) + 0.5 * dot(one, pinned) - dot(one, pushed) / h


@entry
def clear(work: SoftWork, begin: int, end: int) -> None:
    """No pushes of tasks `begin` to `end` yet. Writes: work.inner"""
    for task in range(begin, end):
        for v in range(work.inner.shape[1]):
            for k in range(3):
                work.inner[task, v, k] = 0.0


@entry
def begin_vertices(vertices: Vertices, position: Points, velocity: Points, work: SoftWork, h: float) -> None:
    """The start of a step: inertia alone would lead to x + h v. Writes: work"""
    for v in range(vertices.mass.shape[0]):
        for k in range(3):
            work.start[v, k] = position[v, k]
            work.aim[v, k] = work.place[v, k] = position[v, k] + h * velocity[v, k]
            work.impulse[v, k] = 0.0
            work.written[v, k] = velocity[v, k]


@entry
def take_impulses(vertices: Vertices, velocity: Points, work: SoftWork, h: float) -> float:
    """What rows have changed since velocities were handed out, as impulses. Returns the largest [m/s]. Writes: work"""
    largest = 0.0
    for v in range(vertices.mass.shape[0]):
        for k in range(3):
            change = velocity[v, k] - work.written[v, k]
            if change != 0.0:
                largest = max(largest, abs(change))
                work.place[v, k] += h * change
                work.written[v, k] = velocity[v, k]
                if work.answer[v] > 0.0:
                    work.impulse[v, k] += change / work.answer[v]
                else:
                    work.aim[v, k] = work.place[v, k]
    return largest


@entry
def hand_out(vertices: Vertices, change: Points, velocity: Points, work: SoftWork, h: float) -> float:
    """Move by `change` [m] and write velocities. Returns the largest change [m/s]. Writes: velocity, work"""
    x = y = z = 0.0  # three, so that none waits for itself
    for v in range(vertices.mass.shape[0]):
        x, y, z = max(x, abs(change[v, 0])), max(y, abs(change[v, 1])), max(z, abs(change[v, 2]))
        for k in range(3):
            work.place[v, k] += change[v, k]
            velocity[v, k] = work.written[v, k] = (work.place[v, k] - work.start[v, k]) / h
    return max(x, max(y, z)) / h
