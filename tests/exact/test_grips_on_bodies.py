"""Bodies grabbed and let go while a world runs. Oracles: weight, the recurrence of implicit Euler, impulses, snapshots."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl
from pliant.hands.grip_on_body import FAR_OFF, STIFFNESS, STRONGEST

G = 9.81
NEAR = 1e-5
"""Of what is read [-]."""
MET = 1e-8
"""Speed to which rows of springs are met [m/s]."""


def box_world(substeps: int = 1, dt: float = 1.0 / 60.0, mass: float = 2.0, **more) -> pl.World:
    scene = pl.Scene(**more)
    scene.add(pl.Body("box", pl.Box(0.1, 0.2, 0.3), mass=mass))
    return pl.World(scene, dt=dt, substeps=substeps, threads=1)


def refuses_all(grip) -> None:
    """What was let go is no more, whatever is asked of it."""
    for act in (lambda: grip.force, lambda: grip.target, lambda: setattr(grip, "target", (1.0, 0.0, 0.0)), grip.release):
        with pytest.raises(pl.SceneError, match="is no more"):
            act()


@pytest.mark.parametrize(("stiffness", "dt"), [(None, 1.0 / 60.0), (50.0, 1.0 / 60.0), (1e7, 1.0 / 30.0)])
def test_a_held_body_hangs_at_its_weight(stiffness, dt):
    """The grip reads m g, and the body hangs m g / k below its target, also where no step could follow it."""
    world = box_world(dt=dt)
    grip = world.grab("box", stiffness=stiffness)
    world.run(6.0)
    weight, k = 2.0 * G, stiffness or 2.0 * STIFFNESS
    np.testing.assert_allclose(grip.force, (0.0, 0.0, weight), rtol=0, atol=NEAR * weight + MET * dt * k)
    sag = weight / k
    np.testing.assert_allclose(grip.target - world["box"].position, (0.0, 0.0, sag), rtol=0, atol=NEAR * sag + 1e-9)


@pytest.mark.parametrize("substeps", [1, 4])
def test_a_moved_target_is_followed_as_critical_damping_has_it(substeps):
    """m x'' = -k x - 2 sqrt(k m) x' by implicit Euler, step for step; the force read is the mean of what that has."""
    mass, k, dt, aside = 2.0, 1800.0, 1.0 / 60.0, 0.1
    world, h, c = box_world(substeps, dt, mass, gravity=(0.0, 0.0, 0.0)), 1.0 / 60.0 / substeps, 2.0 * np.sqrt(1800.0 * 2.0)
    grip = world.grab("box", stiffness=k, max_force=1e6)
    grip.target = (aside, 0.0, 0.0)
    x, v = -aside, 0.0
    for _ in range(60):
        forces = []
        for _ in range(substeps):
            v = (v - h * k / mass * x) / (1.0 + h * c / mass + h * h * k / mass)
            x += h * v
            forces.append(-k * x - c * v)
        world.step()
        np.testing.assert_allclose(world["box"].position[0], aside + x, rtol=0, atol=1e-9)
        np.testing.assert_allclose(world["box"].position[1:], 0.0, atol=aside**2 / (2.0 * FAR_OFF))
        np.testing.assert_allclose(grip.force[0], np.mean(forces), rtol=0, atol=1e-9 * k)
    assert abs(x) < 1e-6 * aside or substeps > 1


def test_what_a_grip_does_is_its_impulse():
    """Pulled far aside: m dv = F dt in every step to rounding, and no energy out of nothing."""
    world = box_world(gravity=(0.0, 0.0, 0.0))
    grip = world.grab("box", max_force=30.0)
    world.on_step(EnergyGuard(world))
    grip.target = (2.0, 1.0, 0.5)
    for _ in range(120):
        before = world["box"].velocity
        world.step()
        np.testing.assert_allclose(2.0 * (world["box"].velocity - before), grip.force / 60.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("substeps", [1, 8])
def test_a_corner_is_drawn_there(substeps):
    """Far aside by a corner, which also spins the box: no energy out of nothing, and the corner comes to rest at the target."""
    world = box_world(substeps, gravity=(0.0, 0.0, 0.0), drag=0.5)
    grip = world.grab("box", at=(0.05, 0.1, 0.15), max_force=30.0)
    world.on_step(EnergyGuard(world))
    grip.target = (2.0, 1.0, 0.5)
    world.run(10.0)
    held = pl.scene.pose.Pose(tuple(world["box"].position), tuple(world["box"].quaternion)).point((0.05, 0.1, 0.15))
    np.testing.assert_allclose(held, grip.target, rtol=0, atol=1e-3)


def test_what_is_let_go_flies_on():
    world = box_world(gravity=(0.0, 0.0, 0.0))
    grip = world.grab("box")
    grip.target = (1.0, 0.0, 0.0)
    world.run(0.2)
    grip.release()
    place, velocity = world["box"].position, world["box"].velocity
    assert velocity[0] > 1.0
    world.run(0.5)
    np.testing.assert_allclose(world["box"].position, place + 0.5 * velocity, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(world["box"].velocity, velocity)
    assert not world.grips
    refuses_all(grip)


def test_a_robot_is_lifted_by_a_link():
    """By its chassis, off the ground: the grip bears all of its weight."""
    world = pl.World(pl.load("scout"), threads=1)
    weight = G * sum(world[name].mass for name in world.body_names if name.startswith("scout/"))
    grip = world.grab("scout/chassis")
    start = world["scout/chassis"].position
    grip.target = start + np.array([0.0, 0.0, 0.6])
    world.run(4.0)
    force = []
    world.run(2.0, each=lambda _: force.append(grip.force))
    assert np.mean(force, axis=0)[2] == pytest.approx(weight, rel=1e-2)  # its wheels and antenna swing still
    assert world["scout/chassis"].position[2] - start[2] == pytest.approx(0.6 - G / STIFFNESS, abs=1e-2)


def test_a_body_is_lifted_with_the_cloth_on_it():
    scene = pl.Scene(drag=3.0)
    sheet = scene.add(pl.Cloth("sheet", pl.Sheet(0.3, 0.3, 0.1), 1e-3, position=(0.15, 0.0, 0.0)))
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(-0.05, 0.0, 0.0), collide=False))
    scene.attach(sheet.vertices(lambda x: x[:, 0] < -0.149), "box")
    world = pl.World(scene, threads=1)
    grip = world.grab("box")
    world.run(5.0)
    assert grip.force[2] == pytest.approx((1.0 + world["sheet"].mass) * G, rel=1e-3)


