"""What is doubtful or mistyped gets one sentence: thing, field, remedy. Oracle: the rule, and distances worked out here."""

import numpy as np
import pytest

import pliant as pl
from pliant.compile.compiler import compile_scene
from pliant.report import Gathered
from pliant.scene.files.built_in import built_in_names

THIN = {"radius": 0.01, "mass": 0.1, "bend": "limp", "twist": "limp"}


def told(scene: pl.Scene) -> list[str]:
    """The warnings of a scene, without a world."""
    return compile_scene(scene).warnings


def hung(shape, end=(0.0, 0.0, 1.0), at=None, method="direct", **body) -> list[str]:
    """Warnings about a rope from (0, 0, 3) to `end` that holds a body at the origin."""
    scene = pl.Scene()
    scene.add(pl.Body("bob", shape, mass=1.0, **body))
    rope = scene.add(pl.Rope("line", path=[(0, 0, 3), end], points=9, method=method, **THIN))
    scene.pin(rope.start)
    scene.attach(rope.end, "bob", at=at)
    return told(scene)


@pytest.mark.parametrize("method", ["direct", "compliant"])
@pytest.mark.parametrize(("shape", "end", "away"), [
    (pl.Box(0.4, 0.4, 0.4), (0.5, 0.6, 0.2), 0.5),  # 3-4-5: 0.3 and 0.4 beyond the faces
    (pl.Sphere(0.2), (0.0, 0.0, 1.0), 0.8),
    (pl.Capsule(0.1, 0.4), (0.0, 0.3, 0.6), 0.4),  # 0.3, 0.4 from the end of its axis, less the radius
    (pl.Cylinder(0.1, 0.4), (0.4, 0.0, 0.6), 0.5),  # 0.3 beside the mantle, 0.4 above the lid
    (pl.Placed(pl.Sphere(0.2), (0.0, 0.0, 0.5)), (0.0, 0.0, 1.0), 0.3),
    (pl.Mesh(([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])),
     (0.2, 0.2, -0.7), 0.7),
])
def test_an_attachment_far_from_a_body_says_how_far(shape, end, away, method):
    """Refused where no point is given; a point that is given is meant, and doubted all the same."""
    with pytest.raises(pl.SceneError) as error:
        hung(shape, end, method=method)
    assert str(error.value).startswith(f"Attachment 'line.end-bob': 'line.end' is {away:.4g} m away from the surface of 'bob'")
    (said,) = hung(shape, end, at=end, method=method)
    assert said.startswith(f"Attachment 'line.end-bob' holds 'line.end' {away:.3g} m away from the surface of 'bob'")


def test_what_is_attached_at_or_in_a_body_is_not_doubted():
    for z in (0.2, 0.0, 0.21):
        assert not hung(pl.Sphere(0.2), (0, 0, z))


def test_a_point_given_far_outside_is_doubted_and_turns_with_the_body():
    turned = {"quaternion": (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)}  # y of the body is z of the world
    (said,) = hung(pl.Box(0.2, 0.4, 0.2), (0, 0, 1.0), at=(0.0, 1.0, 0.0), **turned)
    assert "0.8 m away" in said


def test_vertices_far_from_what_they_are_glued_to_are_doubted():
    scene = pl.Scene()
    pad = scene.add(pl.Solid("pad", pl.Box(0.1, 0.1, 0.1), spacing=0.05, position=(0, 0, 0.5)))
    scene.add(pl.Body("block", pl.Box(0.2, 0.2, 0.2), fixed=True))
    scene.attach(pad.vertices(lambda x: x[:, 2] < -0.049), "block")
    (said,) = told(scene)
    assert "0.35 m away from the surface of 'block'" in said


def test_a_rope_that_can_come_to_the_ground_is_said_to_fall_through_it_once():
    """It hangs from 3 m: 2.9 m of it cannot come to the ground, 3.1 m can."""
    for length, falls in ((2.9, False), (3.1, True)):
        scene = pl.Scene()
        scene.add(pl.Ground())
        scene.pin(scene.add(pl.Rope("line", path=[(0, 0, 3), (length, 0, 3)], points=9, **THIN)).start)
        said = [line for line in told(scene) if "touches nothing in this version" in line]
        assert bool(said) == falls
        if falls:
            assert "Rope 'line'" in said[0] and "through 'ground'" in said[0]
            assert pl.World(scene).run(0.05).warnings.count(said[0]) == 1
            meant = pl.Scene()
            for thing in scene:
                meant.add(thing.replace(collide=False) if isinstance(thing, pl.Rope) else thing)
            assert not told(meant)


@pytest.mark.parametrize("name", built_in_names())
def test_no_built_in_scene_has_doubts(name):
    """A newcomer would think that something went wrong."""
    assert not told(pl.load(name))


