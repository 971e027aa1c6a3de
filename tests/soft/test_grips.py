"""Vertices grabbed and let go while a world runs. Oracles: Hooke's law, weight, a fresh run, snapshots."""

import numpy as np
import pytest

import pliant as pl
from pliant.solvers.projective.block import MOST_BESIDE

STUFF = pl.Material(1000.0, 1e6, poisson=0.3)
G = 9.81


def falling_cube(**more) -> pl.World:
    scene = pl.Scene(**more)
    scene.add(pl.Solid("cube", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=STUFF))
    return pl.World(scene, threads=1)


def refuses_all(grip) -> None:
    """What was let go is no more, whatever is asked of it."""
    for act in (lambda: grip.force, lambda: grip.target, lambda: setattr(grip, "target", (1.0, 0.0, 0.0)), grip.release):
        with pytest.raises(pl.SceneError, match="is no more"):
            act()


@pytest.mark.parametrize("method", ["projective", "quasi-newton"])
def test_a_grip_bears_the_weight_and_follows_its_target(method):
    scene = pl.Scene(drag=10.0)
    cube = scene.add(pl.Solid("cube", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=STUFF, method=method))
    world = pl.World(scene, threads=1)
    grip = world.grab(cube.vertices(lambda x: x[:, 2] > 0.049), stiffness=2e4)
    world.run(2.0)
    weight = world["cube"].mass * G
    np.testing.assert_allclose(grip.force, (0.0, 0.0, weight), rtol=0, atol=1e-4 * weight)  # drag 10/s for 2 s: e^-20
    top = world["cube"].positions[cube.rest[:, 2] > 0.049].mean(axis=0)
    np.testing.assert_allclose(grip.target - top, (0.0, 0.0, weight / 2e4), rtol=0, atol=1e-7)
    grip.target = grip.target + np.array([0.3, 0.0, 0.1])
    world.run(2.0)
    np.testing.assert_allclose(world["cube"].positions[cube.rest[:, 2] > 0.049].mean(axis=0) - top, (0.3, 0.0, 0.1), atol=1e-5)


def test_what_is_let_go_falls():
    """From rest: the parabola of its middle, exactly, as for what was never held."""
    world = falling_cube(gravity=(0.0, 0.0, 0.0))
    grip = world.grab("cube", at=(0.05, 0.05, 0.05))
    world.run(0.2)
    grip.release()
    fresh = falling_cube(gravity=(0.0, 0.0, 0.0))
    world["cube"].positions = fresh["cube"].positions
    world["cube"].velocities = fresh["cube"].velocities + np.array([1.0, 0.0, 0.0])
    world.run(0.5)
    np.testing.assert_allclose(world["cube"].positions, fresh["cube"].positions + np.array([0.5, 0.0, 0.0]), atol=1e-9)


def test_a_grip_is_part_of_a_saved_world(tmp_path):
    world = falling_cube()
    grip = world.grab("cube", at=(0.05, 0.05, 0.05))
    world.run(0.3)
    world.save(tmp_path / "held.world")
    again = pl.World.restore(tmp_path / "held.world")
    world.run(0.3)
    again.run(0.3)
    assert world.hash() == again.hash()
    assert grip.force[2] > 0.0


def test_more_grips_than_are_kept_beside_the_factor_are_part_of_a_saved_world(tmp_path):
    """Oracle: the bits of the run that was not interrupted: which grips belong to the factor says nothing of their order."""
    scene = pl.Scene()
    scene.add(pl.Cloth("sheet", pl.Sheet(1.0, 1.0, 0.05), 2e-3))
    world = pl.World(scene, threads=1)
    for some in ("sheet[0-299]", "sheet[300-309]"):
        assert MOST_BESIDE < 300
        world.grab(some)
        world.run(0.05)
    world.save(tmp_path / "held.world")
    again = pl.World.restore(tmp_path / "held.world")
    assert world.step().hash == again.step().hash


def test_a_later_grip_takes_vertices_over():
    world = falling_cube()
    first = world.grab("cube[0-1]")
    second = world.grab("cube[1]")
    assert world.grips == [first, second]
    first.release()
    world.run(0.2)
    assert second.force[2] > 0.0 and world.grips == [second]
    second.release()
    for grip in (first, second):
        refuses_all(grip)


