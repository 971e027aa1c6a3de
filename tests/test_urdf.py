"""The URDF reader: poses and masses as another library has them, refusals in one sentence, nothing dropped silently."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yourdfpy

import pliant as pl
from pliant.scene.files.urdf import read_urdf
from pliant.scene.files.urdf_xml import quaternion_from_rotation, rotation_from_quaternion
from pliant.scene.robot import Robot

RICH = Path(__file__).parent / "data" / "rich.urdf"
PLACE = {"position": (0.3, -0.2, 0.5), "quaternion": (0.8, 0.36, -0.48, 0.0)}


def matrix(position, quaternion) -> np.ndarray:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rotation_from_quaternion(quaternion), position
    return out


@pytest.fixture(scope="module")
def robot() -> Robot:
    return Robot.from_urdf(RICH, **PLACE)


@pytest.fixture(scope="module")
def oracle():
    return yourdfpy.URDF.load(str(RICH), load_meshes=False, build_scene_graph=True)


def test_every_link_stands_where_yourdfpy_puts_it(robot, oracle):
    place = matrix(*PLACE.values())
    for link in oracle.link_map:
        thing = robot[link]
        frame = matrix(thing.position, thing.quaternion)
        if isinstance(thing, pl.Site):
            body = robot[thing.body.removeprefix("rich/")]
            frame = matrix(body.position, body.quaternion) @ frame
        # Six multiplied matrices of entries of order one: a few roundings each.
        assert np.abs(frame - place @ oracle.get_transform(link, "cart")).max() < 1e-14, link


def test_joints_turn_about_yourdfpys_axes(robot, oracle):
    place = matrix(*PLACE.values())
    for name, wanted in oracle.joint_map.items():
        if wanted.type != "fixed":
            frame = place @ oracle.get_transform(wanted.child, "cart")
            axis = frame[:3, :3] @ wanted.axis / np.linalg.norm(wanted.axis)
            assert np.abs(np.array(robot[name].anchor) - frame[:3, 3]).max() < 1e-14
            assert np.abs(np.array(robot[name].axis) - axis).max() < 1e-14


def test_merged_masses_are_those_of_a_cloud_of_points(robot, oracle):
    """Mass, centre and inertia of a merged body against summing each link's tensor about one far point."""
    far = np.array((3.0, -2.0, 1.0))
    for group in (("cart", "tower", "antenna", "hook"), ("upper",), ("slide",), ("spinner", "tip")):
        mass, first, about_far = 0.0, np.zeros(3), np.zeros((3, 3))
        for link in group:
            inertial = oracle.link_map[link].inertial
            if inertial is None:
                continue
            origin = np.eye(4) if inertial.origin is None else inertial.origin
            frame = oracle.get_transform(link, group[0]) @ origin
            d = frame[:3, 3] - far
            mass += inertial.mass
            first += inertial.mass * frame[:3, 3]
            about_far += frame[:3, :3] @ inertial.inertia @ frame[:3, :3].T
            about_far += inertial.mass * (d @ d * np.eye(3) - np.outer(d, d))
        d = first / mass - far
        inertia = about_far - mass * (d @ d * np.eye(3) - np.outer(d, d))
        body = robot[group[0]]
        xx, yy, zz, xy, xz, yz = body.inertia
        mine = np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        assert body.mass == pytest.approx(mass, rel=1e-15)
        assert np.abs(np.array(body.center_of_mass) - first / mass).max() < 1e-14
        # The oracle subtracts numbers of order m |d|^2, so rounding is relative to those.
        assert np.abs(mine - inertia).max() < 8 * np.finfo(float).eps * mass * (d @ d)


def test_what_the_words_become(robot):
    shoulder, extension, spin = robot["shoulder"], robot["extension"], robot["spin"]
    assert isinstance(shoulder, pl.Revolute) and isinstance(extension, pl.Prismatic) and isinstance(spin, pl.Revolute)
    assert (shoulder.limits, shoulder.damping, shoulder.friction) == ((-1.2, 1.7), 0.6, 0.25)
    assert spin.limits is None and shoulder.motor is None
    assert (shoulder.parent, shoulder.child) == ("rich/cart", "rich/upper")
    assert extension.motor.max_effort == 120.0 and extension.motor.target == "reach"
    assert spin.motor.target == {"turn": 6.0, "reach": -2.0} and spin.motor.max_effort == float("inf")
    assert isinstance(robot["hook"], pl.Site) and isinstance(robot["tower"], pl.Site)
    assert [type(p.shape).__name__ for p in robot["cart"].shape] == ["Box", "Cylinder", "Sphere"]
    assert robot["cart"].color == (0.5, 0.5, 0.6) and robot["upper"].color == (0.8, 0.1, 0.1)
    assert robot["cart"].collide and not robot["upper"].collide and not robot["spinner"].collide
    assert isinstance(robot["upper"].shape, pl.Cylinder)
    (mark,) = robot["spinner"].shape  # it has no shapes: a box is drawn where its mass is
    assert isinstance(mark.shape, pl.Box) and mark.position == robot["spinner"].center_of_mass
    assert (robot["slide"].friction, robot["slide"].restitution) == (1.1, 0.2)
    assert robot["shoulder-spring"].joint == "rich/shoulder" and robot["catch"].hold == 15.0
    assert robot["reach"].name == "reach" and robot["reach"].keys == ("q", "e")


