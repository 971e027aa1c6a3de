"""Vertices held and let go while a world runs. Oracles: worlds whose scenes say the same, free fall, momentum, snapshots."""

import numpy as np
import pytest

import pliant as pl
from pliant.scene.soft import METHODS, TYING

STUFF = pl.Material(1000.0, 1e6, poisson=0.3)
UPRIGHT = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)


def flag(**more) -> pl.Cloth:
    return pl.Cloth("flag", pl.Sheet(0.6, 0.4, 0.1), 1e-3, quaternion=UPRIGHT, **more)


def pole(thing: pl.Cloth):
    return thing.vertices(lambda x: x[:, 0] < -0.299)


def with_box(**more) -> tuple[pl.Scene, pl.Solid]:
    """A bar of rubber on a box, both free."""
    scene = pl.Scene(**more)
    bar = scene.add(pl.Solid("bar", pl.Box(0.1, 0.1, 0.3), spacing=0.05, material=STUFF))
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0.0, 0.0, 0.2), collide=False))
    return scene, bar


def top(bar: pl.Solid):
    return bar.vertices(lambda x: x[:, 2] > 0.149)


@pytest.mark.parametrize("method", [one for one in METHODS if one != "jacobi"])  # which came to take more substeps while held
@pytest.mark.parametrize("solid", [False, True], ids=["cloth", "solid"])
def test_a_flag_torn_off_its_pole_falls_as_a_free_sheet(solid, method):
    """It goes on with the bits of a sheet that was never held, put where it was with its velocities; so does a solid."""
    scene = pl.Scene()
    thing = scene.add(pl.Solid("flag", pl.Box(0.6, 0.1, 0.1), spacing=0.05, material=STUFF, method=method) if solid
                      else flag(method=method))
    if not solid:
        scene.add(pl.Wind("breeze", (3.0, 1.0, 0.0)))
    free = pl.World(scene, threads=1)
    scene.pin(pole(thing), name="pole")
    world = pl.World(scene, threads=1)
    world.run(0.3)
    free.run(0.3)
    free["flag"].positions, free["flag"].velocities = world["flag"].positions, world["flag"].velocities
    world.detach("pole")
    assert world.step().events == ("pin 'pole' let go",)
    free.step()
    assert world.run(0.3).hash == free.run(0.3).hash
    assert method == "position" or not world["pole"].force.any()


def test_what_is_torn_off_falls_with_the_momentum_it_had():
    """Its momentum grows by its weight times the time, and its centre goes along the parabola, both to rounding."""
    scene = pl.Scene()
    thing = scene.add(flag())
    scene.pin(pole(thing), name="pole")
    world = pl.World(scene, threads=1)
    world["flag"].velocities = np.tile((0.3, -0.2, 0.5), (len(thing.rest), 1))
    world.run(0.2)
    mass, before, at = world._engine.model.soft[0].mass, world["flag"].velocities, world["flag"].positions
    world.detach("pole")
    t, g = 0.5, np.array([0.0, 0.0, -9.81])
    world.run(t)
    now, there = world["flag"].velocities, world["flag"].positions
    np.testing.assert_allclose(mass @ now, mass @ before + mass.sum() * g * t, rtol=0, atol=1e-12)
    np.testing.assert_allclose(mass @ there, mass @ at + t * (mass @ before) + 0.5 * t * t * mass.sum() * g, rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_pin_made_in_a_world_is_one_of_the_scene(method):
    """Before the first step: the same bits. In a later one it bears its share, and let go the rest falls as before."""
    plain, pinned = pl.Scene(), pl.Scene()
    thing = plain.add(flag(method=method))
    pinned.add(flag(method=method))
    pinned.pin(pole(thing), name="pole")
    world, oracle = pl.World(plain, threads=1), pl.World(pinned, threads=1)
    hold = world.pin(pole(thing), name="pole")
    assert world.step().events == ("pin 'pole' took hold",)
    oracle.step()
    assert world.run(0.2).hash == oracle.run(0.2).hash
    if method != "position":
        assert hold.force[2] > 0.0
        np.testing.assert_array_equal(hold.force, oracle["pole"].force)
        np.testing.assert_array_equal(hold.position, oracle["pole"].position)


def test_a_pin_stops_what_moves():
    scene = pl.Scene()
    thing = scene.add(flag())
    world = pl.World(scene, threads=1)
    world.run(0.2)
    at = world["flag"].positions[:4]
    hold = world.pin(thing.vertices([0, 1, 2, 3]))
    world.run(0.2)
    np.testing.assert_array_equal(world["flag"].positions[:4], at)
    assert hold.name in world and world[hold].force[2] > 0.0
    with pytest.raises(pl.SceneError, match=r"vertex 0 is held by Pin 'flag\[0-3\]-pin'"):
        world["flag"].positions = world["flag"].positions + 1.0


@pytest.mark.parametrize("method", TYING)
def test_an_attachment_made_in_a_world_is_one_of_the_scene(method):
    """To a body, and vertices to vertices: the same bits as attached in the scene."""
    def build(attached: bool) -> tuple[pl.Scene, list]:
        scene = pl.Scene()
        one, other = (scene.add(pl.Solid(name, pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=STUFF, method=method,
                                         position=(0.0, 0.0, z))) for name, z in (("one", 0.0), ("other", 0.1)))
        scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0.0, 0.0, 0.2), angular_velocity=(0.0, 2.0, 0.0)))
        low, high = (lambda x: x[:, 2] < -0.049), (lambda x: x[:, 2] > 0.049)
        pairs = [(one.vertices(high), other.vertices(low)), ("box", other.vertices(high))]
        for a, b in pairs if attached else []:
            scene.attach(a, b)
        return scene, pairs

    scene, pairs = build(False)
    world, oracle = pl.World(scene, threads=1), pl.World(build(True)[0], threads=1)
    holds = [world.attach(a, b) for a, b in pairs]
    world.step()
    oracle.step()
    assert world.run(0.2).hash == oracle.run(0.2).hash
    for hold in holds:
        assert hold.force.any()
        np.testing.assert_array_equal(hold.force, oracle[hold.name].force)
        np.testing.assert_array_equal(hold.position, oracle[hold.name].position)


