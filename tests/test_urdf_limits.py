"""What <limit> of a URDF joint does to its motor, and what else of a file is doubted. Oracle: the numbers of the file."""

import numpy as np
import pytest
import trimesh

import pliant as pl
from pliant.scene.robot import Robot
from pliant.view.geometry import shape_mesh

LINK = "<link name='{}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>{}</link>"


def robot(folder, limit: str, motor=None, kind: str = "continuous", place: str = "", first: str = "", **more) -> Robot:
    """Two links on a joint `j`, with a limit and a motor."""
    path = folder / "robot.urdf"
    path.write_text(f"<robot name='r'>{first or LINK.format('a', '')}{LINK.format('b', '')}<joint name='j' type='{kind}'>"
                    f"<parent link='{'world' if first else 'a'}'/><child link='b'/>{place}<limit {limit}/></joint></robot>")
    return Robot.from_urdf(path, motors={} if motor is None else {"j": motor}, **more)


def world_of(one: Robot, **more) -> pl.World:
    scene = pl.Scene(**more)
    scene.add(one)
    return pl.World(scene)


DC = pl.DCMotor(24.0, k_t=0.1, k_e=0.1, resistance=1.0, max_voltage=24.0, gear=10.0)


def test_a_velocity_limit_is_what_a_motor_drives_at_most(tmp_path):
    """Oracle: the motor's rate, which would be 40 rad/s."""
    one = robot(tmp_path, "velocity='3' effort='50'", pl.VelocityMotor(40.0, 60.0), fixed=True)
    assert one["j"].max_rate == 3.0 and one["j"].motor.max_effort == 50.0 and one.warnings() == []
    world = world_of(one, gravity=(0, 0, 0))
    world.run(1.0)
    assert world["r/j"].rate == pytest.approx(3.0, rel=1e-9)


def test_limits_without_a_motor_say_nothing(tmp_path):
    assert robot(tmp_path, "velocity='3' effort='50'").warnings() == []


def test_a_dc_motor_keeps_to_effort_and_velocity(tmp_path):
    """Oracle: U = n k_e w = 3 V of the 24 V; the torque n k_t U / R = 3 N m is within the effort."""
    one = robot(tmp_path, "velocity='3' effort='12'", DC, fixed=True)
    assert one["j"].motor.max_effort == 12.0
    assert [text.partition("j': ")[2][:38] for text in one.warnings()] == ["its DC motor gets 3 V of 24 V at most,"]
    world = world_of(one, gravity=(0, 0, 0))
    world.step()
    assert world["r/j"].effort == pytest.approx(3.0, rel=0.1) and world["r/j"].rate < 3.0
    assert robot(tmp_path, "velocity='24' effort='12'", DC).warnings() == []
    told = robot(tmp_path, "velocity='3' effort='12'", DC.replace(k_e=0.0)).warnings()
    assert len(told) == 1 and "does not hold for a DC motor without back-EMF; give it k_e" in told[0]


@pytest.mark.parametrize("word", ["velocity", "effort"])
def test_a_limit_of_nothing_is_doubted(tmp_path, word):
    """Programs that write URDF files put 0 where nobody gave a limit."""
    told = robot(tmp_path, f"{word}='0'", pl.VelocityMotor(1.0, 1.0)).warnings()
    assert len(told) == 1 and f"joint 'j': its motor cannot move it, since {word} is 0 in <limit>; leave {word} out" in told[0]


def test_degrees_are_doubted(tmp_path):
    """Oracle: pi / 2 is 1.571; a turn either way is none too many."""
    full = "lower='-6.2832' upper='6.2832'"
    assert world_of(robot(tmp_path, full, kind="revolute", fixed=True, place="<origin rpy='0 0 -6.2832'/>")).warnings == []
    told = world_of(robot(tmp_path, "lower='-90' upper='90'", kind="revolute", fixed=True)).warnings
    assert len(told) == 1 and "'r/j': a limit is -90 rad, 14.3 turns; angles are in radians, -90 degrees are -1.571" in told[0]
    assert world_of(robot(tmp_path, "lower='-90' upper='90'", kind="prismatic", fixed=True)).warnings == []
    told = robot(tmp_path, full, kind="revolute", place="<origin rpy='0 0 90'/>").warnings()
    assert len(told) == 1 and "joint 'j': rpy is \"0 0 90\" in <origin>; angles are in radians" in told[0]


