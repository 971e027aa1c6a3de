"""Anything in any field of any noun, in Python and in files, is taken or refused by a SceneError. Oracle: no other exception.

What is taken is compiled in a scene beside other things, so that references and sizes are met too.
"""

import math
import random
import re
import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main as cli
from pliant.compile.compiler import compile_scene
from pliant.scene.files.built_in import ASSETS, SCENES
from pliant.scene.files.registry import nouns
from pliant.scene.thing import Thing

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
JOINTS = ("Revolute", "Prismatic", "Spherical", "Universal", "Cylindrical", "Fixed")

SOUND: dict[str, dict] = {
    "Attachment": {"name": "t", "a": "line.end", "b": "box"}, "Pin": {"name": "t", "what": "box"},
    "Body": {"name": "t", "shape": pl.Sphere(0.1)}, "Ground": {"name": "t"}, "Site": {"name": "t", "body": "box"},
    "Cloth": {"name": "t", "mesh": pl.Sheet(0.2, 0.2, 0.1), "thickness": 1e-3}, "Sheet": {"x": 0.2, "y": 0.2, "spacing": 0.1},
    "Wind": {"name": "t", "velocity": (1, 0, 0)}, "Control": {"name": "t"}, "Load": {"name": "t", "on": "box"},
    "Latch": {"name": "t", "joint": "hinge", "at": 0.0, "hold": 1.0}, "Material": {"density": 1e3, "young": 1e5},
    "JointSpring": {"name": "t", "joint": "hinge", "stiffness": 1.0},
    "Spring": {"name": "t", "a": "box", "b": "arm", "damping": 1},
    "Motion": {"times": [0, 1], "positions": [(0, 0, 0), (0, 0, 1)]}, "VelocityMotor": {"target": 1.0, "max_effort": 1.0},
    "DCMotor": {"voltage": 1.0, "k_t": 0.1, "k_e": 0.1, "resistance": 1.0, "max_voltage": 12.0},
    "PositionMotor": {"target": 1.0, "stiffness": 1.0, "damping": 1.0}, "FreeFormPatch": {"triangle": CORNERS[:3]},
    "PatchMesh": {"vertices": CORNERS, "faces": FACES}, "Quadric": {"matrix": np.diag([-1.0, -1, -1, 1]), "amplitude": 0.01},
    "Robot": {"name": "t", "path": "scout.urdf"}, "Solid": {"name": "t", "mesh": pl.Box(0.2, 0.2, 0.2), "spacing": 0.1},
    "Rope": {"name": "t", "path": [(5, 0, 1), (6, 0, 1)], "points": 5, "radius": 0.01, "mass": 0.1, "bend": "limp",
             "twist": "limp"},
    "Box": {"x": 1.0, "y": 1.0, "z": 1.0}, "Sphere": {"radius": 1.0}, "Capsule": {"radius": 1.0, "length": 1.0},
    "Cylinder": {"radius": 1.0, "length": 1.0}, "Mesh": {"source": (CORNERS, FACES)}, "Placed": {"shape": pl.Sphere(1)},
    "HeightField": {"heights": np.zeros((3, 3)), "size": (1, 1)},
    **{name: {"name": "t", "parent": "world", "child": "box"} for name in JOINTS},
}
ODD = [
    None, True, "x", "", "\0", "world", "t", "box", "line@0.5", "line@nan", "rag[0-999]", "a" * 5000, -1, 0, 2, 10**400,
    math.nan, math.inf, 1e308, 1e-308, 1e29, 1j, [], {}, [1, 2, 3], [math.nan] * 3, [1e308] * 3, [0, 0, 0],
    ["a", None, 1], [[1, 2], [3]],
    [[math.nan] * 3] * 2, [[]], [10**400] * 3, {"go": math.nan}, {1: 2}, b"x", object(), len, np.zeros((0, 3)),
    np.zeros((3, 3)), np.array([]), np.array(["a"]), np.ones((2, 3), complex), np.ma.masked, pl.Box(1, 1, 1), pl.Material(1, 1),
    [pl.Sphere(1)],
    pl.PatchMesh(CORNERS, FACES), pl.Scene(), pl.Body, range(3), "jacobi", "material", "/", "/etc/passwd",
]