def test_a_spring_on_a_merged_link_ends_where_the_link_is(robot, oracle):
    wanted = oracle.get_transform("antenna", "cart") @ (0.0, 0.0, 0.3, 1.0)
    stay = robot["stay"]
    assert (stay.a, stay.b) == ("rich/cart", "rich/upper")
    assert np.abs(np.array(stay.at_a) - wanted[:3]).max() < 1e-15 * 10


def test_what_has_no_effect_is_said(robot):
    text = "\n".join(robot.warnings())
    for words in ("<safety_controller> of joint 'shoulder' has no effect; narrow <limit>",
                  "<transmission> has no effect; motors are given in <pliant>", "<gazebo>, 2 times, has no effect; friction"):
        assert words in text
    assert len(robot.warnings()) == 4 and "'tower', inertia" in text


def test_parts_are_read_once_and_a_given_motor_wins(robot):
    assert next(iter(robot.parts())) is next(iter(robot.parts()))
    motor = pl.PositionMotor(0.3, stiffness=10.0, damping=1.0)
    changed = Robot.from_urdf(RICH, name="other", fixed=True, motors={"shoulder": motor})
    assert changed["shoulder"].motor.stiffness == 10.0
    assert changed["shoulder"].motor.max_effort == 40.0, "the joint's effort limits the motor"
    assert changed["cart"].fixed and not changed["upper"].fixed and changed["cart"].name == "other/cart"
    with pytest.raises(pl.SceneError, match=r"'sholder'.*Did you mean 'shoulder'\?"):
        Robot.from_urdf(RICH, motors={"sholder": motor})
    with pytest.raises(pl.SceneError, match=r"Robot 'rich': it has no link or joint 'cat'. Did you mean 'cart'\?"):
        robot["cat"]


def test_a_scene_holds_the_robot_and_its_parts(robot):
    scene = pl.Scene()
    scene.add(robot)
    assert scene["rich/tower"] is robot["tower"] and scene["rich"] is robot and "reach" in scene


LINK = "<link name='{}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>{}</link>"
TWO = LINK.format("a", "") + LINK.format("b", "")


def joint(inner: str = "", kind: str = "continuous", parent: str = "a", child: str = "b", name: str = "j") -> str:
    return f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{inner}</joint>"


