"""One spring follows the recurrence of implicit Euler to 1e-12, wherever it points and whatever hangs on it."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import pliant as pl

EPS = np.finfo(float).eps
ROUNDING = 1e-12
DIRECTIONS = {"x": (1.0, 0.0, 0.0), "down": (0.0, 0.0, -1.0), "aslant": (2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0)}


def ball(name: str, position, mass: float, **more) -> pl.Body:
    return pl.Body(name, pl.Sphere(0.05), mass=mass, position=tuple(position), collide=False, **more)


def world_of(*things, dt: float, substeps: int = 1, gravity=(0.0, 0.0, 0.0)) -> pl.World:
    scene = pl.Scene(gravity=gravity)
    for thing in things:
        scene.add(thing)
    return pl.World(scene, dt=dt, substeps=substeps, threads=1)


def implicit_euler(x: float, v: float, k: float, c: float, mass: float, h: float, steps: int, pull: float = 0.0):
    """Yields (x, v) of m x'' = -k x - c x' + m pull after each step."""
    for _ in range(steps):
        v = (v + h * pull - h * k / mass * x) / (1.0 + h * c / mass + h * h * k / mass)
        x += h * v
        yield x, v


@pytest.mark.parametrize("c", [0.0, 7.5, 4000.0], ids=["undamped", "damped", "overdamped"])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_one_spring_is_implicit_euler(direction, c):
    """500 steps, a body on a spring to the world, pointing anywhere."""
    mass, k, h, n = 2.0, 700.0, 1.0 / 240.0, np.array(DIRECTIONS[direction])
    world = world_of(ball("load", 1.5 * n, mass, velocity=tuple(-0.7 * n)),
                     pl.Spring("tether", pl.WORLD, "load", stiffness=k, damping=c, rest_length=1.0), dt=h)
    for x, v in implicit_euler(0.5, -0.7, k, c, mass, h, 500):
        world.step()
        np.testing.assert_allclose(world["load"].position, (1.0 + x) * n, rtol=0, atol=ROUNDING)
        np.testing.assert_allclose(world["load"].velocity, v * n, rtol=0, atol=ROUNDING)
        assert abs(world["tether"].length - 1.0 - x) <= ROUNDING
        assert abs(world["tether"].force - (k * x + c * v)) <= ROUNDING * (k + c)


@pytest.mark.parametrize("substeps", [1, 3, 8])
def test_substeps_are_steps(substeps):
    """A step of h in n substeps is n steps of h / n, and the force read is their mean."""
    mass, k, c, dt = 0.3, 90.0, 0.4, 1.0 / 60.0
    tether = pl.Spring("tether", pl.WORLD, "load", stiffness=k, damping=c, rest_length=1.0)
    world = world_of(ball("load", (0.0, 1.2, 0.0), mass), tether, dt=dt, substeps=substeps, gravity=(0.0, 0.0, 0.0))
    recurrence = implicit_euler(0.2, 0.0, k, c, mass, dt / substeps, 300 * substeps)
    for _ in range(300):
        states = [next(recurrence) for _ in range(substeps)]
        world.step()
        assert abs(world["load"].position[1] - 1.0 - states[-1][0]) <= ROUNDING
        mean = np.mean([k * x + c * v for x, v in states])
        assert abs(world["tether"].force - mean) <= ROUNDING * (k + c)


def test_weight_on_a_spring():
    """With gravity along it the recurrence gains h g, and ends at m g / k."""
    mass, k, c, h, g = 5.0, 800.0, 60.0, 1.0 / 120.0, 9.81
    world = world_of(ball("load", (0.0, 0.0, -1.0), mass), pl.Spring("tether", pl.WORLD, "load", stiffness=k, damping=c),
                     dt=h, gravity=(0.0, 0.0, -g))
    for x, _ in implicit_euler(0.0, 0.0, k, c, mass, h, 1000, pull=g):
        world.step()
        assert abs(-world["load"].position[2] - 1.0 - x) <= ROUNDING
    assert abs(-world["load"].position[2] - 1.0 - mass * g / k) <= ROUNDING
    assert abs(world["tether"].force - mass * g) <= ROUNDING * k