def hosted(thing) -> pl.Scene:
    """A scene that holds a noun, by itself or in what it is a part of."""
    scene = pl.Scene()
    scene.add(pl.Control("go"))
    scene.add(pl.Body("box", pl.Box(1, 1, 1), mass=1.0))
    scene.add(pl.Body("arm", pl.Sphere(0.1), position=(3, 0, 0)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "arm"))
    scene.add(pl.Rope("line", path=[(0, 0, 3), (0, 0, 0.5)], points=5, radius=0.01, mass=0.1, bend="limp", twist="limp"))
    scene.add(pl.Cloth("rag", pl.Sheet(0.2, 0.2, 0.1), thickness=1e-3, position=(9, 9, 9)))
    if isinstance(thing, Thing):
        scene.add(thing)
    elif isinstance(thing, (pl.Box, pl.Sphere, pl.Capsule, pl.Cylinder, pl.Mesh)):
        scene.add(pl.Body("t", thing))
    elif isinstance(thing, pl.HeightField):
        scene.add(pl.Body("t", thing, fixed=True))
    elif isinstance(thing, pl.Placed):
        scene.add(pl.Body("t", [thing]))
    elif isinstance(thing, (pl.Sheet, pl.PatchMesh)):
        scene.add(pl.Cloth("t", thing, thickness=1e-3))
    elif isinstance(thing, pl.Material):
        scene.add(pl.Cloth("t", pl.Sheet(0.2, 0.2, 0.1), thickness=1e-3, material=thing))
        scene.add(pl.Rope("u", path=[(5, 0, 1), (6, 0, 1)], points=5, radius=0.01, material=thing))
    elif isinstance(thing, pl.Motion):
        scene.add(pl.Body("t", pl.Sphere(0.1), motion=thing))
    elif isinstance(thing, (pl.VelocityMotor, pl.PositionMotor, pl.DCMotor)):
        scene.add(pl.Revolute("t", pl.WORLD, "box", motor=thing))
    return scene


def test_what_cannot_be_solved_says_so_and_keeps_the_state():
    """Triangles of 0.1 m by 1 nm: along their width the stiffness is 1e16 times what it is along their length."""
    scene = pl.Scene()
    scene.add(pl.Cloth("thin", pl.Sheet(0.2, 1e-9, 0.1), thickness=1e-3))
    world = pl.World(scene)
    before = world.hash()
    with pytest.raises(pl.SceneError, match=r"cannot be solved \('thin'\).*take a softer material"):
        world.step()
    assert world.hash() == before and world.time == 0.0


def test_every_noun_is_tried():
    assert set(SOUND) == set(nouns())


@pytest.mark.parametrize("name", SOUND)
def test_anything_in_any_field(name):
    cls, wrong = nouns()[name], []
    compile_scene(hosted(cls(**SOUND[name])))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for field in cls.__struct_fields__:
            for odd in ODD:
                try:
                    compile_scene(hosted(cls(**{**SOUND[name], field: odd})))
                except pl.SceneError as error:
                    if len(str(error)) > 6000 or not str(error).isprintable():
                        wrong.append(f"{field} = {odd!r:.60}: a message that is no sentence")
                except Exception as error:
                    wrong.append(f"{field} = {odd!r:.60}: {type(error).__name__}: {error!s:.80}")
    assert not wrong, "\n".join(wrong)


def put(name: str, field: str):
    """Assign to a field of a thing of a world."""
    return lambda world, odd: setattr(world[name], field, odd)


CALLS = {
    "world[…]": lambda world, odd: world[odd], "control[…]": lambda world, odd: world.control[odd],
    "control value": lambda world, odd: world.control.__setitem__("go", odd),
    "del control[…]": lambda world, odd: world.control.__delitem__(odd), "detach": lambda world, odd: world.detach(odd),
    "push what": lambda world, odd: world.apply_force(odd, (0, 0, 1)),
    "push force": lambda world, odd: world.apply_force("box", odd),
    "push at": lambda world, odd: world.apply_force("box", (0, 0, 1), at=odd),
    "grab what": lambda world, odd: world.grab(odd, (9, 9, 9)), "grab at": lambda world, odd: world.grab("rag", odd),
    "grab by": lambda world, odd: world.grab("rag", (9, 9, 9), odd),
    "each": lambda world, odd: None if callable(odd) else world.run(0.0, each=odd),
    "restore": lambda world, odd: pl.World.restore(odd), "load": lambda world, odd: pl.load(odd),
    "asset": lambda world, odd: pl.asset(odd), "attach": lambda world, odd: pl.Scene().attach(odd, "box"),
    "pin": lambda world, odd: pl.Scene().pin(odd), "add": lambda world, odd: pl.Scene().add(odd),
    "gravity": lambda world, odd: pl.Scene(gravity=odd), "substeps": lambda world, odd: pl.World(pl.Scene(), substeps=odd),
    "threads": lambda world, odd: pl.World(pl.Scene(), threads=odd), "dt": lambda world, odd: pl.World(pl.Scene(), dt=odd),
    "at": lambda world, odd: world.scene["line"].at(odd), "power": lambda world, odd: pl.paper_a_stiffness("steel", 0.1, odd),
    "sphere": lambda world, odd: pl.PatchMesh.sphere(0.1, odd), "from_mesh": lambda world, odd: pl.PatchMesh.from_mesh(odd),
    "from_cells": lambda world, odd: pl.PatchMesh.from_cells(CORNERS, odd),
    "from_patches": lambda world, odd: pl.PatchMesh.from_patches(odd),
    "ellipsoid": lambda world, odd: pl.Quadric.ellipsoid((0, 0, 0), odd, 0.1),
    "volume": lambda world, odd: pl.PatchMesh(CORNERS, FACES).volume(odd),
    "cast": lambda world, odd: pl.PatchMesh(CORNERS, FACES).cast(odd, [(0, 0, 1)]),
    **{f"{name}.{field}": put(name, field) for name, field in (
        ("box", "position"), ("box", "quaternion"), ("box", "velocity"), ("line", "positions"), ("line", "velocities"),
        ("rag", "positions"), ("rag", "velocities"))},
}


