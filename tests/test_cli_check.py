"""`pliant check`: what it says, as lines and as JSON. Oracle: things counted here, and the world built in Python."""

import json

import pytest
from command_line import SCENE, call, mast

import pliant as pl
from pliant.scene.files.built_in import built_in_names
from pliant.scene.files.scene_file import load


@pytest.fixture
def scene(tmp_path):
    return mast(tmp_path)


def test_a_mistyped_reference_gets_file_line_thing_field_and_remedy(capsys, scene):
    """Oracle: the line is counted here; it is said by `check`, and by a world built in Python."""
    for right, wrong, line, said in (
        ("child: mast", "child: msat", 12, "Revolute 'hinge': child is 'msat', which is not in the scene. Did you mean"),
        ("target: throttle", "target: throtle", 15, "Revolute 'hinge': its motor listens to a control that is 'throtle'"),
        ("joint: hinge", "joint: hige", 16, "JointSpring 'return': joint is 'hige', which is not in the scene. Did you mean"),
    ):
        with open(scene, "w") as stream:
            stream.write(SCENE.replace(right, wrong))
        assert SCENE.split("\n")[line - 1].count(right) == 1
        assert call("check", scene) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"pliant: {scene}, line {line}, things[") and said in err and err.count("mast.yaml") == 1
        with pytest.raises(pl.SceneError, match=rf"mast\.yaml, line {line}, "):
            pl.World(load(scene))


def test_one_is_not_many(capsys, tmp_path):
    (tmp_path / "one.yaml").write_text("pliant: 1\nthings:\n- {type: Body, name: b, shape: {type: Sphere, radius: 1}}\n")
    assert call("check", str(tmp_path / "one.yaml"), "--dt", "1/480") == 0
    assert ": sound; 1 thing, 1 body, 1 substep of 2.08 ms\n" in capsys.readouterr().out


def test_an_empty_scene_is_doubted(capsys, tmp_path):
    (tmp_path / "none.yaml").write_text("pliant: 1\nthings: []\n")
    assert call("check", str(tmp_path / "none.yaml")) == 0
    assert capsys.readouterr().out.endswith(": sound; 0 things, 0 bodies, 8 substeps of 2.08 ms\n  warning: Scene: there is "
                                            "nothing in it; add a Body, a Rope, a Cloth, …\n")


def test_check_says_sound(capsys, scene):
    assert call("check", scene) == 0
    assert capsys.readouterr().out.startswith(f"{scene}: sound; 6 things, 2 bodies, ")


def test_json_is_one_object_that_counts_things(capsys, scene):
    """Oracle: the things of SCENE, counted by eye; the substeps of the world built here."""
    assert call("check", scene, "--json") == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert out.count("\n") == 1 and err == ""
    assert found["file"] == scene and found["ok"] is True and found["error"] is None and found["warnings"] == []
    assert found["things"] == {"Body": 2, "Control": 1, "Ground": 1, "JointSpring": 1, "Revolute": 1}
    assert found["bodies"] == 2 and found["substeps"] == pl.World(load(scene)).substeps


@pytest.mark.parametrize(("right", "wrong", "said"), [
    ("mass: 40", "mass: -40", "line 7, things[2]: Body 'cart': mass is -40 kg; it must be positive."),
    ("type: Ground", "type: Grond", "line 5, things[0]: the type 'Grond' is unknown. Did you mean 'Ground'?"),
])
def test_json_of_a_scene_that_is_wrong_has_the_sentence_and_code_2(capsys, scene, right, wrong, said):
    with open(scene, "w") as stream:
        stream.write(SCENE.replace(right, wrong))
    assert call("check", scene, "--json") == 2
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["ok"] is False and found["error"] == f"{scene}, {said}" and err == ""
    assert call("check", scene) == 2
    out, err = capsys.readouterr()
    assert err == f"pliant: {scene}, {said}\n" and out == ""


def test_json_of_what_is_not_there_has_the_sentence(capsys):
    assert call("check", "scuot", "--json") == 2
    found = json.loads(capsys.readouterr().out)
    assert found == {"file": "scuot", "ok": False, "things": {}, "warnings": [],
                     "error": "There is no scene 'scuot'. Did you mean 'scout'?"}


@pytest.mark.parametrize("name", built_in_names())
def test_built_in_scenes_are_sound_and_beyond_doubt(capsys, name):
    """Oracle: they are held to be right, so that any warning is a false alarm."""
    assert call("check", name, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is True and found["warnings"] == []
