"""Scene files give back what was written, bit for bit. Oracle: the fields of the things that went in."""

import struct
from pathlib import Path

import msgspec
import numpy as np
import pytest

import pliant as pl
from pliant.scene.cloth import Cloth, Sheet, Wind
from pliant.scene.files.decode import Place, noun
from pliant.scene.files.encode import Encoder
from pliant.scene.files.registry import nouns
from pliant.scene.files.scene_file import load, write_scene
from pliant.scene.files.text import format_text, read_text
from pliant.scene.patch import FreeFormPatch, PatchMesh, Quadric
from pliant.scene.robot import Robot
from pliant.scene.solid import Solid
from pliant.scene.thing import Part

RICH = Path(__file__).parent / "data" / "rich.urdf"
THIRD = 1.0 / 3.0
TINY = 1.0000000000000002e-30
UGLY = (0.1 + 0.2, -0.0, 1.7976931348623157e29)
TURN = (0.5, 0.5, -0.5, 0.5)


def same(a, b) -> bool:
    """Equal to the bit: type, sign of zero, dtype, shape."""
    if type(a) is not type(b):
        return False
    if isinstance(a, Part):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in msgspec.structs.fields(type(a)))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, float):
        return struct.pack("d", a) == struct.pack("d", b)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return a == b


def everything(folder) -> pl.Scene:
    """A scene with every noun there is, and numbers that are easy to get wrong."""
    random = np.random.default_rng(7)
    scene = pl.Scene(gravity=(-0.0, THIRD, -9.81), drag=TINY)
    small = pl.Motion([0.0, THIRD], rotations=[(0.0, 0.0, 0.0), (0.0, -0.0, 20.0)], loop=True)
    add_bodies(scene, folder, small, random)
    add_joints(scene)
    add_ropes(scene, small, random)
    add_soft(scene, small)
    return scene


def add_bodies(scene: pl.Scene, folder, motion: pl.Motion, random) -> None:
    """Bodies of all shapes, still, moved and loose, and what acts on them."""
    scene.add(pl.Ground("floor: #1", friction=1e-5, height=-0.0, normal=(0.1, -0.2, 0.97)))
    scene.add(
        pl.Body("on", pl.Box(THIRD, 1e-7, 1e5), mass=0.1, position=UGLY, velocity=(1e-310, 2.0, 3.0), quaternion=TURN)
    )
    scene.add(pl.Body("1e5", pl.Sphere(0.1), density=7800.0, color=(0.0, THIRD, 1.0), center_of_mass=(-0.0, 0.0, 0.0)))
    scene.add(pl.Body("null", pl.Capsule(0.1, THIRD), inertia=(1.0, THIRD, 2.0, -0.0, 1e-3, 0.0), collide=False))
    table = pl.Motion(np.linspace(0.0, 1.0, 40), positions=random.normal(size=(40, 3)), smooth=True)
    scene.add(pl.Body("ünï", pl.Cylinder(0.1, 0.2), motion=table))
    scene.add(pl.Body("no", pl.Sphere(1.0), motion=motion, friction=0.5000000000000001))
    scene.add(pl.Body("terrain", pl.HeightField(random.normal(size=(9, 8)), (8.0, THIRD)), fixed=True))
    corners = np.array([(0.0, 0, 0), (1, 0, 0), (0, THIRD, 0), (0, 0, 1)])
    faces = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    scene.add(pl.Body("tetrahedron", pl.Mesh((corners, faces), scale=0.1)))
    scene.add(pl.Body("bowl", pl.Mesh(str(folder / "meshes" / "bowl.stl"))))
    scene.add(pl.Body("far", pl.Mesh("/elsewhere/bowl.stl", scale=(1.0, -THIRD, 2.0))))
    dumbbell = (pl.Placed(pl.Sphere(0.1), position=(0.0, 0.0, THIRD)), pl.Placed(pl.Box(1, 2, 3), quaternion=TURN))
    scene.add(pl.Body("dumbbell", dumbbell))
    scene.add(pl.Site("eye", "on", position=UGLY, quaternion=TURN))
    scene.add(pl.Control("throttle", low=-0.1, high=1.0, value=THIRD, unit="m/s", keys=("s", "w")))
    scene.add(pl.Load("push", "on", force=(0.1, -0.0, 1.7976931348623157e29), torque=(TINY, 0.0, 0.0), follow=True))