def test_an_inertia_that_no_body_has_is_doubted():
    """Oracle: of a rod the two large moments are equal to their sum's share; 1 + 1 < 3 is impossible, 1 + 2 = 3 a flat body."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("odd", pl.Sphere(1), mass=1.0, inertia=(1.0, 1.0, 3.0)))
    scene.add(pl.Body("flat", pl.Sphere(1), mass=1.0, inertia=(1.0, 2.0, 3.0), position=(9, 0, 0)))
    (said,) = told(scene)
    assert said.startswith("Body 'odd': its inertia has principal moments 1, 1 and 3 kg m2") and "check the numbers" in said


URDF = """<robot name="r">
  <link name="a">
    <inertial>
      {}
    </inertial>
  </link>
</robot>
"""


def test_urdf_masses_are_asked_for_by_tag_and_line(tmp_path):
    path = tmp_path / "r.urdf"
    for inner, line, said in (
        ('<inertia ixx="1" iyy="1" izz="1"/>', 3, "its <inertial> has no <mass>; give <mass value="),
        ('<mass/><inertia ixx="1" iyy="1" izz="1"/>', 4, "value is missing in <mass>"),
        ('<mass value="1"/>', 3, "its <inertial> has no <inertia>"),
        ('<mass value="1"/>\n<inertia ixx="1" iyy="x" izz="1"/>', 5, 'iyy is "x" in <inertia>'),
    ):
        path.write_text(URDF.format(inner))
        with pytest.raises(pl.SceneError) as wrong:
            pl.Robot.from_urdf(path)
        assert str(wrong.value).startswith(f"{path}, line {line}: link 'a': {said}")
    path.write_text("<robot>\n<link name='a'>\n</robot>")
    with pytest.raises(pl.SceneError, match=r"r\.urdf, line 3: is not well-formed XML \(mismatched tag\)"):
        pl.Robot.from_urdf(path)


def test_urdf_inertia_that_no_body_has_is_doubted_with_its_line(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(URDF.format('<mass value="1"/><inertia ixx="1" iyy="1" izz="3"/>'))
    (said,) = pl.Robot.from_urdf(path).warnings()
    assert said.startswith(f"{path}, line 2: link 'a', inertia: its inertia has principal moments 1, 1 and 3 kg m2")


@pytest.mark.parametrize(("make", "said"), [
    (lambda: pl.Sheet(1, 1, 50),
     "Sheet: spacing is 50 m, but the sheet is 1 by 1 m; give the width of a square, not their number."),
    (lambda: pl.Solid("s", pl.Box(1, 2, 1), spacing=10),
     "Solid 's': spacing is 10 m, but its box is at most 2 m long; give the width of a cube, not their number."),
    (lambda: pl.World(pl.Scene(), dt=16), "World: dt is 16 s, but it is the time between two pictures and must be at most 1 s; "
                                          "take 1/60 s, or give substeps yourself. Did you mean 0.016 s?"),
])
def test_numbers_of_the_wrong_size(make, said):
    with pytest.raises(pl.SceneError) as wrong:
        make()
    assert str(wrong.value) == said


def test_a_long_step_says_what_becomes_rare():
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("b", pl.Sphere(0.1)))
    assert pl.World(scene, dt=0.1).warnings == [] and pl.World(scene, dt=0.5, substeps=8).warnings == []
    (said,) = pl.World(scene, dt=0.5).warnings
    assert said.startswith("dt is 0.5 s: contacts are found and controls heard once in so long; take 1/60 s")


def driven(target, *controls) -> pl.Scene:
    scene = pl.Scene()
    for name in controls:
        scene.add(pl.Control(name, low=-2, high=2, value=0.5, unit="rad/s"))
    scene.add(pl.Body("arm", pl.Sphere(0.1)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "arm", motor=pl.VelocityMotor(target, max_effort=1.0)))
    return scene


def test_a_control_that_is_not_there_gets_the_way_to_add_it():
    with pytest.raises(pl.SceneError) as wrong:
        told(driven("go"))
    assert str(wrong.value) == (
        "Revolute 'hinge': its motor listens to a control that is 'go', which is not in the scene. The scene has no control; "
        "add one by scene.add(pl.Control('go')), in a file by {type: Control, name: go}.")
    with pytest.raises(pl.SceneError, match=r"The scene has: lift\.$"):
        told(driven("go", "lift"))
    with pytest.raises(pl.SceneError, match=r"Did you mean 'lift'\?$"):
        told(driven("lifts", "lift"))
    with pytest.raises(pl.SceneError, match=r"The scene has no control; add one by scene\.add\(pl\.Control\('go'\)\)"):
        pl.World(driven(1.0)).control["go"] = 1.0


@pytest.mark.parametrize("word, meant", [("nilon", "nylon rope"), ("Nylon", "nylon rope"), ("copper", "copper cable"),
                                         ("stel rope", "steel rope"), ("rubbr", "rubber")])
def test_a_material_is_known_by_each_of_its_words(word, meant):
    """"nilon" was answered with "silicone"."""
    with pytest.raises(pl.SceneError, match=rf"Did you mean '{meant}'\?$"):
        pl.Rope("r", [(0, 0, 0), (1, 0, 0)], 5, 0.01, material=word)


def test_controls_print_as_a_mapping_with_units():
    world = pl.World(driven("go", "go"))
    assert repr(world.control) == "{'go': 0.5 rad/s}" and str(pl.World(driven(1.0)).control) == "{}"


def test_time_is_a_whole_number_of_steps_to_the_last_bit():
    """Oracle: k dt in one multiplication; a sum of 1/60 s is off from the sixth step on."""
    scene = pl.Scene()
    scene.add(pl.Body("b", pl.Sphere(0.1)))
    world, summed, apart = pl.World(scene), 0.0, 0
    for k in range(1, 601):
        assert world.step().time == world.time == k * world.dt
        summed += world.dt
        apart += summed != k * world.dt
    assert apart > 300, "the sum does drift"


WRONG_YAML = {
    "a: b: c": "mapping values are not allowed here; put a text that holds a colon in quotes",
    "a:\n\t- b": "indent with spaces, not with tabs",
    "a: {b: c": "separate entries by commas, and close the bracket",
    "a: 'b": "close the quotes or the bracket that is open",
    "a: 1\na: 2": "the key 'a' is given twice; keep one of them",
    "a: *b": "put a word that begins with * or & in quotes",
    "a:\n  - b\n - c": "indent the lines of one thing alike",
    "a: !b c": "leave out tags",
    "a: @b": "put the text in quotes",
}


@pytest.mark.parametrize("text", WRONG_YAML)
def test_yaml_that_cannot_be_read_gets_a_remedy_and_the_path_as_given(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "bad.yaml").write_text(text)
    with pytest.raises(pl.SceneError) as wrong:
        pl.load("sub/bad.yaml")
    assert str(wrong.value).startswith("sub/bad.yaml, line ") and WRONG_YAML[text] in str(wrong.value)


def test_json_that_cannot_be_read_gets_a_remedy(tmp_path):
    (tmp_path / "bad.json").write_text('{"pliant": 1,}')
    with pytest.raises(pl.SceneError, match=r"bad\.json, line 1: .*; JSON has double quotes around words, commas between"):
        pl.load(tmp_path / "bad.json")


def test_worlds_and_handles_refuse_what_they_do_not_have_and_steps_that_cannot_be():
    scene = pl.Scene()
    scene.add(pl.Body("load", pl.Sphere(0.1)))
    world = pl.World(scene)
    with pytest.raises(AttributeError, match=r"^World has no 'iteration'\. Did you mean 'iterations'\?$"):
        world.iteration = 3
    with pytest.raises(AttributeError, match=r"^BodyHandle has no 'positon'\. Did you mean 'position'\?$"):
        world["load"].positon = (0, 0, 1)
    for field, value in (("iterations", "x"), ("iterations", 0), ("substeps", 1.5), ("dt", -1.0), ("dt", "now")):
        with pytest.raises(pl.SceneError, match=f"^World: {field} is "):
            setattr(world, field, value)
    world.iterations, world.dt = 4, 0.01
    world.step()
    assert world.time == pytest.approx(0.01)


@pytest.mark.parametrize("shape, volume", [(pl.Box(200, 100, 50), 1e6), (pl.Sphere(100.0), 4.19e6),
                                           (pl.Capsule(50.0, 100.0), 1.31e6), (pl.Cylinder(50.0, 100.0), 7.85e5)])
def test_millimetres_are_doubted(shape, volume):
    """Oracle: the volume by hand; the same in metres is not doubted."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("bracket", shape, mass=2.0))
    told = pl.World(scene, threads=1).warnings
    assert len(told) == 1 and "'bracket'" in told[0] and "metres" in told[0] and f"{volume:.3g} m3" in told[0]
    small = type(shape)(*(1e-3 * getattr(shape, field) for field in shape.__struct_fields__))
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("bracket", small, mass=2.0))
    assert pl.World(scene, threads=1).warnings == []


def test_a_warning_is_told_once_with_its_largest_number_its_steps_and_its_first_time():
    """By hand: names with numbers are names; what the scene always warns of has no time."""
    told = ("joints did not settle in a step (3 m/s are missing): take smaller steps", "'a1' gapes by 0.1 m at t = 0.5 s",
            "joints did not settle in a step (17 m/s are missing): take smaller steps", "'a2' gapes by 0.1 m at t = 0.5 s",
            "'a1' gapes by 2e-3 m at t = 9 s")
    scene = pl.Scene()
    scene.add(pl.Body("ball", pl.Sphere(0.1)))
    one, always, gathered = pl.World(scene).step(), "it is doubtful", Gathered(["it is doubtful"])
    assert gathered.report() is None
    for k, text in enumerate(told, 1):
        gathered.take(one._replace(time=float(k), warnings=(always, text), events=(f"event {k}",), drift=3.0 - k))
    report = gathered.report()
    assert report.warnings == (always, f"{told[2]} [in 2 steps, first at t = 1 s]",
                               f"{told[1]} [in 2 steps, first at t = 2 s]", told[3])
    assert report.events == tuple(f"event {k}" for k in range(1, 6)) and report.drift == 2.0 and report.time == 5.0