def test_what_is_held_and_let_go_again_leaves_no_trace():
    """Two hundred times before the first step: the same bits as of a world that never held anything, with contacts too."""
    (scene, bar), runs = with_box(), []
    scene.replace(scene["box"].replace(collide=True))
    for often in (0, 200):
        world = pl.World(scene, threads=1)
        for _ in range(often):
            holds = [world.attach(top(bar), "box"), world.pin("bar[0-3]"), world.pin("bar[4]")]
            for hold in holds:
                world.detach(hold)
        runs.append(world.run(0.1).hash)
        assert len(world._engine.state.tied.mover) <= 16 and len(world._engine.state.soft.force) <= 8  # used again and again
    assert runs[0] == runs[1]


def test_the_first_of_several_lets_go():
    """Those that stay are read as before: each holds its own vertices, with its own force."""
    world = pl.World(with_box()[0], threads=1)
    glue, others = world.attach("bar[0]", "box", name="first"), [world.attach(f"bar[{k}]", "box") for k in (5, 7)]
    low, pins = world.pin("bar[1]"), [world.pin(f"bar[{k}]") for k in (10, 12)]
    world.run(0.1)
    world.detach(glue)
    world.detach(low)
    for hold, k in zip([*others, *pins], (5, 7, 10, 12), strict=True):
        np.testing.assert_array_equal(hold.position, world["bar"].positions[k])
    forces = [hold.force for hold in (*others, *pins)]
    assert all(force.any() for force in forces) and len({force.tobytes() for force in forces}) == len(forces)
    with pytest.raises(pl.SceneError, match="was let go, and is no more"):
        _ = glue.force
    assert "first" not in world


def test_holding_and_letting_go_keeps_momentum():
    """Free flight of a bar and a spinning box, joined and parted on the way: linear momentum to rounding."""
    scene, bar = with_box(gravity=(0.0, 0.0, 0.0))
    world = pl.World(scene, threads=1)
    world["box"].velocity, world["box"].angular_velocity = (0.5, 0.2, 0.0), (0.0, 3.0, 1.0)
    mass = world._engine.model.soft[0].mass

    def momentum() -> np.ndarray:
        return mass @ world["bar"].velocities + world["box"].velocity

    before = momentum()
    hold = world.attach(top(bar), "box")
    world.run(0.2)
    assert np.abs(hold.force).max() > 0.1 and np.abs(world["bar"].velocities).max() > 0.05
    world.detach(hold)
    world.run(0.2)
    np.testing.assert_allclose(momentum(), before, rtol=0, atol=1e-12)