def add_joints(scene: pl.Scene) -> None:
    """Joints of all kinds with all motors, springs, a latch and a robot."""
    inf = float("inf")
    motor = pl.VelocityMotor({"throttle": 12, "steering": -0.1}, inf)
    scene.add(pl.Revolute("hinge", "on", "no", anchor=(0.1, 0.2, -0.0), axis=(1, 2, 3), limits=(-inf, THIRD), motor=motor))
    scene.add(pl.Prismatic("slide", pl.WORLD, "on", motor=pl.PositionMotor("throttle", 1e5, 0.0), friction=0.1))
    scene.add(pl.Cylindrical("sleeve", "on", "1e5", motor=pl.DCMotor(12, 0.1, 0.1, 1e-3, 24, gear=THIRD, inertia=1e-5)))
    scene.add(pl.Spherical("ball", "on", "null", limits=(0.0, 1.0), reaction_friction=1e-3, collide=True))
    scene.add(pl.Universal("cross", "on", "null", axis=(0, 0, 1), axis2=(1, 0, 0), damping=THIRD))
    scene.add(pl.Fixed("weld", "on", "dumbbell"))
    scene.add(pl.Latch("catch", "hinge", at=-0.0, hold=inf))
    scene.add(pl.Spring("tether", "on", "no", stiffness=1e300, damping=TINY, rest_length=0.0, at_a=UGLY, at_b=(0.0, -0.0, 0.0)))
    scene.add(pl.JointSpring("torsion", "hinge", stiffness=0.1, rest=-0.0, coordinate=0))
    joint = next(
        part.name.partition("/")[2] for part in Robot("probe", str(RICH)).parts() if isinstance(part, pl.Revolute)
    )
    scene.add(Robot("robot", str(RICH), position=(0.0, 5.0, THIRD), motors={joint: pl.VelocityMotor(0.1, THIRD)}))


def add_ropes(scene: pl.Scene, motion: pl.Motion, random) -> None:
    """Ropes in every way of giving their numbers, and what holds them."""
    inf, arcs = float("inf"), np.array([0.0, THIRD, 0.5, 1.0])
    stuff = pl.Material(7850.0, 2e11, shear=8e10)
    tow = scene.add(pl.Rope("tow", [(0, 0, -0.0), (1, 0, 0)], arcs, 1e-3, stuff, stretch=[1e3, inf, THIRD], shear="material",
                            bend=(0.1, 0.2), twist=[0.0, 0.1, TINY], rest=(0.1, -0.0, THIRD), normal=(0, 1, -0.0)))
    long = np.cumsum(0.1 + random.random((60, 3)), axis=0)
    scene.add(pl.Rope("string", [(9, 9, 1), (9, 9, 2)], 4, 0.01, mass=0.1, bend="limp", twist="limp"))
    scene.add(pl.Rope("long", long, 61, 0.01, "steel rope", length=np.linspace(0.0, 100.0, 60), bend=random.random((60, 2)),
                      rest=random.normal(size=(59, 3)), damping=1e-3, break_tension=1e4, self_contact=False))
    scene.add(pl.Rope("plain", [(0, 0, 0), (0, 0, -1)], 3, 0.01, mass=THIRD, stretch=1e5, shear=1e4, bend=0.1, twist=0.2,
                      length=1.1, method="compliant", friction=0.0, collide=False, color=(0.0, THIRD, 1.0)))
    ring = [(np.cos(a), np.sin(a), 0.0) for a in np.linspace(0.0, 5.5, 8)]
    foam = pl.Material(1.0, 2.0, poisson=THIRD)
    scene.add(pl.Rope("ring", ring, 8, 0.01, foam, rest="path", closed=True, closure_twist=-0.0))
    scene.add(pl.Attachment("fore", tow.end, "on", at=(0.1, -0.0, THIRD), clamp=True))
    scene.add(pl.Pin("aft", tow.start, position=UGLY, clamp=True, motion=motion))
    scene.pin(tow.at(THIRD), slide=(1, 2, 3), name="ring on a rail")


