"""Free rotation: momentum and energy to rounding, flips and precession against Euler's and Jacobi's closed forms."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

import pliant as pl
from pliant.equations.rigid.free_rotation import turn

EPS = np.finfo(float).eps
INERTIA = (1.0, 2.0, 3.0)
FLIPPING = (0.0, 4.0, 0.05)  # [rad/s] about the middle axis, a little off


def spinning(inertia, w, dt: float, quaternion=(1.0, 0.0, 0.0, 0.0)) -> pl.World:
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(
        pl.Body("top", pl.Box(1, 1, 1), mass=2.0, inertia=inertia, angular_velocity=w, quaternion=quaternion, collide=False)
    )
    return pl.World(scene, dt=dt, substeps=1, threads=1)


def attitude(world) -> Rotation:
    return Rotation.from_quat(world["top"].quaternion, scalar_first=True)


def momentum(world, inertia) -> np.ndarray:
    """World frame [kg m2/s]."""
    R = attitude(world)
    return R.apply(inertia * R.inv().apply(world["top"].angular_velocity))


@pytest.mark.parametrize("rate", [1.0, 30.0, 1000.0], ids=lambda r: f"{r:g} rad-s")
def test_energy_and_momentum_to_rounding(rate):
    """10^4 steps of 1/60 s, slow and very fast: both drift by no more than the rounding of so many turns.

    A step may be cut into as many as 4 h |w| (I_max / I_min - 1) turns; each rounds some ten times.
    """
    steps, h, inertia = 10_000, 1.0 / 60.0, np.array(INERTIA)
    w = rate * np.array([0.3, 0.9, -0.4])
    world = spinning(INERTIA, w, h, quaternion=(0.5, 0.5, -0.5, 0.5))
    L, E = momentum(world, inertia), world.energy().kinetic
    turns = steps * max(1.0, np.ceil(4.0 * h * np.linalg.norm(w) * 2.0))
    if turns > 1e6:
        steps, turns = steps // 100, turns / 100
    for _ in range(steps):
        world.step()
    tolerance = 10.0 * turns * EPS
    assert tolerance < 1e-8
    assert np.linalg.norm(momentum(world, inertia) - L) <= tolerance * np.linalg.norm(L)
    assert abs(world.energy().kinetic - E) <= tolerance * E
    assert abs(np.linalg.norm(world["top"].quaternion) - 1.0) <= 8 * EPS


def elliptic(inertia, w) -> tuple[float, float, np.ndarray]:
    """(rate [1/s], parameter m, largest angular velocities [rad/s]) of Jacobi's functions, I_1 < I_2 < I_3, M^2 > 2 E I_2.

    [Landau and Lifshitz, Mechanics, section 37]
    """
    I1, I2, I3 = inertia
    E2, M2 = np.dot(inertia, np.square(w)), np.dot(np.square(inertia), np.square(w))
    assert M2 > E2 * I2, "started on the other side of the separatrix"
    rate, m = np.sqrt((I3 - I2) * (M2 - E2 * I1) / (I1 * I2 * I3)), (I2 - I1) * (E2 * I3 - M2) / ((I3 - I2) * (M2 - E2 * I1))
    top = [(E2 * I3 - M2) / (I1 * (I3 - I1)), (E2 * I3 - M2) / (I2 * (I3 - I2)), (M2 - E2 * I1) / (I3 * (I3 - I1))]
    return rate, m, np.sqrt(top)


def jacobi(t, inertia, w) -> np.ndarray:
    """Angular velocity [rad/s] in body axes at times `t`, started at `w` with w_1 = 0, w_2 > 0, w_3 > 0."""
    rate, m, top = elliptic(inertia, w)
    sn, cn, dn, _ = ellipj(rate * t + ellipk(m), m)  # a quarter of a period on, where cn = 0
    return np.array([top[0] * cn, top[1] * sn, top[2] * dn]).T


def period(inertia, w) -> float:
    """Of the angular velocity in body axes [s]; the body flips twice in it."""
    rate, m, _ = elliptic(inertia, w)
    return 4.0 * ellipk(m) / rate


def history(h: float, seconds: float) -> np.ndarray:
    """Angular velocities in body axes after each step of `h` [s], the start first."""
    world = spinning(INERTIA, FLIPPING, h)
    out = [np.array(FLIPPING)]
    for _ in range(round(seconds / h)):
        world.step()
        out.append(attitude(world).inv().apply(world["top"].angular_velocity))
    return np.array(out)


def crossings(w: np.ndarray, h: float) -> np.ndarray:
    """Times [s] when the spin about the middle axis changes sign, by a cubic with Euler's own slopes."""
    slope = (INERTIA[2] - INERTIA[0]) / INERTIA[1] * w[:, 2] * w[:, 0]
    times = []
    for k in np.flatnonzero(w[:-1, 1] * w[1:, 1] < 0.0):
        a, b, p, q = w[k, 1], w[k + 1, 1], h * slope[k], h * slope[k + 1]
        roots = np.roots([2 * a - 2 * b + p + q, -3 * a + 3 * b - 2 * p - q, p, a])
        times.append(h * (k + next(r.real for r in roots if abs(r.imag) < 1e-9 and -1e-9 <= r.real <= 1 + 1e-9)))
    return np.array(times)