WRONG = {
    "floating": (TWO + joint(kind="floating"), "joint 'j': type \"floating\" is not supported; leave the joint"),
    "planar": (TWO + joint(kind="planar"), "type \"planar\" is not supported; put two prismatic"),
    "no kind": (TWO + joint(kind=""), "joint 'j': type is missing; use revolute"),
    "kind": (TWO + joint(kind="ball"), "type \"ball\" is not supported; use revolute"),
    "velocity": (TWO + joint("<limit velocity='-1'/>"), "velocity is -1 in <limit>; it must be zero or more"),
    "mistyped limit": (TWO + joint("<limit lowr='-1'/>"), "lowr is not known in <limit>; did you mean lower?"),
    "mistyped axis": (TWO + joint("<axes xyz='0 0 1'/>"), "joint 'j': <axes> is not known; did you mean <axis>?"),
    "mistyped place": (TWO + joint("<origin xyz='0 0 1' rpz='0 0 0'/>"), "rpz is not known in <origin>; did you mean rpy?"),
    "mistyped collision": (LINK.format("a", "<colision/>"), "link 'a': <colision> is not known; did you mean <collision>?"),
    "mistyped geometry": (LINK.format("a", "<visual><geomtry/></visual>"), "<geomtry> is not known in <visual>; did you mean"),
    "mistyped link": (LINK.format("a", "") + "<lnik name='b'/>", "<lnik> is not known; did you mean <link>?"),
    "mimic": (TWO + joint("<mimic joint='k'/>"), "joint 'j': <mimic> is not supported; remove it"),
    "typo": (TWO + joint(child="bb"), "child is 'bb', which the file does not have. Did you mean 'b'?"),
    "itself": (TWO + joint(child="a"), "parent and child are both 'a'"),
    "two roots": (TWO, "links 'a' and 'b': both have no parent"),
    "two parents": (TWO + LINK.format("c", "") + joint() + joint(name="k", parent="c"), "makes a loop; remove one"),
    "ring": (TWO + joint() + joint(name="k", parent="b", child="a"), "hangs in a loop of joints"),
    "ring beside a tree": (TWO + LINK.format("c", "") + joint() + joint(name="k", parent="b", child="a"),
                           "link 'a': it hangs in a loop of joints"),
    "no link": ("", "it has no <link>"),
    "no name": ("<link/>", "a link: name is missing"),
    "same link": (TWO + LINK.format("a", ""), "link 'a': there are two with this name"),
    "same joint": (TWO + LINK.format("c", "") + joint() + joint(child="c"), "joint 'j': there are two with this name"),
    "bad number": (TWO + joint("<origin xyz='0 0 x'/>"), "joint 'j': xyz is \"0 0 x\" in <origin>; it must be 3"),
    "nan": (TWO + joint("<origin xyz='0 0 nan'/>"), "it must be 3 finite numbers"),
    "count": (TWO + joint("<axis xyz='0 1'/>"), "xyz is \"0 1\" in <axis>"),
    "zero axis": (TWO + joint("<axis xyz='0 0 0'/>"), "axis is zero"),
    "no limit": (TWO + joint(kind="revolute"), "it has no <limit>; add one, or make the type continuous"),
    "limits": (TWO + joint("<limit lower='1' upper='-1'/>", "prismatic"), "lower must not be above upper"),
    "damping": (TWO + joint("<dynamics damping='-1'/>"), "damping is -1 in <dynamics>; it must be zero or more"),
    "negative mass": ("<link name='a'><inertial><mass value='-2'/></inertial></link>",
                      "link 'a': value is -2 in <mass>; it must be zero or more"),
    "no tensor": ("<link name='a'><inertial><mass value='2'/></inertial></link>", "has no <inertia>; give ixx"),
    "massless root": ("<link name='a'/>", "link 'a': it moves but has no mass; give it an <inertial>"),
    "massless link": (LINK.format("a", "") + "<link name='b'/>" + joint(), "link 'b': it moves but has no mass"),
    "no inertia": ("<link name='a'><inertial><mass value='2'/><inertia ixx='0' iyy='0' izz='0'/></inertial></link>",
                   "link 'a': its inertia has principal moments [0.0, 0.0, 0.0] kg m2; they must all be positive"),
    "flat inertia": ("<link name='a'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='0'/></inertial></link>",
                     "link 'a': its inertia has principal moments"),
    "shape": (LINK.format("a", "<collision><geometry><cone/></geometry></collision>"),
              "link 'a', collision: <cone> is not supported; use box"),
    "no shape": (LINK.format("a", "<collision/>"), "it needs one <geometry> with one shape"),
    "size": (LINK.format("a", "<visual><geometry><box size='1 0 1'/></geometry></visual>"), "it must be positive"),
    "mesh": (LINK.format("a", "<collision><geometry><mesh filename='package://x/hull.stl'/></geometry></collision>"),
             "the mesh file 'package://x/hull.stl' was not found"),
    "scale": (LINK.format("a", "<visual><geometry><mesh filename='m.stl' scale='1 0 1'/></geometry></visual>"),
              "scale is \"1 0 1\" in <mesh>; none of its numbers may be 0"),
    "color": (LINK.format("a", "<visual><geometry><sphere radius='1'/></geometry><material name='m'>"
                               "<color rgba='2 0 0 1'/></material></visual>"), "its numbers must lie between 0 and 1"),
    "element": (LINK.format("a", "") + "<pliant><sprung/></pliant>", "<sprung> is not known; did you mean <spring>?"),
    "attribute": (TWO + joint() + "<pliant><joint_spring joint='j' stifness='3'/></pliant>", "did you mean stiffness?"),
    "value": (TWO + joint() + "<pliant><joint_spring joint='j' stiffness='-3'/></pliant>",
              "pliant, joint_spring 'j-spring': stiffness is -3; it must be zero or more"),
    "joint": (TWO + joint() + "<pliant><latch joint='i' at='0' hold='1'/></pliant>", "joint is 'i', which the file"),
    "motor": (TWO + joint() + "<pliant><velocity_motor joint='q' target='1' max_effort='1'/></pliant>", "joint is 'q'"),
    "incomplete": (TWO + joint() + "<pliant><velocity_motor joint='j' target='1'/></pliant>", "max_effort"),
    "weights": (TWO + joint() + "<pliant><velocity_motor joint='j' target='go:x' max_effort='1'/></pliant>", "go:x"),
    "surface": (TWO + joint() + "<pliant><surface link='q' friction='1'/></pliant>", "link is 'q'"),
    "merged surface": (TWO + joint(kind="fixed") + "<pliant><surface link='b' friction='1'/></pliant>",
                       "link 'b' is merged with 'a' by a fixed joint"),
    "name taken": (TWO + joint() + "<pliant><spring name='a' a='a' b='b' stiffness='1'/></pliant>", "choose another"),
    "xacro": ("<xacro:include xmlns:xacro='http://x/xacro'/>", "run xacro on it first"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files_are_refused_in_one_sentence(case, tmp_path):
    inner, wanted = WRONG[case]
    path = tmp_path / "robot.urdf"
    path.write_text(f"<robot name='r'>{inner}</robot>")
    with pytest.raises(pl.SceneError) as caught:
        Robot.from_urdf(path)
    text = str(caught.value)
    assert wanted in text
    assert re.match(rf"{re.escape(str(path))}(, line 1)?: ", text) and "\n" not in text


def test_files_that_are_no_urdf(tmp_path):
    path = tmp_path / "robot.urdf"
    with pytest.raises(pl.SceneError, match=r"robot.urdf: cannot be read \(No such file.*\); check the path"):
        Robot.from_urdf(path)
    path.write_text("<robot>")
    with pytest.raises(pl.SceneError, match="is not well-formed XML"):
        Robot.from_urdf(path)
    path.write_text("<sdf/>")
    with pytest.raises(pl.SceneError, match="first element is <sdf>"):
        Robot.from_urdf(path)


@pytest.mark.parametrize("name", ["hull.stl", "meshes/hull.stl", "package://maker/meshes/hull.stl", "package://x/../up.stl"])
def test_meshes_are_found(name, tmp_path):
    for place in ("urdf/hull.stl", "urdf/meshes/hull.stl", "maker/meshes/hull.stl", "up.stl"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("solid empty\nendsolid empty\n")
    mesh = f"<collision><geometry><mesh filename='{name}' scale='0.5 0.5 0.5'/></geometry></collision>"
    path = tmp_path / "urdf" / "robot.urdf"
    path.write_text(f"<robot name='r'>{LINK.format('a', mesh)}</robot>")
    shape = Robot.from_urdf(path)["a"].shape
    assert isinstance(shape, pl.Mesh) and shape.scale == 0.5 and Path(shape.source).is_file()
    assert Path(shape.source).name == Path(name).name


def test_a_fixed_robot_may_have_a_massless_root(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(f"<robot name='r'><link name='a'/>{LINK.format('b', '')}{joint()}</robot>")
    robot = Robot.from_urdf(path, fixed=True)
    assert robot["a"].fixed and not robot["a"].collide and not robot["b"].fixed


def test_a_joint_named_like_a_link_stays_reachable(tmp_path):
    path = tmp_path / "robot.urdf"
    spring = "<pliant><joint_spring joint='b' stiffness='1'/></pliant>"
    path.write_text(f"<robot name='r'>{TWO}{joint(name='b')}{spring}</robot>")
    robot = Robot.from_urdf(path)
    assert isinstance(robot["b"], pl.Body) and isinstance(robot["b-joint"], pl.Revolute)
    assert robot["b-spring"].joint == "r/b-joint"


def test_quaternions_of_rotations_come_back():
    rng = np.random.default_rng(4)
    for q in (*rng.normal(size=(40, 4)), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1e-9, 1, 0, 0)):
        q = np.array(q) / np.linalg.norm(q)
        back = quaternion_from_rotation(rotation_from_quaternion(q))
        assert min(np.abs(q - back).max(), np.abs(q + back).max()) < 1e-15 * 4


def test_reading_needs_no_trimesh():
    code = (f"import sys; from pliant.scene.robot import Robot; list(Robot.from_urdf({str(RICH)!r}).parts());"
            "assert not {'trimesh', 'yourdfpy'} & set(sys.modules)")
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[1])


def test_a_description_knows_its_tree():
    description = read_urdf(RICH)
    assert description.root == "cart" and description.name == "rich"
    assert [j.name for j in description.children("cart")] == ["cart_tower", "cart_hook"]