def add_soft(scene: pl.Scene, motion: pl.Motion) -> None:
    """Cloth and solids in every way of giving their meshes, and what acts on them."""
    flag = scene.add(Cloth("flag", Sheet(THIRD, 0.2, 0.1), 1e-3, bend=0.0, position=UGLY, color=(0.0, THIRD, 1.0)))
    points, faces = Sheet(1.0, THIRD, 0.1).triangles()
    scene.add(Cloth("cotton sheet", (points, faces), THIRD, "silicone", self_contact=False, method="jacobi", iterations=3))
    scene.add(Cloth("balloon", PatchMesh.sphere(THIRD), 1e-3, pressure=-0.1, velocity=(-0.0, THIRD, 0.0)))
    corners = ((0.0, -0.0, 0.0), (1.0, 0.0, 0.0), (0.0, THIRD, 0.0), (0.0, 0.0, 0.1))
    scene.add(Solid("cell", corners, ((0, 1, 2, 3),), pl.Material(1.0, 2.0, poisson=THIRD), strain=(0.9, 1.1), volume=THIRD))
    cube = scene.add(Solid("cube", pl.Box(0.2, 0.2, 0.2), spacing=0.1, strain=1e3))
    scene.add(Solid("two examples", cube.rest, cube.filling.cells, examples=(1.1 * cube.rest, THIRD * cube.rest),
                    example_stiffness=0.1))
    scene.pin(flag.vertices([0, 1, 2]), motion=motion, name="flag's pin")
    scene.add(pl.Load("soft push", cube.vertices(((0, 0, 0), (1, 1, 1))), force=(0.0, 0.0, THIRD)))
    scene.add(Wind("wind", UGLY, gust=0.1, scale={"power": -0.5}))


def loose_parts() -> list[Part]:
    """Nouns that no thing of a scene has a field for yet."""
    corners = ((0.0, 0, 0), (1, 0, 0), (0, THIRD, -0.0))
    bump = Quadric.ellipsoid((0.1, THIRD, -0.0), (0.2, float("inf"), 0.3), -1e-3)
    ball = PatchMesh.sphere(THIRD, 80)
    shared = PatchMesh((*corners, (0.0, 0.0, 1.0)), ((0, 1, 2), (0, 3, 1)), (bump, bump), shares=((0, 1), ()))
    return [bump, FreeFormPatch(corners, (bump,), apex=(0.0, 0.0, -THIRD)), ball, shared]


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_a_scene_survives_a_file_bit_for_bit(tmp_path, suffix):
    scene = everything(tmp_path)
    scene.to_file(tmp_path / f"all{suffix}")
    again = load(tmp_path / f"all{suffix}")
    assert same(again.gravity, scene.gravity) and same(again.drag, scene.drag)
    assert [t.name for t in again] == [t.name for t in scene]
    for before, after in zip(scene, again, strict=True):
        for field in msgspec.structs.fields(type(before)):
            old, new = getattr(before, field.name), getattr(after, field.name)
            assert same(old, new), f"{before.name}.{field.name}: {old!r} became {new!r}"


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_parts_survive_text_bit_for_bit(tmp_path, suffix):
    """Also those that stand in no thing yet, by the same words and arrays."""
    encoder = Encoder(tmp_path, suffix == ".json")
    content = [encoder.noun(part, f"part {k}") for k, part in enumerate(loose_parts())]
    path = tmp_path / f"parts{suffix}"
    path.write_text(format_text({"parts": content}, suffix))
    place = Place(path, "", None, encoder.arrays)
    again = [noun(one, nouns(), place) for one in read_text(path)["parts"]]
    for before, after in zip(loose_parts(), again, strict=True):
        assert same(before, after), f"{before!r} became {after!r}"
    assert encoder.arrays, "none was large enough to stand beside the text"


def test_the_parts_above_are_every_noun(tmp_path):
    def kinds(value):
        if isinstance(value, Part):
            yield type(value).__name__
            value = [getattr(value, f.name) for f in msgspec.structs.fields(type(value))]
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            for one in value:
                yield from kinds(one)

    assert set(nouns()) == {kind for part in [*everything(tmp_path), *loose_parts()] for kind in kinds(part)}


