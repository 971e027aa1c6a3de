"""Real-time physics for ropes, cables, springs, jointed machines, cloth and soft solids, together in one scene."""

from typing import TYPE_CHECKING

from .not_yet import NOUNS, late
from .scene.attachment import Attachment, Pin
from .scene.body import Body, Ground, Site
from .scene.cloth import Cloth, Sheet, Wind
from .scene.control import Control, Load
from .scene.errors import Diverged, SceneError, nearest
from .scene.files.scene_file import load
from .scene.joint import Cylindrical, Fixed, Latch, Prismatic, Revolute, Spherical, Universal
from .scene.material import Material, paper_a_stiffness
from .scene.motion import Motion
from .scene.motor import DCMotor, PositionMotor, VelocityMotor
from .scene.patch import FreeFormPatch, PatchMesh, Quadric
from .scene.robot import Robot, asset
from .scene.rope import Rope
from .scene.scene import Scene
from .scene.shape import Box, Capsule, Cylinder, HeightField, Mesh, Placed, Sphere
from .scene.solid import Solid
from .scene.spring import JointSpring, Spring
from .scene.thing import WORLD
from .view import view

if TYPE_CHECKING:
    from .world import World

__all__ = [
    "WORLD",
    "Attachment",
    "Body",
    "Box",
    "Capsule",
    "Cloth",
    "Control",
    "Cylinder",
    "Cylindrical",
    "DCMotor",
    "Diverged",
    "Fixed",
    "FreeFormPatch",
    "Ground",
    "HeightField",
    "JointSpring",
    "Latch",
    "Load",
    "Material",
    "Mesh",
    "Motion",
    "PatchMesh",
    "Pin",
    "Placed",
    "PositionMotor",
    "Prismatic",
    "Quadric",
    "Revolute",
    "Robot",
    "Rope",
    "Scene",
    "SceneError",
    "Sheet",
    "Site",
    "Solid",
    "Sphere",
    "Spherical",
    "Spring",
    "Universal",
    "VelocityMotor",
    "Wind",
    "World",
    "asset",
    "load",
    "paper_a_stiffness",
    "view",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str):
    """What needs the compiler is imported when it is first asked for, so that the command line starts at once."""
    if name == "World":
        from .world import World

        return World
    raise AttributeError(f"module 'pliant' has no attribute '{name}'. {late(name, NOUNS) or nearest(name, __all__)}")
