"""What the elements' pushes, inertia, pins and impulses of rows add up to at every vertex, in a fixed order."""

from ..._jit import entry, kernel
from ...math.svd3 import LANES
from ...model.soft import Elements, ElementWork, Pins, Points, SoftWork, Vertices


@entry
def collect(vertices: Vertices, cells: Elements, cell_work: ElementWork, triangles: Elements, triangle_work: ElementWork,
            bends: Elements, bend_work: ElementWork, pins: Pins, work: SoftWork, h: float, first: int, last: int) -> None:
    """The force that is still unbalanced at vertices `first` to `last`, -dE/dp of equation 5. Writes: work.right"""
    for v in range(first, last):
        if vertices.inverse_mass[v] == 0.0:
            work.right[v, 0] = work.right[v, 1] = work.right[v, 2] = 0.0
            continue
        inertia, pin = vertices.mass[v] / (h * h), pins.weight[v]
        x, y, z = work.place[v, 0], work.place[v, 1], work.place[v, 2]
        a = sum_at(cells, cell_work.push, v)
        b = sum_at(triangles, triangle_work.push, v)
        c = sum_at(bends, bend_work.push, v)
        work.right[v, 0] = (inertia * (work.aim[v, 0] - x) + work.impulse[v, 0] / h + pin * (pins.target[v, 0] - x)
                            + a[0] + b[0] + c[0])
        work.right[v, 1] = (inertia * (work.aim[v, 1] - y) + work.impulse[v, 1] / h + pin * (pins.target[v, 1] - y)
                            + a[1] + b[1] + c[1])
        work.right[v, 2] = (inertia * (work.aim[v, 2] - z) + work.impulse[v, 2] / h + pin * (pins.target[v, 2] - z)
                            + a[2] + b[2] + c[2])


@kernel
def sum_at(elements, push, v):
    """Sum of the pushes of `elements` on vertex `v` [N]."""
    x = y = z = 0.0
    for q in range(elements.first[v], elements.first[v + 1]):
        b, c = elements.corner[q, 0], elements.corner[q, 1]
        x += push[b, c]
        y += push[b, c + LANES]
        z += push[b, c + 2 * LANES]
    return x, y, z


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
