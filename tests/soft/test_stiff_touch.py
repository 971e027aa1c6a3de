"""Stiff things that touch and hang on each other. Oracles: weight, Hooke's law, energy, momentum, the work of drivers."""

import numpy as np
import pytest
from energy import EnergyGuard, never_gains

import pliant as pl

G = 9.81


def tower(count: int, offset: float, young: float, method: str = "projective", drag: float = 0.0) -> pl.World:
    """Cubes of 1 kg on each other, each `offset` [m] beside the one below, let go half a millimetre above it."""
    scene = pl.Scene(drag=drag)
    scene.add(pl.Ground(friction=0.6))
    for k in range(count):
        scene.add(pl.Solid(f"cube{k}", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=pl.Material(1000.0, young, poisson=0.3),
                           position=(offset * k, 0.0, 0.05 + 0.1005 * k), method=method))
    return pl.World(scene, threads=1)


def borne(world: pl.World, lower: str, upper: str) -> np.ndarray:
    """Force of one thing on another [N] (3,)."""
    found, total = world.contacts, np.zeros(3)
    for k in range(len(found.a)):
        if {found.a[k], found.b[k]} == {lower, upper}:
            total += found.force[k] if found.b[k] == upper else -found.force[k]
    return total


@pytest.mark.parametrize(("young", "method"), [(2e6, "projective"), (2e7, "projective"), (2e6, "quasi-newton")])
def test_a_tower_of_stiff_cubes_stands_still(young, method):
    """Each interface bears what is above it; nothing moves on, though E h^2 / (rho l^2) is 200 and more."""
    world = tower(3, 0.0, young, method)
    world.on_step(EnergyGuard(world))
    world.run(2.0)
    for k, lower in enumerate(("ground", "cube0", "cube1")):
        weight = (3 - k) * G
        # rows are met to 1e-7 m/s, which 3 kg feel as 1e-7 * 3 / h
        np.testing.assert_allclose(borne(world, lower, f"cube{k}"), (0.0, 0.0, weight), rtol=0, atol=1e-5 * 3 * G)
    speeds = [np.abs(world[f"cube{k}"].velocities).max() for k in range(3)]
    assert max(speeds) < 1e-6
    pressed = 0.3 - world["cube2"].positions[:, 2].max()
    # n cubes on each other: sum of (n - k - 1/2) m g l / (E A); friction and Poisson's ratio stiffen by up to 1 / (1 - nu^2)
    exact = (2.5 + 1.5 + 0.5) * G * 0.1 / (young * 0.01)
    assert 0.85 * exact < pressed < 1.02 * exact


def test_a_leaning_tower_stands():
    """The middle of the upper two is 5 mm inside the edge of the lowest: the ground bears all, and they stay."""
    world = tower(3, 0.03, 2e6, drag=3.0)  # without it they rock for some seconds
    world.on_step(EnergyGuard(world))
    world.run(6.0)
    before = world["cube2"].positions.copy()
    world.run(1.0)
    np.testing.assert_allclose(borne(world, "ground", "cube0"), (0.0, 0.0, 3 * G), rtol=0, atol=1e-2 * 3 * G)
    assert np.abs(world["cube2"].positions - before).max() < 1e-4  # a thousandth of their size


@pytest.mark.parametrize(("material", "offset"), [("rubber", 0.01), ("rubber", 0.0), ("silicone", 0.01)])
def test_blocks_of_fine_and_coarse_cells_in_turn_lie_on_each_other(material, offset):
    """Each interface, of up to 130 contacts in all, bears what is above it.

    Iterations end below 1e-6 m/s, so that nothing is deeper than some times what that makes in a step, and lifting all
    blocks out of it is all the energy that may appear.
    """
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k in range(4):
        scene.add(pl.Solid(f"block{k}", pl.Box(0.2, 0.2, 0.1), spacing=(0.05, 0.1)[k % 2], material=material,
                           position=(offset * k, 0.0, 0.0501 + 0.1001 * k)))
    world = pl.World(scene, threads=1)
    weight = G * world["block0"].mass
    for report in never_gains(world, 40, 4.0 * weight * 1e-7):
        assert report.penetration < 1e-7
    for k, lower in enumerate(("ground", "block0", "block1", "block2")):
        above = (4 - k) * weight
        np.testing.assert_allclose(borne(world, lower, f"block{k}"), (0.0, 0.0, above), rtol=0, atol=1e-2 * above)


def press(shape, method: str = "projective") -> pl.World:
    """A pad glued under a driven finger that presses it 6 mm deep on a fixed body, 0.08 m high, within half a second."""
    scene = pl.Scene()
    down = pl.Motion([0.0, 0.5, 9.0], positions=[(0.0, 0.0, 0.0), (0.0, 0.0, -0.006), (0.0, 0.0, -0.006)])
    finger = scene.add(pl.Body("finger", pl.Box(0.08, 0.08, 0.04), position=(0.0, 0.0, 0.14), collide=False, motion=down))
    pad = scene.add(pl.Solid("pad", pl.Box(0.08, 0.08, 0.04), spacing=0.01, material=pl.Material(1100.0, 4e4, poisson=0.4),
                             position=(0.0, 0.0, 0.10), iterations=20, method=method))
    scene.attach(pad.vertices(lambda x: x[:, 2] > 0.0199), finger, name="glue")
    scene.add(pl.Body("block", shape, fixed=True, position=(0.0, 0.0, 0.04)))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize(("shape", "method"), [(pl.Box(0.044, 0.028, 0.08), "projective"),
                                               (pl.Box(0.12, 0.12, 0.08), "quasi-newton")])
