"""What is wrong with a rope is refused in one sentence that names it, the field and the remedy; worlds never go on with NaN.

Oracle: the rule itself. The message must hold the words listed beside each case.
"""

import math

import numpy as np
import pytest

import pliant as pl

NAN, STRAIGHT = math.nan, [(0, 0, 0), (1, 0, 0)]
SOFT = pl.Material(1200.0, 0.05e6, shear=0.1e6)


def rope(**fields) -> pl.Rope:
    return pl.Rope(**{"name": "r", "path": STRAIGHT, "points": 11, "radius": 0.01, "material": SOFT, **fields})


NOUNS = {
    "two points": (lambda: rope(points=2), "Rope 'r' points 2 at least 3"),
    "one point": (lambda: rope(points=1), "Rope 'r' points at least 3"),
    "no points": (lambda: rope(points=0), "Rope 'r' points at least 3"),
    "half a point": (lambda: rope(points=10.5), "Rope 'r' points whole number"),
    "points true": (lambda: rope(points=True), "Rope 'r' points whole number"),
    "two arcs": (lambda: rope(points=[0.0, 1.0]), "Rope 'r' points at least 3"),
    "arcs back": (lambda: rope(points=[0.0, 0.6, 0.5, 1.0]), "Rope 'r' points start at 0 grow"),
    "arcs from one": (lambda: rope(points=[1.0, 2.0, 3.0]), "Rope 'r' points start at 0 grow"),
    "arcs nan": (lambda: rope(points=[0.0, NAN, 1.0]), "Rope 'r' points finite"),
    "zero radius": (lambda: rope(radius=0.0), "Rope 'r' radius positive"),
    "negative radius": (lambda: rope(radius=-0.01), "Rope 'r' radius positive"),
    "radius nan": (lambda: rope(radius=NAN), "Rope 'r' radius finite"),
    "one path point": (lambda: rope(path=[(0, 0, 0)]), "Rope 'r' path two or more"),
    "flat path": (lambda: rope(path=[(0, 0), (1, 0)]), "Rope 'r' path two or more (n, 3)"),
    "coincident path points": (lambda: rope(path=[(0, 0, 0), (1, 0, 0), (1, 0, 0)]), "Rope 'r' path 1 and 2 coincide leave"),
    "path nan": (lambda: rope(path=[(0, 0, 0), (NAN, 0, 0)]), "Rope 'r' path finite"),
    "path words": (lambda: rope(path="there"), "Rope 'r' path numbers"),
    "no mass": (lambda: rope(material=None, bend=1.0, twist=1.0), "Rope 'r' neither mass material give one"),
    "no stiffness": (lambda: rope(material=None, mass=1.0), "Rope 'r' bend material not given"),
    "no twist": (lambda: rope(material=None, mass=1.0, bend=1.0), "Rope 'r' twist material not given"),
    "limp without a word": (lambda: rope(material=None, mass=1.0, bend=0.0, twist=1.0), "Rope 'r' bend 0 material give 'limp'"),
    "no twist without a word": (lambda: rope(material=None, mass=1.0, bend=1.0, twist=0), "Rope 'r' twist 0 material 'limp'"),
    "limp all along": (lambda: rope(material=None, mass=1.0, bend=[0.0] * 10, twist=1.0), "Rope 'r' bend 0 material 'limp'"),
    "limp in both directions": (lambda: rope(material=None, mass=1.0, bend=(0, 0), twist=1.0), "Rope 'r' bend 0 'limp'"),
    "stretch limp": (lambda: rope(stretch="limp"), "Rope 'r' stretch 'limp' numbers 'material'"),
    "stretch of nothing": (lambda: rope(material=None, mass=1.0, bend=1.0, twist=1.0, stretch="material"),
                           "Rope 'r' stretch material not given"),
    "unknown material": (lambda: rope(material="wood"), "Rope 'r' material 'wood' Material"),
    "zero stretch": (lambda: rope(stretch=0.0), "Rope 'r' stretch positive"),
    "negative stretch": (lambda: rope(stretch=-1.0), "Rope 'r' stretch positive"),
    "negative bend": (lambda: rope(bend=-1.0), "Rope 'r' bend zero or more"),
    "bend nan": (lambda: rope(bend=NAN), "Rope 'r' bend finite"),
    "bend inf": (lambda: rope(bend=math.inf), "Rope 'r' bend finite"),
    "bend beyond numbers": (lambda: rope(bend=1e300), "Rope 'r' bend at most 1e+30"),
    "twists beyond numbers": (lambda: rope(twist=[1e300] * 10), "Rope 'r' twist above 1e+30 Body"),
    "path beyond numbers": (lambda: rope(path=[(0, 0, 0), (1e31, 0, 0)]), "Rope 'r' path 1e+30"),
    "bend wrong size": (lambda: rope(bend=[1.0] * 7), "Rope 'r' bend (7,) 10 elements"),
    "twist wrong size": (lambda: rope(twist=[1.0] * 11), "Rope 'r' twist (11,) 10 elements"),
    "bend below": (lambda: rope(bend=[1.0] * 9 + [-1.0]), "Rope 'r' bend positive"),
    "twist word": (lambda: rope(twist="stiff"), "Rope 'r' twist 'stiff' numbers"),
    "mass": (lambda: rope(mass=0.0), "Rope 'r' mass positive"),
    "mass nan": (lambda: rope(mass=NAN), "Rope 'r' mass finite"),
    "rest word": (lambda: rope(rest="coiled"), "Rope 'r' rest 'coiled' straight path Darboux"),
    "rest wrong size": (lambda: rope(rest=np.zeros((10, 3))), "Rope 'r' rest (10, 3) (9, 3)"),
    "rest flat": (lambda: rope(rest=(1.0, 2.0)), "Rope 'r' rest (2,) (3,)"),
    "rest nan": (lambda: rope(rest=(NAN, 0, 0)), "Rope 'r' rest finite"),
    "length": (lambda: rope(length=0.0), "Rope 'r' length positive"),
    "length nan": (lambda: rope(length=NAN), "Rope 'r' length finite"),
    "length arcs": (lambda: rope(length=[0.0, 1.0, 2.0]), "Rope 'r' length 2 growing arcs"),
    "points short of the length": (lambda: rope(points=[0.0, 0.3, 0.7, 1.0], length=1.5), "Rope 'r' points 1 m 1.5 m leave"),
    "points beyond the arcs": (lambda: rope(points=[0.0, 0.3, 2.0], length=[0.0, 1.0]), "Rope 'r' points 2 m length 1 m leave"),
    "normal": (lambda: rope(normal=(1, 0)), "Rope 'r' normal 3 numbers"),
    "damping": (lambda: rope(damping=-0.1), "Rope 'r' damping zero or more"),
    "damping nan": (lambda: rope(damping=NAN), "Rope 'r' damping finite"),
    "break": (lambda: rope(break_tension=0.0), "Rope 'r' break_tension positive"),
    "closure twist of an open rope": (lambda: rope(closure_twist=1.0), "Rope 'r' closure_twist 1 ring closed=True"),
    "method": (lambda: rope(method="magic"), "Rope 'r' method 'magic' direct"),
    "dot in name": (lambda: rope(name="r.x"), "Rope name '.'"),
    "place": (lambda: rope().at(-0.1), "Rope 'r' s zero or more"),
    "place nan": (lambda: rope().at(NAN), "Rope 'r' s finite"),
}