def test_handles_go_on_with_what_is_restored(tmp_path):
    """An old handle says what the restored state does; what did not hold then is refused; a restored world tells its grips."""
    world, file = falling_cube(gravity=(0.0, 0.0, 0.0), drag=20.0), tmp_path / "held.world"
    grips = [world.grab("cube[0-3]"), world.grab("cube[3-4]")]
    targets = [grip.target for grip in grips]
    world.save(file)
    for grip in grips:
        grip.target = grip.target + np.array([0.0, 0.0, 0.3])
    world.run(0.5)
    assert world["cube"].positions.mean(axis=0)[2] > 0.2
    grips[1].release()
    third = world.grab("cube[3-4]")
    world.restore(file)
    assert world.grips == grips
    refuses_all(third)
    again = pl.World.restore(file)
    for one in (world, again):
        assert [grip.name for grip in one.grips] == ["cube", "cube"]
        np.testing.assert_array_equal([grip.target for grip in one.grips], targets)
        one.grips[0].target = targets[0] + np.array([0.0, 0.0, 0.3])
        one.grips[1].target = targets[1] + np.array([0.0, 0.0, 0.3])
        one.run(2.0)  # drag 20/s: all that moves is gone
        np.testing.assert_allclose(one["cube"].positions.mean(axis=0), (0.0, 0.0, 0.3), rtol=0, atol=1e-4)
        for grip in one.grips:
            grip.release()
        assert not one._engine.state.soft.pull.any()
    assert world.hash() == again.hash()
    grip = again.grab("cube[0]")
    again.reset()
    refuses_all(grip)


def test_an_attachment_lets_go():
    """Two bodies on a bar: the one let go moves on by itself, straight and evenly, and nothing is borne any more."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    bar = scene.add(pl.Solid("bar", pl.Box(0.1, 0.1, 0.3), spacing=0.05, material=STUFF))
    box = scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0.0, 0.0, 0.2), collide=False))
    scene.attach(bar.vertices(lambda x: x[:, 2] > 0.149), box, name="glue")
    world = pl.World(scene, threads=1)
    world.run(0.1, each=lambda _: world.apply_force("box", (0.0, 0.0, 5.0)))
    assert 0.0 < world["glue"].force[2] < 2.0 * 5.0  # 3 of 4 kg hang on it; what begins at once swings to at most twice
    world.detach("glue")
    place, velocity = world["box"].position, world["box"].velocity
    world.run(0.5)
    np.testing.assert_allclose(world["box"].position, place + 0.5 * velocity, rtol=0, atol=1e-12)
    assert not world["glue"].force.any()


def test_what_was_let_go_touches_again(tmp_path):
    """Glued above a table it passes through it; let go, it falls on the table, which bears its weight. After a restore too."""
    scene = pl.Scene(drag=5.0)
    cube = scene.add(pl.Solid("cube", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=STUFF, position=(0.0, 0.0, 0.151)))
    table = scene.add(pl.Body("table", pl.Box(0.4, 0.4, 0.2), fixed=True))
    scene.attach(cube.vertices(lambda x: x[:, 2] < -0.049), table, name="glue")
    world = pl.World(scene, threads=1)
    world.run(0.1)
    assert not len(world.contacts.a)
    world.detach("glue")
    world.save(tmp_path / "loose.world")
    for one in (world, pl.World.restore(tmp_path / "loose.world")):
        one.run(2.0)
        weight = one["cube"].mass * 9.81
        # drag of 5/s for 2 s leaves e^-10 of what moves
        np.testing.assert_allclose(one["cube"].contact_force, (0.0, 0.0, weight), rtol=0, atol=1e-3 * weight)


@pytest.mark.parametrize(("act", "words"), [
    (lambda w: w.grab("cube"), "give the point 'at'"),
    (lambda w: w.grab("cub"), "cannot be grabbed"),
    (lambda w: w.grab([1, 2]), "cannot be grabbed"),
    (lambda w: w.detach([1, 2]), "no pin or attachment of vertices"),
    (lambda w: w.grab("cube[999]"), "vertex 999"),
    (lambda w: w.grab("cube[0]", stiffness=-1.0), "stiffness"),
    (lambda w: setattr(w.grab("cube[0]"), "target", (np.nan, 0.0, 0.0)), "target"),
    (lambda w: w.detach("cube"), "no pin or attachment of vertices"),
])
def test_bad_grips_are_refused_in_words(act, words):
    with pytest.raises(pl.SceneError, match=words):
        act(falling_cube())
