"""What the elements' pushes, inertia, pins and impulses of rows add up to at every vertex, in a fixed order."""

from ..._jit import entry
from ...model.soft import Pins, Points, SoftWork, Vertices


@entry
def collect(vertices: Vertices, pins: Pins, work: SoftWork, h: float, first: int, last: int) -> None:
    """The force that is still unbalanced at vertices `first` to `last`, -dE/dp of equation 5. Writes: work.right"""
    for v in range(first, last):
        inertia, pin = vertices.mass[v] / (h * h), pins.weight[v]
        for k in range(3):
            inner = 0.0
            for t in range(work.inner.shape[0]):
                inner += work.inner[t, v, k]
            x = work.place[v, k]
            whole = inertia * (work.aim[v, k] - x) + work.impulse[v, k] / h + pin * (pins.target[v, k] - x) + inner
            work.right[v, k] = whole if vertices.inverse_mass[v] > 0.0 else 0.0


@entry
def vertex_energy(vertices: Vertices, pins: Pins, work: SoftWork, h: float) -> float:
    """What of E of equation 5 is not the elements' [J]: inertia, pins, less the work of the rows' impulses."""
    inertia = pinned = pushed = 0.0
    for v in range(vertices.mass.shape[0]):
        a = b = c = 0.0
        for k in range(3):
            x = work.place[v, k]
            a += (x - work.aim[v, k]) ** 2
            b += (x - pins.target[v, k]) ** 2
            c += work.impulse[v, k] * x
        inertia += vertices.mass[v] * a
        pinned += pins.weight[v] * b
        pushed += c
    return 0.5 * inertia / (h * h) + 0.5 * pinned - pushed / h


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
    largest = 0.0
    for v in range(vertices.mass.shape[0]):
        for k in range(3):
            work.place[v, k] += change[v, k]
            largest = max(largest, abs(change[v, k]))
            velocity[v, k] = work.written[v, k] = (work.place[v, k] - work.start[v, k]) / h
    return largest / h