def test_a_root_named_world_is_the_world(tmp_path):
    """As other programs have it. Oracle: the same robot with fixed=True."""
    one = robot(tmp_path, "", first="<link name='world'/>")
    assert one["world"].fixed and world_of(one).warnings == []
    told = world_of(robot(tmp_path, "")).warnings
    assert len(told) == 1 and "all falls for ever; add a Ground" in told[0]


def test_words_of_other_programs_are_named_with_what_to_do(tmp_path):
    path = tmp_path / "robot.urdf"
    extra = "<contact/><collision><geometry><sphere radius='1'/></geometry><bounce/></collision>"
    path.write_text(f"<robot name='r'>{LINK.format('a', extra)}<sensor name='s'/><sensor name='t'/></robot>")
    told = [text.removeprefix(f"{path}: ") for text in Robot.from_urdf(path).warnings()]
    assert told == ["<sensor>, 2 times, has no effect; URDF has no such word there.",
                    "<contact> of link 'a' has no effect; friction and restitution are given by <surface> in <pliant>.",
                    "<bounce> of link 'a' has no effect; URDF has no such word there."]


def test_numbers_of_other_programs_are_named_too(tmp_path):
    """As makers of robots write them; many joints are counted after the third."""
    path = tmp_path / "robot.urdf"
    links = "".join(LINK.format(f"l{k}", "") for k in range(6))
    joints = "".join(f"<joint name='j{k}' type='continuous'><parent link='l{k}'/><child link='l{k + 1}'/>"
                     "<dynamics damping='1' stiffness='3' K='7000'/></joint>" for k in range(5))
    path.write_text(f"<robot name='r'>{links}{joints}</robot>")
    one = Robot.from_urdf(path)
    told = [text.removeprefix(f"{path}: ") for text in one.warnings()]
    whose = "joint 'j0', joint 'j1', joint 'j2' and 2 more"
    assert told == [f"stiffness in <dynamics> of {whose} has no effect; a spring is given by <joint_spring> in <pliant>.",
                    f"K in <dynamics> of {whose} has no effect; URDF has no such word there."]
    assert one["j4"].damping == 1.0


def test_a_link_without_shapes_may_have_its_mass_anywhere(tmp_path):
    """A camera, an IMU, a counterweight: no shapes are there that its centre of mass could be outside of."""
    path = tmp_path / "robot.urdf"
    path.write_text("""<robot name="r"><link name="a"><inertial><origin xyz="0 0 0.4"/><mass value="2"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>""")
    world = world_of(Robot.from_urdf(path), gravity=(0, 0, 0))
    assert world.warnings == [] and world["r/a"].thing.center_of_mass == (0.0, 0.0, 0.4)


def test_an_inertia_of_zero_is_that_of_the_shapes(tmp_path):
    """Oracle: a ball of 2 kg, 2/5 m r^2."""
    path = tmp_path / "robot.urdf"
    path.write_text("<robot name='r'><link name='a'><inertial><mass value='2'/><inertia ixx='0' iyy='0' izz='0'/></inertial>"
                    "<collision><geometry><sphere radius='0.5'/></geometry></collision></link></robot>")
    one = Robot.from_urdf(path)
    assert "link 'a': its inertia is zero; that of its collision shapes is taken" in one.warnings()[0]
    world = world_of(one)
    np.testing.assert_allclose(world._engine.model.bodies.inertia[1], 0.2, rtol=1e-12)
    assert world["r/a"].mass == 2.0


def test_meshes_are_mirrored_and_visuals_may_be_open(tmp_path):
    """Left parts are often right ones mirrored, and what is only looked at is seldom closed."""
    mesh = trimesh.creation.icosphere(1)
    mesh.update_faces(np.arange(len(mesh.faces)) > 0)
    mesh.export(tmp_path / "part.stl")
    path = tmp_path / "robot.urdf"
    seen = "<visual><geometry><mesh filename='part.stl' scale='0.1 -0.1 0.1'/></geometry></visual>"
    path.write_text(f"<robot name='r'>{LINK.format('a', seen)}</robot>")
    one = Robot.from_urdf(path, fixed=True)
    assert one["a"].shape.scale == (0.1, -0.1, 0.1) and not one["a"].collide and world_of(one).warnings == []
    assert len(shape_mesh(one["a"].shape).faces) == len(mesh.faces)
    touching = seen.replace("visual", "collision")
    path.write_text(f"<robot name='r'>{LINK.format('a', touching)}</robot>")
    assert "Body 'r/a': its mesh is not closed; it collides as its hull." in world_of(Robot.from_urdf(path)).warnings
