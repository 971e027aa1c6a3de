"""Limits of ball and universal joints take energy and give none, and hold what whirls on them."""

from itertools import pairwise
from math import cos, sin

import numpy as np
import pytest
from oracle_tools import G, about, single, turned
from seeds import MACHINES

import pliant as pl

MASS, LENGTH, WIDTH, TILT = 1.0, 0.3, 0.1, 0.6  # of a square bar [kg], [m], [m]; how far it may swing [rad]
AXIAL = MASS * WIDTH**2 / 6  # about its axis [kg m2]
ACROSS = MASS * (LENGTH**2 + WIDTH**2) / 12 + MASS * LENGTH**2 / 4  # about its end [kg m2]
MISSED = 1e-5
"""What a substep may miss a limit by before it is halved [rad]."""
GAINED = 1e-4
"""What it may gain, of the kinetic energy and of the weight lifted by 0.1 m [-]."""


def put(bar, pose, spin) -> None:
    """Turn a hanging bar about its end, the origin, and let it spin about that."""
    middle = turned(pose, (0, 0, -0.5 * LENGTH))
    bar.position, bar.quaternion = middle, pose
    bar.velocity, bar.angular_velocity = np.cross(spin, middle), spin


def hanging(joint, **more) -> pl.World:
    bar = pl.Body("bar", pl.Box(WIDTH, WIDTH, LENGTH), mass=MASS, position=(0, 0, -0.5 * LENGTH))
    return single(joint, bar, gravity=(0, 0, -G), **more)


@pytest.mark.parametrize("substeps", [8, 32])
@pytest.mark.parametrize("rate", [12.0, 40.0, 80.0])
def test_a_bar_whirls_on_the_cone_of_its_limit(rate, substeps):
    """Oracle: Euler's equations. It goes round at its rate, energy and the moment about the vertical kept, and the limit bears
    (A - C) w^2 sin a cos a - m g l sin a; of second order in the angle of a substep."""
    world = hanging(pl.Spherical("ball", pl.WORLD, "bar", anchor=(0, 0, 0), axis=(0, 0, -1), limits=(0, TILT)), dt=1 / 60,
                    substeps=substeps)
    put(world["bar"], about((0, 1, 0), -TILT), np.array((0, 0, rate)))
    error = (rate * world.dt / substeps) ** 2
    before, bears = world.energy(), (ACROSS - AXIAL) * rate**2 * sin(TILT) * cos(TILT) - 0.5 * MASS * G * LENGTH * sin(TILT)
    for _ in range(60):
        report = world.step()
        assert report.warnings == () and report.converged
        x, y, z = -turned(world["bar"].quaternion, (0, 0, 1))
        assert abs(np.arctan2(np.hypot(x, y), -z) - TILT) <= 2 * MISSED
        assert abs(report.energy.total - before.total) <= GAINED * before.kinetic
        assert world["ball"].efforts()["limits"] == pytest.approx(-bears, rel=error + 1e-3)
        late = np.angle(np.exp(1j * (np.arctan2(y, x) - rate * world.time)))
        assert abs(late) <= error * rate * world.time + 1e-6


def test_a_cross_at_its_limit_swings_about_its_second_axis():
    """Oracle: the bar rests by its weight on the limit of the first angle and swings about the second axis, which is tilted, as
    a door on a slanting post: x'' = -(m g l sin(tilt) / I) sin x, integrated finely."""
    start, tilt = 3.0, 0.5
    bar = pl.Body("bar", pl.Box(LENGTH, WIDTH, WIDTH), mass=MASS, position=(0.5 * LENGTH, 0, 0))
    world = single(pl.Universal("cross", pl.WORLD, "bar", anchor=(0, 0, 0), axis=(0, 1, 0), axis2=(0, 0, 1), limits=(-1, tilt)),
                   bar, gravity=(0, 0, -G), dt=1 / 60, substeps=8)
    pose = about((0, 1, 0), tilt)
    axis, middle = turned(pose, (0, 0, 1)), turned(pose, (0.5 * LENGTH, 0, 0))
    world["bar"].position, world["bar"].quaternion = middle, pose
    world["bar"].velocity, world["bar"].angular_velocity = np.cross(start * axis, middle), start * axis
    pull, x, u, fine = 0.5 * MASS * G * LENGTH * sin(tilt) / ACROSS, 0.0, start, 1 / 60 / 200
    for _ in range(120):
        world.step()
        for _ in range(200):  # leapfrog
            x += 0.5 * fine * u
            u -= fine * pull * sin(x)
            x += 0.5 * fine * u
        assert abs(world["cross"].coordinate(0) - tilt) <= 2 * MISSED
        error = (start * world.dt / 8) ** 2 * (1 + start * world.time)
        assert abs(world["cross"].coordinate(1) - x) <= error + MISSED