@pytest.mark.parametrize("masses", [(1.0, 1.0), (0.001, 1000.0), (3.0, 0.2)], ids=str)
def test_both_ends_moving_is_the_reduced_mass(masses):
    """Two bodies: the length obeys the recurrence with m_a m_b / (m_a + m_b), their centre of mass goes straight."""
    k, c, h, n = 50.0, 0.3, 1.0 / 240.0, np.array(DIRECTIONS["aslant"])
    m_a, m_b = masses
    drift = np.array([0.1, 0.2, -0.3])
    world = world_of(ball("a", -0.4 * n, m_a, velocity=tuple(drift)), ball("b", 0.9 * n, m_b, velocity=tuple(drift + 0.5 * n)),
                     pl.Spring("tether", "a", "b", stiffness=k, damping=c, rest_length=1.0), dt=h)
    centre, going = (m_b * 0.9 - m_a * 0.4) / (m_a + m_b) * n, drift + m_b / (m_a + m_b) * 0.5 * n
    for step, (x, _) in enumerate(implicit_euler(0.3, 0.5, k, c, m_a * m_b / (m_a + m_b), h, 500), 1):
        world.step()
        a, b = world["a"].position, world["b"].position
        np.testing.assert_allclose(b - a, (1.0 + x) * n, rtol=0, atol=ROUNDING)
        np.testing.assert_allclose((m_a * a + m_b * b) / (m_a + m_b), centre + step * h * going, rtol=0, atol=ROUNDING)


class Tether(NamedTuple):
    """A spring between two balls at rest that starts stretched by 0.1 m; motions z are (v_a, w_a, v_b, w_b) (12,)."""

    k: float
    c: float
    h: float
    x_b: np.ndarray
    levers: np.ndarray
    rest: float
    mass: np.ndarray
    """Mass [kg] or inertia [kg m2] of each number of z."""

    def row(self, z: np.ndarray) -> tuple[float, np.ndarray]:
        """Length [m] and Jacobian (12,) where balls that move by z have come to after h."""
        v_a, w_a, v_b, w_b = z.reshape(4, 3)
        r_a, r_b = (Rotation.from_rotvec(self.h * w).apply(r) for w, r in zip((w_a, w_b), self.levers, strict=True))
        d = self.x_b + r_b - r_a + self.h * (v_b - v_a)
        n = d / np.linalg.norm(d)
        return np.linalg.norm(d), np.concatenate([-n, -np.cross(r_a, n), n, np.cross(r_b, n)])

    def response(self, z: np.ndarray) -> float:
        """J M^-1 J^T [1/kg]."""
        return float((self.row(z)[1] ** 2 / self.mass).sum())

    def lacks(self, z: np.ndarray) -> np.ndarray:
        """z + h (k G' + c (G' - G) / h) M^-1 J'^T with G', J' at the end of the step: zero for implicit Euler.

        The damper resists what the length has changed by: the rate J' z is that along the tangent, where a turning spring
        seems to grow.
        """
        length, J = self.row(z)
        rate = (length - self.row(np.zeros(12))[0]) / self.h
        return z + self.h * (self.k * (length - self.rest) + self.c * rate) * J / self.mass

    def next(self, z: np.ndarray) -> tuple[np.ndarray, float]:
        """Motion and impulse [N s] of the soft constraint, from rest, with J and G linearised where z leads."""
        length, J = self.row(z)
        before = length - self.h * J @ z
        force = self.k * (before - self.rest) + self.c * (before - self.row(np.zeros(12))[0]) / self.h
        impulse = -self.h * force / (1.0 + self.response(z) * self.h * (self.h * self.k + self.c))
        return impulse * J / self.mass, impulse


SWUNG = 1e-4
"""Springs are aimed again until that changes speeds by less [m/s]."""


def tether(rng) -> Tether:
    k, c, h = 10.0 ** rng.uniform(1, 6), 10.0 ** rng.uniform(-1, 3), 10.0 ** rng.uniform(-3, -1)
    (m_a, m_b), x_b = 10.0 ** rng.uniform(-1, 1, 2), np.array([2.0, 0.0, 0.0]) + rng.normal(size=3) * 0.2
    levers = rng.normal(size=(2, 3)) * 0.3
    rest = float(np.linalg.norm(x_b + levers[1] - levers[0])) - 0.1
    return Tether(k, c, h, x_b, levers, rest, np.repeat([m_a, 0.1 * m_a, m_b, 0.1 * m_b], 3))


