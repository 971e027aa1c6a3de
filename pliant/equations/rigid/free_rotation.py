"""Free rotation of a rigid body over a step: angular momentum and energy are kept exactly.

In body axes the momentum M = R^T L of a body without torque follows dM/dt = M x (I^-1 M). The implicit midpoint rule

    M' = M + h m x (I^-1 m),   m = (M + M') / 2

keeps the quadratic invariants |M|^2 and M.I^-1 M. It is the turn of M by the Cayley transform of the midpoint velocity
W = I^-1 m, so turning the body by the same transform, R' = R cay(h W), keeps L = R M too. The quaternion of cay(h W) is
(1, h W / 2) made unit. W is found by fixed-point iteration, which contracts while h |w| (I_max / I_min - 1) is well
below one; a faster body takes several such turns within the step.

The transform by h W turns by 2 atan(h |W| / 2), a little less than h |W|; taking 2 tan(h |w| / 2) / |w| for h makes the turn
about a principal axis exact and leaves both invariants alone.

The gyroscopic torque never appears as a force, so no step size can make it explode.

Source: [Austin1993] the midpoint rule for the free rigid body and its invariants
Check: tests/exact/test_free_rotation.py
"""

from math import ceil, tan

from ..._jit import kernel
from ...math.quat import from_rotation_vector, qmul, qnormalize, rotate, unrotate
from ...math.vec3 import add_scaled, cross, dot, mul, norm, scale, sub


@kernel
def turn(q, w, inertia, inverse_inertia, h):
    """Orientation and angular velocity (world frame) after `h` [s] of free turning."""
    spread = max(inertia[0], inertia[1], inertia[2]) - min(inertia[0], inertia[1], inertia[2])
    speed = norm(w)
    if spread == 0.0 or speed == 0.0:
        return qnormalize(qmul(from_rotation_vector(scale(h, w)), q)), w
    L = rotate(q, mul(inertia, unrotate(q, w)))
    pace = h * speed * spread / min(inertia[0], inertia[1], inertia[2])
    pieces = min(max(1, int(ceil(4.0 * pace)), int(ceil(h * speed))), 1000)
    piece = 2.0 * tan(0.5 * h / pieces * speed) / speed
    for _ in range(pieces):
        M = unrotate(q, L)
        W = midpoint_velocity(M, inverse_inertia, piece)
        q = qnormalize(qmul(q, (1.0, 0.5 * piece * W[0], 0.5 * piece * W[1], 0.5 * piece * W[2])))
    return q, rotate(q, mul(inverse_inertia, unrotate(q, L)))


@kernel
def midpoint_velocity(M, inverse_inertia, h):
    """I^-1 m [rad/s] in body axes, m the mean of the momentum `M` before and after `h` [s]."""
    m = M
    for _ in range(30):
        W = mul(inverse_inertia, m)
        new = add_scaled(M, 0.5 * h, cross(m, W))
        change = sub(new, m)
        m = new
        if dot(change, change) <= 1e-32 * dot(M, M):
            break
    return mul(inverse_inertia, m)