def chain(kind, links: int, limit: float, speed: float, masses=None, base=pl.WORLD, **more) -> pl.Scene:
    """Links along x, the last of which is pushed aside."""
    scene, parent = pl.Scene(), base
    for k in range(links):
        mass = 1.0 if masses is None else masses[k]
        scene.add(pl.Body(f"link{k}", pl.Box(0.3, 0.1, 0.08), mass=mass, position=(0.3 * k + 0.15, 0, 0), collide=False,
                          velocity=(0, speed if k == links - 1 else 0, 0)))
        ball = kind is pl.Spherical
        scene.add(kind(f"joint{k}", parent, f"link{k}", anchor=(0.3 * k, 0, 0), axis=(1, 0, 0) if ball else (0, 1, 0),
                       limits=(0 if ball else -limit, limit), **more))
        parent = f"link{k}"
    return scene


def beyond(world: pl.World, kind, links: int, limit: float, base=None) -> float:
    """By how much the worst joint is beyond its limit [rad]."""
    if kind is not pl.Spherical:
        return max(abs(world[f"joint{k}"].coordinate(0)) for k in range(links)) - limit
    axes = [turned(world[base].quaternion, (1, 0, 0)) if base else np.array((1.0, 0, 0))]
    axes += [turned(world[f"link{k}"].quaternion, (1, 0, 0)) for k in range(links)]
    return max(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b) for a, b in pairwise(axes)) - limit


@pytest.mark.parametrize("kind,links,limit,speed,more", [
    (pl.Spherical, 8, 0.3, 1.0, {}), (pl.Spherical, 8, 0.3, 2.0, {}), (pl.Spherical, 8, 0.3, 5.0, {}),
    (pl.Spherical, 10, 0.3, 7.0, {}), (pl.Spherical, 6, 0.2, 4.0, {}), (pl.Universal, 8, 0.3, 5.0, {}),
    (pl.Spherical, 8, 0.3, 5.0, {"friction": 0.01}), (pl.Spherical, 8, 0.3, 5.0, {"damping": 0.01}),
])
def test_a_chain_with_limits_only_loses_energy(kind, links, limit, speed, more):
    """Oracle: nothing drives it, so that its energy never rises above the least that it had, but for what the substeps of a
    step may gain, by which it swings without limits too; nor does it go beyond its limits, though it coils into an arc with
    all of them at once."""
    world = pl.World(chain(kind, links, limit, speed, **more), substeps=8)
    least, most, weight = world.energy().total, world.energy().kinetic, links * G
    for _ in range(180):
        report = world.step()
        assert report.warnings == ()
        most = max(most, report.energy.kinetic)
        assert report.energy.total - least <= 8 * GAINED * (most + 0.1 * weight)
        assert beyond(world, kind, links, limit) <= 10 * MISSED
        least = min(least, report.energy.total)


def shake(t: float):
    """Place and turn of what shakes a chain."""
    axis = np.array((np.sin(t), np.cos(t), 0.5))
    place = np.array((0.5 * sin(9 * t), 0.4 * sin(7 * t), 0.3 * sin(11 * t)))
    return place, about(axis / np.linalg.norm(axis), 0.8 * sin(5 * t))


@pytest.mark.parametrize("kind,limit", [(pl.Spherical, 0.6), (pl.Universal, 0.3)])
@pytest.mark.parametrize("masses", [(1, 1, 1), (1, 5, 0.2)])
def test_shaken_chains_stay_within_their_limits(kind, limit, masses):
    """Oracle: the limits, at 50 to 85 rad/s on them."""
    scene = chain(kind, 3, limit, 0.0, masses, "hand")
    scene.add(pl.Body("hand", pl.Box(0.2, 0.2, 0.2), mass=1, collide=False, motion=pl.Motion(shake)))
    world = pl.World(scene, substeps=8)
    for _ in range(300):
        assert world.step().warnings == ()
        assert beyond(world, kind, 3, limit, "hand") <= 10 * MISSED


def test_limits_stop_what_sets_out_as_one():
    """Oracle: the limit. Two bodies whirl by one velocity and part within the move, as each turns freely about its own axes."""
    for case in range(80):
        rng = np.random.default_rng([MACHINES, case])
        scene, limit = pl.Scene(gravity=(0, 0, 0)), float(rng.uniform(1e-4, 1e-3))
        scene.add(pl.Body("base", pl.Box(0.3, 0.2, 0.1), mass=1.0, collide=False))
        scene.add(pl.Body("link", pl.Capsule(0.04, 0.3), mass=float(10 ** rng.uniform(-1, 1)), position=(0.4, 0, 0),
                          quaternion=(0.5**0.5, 0, 0.5**0.5, 0), collide=False))
        scene.add(pl.Revolute("joint", "base", "link", anchor=(0.2, 0, 0), axis=np.eye(3)[rng.integers(3)],
                              limits=(-limit, limit)))
        world, spin = pl.World(scene, substeps=1, threads=1), rng.normal(size=3) * rng.uniform(2, 12)
        for name, x in (("base", 0.0), ("link", 0.4)):
            world[name].angular_velocity, world[name].velocity = spin, np.cross(spin, (x, 0, 0))
        world.step()
        assert abs(world["joint"].angle) <= limit + MISSED, f"case {case}"
