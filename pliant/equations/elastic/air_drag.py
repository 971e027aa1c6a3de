"""The drag of moving air on a triangle of cloth, as an impulse that never overshoots.

Air of density rho that streams with velocity u against a thin plate of area A and unit normal n pushes across it by its
stagnation pressure and along it by friction on both sides:

    F = rho/2 A ( c_n |u.n| (u.n) n + c_t |u| u_t ),      u_t = u - (u.n) n,   u = wind - velocity

Both terms are of the form F = k u with a rate k that depends on |u|. A light cloth in a strong wind would overshoot if the
impulse were h k u; with k as the substep began, and u at its end, a triangle of mass m gets

    J = h k / (1 + h k / m) u*,       u* = u with the velocity after all other forces of the substep

which leaves u = u* / (1 + h k/m), of the same sign for any h, and is J = h k u: the law itself, at the end of the substep.
All other forces are those of what holds the cloth too, which answer the drag: u* is found with them (couple/soft/air.py).

    u [m/s], A [m2], rho = 1.2 kg/m3, c_n = 1.2 across, c_t = 0.02 along [-]

Source: [Hoerner1965] chapter 3, flat plates across the stream (c_n 1.17 to 1.28), chapter 2, friction (2 x 0.005 to 2 x 0.015)
Check: tests/soft/test_world_wind.py
"""

from ..._jit import kernel
from ...math.vec3 import add, dot, norm, scale, sub

AIR = 1.2
ACROSS = 1.2
ALONG = 0.02


@kernel
def air_impulse(normal, area, mass, before, now, h):
    """Impulse [N s] on a triangle through `h` [s]; `before`, `now`: u as the substep began, and after all other forces."""
    push = 0.5 * AIR * ACROSS * area * abs(dot(before, normal))
    rub = 0.5 * AIR * ALONG * area * norm(before)
    across = scale(dot(now, normal), normal)
    along = sub(now, across)
    return add(scale(h * push / (1.0 + h * push / mass), across), scale(h * rub / (1.0 + h * rub / mass), along))
