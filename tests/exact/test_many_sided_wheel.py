"""A wheel of many sides rolls on level ground from vertex to vertex, as the wheel without a rim of textbooks does."""

from math import cos, pi, sin

import numpy as np
import pytest
from oracle_tools import G
from scipy.integrate import solve_ivp

import pliant as pl

RADIUS, SPEED = 0.2, 6.0  # [m], [rad/s]: slow enough that no vertex leaves the ground, r w^2 < g
SECONDS = 0.6


def wheel(sides: int, field: bool, **how) -> pl.World:
    """A prism that stands on a face and turns about the edge before it."""
    angle = (np.arange(sides) + 0.5) * 2.0 * pi / sides
    x, z = RADIUS * np.cos(angle), RADIUS * np.sin(angle)
    scene, corners = pl.Scene(), np.r_[np.c_[x, 0.0 * x - 0.1, z], np.c_[x, 0.0 * x + 0.1, z]]
    if field:
        scene.add(pl.Body("ground", pl.HeightField(np.zeros((41, 11)), (8.0, 2.0)), fixed=True, friction=0.9))
    else:
        scene.add(pl.Ground(friction=0.9))
    half = pi / sides
    lever = RADIUS * cos(half), RADIUS * sin(half)
    scene.add(pl.Body("wheel", prism(corners, sides), mass=1.0, position=(0, 0, lever[0]),
                      velocity=(SPEED * lever[0], 0, SPEED * lever[1]), angular_velocity=(0, SPEED, 0)))
    return pl.World(scene, **how)


def prism(corners: np.ndarray, sides: int) -> pl.Mesh:
    """The triangles of the two ends and of all sides."""
    k, after = np.arange(sides), (np.arange(sides) + 1) % sides
    fan = np.c_[0 * k[2:], k[1:-1], k[2:]]
    belt = np.r_[np.c_[k, k + sides, after], np.c_[after, k + sides, after + sides]]
    return pl.Mesh((corners, np.r_[fan, sides + fan[:, ::-1], belt]))


def way(sides: int, gyration: float) -> float:
    """How far [m] it gets: a pendulum upside down about each vertex, and the angular momentum about the next one stays.

    `gyration` is the square of the radius of gyration [m2].
    """
    half, whole = pi / sides, gyration + RADIUS**2
    kept = (gyration + RADIUS**2 * cos(2.0 * half)) / whole
    time, far, speed = 0.0, 0.0, SPEED

    def falls(_, state):
        return state[0] - half

    falls.terminal, falls.direction = True, 1.0
    while True:
        flow = solve_ivp(lambda _, state: (state[1], G * RADIUS / whole * sin(state[0])), (time, SECONDS), (-half, speed),
                         events=falls, rtol=1e-10, atol=1e-12)
        if not flow.t_events[0].size:
            return far + RADIUS * (sin(half) + sin(flow.y[0, -1]))
        time, far, speed = flow.t_events[0][0], far + 2.0 * RADIUS * sin(half), kept * flow.y_events[0][0][1]


@pytest.mark.parametrize("sides", [12, 20, 40])
@pytest.mark.parametrize("field", [False, True])
def test_it_rolls_from_vertex_to_vertex(sides, field):
    """Oracle: the recurrence of those pendulums. A vertex touches within a substep, so that the way converges with the first
    order, whatever dt; and what rolls never gains energy."""
    missed = []
    for dt, substeps in ((1 / 60, 8), (1 / 60, 32), (1 / 240, 8)):
        world = wheel(sides, field, dt=dt, substeps=substeps)
        wanted = way(sides, float(world._engine.model.bodies.inertia.max()))
        last = world.energy().total
        for _ in range(round(SECONDS / dt)):
            now = world.step().energy.total
            assert now < last + 1e-9
            last = now
        missed.append(1.0 - world["wheel"].position[0] / wanted)
    assert abs(missed[0]) < 0.02
    assert abs(missed[1]) < 0.5 * abs(missed[0])
    assert abs(missed[2]) < 0.5 * abs(missed[0])