def test_a_grip_is_part_of_a_saved_world(tmp_path):
    """The bits of the run that went on; a later grip in the restored world takes over, and reset lets go."""
    fresh = box_world().run(0.2).hash
    world = box_world()
    grip = world.grab("box", at=(0.05, 0.1, 0.15), max_force=30.0)
    grip.target = (2.0, 1.0, 0.5)
    world.run(0.3)
    world.save(tmp_path / "held.world")
    again = pl.World.restore(tmp_path / "held.world")
    assert world.run(0.3).hash == again.run(0.3).hash
    later = again.grab("box")
    assert later.target == pytest.approx(again["box"].position, abs=1e-12)
    later.release()
    velocity = again["box"].velocity
    again.run(0.1)
    assert again["box"].velocity == pytest.approx(velocity - np.array([0.0, 0.0, 0.1 * G]), abs=1e-9)
    for one in (world, again):
        one.reset()
        assert one.run(0.2).hash == fresh
        assert not one.grips
    refuses_all(grip)


def test_handles_go_on_with_what_is_restored(tmp_path):
    """An old handle says what the restored state does; what did not hold then is refused; a restored world tells its grips."""
    world, file = box_world(gravity=(0.0, 0.0, 0.0)), tmp_path / "held.world"
    world.save(tmp_path / "loose.world")
    grip = world.grab("box")
    grip.target = (0.0, 0.0, 0.5)
    world.save(file)
    grip.target = (0.0, 0.0, 2.0)
    world.run(0.2)
    world.restore(file)
    np.testing.assert_array_equal(grip.target, (0.0, 0.0, 0.5))
    assert world.grips == [grip]
    world.run(2.0)
    assert world["box"].position == pytest.approx(np.array([0.0, 0.0, 0.5]), abs=1e-6)
    grip.target = (0.0, 0.0, 1.0)
    world.run(2.0)
    assert world["box"].position == pytest.approx(np.array([0.0, 0.0, 1.0]), abs=1e-6)
    grip.release()
    other = world.grab("box")
    world.restore(file)  # the grip that held then holds again
    assert world.grips == [grip]
    refuses_all(other)
    grip.release()
    other = world.grab("box")
    world.restore(tmp_path / "loose.world")
    for one in (grip, other):
        refuses_all(one)
    again = pl.World.restore(file)
    one, = again.grips
    assert one.name == "box" and one is not grip
    np.testing.assert_array_equal(one.target, (0.0, 0.0, 0.5))
    again.step()
    assert one.force[2] > 0.0
    one.release()
    velocity = again["box"].velocity
    again.run(0.1)
    np.testing.assert_array_equal(again["box"].velocity, velocity)


def test_more_grips_than_there_was_room_for():
    scene = pl.Scene()
    for k in range(20):
        scene.add(pl.Body(f"box{k}", pl.Box(0.1, 0.1, 0.1), mass=1.0 + k, position=(k, 0.0, 0.0)))
    world = pl.World(scene, substeps=1, threads=1)
    grips = [world.grab(f"box{k}") for k in range(20)]
    grips.pop(3).release()
    world.run(3.0)
    for grip in grips:
        weight = world[grip.name].mass * G
        np.testing.assert_allclose(grip.force, (0.0, 0.0, weight), rtol=0, atol=NEAR * weight)
    assert world["box3"].position[2] < -40.0


