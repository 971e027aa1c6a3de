"""Rows of joints: what a joint forbids, with exact Jacobians.

A joint carries a frame on the parent (axes x_a, y_a, z_a, anchor P_a) and one on the child (x_b, y_b, z_b, P_b) that
coincide when all its coordinates are zero; z is its axis. With d = P_b - P_a two kinds of rows make every joint:

    travel    e.d            e an axis of the parent's frame
              rate: e.(v_b + w_b x r_b - v_a - w_a x (r_a + d)),  r from the centre of mass to P
    tilt      e_a.f_b        e an axis of the parent's, f one of the child's, at right angles when unbroken
              rate: (w_b - w_a).(f_b x e_a)

The lever of the parent reaches to P_b, because its axis e turns with it. As every pair row obeys translation
invariance, a Jacobian is written (n, arm_a, arm_b): J V = n.(v_b - v_a) + arm_b.w_b - arm_a.w_a.

While a body turns, its anchor leaves the tangent by h^2/2 w x (w x r) in a step; `bow` gives that term, which is added
to the travel so that a fast arm does not drift outwards.

Source: [PaperB] section 3 and its references 4 and 11 (joints of several kinds)
Check: tests/equations/test_joint_rows.py
"""

from ..._jit import kernel
from ...math.vec3 import add, cross, dot, scale


@kernel
def travel_row(e, d, r_a, r_b):
    """Travel [m] along `e` and its Jacobian (n, arm_a, arm_b)."""
    return dot(e, d), e, cross(add(r_a, d), e), cross(r_b, e)


@kernel
def tilt_row(e_a, f_b):
    """Cosine [-] between two axes and its Jacobian's arm, the same for both bodies."""
    return dot(e_a, f_b), cross(f_b, e_a)


@kernel
def bow(w, r, h):
    """How far [m] an anchor at `r` leaves its tangent in a step: h^2/2 w x (w x r)."""
    return scale(0.5 * h * h, cross(w, cross(w, r)))
