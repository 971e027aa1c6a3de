"""A robot from a URDF file: one thing in the scene that stands for its bodies, joints, springs and controls."""

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import msgspec

from .control import Control
from .errors import SceneError, fail, nearest, shown, truth, unit_quaternion, vector
from .motor import DCMotor, Motor, PositionMotor, VelocityMotor
from .thing import Quaternion, Thing, Vector


class Robot(Thing, frozen=True):
    """A URDF robot, placed by its root link. Its parts are named "robot/link", and `robot["link"]` gives one; its controls keep
    their own names."""

    path: str
    """URDF file: as written, else beside the assets of the package."""
    position: Vector = (0.0, 0.0, 0.0)
    """Of the root link's frame [m], world frame."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Root link's frame to world (w, x, y, z), unit."""
    fixed: bool = False
    """Whether the root link is held to the world."""
    motors: dict[str, Motor] = msgspec.field(default_factory=dict)
    """Motors by joint, in place of those of the file."""
    controls: dict[str, float] = msgspec.field(default_factory=dict)
    """Values at the start by control, in place of those of the file."""

    self_contact: bool = True
    """Whether links that no joint connects may touch each other."""

    def __post_init__(self) -> None:
        self._check_name()
        if "/" in self.name:
            raise fail(self, "the name must not hold a '/', which stands between robot and link.")
        if not isinstance(self.path, (str, Path)) or not str(self.path).isprintable():
            raise fail(self, f"path is {shown(self.path)}; it must be the path of a URDF file.")
        if str(self.path).lstrip().startswith("<"):
            raise fail(self, f"path is {shown(self.path)}; give the path of a URDF file, not its text.")
        self._set(path=str(self.path), position=vector(self, "position", self.position),
                  quaternion=unit_quaternion(self, "quaternion", self.quaternion),
                  fixed=truth(self, "fixed", self.fixed),
                  self_contact=truth(self, "self_contact", self.self_contact),
                  motors=self._by_name("motors", "motors by joint"),
                  controls=self._by_name("controls", "values by control"))
        for joint, motor in self.motors.items():
            if not isinstance(motor, (VelocityMotor, PositionMotor, DCMotor)):
                raise fail(self, f"motors['{joint}'] is {shown(motor)}; "
                                 "it must be a VelocityMotor, PositionMotor or DCMotor.")

    def _by_name(self, field: str, what: str) -> dict:
        value = getattr(self, field)
        if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
            raise fail(self, f"{field} is {shown(value)}; it must be {what}, {{name: …}}.")
        return dict(value)

    @staticmethod
    def from_urdf(path: str | Path, position: Vector = (0.0, 0.0, 0.0), quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0),
                  fixed: bool = False, name: str | None = None, motors: dict[str, Motor] | None = None,
                  controls: dict[str, float] | None = None, self_contact: bool = True) -> "Robot":
        """Read a URDF and put its root link at `position` [m], `quaternion`; its name is the file's if not given."""
        from .files.urdf import read_urdf

        robot = Robot("robot" if name is None else name, str(path) if isinstance(path, Path) else path,
                      position=position, quaternion=quaternion, fixed=fixed, self_contact=self_contact,
                      motors={} if motors is None else motors, controls={} if controls is None else controls)
        if name is None:
            robot = robot.replace(name=read_urdf(_file(robot.path)).name)
        robot.parts()
        return robot

    def parts(self) -> Iterable[Thing]:
        """The robot's bodies, sites, joints, springs, latches and controls."""
        return self._read[0].values()

    def warnings(self) -> list[str]:
        """What of the file has no effect."""
        return self._read[1]

    def __getitem__(self, name: str) -> Thing:
        things = self._read[0]
        if isinstance(name, str) and name in things:
            return things[name]
        raise fail(self, f"it has no link or joint {shown(name)}. {nearest(name, things, 'It has')}")

    @cached_property
    def _read(self) -> tuple[dict[str, Thing], list[str]]:
        """Things by short name and warnings; read once."""
        from .files.urdf import read_urdf
        from .files.urdf_robot import build_robot

        description = read_urdf(_file(self.path))
        things = build_robot(description, self.name, self.position, self.quaternion, self.fixed, self.motors)
        for name, value in self.controls.items():
            if not isinstance(things.get(name), Control):
                raise fail(self, f"controls names '{name}', which the file does not have.")
            things[name] = things[name].replace(value=value)
        return things, description.source.warnings

    @cached_property
    def _fixed_joints(self) -> set[str]:
        """Names of the file's fixed joints, of which no things are made."""
        from .files.urdf import read_urdf

        return {name for name, joint in read_urdf(_file(self.path)).joints.items() if joint.kind == "fixed"}


def asset(name: str) -> str:
    """The path of a file that comes with the package, `scout.urdf` for one."""
    folder = Path(__file__).parent / "assets"
    path = folder / str(name)
    if not isinstance(name, str) or not name.isprintable() or not os.path.isfile(path):
        known = sorted(p.name for p in folder.iterdir() if p.is_file() and p.suffix != ".py")
        raise SceneError(f"There is no asset {shown(name)}. {nearest(name, known)}")
    return str(path)


def _file(path: str) -> Path:
    """The file a path stands for: as written, else an asset of that name."""
    here = Path(path)
    packaged = Path(__file__).parent / "assets" / path
    try:
        return packaged if not here.exists() and packaged.is_file() else here
    except OSError:  # no name of a file: opening it says why
        return here
