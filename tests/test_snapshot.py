"""Snapshots: the continued run has the bits of the uninterrupted one. Oracle: the hash of every step of that one."""

import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.record.snapshot import named_arrays, read_snapshot

STEPS = 200


def pile() -> pl.Scene:
    """Boxes, balls and rods that fall on each other; the table of contacts grows while they do."""
    scene = pl.Scene(about="a pile")
    scene.add(pl.Ground())
    shapes = pl.Box(0.2, 0.2, 0.2), pl.Sphere(0.1), pl.Box(0.3, 0.2, 0.1), pl.Capsule(0.08, 0.2), pl.Cylinder(0.1, 0.2)
    for k in range(48):
        place = (0.31 * (k % 3), 0.25 * (k // 3 % 2), 0.15 + 0.4 * (k // 6))
        scene.add(pl.Body(f"piece {k}", shapes[k % 5], density=500.0, position=place))
    return scene


def swing(length: float = 0.5, **changes) -> pl.Scene:
    """A driven hook, a rod on a hinge with a motor and a limit, a ball on a spring."""
    scene = pl.Scene()
    scene.add(pl.Control("push", value=0.5))
    table = pl.Motion([0.0, 0.4, 1.0], positions=[(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0)], smooth=True, loop=True)
    scene.add(pl.Body("hook", pl.Sphere(0.05), position=(0, 0, 2), motion=changes.pop("motion", table)))
    scene.add(pl.Body("rod", pl.Box(0.1, 0.1, length), mass=1.0, position=(0, 0, 1.7)))
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=0.5, position=(0.2, 0, 1.2)))
    motor = pl.VelocityMotor({"push": 2.0}, max_effort=1.0)
    given = {"axis": (0, 1, 0), "limits": (-1.0, 1.0), "motor": motor, "friction": 0.01} | changes
    scene.add(pl.Revolute("hinge", "hook", "rod", anchor=(0, 0, 2), **given))
    scene.add(pl.Spring("string", "rod", "ball", stiffness=80.0, damping=0.2))
    scene.add(pl.Load("breeze", "ball", force=(0.3, 0, 0)))
    return scene


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


def saved(scene: pl.Scene, path) -> pl.World:
    world = pl.World(scene)
    world.run(0.2)
    world.save(path)
    return world


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


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    """The system itself stops the write after 4 kB."""
    path = tmp_path / "world"
    world = saved(pile(), path)
    before = path.read_bytes()
    assert len(before) > 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    world.step()
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OSError):
            world.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["world"]
    world.save(path)
    assert pl.World.restore(path).hash() == world.hash()


def test_a_process_killed_while_it_writes_leaves_the_old_file(tmp_path):
    path = tmp_path / "world"
    world = saved(swing(), path)
    program = """
        import os, signal, sys
        import pliant as pl
        from pliant.scene.files import scene_file

        world = pl.World.restore(sys.argv[1])
        world.step()
        open_file = open

        class Dying:
            def __init__(self, *given):
                self.file = open_file(*given)
            def __enter__(self):
                return self
            def __getattr__(self, name):
                return getattr(self.file, name)
            def __exit__(self, *_):
                pass
            def write(self, data):
                self.file.write(data)
                if self.file.tell() > 2000:
                    self.file.flush()
                    os.kill(os.getpid(), signal.SIGKILL)
                return len(data)

        scene_file.open = Dying
        world.save(sys.argv[1])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), str(path)], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    left = [p for p in tmp_path.iterdir() if p != path]
    assert len(left) == 1 and left[0].stat().st_size > 2000  # it did die halfway
    assert pl.World.restore(path).hash() == world.hash()


def rewritten(path, **changes) -> None:
    """The same file with other words in its header."""
    with np.load(path) as content:
        arrays = dict(content)
    header = json.loads(bytes(arrays["header"])) | changes
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with open(path, "wb") as stream:
        np.savez_compressed(stream, **arrays)


def test_a_newer_file_is_refused_in_a_sentence(tmp_path):
    saved(swing(), tmp_path / "world")
    rewritten(tmp_path / "world", **{"pliant snapshot": 2, "version": "9.1"})
    with pytest.raises(pl.SceneError, match=r"world has format 2 of pliant 9\.1; .* 1 to 1: update pliant"):
        pl.World.restore(tmp_path / "world")


def test_bad_files_are_refused_in_a_sentence(tmp_path):
    path = tmp_path / "world"
    saved(swing(), path)
    good = path.read_bytes()
    flipped = bytearray(good)
    with zipfile.ZipFile(path) as content:
        one = max(content.infolist(), key=lambda member: member.compress_size)
    flipped[one.header_offset + 30 + len(one.filename) + one.compress_size // 2] ^= 0xFF  # in the midst of its data
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "one.npy", np.zeros(3))
    others = [(tmp_path / name).read_bytes() for name in ("other.npz", "one.npy")]
    for content in (b"", b"pliant: 1\n", good[: len(good) // 2], good[:-1], bytes(flipped), *others):
        path.write_bytes(content)
        with pytest.raises(pl.SceneError, match=r"^world is no snapshot of a world, or a damaged one; save one with"):
            pl.World.restore(path)
    for nothing in (tmp_path / "none", tmp_path):
        with pytest.raises(pl.SceneError, match="There is no file"):
            pl.World.restore(nothing)


def test_every_flipped_byte_is_noticed_or_does_no_harm(tmp_path):
    path = tmp_path / "world"
    world = saved(swing(), path)
    good, held = path.read_bytes(), dict(named_arrays(world._engine.state))
    random = np.random.default_rng(3)
    for at in random.choice(len(good), 100, replace=False):
        content = bytearray(good)
        content[at] ^= 1 << int(random.integers(8))
        path.write_bytes(content)
        try:
            found = read_snapshot(path)
        except pl.SceneError:
            continue
        assert all(found.state[name].tobytes() == array.tobytes() for name, array in held.items()), at


def test_a_world_that_a_viewer_steps_is_not_saved_in_mid_step(tmp_path):
    world = pl.World(swing())
    world._driver = -1
    with pytest.raises(RuntimeError, match="A viewer is stepping this world"):
        world.save(tmp_path / "world")
    assert not list(tmp_path.iterdir())