def test_a_pad_pressed_on_edges_comes_to_rest(shape, method):
    """No energy appears, what the glue bears is what the block bears and the weight, and it lies still."""
    world = press(shape, method)
    world.on_step(EnergyGuard(world))
    world.run(1.5)
    assert np.abs(world["pad"].velocities).max() < 1e-5
    np.testing.assert_allclose(world["glue"].force + borne(world, "block", "pad"), (0.0, 0.0, world["pad"].mass * G), rtol=0,
                               atol=1e-4 * np.linalg.norm(world["glue"].force))


def test_a_driven_end_does_the_work_that_stretches_a_bar():
    """Pulled slowly by d in n steps, force times way is k d^2 / 2 (1 + 1 / n): forces are those at the ends of steps."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    bar = scene.add(pl.Solid("bar", pl.Box(0.1, 0.1, 0.3), spacing=0.05, material=pl.Material(1000.0, 1e6, poisson=0.0)))
    for name, z, way in (("one", 0.2, 0.02), ("other", -0.2, 0.0)):
        motion = pl.Motion([0.0, 1.0, 9.0], positions=[(0.0, 0.0, 0.0), (0.0, 0.0, way), (0.0, 0.0, way)])
        body = scene.add(pl.Body(name, pl.Box(0.1, 0.1, 0.1), position=(0.0, 0.0, z), collide=False, motion=motion))
        scene.attach(bar.vertices(lambda x, z=z: z * x[:, 2] > 0.0299), body)
    world = pl.World(scene, threads=1)
    world.run(1.5)
    energy, stiffness = world.energy(), 1e6 * 0.01 / 0.3
    assert energy.elastic == pytest.approx(0.5 * stiffness * 0.02**2, rel=1e-9)
    steps = 60 * world.soft_substeps
    # it is set in motion and stopped: inertia takes m v^2 and gives it back to nobody
    slack = world["bar"].mass * 0.02**2
    assert energy.work == pytest.approx(energy.elastic * (1.0 + 1.0 / steps), abs=slack)


@pytest.mark.parametrize("young", [1e8, 1e9])
def test_a_bar_as_stiff_as_steel_between_jerked_bodies(young):
    """Thrown in opposite directions they end as one rigid body: momentum is kept, energy falls to that of what they are."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    bar = scene.add(pl.Solid("bar", pl.Box(0.1, 0.1, 0.3), spacing=0.05, material=pl.Material(1000.0, young, poisson=0.0)))
    for name, z, v in (("one", 0.2, 1.0), ("other", -0.2, -1.0)):
        body = scene.add(pl.Body(name, pl.Box(0.1, 0.1, 0.1), mass=2.0, position=(0.0, 0.0, z), collide=False,
                                 velocity=(v, 0.3, 0.5 * v)))
        scene.attach(bar.vertices(lambda x, z=z: z * x[:, 2] > 0.0299), body)
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    mass = world._engine.model.soft[0].mass
    world.run(0.5)
    momentum = mass @ world["bar"].velocities + 2.0 * (world["one"].velocity + world["other"].velocity)
    np.testing.assert_allclose(momentum, (0.0, 1.2, 0.0), rtol=0, atol=1e-9)
    length = np.linalg.norm(world["one"].position - world["other"].position)
    assert length == pytest.approx(0.4, abs=1e-4)


def test_a_solid_moved_into_the_ground_is_pushed_out_gently():
    """Moved 2 cm down by hand it comes up again, and goes no higher than it was."""
    world = tower(1, 0.0, 2e5)
    world.run(0.5)
    top = world["cube0"].positions[:, 2].mean()
    world["cube0"].positions = world["cube0"].positions - np.array([0.0, 0.0, 0.02])
    heights = []
    world.run(1.0, each=lambda _: heights.append(world["cube0"].positions[:, 2].mean()))
    assert max(heights) < top + 1e-4
    assert heights[-1] == pytest.approx(top, abs=1e-5)


def test_positions_projected_one_by_one_gain_nothing():
    """They store no energy, so what falls and tumbles has at most what it began with; and it comes to lie on the ground."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.6))
    for k, turn in enumerate(((0.9, 0.3, 0.3, 0.1), (0.8, 0.1, -0.5, 0.3))):
        scene.add(pl.Solid(f"cube{k}", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=pl.Material(1000.0, 2e5, poisson=0.3),
                           position=(0.02 * k, 0.0, 0.12 + 0.19 * k), quaternion=turn, method="position"))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    world.run(1.5)
    assert all(world[f"cube{k}"].positions[:, 2].min() > -0.01 for k in range(2))
