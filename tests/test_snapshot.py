"""Snapshots: the continued run has the bits of the uninterrupted one. Oracle: the hash of every step of that one."""

from pathlib import Path

import numpy as np
import pytest
from saved_worlds import pile, saved, swing

import pliant as pl
from pliant.record.snapshot import named_arrays

STEPS = 200


def ropes() -> pl.Scene:
    """A rope by each method from a pin to a ball, one that stretches between two balls, and a ring."""
    scene = pl.Scene()
    ring = [(np.cos(a), np.sin(a), 1.0) for a in np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)]
    scene.add(pl.Rope("ring", ring, 12, 0.01, "rubber", rest="path", closed=True))
    for y, method in enumerate(("direct", "impulse", "position", "compliant"), 2):
        rope = scene.add(pl.Rope(method, [(0, y, 0), (1, y, 0)], 8, 0.01, "rubber", method=method))
        scene.pin(rope.start, name=f"pin {method}")
        scene.add(pl.Body(f"ball {method}", pl.Sphere(0.05), mass=0.2, position=(1, y, 0), collide=False))
        scene.attach(rope.end, f"ball {method}", name=f"knot {method}")
    tie = scene.add(pl.Rope("tie", [(1, 2, 0), (1, 1, 0)], 5, 0.01, "rubber", stretch=1e3, shear=1e3, damping=0.01))
    scene.add(pl.Body("last", pl.Sphere(0.05), mass=0.2, position=(1, 1, 0), collide=False))
    scene.attach(tie.start, "ball direct", name="knot 1")
    scene.attach(tie.end, "last", name="knot 2")
    return scene


def hashes(world: pl.World, steps: int) -> list[str]:
    return [world.step().hash for _ in range(steps)]


@pytest.mark.parametrize("name, before", [("scout", 30), ("door", 45), ("pile", 3), ("pile", 60), ("swing", 20),
                                          ("ropes", 10), ("tow", 20)])
def test_the_continued_run_has_the_same_bits(tmp_path, name, before):
    own = {"pile": pile, "swing": swing, "ropes": ropes}
    scene = own[name]() if name in own else pl.load(name)
    world = pl.World(scene, dt=1 / 90, threads=1)
    for control in world.control:
        world.control[control] = 0.7 * world.control.things[control].high
    world.run(before * world.dt)
    world.apply_force(world.body_names[-1], (1.0, 2.0, 3.0), torque=(0.1, 0.0, 0.0))
    path = tmp_path / "world.snapshot"
    world.save(path)
    again = pl.World.restore(path)  # with as many threads as there are processors: they must not matter
    assert again.time == world.time and again.dt == world.dt and again.substeps == world.substeps
    assert dict(again.control) == dict(world.control) and again.warnings == world.warnings
    assert again.energy() == world.energy()
    again.save(tmp_path / "again.snapshot")
    assert (tmp_path / "again.snapshot").read_bytes() == path.read_bytes()
    assert hashes(world, STEPS) == hashes(again, STEPS)


@pytest.mark.parametrize("name", ["pile", "ropes", "jelly", "tow"])
def test_a_world_that_is_there_goes_back_to_what_was_saved(tmp_path, name):
    """Oracle: the hashes of the first time; the same object, with its callbacks, settings, controls and pushes."""
    world = pl.World({"pile": pile, "ropes": ropes}[name]() if name in ("pile", "ropes") else pl.load(name), threads=1)
    world.run(20 * world.dt)
    if world.body_names:
        world.apply_force(world.body_names[-1], (1.0, 2.0, 3.0))
    world.save(tmp_path / "world")
    settings, controls = (world.dt, world.substeps, world.iterations), dict(world.control)
    first, heard = hashes(world, 40), []
    world.on_step(lambda world: heard.append(world.time))
    world.dt, world.iterations = 1 / 30, 3
    for control in world.control:
        world.control[control] = world.control.things[control].high
    assert world.restore(tmp_path / "world") is world
    assert (world.dt, world.substeps, world.iterations) == settings and dict(world.control) == controls
    assert hashes(world, 40) == first and len(heard) == 40


def test_a_world_is_not_put_into_the_state_of_another_scene(tmp_path):
    """Oracle: the hash, which stays; the sentence says what to do."""
    pl.World(swing()).save(tmp_path / "swing")
    world = pl.World(pile())
    before = world.hash(), world.dt
    with pytest.raises(pl.SceneError, match="swing does not fit the scene"):
        world.restore(tmp_path / "swing")
    with pytest.raises(pl.SceneError, match=r"World\.restore\(path, scene=scene\) makes a world of another"):
        world.restore(tmp_path / "swing", scene=swing())
    assert (world.hash(), world.dt) == before


