"""A draft of the model: growing lists, before they are frozen into arrays."""

from typing import Any, NamedTuple

from ..model.schema import allocate, fields
from ..scene.control import Control
from ..scene.errors import SceneError
from ..scene.places import no_place, things_of
from ..scene.pose import Pose
from ..scene.thing import Signal, Thing, Vector
from .hulls import Polyhedron

_INDEXED = ("body", "joint", "spring", "drive", "latch", "rope", "hold", "end", "held", "grip", "soft", "pinned", "tie")


class Table:
    """Rows of a group, one dictionary each."""

    def __init__(self, group: type) -> None:
        self.group = group
        self.fields = fields(group)
        self.rows: list[dict] = []

    def add(self, **values) -> int:
        """Append a row; fields not given are zero. Returns its number."""
        unknown = values.keys() - self.fields.keys()
        if unknown:
            raise TypeError(f"{self.group.__name__} has no field {sorted(unknown)}")
        self.rows.append(values)
        return len(self.rows) - 1

    def freeze(self):
        """The group of arrays."""
        group: Any = allocate(self.group, len(self.rows))
        for k, row in enumerate(self.rows):
            for name, value in row.items():
                getattr(group, name)[k] = value
        return group


class Place(NamedTuple):
    """A named place: a body and a frame in that body's solver frame (centre of mass, principal axes)."""

    body: int
    frame: Pose


class Draft:
    """What the passes of the compiler add to."""

    def __init__(self, scene) -> None:
        from ..model.bodies import Bodies, Motion
        from ..model.joints import Coordinates, Drives, Joints
        from ..model.rods import Rods
        from ..model.shapes import Shapes
        from ..model.soft_contacts import Ties
        from ..model.springs import Springs

        self.scene = scene
        self.bodies, self.motion, self.shapes = Table(Bodies), Table(Motion), Table(Shapes)
        self.joints, self.rods, self.coordinates = Table(Joints), Table(Rods), Table(Coordinates)
        self.drives, self.springs, self.ties = Table(Drives), Table(Springs), Table(Ties)
        self.hulls: list[Polyhedron] = []
        self.fields: list = []
        self.places: dict[str, Place] = {}
        self.excluded: set[tuple[int, int]] = set()
        self.controls: dict[str, Control] = {}
        self.signals: list[tuple[int, Signal, Thing]] = []  # (drive, signal, who asked)
        self.loads: list = []
        self.point_ropes: list = []
        self.clamped: set[str] | None = None  # names of what clamps hold, once asked for
        self.soft: list = []
        self.winds: list = []
        self.refused: list[SceneError] = []  # what methods cannot do, said all at once
        self.index: dict[str, dict[str, Any]] = {k: {} for k in _INDEXED}
        self.driven: list[tuple[int, Any]] = []  # (body, what has a pose and a motion: a Body, or a pin that moves)
        self.warnings: list[str] = []

    def place(self, user, role: str, name: str) -> Place:
        """The place `name`, on behalf of `user`."""
        if isinstance(name, str) and name in self.places:
            return self.places[name]
        if isinstance(name, str) and "@" in name:
            from .ropes import place_on_rope

            return place_on_rope(user, role, name, self.index["rope"])
        raise no_place(user, role, name, things_of(self.scene))

    def world_pose(self, body: int) -> Pose:
        """The solver frame of a body at the start, world frame."""
        row = self.motion.rows[body]
        return Pose(row["position"], row["quaternion"])

    def world_point(self, place: Place, name: str) -> Vector:
        """Where a place is at the start; the end of a stretched rope is its point, not the end of its unstretched link."""
        rope, _, word = name.partition(".")
        if word in ("start", "end") and rope in self.index["rope"]:
            x, y, z = self.index["rope"][rope].points[0 if word == "start" else -1].tolist()
            return x, y, z
        return self.world_pose(place.body).then(place.frame).position
