"""What is wrong in a scene is refused in one sentence that names the thing, the field and the remedy. Oracle: the rule itself.

Every field of every noun is given something that it cannot be; the message must hold the words listed beside it.
"""

import math

import numpy as np
import pytest

import pliant as pl

NAN = math.nan
BALL = pl.Sphere(0.1)
VERTICES = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def body(**fields):
    return pl.Body(**{"name": "b", "shape": BALL, **fields})


def hinge(**fields):
    return pl.Revolute(**{"name": "h", "parent": pl.WORLD, "child": "b", **fields})


def dc(**fields):
    return pl.DCMotor(**{"voltage": 1.0, "k_t": 0.1, "k_e": 0.1, "resistance": 1.0, "max_voltage": 12.0, **fields})


NOUNS = {
    # shapes
    "box zero": (lambda: pl.Box(0, 1, 1), "Box x positive"),
    "box nan": (lambda: pl.Box(1, NAN, 1), "Box y finite"),
    "box word": (lambda: pl.Box(1, 1, "wide"), "Box z number"),
    "box true": (lambda: pl.Box(True, 1, 1), "Box x number"),
    "sphere": (lambda: pl.Sphere(-0.1), "Sphere radius positive"),
    "capsule radius": (lambda: pl.Capsule(0, 1), "Capsule radius positive"),
    "capsule length": (lambda: pl.Capsule(0.1, math.inf), "Capsule length finite"),
    "cylinder": (lambda: pl.Cylinder(0.1, -1), "Cylinder length positive"),
    "mesh scale": (lambda: pl.Mesh((VERTICES, FACES), scale=0), "Mesh scale positive"),
    "mesh source": (lambda: pl.Mesh(7), "Mesh source path vertices faces"),
    "mesh nan": (lambda: pl.Mesh(([(NAN, 0, 0), *VERTICES[1:]], FACES)), "Mesh vertices finite"),
    "mesh without faces": (lambda: pl.Mesh((VERTICES, np.zeros((0, 3), int))), "Mesh faces 1 or more by 3 numbers"),
    "mesh without vertices": (lambda: pl.Mesh(([], FACES)), "Mesh vertices 1 or more by 3 numbers"),
    "mesh of pairs": (lambda: pl.Mesh(([(0, 0), (1, 0)], FACES)), "Mesh vertices 1 or more by 3 numbers"),
    "mesh of quads": (lambda: pl.Mesh((VERTICES, [(0, 1, 2, 3)])), "Mesh faces 1 or more by 3 numbers"),
    "mesh of fractions": (lambda: pl.Mesh((VERTICES, [(0, 0.5, 1)])), "Mesh faces 0 to 3"),
    "mesh of three": (lambda: pl.Mesh((VERTICES, FACES, 1)), "Mesh source path vertices faces"),
    "mesh too small": (lambda: pl.Mesh((VERTICES, FACES), scale=1e-20), "Mesh largest extent 1e-20 m at least 1e-09 m"),
    "mesh too large": (lambda: pl.Mesh((VERTICES, FACES), scale=1e99), "Mesh largest extent 1e+99 m below 1e+30 m"),
    "sphere too large": (lambda: pl.Sphere(1e90), "Sphere radius 1e+90 m below 1e+30 m"),
    "mesh faces": (lambda: pl.Mesh((VERTICES, [(0, 1, 9)])), "Mesh faces 0 to 3"),
    "field flat": (lambda: pl.HeightField([1, 2, 3], (1, 1)), "HeightField heights 2 by 2"),
    "field nan": (lambda: pl.HeightField([[0, NAN], [0, 0]], (1, 1)), "HeightField heights finite"),
    "field words": (lambda: pl.HeightField("hill", (1, 1)), "HeightField heights numbers"),
    "field size": (lambda: pl.HeightField(np.zeros((2, 2)), (1, 0)), "HeightField size positive"),
    "placed": (lambda: pl.Placed("box"), "Placed shape Box Sphere"),
    # bodies
    "negative mass": (lambda: body(mass=-1.0), "Body 'b' mass positive"),
    "zero mass": (lambda: body(mass=0.0), "Body 'b' mass positive"),
    "mass nan": (lambda: body(mass=NAN), "Body 'b' mass finite"),
    "density": (lambda: body(density=0), "Body 'b' density positive"),
    "mass and density": (lambda: body(mass=1, density=1), "Body 'b' mass density one"),
    "position": (lambda: body(position=(0, NAN, 0)), "Body 'b' position finite"),
    "position short": (lambda: body(position=(0, 0)), "Body 'b' position 3 numbers"),
    "quaternion": (lambda: body(quaternion=(1, 1, 0, 0)), "Body 'b' quaternion unit"),
    "velocity": (lambda: body(velocity="fast"), "Body 'b' velocity 3 numbers"),
    "angular velocity": (lambda: body(angular_velocity=(math.inf, 0, 0)), "Body 'b' angular_velocity finite"),
    "friction": (lambda: body(friction=-0.1), "Body 'b' friction zero or more"),
    "restitution": (lambda: body(restitution=1.5), "Body 'b' restitution at most 1"),
    "color": (lambda: body(color=(1, 2)), "Body 'b' color 3 numbers"),
    "color range": (lambda: body(color=(255, 0, 0)), "Body 'b' color each from 0 to 1"),
    "far away": (lambda: body(position=(0, 1e200, 0)), "Body 'b' position below 1e+30"),
    "too heavy": (lambda: body(mass=1e300), "Body 'b' mass at most 1e+30 kg"),
    "inertia scalar": (lambda: body(inertia=np.array(1.0)), "Body 'b' inertia 3 numbers"),
    "unprintable name": (lambda: body(name="a\nb"), "Body name 'a\\nb' word"),
    "centre": (lambda: body(center_of_mass=(0, 0)), "Body 'b' center_of_mass 3 numbers"),
    "inertia": (lambda: body(inertia=(1, 1, -1)), "Body 'b' inertia positive definite"),
    "inertia count": (lambda: body(inertia=(1, 1)), "Body 'b' inertia 3 numbers"),
    "shape": (lambda: body(shape="ball"), "Body 'b' shape Box Sphere"),
    "no shapes": (lambda: body(shape=[]), "Body 'b' shape Placed"),
    "fixed and motion": (lambda: body(fixed=True, motion=pl.Motion([0, 1], [(0, 0, 0)] * 2)), "Body 'b' fixed motion one"),
    "loose terrain": (lambda: body(shape=pl.HeightField(np.zeros((2, 2)), (1, 1))), "Body 'b' HeightField fixed=True"),
    "empty name": (lambda: body(name=" "), "Body name word"),
    "name world": (lambda: body(name="world"), "Body 'world' choose another"),
    "ground normal": (lambda: pl.Ground(normal=(0, 0, 0)), "Ground 'ground' normal point somewhere"),
    "ground height": (lambda: pl.Ground(height=NAN), "Ground 'ground' height finite"),
    "ground friction": (lambda: pl.Ground(friction=-1), "Ground 'ground' friction zero or more"),
    "ground restitution": (lambda: pl.Ground(restitution=2), "Ground 'ground' restitution at most 1"),
    "site": (lambda: pl.Site("s", "b", position=(0, 0)), "Site 's' position 3 numbers"),
    # joints
    "joint to itself": (lambda: hinge(parent="b"), "Revolute 'h' parent child 'b' two bodies"),
    "axis": (lambda: hinge(axis=(0, 0, 0)), "Revolute 'h' axis point somewhere"),
    "anchor": (lambda: hinge(anchor=(0, 0, NAN)), "Revolute 'h' anchor finite"),
    "limits order": (lambda: hinge(limits=(1, -1)), "Revolute 'h' limits low high"),
    "limits shape": (lambda: hinge(limits=3), "Revolute 'h' limits pair"),
    "limits nan": (lambda: hinge(limits=(NAN, 1)), "Revolute 'h' limits finite"),
    "joint friction": (lambda: hinge(friction=-1), "Revolute 'h' friction zero or more"),
    "joint damping": (lambda: hinge(damping=NAN), "Revolute 'h' damping finite"),
    "reaction friction": (lambda: hinge(reaction_friction=-1), "Revolute 'h' reaction_friction zero or more"),
    "motor": (lambda: hinge(motor="strong"), "Revolute 'h' motor VelocityMotor PositionMotor DCMotor"),
    "fixed limits": (lambda: pl.Fixed("f", pl.WORLD, "b", limits=(0, 1)), "Fixed 'f' limits leave out"),
    "fixed friction": (lambda: pl.Fixed("f", pl.WORLD, "b", friction=1), "Fixed 'f' friction zero"),
    "fixed motor": (lambda: pl.Fixed("f", pl.WORLD, "b", motor=pl.VelocityMotor(1, 1)), "Fixed 'f' leave motor out"),
    "ball motor": (lambda: pl.Spherical("s", pl.WORLD, "b", motor=pl.VelocityMotor(1, 1)), "Spherical 's' leave motor out"),
    "axis2": (lambda: pl.Universal("u", pl.WORLD, "b", axis=(0, 0, 1), axis2=(0, 1, 1)), "Universal 'u' axis2 right angles"),
    "latch at": (lambda: pl.Latch("l", "h", at=NAN, hold=1), "Latch 'l' at finite"),
    "latch hold": (lambda: pl.Latch("l", "h", at=0, hold=0), "Latch 'l' hold positive"),
    # motors
    "velocity effort": (lambda: pl.VelocityMotor(1, -1), "VelocityMotor max_effort zero or more"),
    "velocity target": (lambda: pl.VelocityMotor(NAN, 1), "VelocityMotor target finite"),
    "velocity list": (lambda: pl.VelocityMotor([1, 2], 1), "VelocityMotor target number"),
    "velocity weights": (lambda: pl.VelocityMotor({"throttle": "much"}, 1), "VelocityMotor target throttle number"),
    "position stiffness": (lambda: pl.PositionMotor(0, -1, 0), "PositionMotor stiffness zero or more"),
    "position damping": (lambda: pl.PositionMotor(0, 1, NAN), "PositionMotor damping finite"),
    "position effort": (lambda: pl.PositionMotor(0, 1, 1, max_effort=-2), "PositionMotor max_effort zero or more"),
    "dc k_t": (lambda: dc(k_t=0), "DCMotor k_t positive"),
    "dc k_e": (lambda: dc(k_e=-1), "DCMotor k_e zero or more"),
    "dc resistance": (lambda: dc(resistance=0), "DCMotor resistance positive"),
    "dc voltage": (lambda: dc(max_voltage=-1), "DCMotor max_voltage zero or more"),
    "dc gear": (lambda: dc(gear=0), "DCMotor gear positive"),
    "dc huge gear": (lambda: dc(gear=1e200), "DCMotor gear at most 1e+30"),
    "dc inertia": (lambda: dc(inertia=-1), "DCMotor inertia zero or more"),
    # springs
    "spring to itself": (lambda: pl.Spring("s", "b", "b", stiffness=1), "Spring 's' 'b' two bodies"),
    "spring stiffness": (lambda: pl.Spring("s", "a", "b", stiffness=-1), "Spring 's' stiffness zero or more"),
    "spring nothing": (lambda: pl.Spring("s", "a", "b"), "Spring 's' stiffness damping give one"),
    "spring length": (lambda: pl.Spring("s", "a", "b", stiffness=1, rest_length=-1), "Spring 's' rest_length zero or more"),
    "spring far": (lambda: pl.Spring("s", "a", "b", stiffness=1, at_a=(1e200, 0, 0)), "Spring 's' at_a below 1e+30"),
    "spring at": (lambda: pl.Spring("s", "a", "b", stiffness=1, at_a=(1,)), "Spring 's' at_a 3 numbers"),
    "joint spring": (lambda: pl.JointSpring("s", "h"), "JointSpring 's' stiffness damping give one"),
    "joint spring damping": (lambda: pl.JointSpring("s", "h", damping=-1), "JointSpring 's' damping zero or more"),
    "joint spring rest": (lambda: pl.JointSpring("s", "h", stiffness=1, rest=NAN), "JointSpring 's' rest finite"),
    "joint spring back": (lambda: pl.JointSpring("s", "h", 1, coordinate=-1), "JointSpring 's' coordinate -1 0, 1 or 2"),
    "joint spring half": (lambda: pl.JointSpring("s", "h", 1, coordinate=0.5), "JointSpring 's' coordinate 0.5 0, 1 or 2"),
    "joint spring word": (lambda: pl.JointSpring("s", "h", 1, coordinate="x"), "JointSpring 's' coordinate 'x' 0, 1 or 2"),
    # motions, controls, loads, scene
    "motion times": (lambda: pl.Motion([0, 0], [(0, 0, 0)] * 2), "Motion times grow"),
    "motion one": (lambda: pl.Motion([0], [(0, 0, 0)]), "Motion times 2 or more numbers"),
    "motion rows": (lambda: pl.Motion([0, 1], [(0, 0, 0)]), "Motion positions 1 rows 2 times"),
    "motion nan": (lambda: pl.Motion([0, 1], [(0, 0, 0), (0, NAN, 0)]), "Motion positions finite"),
    "motion width": (lambda: pl.Motion([0, 1], rotations=[(0, 0)] * 2), "Motion rotations 3 numbers"),
    "motion empty": (lambda: pl.Motion([0, 1]), "Motion positions rotations"),
    "motion both": (lambda: pl.Motion(lambda t: t, positions=[(0, 0, 0)]), "Motion function positions"),
    "control order": (lambda: pl.Control("c", 1, 0), "Control 'c' low high below"),
    "control value": (lambda: pl.Control("c", 0, 1, value=2), "Control 'c' value at most 1"),
    "control keys": (lambda: pl.Control("c", keys=3), "Control 'c' keys two keys"),
    "control one key": (lambda: pl.Control("c", keys=("a",)), "Control 'c' keys two keys"),
    "control word of keys": (lambda: pl.Control("c", keys="ad"), "Control 'c' keys two keys"),
    "control unit": (lambda: pl.Control("c", unit=3), "Control 'c' unit word"),
    "load force": (lambda: pl.Load("l", "b", force=(1, 2)), "Load 'l' force 3 numbers"),
    "load torque": (lambda: pl.Load("l", "b", torque=(0, 0, NAN)), "Load 'l' torque finite"),
    "gravity word": (lambda: pl.Scene(gravity="123"), "Scene gravity 3 numbers"),
    "gravity set": (lambda: setattr(pl.Scene(), "gravity", "x"), "Scene gravity 'x' 3 numbers"),
    "drag set": (lambda: setattr(pl.Scene(), "drag", -1), "Scene drag zero or more"),
    "no such field": (lambda: setattr(pl.Scene(), "gravty", (0, 0, 0)), "Scene 'gravty' gravity drag about"),
    "load nothing": (lambda: pl.load(None), "load None scout"),
    "no place": (lambda: pl.Site("s", "s"), "Site 's' body itself"),
    "parent": (lambda: hinge(parent=None), "Revolute 'h' parent None"),
    "item": (lambda: pl.Scene()[[1]], "Scene the thing asked for [1] name"),
    "asset": (lambda: pl.asset(10**400), "asset 1000 scout.urdf"),
    "link": (lambda: pl.Robot.from_urdf("scout.urdf")[["hitch"]], "Robot 'scout' ['hitch'] Did you mean 'hitch'?"),
    "truth": (lambda: body(fixed="no"), "Body 'b' fixed 'no' True False"),
    "set for a vector": (lambda: body(position={1, 2, 3}), "Body 'b' position 3 numbers"),
    "long array": (lambda: body(position=np.zeros((100, 3))), "Body 'b' position 3 numbers …"),
    "gravity": (lambda: pl.Scene(gravity=9.81), "Scene gravity 3 numbers"),
    "drag": (lambda: pl.Scene(drag=-1), "Scene drag zero or more"),
    "replace": (lambda: body().replace(mass=-1), "Body 'b' mass positive"),
    "replace unknown": (lambda: body().replace(weight=1), "Body weight"),
}


def check(action, words: str) -> None:
    with pytest.raises(pl.SceneError) as caught:
        action()
    text = str(caught.value)
    missing = [w for w in words.split() if w not in text]
    assert not missing, f"{missing} not in: {text}"
    assert "\n" not in text and text.endswith((".", "?", "…")), f"one sentence, with its full stop: {text}"


@pytest.mark.parametrize("case", NOUNS)
def test_nouns(case):
    check(*NOUNS[case])


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
    "no such coordinate": ([hinge(), pl.JointSpring("s", "h", stiffness=1, coordinate=1)], "JointSpring 's' coordinate 1 'h'"),
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
    with pytest.raises(pl.SceneError, match=r"Body 'm'.*0\.1.*finite"):
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
