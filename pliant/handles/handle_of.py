"""Which handle `world[name]` gives for each kind of thing."""

from typing import TYPE_CHECKING

from ..compile.point_ropes import PointRopeIndex
from ..scene.attachment import Attachment, Pin
from ..scene.body import Body, Site
from ..scene.control import Control
from ..scene.errors import SceneError, unknown_name
from ..scene.joint import Joint, Latch
from ..scene.rope import Rope
from ..scene.soft import Soft
from ..scene.spring import JointSpring, Spring
from ..scene.vertex_words import soft_and_words
from .direct_rope import DirectRopeHandle, JointHoldHandle
from .handle import BodyHandle, Handle, JointSpringHandle, LatchHandle, PlaceHandle, SpringHandle
from .joint import JointHandle
from .point_rope import GripHandle, PointRopeHandle
from .robot import RobotHandle, robot_of
from .soft import SoftHandle, TieHandle, VertexPinHandle

if TYPE_CHECKING:
    from ..world import World


def handle_of(world: "World", name) -> Handle:
    """The handle of the thing `name`."""
    thing, index = world._things.get(name) if isinstance(name, str) else None, world._index
    if isinstance(thing, Body):
        return BodyHandle(world, thing, world._places[name])
    if isinstance(thing, Site):
        return PlaceHandle(world, thing, world._places[name])
    if isinstance(thing, Joint):
        return JointHandle(world, thing, index["joint"][name])
    if isinstance(thing, Rope):
        rope = index["rope"][name]
        return (PointRopeHandle if isinstance(rope, PointRopeIndex) else DirectRopeHandle)(world, thing, rope)
    if isinstance(thing, Soft):
        return SoftHandle(world, thing, index["soft"][name])
    if isinstance(thing, (Attachment, Pin)):
        return _holder(world, thing, name)
    if isinstance(thing, Latch):
        return LatchHandle(world, thing, index["latch"][name])
    if isinstance(thing, (Spring, JointSpring)):
        kind, k = index["spring"][name]
        return (SpringHandle if kind == "spring" else JointSpringHandle)(world, thing, k)
    if isinstance(thing, Control):
        raise SceneError(f"Control '{name}' is read and set by world.control['{name}'].")
    if thing is None:
        robot = robot_of(world.scene, name)
        if robot is not None:
            return RobotHandle(world, robot)
        _refuse_place(world, name)
        raise unknown_name(world.scene, "the thing asked for", name, world._things)
    raise SceneError(f"{type(thing).__name__} '{name}' has nothing to read while the world runs.")


def _refuse_place(world: "World", name) -> None:
    """A place on a thing is read by way of the thing, a fixed joint of a robot not at all."""
    if not isinstance(name, str):
        return
    vertices = soft_and_words(name)
    if vertices is not None and isinstance(world._things.get(vertices[0]), Soft):
        raise SceneError(f"World: '{name}' is vertices of '{vertices[0]}'; read world['{vertices[0]}'], whose arrays have a "
                         "row for each of them.")
    owner, _, short = name.partition("/")
    robot = robot_of(world.scene, owner)
    if robot is not None and short in robot._fixed_joints:
        moving = next((f", as world['{part.name}'].force" for part in robot.parts() if isinstance(part, Joint)), "")
        raise SceneError(f"World: '{name}' is a fixed joint, whose links are one body, with nothing to read between them; read "
                         f"a joint that moves{moving}, or hold the robot by a Fixed of its own: docs/robots.md, \"The force at "
                         "the base\".")
    rope, _, word = name.partition(".")
    if word in ("start", "end") and isinstance(world._things.get(rope), Rope):
        raise SceneError(f"World: '{name}' is a place on a rope; read world['{rope}'].{word}.")


def _holder(world: "World", thing: Attachment | Pin, name: str) -> Handle:
    """An attachment or a pin, by what it is in the arrays."""
    for kind, handle in (("pinned", VertexPinHandle), ("tie", TieHandle), ("grip", GripHandle)):
        if name in world._index[kind]:
            return handle(world, thing, world._index[kind][name])
    return JointHoldHandle(world, thing, world._index["hold"][name])
