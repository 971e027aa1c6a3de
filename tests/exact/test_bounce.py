"""A ball bounces to e^2 of the height it fell from, and never gains."""

from math import sqrt

import numpy as np
import pytest
from energy import EnergyGuard
from oracle_tools import G

import pliant as pl

RADIUS, HEIGHT = 0.1, 1.0  # [m]


def dropped(e: float, shape=None, dt: float = 1 / 60) -> pl.World:
    """A body above the ground, with restitution `e`."""
    scene = pl.Scene()
    scene.add(pl.Ground(restitution=0.0))
    scene.add(pl.Body("ball", shape or pl.Sphere(RADIUS), mass=0.5, position=(0, 0, RADIUS + HEIGHT), restitution=e))
    return pl.World(scene, dt=dt)


def apexes(world: pl.World, count: int) -> list[float]:
    """Heights [m] above the resting place of the first `count` apexes after bounces, by a parabola through three steps."""
    z, found = [], []
    while len(found) < count and world.time < 20.0:
        world.step()
        z.append(world["ball"].position[2] - RADIUS)
        if len(z) > 2 and z[-3] < z[-2] >= z[-1]:
            a, b, c = z[-3:]
            found.append(b - (c - a) ** 2 / (8 * (a - 2 * b + c)))
    return found


@pytest.mark.parametrize("e", [0.2, 0.5, 0.8, 1.0])
def test_height_after_a_bounce(e):
    """Oracle: e^2 h. The speed at impact is known to g h, twice: falling and leaving; height errs by e v g h (1 + e) / g."""
    world = dropped(e)
    h = world.dt / world.substeps
    speed = sqrt(2 * G * HEIGHT)
    assert apexes(world, 1)[0] == pytest.approx(e**2 * HEIGHT, abs=e * speed * (1 + e) * h)


def test_height_converges_with_the_step():
    """Oracle: first order; a tenth of the step, a tenth of the allowance."""
    speed, dt = sqrt(2 * G * HEIGHT), 1 / 600
    assert apexes(dropped(0.8, dt=dt), 1)[0] == pytest.approx(0.64 * HEIGHT, abs=0.8 * speed * 1.8 * dt)




@pytest.mark.parametrize("height", [0.7, 1.0, 1.3])
def test_ten_elastic_bounces_gain_nothing(height):
    """Oracle: conservation, by the rule for all tests; no more lost than the impacts' time errors, each 2 v h in height."""
    world = dropped(1.0)
    world["ball"].position = (0, 0, RADIUS + height)
    h = world.dt / world.substeps
    world.on_step(EnergyGuard(world))
    heights = apexes(world, 10)
    assert len(heights) == 10
    lost = sqrt(2 * G * height) * 2 * h
    assert all(reached > height - n * lost for n, reached in enumerate(heights, 1))


def test_no_bounce_without_restitution_and_rest_at_the_end():
    """Oracle: Newton's law with e = 0, and rest: a slow ball is not kept humming by e = 0.5."""
    world = dropped(0.0)
    world.run(1.0)
    top = [world["ball"].position[2]]
    world.run(1.0, each=lambda w: top.append(w["ball"].position[2]))
    assert max(top) < RADIUS + 1e-3
    world = dropped(0.5)
    world.run(5.0)
    assert abs(world["ball"].velocity[2]) < 1e-3 and abs(world["ball"].position[2] - RADIUS) < 2e-3


def test_two_equal_balls_change_velocities():
    """Oracle: conservation of momentum and energy in an elastic central impact, to rounding."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("a", pl.Sphere(0.1), mass=1.0, velocity=(2, 0, 0), restitution=1.0))
    scene.add(pl.Body("b", pl.Sphere(0.1), mass=1.0, position=(0.5, 0, 0), velocity=(-1, 0, 0)))
    world = pl.World(scene)
    world.run(0.5)
    assert np.allclose(world["a"].velocity, (-1, 0, 0), atol=1e-9)
    assert np.allclose(world["b"].velocity, (2, 0, 0), atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_boxes_that_meet_at_many_points_keep_their_energy(seed):
    """Eight spinning boxes thrown at each other, e = 1, no friction: Moreau's impact keeps the kinetic energy.

    Only contacts that met faster than the threshold 2 dt g bounce; without weight that is all of them. What is left is first
    order in the substep: points, levers and normals of a step are those of its start, 10 rad/s turn them by 0.02 in 1/480 s,
    and energy feels that squared in each of some tens of impacts.
    """
    rng = np.random.default_rng(seed)
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    for k in range(8):
        corner = np.array([k % 2, k // 2 % 2, k // 4]) - 0.5
        scene.add(pl.Body(f"box{k}", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=tuple((0.3 * corner).tolist()), friction=0.0,
                          velocity=tuple((-3.0 * corner + 0.3 * rng.normal(size=3)).tolist()), restitution=1.0,
                          angular_velocity=tuple(rng.normal(size=3).tolist())))
    world = pl.World(scene, threads=1)
    start = world.energy().kinetic
    world.run(1.0)
    assert world.energy().kinetic == pytest.approx(start, rel=30 * 0.02**2)


def test_a_box_that_lands_flat_bounces_as_high_as_a_ball():
    """All four corners meet at once: e^2 of the height, as for a single point."""
    heights = {}
    for name, shape in (("box", pl.Box(0.2, 0.2, 0.2)), ("ball", pl.Sphere(0.1))):
        scene = pl.Scene()
        scene.add(pl.Ground(restitution=0.8))
        scene.add(pl.Body(name, shape, mass=1.0, position=(0.0, 0.0, 1.1)))
        world, seen = pl.World(scene, threads=1), []
        world.run(1.2, each=lambda w, n=name, s=seen: s.append(w[n].position[2]))
        after = np.array(seen)[int(0.5 / world.dt):]
        heights[name] = after.max() - 0.1
    assert heights["ball"] == pytest.approx(0.64, rel=0.02)  # a step of 1/60 s catches the top to (g dt^2/8)
    assert heights["box"] == pytest.approx(heights["ball"], rel=1e-3)
