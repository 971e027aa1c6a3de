"""Cloth and solids in a world. Oracles: the parabola, momentum, the stand-alone block, snapshots, hashes."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.couple.soft.starts import turn_firmly
from pliant.solvers.soft.mesh import solid_model
from pliant.solvers.soft.methods import METHODS

SOFT = pl.Material(1000.0, 1e5, poisson=0.3)
G = np.array([0.0, 0.0, -9.81])


def cube_scene(method="projective", gravity=(0.0, 0.0, -9.81), **more) -> pl.Scene:
    scene = pl.Scene(gravity=gravity)
    scene.add(pl.Solid("cube", pl.Box(0.2, 0.1, 0.1), spacing=0.05, material=SOFT, method=method, **more))
    return scene


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("substeps", [1, 3])
def test_what_nothing_holds_falls_along_the_parabola(method, substeps):
    """x0 + v0 t + g t^2/2 to rounding: every vertex, because uniform weight bends nothing."""
    scene = cube_scene(method, velocity=(1.0, 0.0, 2.0), position=(0.0, 0.0, 3.0))
    scene.add(pl.Cloth("rag", pl.Sheet(0.3, 0.2, 0.1), 1e-3, method=method, position=(5.0, 0.0, 0.0)))
    world = pl.World(scene, substeps=substeps, threads=1)
    starts = {name: world[name].positions for name in ("cube", "rag")}
    world.run(0.5)
    for name, speed in (("cube", (1.0, 0.0, 2.0)), ("rag", (0.0, 0.0, 0.0))):
        expected = starts[name] + np.array(speed) * world.time + 0.5 * G * world.time**2
        # rounding of strains, 1e-16, times stiffness over mass, h^2 E/(rho dx^2) = 1e2 to 1e4, for some hundred steps
        np.testing.assert_allclose(world[name].positions, expected, rtol=0, atol=1e-10)
        np.testing.assert_allclose(world[name].velocities, np.zeros_like(expected) + speed + G * world.time, rtol=0,
                                   atol=1e-8)


def momentum_error(method: str, iterations: int) -> float:
    """Of a stretched, spinning bar under a load on one end [kg m/s]: momentum gained less F t, largest component."""
    scene = cube_scene(method, gravity=(0.0, 0.0, 0.0), iterations=iterations)
    cube = scene["cube"]
    scene.add(pl.Load("pull", cube.vertices(((0.1, -1.0, -1.0), (1.0, 1.0, 1.0))), force=(0.3, -0.2, 0.1)))
    world = pl.World(scene, threads=1)
    rng = np.random.default_rng(4)
    world["cube"].positions = world["cube"].positions * 1.1
    world["cube"].velocities = np.cross((0.0, 3.0, 1.0), world["cube"].positions) + 0.1 * rng.normal(size=cube.rest.shape)
    mass = world._engine.model.soft[0].mass
    before = mass @ world["cube"].velocities
    world.run(0.2)
    gained = mass @ world["cube"].velocities - before
    return float(np.abs(gained - world.time * np.array([0.3, -0.2, 0.1])).max())


@pytest.mark.parametrize("method", METHODS)
def test_linear_momentum_changes_by_what_acts_from_outside(method):
    """Its own pulls change nothing, in any iteration: to rounding."""
    assert momentum_error(method, 10) < 1e-11


@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("material", ["jelly", "rubber", "near-incompressible"])
@pytest.mark.parametrize("start", ["shaken", "stretched", "tumbling"])
def test_jacobi_makes_nothing_of_nothing(start, material, pinned):
    """Ten iterations are far too few for it: energy less work never rises, but for rounding, momentum stays, and steps of stiff
    things that are shaken or stretched say that they have not converged."""
    scene = pl.Scene(gravity=(0.0, 0.0, -9.81 if pinned else 0.0))
    bar = scene.add(pl.Solid("bar", pl.Box(0.3, 0.2, 0.1), spacing=0.05, material=material, method="jacobi"))
    if pinned:
        scene.pin(bar.vertices(lambda x: x[:, 0] < -0.149), name="wall")
    world = pl.World(scene, threads=1)
    x, free = bar.rest, bar.rest[:, :1] > -0.149
    if start == "shaken":
        world["bar"].velocities = [1.0, 0.0, 0.0] + 0.5 * np.random.default_rng(0).normal(size=x.shape)
    elif start == "stretched":
        world["bar"].positions = np.where(free, x * [1.2, 1.0, 1.0], x)
    else:
        world["bar"].velocities = np.cross((0.0, 3.0, 2.0), x)
    mass = world._engine.model.soft[0].mass
    momentum, had = mass @ world["bar"].velocities, world.energy()
    energy, size = had.total - had.work, had.kinetic + had.elastic
    for _ in range(30):
        report = world.step()
        now = report.energy.total - report.energy.work
        assert now - energy < 1e-12 * size
        energy = now
        assert start == "tumbling" or (not report.converged and report.residual > 1e-6)
    if not pinned:
        np.testing.assert_allclose(mass @ world["bar"].velocities, momentum, rtol=0, atol=1e-11)


@pytest.mark.parametrize("method", METHODS)
def test_a_world_steps_its_block_and_nothing_else(method):
    """The stand-alone block with the same kicks, to the last bit: what is held is held, what is free is kicked whole.

    Where forces are balanced iterations begin where the vertices would go without those from outside, Jacobi's unstrained.
    In so short a step the cube is not stiff beside its inertia, and needs no frame of its own.
    """
    scene = cube_scene(method)
    cube = scene["cube"]
    scene.pin(cube.vertices(((-1.0, -1.0, -1.0), (-0.1, 1.0, 1.0))), name="wall")
    world = pl.World(scene, dt=0.001, substeps=1, threads=1)
    held = cube.numbers("(-1, -1, -1), (-0.1, 1, 1)")
    model = solid_model(cube.rest, cube.filling.cells, SOFT.density, SOFT.young, SOFT.poisson_ratio, held=held)
    block = METHODS[method](model, cube.rest.copy(), np.zeros_like(cube.rest))
    for _ in range(5):
        world.step()
        free, start = model.vertices.inverse_mass > 0.0, block.position + 0.001 * block.velocity
        block.velocity[free] += 0.001 * G
        block.begin(0.001)
        if method == "jacobi":
            turn_firmly(block, block.velocity, world._engine.model.soft[0].mass, ~free, 0.001)
        elif method != "position":
            block.work.place[free] = start[free]
        for _ in range(10):
            if block.iterate() < 1e-9:
                break
        block.position[:] = block.work.place
    np.testing.assert_array_equal(world["cube"].positions, block.position)
    np.testing.assert_array_equal(world["cube"].velocities, block.velocity)
    np.testing.assert_array_equal(world["cube"].positions[held], cube.rest[held])


def several(threads: int) -> pl.World:
    """Two solids and a cloth, pinned, driven, blown, with examples; and a rigid body beside them."""
    scene = cube_scene("quasi-newton", position=(0.0, 2.0, 0.0))
    bar = scene.add(pl.Solid("bar", pl.Box(0.6, 0.1, 0.1), spacing=0.011, material=SOFT, iterations=3))
    scene.pin(bar.vertices(lambda x: x[:, 0] < -0.299), name="left", motion=pl.Motion(
        [0.0, 0.5], positions=[[0, 0, 0], [0, 0.1, 0]], rotations=[[0, 0, 0], [2.0, 0, 0]]))
    flag = scene.add(pl.Cloth("flag", pl.Sheet(0.6, 0.4, 0.1), 5e-4, position=(0.0, 4.0, 0.0)))
    scene.pin(flag.vertices([0, 1, 2, 3, 4]), name="pole")
    scene.add(pl.Wind("wind", (5.0, 1.0, 0.0), gust=0.3))
    shape = np.array(scene["cube"].rest) * (1.3, 1.0, 1.0)
    scene.add(pl.Solid("liking", scene["cube"].rest, scene["cube"].filling.cells, SOFT, examples=(shape,),
                       example_stiffness=1e4, position=(0.0, 6.0, 0.0)))
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=1.0, position=(0.0, 8.0, 0.0)))
    return pl.World(scene, substeps=2, threads=threads)


def test_a_saved_world_goes_on_with_the_same_bits_and_a_reset_one_starts_with_them(tmp_path):
    world = several(1)
    start = world.hash()
    world.step()
    first = world.hash()
    world.run(0.1)
    world.save(tmp_path / "kept")
    other = pl.World.restore(tmp_path / "kept")
    assert other.hash() == world.hash()
    assert other.energy() == world.energy()
    np.testing.assert_array_equal(other["left"].force, world["left"].force)
    for one in (world, other):
        one.run(0.1)
    assert other.hash() == world.hash()
    world.reset()
    assert world.hash() == start
    world.step()
    assert world.hash() == first


def test_one_hash_for_any_number_of_threads():
    """The bar has 28,000 vertices and elements, enough to be shared."""
    worlds = [several(threads) for threads in (1, 2)]
    assert worlds[1]._engine.soft.bodies[1].block.pool is not None
    for world in worlds:
        world.run(0.1)
    assert worlds[0].hash() == worlds[1].hash()


def test_soft_things_do_not_change_how_bodies_move():
    """A ball beside them has the bits of a ball alone."""
    world, alone = several(1), pl.Scene()
    alone.add(pl.Body("ball", pl.Sphere(0.1), mass=1.0, position=(0.0, 8.0, 0.0)))
    single = pl.World(alone, substeps=2, threads=1)
    for one in (world, single):
        one.run(0.2)
    np.testing.assert_array_equal(world["ball"].position, single["ball"].position)


def test_a_state_that_is_not_finite_is_refused_and_the_last_good_one_stays():
    scene = cube_scene(gravity=(0.0, 0.0, 0.0))
    world = pl.World(scene, threads=1)
    world.step()
    world._engine.state.motion.velocity[-1] = 1e200, 0.0, 0.0  # of its last vertex; whose energy no float holds
    good = world.hash()
    with pytest.raises(pl.Diverged, match="cube") as error:
        world.step()
    assert error.value.thing == "cube" and world.hash() == good
    world._engine.state.motion.velocity[-1] = 0.0
    world.step()
    assert np.isfinite(world["cube"].positions).all()


def test_a_sheet_that_is_pinned_everywhere_bears_what_lies_on_it_without_a_word():
    """Oracle: the weight of the ball; NumPy warns of nothing (a sheet without free vertices has no median of stiffness)."""
    scene = pl.Scene()
    sheet = scene.add(pl.Cloth("sheet", pl.Sheet(0.2, 0.2, 0.05), thickness=0.01, material="rubber"))
    scene.pin(sheet.vertices(lambda x: x[:, 2] < 1.0))
    scene.add(pl.Body("ball", pl.Sphere(0.08), mass=1.0, position=(0.0, 0.0, 0.085)))
    world = pl.World(scene, threads=1)
    start = world["sheet"].positions.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        world.run(1.0)
    assert world["sheet"].contact_force == pytest.approx((0.0, 0.0, -9.81), abs=1e-3)
    assert np.array_equal(world["sheet"].positions, start)