def test_anchors_off_the_centre():
    """One step of a spring pulling at random points, implicit in its direction and levers too: two oracles.

    Exact: the centres' velocities are the impulse that is read, along J where the balls have come to. And all are near
    the fixed point z = next(z), found by SciPy as the root of `lacks`: aiming again ends when it changes the speed of the
    spring's ends by less than 1e-4 m/s, which is 1e-4 / sqrt(J M^-1 J^T) in the norm of the kinetic energy, and of a map
    that shrinks distances by L the fixed point is at most 1 / (1 - L) times as far away. A spring that is soft across,
    h^2 F / (m L) < 0.02, keeps the direction of the start: draws near that are left out.
    """
    rng, farther, across = np.random.default_rng(15), 0, 0
    while across < 20:
        one = tether(rng)
        weight = np.sqrt(one.mass)
        m_a, i_a, m_b, i_b = one.mass[::3]
        ends = {"at_a": tuple(one.levers[0]), "at_b": tuple(one.levers[1])}
        world = world_of(ball("a", (0, 0, 0), m_a, inertia=(i_a, i_a, i_a)), ball("b", one.x_b, m_b, inertia=(i_b, i_b, i_b)),
                         pl.Spring("tether", "a", "b", stiffness=one.k, damping=one.c, rest_length=one.rest, **ends), dt=one.h)
        world.step()
        if one.h**2 * abs(world["tether"].force) * one.response(np.zeros(12)) / world["tether"].length < 0.03:
            continue
        across += 1
        a, b = world["a"], world["b"]
        found = np.concatenate([a.velocity, a.angular_velocity, b.velocity, b.angular_velocity])

        turns = [Rotation.from_quat(ball.quaternion, scalar_first=True).as_rotvec() for ball in (a, b)]
        moved = np.concatenate([a.position, turns[0], b.position - one.x_b, turns[1]]) / one.h
        pull = -one.h * world["tether"].force * one.row(moved)[1] / weight
        straight = np.tile([True, True, True, False, False, False], 2)
        np.testing.assert_allclose((weight * found)[straight], pull[straight], rtol=0, atol=1e-12 * np.linalg.norm(pull))

        scaled = root(lambda y, one=one, weight=weight: weight * one.lacks(y / weight), pull, tol=1e-14)
        fixed = scaled.x / weight
        assert np.linalg.norm(weight * (one.next(fixed)[0] - fixed)) <= 1e-2 * SWUNG / np.sqrt(one.response(fixed))
        steps = 1e-6 * np.eye(12) / weight
        slope = np.array([weight * (one.next(fixed + e)[0] - one.next(fixed - e)[0]) / 2e-6 for e in steps])
        shrinks = np.linalg.norm(slope, 2)
        assert shrinks < 0.5, "the draw is too violent for a fixed point"
        near = SWUNG / np.sqrt(one.response(fixed)) / (1.0 - shrinks)
        assert np.linalg.norm(weight * (found - fixed)) <= near
        farther += np.linalg.norm(weight * (one.next(np.zeros(12))[0] - fixed)) > 10.0 * near
    assert farther >= 10, "one linearisation at the start would have passed too"


def test_zero_length_is_passed_smoothly():
    """A spring of no rest length, started at no length: the plain oscillator, along its velocity, through zero and back."""
    mass, k, h, n = 1.5, 200.0, 1.0 / 240.0, np.array(DIRECTIONS["aslant"])
    world = world_of(ball("load", (0, 0, 0), mass, velocity=tuple(2.0 * n)),
                     pl.Spring("tether", pl.WORLD, "load", stiffness=k, rest_length=0.0), dt=h)
    signs = set()
    for x, _ in implicit_euler(0.0, 2.0, k, 0.0, mass, h, 400):
        world.step()
        signs.add(np.sign(x))
        np.testing.assert_allclose(world["load"].position, x * n, rtol=0, atol=ROUNDING)
    assert signs >= {-1.0, 1.0}


def test_infinite_stiffness_is_rigid():
    """x' = (x + h v) / (1 + h^2 k / m): at k = 1e15 N/m one step closes any gap to m (|x| + h |v|) / (h^2 k) and rounding."""
    mass, k, h = 2.0, 1e15, 1.0 / 240.0
    world = world_of(ball("load", (1.5, 0, 0), mass, velocity=(3.0, 0, 0)),
                     pl.Spring("tether", pl.WORLD, "load", stiffness=k, rest_length=1.0), dt=h)
    for _ in range(100):
        before = abs(world["tether"].length - 1.0) + h * abs(world["load"].velocity[0])
        world.step()
        assert abs(world["tether"].length - 1.0) <= mass * before / (h * h * k) + 4 * EPS
    assert abs(world["load"].velocity[0]) <= 8 * EPS / h


def test_infinite_damping_locks():
    """v' = (v - h k x / m) / (1 + h c / m + …) at c = 1e15 N s/m: stays where it is, stretched as it is."""
    mass, k, c, h, steps = 2.0, 700.0, 1e15, 1.0 / 240.0, 100
    world = world_of(ball("load", (1.5, 0, 0), mass, velocity=(3.0, 0, 0)),
                     pl.Spring("tether", pl.WORLD, "load", stiffness=k, damping=c, rest_length=1.0), dt=h)
    for _ in range(steps):
        world.step()
        assert abs(world["load"].velocity[0]) <= (mass * 3.0 / h + k * 0.5) / c + 4 * EPS * 3.0
    assert abs(world["tether"].length - 1.5) <= steps * h * (mass * 3.0 / h + k * 0.5) / c + steps * 4 * EPS
