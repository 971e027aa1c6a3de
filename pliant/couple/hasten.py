"""Newton's method hastened where it goes slowly: of its last two steps, the mix whose links would have turned least.

What it leaves out of its matrix, so that this stays positive, makes it converge by a factor a step where a rope is bent
sharply, or not at all: errors then come back by the same share of themselves each time. Two steps x_1 -> F_1 and x_2 -> F_2
show that share, and lead to where they would end,

    F_2 - t (F_2 - F_1),   t = r_2.(r_2 - r_1) / |r_2 - r_1|^2,   r = F - x

the secant method for many unknowns. Turning decides on t: it is what is slow.

Source: [Anderson1965] of which this is the shortest
Check: tests/ropes/test_direct_nets.py
"""

from .._jit import kernel, merged
from ..math.vec3 import add_scaled, dot, load, store, sub
from ..model.bodies import DRIVEN
from ..model.rows import FOUND, STRIDE, TRIED
from .ports import load_at, store_at
from .predict import move_from

FARTHEST = 8.0
"""t is within as many times a step [-]."""


@merged
def note_guess(movers, islands, i):
    """Writes: movers.start.tried"""
    tried, motion = movers.start.tried, movers.motion
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store_at(tried, k, TRIED, load(motion.velocity, k))
        store_at(tried, k, TRIED + 3, load(motion.angular_velocity, k))


@merged
def hasten(movers, islands, i, step, fresh):
    """Go to the mix of this step of Newton's method and the last, unless this is the first, `fresh`. Writes: motion, tried"""
    tried, motion = movers.start.tried, movers.motion
    along, whole = 0.0, 0.0
    if not fresh:
        for m in range(islands.first_body[i], islands.first_body[i + 1]):
            k = islands.body[m]
            r = sub(load(motion.angular_velocity, k), load_at(tried, k, TRIED + 3))
            d = sub(r, load_at(tried, k, STRIDE))
            along += dot(r, d)
            whole += dot(d, d)
    t = min(max(along / whole, -FARTHEST), FARTHEST) if whole > 0.0 else 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.kind[k] != DRIVEN:
            mix(tried, motion, k, t)
    if t != 0.0:
        move_from(movers, islands, i, step)


@kernel
def mix(tried, motion, k, t):
    """Of body `k`. Writes: motion, tried at `k`"""
    v, w = load(motion.velocity, k), load(motion.angular_velocity, k)
    store_at(tried, k, STRIDE, sub(w, load_at(tried, k, TRIED + 3)))
    if t != 0.0:
        store(motion.velocity, k, add_scaled(v, -t, sub(v, load_at(tried, k, FOUND))))
        store(motion.angular_velocity, k, add_scaled(w, -t, sub(w, load_at(tried, k, FOUND + 3))))
    store_at(tried, k, FOUND, v)
    store_at(tried, k, FOUND + 3, w)
