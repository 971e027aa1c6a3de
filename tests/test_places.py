"""Places that are not there, or not where they are to be held, are met in the line that names them. Oracle: the rule."""

import pytest

import pliant as pl
from pliant.compile.compiler import compile_scene

THIN = {"radius": 0.01, "mass": 0.1, "bend": "limp", "twist": "limp"}


def some_scene() -> pl.Scene:
    """A sheet, a rope from (0, 0, 3) to (1, 0, 3), a ball with a site on its top at (1, 0, 3), and a robot."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Cloth("sheet", pl.Sheet(1.0, 1.0, 0.5), 1e-3, position=(0, 0, 2)))
    scene.add(pl.Rope("line", path=[(0, 0, 3), (1, 0, 3)], points=9, **THIN))
    scene.add(pl.Body("load", pl.Sphere(0.1), position=(1, 0, 2.9)))
    scene.add(pl.Site("eye", "load", (0, 0, 0.1)))
    scene.add(pl.Robot.from_urdf(pl.asset("tractor.urdf"), position=(9, 0, 0.36)))
    return scene


GOOD = [lambda s: s.attach("line.end", "load"), lambda s: s.attach("line.end", "eye"), lambda s: s.attach("eye", "line.end"),
        lambda s: s.attach("line.end", "load", at=(0, 0, 0.1)), lambda s: s.attach("sheet[0-2]", "tractor/hull"),
        lambda s: s.attach("line@0.95", "load"), lambda s: s.pin("line.start"), lambda s: s.pin("sheet"),
        lambda s: s.pin("line.start", (0, 0, 3.0009)), lambda s: s.attach("line.end", "world", at=(1, 0, 3))]
BAD = {
    "shet[0]": (lambda s: s.pin("shet[0]"), "Pin 'shet[0]-pin': what is 'shet[0]', and 'shet' is not in the scene. "
                                            "Did you mean 'sheet'?"),
    "shet": (lambda s: s.pin("shet"), "Pin 'shet-pin': what is 'shet', which is not in the scene. Did you mean 'sheet'?"),
    "laod": (lambda s: s.attach("sheet[0]", "laod"), "b is 'laod', which is not in the scene. Did you mean 'load'?"),
    "lin.end": (lambda s: s.attach("lin.end", "load"), "a is 'lin.end', which is not in the scene. Did you mean 'line.end'?"),
    "linee@0.5": (lambda s: s.attach("linee@0.5", "load"), "a is 'linee', which is not in the scene. Did you mean 'line'?"),
    "line@9": (lambda s: s.attach("line@9", "load"), "a is at 9 m of 'line', which is 1 m long; stay within it."),
    "line@half": (lambda s: s.pin("line@half"), "a place on a rope is written 'rope@1.25'"),
    "line": (lambda s: s.pin("line"), "what is 'line', a whole Rope; name a place on it: 'line.start'"),
    "ground": (lambda s: s.attach("load", "ground"), "b is 'ground', a Ground; it must be a body, a site, a place on a rope,"),
    "tractor": (lambda s: s.attach("line.end", "tractor"), "b is 'tractor', a Robot; it must be a body, a site, a place on a"),
    "tractor/hul": (lambda s: s.attach("line.end", "tractor/hul"), "Did you mean 'tractor/hull'?"),
    "sheet[9]": (lambda s: s.pin("sheet[9]"), "what: Cloth 'sheet': vertex 9 is asked for; it has vertices 0 to 8."),
    "sheet[5-2]": (lambda s: s.pin("sheet[5-2]"), "'sheet[5-2]' has a range that runs backwards, 5-2; write 2-5."),
    "pin ground": (lambda s: s.pin("ground"), "what is 'ground', a Ground; it must be a body, a site, a place on a rope, or "
                                              "vertices of a cloth or a solid."),
    "sheet[0-": (lambda s: s.pin("sheet[0-"), "what is 'sheet[0-', with a bracket that nothing closes; write vertices "
                                              "as 'sheet[0-24,30]'."),
    "sheet[a]": (lambda s: s.pin("sheet[a]"), "'sheet[a]' does not say vertices; write numbers and ranges"),
    "far pin": (lambda s: s.pin("line.start", (3, 0, 7)), "is 5 m away from where it is to be held, (3, 0, 7) m; move one"),
    "far site": (lambda s: s.attach("line.start", "eye"), "is 1 m away from where it is to be held, (1, 0, 3) m; move one"),
    "far point": (lambda s: s.attach("line.end", "load", at=(0, 0, 0.2)), "'line.end' is 0.1 m away from where"),
    "far second": (lambda s: s.attach("eye", "line.start"), "'line.start' is 1 m away from where it is to be held"),
    "far world": (lambda s: s.attach("line.start", "world"), "is 3 m away from where it is to be held, (0, 0, 0) m; hold it "
                                                             "where it is by scene.pin."),
}


@pytest.mark.parametrize("hold", GOOD)
def test_what_a_world_takes_is_taken(hold):
    """Oracle: the compiler, which takes the same."""
    scene = some_scene()
    hold(scene)
    compile_scene(scene)


@pytest.mark.parametrize("case", BAD)
def test_a_hold_that_cannot_be_is_refused_at_once_and_leaves_the_scene_as_it_was(case):
    scene = some_scene()
    before = list(scene)
    hold, said = BAD[case]
    with pytest.raises(pl.SceneError) as error:
        hold(scene)
    assert said in str(error.value) and "\n" not in str(error.value)
    assert list(scene) == before


def test_what_files_and_springs_name_is_met_when_the_world_is_built():
    """Files may name what comes later; the words are the same."""
    for thing, said in ((pl.Pin("hold", "shet[0]"), "what is 'shet[0]', and 'shet' is not in the scene. Did you mean 'sheet'?"),
                        (pl.Load("wind", "shet[0]", (0, 0, 1)), "on is 'shet[0]', and 'shet' is not in the scene."),
                        (pl.Spring("coil", "sheet[0]", "load", 10.0), "a is 'sheet[0]', vertices of Cloth 'sheet'")):
        scene = some_scene()
        scene.add(thing)
        with pytest.raises(pl.SceneError, match=f"^{type(thing).__name__} '{thing.name}': ") as error:
            compile_scene(scene)
        assert said in str(error.value)


def test_a_wrong_vertex_in_a_file_is_told_with_one_file_and_one_line(tmp_path):
    """The pin is wrong, not the cloth, which stands in another line."""
    path = tmp_path / "held.yaml"
    path.write_text("pliant: 1\nthings:\n- {type: Cloth, name: sheet, mesh: {type: Sheet, x: 1, y: 1, spacing: 0.5}, "
                    "thickness: 1.0e-3}\n- {type: Pin, name: hold, what: 'sheet[99]'}\n")
    with pytest.raises(pl.SceneError) as error:
        compile_scene(pl.load(path))
    assert str(error.value).count("held.yaml") == 1 and "line 4" in str(error.value)
    assert "Pin 'hold': what: Cloth 'sheet': vertex 99 is asked for" in str(error.value)


def test_a_long_list_of_what_there_is_says_how_much_it_leaves_out():
    scene = pl.Scene()
    for k in range(40):
        scene.add(pl.Body(f"part {k}", pl.Sphere(0.1), position=(k, 0, 0)))
    with pytest.raises(pl.SceneError, match=r"The scene has: world, part 0, .*, part 22 and 17 more\.$"):  # of 41 places
        scene.attach("xyz", "part 0")


def test_places_of_things_are_read_by_way_of_the_things():
    world = pl.World(some_scene(), threads=1)
    for name, said in (("line.start", r"read world\['line'\]\.start"), ("sheet[0]", r"read world\['sheet'\], whose arrays")):
        with pytest.raises(pl.SceneError, match=said):
            world[name]
    with pytest.raises(pl.SceneError, match="Did you mean 'sheet'"):
        world.apply_force("shet[0]", (0, 0, 1))


def test_what_can_only_be_read_says_what_can_be_set():
    world = pl.World(some_scene(), threads=1)
    with pytest.raises(AttributeError, match=r"Rope 'line' .*: quaternions can be read, not set; what can be set is "
                                             r"angular_velocities, positions, velocities\."):
        world["line"].quaternions = [(1, 0, 0, 0)] * 8
    with pytest.raises(AttributeError, match=r"time can be read, not set\."):
        world.time = 1.0
    world["load"].position = (1, 0, 2.8)
    assert world["load"].position.tolist() == pytest.approx([1, 0, 2.8], abs=1e-15)


@pytest.mark.parametrize("length", [201, 250, 300])
def test_a_name_too_long_for_a_file_is_refused_and_nothing_is_written(tmp_path, length):
    """Arrays and a temporary file stand beside it, with longer names."""
    scene = some_scene()
    world = pl.World(scene, threads=1)
    for write in (scene.to_file, world.save):
        with pytest.raises(pl.SceneError, match=r"too long; take at most 200 letters"):
            write(tmp_path / f"{'a' * (length - 5)}.yaml")
    assert not list(tmp_path.iterdir())
    scene.to_file(tmp_path / f"{'a' * 195}.yaml")
    assert len(list(pl.load(tmp_path / f"{'a' * 195}.yaml"))) == len(list(scene))
    with pytest.raises(pl.SceneError, match="too long"):
        pl.load(tmp_path / f"{'a' * 295}.yaml")
    with pytest.raises(pl.SceneError, match="too long"):
        scene.to_file(tmp_path / ("b" * 300) / "scene.yaml")


@pytest.mark.parametrize("given, words", [
    ({"what": "world"}, "what is the world itself"), ({"what": "load", "slide": (1, 0, 0)}, "slide .* Prismatic"),
])
def test_pins_that_cannot_be_are_refused_at_once(given, words):
    """In the line that makes them, and the scene stays as it was."""
    scene = some_scene()
    before = len(scene)
    with pytest.raises(pl.SceneError, match=words):
        scene.pin(**given)
    assert len(scene) == before
