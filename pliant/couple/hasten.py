"""Newton's method hastened where it goes slowly: of its last steps, the mix whose links would have turned least.

What it leaves out of its matrix, so that this stays positive, makes it converge by a factor a step where a rope is bent
sharply, or not at all: errors then come back by the same share of themselves each time. Steps x_i -> F_i show these shares,
and lead to where they would end,

    F - sum t_i (F - F_i),   |r - sum t_i (r - r_i)| least,   r = F - x

the secant method for many unknowns, by the last step and three before. Turning decides on t: it is what is slow.

Source: [Anderson1965]
Check: tests/ropes/test_direct_nets.py
"""

from .._jit import kernel, merged
from ..math.mat3 import sym_inverse
from ..math.sym3 import sym_mul
from ..math.vec3 import add_scaled, dot, load, store, sub
from ..model.bodies import DRIVEN
from ..model.rows import FOUND, STRIDE, TRIED
from .ports import load_at, store_at
from .predict import move_from

DEPTH, WIDTH = 3, 9
"""Steps that are kept, and their columns."""
FARTHEST = 8.0
"""All t together are within as many times a step [-]."""
ALIKE = 1e-12
"""Steps that differ by no more than the root of this from each other are the same [-]."""


@merged
def note_guess(movers, islands, i):
    """Writes: movers.start.tried"""
    tried, motion = movers.start.tried, movers.motion
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store_at(tried, k, TRIED, load(motion.velocity, k))
        store_at(tried, k, TRIED + 3, load(motion.angular_velocity, k))


@merged
def hasten(movers, islands, i, step, steps):
    """Go to the mix of this step of Newton's method and those before, of which `steps` were kept. Writes: motion, tried"""
    t = shares(movers, islands, i, steps)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN:
            mix(movers.start.tried, movers.motion, k, t, steps)
    if steps > 0:
        move_from(movers, islands, i, step)


@merged
def shares(movers, islands, i, steps):
    """t of the steps before, (3,) [-]; none of those that were not kept."""
    tried, motion = movers.start.tried, movers.motion
    xx, yy, zz, xy, xz, yz, x, y, z = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        r = sub(load(motion.angular_velocity, k), load_at(tried, k, TRIED + 3))
        a, b, c = apart(tried, k, r, 0, steps), apart(tried, k, r, 1, steps), apart(tried, k, r, 2, steps)
        xx, yy, zz = xx + dot(a, a), yy + dot(b, b), zz + dot(c, c)
        xy, xz, yz = xy + dot(a, b), xz + dot(a, c), yz + dot(b, c)
        x, y, z = x + dot(r, a), y + dot(r, b), z + dot(r, c)
    most = max(xx, max(yy, zz))
    if most == 0.0:
        return 0.0, 0.0, 0.0
    s = ALIKE * most
    t = sym_mul(sym_inverse((xx + s, yy + s, zz + s, xy, xz, yz)), (x, y, z))
    far = max(1.0, (abs(t[0]) + abs(t[1]) + abs(t[2])) / FARTHEST)
    return t[0] / far, t[1] / far, t[2] / far


@kernel
def apart(tried, k, r, slot, steps):
    """r - r_i of body `k` [rad/s]."""
    return sub(r, load_at(tried, k, STRIDE + WIDTH * slot)) if slot < steps else (0.0, 0.0, 0.0)


@kernel
def mix(tried, motion, k, t, steps):
    """Of body `k`. Writes: motion, tried at `k`"""
    v, w = load(motion.velocity, k), load(motion.angular_velocity, k)
    new_v, new_w = v, w
    for slot in range(min(steps, DEPTH)):
        at = FOUND + WIDTH * slot
        new_v = add_scaled(new_v, -t[slot], sub(v, load_at(tried, k, at)))
        new_w = add_scaled(new_w, -t[slot], sub(w, load_at(tried, k, at + 3)))
    store(motion.velocity, k, new_v)
    store(motion.angular_velocity, k, new_w)
    at = WIDTH * (steps % DEPTH)
    store_at(tried, k, STRIDE + at, sub(w, load_at(tried, k, TRIED + 3)))
    store_at(tried, k, FOUND + at, v)
    store_at(tried, k, FOUND + at + 3, w)
