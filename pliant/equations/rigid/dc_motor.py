"""DC motor behind a gear, as a soft constraint on the joint's rate.

The motor turns n times as fast as the joint and carries a rotor of inertia J, which the joint feels n^2-fold:

    torque at the joint = n k_t (U - k_e n w) / R - n^2 J dw/dt

Over a step h, implicit in w: lambda = h n k_t U / R - h c w - n^2 J (w - w_old), c = n^2 k_t k_e / R. With the sum
S = h c + n^2 J it is the soft constraint w + bias + gamma lambda = 0,

    gamma = 1 / S,   bias = -(h n k_t U / R + n^2 J w_old) / S

stable at any step, since back-EMF and rotor only ever add to the mass that the joint shows. Without load it ends at
w = U / (n k_e); a load inertia I reaches it with the time constant (I + n^2 J) / c.

Source: [PaperB] reference 6 (electric drives of virtual robots)
Check: tests/exact/test_dc_motor.py
"""

from ..._jit import kernel


@kernel
def dc_motor_row(torque_per_volt, voltage, c, reflected_inertia, w_old, h):
    """(bias [rad/s], gamma [1/(kg m2)]) of the motor's row; gamma is zero when back-EMF and rotor both are."""
    S = h * c + reflected_inertia
    if S == 0.0:
        return 0.0, 0.0
    return -(h * torque_per_volt * voltage + reflected_inertia * w_old) / S, 1.0 / S
