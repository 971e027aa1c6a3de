"""A wrong scene file gets one sentence with file, line, thing and remedy. Oracle: the sentence."""

import numpy as np
import pytest

import pliant as pl
from pliant.scene.files.scene_file import load

HEAD = "pliant: 1\nthings:\n- {type: Ground}\n"

WRONG = {
    "field": (
        "- {type: Body, name: cart, shape: {type: Sphere, radius: 1}, frcition: 1}",
        "scene.yaml, line 4, things[1]: Body 'cart' has no field 'frcition'. Did you mean 'friction'?",
    ),
    "field on its own line": (
        "- type: Body\n  name: cart\n  shape: {type: Sphere, radius: 1}\n  Mass: 1",
        "scene.yaml, line 7, things[1]: Body 'cart' has no field 'Mass'. Did you mean 'mass'?",
    ),
    "type": (
        "- {type: Bdoy, name: cart}",
        "scene.yaml, line 4, things[1]: the type 'Bdoy' is unknown. Did you mean 'Body'?",
    ),
    "case": (
        "- {type: SPRING, name: s}",
        "scene.yaml, line 4, things[1]: the type 'SPRING' is unknown. Did you mean 'Spring'?",
    ),
    "no type": ("- {name: cart}", "scene.yaml, line 4, things[1]: there is no 'type'; it is one of "),
    "a part for a thing": (
        "- {type: Box, x: 1, y: 1, z: 1}",
        "scene.yaml, line 4, things[1]: 'Box' does not go here. ",
    ),
    "a thing for a part": (
        "- {type: Body, name: cart, shape: {type: Ground}}",
        "scene.yaml, line 4, things[1], 'cart' shape: 'Ground' does not go here. ",
    ),
    "missing": ("- {type: Spring, name: s, a: x, stiffness: 1}", "scene.yaml, line 4, things[1]: Spring 's' needs b."),
    "missing two": ("- {type: Spring, name: s}", "scene.yaml, line 4, things[1]: Spring 's' needs a and b."),
    "missing inside": (
        "- {type: Body, name: cart, shape: {type: Capsule, radius: 1}}",
        "scene.yaml, line 4, things[1], 'cart' shape: Capsule needs length.",
    ),
    "word for a number": (
        "- type: Body\n  name: cart\n  shape: {type: Sphere, radius: 1}\n  mass: heavy",
        "scene.yaml, line 7, things[1], 'cart' mass: 'heavy' is given, wanted is a number.",
    ),
    "word for a truth": (
        "- {type: Body, name: cart, shape: {type: Sphere, radius: 1}, fixed: yes}",
        "scene.yaml, line 4, things[1], 'cart' fixed: 'yes' is given, wanted is true or false.",
    ),
    "short vector": (
        "- {type: Body, name: cart, shape: {type: Sphere, radius: 1}, position: [1, 2]}",
        "scene.yaml, line 4, things[1], 'cart' position: [1, 2] is given, wanted is a list of 3 numbers.",
    ),
    "fraction for a count": (
        "- {type: JointSpring, name: s, joint: j, stiffness: 1, coordinate: 0.5}",
        "scene.yaml, line 4, things[1], 's' coordinate: 0.5 is given, wanted is a whole number.",
    ),
    "what the noun refuses": (
        "- type: Body\n  name: cart\n  shape: {type: Sphere, radius: 1}\n  friction: 1\n  mass: -1",
        "scene.yaml, line 8, things[1]: Body 'cart': mass is -1 kg; it must be positive.",
    ),
    "what the part refuses": (
        "- type: Body\n  name: cart\n  shape:\n    type: Sphere\n    radius: -1",
        "scene.yaml, line 8, things[1], 'cart' shape: Sphere: radius is -1 m; it must be positive.",
    ),
    "name twice": ("- {type: Ground}", "scene.yaml, line 4, things[1]: The name 'ground' is already taken; "),
    "key twice": ("- {type: Ground, name: a, name: b}", "scene.yaml, line 4: the key 'name' is given twice; keep one of them."),
    "not a mapping": ("- cart", "scene.yaml, things[1]: 'cart' is given, wanted is a mapping like {type: "),
    "type that is no word": ("- {type: [Body]}", "scene.yaml, line 4, things[1]: the type '['Body']' is unknown."),
    "endless": ("- &a [*a]", "scene.yaml, line 4: found unconstructable recursive node; leave out what"),
    "lost array": (
        "- {type: Body, name: b, shape: {type: HeightField, heights: {array: x}, size: [1, 1]}, fixed: true}",
        "scene.yaml, line 4, things[1], 'b' shape, heights: the array 'x' is not in the file",
    ),
    "wrong tag": ("- {type: Ground, height: !!float low}", "scene.yaml has a value that cannot be read (could not convert"),
    "wrong truth": ("- {type: Ground, height: !!bool low}", "scene.yaml has a value that cannot be read ('low'); leave out"),
    "place without quotes": ("- {type: Pin, name: p, what: flag[0]}", "but got '['; put places with brackets, like 'flag[0"),
    "second scene": ("---\npliant: 1", "but found another document; keep one scene in a file, and leave out the line ---."),
    "number without end": (f"- {{type: Ground, height: {10**400}}}", "line 4, things[1]: Ground 'ground': height is inf; it"),
    "list of anything": (
        "- {type: Solid, name: s, mesh: {type: Box, x: 1, y: 1, z: 1}, examples: flat}", "'flat' is given, wanted is a list.",
    ),
    "broken text": ("- {type: Ground", "scene.yaml, line 5: "),
}


