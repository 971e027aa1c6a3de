"""What is wrong between the things of a scene, or asked of a world, is refused in one sentence. Oracle: the rule itself."""

import numpy as np
import pytest
from bad_input import BALL, FACES, NAN, VERTICES, body, check, hinge

import pliant as pl


def with_things(*things):
    """A world of a free body 'b', a fixed one 'wall', a control and `things`."""
    scene = pl.Scene()
    scene.add(body())
    scene.add(pl.Body("wall", pl.Box(1, 1, 1), fixed=True, position=(3, 0, 0)))
    scene.add(pl.Control("throttle"))
    for thing in things:
        scene.add(thing)
    return pl.World(scene)


OPEN = pl.Mesh((VERTICES, FACES[:3]))
FLAT = pl.Mesh(([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], FACES))
WORLDS = {
    "unknown child": ([hinge(child="bb")], "Revolute 'h' child 'bb' Did you mean 'b'?"),
    "unknown parent": ([hinge(parent="wal")], "Revolute 'h' parent 'wal' Did you mean 'wall'?"),
    "unknown end": ([pl.Spring("tether", "b", "wal", stiffness=1)], "Spring 'tether' 'wal' Did you mean 'wall'?"),
    "unknown joint": ([hinge(), pl.Latch("l", "hh", at=0, hold=1)], "Latch 'l' joint 'hh' Did you mean 'h'?"),
    "unknown sprung joint": ([hinge(), pl.JointSpring("s", "hh", stiffness=1)], "JointSpring 's' 'hh' Did you mean 'h'?"),
    "unknown control": ([hinge(motor=pl.VelocityMotor("throtle", 1))], "Revolute 'h' 'throtle' Did you mean 'throttle'?"),
    "unknown weight": ([hinge(motor=pl.VelocityMotor({"throtle": 1}, 1))], "Revolute 'h' 'throtle' Did you mean 'throttle'?"),
    "unknown load": ([pl.Load("l", "bb")], "Load 'l' on 'bb' Did you mean 'b'?"),
    "unknown site": ([pl.Site("s", "bb")], "Site 's' body 'bb' Did you mean 'b'?"),
    "wrong kind": ([hinge(child="throttle")], "Revolute 'h' child 'throttle' Control body site"),
    "one body twice": ([pl.Site("s", "b"), hinge(parent="s")], "Revolute 'h' 's' 'b' one body two"),
    "nothing moves": ([hinge(child="wall")], "Revolute 'h' 'wall' can move leave out"),
    "still spring": ([pl.Spring("s", pl.WORLD, "wall", stiffness=1)], "Spring 's' 'wall' can move leave out"),
    "latched ball": ([pl.Spherical("s", pl.WORLD, "b"), pl.Latch("l", "s", at=0, hold=1)], "Latch 'l' 's' joint with an axis"),
    "latched weld": ([pl.Fixed("f", pl.WORLD, "b"), pl.Latch("l", "f", at=0, hold=1)], "Latch 'l' 'f' joint with an axis"),
    "no such coordinate": ([hinge(), pl.JointSpring("s", "h", stiffness=1, coordinate=1)],
                           "JointSpring 's' coordinate 1 'h' must be 0"),
    "sprung weld": ([pl.Fixed("h", pl.WORLD, "b"), pl.JointSpring("s", "h", stiffness=1)], "JointSpring 's' does not move"),
    "idle motor": ([hinge(motor=pl.PositionMotor(0, 0, 0))], "Revolute 'h' motor stiffness damping give one"),
    "open mesh": ([pl.Body("m", OPEN)], "Body 'm' closed"),
    "flat mesh": ([pl.Body("m", FLAT)], "Body 'm' Mesh volume plane"),
    "missing mesh": ([pl.Body("m", pl.Mesh("nowhere/cup.obj"))], "Body 'm' cup.obj"),
    "bad motion": ([pl.Body("m", BALL, motion=pl.Motion(lambda t: 3))], "Body 'm' motion function offset quaternion"),
}


@pytest.mark.parametrize("case", WORLDS)
def test_worlds(case):
    things, words = WORLDS[case]
    check(lambda: with_things(*things).step(), words)


ASKED = {
    "callback": (lambda world: world.on_step(None), "World on_step None function"),
    "long step": (lambda world: setattr(world, "dt", 1e308), "World dt at most 1e+06 s"),
    "short step": (lambda world: setattr(world, "dt", 1e-12), "World dt at least 1e-09 s"),
    "iterations": (lambda world: setattr(world, "iterations", 10**400), "World iterations whole number at most"),
    "substeps": (lambda world: setattr(world, "substeps", np.ones(3)), "World substeps whole number"),
    "push": (lambda world: world.apply_force("b", (1e200, 0, 0)), "World force below 1e+30"),
    "place": (lambda world: world.scene.pose_of(np.ones(3)), "Scene thing asked for name"),
}


