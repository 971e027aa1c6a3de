"""Words of other programs, wrong assets and counts are answered by what is meant, where it stands. Oracle: by hand."""

import re

import pytest
from command_line import call

import pliant as pl
from pliant.scene.synonyms import SYNONYMS


@pytest.mark.parametrize(("word", "noun"), [("Cuboid", "Box"), ("Ball", "Sphere"), ("Plane", "Ground"), ("Hinge", "Revolute"),
                                            ("Slider", "Prismatic"), ("Weld", "Fixed"), ("cable", "Rope"),
                                            ("Rigid_Body", "Body")])
def test_words_of_other_programs(word, noun, tmp_path):
    with pytest.raises(AttributeError, match=f"Did you mean '{noun}'"):
        getattr(pl, word)
    file = tmp_path / "s.yaml"
    file.write_text(f"pliant: 1\nthings:\n- {{type: {word}, name: x}}\n")
    if noun not in ("Box", "Sphere"):  # shapes are no things
        with pytest.raises(pl.SceneError, match=f"line 3.*'{word}' is unknown. Did you mean '{noun}'"):
            pl.load(file)


@pytest.mark.parametrize(("word", "noun"), [("Bocks", "Box"), ("Silinder", "Cylinder"), ("box", "Box"), ("simulate", "World")])
def test_words_that_sound_alike_and_words_for_the_whole(word, noun):
    with pytest.raises(AttributeError, match=f"no attribute '{word}'. Did you mean '{noun}'"):
        getattr(pl, word)
    with pytest.raises(AttributeError, match=r"no attribute 'Zzz'\. There are: WORLD, Attachment"):
        pl.Zzz  # noqa: B018


def test_what_is_not_near_is_no_suggestion():
    """Ropes have a tension, bodies have not; quaternion, thing and position only look a little like it."""
    scene = pl.Scene()
    scene.add(pl.Body("weight", pl.Sphere(0.1)))
    with pytest.raises(AttributeError, match=r"^BodyHandle has no 'tension'\. It has: angular_velocity, .* velocity\.$"):
        pl.World(scene)["weight"].tension  # noqa: B018
    with pytest.raises(pl.SceneError, match=r"^There is no asset 'nope\.urdf'\. There are: .*scout\.urdf, tractor\.urdf\.$"):
        pl.asset("nope.urdf")
    with pytest.raises(pl.SceneError, match=r"Did you mean 'scout\.urdf'"):
        pl.asset("cout.urdf")


@pytest.mark.parametrize(("given", "said"), [
    (pl.Box(1, 1, 1), r"given to add is Box\(.*make a body of it: scene\.add\(pl\.Body\(\"name\", pl\.Box\("),
    ([pl.Ground(), pl.Sphere(1)], r"item 1 of the list is Sphere\(.*pl\.Body\(\"name\", pl\.Sphere\("),
    ([pl.Ground(), pl.Site("s", "b"), None], "item 2 of the list is None; that is not something a scene can hold"),
    ([pl.Ground()], "add takes one thing and was given a list of 1; write: for thing in things: scene.add"),
    (pl.Body, r"that is a kind of thing; make one: scene\.add\(pl\.Body\(…\)\)"),
])
def test_what_is_no_thing_is_told_with_its_place_and_the_remedy(given, said):
    scene = pl.Scene()
    with pytest.raises(pl.SceneError, match=said):
        scene.add(given)
    assert not len(scene)


def test_a_shape_without_a_place_among_placed_ones_is_named():
    with pytest.raises(pl.SceneError, match=r"Body 'b': item 1 of shape is Box\(.*without a place; write pl\.Placed\(pl\.Box"):
        pl.Body("b", [pl.Placed(pl.Sphere(1)), pl.Box(1, 1, 1)])


def test_every_synonym_leads_to_a_noun_that_is_there_and_hides_none():
    assert set(SYNONYMS.values()) <= set(pl.__all__)
    assert not set(SYNONYMS) & {name.lower() for name in pl.__all__}


def test_a_benchmark_that_is_not_there(capsys):
    assert call("bench", "nope") == 2
    assert re.search(r"no benchmark 'nope'. There are: .*bodies.*ropes.*soft", capsys.readouterr().err)


def test_a_wrong_asset_is_told_with_file_and_line(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_text("pliant: 1\nthings:\n- type: Robot\n  name: r\n  path: asset:tracto.urdf\n")
    with pytest.raises(pl.SceneError, match=r"s\.yaml, line 5, .*no asset 'tracto\.urdf'. Did you mean 'tractor\.urdf'"):
        pl.load(file)


def test_points_in_words():
    with pytest.raises(pl.SceneError, match="points is 'thirty'; it must be a whole number from 3 on"):
        pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points="thirty", radius=0.01, material="steel")


ARM = """<robot name="arm">{links}
 <joint name="mount" type="fixed"><parent link="base"/><child link="plate"/></joint>{joints}
 <pliant><position_motor joint="j0" target="0.3" stiffness="500" damping="50"/></pliant>
</robot>"""
LINK = ('<link name="{}"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'
        '</link>')
JOINT = ('<joint name="j{0}" type="revolute"><parent link="plate"/><child link="l{0}"/><axis xyz="0 1 0"/>'
         '<limit lower="-2" upper="2" effort="100" velocity="5"/></joint>')


def arm(folder, joints: int) -> str:
    path = folder / "arm.urdf"
    names = ["base", "plate", *(f"l{k}" for k in range(joints))]
    path.write_text(ARM.format(links="".join(map(LINK.format, names)), joints="".join(map(JOINT.format, range(joints)))))
    return str(path)


def test_a_robot_is_read_by_its_joints(tmp_path):
    """Eight lines at most, those with motors first; a base that is held is not said to stand still."""
    from pliant.cli.readings import JOINTS, Readings, as_table

    scene = pl.Scene()
    scene.add(pl.Robot.from_urdf(arm(tmp_path, 11), fixed=True))
    world = pl.World(scene, threads=1)
    rows = Readings(world).table()
    assert [(row["name"], row["what"]) for row in rows[:2]] == [("arm/j0", "angle"), ("arm/j0", "effort")]
    lines = as_table(rows)
    assert len(lines) == JOINTS + 1 and lines[0].startswith("arm/j0  angle 0 rad")
    assert lines[-1] == "arm     … and 3 joints more, with --json"


def test_the_force_at_the_base(tmp_path):
    """Oracle: weights. A joint bears its link of 2 kg, a Fixed at the root all three of 2 kg."""
    scene = pl.Scene()
    scene.add(pl.Robot.from_urdf(arm(tmp_path, 1)))
    scene.add(pl.Fixed("mount", pl.WORLD, "arm/base"))
    world = pl.World(scene, threads=1)
    world.run(3.0)
    assert world["arm/j0"].force == pytest.approx((0, 0, 2 * 9.81), abs=1e-3)
    assert world["mount"].force == pytest.approx((0, 0, 6 * 9.81), abs=1e-3)
    with pytest.raises(pl.SceneError, match=r"'arm/mount' is a fixed joint.*as world\['arm/j0'\]\.force"):
        world["arm/mount"]
