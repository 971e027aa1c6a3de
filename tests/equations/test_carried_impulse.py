"""The work of carried impulses is the change of kinetic energy, exactly, in any mixture of BDF2 and implicit Euler."""

import numpy as np

from pliant.equations.rigid.carried_impulse import carried_impulse


def test_works_add_up_to_the_kinetic_energy():
    """Oracle: the scheme itself, in matrices: three masses under five random forces; only rounding may remain."""
    rng, h = np.random.default_rng(7), 0.01
    mass, directions = rng.uniform(0.5, 2.0, 3), rng.normal(size=(5, 3))
    v, before, carried, work = rng.normal(size=3), np.zeros(3), np.zeros(5), np.zeros(5)
    start, size = 0.5 * mass @ v**2, 0.0
    for n in range(50):
        b = 1.0 if n == 0 or n % 13 == 0 else 2.0 / 3.0
        forces = rng.normal(size=5) * (1.0 if n > 10 else 100.0)
        led = v if b == 1.0 else (4.0 * v - before) / 3.0
        after = led + b * h * (forces @ directions) / mass
        carried = np.array([carried_impulse(one, b * h * f, b) for one, f in zip(carried, forces, strict=True)])
        each = 0.5 * carried * (directions @ (v + after))
        work, size = work + each, size + np.abs(each).sum()
        v, before = after, v
    assert abs(0.5 * mass @ v**2 - start - work.sum()) < 1e-13 * size