@pytest.mark.parametrize("case", WRONG)
def test_one_sentence_says_where_and_what(tmp_path, case):
    text, sentence = WRONG[case]
    (tmp_path / "scene.yaml").write_text(HEAD + text + "\n")
    with pytest.raises(pl.SceneError) as caught:
        load(tmp_path / "scene.yaml")
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


TOPS = {
    "": "a scene starts with 'pliant: 1'",
    "things: []": "the first line 'pliant: 1', which names the version of the format, is missing.",
    "pliant: 2": "the file has format 2; this version of pliant reads formats up to 1.",
    "pliant: one": "pliant: 'one' is given, wanted is a whole number.",
    "pliant: 1\ngravty: [0, 0, 0]": "line 2: 'gravty' is unknown at the top level.",
    "pliant: 1\ngravity: down": "line 2, gravity: 'down' is given, wanted is a list of 3 numbers.",
    "pliant: 1\ndrag: -1": "drag is -1 1/s; it must be zero or more.",
    "pliant: 1\nthings: {type: Ground}": "'things' must be a list",
    "pliant: 1\narrays: lost.npz": "its arrays 'lost.npz' cannot be read",
    "- pliant": "a scene starts with 'pliant: 1'",
    "{": "line ",
    "!!python/object:os.system x": "could not determine a constructor",
}


@pytest.mark.parametrize("text", TOPS)
def test_the_top_level_is_checked(tmp_path, text):
    (tmp_path / "scene.yaml").write_text(text)
    with pytest.raises(pl.SceneError) as caught:
        load(tmp_path / "scene.yaml")
    assert TOPS[text] in str(caught.value) and str(caught.value).startswith(str(tmp_path / "scene.yaml"))


def test_json_says_the_line_of_broken_text(tmp_path):
    (tmp_path / "scene.json").write_text('{"pliant": 1,\n "things": [}')
    with pytest.raises(pl.SceneError, match=r"scene\.json, line 2: "):
        load(tmp_path / "scene.json")


@pytest.mark.parametrize("depth", [400, 900, 100_000])
def test_json_that_is_nested_without_end(tmp_path, depth):
    (tmp_path / "scene.json").write_text('{"pliant": 1, "things": [' + "[" * depth + "]" * depth + "]}")
    with pytest.raises(pl.SceneError, match=r"nested too deeply|wanted is a mapping"):
        load(tmp_path / "scene.json")


def test_a_key_that_json_gives_twice(tmp_path):
    (tmp_path / "scene.json").write_text('{"pliant": 1, "drag": 0.1, "drag": 0.2, "things": []}')
    with pytest.raises(pl.SceneError, match="the key 'drag' is given twice in one place; leave one of them out"):
        load(tmp_path / "scene.json")


def test_a_byte_order_mark_does_no_harm(tmp_path):
    """Editors of one system write it in front of UTF-8."""
    for name, text in (("a.json", '{"pliant": 1, "drag": 0.25}'), ("a.yaml", "pliant: 1\ndrag: 0.25\n")):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert load(tmp_path / name).drag == 0.25


def test_the_nearest_file_is_named(tmp_path):
    (tmp_path / "good.yaml").write_text(HEAD)
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(pl.SceneError, match=r"no file '.*goood.yaml'. Did you mean 'good.yaml'\?$"):
        load(tmp_path / "goood.yaml")
    with pytest.raises(pl.SceneError, match=r"The folder has: good.yaml\.$"):
        load(tmp_path / "lost.yaml")
    for k in range(10):
        (tmp_path / f"a{k}.yaml").write_text(HEAD)
    with pytest.raises(pl.SceneError, match=r"The folder has: good.yaml, (a\d.yaml, ){6}a\d.yaml and 3 more\.$"):
        load(tmp_path / "gone.yaml")


def test_paths_that_are_not_scenes(tmp_path):
    (tmp_path / "good.yaml").write_text(HEAD)
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "arm.urdf").write_text("<robot name='arm'/>")
    (tmp_path / "binary.yaml").write_bytes(bytes(range(128, 256)))
    for path, words in (
        (tmp_path, "is a folder; give a scene file"),
        (tmp_path / "lost.yaml", "There is no file .*The folder has: good.yaml, binary.yaml"),
        (tmp_path / "arm.urdf", "is a robot, not a scene; .*type: Robot, name: robot, path: .*arm.urdf"),
        (tmp_path / "notes.txt", "is no scene file; those end in .yaml"),
        (tmp_path / "binary.yaml", "is not a text file in UTF-8"),
    ):
        with pytest.raises(pl.SceneError, match=words):
            load(path)


def test_an_npz_with_pickled_objects_is_refused(tmp_path):
    np.savez(tmp_path / "evil.npz", a=np.array([{}], dtype=object))
    (tmp_path / "scene.yaml").write_text("pliant: 1\narrays: evil.npz\n")
    with pytest.raises(pl.SceneError, match="cannot be read"):
        load(tmp_path / "scene.yaml")


def test_an_unknown_kind_of_file_is_not_written(tmp_path):
    with pytest.raises(pl.SceneError, match=r"'scene\.txt' does not say its kind"):
        pl.Scene().to_file(tmp_path / "scene.txt")
    assert list(tmp_path.iterdir()) == []