def said(error, words: str) -> None:
    """Every word stands in the message."""
    missing = [w for w in words.split() if w not in str(error.value)]
    assert not missing, f"{error.value!s} lacks {missing}"


@pytest.mark.parametrize("case", list(NOUNS))
def test_nouns(case):
    make, words = NOUNS[case]
    with pytest.raises(pl.SceneError) as error:
        make()
    said(error, words)


def scene_with(*more, **fields) -> pl.Scene:
    scene = pl.Scene()
    scene.add(rope(**fields))
    scene.add(pl.Body("cart", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(1.1, 0, 0), collide=False))
    for what in more:
        what(scene)
    return scene


WORLDS = {
    "attach to an unknown name": (lambda: scene_with(lambda s: s.attach("r.end", "cat")), "'cat' mean 'cart'"),
    "attach an unknown rope": (lambda: scene_with(lambda s: s.attach("q.end", "cart")), "'q.end'"),
    "attach a whole rope": (lambda: scene_with(lambda s: s.attach("r", "cart")), "a is 'r' whole 'r.start' 'r.end' 'r@1.25'"),
    "pin a whole rope": (lambda: scene_with(lambda s: s.pin("r")), "what is 'r' whole Rope rope.at(s)"),
    "push a whole rope": (lambda: scene_with(lambda s: s.add(pl.Load("l", "r"))), "Load 'l' 'r' whole Rope 'r.end'"),
    "attach far away": (lambda: scene_with(lambda s: s.attach("r.start", "cart", at=(0, 0, 0.5))), "'r.start' 1.208 m away"),
    "attach far from a body": (lambda: scene_with(lambda s: s.attach("r.start", "cart")), "'r.start' m away surface 'cart' at"),
    "pin far away": (lambda: scene_with(lambda s: s.pin("r.end", position=(1.5, 0, 0))), "'r.end' 0.5 m away"),
    "held twice": (lambda: scene_with(lambda s: s.pin("r.end"), lambda s: s.attach("r.end", "cart")), "'r.end' held already"),
    "beyond the end": (lambda: scene_with(lambda s: s.add(pl.Load("l", "r@1.5"))), "Load 'l' 1.5 m 'r' 1 m long"),
    "too short for its ends": (lambda: scene_with(length=0.9), "Rope 'r' length 0.9 m 1 m does not stretch longer"),
    "normal along it": (lambda: scene_with(normal=(1, 0, 0)), "Rope 'r' normal across"),
    "load on nothing": (lambda: scene_with(lambda s: s.add(pl.Load("l", "q.end", force=(0, 0, 1)))), "Load 'l' 'q.end'"),
}