@pytest.mark.parametrize("max_force", [None, 7.0])
def test_a_grip_pulls_no_harder_than_it_may(max_force):
    """Drawn to a place far off it is pushed with all that force at first, and with no more all the way there."""
    world = box_world(gravity=(0.0, 0.0, 0.0))
    grip, most = world.grab("box", max_force=max_force), max_force or 2.0 * STRONGEST
    grip.target = (10.0, 5.0, 0.0)
    world.step()
    assert 0.9 * most < np.linalg.norm(grip.force) <= most
    forces = []
    world.run(10.0, each=lambda _: forces.append(np.linalg.norm(grip.force)))
    assert max(forces) <= most
    np.testing.assert_allclose(world["box"].position, grip.target, rtol=0, atol=1e-3)


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize(("case", "most"), [("falls", 1.0), ("spins", 10.0), ("stiff", 10.0), ("joined", 10.0),
                                            ("meets", 10.0)])
def test_no_force_read_is_larger_than_it_may_be(case, most, substeps):
    """A body that falls out of a weak hand, spins about a held corner, hangs on a heavier one, or is thrown at the ground: what
    is read keeps the bound to rounding, and something is pulled all the while."""
    scene = pl.Scene(drag=0.1)
    spin = (0.0, 0.0, 20.0) if case in ("spins", "stiff") else (0.0, 0.0, 0.0)
    scene.add(pl.Body("b", pl.Box(0.4, 0.4, 0.4), mass=1.0, angular_velocity=spin,
                      velocity=(0.0, 0.0, -5.0 if case == "meets" else 0.0)))
    if case == "joined":
        scene.add(pl.Body("c", pl.Box(0.1, 0.1, 0.1), mass=10.0, position=(0.6, 0.0, 0.0)))
        scene.add(pl.Spherical("j", "b", "c", anchor=(0.4, 0.0, 0.0)))
    if case == "meets":
        scene.add(pl.Ground(height=-0.5))
    world = pl.World(scene, substeps=substeps, threads=1)
    at = (0.2, 0.2, 0.2) if spin[2] else None
    grip, forces = world.grab("b", at, stiffness=1e5 if case == "stiff" else None, max_force=most), []
    world.on_step(EnergyGuard(world))
    grip.target = grip.target + np.array([0.0, 0.0, 0.1])
    world.run(2.0, each=lambda _: forces.append(np.linalg.norm(grip.force)))
    assert max(forces) <= most
    assert np.median(forces[1:]) > 0.1 * most


@pytest.mark.parametrize("substeps", [1, 4, 16])
def test_a_stiffer_grip_is_no_slower(substeps):
    """Of 1 kg drawn 1 m by 100 N: none is sooner than a t^2 / 2, and none arrives later than a grip of
    900 N/m; none goes past."""
    came = []
    for k in (900.0, 1e4, 1e6, 1e8, 1e10, 1e12):
        world = box_world(substeps, mass=1.0, gravity=(0.0, 0.0, 0.0))
        grip, places = world.grab("box", stiffness=k, max_force=100.0), []
        grip.target = (1.0, 0.0, 0.0)
        for _ in range(120):
            world.step()
            places.append(world["box"].position[0])
        steps = np.arange(1, 121) / 60.0
        assert (np.array(places) <= 50.0 * steps * (steps + 1.0 / 60.0) + 1e-9).all()  # by the sums that implicit Euler takes
        came.append(np.argmax(np.array(places) > 0.9))
        assert places[-1] == pytest.approx(1.0, abs=1e-6)
        assert max(places) < 1.0 + 1e-9
    assert max(came) == came[0] and came[0] > np.sqrt(1.8 / 100.0) * 60.0 - 1


@pytest.mark.parametrize(("act", "words"), [
    (lambda w: w.grab("floor"), "'floor' is fixed or driven"),
    (lambda w: w.grab("scout"), "name one of its links, as 'scout/chassis'"),
    (lambda w: w.grab("tow"), "name a body, or vertices"),
    (lambda w: w.grab("bx"), "a grip holds a body, or vertices"),
    (lambda w: w.grab("box", stiffness=0.0), "stiffness"),
    (lambda w: w.grab("box", stiffness=1e13), "stiffness"),
    (lambda w: w.grab("box", max_force=-1.0), "max_force"),
    (lambda w: w.grab("box", at=(np.inf, 0.0, 0.0)), "at"),
    (lambda w: setattr(w.grab("box"), "target", (np.nan, 0.0, 0.0)), "target"),
    (lambda w: w.grab("sheet[0]", max_force=1.0), "pulls as a spring does"),
])
def test_bad_grips_are_refused_in_words(act, words):
    scene = pl.load("scout")
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0.0, 5.0, 3.0)))
    scene.add(pl.Body("floor", pl.Box(0.1, 0.1, 0.1), fixed=True, position=(0.0, 8.0, 3.0)))
    scene.add(pl.Cloth("sheet", pl.Sheet(0.2, 0.2, 0.1), 1e-3, position=(0.0, 9.0, 3.0)))
    scene.add(pl.Rope("tow", [(0.0, 6.0, 3.0), (0.0, 7.0, 3.0)], points=4, radius=0.01, material="hemp rope", collide=False))
    with pytest.raises(pl.SceneError, match=words):
        act(pl.World(scene, threads=1))
