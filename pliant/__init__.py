"""Real-time physics for ropes, cables, springs, jointed machines, cloth and soft solids, together in one scene."""

from .scene.attachment import Attachment as Attachment
from .scene.attachment import Pin as Pin
from .scene.body import Body as Body
from .scene.body import Ground as Ground
from .scene.body import Site as Site
from .scene.cloth import Cloth as Cloth
from .scene.cloth import Sheet as Sheet
from .scene.cloth import Wind as Wind
from .scene.control import Control as Control
from .scene.control import Load as Load
from .scene.errors import Diverged as Diverged
from .scene.errors import SceneError as SceneError
from .scene.files.scene_file import load as load
from .scene.joint import Cylindrical as Cylindrical
from .scene.joint import Fixed as Fixed
from .scene.joint import Latch as Latch
from .scene.joint import Prismatic as Prismatic
from .scene.joint import Revolute as Revolute
from .scene.joint import Spherical as Spherical
from .scene.joint import Universal as Universal
from .scene.material import Material as Material
from .scene.material import paper_a_stiffness as paper_a_stiffness
from .scene.motion import Motion as Motion
from .scene.motor import DCMotor as DCMotor
from .scene.motor import PositionMotor as PositionMotor
from .scene.motor import VelocityMotor as VelocityMotor
from .scene.patch import FreeFormPatch as FreeFormPatch
from .scene.patch import PatchMesh as PatchMesh
from .scene.patch import Quadric as Quadric
from .scene.robot import Robot as Robot
from .scene.robot import asset as asset
from .scene.rope import Rope as Rope
from .scene.scene import Scene as Scene
from .scene.shape import Box as Box
from .scene.shape import Capsule as Capsule
from .scene.shape import Cylinder as Cylinder
from .scene.shape import HeightField as HeightField
from .scene.shape import Mesh as Mesh
from .scene.shape import Placed as Placed
from .scene.shape import Sphere as Sphere
from .scene.solid import Solid as Solid
from .scene.spring import JointSpring as JointSpring
from .scene.spring import Spring as Spring
from .scene.thing import WORLD as WORLD
from .view import view as view


def __dir__() -> list[str]:
    return sorted([*globals(), "World"])


def __getattr__(name: str):
    """What needs the compiler is imported when it is first asked for, so that the command line starts at once."""
    if name == "World":
        from .world import World

        return World
    raise AttributeError(f"module 'pliant' has no attribute '{name}'")
