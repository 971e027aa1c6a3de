"""A doll with limits and dry friction in its joints is thrown: contacts, limits and friction take energy, and it comes to rest.

Swept, most of its 9 to 16 contacts far from bearing anything, it gained up to 25 J in one step, and crept by 1 cm a second.
"""

import numpy as np
import pytest

import pliant as pl

G, MASS = 9.81, 64.0
LEFT_IN = 1e-4
"""By how much contacts may lift bodies beyond the overlap that a report tells [m]."""
LIMBS = (("upper_arm", "torso", pl.Capsule(0.05, 0.2), 2.0, 0.25, 0.1, 0.22, 1.6),
         ("thigh", "torso", pl.Capsule(0.07, 0.3), 7.0, 0.1, -0.47, -0.25, 1.3),
         ("lower_arm", "upper_arm", pl.Capsule(0.04, 0.2), 1.5, 0.25, -0.18, -0.04, -2.2),
         ("shank", "thigh", pl.Capsule(0.06, 0.3), 4.0, 0.1, -0.9, -0.68, 2.2))
"""Name, what it hangs on, shape, mass [kg], y and z, z of the joint [m]; largest swing of a ball or angle of a hinge [rad]."""


def doll(scene, height, friction):
    """Add a doll of ten bodies, its torso at `height` [m]; friction of its joints in shares of 1 N m."""
    scene.add(pl.Body("torso", pl.Box(0.2, 0.35, 0.5), mass=30, position=(0, 0.02, height)))
    scene.add(pl.Body("head", pl.Sphere(0.11), mass=5, position=(0, 0.02, height + 0.4)))
    scene.add(pl.Spherical("neck", "torso", "head", anchor=(0, 0.02, height + 0.27), limits=(0, 0.6), friction=friction))
    for side in (1, -1):
        for name, on, shape, mass, y, z, at, most in LIMBS:
            scene.add(pl.Body(f"{name}{side}", shape, mass=mass, position=(0, 0.02 + side * y, height + z)))
            anchor = (0, 0.02 + side * y, height + at)
            if on == "torso":
                scene.add(pl.Spherical(f"of_{name}{side}", on, f"{name}{side}", anchor=anchor, axis=(0, 0, 1), limits=(0, most),
                                       friction=friction))
            else:
                scene.add(pl.Revolute(f"of_{name}{side}", f"{on}{side}", f"{name}{side}", anchor=anchor, axis=(0, 1, 0),
                                      limits=(min(most, 0), max(most, 0)), friction=friction))


def thrown(seed, friction):
    """A doll 1.8 m above the ground, thrown with a spin."""
    some, scene = np.random.default_rng(seed), pl.Scene(gravity=(0, 0, -G))
    scene.add(pl.Ground(friction=0.6))
    doll(scene, 1.8, friction)
    world, spin = pl.World(scene, dt=1 / 60), some.uniform(-4, 4, 3)
    along = np.array((some.uniform(-3, 3), some.uniform(-3, 3), 0))
    for name in world.body_names:
        world[name].velocity = along + np.cross(spin, world[name].position - (0, 0, 1.8))
        world[name].angular_velocity = spin
    return world


@pytest.mark.parametrize(("seed", "friction"), [(24, 1.0), (51, 1.0), (45, 0.5), (58, 0.0)])
def test_a_thrown_doll_only_loses_energy(seed, friction):
    """What contacts push out of an overlap is raised, all of its weight by no more than that overlap."""
    world = thrown(seed, friction)
    before, overlap = world.energy().total, 0.0
    for _ in range(70):
        report = world.step()
        now = report.energy.total - report.energy.work
        assert now <= before + MASS * G * (max(overlap, report.penetration) + LEFT_IN), report.time
        before, overlap = now, report.penetration


def test_a_doll_that_flies_is_met_at_once():
    """Its arms at their limits, friction in all joints: sweeps left that open after 3600 of them in a step."""
    world = thrown(11, 1.0)
    reports = [world.step() for _ in range(28)]
    assert len(world.contacts.a) == 0 and all(report.converged for report in reports)


def test_a_doll_that_fell_down_stairs_rests():
    """What lies still has friction to spare, and moves by no more than contacts give way: less than 1 mm in 2 s."""
    scene = pl.Scene(gravity=(0, 0, -G))
    scene.add(pl.Ground())
    for k in range(8):
        height = 0.18 * (8 - k)
        scene.add(pl.Body(f"stair{k}", pl.Box(0.3, 2, height), fixed=True, position=(0.3 * k, 0, height / 2), friction=0.6))
    doll(scene, 2.64, 1.0)
    world = pl.World(scene, dt=1 / 60)
    names = [name for name in world.body_names if not name.startswith("stair")]
    for name in names:
        world[name].velocity = (0.67, -0.26, 0.0)
    world.run(6.0)
    before = np.array([world[name].position for name in names])
    world.run(2.0)
    assert np.abs(np.array([world[name].position for name in names]) - before).max() < 1e-3
