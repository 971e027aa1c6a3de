"""What starts hard just before an obstacle stops at it: contacts are sought along the way that it went, if it was another."""

import numpy as np
import pytest

import pliant as pl
from pliant.collide.work import SLOP_SHARE

HALF = 0.01
"""Of the fingers [m], along their way."""
SLOP = SLOP_SHARE * HALF
"""By which they may overlap [m]."""
SHAPES = {"box": pl.Box(2 * HALF, 0.03, 0.1), "ball": pl.Sphere(HALF), "capsule": pl.Capsule(HALF, 0.05)}
MASS = 0.1


def before_a_wall(drive: str, shape: str, gap: float, force: float, speed: float = 0.0, far: float = 0.0) -> pl.Scene:
    """A finger on a rail that is drawn to a wall of 100 mm, with a `force` [N] at the start, from a `gap` [m]."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("wall", pl.Box(0.1, 0.1, 0.1), position=(far + HALF + gap + 0.05, 0, 0), fixed=True))
    scene.add(pl.Body("finger", SHAPES[shape], mass=MASS, position=(far, 0, 0), velocity=(speed, 0, 0)))
    motor = {"motor": pl.VelocityMotor(1e3, force), "servo": pl.PositionMotor(0.1, force / 0.05, 0.0, force)}.get(drive)
    scene.add(pl.Prismatic("rail", pl.WORLD, "finger", axis=(1, 0, 0), motor=motor))
    if drive == "load":
        scene.add(pl.Load("load", "finger", force=(force, 0, 0)))
    if drive == "spring":
        way = HALF + gap + 0.05
        scene.add(pl.Spring("spring", "finger", "wall", stiffness=force / way, rest_length=0))
    return scene


def watched(world: pl.World, steps: int, depth_of) -> tuple[float, float]:
    """The greatest depth [m], and by how much energy less work rises at most [J]."""
    energy = world.energy()
    lowest, depth, rise = energy.total - energy.work, 0.0, 0.0
    for _ in range(steps):
        energy = world.step().energy
        own, depth = energy.total - energy.work, max(depth, depth_of(world))
        rise, lowest = max(rise, own - lowest), min(lowest, own)
    return depth, rise


@pytest.mark.parametrize("speed", [0.0, -0.1])
@pytest.mark.parametrize("gap", [0.0005, 0.001, 0.005])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("drive", ["motor", "servo", "load", "spring"])
def test_it_stops_at_the_wall(drive, shape, gap, speed):
    """Oracles: it overlaps by no more than its slop, where a step alone would lead it F dt^2 / (2 m) - gap far; and what it has
    gained beyond the work done on it is no more than that slop pushed back against the force."""
    force = 100.0
    world = pl.World(before_a_wall(drive, shape, gap, force, speed))
    assert 0.5 * force / MASS * world.dt**2 + speed * world.dt - gap > 100 * SLOP
    depth, rise = watched(world, 30, lambda w: w["finger"].position[0] - gap)
    assert depth <= SLOP
    assert rise <= force * SLOP
    assert abs(world["finger"].position[0] - gap) <= SLOP
    assert np.abs(world["finger"].velocity).max() <= SLOP / world.dt


@pytest.mark.parametrize("force", [10.0, 30.0, 1000.0])
def test_however_hard_it_starts(force):
    """Oracle: as above, also where a step alone would lead it through the wall; no more work is done than on the way there."""
    gap = 0.001
    world = pl.World(before_a_wall("load", "box", gap, force))
    depth, rise = watched(world, 10, lambda w: w["finger"].position[0] - gap)
    assert depth <= SLOP
    assert rise <= force * SLOP
    assert world.energy().work <= force * (gap + SLOP)


@pytest.mark.parametrize("ground", ["plane", "field", "box"])
def test_what_is_pushed_down_stops_at_the_ground(ground):
    """Oracle: as above, 1 mm over it; a push of one step as from a program."""
    scene, gap = pl.Scene(gravity=(0, 0, 0)), 0.001
    if ground == "plane":
        scene.add(pl.Ground())
    elif ground == "field":
        scene.add(pl.Body("field", pl.HeightField(np.zeros((9, 9)), (0.8, 0.8)), fixed=True))
    else:
        scene.add(pl.Body("slab", pl.Box(0.5, 0.5, 0.02), fixed=True, position=(0, 0, -0.01)))
    scene.add(pl.Body("ball", pl.Sphere(HALF), mass=MASS, position=(0.03, 0.02, HALF + gap)))
    world = pl.World(scene)

    def depth_of(w):
        w.apply_force("ball", (0, 0, -200.0))
        return HALF - w["ball"].position[2]

    world.apply_force("ball", (0, 0, -200.0))
    assert watched(world, 10, depth_of)[0] <= SLOP


def test_what_is_hit_is_not_pushed_through_what_stands_behind():
    """Oracle: finger, ball and wall, 1 mm between them: their places add up, to the slop at each."""
    scene = before_a_wall("load", "box", 0.001 + 2 * HALF + 0.001, 100.0)
    scene.add(pl.Body("ball", pl.Sphere(HALF), mass=MASS, position=(2 * HALF + 0.001, 0, 0)))
    world = pl.World(scene)
    depth, _ = watched(world, 60, lambda w: max(
        w["finger"].position[0] + 2 * HALF - w["ball"].position[0], w["ball"].position[0] - (2 * HALF + 0.002)))
    assert depth <= 2 * SLOP
    assert abs(world["finger"].position[0] - 0.002) <= 2 * SLOP


def test_more_fingers_than_there_is_room_for():
    """Oracle: as above; each has four contacts or more, which the tables have to grow for when the step is taken again."""
    scene, gap, count = pl.Scene(gravity=(0, 0, 0)), 0.001, 60
    scene.add(pl.Body("wall", pl.Box(0.1, 0.1 * count, 0.2), position=(HALF + gap + 0.05, 0.05 * count, 0), fixed=True))
    for k in range(count):
        scene.add(pl.Body(f"f{k}", SHAPES["box"], mass=MASS, position=(0, 0.05 + 0.1 * k, 0)))
        scene.add(pl.Prismatic(f"r{k}", pl.WORLD, f"f{k}", axis=(1, 0, 0), motor=pl.VelocityMotor(1e3, 100.0)))
    world = pl.World(scene)
    room = len(world._engine.state.contacts.separation)
    depth, _ = watched(world, 3, lambda w: max(w[f"f{k}"].position[0] for k in range(count)) - gap)
    assert depth <= SLOP
    assert len(world._engine.state.contacts.separation) > room


@pytest.mark.parametrize("torque", [2.0, 5.0, 10.0, 20.0, 50.0])
def test_a_lever_stops_at_a_post(torque):
    """Oracle: it turns as far as to the post, where a step alone would lead it M dt^2 / (2 I) far."""
    scene, reach, gap = pl.Scene(gravity=(0, 0, 0)), 0.2, 0.001
    scene.add(pl.Body("lever", pl.Box(reach, 2 * HALF, 2 * HALF), mass=MASS, position=(0.5 * reach, 0, 0)))
    scene.add(pl.Body("post", pl.Cylinder(HALF, 0.1), fixed=True, position=(0.8 * reach, 2 * HALF + gap, 0)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "lever", anchor=(0, 0, 0), axis=(0, 0, 1), motor=pl.VelocityMotor(1e3, torque)))
    world = pl.World(scene)
    assert 0.5 * torque / (MASS * reach**2 / 3.0) * world.dt**2 * 0.8 * reach - gap > 10 * SLOP
    depth, rise = watched(world, 30, lambda w: 0.8 * reach * w["hinge"].angle - gap)
    assert depth <= SLOP
    assert rise <= torque * SLOP / (0.8 * reach)


def beside(sudden: bool) -> pl.World:
    """A stack and a driven arm, each for itself, and a finger before a wall 50 m away, if it is there at all."""
    scene = before_a_wall("motor", "box", 0.001, 100.0, far=50.0) if sudden else pl.Scene(gravity=(0, 0, 0))
    scene.gravity = (0, 0, -9.81)
    scene.add(pl.Ground(height=-1.0))
    for k in range(3):
        scene.add(pl.Body(f"b{k}", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(0.02 * k, 0, -0.88 + 0.21 * k)))
    scene.add(pl.Body("arm", pl.Box(0.4, 0.05, 0.05), mass=1.0, position=(3.2, 0, 0)))
    motor = pl.PositionMotor(1.0, 500.0, 5.0, 90.0)
    scene.add(pl.Revolute("hinge", pl.WORLD, "arm", anchor=(3, 0, 0), axis=(0, 1, 0), motor=motor))
    return pl.World(scene)


def test_others_keep_their_bits():
    """Oracle: the same things alone."""
    alone, world = beside(False), beside(True)
    for _ in range(30):
        alone.step()
        world.step()
        for name in ("b0", "b1", "b2", "arm"):
            assert np.array_equal(alone[name].position, world[name].position)
            assert np.array_equal(alone[name].velocity, world[name].velocity)
            assert np.array_equal(alone[name].contact_force, world[name].contact_force)


def test_a_restored_world_and_one_set_back_have_the_same_bits(tmp_path):
    """Saved before the step that is taken again, and after it."""
    world = beside(True)
    hashes = [world.step() and world.hash() for _ in range(5)]
    world.reset()
    for k in range(3):
        world.save(tmp_path / "saved")
        back = pl.World.restore(tmp_path / "saved")
        assert [back.step() and back.hash() for _ in range(5 - k)] == hashes[k:]
        world.step()