def test_cloth_that_takes_more_substeps_for_a_while_takes_them_again(tmp_path):
    """`drape` takes four substeps where its sheet turns over the ball, in 1.3 s: before and after it is saved at 0.8 s."""
    world = pl.World(pl.load("drape"), threads=1)
    world.run(0.8)
    path = tmp_path / "drape.snapshot"
    world.save(path)
    again = pl.World.restore(path)
    taken = [world.step() for _ in range(30)]
    assert max(report.substeps for report in taken) > world.soft_substeps  # else it shows nothing
    assert [report.hash for report in taken] == hashes(again, 30)


def test_the_pile_above_outgrows_the_table_of_contacts_before_and_after(tmp_path):
    world = pl.World(pile())
    start = len(world._engine.state.contacts.separation)
    world.run(3 * world.dt)
    assert len(world._engine.state.contacts.separation) == start
    world.run(57 * world.dt)
    assert len(world._engine.state.contacts.separation) > start
    world.save(tmp_path / "pile")
    again = pl.World.restore(tmp_path / "pile")
    there = dict(named_arrays(again._engine.state))
    for name, array in named_arrays(world._engine.state):
        assert array.tobytes() == there[name].tobytes(), name


def test_a_restored_world_can_be_reset_to_the_start_of_its_scene(tmp_path):
    scene = swing()
    fresh = pl.World(scene)
    start = fresh.hash()
    fresh.run(0.2)
    fresh.save(tmp_path / "world")
    again = pl.World.restore(tmp_path / "world")
    assert again.hash() != start
    again.reset()
    assert again.hash() == start and again.time == 0.0


def test_settings_that_were_changed_are_kept(tmp_path):
    world = pl.World(swing(), dt=1 / 75, substeps=3)
    world.iterations = 7
    world.run(0.1)
    world.save(tmp_path / "world")
    again = pl.World.restore(tmp_path / "world")
    assert (again.dt, again.substeps, again.iterations) == (1 / 75, 3, 7)
    assert hashes(world, 20) == hashes(again, 20)


def test_a_robot_is_found_where_it_lay_from_any_folder(tmp_path, monkeypatch):
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "mine.urdf").write_bytes(Path(pl.asset("scout.urdf")).read_bytes())
    monkeypatch.chdir(tmp_path)
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Robot.from_urdf("robots/mine.urdf", position=(0, 0, 0.3), name="mine"))
    world = pl.World(scene)
    world.run(0.1)
    world.save("world.snapshot")
    monkeypatch.chdir("/")
    assert hashes(pl.World.restore(tmp_path / "world.snapshot"), 10) == hashes(world, 10)
    urdf = tmp_path / "robots" / "mine.urdf"
    text = urdf.read_text()
    urdf.write_text(text.replace('mass value="', 'mass value="1'))
    said = pl.World.restore(tmp_path / "world.snapshot").warnings
    assert any("world.snapshot was saved by pliant" in line and "not with the same bits" in line for line in said)
    urdf.unlink()
    with pytest.raises(pl.SceneError, match=r"world\.snapshot.*mine\.urdf"):
        pl.World.restore(tmp_path / "world.snapshot")


def test_a_scene_with_a_function_is_to_be_given(tmp_path):
    scene = swing(motion=pl.Motion(lambda t: ((0.1 * np.sin(t), 0, 0), (1, 0, 0, 0))))
    world = pl.World(scene)
    world.run(0.2)
    world.save(tmp_path / "world")
    with pytest.raises(pl.SceneError) as refused:
        pl.World.restore(tmp_path / "world")
    assert all(word in str(refused.value) for word in ("holds no scene", "'hook'", "Python function", "scene=scene"))
    assert hashes(pl.World.restore(tmp_path / "world", scene=scene), STEPS) == hashes(world, STEPS)


def test_what_is_added_to_the_scene_later_is_not_in_the_world(tmp_path):
    """Oracle: the run of the world itself, which was built before."""
    scene = swing()
    world = pl.World(scene)
    world.run(0.1)
    scene.add(pl.Ground())
    scene.add(pl.Body("late", pl.Sphere(0.1)))
    scene.gravity = (0, 0, 9.81)
    world.save(tmp_path / "world")
    again = pl.World.restore(tmp_path / "world")
    assert [t.name for t in again.scene] == [t.name for t in swing()] and again.scene.gravity == (0, 0, -9.81)
    assert hashes(again, 20) == hashes(world, 20) and not again.warnings


