"""Spring between points of two bodies: its length and how that changes.

    G = |P_i P_j| - l0,   n = P_i P_j / |P_i P_j|
    dG/dt = n.(v_j + w_j x r_j - v_i - w_i x r_i)

At zero length the direction is undefined. The spring then takes the direction in which its ends part (their relative
velocity), and the world's z axis if they do not part either: a spring of zero rest length passes through zero smoothly,
one with a rest length pushes its ends apart the way they are going.

A spring that turns grows by the curvature that one linearisation leaves out: in a step h by h^2 |v_t|^2 / (2 l), v_t the
part of the ends' relative velocity across it. The paper drops the term; a strong damper, which holds the length only
along its tangent, then lets it creep outwards for ever. Along a line it is zero, and the paper's step is unchanged.

Where a step has been taken and is taken again from its end, the growth is known and need not be foreseen: with the length l'
at the end and l at the start, h J V + (l' - h J V - l) is what the length really changes by, and the damper resists
(l' - l) / h.

Source: [PaperB] equations 1, 2 and the Jacobians after 13
Check: tests/equations/test_distance_spring.py
"""

from ..._jit import kernel
from ...math.vec3 import cross, dot, norm, normalize, scale


@kernel
def distance_row(d, r_a, r_b, parting):
    """Length [m] of `d` = P_j - P_i and its Jacobian (n, arm_a, arm_b); `parting` [m/s] is the velocity of d."""
    length = norm(d)
    n = scale(1.0 / length, d) if length > 1e-9 else normalize(parting)
    return length, n, cross(r_a, n), cross(r_b, n)


@kernel
def lengthening(length, n, parting, h):
    """Growth [m] in a step of a turning spring beyond h J V: h^2 |v_t|^2 / (2 l)."""
    if length <= 1e-9:
        return 0.0
    along = dot(n, parting)
    return 0.5 * h * h * max(dot(parting, parting) - along * along, 0.0) / length
