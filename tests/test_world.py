"""The world as a user meets it: steps, runs, resets, handles, and what it does when things go wrong."""

import numpy as np
import pytest

import pliant as pl

G = 9.81


def falling(**more) -> pl.World:
    """One ball in the air."""
    scene = pl.Scene()
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=2.0, position=(0, 0, 10.0), **more))
    return pl.World(scene)


def everything() -> pl.World:
    """A little of each thing: body, joint, motor, spring, latch, control, load, motion, contact."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Control("speed", 0.0, 5.0, value=1.0, unit="rad/s"))
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1)))
    scene.add(pl.Body("arm", pl.Capsule(0.05, 0.4), mass=1.0, position=(2, 0, 2)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "arm", anchor=(2, 0, 2.2), axis=(0, 1, 0), motor=pl.VelocityMotor("speed", 5.0)))
    scene.add(pl.Body("bob", pl.Sphere(0.1), mass=0.5, position=(0, 3, 1)))
    scene.add(pl.Spring("spring", pl.WORLD, "bob", stiffness=50.0, damping=1.0, at_a=(0, 3, 2)))
    scene.add(pl.Body("sledge", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(5, 0, 1), velocity=(0.4, 0, 0)))
    scene.add(pl.Prismatic("rail", pl.WORLD, "sledge", axis=(1, 0, 0)))
    scene.add(pl.JointSpring("buffer", "rail", stiffness=3.0))
    scene.add(pl.Latch("latch", "rail", at=0.1, hold=100.0))
    scene.add(pl.Site("tip", "arm", position=(0, 0, -0.2)))
    scene.add(pl.Load("wind", "bob", force=(0.2, 0, 0)))
    scene.add(pl.Body("stage", pl.Box(1, 1, 0.1), motion=pl.Motion([0, 1], [(0, 0, 0), (0, 0, 0.3)]), position=(-4, 0, 0.5)))
    return pl.World(scene)


def test_a_step_is_one_dt_of_free_fall():
    """Oracle: substeps of semi-implicit or trapezoidal fall lie within g t h of the parabola; velocity is exact."""
    world = falling()
    report = world.step()
    assert world.time == report.time == pytest.approx(1 / 60, abs=1e-15)
    assert report.substeps == world.substeps == 8, "a sixtieth in substeps of 1/480 s"
    world.run(1.0 - world.dt)
    assert world["ball"].velocity[2] == pytest.approx(-G, rel=1e-12)
    assert world["ball"].position[2] == pytest.approx(10.0 - 0.5 * G, abs=G * world.dt / world.substeps)


def test_report_says_what_happened():
    """Oracle: the fields of the contract, and the figures of the world itself."""
    world = everything()
    report = world.run(0.5)
    fields = "time substeps iterations residual penetration stretch drift energy events warnings hash"
    assert set(fields.split()) <= set(report._fields)
    assert report.hash == world.hash()
    assert report.energy == world.energy()
    assert report.energy.total == pytest.approx(report.energy.kinetic + report.energy.gravity + report.energy.elastic)
    assert report.iterations > 0 and 0.0 <= report.drift < 1e-4 and 0.0 <= report.penetration < 2e-3
    assert report.events == ("latch 'latch' caught",)


def test_run_calls_each_before_every_step_and_ends_when_told():
    """Oracle: counting."""
    world, times = falling(), []

    def each(w):
        times.append(w.time)
        return w.time > 0.09

    world.run(1.0, each=each)
    assert np.allclose(times, np.arange(7) / 60) and world.time == pytest.approx(0.1)
    calls = []
    world.on_step(lambda w: calls.append(w.time))
    world.run(0.1)
    assert np.allclose(calls, 0.1 + np.arange(1, 7) / 60)
    assert world.run(0.0).time == world.time, "nothing to run is nothing done"


def test_an_exception_in_each_stops_and_keeps_the_state():
    """Oracle: the world stands where the last whole step left it and goes on from there."""
    world, other = falling(), falling()

    def trip(w):
        if w.time > 0.05:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        world.run(1.0, each=trip)
    steps = round(world.time / world.dt)
    other.run(steps * world.dt)
    assert world.hash() == other.hash()
    world.step()
    other.step()
    assert world.hash() == other.hash()


def test_reset_brings_everything_back():
    """Oracle: the run after a reset has the bits of the first run, controls and work included."""
    world = everything()
    begin = world.hash()
    world.control["speed"] = 3.0
    world.run(0.5)
    first = world.hash()
    world.reset()
    assert world.hash() == begin and world.time == 0.0 and world.energy().work == 0.0
    assert world.control["speed"] == 1.0 and not world["latch"].engaged
    world.control["speed"] = 3.0
    world.run(0.5)
    assert world.hash() == first


def test_handles_read_what_the_scene_says():
    """Oracle: the scene at the start."""
    world = everything()
    assert np.allclose(world["arm"].position, (2, 0, 2)) and np.allclose(world["arm"].quaternion, (1, 0, 0, 0))
    assert np.allclose(world["sledge"].velocity, (0.4, 0, 0)) and np.allclose(world["sledge"].angular_velocity, 0)
    assert world["arm"].mass == pytest.approx(1.0) and world["stage"].mass == 0.0
    assert np.allclose(world["tip"].position, (2, 0, 1.8))
    assert world["hinge"].angle == 0.0 and world["rail"].travel == 0.0
    assert world["spring"].length == pytest.approx(1.0)
    assert np.allclose(world["spring"].ends, ((0, 3, 2), (0, 3, 1)))
    assert np.allclose(world["hinge"].anchors, (2, 0, 2.2))
    assert list(world.control) == ["speed"] and len(world.control) == 1
    assert world.body_names == ["box", "arm", "bob", "sledge", "stage"]
    positions, quaternions = world.body_poses()
    assert positions.shape == (5, 3) and quaternions.shape == (5, 4)
    assert world[world.scene["arm"]].name == "arm", "the thing or its name will do"


def test_a_world_says_what_is_in_it():
    scene = pl.Scene()
    ball = scene.add(pl.Body("ball", pl.Sphere(0.1)))
    world = pl.World(scene)
    assert "ball" in world and ball in world and "bal" not in world and 3 not in world


def test_handles_give_copies():
    """Oracle: writing into what was read changes nothing."""
    world = everything()
    world.step()
    before = world.hash()
    for array in (world["box"].position, world["box"].velocity, world["hinge"].force, world["box"].contact_force):
        array += 1.0
    assert world.hash() == before


def test_a_teleported_body_falls_from_its_new_place():
    """Oracle: a body that started there, bit for bit; also one whose centre of mass lies off its frame."""
    scene = pl.Scene()
    shape = [pl.Placed(pl.Box(0.2, 0.2, 0.2)), pl.Placed(pl.Sphere(0.1), position=(0.5, 0, 0.1))]
    turn = (np.cos(0.3), 0, np.sin(0.3), 0)
    scene.add(pl.Body("body", shape, mass=1.0))
    world = pl.World(scene)
    world["body"].quaternion = turn
    world["body"].position = (1, 2, 3)
    world["body"].velocity = (1, 0, 0)
    world["body"].angular_velocity = (0, 0, 2)
    assert np.allclose(world["body"].position, (1, 2, 3), atol=1e-15)
    assert np.allclose(world["body"].quaternion, turn, atol=1e-15)
    there = pl.Scene()
    there.add(scene["body"].replace(position=(1, 2, 3), quaternion=turn, velocity=(1, 0, 0), angular_velocity=(0, 0, 2)))
    other = pl.World(there)
    world.run(1.0)
    other.run(1.0)
    assert np.allclose(world["body"].position, other["body"].position, atol=1e-12)
    assert np.allclose(world["body"].quaternion, other["body"].quaternion, atol=1e-12)


def test_a_teleport_into_the_air_leaves_no_contact_behind():
    """Oracle: free fall; no impulse of the old contact acts on."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1)))
    world = pl.World(scene)
    world.run(0.5)
    assert len(world.contacts.a) == 4
    world["box"].position = (0, 0, 5)
    world["box"].velocity = (0, 0, 0)
    world.step()
    assert world["box"].velocity[2] == pytest.approx(-G * world.dt, rel=1e-12)
    assert np.allclose(world["box"].contact_force, 0) and len(world.contacts.a) == 0


