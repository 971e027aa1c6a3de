"""A scene that is loaded and changed, and what users hold when they mistype. Oracle: the rule; a world of the changed scene."""

import pytest

import pliant as pl


def hung(**changes) -> pl.Scene:
    """A ball on a rope."""
    scene = pl.Scene()
    rope = scene.add(pl.Rope("line", path=[(0, 0, 2), (0, 0, 1)], points=9, radius=0.01, mass=0.1, bend="limp", twist="limp"))
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=1.0, position=(0, 0, 0.9)))
    scene.pin(rope.start)
    scene.attach(rope.end, "ball")
    return scene


def test_a_thing_takes_the_place_of_the_one_of_its_name():
    """Oracle: statics; the pin bears rope and ball, whose mass was changed."""
    scene = hung()
    before = [thing.name for thing in scene]
    heavy = scene.replace(scene["ball"].replace(mass=3.0))
    assert scene["ball"] is heavy and [thing.name for thing in scene] == before
    world = pl.World(scene, threads=1)
    world.run(0.5)
    assert world["line.start-pin"].force[2] == pytest.approx(3.1 * 9.81, rel=1e-3)


def test_what_is_removed_is_gone_and_what_names_it_is_told():
    scene = hung()
    scene.remove("ball")
    with pytest.raises(pl.SceneError, match=r"Attachment 'line.end-ball': b is 'ball', which is not in the scene"):
        pl.World(scene)
    scene.remove(scene["line.end-ball"])
    assert [thing.name for thing in scene] == ["line", "line.start-pin"]
    pl.World(scene, threads=1)


@pytest.mark.parametrize(("wrong", "said"), [
    (lambda s: s.replace(pl.Body("bal", pl.Sphere(0.1))), "the thing to replace is 'bal', .* Did you mean 'ball'"),
    (lambda s: s.replace("ball"), "the thing to replace is 'ball'"),
    (lambda s: s.remove("lin"), "the thing to remove is 'lin', .* Did you mean 'line'"),
    (lambda s: s.remove(3), "the thing to remove is 3; it must be a thing of the scene or its name"),
    (lambda s: s.add(pl.Body("ball", pl.Sphere(0.1))), "The name 'ball' is already taken; .* scene.replace puts a thing"),
    (lambda s: s.replace(pl.Site("ball", "ball")), "body is the site itself"),
])
def test_a_wrong_change_leaves_the_scene_as_it_was(wrong, said):
    scene = hung()
    before = list(scene)
    with pytest.raises(pl.SceneError, match=said):
        wrong(scene)
    assert list(scene) == before


def test_things_say_how_they_are_changed():
    ball = hung()["ball"]
    with pytest.raises(AttributeError, match=r"Body 'ball' does not change; make a copy by \.replace\(mass=2\.0\)"):
        ball.mass = 2.0
    with pytest.raises(AttributeError, match=r"does not change"):
        ball.weight = 2.0
    assert ball.mass == 1.0


def test_what_a_handle_or_a_world_lacks_is_told_with_what_it_has():
    world = pl.World(hung(), threads=1)
    with pytest.raises(AttributeError, match=r"BodyHandle has no 'angle'\. Did you mean 'angular_velocity'|It has"):
        world["ball"].angle  # noqa: B018
    with pytest.raises(AttributeError, match=r"World has no 'contact'\. Did you mean 'contacts'"):
        world.contact  # noqa: B018
    assert not hasattr(world["ball"], "__array_interface__")


def test_what_goes_wrong_within_a_reading_says_so_itself(monkeypatch):
    """Oracle: the error that was raised there."""
    world = pl.World(hung(), threads=1)
    monkeypatch.setattr(type(world["ball"]), "mass", property(lambda self: self.thing.weight))
    with pytest.raises(AttributeError, match="weight"):
        world["ball"].mass  # noqa: B018


def test_a_scene_shows_what_it_holds():
    assert repr(hung()) == "<Scene of 4 things: line, ball, line.start-pin, line.end-ball>"
    assert repr(pl.Scene()) == "<Scene of 0 things>"
    assert repr(pl.load("tow")).endswith(" …>")


def test_mistyped_materials_and_meshes_get_the_nearest():
    with pytest.raises(pl.SceneError, match=r"material is 'stel'; .* a preset's name. Did you mean 'steel'"):
        pl.Rope("r", [(0, 0, 0), (1, 0, 0)], 9, 0.01, "stel")
    with pytest.raises(pl.SceneError, match=r"mesh is Sphere\(.*a ball is PatchMesh.sphere\(radius\)"):
        pl.Solid("s", pl.Sphere(0.1), spacing=0.05)