@pytest.mark.parametrize("call", CALLS)
def test_anything_handed_to_a_world(call):
    world, wrong = pl.World(hosted(None)), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for odd in ODD:
            try:
                CALLS[call](world, odd)
            except pl.SceneError as error:
                if not str(error).isprintable():
                    wrong.append(f"{odd!r:.60}: a message that is no sentence")
            except Exception as error:
                wrong.append(f"{odd!r:.60}: {type(error).__name__}: {error!s:.80}")
    assert not wrong, "\n".join(wrong)


def test_a_view_of_no_world_is_refused():
    with pytest.raises(pl.SceneError, match="view: world is None; give a World"):
        pl.view(None, block=False, open=False)


WORDS = ["null", "true", "-1", "0", "1", ".nan", ".inf", "1e308", "1e-308", "[]", "{}", "''", "x", "[1, 2]", "[1, 2, 3]",
         "[.nan, 0, 0]", "[[1, 2, 3]]", "{a: 1}", "{type: Box, x: 1, y: 1, z: 1}", "{type: Ground}", "{array: x}", "world",
         "*a", "{", "]", "'", "\t", "!!set {a}", "2020-01-01", "- 1", "9" * 40, "|", ":"]
TEXTS = ["", "x", "nan", "inf", "-1", "0", "1e308", "1 2", "1 2 3", "1 2 3 4", "a b", "1e-320", "9" * 400, "throttle:1",
         "throttle:x"]


def mangled(text: str, pattern: str, words: list[str], rng: random.Random) -> str:
    """A text with one of its values replaced, or a line left out, or cut short."""
    kind = rng.random()
    if kind < 0.1:
        return text[:rng.randrange(len(text))]
    if kind < 0.2:
        lines = text.split("\n")
        del lines[rng.randrange(len(lines))]
        return "\n".join(lines)
    spot = rng.choice(list(re.finditer(pattern, text)))
    return text[:spot.start()] + rng.choice(words) + text[spot.end():]


@pytest.mark.parametrize("seed", range(4))
def test_check_answers_every_file_with_a_sentence_and_code_0_or_2(seed, tmp_path, capsys):
    """Built-in scenes and robots with a value replaced, a line left out, or cut short."""
    rng = random.Random(seed)
    robot, scene = tmp_path / "robot.urdf", tmp_path / "scene.yaml"
    for name in ("tow-ground.npz", "rough-ground.npz"):
        (tmp_path / name).write_bytes((SCENES / name).read_bytes())
    for _ in range(40):
        if rng.random() < 0.3:
            text = rng.choice(sorted(ASSETS.glob("*.urdf"))).read_text()
            robot.write_text(mangled(text, r'(?<==")[^"]*(?=")', TEXTS, rng))
            scene.write_text(f"pliant: 1\nthings:\n- {{type: Ground}}\n- {{type: Robot, name: r, path: {robot}}}\n")
        else:
            name = rng.choice(["door", "gripper", "oscillator", "tow", "swing", "cable", "helix", "flag", "jelly", "scout"])
            pattern = r"(?<=: )([^,{}\[\]\n]+|\[[^\[\]]*\]|\{[^{}]*\})"
            scene.write_text(mangled((SCENES / f"{name}.yaml").read_text(), pattern, WORDS, rng))
        code = cli.main(["check", str(scene)])
        said = capsys.readouterr().err
        assert code in (0, 2) and said.count("\n") == (1 if code else 0), f"{said}\n{scene.read_text()}"