@pytest.mark.parametrize("field", ["velocity", "angular_velocity"])
def test_fixed_and_driven_bodies_take_no_velocity(field):
    world = everything()
    with pytest.raises(pl.SceneError, match=f"stage.*{field}.*driven"):
        setattr(world["stage"], field, (1, 0, 0))


def spoil(world, name, field):
    """Give a body a speed, which nobody may ask for, whose energy no float holds."""
    getattr(world._engine.state.motion, field)[world._index["body"][name]] = (1e200, 0, 0)


@pytest.mark.parametrize("field", ["velocity", "angular_velocity"])
def test_a_state_that_is_not_finite_raises_and_keeps_the_last_good_one(field):
    """Oracle: the hash before the step; a velocity of 1e200 makes an energy that no float holds."""
    scene = pl.Scene()
    for name, x in (("calm", 0.0), ("wild", 2.0)):
        scene.add(pl.Body(name, pl.Box(0.2, 0.3, 0.4), mass=1.0, position=(x, 0, 0), collide=False))
        scene.add(pl.Spring(f"{name} spring", pl.WORLD, name, stiffness=50.0, at_a=(x, 0, 1)))
    world = pl.World(scene)
    world.run(0.2)
    spoil(world, "wild", field)
    before, time = world.hash(), world.time
    with pytest.raises(pl.Diverged) as caught:
        world.step()
    assert caught.value.thing == "wild" and "finite" in caught.value.reason and caught.value.time >= time
    assert "wild" in str(caught.value)
    assert world.hash() == before and world.time == time
    world["wild"].velocity, world["wild"].angular_velocity = (0, 0, 0), (0, 0, 0)
    world.run(0.1)
    assert np.isfinite(world["wild"].position).all()


