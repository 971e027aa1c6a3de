"""What a rope of impulses says of itself: forces by the impulses of the last substep, moments by bend and twist."""

from ..._jit import entry, kernel
from ...equations.rod.bend_twist_torque import moment
from ...equations.rod.darboux_vector import relative
from ...math.quat import load4
from ...math.vec3 import load, sub
from ...model.bodies import Motion
from ...model.point_ropes import (
    BEND,
    ELEMENT,
    ELEMENTS,
    LENGTH,
    MOMENT,
    REST,
    ROW,
    SHEAR_FORCE,
    STRETCHING,
    TENSION,
    PointRopeReadings,
    PointRopes,
    PointRopeState,
)
from ..projection.columns import load_at, store_at
from ..projection.read import elastic_energy, read_bends


@kernel
def read_sweep(ropes, state, motion, readings, k, h):
    """After a substep of `h` [s]. Writes: readings.row of rope k"""
    table, impulse = readings.row, state.impulse
    for j in range(ropes.rope[k, ELEMENTS]):
        row, left = ropes.rope[k, ROW] + j, ropes.rope[k, ELEMENT] + j
        table[row, TENSION] = -impulse[row, STRETCHING + 2] / h
        for c in range(2):
            length = ropes.row[row, LENGTH]
            table[row, SHEAR_FORCE + c] = -impulse[row, c] / (length * h) if length > 0.0 else 0.0
        if j + 1 < ropes.rope[k, ELEMENTS]:
            q = load4(motion.quaternion, left)
            spin = sub(load(motion.angular_velocity, left + 1), load(motion.angular_velocity, left))
            m = moment(relative(q, load4(motion.quaternion, left + 1)), q, spin, load_at(ropes.row, row, BEND),
                       load_at(ropes.row, row, REST), ropes.damping[k])
            store_at(table, row, MOMENT, m)
    read_bends(ropes, motion, readings, k)


@entry
def read_sweep_alone(ropes: PointRopes, state: PointRopeState, motion: Motion, readings: PointRopeReadings, k: int,
                     h: float) -> float:
    """The readings of a rope that is alone; returns its elastic energy [J]. Writes: readings of rope k"""
    read_sweep(ropes, state, motion, readings, k, h)
    return elastic_energy(ropes, motion, k)
