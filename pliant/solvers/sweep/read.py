"""What a rope of impulses says of itself: forces by its impulses, moments by bend and twist."""

from ..._jit import kernel
from ...equations.rod.bend_twist_torque import moment
from ...equations.rod.darboux_vector import relative
from ...math.quat import load4
from ...math.vec3 import add_scaled, load, sub
from ...model.point_ropes import BEND, ELEMENT, ELEMENTS, LENGTH, MOMENT, REST, ROW, SHEAR_FORCE, STRETCHING, TENSION
from ..projection.columns import load_at, store_at


@kernel
def note_moments(ropes, state, motion, k, h, dt):
    """What explicit torques of a substep `h` [s] that is about to begin add to the means of a step `dt` [s].

    Writes: state.mean of rope k
    """
    for j in range(ropes.rope[k, ELEMENTS] - 1):
        row, left = ropes.rope[k, ROW] + j, ropes.rope[k, ELEMENT] + j
        q = load4(motion.quaternion, left)
        spin = sub(load(motion.angular_velocity, left + 1), load(motion.angular_velocity, left))
        m = moment(relative(q, load4(motion.quaternion, left + 1)), q, spin, load_at(ropes.row, row, BEND),
                   load_at(ropes.row, row, REST), ropes.damping[k])
        store_at(state.mean, row, MOMENT, add_scaled(load_at(state.mean, row, MOMENT), h / dt, m))


@kernel
def note_sweep(ropes, state, k, dt):
    """What impulses of a substep add to the means of a step `dt` [s]. Writes: state.mean of rope k"""
    for j in range(ropes.rope[k, ELEMENTS]):
        row = ropes.rope[k, ROW] + j
        state.mean[row, TENSION] -= state.impulse[row, STRETCHING + 2] / dt
        length = ropes.row[row, LENGTH]
        for c in range(2):
            state.mean[row, SHEAR_FORCE + c] -= state.impulse[row, c] / (length * dt) if length > 0.0 else 0.0