def test_a_divergence_among_contacts_is_noticed_too():
    """Oracle: as above; which of the bodies that touch is named does not matter."""
    world = everything()
    world.run(0.2)
    spoil(world, "bob", "velocity")
    before = world.hash()
    with pytest.raises(pl.Diverged):
        world.step()
    assert world.hash() == before


def test_controls_are_asked_for_as_the_keys_of_a_dictionary():
    """Oracle: a dict of the same values, and the sentence of the error as it is, without a KeyError's quotes."""
    control = everything().control
    like = dict(control)
    for name in ("speed", "sped", 3, None):
        assert (name in control) == (name in like) and control.get(name) == like.get(name)
        assert control.get(name, 7.0) == like.get(name, 7.0)
    assert control.pop("sped", 2.0) == 2.0
    for asked in (lambda: control["sped"], lambda: control.pop("sped")):
        with pytest.raises(KeyError) as error:
            asked()
        assert isinstance(error.value, pl.SceneError)
        assert str(error.value).startswith("Controls: the control asked for is 'sped'")


def test_unknown_names_are_answered_with_near_ones():
    world = everything()
    with pytest.raises(pl.SceneError, match=r"'amr'.*Did you mean 'arm'"):
        world["amr"]
    with pytest.raises(pl.SceneError, match=r"'sped'.*Did you mean 'speed'"):
        world.control["sped"] = 1.0
    with pytest.raises(pl.SceneError, match=r"'bobb'.*Did you mean 'bob'"):
        world.apply_force("bobb", (1, 0, 0))
    with pytest.raises(pl.SceneError, match=r"speed.*at most 5"):
        world.control["speed"] = 7.0
    with pytest.raises(pl.SceneError, match=r"rail.*no angle.*travel"):
        _ = world["rail"].angle
    with pytest.raises(pl.SceneError, match="wind"):
        world["wind"]


def test_a_one_body_block_answers_as_its_body():
    """Oracle: the same bits, with and without the block."""
    plain = everything()
    block = pl.World(plain.scene, _as_blocks=("box", "bob"))
    plain.run(0.5)
    block.run(0.5)
    assert plain.hash() == block.hash()


def test_a_scene_may_be_empty_of_bodies():
    scene = pl.Scene()
    scene.add(pl.Ground())
    world = pl.World(scene)
    assert world.run(0.1).energy.total == 0.0 and world.time == pytest.approx(0.1)


def test_energy_of_springs_after_a_teleport():
    """Oracle: k x^2 / 2 of where the body was put, before any step and after the next."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("bob", pl.Sphere(0.05), mass=1.0, position=(0.5, 0, 0)))
    scene.add(pl.Spring("spring", pl.WORLD, "bob", stiffness=400.0))
    world = pl.World(scene)
    world["bob"].position = (0.6, 0, 0)
    assert world.energy().elastic == pytest.approx(0.5 * 400.0 * 0.1**2, rel=1e-12)
    world["bob"].position = (0.5, 0, 0)
    assert world.energy().elastic == pytest.approx(0.0, abs=1e-12)