@pytest.mark.parametrize("case", ASKED)
def test_asked_of_a_world(case):
    ask, words = ASKED[case]
    world = with_things()
    check(lambda: ask(world), words)
    world.step()


def test_two_things_with_one_name():
    scene = pl.Scene()
    scene.add(body())
    check(lambda: scene.add(pl.Spring("b", "x", "y", stiffness=1)), "'b' taken differ")
    assert len(scene) == 1, "and nothing is half added"
    check(lambda: scene.add("ball"), "'ball' Body Joint Spring")


def test_sites_that_stand_on_each_other():
    scene = pl.Scene()
    for name, on in (("s", "t"), ("t", "u")):
        scene.add(pl.Site(name, on))
    check(lambda: scene.add(pl.Site("u", "s")), "Site 'u' body 's' stands on 'u' itself name a body")
    scene.add(pl.Site("u", "b"))  # what it stands on may come later


def test_a_scene_keeps_its_own_arrays():
    """Oracle: the numbers given; what is done to the caller's arrays later, or tried on the scene's, changes nothing."""
    heights, times, rows = np.zeros((2, 2)), np.array([0.0, 1.0]), np.zeros((2, 3))
    vertices, faces = np.array(VERTICES, float), np.array(FACES)
    field, mesh, motion = pl.HeightField(heights, (1, 1)), pl.Mesh((vertices, faces)), pl.Motion(times, rows, rotations=rows)
    for kept, given in ((field.heights, heights), (mesh.source[0], vertices), (mesh.source[1], faces),
                        (motion.times, times), (motion.positions, rows), (motion.rotations, rows)):
        before = kept.copy()
        given += 7
        np.testing.assert_array_equal(kept, before)
        with pytest.raises(ValueError, match="read-only"):
            kept[:] = 0


def test_settings_of_a_world():
    scene = pl.Scene()
    scene.add(body())
    check(lambda: pl.World(scene, dt=0), "World dt positive")
    check(lambda: pl.World(scene, dt=NAN), "World dt finite")
    check(lambda: pl.World(scene, substeps=0), "World substeps at least 1 auto")
    check(lambda: pl.World(scene, substeps="many"), "World substeps auto")
    check(lambda: pl.World(scene).run(-1), "World seconds zero or more")


@pytest.mark.parametrize("threads", [0, -2, "two", 1.5])
def test_threads_of_a_world(threads):
    scene = pl.Scene()
    scene.add(body())
    check(lambda: pl.World(scene, threads=threads), "World threads whole number from 1")
    with pytest.raises(AttributeError, match="threads can be read, not set"):
        pl.World(scene).threads = threads


def test_pushes_and_teleports():
    world = with_things()
    check(lambda: world.apply_force("b", (1, NAN, 0)), "force finite")
    check(lambda: world.apply_force("b", (1, 0)), "force 3 numbers")
    check(lambda: setattr(world["b"], "position", (0, 0, NAN)), "Body 'b' position finite")
    check(lambda: setattr(world["b"], "quaternion", (0, 0, 0, 0)), "Body 'b' quaternion unit")
    check(lambda: world.control.__setitem__("throttle", NAN), "Control 'throttle' finite")


def test_a_motion_that_fails_later_says_when():
    """Oracle: the function is good until the sixth step; the world stands where it was before the failing step."""
    def motion(t):
        return (0, 0, 0 if t < 0.09 else NAN), (1, 0, 0, 0)

    world = with_things(pl.Body("m", BALL, motion=pl.Motion(motion), collide=False))
    with pytest.raises(pl.SceneError, match=r"Body 'm'.*0\.09.*finite"):
        world.run(1.0)
    assert world.time == pytest.approx(5 / 60), "five whole steps were good"


@pytest.mark.parametrize("given, words", [
    (("b", "carts", (0, 0, 0)), "Attachment 'b-carts' b 'carts' Did you mean 'cart'?"),
    (("bb", "cart"), "Attachment 'bb-cart' a 'bb' Did you mean 'b'?"),
    (("tow.begin", "cart"), "Attachment 'tow.begin-cart' a 'tow.begin' Did you mean 'tow.end'?"),
    (("cart", "tow@3.5"), "Attachment 'cart-tow@3.5' b 3.5 m 'tow', 1 m long"),
])
def test_attach_to_what_is_not_there(given, words):
    """Said at once; of what a file says, where things may come in any order, when the world is built."""
    scene = pl.Scene()
    scene.add(body())
    scene.add(body(name="cart", position=(1, 0, 0)))
    scene.add(pl.Rope("tow", [(0, 0, 0), (1, 0, 0)], 5, 0.01, "steel"))
    check(lambda: scene.attach(*given), words)
    scene.add(pl.Attachment(f"{given[0]}-{given[1]}", *given))
    check(lambda: pl.World(scene), words)


def test_attach_to_itself():
    check(lambda: pl.Scene().attach("b", "b"), "Attachment 'b-b' both ends two places")
