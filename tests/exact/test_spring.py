"""One spring follows the recurrence of implicit Euler to 1e-12, wherever it points and whatever hangs on it."""

import numpy as np
import pytest

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


def test_anchors_off_the_centre():
    """One step of a spring pulling at random points: the response is 1/m + |r x n|^2 / I of both balls."""
    rng = np.random.default_rng(15)
    for _ in range(10):
        k, c, h = 10.0 ** rng.uniform(1, 6), 10.0 ** rng.uniform(-1, 3), 10.0 ** rng.uniform(-3, -1)
        (m_a, m_b), x_b = 10.0 ** rng.uniform(-1, 1, 2), np.array([2.0, 0.0, 0.0]) + rng.normal(size=3) * 0.2
        r_a, r_b = rng.normal(size=(2, 3)) * 0.3
        ends = {"at_a": tuple(r_a), "at_b": tuple(r_b)}
        tether = pl.Spring("tether", "a", "b", stiffness=k, damping=c, rest_length=1.0, **ends)
        world = world_of(ball("a", (0, 0, 0), m_a), ball("b", x_b, m_b), tether, dt=h)
        d = x_b + r_b - r_a
        n = d / np.linalg.norm(d)
        inertias = [0.4 * m * 0.05**2 for m in (m_a, m_b)]
        response = sum(1.0 / m + np.dot(np.cross(r, n), np.cross(r, n)) / i
                       for m, r, i in zip((m_a, m_b), (r_a, r_b), inertias, strict=True))
        gap = np.linalg.norm(d) - 1.0
        impulse = -h * k * gap / (1.0 + response * h * (h * k + c))
        world.step()
        for name, m, r, i, sign in (("a", m_a, r_a, inertias[0], -1.0), ("b", m_b, r_b, inertias[1], 1.0)):
            np.testing.assert_allclose(world[name].velocity, sign * impulse / m * n, rtol=1e-12, atol=1e-12 * abs(impulse) / m)
            np.testing.assert_allclose(world[name].angular_velocity, sign * impulse / i * np.cross(r, n), rtol=1e-10,
                                       atol=1e-12 * abs(impulse) / i)
        assert abs(world["tether"].force + impulse / h) <= 1e-12 * abs(impulse) / h


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
