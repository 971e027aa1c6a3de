"""What ropes by impulses and projections cannot do is refused by name, all reasons at once. Oracle: the words of the error."""

import numpy as np
import pytest

import pliant as pl


def build(method: str, *, rope=None, **more) -> None:
    scene = pl.Scene()
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0)))
    scene.add(pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=6, radius=0.01, mass=0.1, bend=0.1, twist=0.1, method=method,
                      **(rope or {})))
    for name, call in more.items():
        call(scene, name)
    pl.World(scene)


def second(method: str):
    def add(scene, name):
        scene.add(pl.Rope(name, path=[(0, 0, 0), (0, 1, 0)], points=6, radius=0.01, mass=0.1, bend=0.1, twist=0.1,
                          method=method))
    return add


REFUSED = [
    ({"p": lambda s, n: s.pin("r.start", slide=(1, 0, 0))}, "slide"),
    ({"p": lambda s, n: s.pin("r@0.5")}, "start and its end"),
    ({"p": lambda s, n: s.attach("box", "r.start", at=(0, 0, 0))}, "no axes"),
    ({"other": second("impulse"), "p": lambda s, n: s.attach("r.start", "other.start")}, "cannot be attached to ropes"),
    ({"j": lambda s, n: s.add(pl.Spherical(n, "box", "r.start", anchor=(0, 0, 0)))}, "alone can hold"),
    ({"l": lambda s, n: s.add(pl.Load(n, "r.end", force=(1, 0, 0), follow=True))}, "follow"),
    ({"l": lambda s, n: s.add(pl.Load(n, "r@1.5", force=(1, 0, 0)))}, "long"),
    ({"l": lambda s, n: s.add(pl.Load(n, "r@x", force=(1, 0, 0)))}, "arc length"),
    ({"p": lambda s, n: s.pin("r.middle")}, "r.start"),
    ({"p": lambda s, n: s.pin("r.start", position=(0, 0, 0.5))}, "0.5 m away"),
    ({"p": lambda s, n: s.pin("r.start"), "q": lambda s, n: s.attach("r.start", "box")}, "is held by"),
    ({"other": second("direct"), "p": lambda s, n: s.attach("r.start", "box"),
      "q": lambda s, n: s.attach("other.start", "box")}, "hangs together with Rope 'other'"),
    ({"rope": {"break_tension": 5.0}}, "break"),
]


@pytest.mark.parametrize(("given", "words"), REFUSED, ids=[words for _, words in REFUSED])
@pytest.mark.parametrize("method", ["impulse", "compliant"])
def test_what_a_method_cannot_do_is_refused(method, given, words):
    with pytest.raises(pl.SceneError, match=words):
        build(method, **given)


def test_all_reasons_are_said_at_once():
    with pytest.raises(pl.SceneError) as raised:
        build("impulse", rope={"stretch": 5.0, "shear": 5.0, "break_tension": 5.0},
              p=lambda s, n: s.pin("r.end", slide=(1, 0, 0)))
    assert len(str(raised.value).split("\n")) == 4
    with pytest.raises(pl.SceneError, match="closed ring"):
        build("position", rope={"closed": True})


def test_ropes_of_unlike_methods_must_not_meet():
    """Two balls on ropes side by side are well; once they touch, the step says whose ropes they are, and the state stays."""
    scene = pl.Scene(gravity=(0, 0, 0))
    for name, method, x, speed in (("left", "direct", 0.0, 1.0), ("right", "compliant", 1.0, 0.0)):
        scene.add(pl.Body(f"{name} ball", pl.Sphere(0.1), mass=1.0, position=(x, 0, 0), velocity=(speed, 0, 0)))
        scene.add(pl.Rope(name, path=[(x, 0, 0.1), (x, 0, 1)], points=6, radius=0.01, mass=0.1, bend=0.01, twist=0.01,
                          method=method))
        scene.attach(f"{name}.start", f"{name} ball", at=(0, 0, 0.1))
    world = pl.World(scene, dt=1 / 100, substeps=2)
    with pytest.raises(pl.SceneError, match="'right' touches what hangs on Rope 'left'"):
        world.run(2.0)
    assert 0.5 < world.time < 1.0 and np.isfinite(world["right"].positions).all()


def beside_cloth(method: str = "compliant", load: dict | None = None, cloth: dict | None = None) -> pl.Scene:
    """A ball on a rope of points above a sheet that is held all around."""
    scene = pl.Scene()
    sheet = scene.add(pl.Cloth("sheet", pl.Sheet(0.6, 0.6, 0.1), 4e-3, **(cloth or {})))
    scene.pin(sheet.vertices(lambda x: np.abs(x).max(axis=1) > 0.29))
    ball = scene.add(pl.Body("ball", pl.Sphere(0.05), mass=0.2, position=(0, 0, 0.12), **(load or {})))
    rope = scene.add(pl.Rope("rope", path=[(0, 0, 1.17), (0, 0, 0.17)], points=11, length=1.2, radius=0.01, method=method,
                             material="hemp rope", collide=False))
    scene.attach(rope.end, ball)
    scene.pin(rope.start)
    return scene


@pytest.mark.parametrize("method", ["impulse", "position", "compliant"])
def test_what_may_come_to_touch_a_cloth_is_doubted_before(method):
    """Said when the world is built, with both and the remedy; it stops where they meet, and not where the remedy was taken."""
    world = pl.World(beside_cloth(method), threads=1)
    (said,) = [one for one in world.warnings if "the run stops" in one]
    assert all(word in said for word in ("Rope 'rope'", f"'{method}'", "'ball'", "Cloth 'sheet'", "'direct'", "collide=False"))
    with pytest.raises(pl.SceneError, match="touches what hangs on Cloth 'sheet'"):
        world.run(1.0)
    for mended in (beside_cloth("direct"), beside_cloth(method, load={"collide": False}),
                   beside_cloth(method, cloth={"collide": False}), beside_cloth(method, load={"fixed": True})):
        assert not any("the run stops" in one for one in pl.World(mended, threads=1).warnings)


def test_cloth_that_hangs_on_a_rope_of_points_is_refused():
    """By way of a body that is attached to both."""
    scene = beside_cloth()
    rag = scene.add(pl.Cloth("rag", pl.Sheet(0.1, 0.1, 0.05), 1e-3, position=(0.05, 0, 0.12)))
    scene.attach(rag.vertices(lambda x: x[:, 0] < -0.049), "ball")
    with pytest.raises(pl.SceneError, match=r"'rope': by method 'compliant' it hangs .* Cloth 'rag', .* method 'direct'"):
        pl.World(scene)