def test_a_place_to_write_that_is_not_there_is_named(tmp_path):
    world = pl.World(swing())
    for write in (lambda path: world.save(path), lambda path: world.scene.to_file(f"{path}.yaml")):
        with pytest.raises(pl.SceneError, match=rf"there is no folder '{tmp_path}/runs'; create it first") as refused:
            write(tmp_path / "runs" / "world")
        assert "tmp" not in str(refused.value).replace(str(tmp_path), "")
        with pytest.raises(pl.SceneError, match="is a folder"):
            (tmp_path / "folder.yaml").mkdir(exist_ok=True)
            world.scene.to_file(tmp_path / "folder.yaml")
    for nothing in (None, 3, "", b"world"):
        with pytest.raises(pl.SceneError, match=r"The path is .*; name a file"):
            world.save(nothing)


def test_an_edited_scene_with_the_same_things_takes_the_state(tmp_path):
    world = saved(swing(), tmp_path / "world")
    longer = pl.World.restore(tmp_path / "world", scene=swing(friction=0.5))
    assert longer.hash() == world.hash() and not longer.warnings
    with_floor = swing()
    with_floor.add(pl.Ground())
    other = pl.World.restore(tmp_path / "world", scene=with_floor)
    assert other.hash() == world.hash()
    other.run(0.1)


@pytest.mark.parametrize(
    "edit, said",
    [
        (lambda s: s.add(pl.Body("more", pl.Sphere(0.1))), "Body 'more' is new"),
        (lambda s: s._things.pop("string"), "Spring 'string' is missing"),
        (lambda s: s.add(pl.Control("pull")), "Control 'pull' is new"),
        (lambda s: s._things.__setitem__("hinge", s["hinge"].replace(limits=None)), "brakes or drives joints.*'hinge'"),
        (
            lambda s: s._things.__setitem__("hinge", pl.Prismatic("hinge", "hook", "rod", friction=1, limits=(-1, 1))),
            "'hinge' was a Revolute and is a Prismatic",
        ),
        (lambda s: s._things.__setitem__("ball", s._things.pop("rod").replace(name="ball")), "Body 'rod' is missing"),
        (lambda s: s._things.__setitem__("rod", s._things.pop("rod")), "the order of things.*'rod'"),
    ],
)
def test_what_differs_in_an_edited_scene_is_named(tmp_path, edit, said):
    saved(swing(), tmp_path / "world")
    scene = swing()
    if "'rod' is missing" in said:  # what hung on the rod has to go with it
        for name in ("hinge", "string"):
            scene._things.pop(name)
    edit(scene)
    with pytest.raises(pl.SceneError, match=f"world does not fit the scene: .*{said}"):
        pl.World.restore(tmp_path / "world", scene=scene)


@pytest.mark.parametrize(
    "edit, said",
    [
        (lambda s: s._things.pop("knot 1"), "Attachment 'knot 1' is missing.*held end 'tie.start' is missing"),
        (lambda s: s.pin("ring@0.5"), "Pin 'ring@0.5-pin' is new"),
        (lambda s: s._things.update(direct=s["direct"].replace(points=9)), "'direct' had 7 elements and has 8"),
        (lambda s: s._things.update(position=s["position"].replace(points=9)), "'position' had 7 elements and has 8"),
        (lambda s: s._things.update(ring=s._things.pop("ring")), "the order of things.*'ring' on"),
    ],
)
def test_what_differs_in_the_ropes_of_an_edited_scene_is_named(tmp_path, edit, said):
    saved(ropes(), tmp_path / "world")
    scene = ropes()
    edit(scene)
    with pytest.raises(pl.SceneError, match=f"world does not fit the scene: .*{said}"):
        pl.World.restore(tmp_path / "world", scene=scene)


def test_a_world_that_a_viewer_steps_is_not_saved_in_mid_step(tmp_path):
    world = pl.World(swing())
    world._driver = -1
    with pytest.raises(RuntimeError, match="A viewer is stepping this world"):
        world.save(tmp_path / "world")
    assert not list(tmp_path.iterdir())


def test_what_pushed_a_rope_is_kept(tmp_path):
    """Oracle: the readings of the world that was saved; and by statics, the end of a hanging rope bears what draws it."""
    scene = pl.Scene()
    rope = scene.add(pl.Rope("r", path=[(0, 0, 2), (0, 0, 1)], points=11, mass=0.1, radius=0.005, bend=0.01, twist=0.01))
    scene.pin(rope.start)
    world = pl.World(scene)
    world.run(1.0, each=lambda w: w.apply_force("r.end", (0.0, 0.0, -50.0)))
    assert world["r"].tension[-1] == pytest.approx(50.0, rel=0.01)
    world.save(tmp_path / "drawn.npz")
    restored = pl.World.restore(tmp_path / "drawn.npz")
    assert np.array_equal(restored["r"].tension, world["r"].tension)
    world.reset()
    assert abs(world["r"].tension[-1]) < 1.0