@pytest.mark.parametrize("case", list(WORLDS))
def test_worlds(case):
    make, words = WORLDS[case]
    with pytest.raises(pl.SceneError) as error:
        pl.World(make(), dt=0.01, substeps=1, threads=1)
    said(error, words)


@pytest.mark.parametrize("speed", [10.0, 1e3, 1e6])
def test_an_end_torn_away(speed):
    """Pinned at one end, the other driven away faster than it can follow: Diverged or a warning that says so, never NaN."""
    scene = scene_with(lambda s: s.pin("r.start"))
    scene.pin("r.end", motion=pl.Motion([0.0, 1.0], positions=[(0, 0, 0), (speed, 0, 0)]))
    world, told = pl.World(scene, dt=0.01, substeps=1, threads=1), False
    for _ in range(20):
        try:
            report = world.step()
        except pl.Diverged as error:
            told = bool(error.thing) and error.time > 0.0
            break
        told |= any("gape" in word or "rope" in word or "r'" in word for word in report.warnings)
    for values in (world["r"].positions, world["r"].velocities, world["r"].tension):
        assert np.isfinite(values).all()
    assert told, "nobody was told"


@pytest.mark.parametrize("speed", [10.0, 1e4])
def test_a_free_end_follows(speed):
    """One end driven, the other free: it follows at any speed; Newton's joints stay closed, or Diverged is said."""
    scene = scene_with()
    scene.pin("r.start", motion=pl.Motion([0.0, 1.0], positions=[(0, 0, 0), (speed, 0, 0)]))
    world = pl.World(scene, dt=0.01, substeps=1, threads=1)
    try:
        report = world.run(0.5)
        assert report.drift < 1e-4
    except pl.Diverged as error:
        assert error.thing == "r"
    assert np.isfinite(world["r"].positions).all() and np.isfinite(world["r"].velocities).all()


def test_teleports_of_nonsense():
    """A rope's points cannot be set to what is no rope."""
    world = pl.World(scene_with(), dt=0.01, substeps=1, threads=1)
    wrong = (("positions", np.zeros((11, 3)), "coincide"), ("positions", np.full((11, 3), NAN), "finite"),
             ("velocities", np.zeros((10, 3)), "(11, 3)"), ("angular_velocities", [[NAN] * 3] * 10, "finite"))
    for field, value, words in wrong:
        with pytest.raises(pl.SceneError) as error:
            setattr(world["r"], field, value)
        said(error, f"Rope 'r' {field} {words}")
    with pytest.raises(pl.SceneError, match="force"):
        world.apply_force("r.end", (NAN, 0, 0))
