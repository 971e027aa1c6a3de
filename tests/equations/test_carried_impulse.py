"""The work of carried impulses is the change of kinetic energy, exactly, in any mixture of BDF2 and implicit Euler."""

import numpy as np

from pliant.equations.rigid.carried_impulse import carried_impulse, jolt_way


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


def test_a_jolt_moves_what_is_borne_meanwhile():
    """A weight and a drawn spring are driven at straight pieces, by implicit Euler where these begin, or not, and by BDF2 else.

    Oracle: what is given is m v^2 / 2 with m g x or k x^2 / 2, and only rounding may remain; of the spring in its first jolt
    alone, for as long as nobody is exact for what it does in BDF2. The third piece begins while BDF2 is still at the second.
    """
    mass, gravity, stiffness, h, none = 3.0, 9.81, 70.0, 0.01, 0.0
    for weight, k in ((mass * gravity, none), (none, stiffness)):
        x, before, speed, last, felt, work = 0.5, 0.0, 0.0, 0.0, 0.0, 0.0
        borne, carried, start = weight + k * x, (weight + k * x) * h, weight * x + 0.5 * k * x * x
        for n in range(60):
            last, speed = speed, (0.0 if n < 10 else 1.5 if n < 40 else 1.2 if n < 41 else -0.2)
            b = 1.0 if n in (0, 10, 11, 41, 42) else 2.0 / 3.0
            led = speed if b == 1.0 else 1.5 * speed - 0.5 * last
            x += h * speed
            from_before = felt if b == 1.0 else (4.0 * felt - before) / 3.0
            carried = carried_impulse(carried, mass * (led - from_before) + b * h * (weight + k * x), b)
            work += 0.5 * carried * (felt + led)
            if b == 1.0:
                work += borne * jolt_way((0.0, 0.0, last), (0.0, 0.0, speed), h)[2]
            if abs(led - felt) < 1e-12:
                borne = carried / h
            before, felt = felt, led
            if n <= 10 or (k == 0.0 and n != 40):
                energy = 0.5 * mass * felt**2 + weight * x + 0.5 * k * x * x
                assert abs(energy - start - work) < 1e-12 * energy
