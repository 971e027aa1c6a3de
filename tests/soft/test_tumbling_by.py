"""Bodies that tumble past soft things turn as they do elsewhere, and into them without gaining anything."""

import numpy as np
import pytest

import pliant as pl
from pliant.scene.pose import turned

SHAPES = [(pl.Box(0.04, 0.1, 0.3), (20.0, 0.0, 4.0)), (pl.Capsule(0.02, 0.3), (40.0, 0.0, 4.0))]


def tumbling(shape: object, spin: tuple, gap: float, speed: float = 0.5) -> pl.World:
    """A body of 3 kg that turns and flies along -y, a block of jelly above it."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add(pl.Solid("block", pl.Box(0.3, 0.3, 0.3), spacing=0.1, material="jelly", position=(0, 0.15 + gap, 0)))
    scene.add(pl.Body("board", shape, mass=3, quaternion=(0.5, 0.5, 0.5, 0.5), velocity=(0, -speed, 0), angular_velocity=spin))
    return pl.World(scene)


def momentum_of(world: pl.World) -> np.ndarray:
    """Angular momentum [kg m2/s] of the board about its centre of mass."""
    bodies, motion = world._engine.model.bodies, world._engine.state.motion
    k = world._index["body"]["board"]
    q = motion.quaternion[k]
    return np.asarray(turned(q, bodies.inertia[k] * turned(q * (1.0, -1.0, -1.0, -1.0), motion.angular_velocity[k])))


@pytest.mark.parametrize(("shape", "spin"), SHAPES, ids=["box", "capsule"])
def test_what_nothing_touches_keeps_its_energy_and_momentum(shape, spin):
    """Oracle: both are constant. It was stopped dead: turned by implicit Euler it gained a tenth of its energy in a step."""
    world = tumbling(shape, spin, 0.07)
    energy, momentum = world.energy().kinetic, momentum_of(world)
    for _ in range(4):
        report = world.step()
        assert not report.warnings
        assert report.energy.kinetic == pytest.approx(energy, rel=1e-12)
        assert momentum_of(world) == pytest.approx(momentum, rel=1e-9)
        assert world["board"].velocity == pytest.approx((0.0, -0.5, 0.0), abs=1e-15)


@pytest.mark.parametrize(("shape", "spin"), SHAPES, ids=["box", "capsule"])
def test_it_turns_as_if_nothing_were_near(shape, spin):
    """Oracle: the same body 5 m away, which an island without soft things takes; both turn at second order, in other pieces."""
    near, far = tumbling(shape, spin, 0.07), tumbling(shape, spin, 5.0)
    for _ in range(4):
        near.step()
        far.step()
    assert near["board"].angular_velocity == pytest.approx(far["board"].angular_velocity, abs=1e-4 * np.linalg.norm(spin))
    assert near["board"].position == pytest.approx(far["board"].position, abs=1e-12)


@pytest.mark.parametrize(("shape", "spin"), SHAPES, ids=["box", "capsule"])
def test_what_is_glued_to_something_that_tumbles_brings_it_nothing(shape, spin):
    """Oracle: the sum of all energies again; a block of rubber on it gained 0.8 and 2.6 mJ in a step."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    board = scene.add(pl.Body("board", shape, mass=3, quaternion=(0.5, 0.5, 0.5, 0.5), angular_velocity=spin))
    block = scene.add(pl.Solid("block", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material="rubber", position=(0, 0.07, 0)))
    scene.attach(block.vertices(lambda x: x[:, 1] < -0.049), board)
    world = pl.World(scene)
    energy = world.energy().total
    for _ in range(60):
        now = world.step().energy.total
        assert now <= energy * (1.0 + 1e-9)
        energy = now


@pytest.mark.parametrize(("shape", "spin"), SHAPES, ids=["box", "capsule"])
def test_tumbling_into_something_soft_gains_nothing(shape, spin):
    """Oracle: the sum of all energies, of which contacts and implicit Euler only take."""
    world = tumbling(shape, spin, 0.07, speed=-1.0)
    energy = start = world.energy().total
    touched = 0.0
    for _ in range(60):
        report = world.step()
        assert not report.warnings
        now = report.energy.total
        assert now <= energy + 1e-9 * start
        energy, touched = now, max(touched, float(np.linalg.norm(world["block"].contact_force)))
    assert touched > 0.0
