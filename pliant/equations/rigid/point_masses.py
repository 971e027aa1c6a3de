"""Point masses as if they were rigid: how they move with their momentum and angular momentum, and where that takes them.

Of masses m at x that move by v, with M the sum of them and x_c their centre, r = x - x_c,

    v_c = sum m v / M      L = sum r x m v      I = sum m (r.r 1 - r r^T)      w = I^-1 L

the rigid motion v_c + w x r has their momentum and angular momentum, and of all motions that do the least kinetic energy: what
else they do is orthogonal to it. In h it takes them to x_c + h v_c + R r, R the turn by h w. Points in a line leave one axis of
I open: they do not turn about it. Bodies among them bring inertia and spin of their own.

Source: [Newton] the laws of motion
Check: tests/soft/test_no_energy_from_nothing.py
"""

import numpy as np


def momenta(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray, spins: np.ndarray | None = None,
            rates: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arms from the centre of mass [m] (n, 3), its velocity [m/s] and the angular velocity [rad/s] of masses [kg] (n,).

    Bodies among them have inertia of their own, `spins` [kg m2] (k, 3, 3), and turn at `rates` [rad/s] (k, 3).
    """
    whole = mass.sum() or 1.0  # nothing that is free has no momentum
    arm, mean = position - mass @ position / whole, mass @ velocity / whole
    spin = levered(arm, mass[:, None] * velocity)
    inertia = inertia_of(arm, mass)
    if spins is not None and rates is not None:
        spin, inertia = spin + np.einsum("kij,kj->i", spins, rates), inertia + spins.sum(axis=0)
    return arm, mean, _rate(inertia, spin)


def levered(arm: np.ndarray, push: np.ndarray) -> np.ndarray:
    """Sum of arm x push (3,) over the rows of both (n, 3); `np.cross` takes ten times as long for some hundred."""
    product = arm.T @ push
    return np.array([product[1, 2] - product[2, 1], product[2, 0] - product[0, 2], product[0, 1] - product[1, 0]])


def around(rate: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """rate x arm (n, 3), for each row of `arm`."""
    x, y, z = rate.tolist()
    return arm @ np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])


def _rate(inertia: np.ndarray, spin: np.ndarray) -> np.ndarray:
    """Angular velocity [rad/s] of angular momentum `spin` [kg m2/s]; points in a line leave one axis open, and what is not
    finite does not turn."""
    if not (np.isfinite(inertia).all() and np.isfinite(spin).all()):
        return np.zeros(3)
    return np.linalg.lstsq(inertia, spin, rcond=1e-9)[0]


def inertia_of(arm: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Of point masses [kg] (n,) at arms [m] (n, 3) [kg m2] (3, 3)."""
    return float(mass @ (arm**2).sum(axis=1)) * np.eye(3) - arm.T @ (mass[:, None] * arm)


def spin_of(position: np.ndarray, momentum: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Angular momentum [kg m2/s] (3,) about the centre of masses [kg] (n,) of momenta [kg m/s] (n, 3)."""
    return levered(position - mass @ position / mass.sum(), momentum)


def turned_more(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray, spin: np.ndarray) -> np.ndarray:
    """Velocities [m/s] (n, 3) of point masses [kg] (n,), all turning by as much more as they lack of `spin` [kg m2/s] (3,)."""
    arm, lacks = position - mass @ position / mass.sum(), spin - spin_of(position, mass[:, None] * velocity, mass)
    return velocity + around(_rate(inertia_of(arm, mass), lacks), arm)


def rigid_motion(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Velocities [m/s] (n, 3) of the rigid motion with the momentum and angular momentum of point masses [kg] (n,)."""
    if mass.sum() == 0.0:
        return velocity
    arm, mean, turning = momenta(position, velocity, mass)
    return mean + around(turning, arm)


def turned_ahead(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray, h: float) -> np.ndarray:
    """Where point masses come to in `h` [s] [m] (n, 3) by that motion, which leaves their shape as it is.

    By half a turn or more nobody can tell where they come to: then they are not turned.
    """
    arm, mean, turning = momenta(position, velocity, mass)
    by = h * turning
    return position - arm + h * mean + (turned_by(arm, by) if np.abs(by).max() < np.pi else arm)


def turned_at_its_end(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray, h: float) -> np.ndarray:
    """The same at the rate that their angular momentum has where that leads: of free bodies that tumble, energy falls so."""
    arm, mean, turning = momenta(position, velocity, mass)
    if not np.abs(h * turning).max() < np.pi:
        return position + h * mean
    spin = spin_of(position, mass[:, None] * velocity, mass)
    return position - arm + h * mean + turned_by(arm, h * _rate(inertia_of(turned_by(arm, h * turning), mass), spin))


def turned_by(arms: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Vectors (n, 3) turned by a rotation vector [rad], after Rodrigues; by what is not finite they are not."""
    angle = float(np.linalg.norm(by))
    if not 0.0 < angle < np.inf:
        return arms
    axis = by / angle
    return np.cos(angle) * arms + np.sin(angle) * around(axis, arms) + (1.0 - np.cos(angle)) * np.outer(arms @ axis, axis)
