"""DC motor behind a gear, as a soft constraint on the joint's rate.

The motor turns n times as fast as the joint and carries a rotor of inertia J, which the joint feels n^2-fold. Its current i
gives the torque, and accelerates the rotor first; what is left acts on the joint:

    torque = n k_t i = n k_t (U - k_e n w) / R,   at most what a limit of the current leaves
    on the joint: torque - n^2 J dw/dt

A bound on the sum of both would let the motor give more than its current can, by what the rotor takes. So they are two soft
constraints w + bias + gamma lambda = 0 on the joint's rate, implicit in w over a step h. Of the torque, within the bounds,
lambda = h n k_t U / R - h c w with c = n^2 k_t k_e / R; of the rotor, without bounds, lambda = -n^2 J (w - w_old):

    torque   gamma = 1 / (h c),     bias = -(n k_t U / R) / c
    rotor    gamma = 1 / (n^2 J),   bias = -w_old

Both are stable at any step, since back-EMF and rotor only ever add to the mass that the joint shows. Without load it ends at
w = U / (n k_e); a load inertia I reaches it with the time constant (I + n^2 J) / c, and at the bound M of the torque gains
M / (I + n^2 J) a second.

BDF2 (carried_impulse.py) starts masses from (4 w_n - w_n-1) / 3 in place of w_old = w_n, the rotor too. Its last change of
rate is that of its carried impulse j = -n^2 J (w_n - w_n-1), so that its bias grows by j / (3 n^2 J).

Source: [PaperB] reference 6 (electric drives of virtual robots)
Check: tests/exact/test_dc_motor.py
"""

from ..._jit import kernel


@kernel
def dc_motor_row(torque_per_volt, voltage, c, h):
    """(bias [rad/s], gamma [1/(kg m2)]) of the torque; gamma is zero when the back-EMF is."""
    if c == 0.0:
        return 0.0, 0.0
    return -torque_per_volt * voltage / c, 1.0 / (h * c)


@kernel
def rotor_row(reflected_inertia, w_old):
    """The same of the rotor."""
    return -w_old, 1.0 / reflected_inertia


@kernel
def rotor_goes_on(reflected_inertia, carried):
    """What BDF2 adds to its bias [rad/s] for its carried impulse [N m s]."""
    return carried / (3.0 * reflected_inertia)
