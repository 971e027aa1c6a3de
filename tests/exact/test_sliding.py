"""Friction of what slides lies against the slip, and what lands off its spin is turned as the law of impact says."""

from itertools import product
from math import atan2, cos, pi, sin

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import pliant as pl

MU, G = 0.4, 9.81
SHAPES = {
    "box": (pl.Box(0.3, 0.2, 0.1), 0.05),
    "plate": (pl.Box(0.2, 0.2, 0.02), 0.01),
    "disc": (pl.Cylinder(0.15, 0.01), 0.005),
    "drum": (pl.Cylinder(0.15, 0.1), 0.05),
}


@pytest.mark.parametrize("angle", [0.0, 0.4, pi / 4])
@pytest.mark.parametrize("name", SHAPES)
def test_it_slides_straight(name, angle):
    """Oracle: v = v0 - mu g t along the way it was thrown, and it does not turn; the solver ends at 1e-6 m/s a substep, 2.4e-4
    in half a second."""
    shape, height = SHAPES[name]
    scene = pl.Scene()
    scene.add(pl.Ground(friction=MU))
    scene.add(pl.Body("b", shape, mass=2.0, position=(0, 0, height), velocity=(3 * cos(angle), 3 * sin(angle), 0), friction=MU))
    world = pl.World(scene)
    world.run(0.5)
    v = world["b"].velocity
    assert np.hypot(*v[:2]) == pytest.approx(3.0 - MU * G * 0.5, abs=2.4e-4)
    assert atan2(v[1], v[0]) == pytest.approx(angle, abs=2.4e-4)
    assert np.abs(world["b"].angular_velocity).max() < 2.4e-3


@pytest.mark.parametrize("restitution", [0.0, 0.7])
@pytest.mark.parametrize("height", [0.21, 0.23, 0.25])
def test_a_ball_that_lands_is_turned_by_friction(height, restitution):
    """Oracle: friction of mu m (1 + e) v_n at the surface, not amid the gap, turns it at 5/2 mu (1 + e) v_n / r wherever in a
    step it lands."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Ground(friction=0.1))
    scene.add(pl.Body("b", pl.Sphere(0.2), mass=1.0, position=(0, 0, height), velocity=(10, 0, -3), friction=0.1,
                      restitution=restitution))
    world = pl.World(scene)
    world.run(0.1)
    assert world["b"].angular_velocity[1] == pytest.approx(2.5 * 0.1 * (1 + restitution) * 3.0 / 0.2, rel=1e-3)


def slab(x: float, y: float, z: float, upper: float = 1.0) -> pl.Mesh:
    """A mesh as large as a box [m]; its upper face is smaller by a factor."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3))) * (x, y, z)
    corners[1::2, :2] *= upper
    hull = ConvexHull(corners)
    faces = [f if n @ np.cross(corners[f[1]] - corners[f[0]], corners[f[2]] - corners[f[0]]) > 0 else f[::-1]
             for f, n in zip(hull.simplices, hull.equations[:, :3], strict=True)]
    return pl.Mesh((corners, np.array(faces)))


SLIDERS = {"box": pl.Box(0.5, 0.4, 0.2), "mesh": slab(0.5, 0.4, 0.2), "stump": slab(0.5, 0.4, 0.2, 0.6),
           "disc": pl.Cylinder(0.25, 0.2)}


@pytest.mark.parametrize("lower", [0.0, 1e-4, 1e-3, -1e-4])
@pytest.mark.parametrize("speed", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("plank", [pl.Box(4, 2, 0.1), slab(4, 2, 0.1)], ids=["boxes", "meshes"])
@pytest.mark.parametrize("slider", SLIDERS)
def test_it_slides_over_a_seam(slider, plank, speed, lower):
    """Oracle: without friction nothing in its way takes speed; a step of 0.1 mm upwards costs at most what lifts it, g h.
    After 0.1 s, six steps, its edge is just at the seam."""
    scene = pl.Scene()
    scene.add(pl.Body("a", plank, fixed=True, position=(-2, 0, -0.05), friction=0.0))
    scene.add(pl.Body("b", plank, fixed=True, position=(2, 0, -0.05 - lower), friction=0.0))
    scene.add(pl.Body("x", SLIDERS[slider], mass=5.0, friction=0.0, position=(-0.25 - 0.1 * speed, 0, 0.1),
                      velocity=(speed, 0, 0)))
    world = pl.World(scene)
    world.run(0.1 + 0.3 / speed)
    assert world["x"].velocity[0] == pytest.approx(speed, rel=0.02)


@pytest.mark.parametrize("speed", [0.2, 1.0])
@pytest.mark.parametrize("slider", SLIDERS)
def test_it_slides_over_rollers(slider, speed):
    """Oracle: level rollers without friction take no speed; between them it dips by 0.1 mm at most, which is g h / v of it."""
    scene = pl.Scene()
    for k in range(14):
        scene.add(pl.Body(f"r{k}", pl.Cylinder(0.05, 1.0), fixed=True, friction=0.0, position=(0.15 * k, 0, -0.05),
                          quaternion=(np.sqrt(0.5), np.sqrt(0.5), 0, 0)))
    scene.add(pl.Body("x", SLIDERS[slider], mass=5.0, friction=0.0, position=(0.3, 0, 0.1), velocity=(speed, 0, 0)))
    world = pl.World(scene)
    world.run(1.0)
    assert world["x"].velocity[0] == pytest.approx(speed, abs=G * 1e-4 / speed)
    assert world["x"].position[2] == pytest.approx(0.1, abs=1e-4)