def test_writing_twice_gives_the_same_text_and_leaves_no_stale_arrays(tmp_path):
    path = tmp_path / "all.yaml"
    scene = everything(tmp_path)
    write_scene(scene, path)
    first = path.read_bytes()
    write_scene(load(path), path)
    assert path.read_bytes() == first
    random = np.random.default_rng(8)
    other = pl.Scene()
    other.add(pl.Body("hills", pl.HeightField(random.normal(size=(9, 9)), (1.0, 1.0)), fixed=True))
    write_scene(other, path)
    assert len(list(tmp_path.glob("all-*.npz"))) == 1
    assert sorted(p.name for p in tmp_path.glob(".*")) == []


def test_files_move_together_with_what_they_name(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    write_scene(everything(here), here / "all.yaml")
    here.rename(there)
    scene = load(there / "all.yaml")
    assert scene["bowl"].shape.source == str(there / "meshes" / "bowl.stl")
    assert scene["far"].shape.source == "/elsewhere/bowl.stl"
    assert scene["terrain"].shape.heights.shape == (9, 8)


def test_small_arrays_stand_in_the_text_and_large_ones_beside_it(tmp_path):
    scene = pl.Scene()
    scene.add(pl.Body("small", pl.HeightField(np.eye(2), (1.0, 1.0)), fixed=True))
    scene.to_file(tmp_path / "small.yaml")
    assert [p.name for p in tmp_path.iterdir()] == ["small.yaml"]
    scene.add(pl.Body("large", pl.HeightField(np.eye(20), (1.0, 1.0)), fixed=True))
    scene.to_file(tmp_path / "small.yaml")
    assert len(list(tmp_path.glob("small-*.npz"))) == 1


def test_a_function_is_refused_and_the_old_file_stays(tmp_path):
    path = tmp_path / "scene.yaml"
    good = pl.Scene()
    good.add(pl.Body("cart", pl.Sphere(0.1)))
    good.to_file(path)
    before = path.read_bytes()
    bad = pl.Scene()
    bad.add(pl.Body("cart", pl.Sphere(0.1), motion=pl.Motion(lambda t: ((t, 0, 0), (1, 0, 0, 0)))))
    with pytest.raises(pl.SceneError, match="'cart': times is a Python function, which a file cannot hold"):
        bad.to_file(path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["scene.yaml"]


def test_a_write_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    scene = everything(tmp_path)
    path = tmp_path / "scene.yaml"
    write_scene(pl.Scene(), path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_scene(scene, path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["scene.yaml"]


def test_yaml_of_people(tmp_path):
    """`on` is a field, 1e5 a number, 0.1 a number, 10 a float; a comment and an anchor do no harm."""
    text = """
pliant: 1  # the format
about: a weight on a string
things:
- &weight {type: Body, name: weight, shape: {type: Sphere, radius: 1e-1}, mass: 10}
- {<<: *weight, name: other, position: [1, 0, 0]}
- {type: Load, name: wind, on: weight, force: [1e5, 0, 0]}
- type: Prismatic
  name: slide
  parent: world
  child: other
  motor: {type: VelocityMotor, target: {throttle: 2}, max_effort: .inf}
"""
    (tmp_path / "people.yaml").write_text(text)
    scene = load(tmp_path / "people.yaml")
    assert scene["wind"].on == "weight" and scene["wind"].force == (1e5, 0.0, 0.0)
    assert same(scene["other"].mass, 10.0) and same(scene["other"].position, (1.0, 0.0, 0.0))
    assert scene["slide"].motor.target == {"throttle": 2.0} and scene["slide"].motor.max_effort == float("inf")


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_what_a_scene_is_about_is_kept(tmp_path, suffix):
    words = "a door: 'heavy', # and\nit latches; ünï"
    pl.Scene(about=words).to_file(tmp_path / f"scene{suffix}")
    assert load(tmp_path / f"scene{suffix}").about == words
    assert load("door").about.startswith("a heavy door")
    with pytest.raises(pl.SceneError, match="Scene: about is 3; it must be a line of text"):
        pl.Scene(about=3)