def test_t_handle_flips_as_jacobi_says():
    """Flip period against 4 K(m) / rate; the error falls as h^2 and is what two step sizes say of each other."""
    T = period(INERTIA, FLIPPING)
    found = []
    for h in (0.01, 0.005):
        times = crossings(history(h, 2.2 * T), h)
        assert len(times) == 4  # two flips a period
        found.append((times[2] - times[0], np.diff(times)))
    coarse, fine = found[0][0], found[1][0]
    estimate = abs(coarse - fine) / 3.0
    assert 3.5 <= (coarse - T) / (fine - T) <= 4.5
    assert abs(fine - T) <= 1.2 * estimate <= 1e-3 * T
    np.testing.assert_allclose(found[1][1], 0.5 * T, rtol=2e-3)


def test_angular_velocity_follows_jacobi():
    """At every step over a whole period: order 2, and Richardson's extrapolation is nearer by far."""
    seconds = 1.0 * period(INERTIA, FLIPPING)
    coarse, fine = history(0.01, seconds), history(0.005, seconds)
    exact = jacobi(0.01 * np.arange(len(coarse)), INERTIA, FLIPPING)
    fine = fine[::2][:len(coarse)]
    coarse, exact = coarse[:len(fine)], exact[:len(fine)]
    errors = [abs(w - exact).max() for w in (coarse, fine, fine + (fine - coarse) / 3.0)]
    assert 3.5 <= errors[0] / errors[1] <= 4.5
    assert errors[2] <= 0.1 * errors[1] and errors[1] <= 0.01 * 4.0


def test_symmetric_top_precesses():
    """R(t) = exp(t L / I_1) R(0) exp(t (1/I_3 - 1/I_1) M_3 e_3): order 2, by Richardson to 1e-6 rad."""
    inertia, w, seconds = np.array([2.0, 2.0, 3.0]), np.array([0.6, -0.3, 4.0]), 6.0
    start = Rotation.from_euler("xyz", [0.3, -0.8, 1.1])
    L = start.apply(inertia * w)
    along = inertia[2] * w[2] * (1.0 / inertia[2] - 1.0 / inertia[0])
    exact = Rotation.from_rotvec(seconds * L / inertia[0]) * start * Rotation.from_rotvec([0.0, 0.0, seconds * along])
    off = []
    for h in (0.01, 0.005):
        world = spinning(tuple(inertia), start.apply(w), h, start.as_quat(scalar_first=True))
        for _ in range(round(seconds / h)):
            world.step()
        off.append((attitude(world) * exact.inv()).as_rotvec())
        axis, rate = attitude(world).apply([0, 0, 1]), attitude(world).inv().apply(world["top"].angular_velocity)
        # angles that the closed form keeps: between the axis and L, and the spin about the axis
        assert abs(np.dot(axis, L) / np.linalg.norm(L) - inertia[2] * w[2] / np.linalg.norm(L)) <= 1e-11
        assert abs(rate[2] - w[2]) <= 1e-11 * w[2]
    coarse, fine = (np.linalg.norm(v) for v in off)
    assert 3.5 <= coarse / fine <= 4.5 and fine <= 0.01
    assert np.linalg.norm(off[1] + (off[1] - off[0]) / 3.0) <= 1e-6


@pytest.mark.parametrize("inertia", [(1.0, 1.0, 1.0), (1.0, 2.0, 3.0)], ids=["ball", "box"])
def test_spin_about_a_principal_axis_stays(inertia):
    """The axis and the speed stay to rounding, about each of the three axes, the middle one too."""
    for k in range(3):
        q, w = (1.0, 0.0, 0.0, 0.0), tuple(7.0 * c for c in np.eye(3)[k])
        for _ in range(100):
            q, now = turn(q, w, inertia, tuple(1.0 / np.array(inertia)), 0.01)
            assert np.linalg.norm(np.subtract(now, w)) <= 100 * 10 * EPS * 7.0


def test_a_ball_turns_by_its_angular_velocity():
    """All moments alike: R(t) = exp(t w) exactly."""
    w, q = np.array([1.0, -2.0, 0.5]), (1.0, 0.0, 0.0, 0.0)
    for _ in range(100):
        q, _ = turn(q, tuple(w), (2.0, 2.0, 2.0), (0.5, 0.5, 0.5), 0.01)
    off = Rotation.from_quat(q, scalar_first=True) * Rotation.from_rotvec(w).inv()
    assert off.magnitude() <= 100 * 8 * EPS
