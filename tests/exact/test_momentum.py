"""Momentum: linear to rounding whatever joins free bodies, angular to rounding for one free body."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl

EPS = np.finfo(float).eps
STEPS = 200


def cluster(rng) -> pl.Scene:
    """Eight bodies afloat, in a tree of all kinds of joints, with stretched springs between them and in the joints."""
    scene = pl.Scene(gravity=(0, 0, 0))
    places = rng.normal(size=(8, 3)) * 0.5
    for i, place in enumerate(places):
        mass = 10.0 ** rng.uniform(-1, 1)
        scene.add(pl.Body(f"b{i}", pl.Box(0.3, 0.2, 0.1), mass=mass, position=place, collide=False,
                          quaternion=Rotation.random(rng=rng).as_quat(scalar_first=True)))
    kinds = (pl.Revolute, pl.Prismatic, pl.Spherical, pl.Fixed, pl.Universal, pl.Cylindrical)
    for i, kind in enumerate(kinds, 1):
        axis = rng.normal(size=3)
        scene.add(kind(f"j{i}", f"b{rng.integers(i)}", f"b{i}", anchor=0.5 * (places[i] + places[0]),
                       axis=axis / np.linalg.norm(axis)))
    scene.add(pl.JointSpring("coil", "j1", 3.0, 0.01, 1.0))
    scene.add(pl.JointSpring("strut", "j2", 80.0, 0.1, 0.05))
    for k, (a, b) in enumerate([(0, 7), (3, 7), (5, 7), (1, 4), (2, 6)]):
        scene.add(pl.Spring(f"s{k}", f"b{a}", f"b{b}", stiffness=10.0 ** rng.uniform(1, 4), damping=0.2, rest_length=0.3,
                            at_a=(0.1, 0.05, 0.0)))
    return scene


def ring(rng) -> pl.Scene:
    """Four bars afloat, hinged to a ring by three hinges and a ball, tumbling, with a spring along a diagonal."""
    scene = pl.Scene(gravity=(0, 0, 0))
    corners = np.array([(0.0, 0.0, 0.0), (0.1, 0.0, 0.4), (0.7, 0.0, 0.5), (0.6, 0.0, 0.0)])
    for i in range(4):
        a, b = corners[i], corners[(i + 1) % 4]
        angle = -np.arctan2(b[2] - a[2], b[0] - a[0])
        scene.add(pl.Body(f"b{i}", pl.Box(np.linalg.norm(b - a), 0.05, 0.05), mass=10.0 ** rng.uniform(-1, 1),
                          position=0.5 * (a + b), quaternion=(np.cos(0.5 * angle), 0.0, np.sin(0.5 * angle), 0.0),
                          collide=False))
        if i:
            scene.add(pl.Revolute(f"j{i}", f"b{i - 1}", f"b{i}", anchor=a, axis=(0, 1, 0)))
    scene.add(pl.Spherical("closing", "b3", "b0", anchor=corners[0]))
    scene.add(pl.Spring("diagonal", "b0", "b2", stiffness=200.0, damping=0.2, rest_length=0.2))
    return scene


def momenta(world) -> np.ndarray:
    return np.array([world[name].mass * world[name].velocity for name in world.body_names])


@pytest.mark.parametrize("build", [cluster, ring])
def test_linear_momentum(build):
    """Every row pushes both its bodies alike; joints solved together answer by factors, which round once a row.

    Allowed: one rounding for every push, some 40 pushes a body and substep, of the momenta that move about.
    """
    rng = np.random.default_rng(16)
    world = pl.World(build(rng), dt=1 / 120, substeps=2, threads=1)
    start, largest = momenta(world).sum(axis=0), 0.0
    mass = sum(world[name].mass for name in world.body_names)

    def centre_of_mass():
        return sum(world[name].mass * world[name].position for name in world.body_names) / mass

    centre = centre_of_mass()
    for _ in range(STEPS):
        world.step()
        largest = max(largest, float(np.linalg.norm(momenta(world), axis=1).sum()))
    drift = np.linalg.norm(momenta(world).sum(axis=0) - start)
    assert largest > 0.1  # the springs do pull
    allowed = STEPS * 2 * 40 * EPS * largest
    assert drift <= allowed
    off = centre_of_mass() - centre - world.time * start / mass
    assert np.linalg.norm(off) <= world.time * allowed / mass + STEPS * 8 * EPS


@pytest.mark.parametrize("rate", [2.0, 200.0], ids=["slow", "fast"])
def test_angular_momentum_of_one_free_body(rate):
    """A lopsided body, centre of mass off its frame, flying and tumbling: L to the rounding of its turns, v to the bit."""
    turn, w = Rotation.from_euler("xyz", [0.4, 1.0, -0.7]), rate * np.array([0.5, 0.8, -0.33])
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("stone", pl.Box(1, 1, 1), mass=5.0, inertia=(0.7, 0.5, 0.4, 0.05, -0.1, 0.02),
                      center_of_mass=(0.1, -0.2, 0.3), quaternion=turn.as_quat(scalar_first=True),
                      velocity=(1.0, 2.0, 3.0), angular_velocity=w, collide=False))
    world = pl.World(scene, dt=1 / 60, substeps=4, threads=1)
    inertia = np.array([[0.7, 0.05, -0.1], [0.05, 0.5, 0.02], [-0.1, 0.02, 0.4]])

    def momentum():
        R = Rotation.from_quat(world["stone"].quaternion, scalar_first=True)
        return R.apply(inertia @ R.inv().apply(world["stone"].angular_velocity))

    start, energy = momentum(), world.energy().kinetic
    moments = np.linalg.eigvalsh(inertia)
    turns = 1000 * 4 * np.ceil(4.0 * np.linalg.norm(w) / 240 * (moments[2] - moments[0]) / moments[0])
    for _ in range(1000):
        world.step()
    assert np.linalg.norm(momentum() - start) <= 10 * EPS * turns * np.linalg.norm(start)
    assert abs(world.energy().kinetic - energy) <= 10 * EPS * turns * energy
    assert tuple(world["stone"].velocity) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e6])
def test_angular_momentum_of_two_bodies_on_a_spring(stiffness):
    """Fastened off their centres and thrown apart, 10 s without gravity: L to one rounding for every push and body.

    Inertias are equal about all axes, so L = sum m x cross v + I w holds no orientation.
    """
    scene, bodies = pl.Scene(gravity=(0, 0, 0)), {"a": (1.0, 0.1), "b": (3.0, 0.3)}
    for name, position, velocity in (("a", (0, 0, 0), (0, 1, 0)), ("b", (1, 0, 0), (0, -0.3, 0.5))):
        mass, inertia = bodies[name]
        scene.add(pl.Body(name, pl.Sphere(0.1), mass=mass, inertia=(inertia, inertia, inertia), position=position,
                          velocity=velocity, collide=False))
    scene.add(pl.Spring("s", "a", "b", stiffness=stiffness, at_a=(0, 0.2, 0.1), at_b=(0.1, -0.2, 0)))
    world = pl.World(scene, threads=1)

    def momentum() -> np.ndarray:
        return sum(m * np.cross(world[n].position, world[n].velocity) + i * world[n].angular_velocity
                   for n, (m, i) in bodies.items())

    start = momentum()
    world.run(10.0)
    substeps, reach, going = 600 * world.substeps, 4.0, 10.0  # [m], [kg m/s]: what the bodies stay within
    np.testing.assert_allclose(momentum(), start, rtol=0, atol=EPS * substeps * reach * going)


@pytest.mark.parametrize("speed", [0.0, 1.0, 10.0])
@pytest.mark.parametrize("motor", [
    pl.VelocityMotor({"u": 8.0}, 20.0), pl.PositionMotor({"u": 1.5}, 180.0, 5.0, max_effort=30.0),
    pl.DCMotor({"u": 24.0}, 0.05, 0.05, 0.5, 24.0, gear=35.0)], ids=lambda motor: type(motor).__name__)
def test_a_floating_arm_keeps_its_way(motor, speed):
    """Oracle: momentum, to rounding, and Newton at the joint, also in substeps that give up what they have gained: out of the
    motion beside the common one."""
    scene, along = pl.Scene(gravity=(0, 0, 0)), (0.5**0.5, 0, 0.5**0.5, 0)
    scene.add(pl.Control("u", -1, 1))
    for k in range(2):
        scene.add(pl.Body(f"link{k}", pl.Capsule(0.04, 0.22), mass=1.0, position=(0.8 + 0.4 * k, 0, 0.2), quaternion=along,
                          velocity=(0, 0, speed)))
    scene.add(pl.Revolute("joint", "link0", "link1", anchor=(1.0, 0, 0.2), axis=(0, 0, 1), motor=motor))
    world = pl.World(scene, threads=1)
    links = [world["link0"], world["link1"]]
    for step in range(120):
        world.control["u"] = 1.0 if int(step * world.dt / 0.31) % 2 else -1.0
        before = [link.velocity for link in links]
        world.step()
        momentum = sum(link.mass * link.velocity for link in links)
        assert np.abs(momentum - (0, 0, 2.0 * speed)).max() < 1e-12 * (1.0 + speed)
        felt = links[1].mass * (links[1].velocity - before[1]) / world.dt
        assert np.abs(felt - world["joint"].force).max() < 1e-9
