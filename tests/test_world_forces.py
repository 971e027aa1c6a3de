"""Forces as a user meets them: pushes, loads, contacts, drag. Oracle: momentum, statics, Newton's third law."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import pliant as pl

G = 9.81


def ball() -> pl.World:
    """In the air, of 2 kg."""
    scene = pl.Scene()
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=2.0, position=(0, 0, 10.0), inertia=(0.1, 0.1, 0.1)))
    return pl.World(scene)


def levered(rate: float, world: pl.World):
    """Turning speed [rad/s] after a step from rest of phi'' = -rate cos phi: a lever that turns away from its force.

    By SciPy, to what n substeps of second order may miss of what the turning takes away: 1 / n^2 of it, twice.
    """
    done = solve_ivp(lambda t, y: (y[1], -rate * np.cos(y[0])), (0.0, world.dt), (0.0, 0.0), rtol=1e-13, atol=1e-16)
    speed = float(done.y[1, -1])
    lost = rate * world.dt + speed
    assert lost > 0.0
    return pytest.approx(speed, rel=0, abs=2.0 * lost / world.substeps**2)


def test_a_push_acts_through_one_step():
    """Oracle: momentum F dt, also about the centre; a lever turns with the body; the next step knows nothing of it."""
    world = ball()
    world.apply_force("ball", (6, 0, 0), torque=(0, 0, 0.3))
    world.step()
    assert world["ball"].velocity[0] == pytest.approx(6 / 2.0 / 60, rel=1e-12)
    assert world["ball"].angular_velocity[2] == pytest.approx(0.3 / 0.1 / 60, rel=1e-12)
    before = world["ball"].velocity
    world.step()
    assert world["ball"].velocity[0] == before[0]
    world = ball()
    world.apply_force("ball", (6, 0, 0), at=(0, 0.5, 10.0))
    world.step()
    assert world["ball"].angular_velocity[2] == levered(0.5 * 6 / 0.1, world)


def test_the_work_of_a_push_is_the_energy_it_gives():
    """Oracle: F s; conservation to the error of one step."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=2.0))
    world = pl.World(scene)
    world.run(1.0, each=lambda w: w.apply_force("ball", (6, 0, 0)))
    assert world.energy().work == pytest.approx(world.energy().kinetic, rel=1e-9)
    assert world.energy().kinetic == pytest.approx(0.5 * 2.0 * 3.0**2, rel=1e-9)


def test_loads_push_in_the_worlds_or_the_bodys_axes():
    """Oracle: F t / m; a load that follows a body turned by 90 degrees pushes along y; at a site it also turns."""
    quarter = (np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4))
    for follow, direction in ((False, (3, 0, 0)), (True, (0, 3, 0))):
        scene = pl.Scene(gravity=(0, 0, 0))
        scene.add(pl.Body("ball", pl.Sphere(0.1), mass=2.0, quaternion=quarter))
        scene.add(pl.Load("load", "ball", force=(6, 0, 0), follow=follow))
        world = pl.World(scene)
        world.run(1.0)
        assert np.allclose(world["ball"].velocity, direction, atol=1e-9)
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=2.0, inertia=(0.1, 0.1, 0.1)))
    scene.add(pl.Site("handle", "ball", position=(0, 0.05, 0)))
    scene.add(pl.Load("load", "handle", force=(6, 0, 0)))
    world = pl.World(scene)
    world.step()
    assert world["ball"].angular_velocity[2] == levered(0.05 * 6 / 0.1, world)


def test_contacts_are_listed_with_their_forces():
    """Oracle: statics; four points under a box, upward on the box, in sum its weight."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1)))
    world = pl.World(scene)
    world.run(1.0)
    c = world.contacts
    assert len(c.a) == len(c.b) == 4 and set(c.a) | set(c.b) == {"ground", "box"}
    sign = 1.0 if c.b[0] == "box" else -1.0
    assert np.allclose(sign * c.normal, (0, 0, 1), atol=1e-9)
    assert np.allclose(sorted(map(tuple, np.abs(c.position[:, :2]))), 0.1, atol=1e-6)
    assert np.allclose(sign * c.force.sum(axis=0), (0, 0, G), atol=1e-2 * G)
    assert np.allclose(world["box"].contact_force, (0, 0, G), atol=1e-2 * G)


def test_contact_force_on_two_bodies_is_equal_and_opposite():
    """Oracle: Newton's third law."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("a", pl.Sphere(0.1), mass=1.0, velocity=(1, 0, 0)))
    scene.add(pl.Body("b", pl.Sphere(0.1), mass=1.0, position=(0.205, 0, 0)))
    world = pl.World(scene)
    world.step()
    assert world["a"].contact_force[0] < 0
    assert np.allclose(world["a"].contact_force, -world["b"].contact_force, atol=1e-12)
    assert np.allclose(world["a"].velocity + world["b"].velocity, (1, 0, 0), atol=1e-12)


def test_a_body_that_does_not_collide_falls_through():
    """Oracle: free fall below the ground."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("ghost", pl.Sphere(0.1), mass=1.0, collide=False))
    world = pl.World(scene)
    world.run(1.0)
    assert world["ghost"].velocity[2] == pytest.approx(-G, rel=1e-9)


def test_drag_settles_all_momenta():
    """Oracle: 1 / (1 + h d) in each substep, for velocity and spin."""
    scene = pl.Scene(gravity=(0, 0, 0), drag=2.0)
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=1.0, velocity=(1, 0, 0), angular_velocity=(0, 0, 1)))
    world = pl.World(scene)
    world.run(1.0)
    assert world["ball"].velocity[0] == pytest.approx(np.exp(-2.0), rel=2.0**2 * world.dt / world.substeps)
    assert world["ball"].angular_velocity[2] == pytest.approx(world["ball"].velocity[0], rel=1e-9)


@pytest.mark.parametrize("follow", [False, True])
def test_the_work_of_a_force_beside_the_centre_of_mass_is_second_order(follow):
    """Oracle: energy of motion is work done; what is missing falls with the square of the substep, or is rounding."""
    missing = []
    for substeps in (8, 32):
        scene = pl.Scene(gravity=(0, 0, 0))
        scene.add(pl.Body("bar", pl.Box(1, 0.2, 0.2), mass=2))
        scene.add(pl.Site("end", "bar", position=(0.5, 0, 0)))
        scene.add(pl.Load("push", "end", force=(0, 1, 0.5), torque=(0.1, 0, 0), follow=follow))
        world = pl.World(scene, substeps=substeps)
        world.run(2.0)
        energy = world.energy()
        missing.append(abs(energy.kinetic - energy.work) / energy.kinetic)
    assert missing[0] < 1e-6
    assert missing[1] < missing[0] / 15 + 1e-12