def test_holds_are_part_of_a_saved_world_and_gone_after_a_reset(tmp_path):
    """The restored run has the bits of the one that went on, also what is then let go; reset is the scene again."""
    scene, bar = with_box()
    scene.pin(bar.vertices(lambda x: x[:, 2] < -0.149), name="foot")
    fresh = pl.World(scene, threads=1).run(0.1).hash
    world = pl.World(scene, threads=1)
    world.run(0.1)
    names = [world.attach(top(bar), "box", name="glue").name, world.pin(bar.vertices(lambda x: np.abs(x[:, 2]) < 0.01)).name]
    world.detach("foot")
    world.run(0.1)
    world.save(tmp_path / "held.world")
    again = pl.World.restore(tmp_path / "held.world")
    assert not again.warnings
    for one in (world, again):
        one.run(0.1)
        assert all(one[name].force.any() for name in names) and not one["foot"].force.any()
        one.detach("glue")
    assert world.run(0.1).hash == again.run(0.1).hash
    again.reset()
    assert not any(name in again for name in names) and again.run(0.1).hash == fresh
    again.restore(tmp_path / "held.world")
    assert all(name in again for name in names)


def test_what_holds_passes_and_what_is_let_go_touches():
    """A cube rests on a table, is attached to it, which then bears it without contacts, and is let go: it rests as before."""
    scene = pl.Scene(drag=5.0)
    cube = scene.add(pl.Solid("cube", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material=STUFF, position=(0.0, 0.0, 0.15)))
    scene.add(pl.Body("table", pl.Box(0.4, 0.4, 0.2), fixed=True))
    world = pl.World(scene, threads=1)
    weight = np.array([0.0, 0.0, world["cube"].mass * 9.81])
    for k, held in enumerate((False, True, False)):
        if held:
            hold = world.attach(cube.vertices(lambda x: x[:, 2] < -0.049), "table")
        elif k:
            world.detach(hold)
        world.run(2.0)  # drag of 5/s for 2 s leaves e^-10 of what moves
        np.testing.assert_allclose(world["cube"].contact_force, 0.0 if held else weight, rtol=0, atol=1e-3 * weight[2])
        assert bool(len(world.contacts.a)) is not held
        if held:
            np.testing.assert_allclose(hold.force, weight, rtol=0, atol=1e-3 * weight[2])


def refusing() -> pl.World:
    scene, bar = with_box()
    scene.attach(bar.vertices([0]), "box", name="glue")
    scene.pin(bar.vertices([1]), name="nail")
    scene.add(pl.Cloth("still", pl.Sheet(0.2, 0.2, 0.1), 1e-3, method="jacobi", position=(2.0, 0.0, 0.0)))
    rope = scene.add(pl.Rope("tow", [(0.0, 1.0, 0.0), (0.0, 2.0, 0.0)], points=4, radius=0.01,
                             material="hemp rope", collide=False))
    scene.pin(rope.start, name="hook")
    return pl.World(scene, threads=1)


@pytest.mark.parametrize(("act", "words"), [
    (lambda w: w.pin("box"), "'box' is no vertices .* hold a body by world.grab"),
    (lambda w: w.pin("tow.end"), "pin it in the scene"),
    (lambda w: w.pin("bar[999]"), "vertex 999"),
    (lambda w: w.pin("bar[0]"), "vertex 0 of 'bar' is held by Attachment 'glue' already"),
    (lambda w: w.pin("bar[1]"), "vertex 1 of 'bar' is held by Pin 'nail' already"),
    (lambda w: w.pin("bar[2]", name="nail"), "name 'nail' is already taken"),
    (lambda w: w.pin("bar[2]", clamp=True), "clamp is given"),
    (lambda w: w.pin("bar[2]", position=(1.0, 0.0, 0.0)), "leave position out"),
    (lambda w: w.pin("bar[2]", motion=pl.Motion([0, 1], [(0, 0, 0), (1, 0, 0)])), "move the target of a grip"),
    (lambda w: w.attach("box", "world"), "neither 'box' nor 'world'"),
    (lambda w: w.attach("bar[2]", "world"), "hold it with world.pin"),
    (lambda w: w.attach("bar[2]", "bx"), "Did you mean 'box'"),
    (lambda w: w.attach("bar[2]", "box", at=(0.0, 0.0, 9.0)), "away from where it is to be held"),
    (lambda w: w.attach("bar[2]", "tow.end"), "away from where it is to be held"),
    (lambda w: w.attach("bar[2]", "still[0]"), "cannot attach vertices to what moves"),
    (lambda w: w.detach("hook"), "no pin or attachment of vertices; .* A Latch lets a joint go"),
    (lambda w: w.detach("nothing"), "no pin or attachment of vertices; .* There are: "),
])
def test_holds_that_cannot_be_are_refused_in_words(act, words):
    with pytest.raises(pl.SceneError, match=words):
        act(refusing())
