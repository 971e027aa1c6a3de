"""Cloth and solids to arrays: vertices among the movers, the model that their solver reads, pins and loads on vertices."""

from typing import Any, NamedTuple

import numpy as np

from ..math.svd3 import LANES
from ..model.bodies import DRIVEN, DYNAMIC
from ..model.soft import Elements, SoftModel, Vertices
from ..model.soft_things import VERTEX, SoftState, SoftThing, VertexPin
from ..scene.attachment import Pin
from ..scene.cloth import Cloth, Wind
from ..scene.control import Load
from ..scene.errors import fail, unknown_control
from ..scene.patch import PatchMesh
from ..scene.places import NEAR, check_vertices
from ..scene.pose import Pose
from ..scene.soft import Soft, numbers_of
from ..scene.solid import Solid
from ..scene.vertex_words import soft_and_words
from .cells import cell_volumes
from .draft import Draft, Place
from .holds import Moved
from .motions import Driver

_SAME = (1.0, 0.0, 0.0, 0.0)
STRAIN_WEIGHT, VOLUME_WEIGHT = 9, 10  # in the table of a cell
RELIEF = 1e-3
"""Error of a patch's mass, as a share of the relief's own [-]."""


class SoftIndex(NamedTuple):
    """Where a soft thing lies in the arrays."""

    first: int
    """Mover of its first vertex."""
    size: int
    """How many vertices it has."""
    number: int
    """Its place among the soft things."""


class SoftDraft:
    """A soft thing while it is still being pinned."""

    def __init__(self, thing: Soft, model: SoftModel, mass: np.ndarray, face_mass: np.ndarray) -> None:
        self.thing, self.model, self.mass, self.face_mass = thing, model, mass, face_mass
        self.pins: list[VertexPin] = []
        self.holder: dict[int, str] = {}


def draft_soft(thing: Soft, into: Draft) -> None:
    """Vertices, side by side in the table of movers."""
    me: Any = thing
    model, mass, face_mass = (_cloth if isinstance(thing, Cloth) else _solid)(me)
    first = len(into.bodies.rows)
    for m, x in zip(mass.tolist(), thing.placed(), strict=True):
        into.bodies.add(kind=DYNAMIC, link=VERTEX, mass=m, inverse_mass=1.0 / m)
        into.motion.add(position=x, quaternion=_SAME, velocity=me.velocity)
    into.index["soft"][thing.name] = SoftIndex(first, len(mass), len(into.soft))
    into.soft.append(SoftDraft(thing, model, mass, face_mass))


def _cloth(thing: Cloth) -> tuple[SoftModel, np.ndarray, np.ndarray]:
    """Model, masses of the vertices [kg] (n,) and of the triangles [kg] (m,)."""
    # With SciPy's sparse matrices, a third of a second that scenes without soft things need not wait.
    from ..patch.measure import gathered, surface_shares
    from ..solvers.soft.enclosure import with_filling
    from ..solvers.soft.mesh import cloth_model

    stuff = thing.stuff
    low, high = thing.strain or stuff.strain or (1.0, 1.0)
    model = cloth_model(thing.rest, thing.faces, stuff.density, stuff.young, stuff.poisson_ratio, thing.thickness,
                        bend=thing.bend, strain=(low, high), area=(low * low, high * high))
    if thing.volume > 0.0:
        patches = thing.mesh if isinstance(thing.mesh, PatchMesh) else None
        model = with_filling(model, thing.faces, thing.volume, patches, tolerance=RELIEF)
    corner = thing.rest[thing.faces]
    area = 0.5 * np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)
    mass = model.vertices.mass
    if isinstance(thing.mesh, PatchMesh):
        share = surface_shares(thing.mesh, None, RELIEF)
        area, mass = share.sum(axis=1), stuff.density * thing.thickness * gathered(thing.faces, share, len(thing.rest))
    return _weighed(model, mass), mass, stuff.density * thing.thickness * area


def _solid(thing: Solid) -> tuple[SoftModel, np.ndarray, np.ndarray]:
    """Model and masses of the vertices [kg] (n,); wind does not drag at solids."""
    from ..patch.measure import vertex_volumes
    from ..solvers.soft.mesh import solid_model
    from ..solvers.soft.patches import with_patches

    stuff, (rest, cells), filled = thing.stuff, thing.filling, thing.quality.filled
    # Cubes stand out of a surface here and lie inside it there: mass and stiffness are those of the volume that it bounds.
    part = 1.0 / filled
    given = {"strain": thing.strain, "volume": thing.volume}
    if stuff.strain is not None:
        low, high = stuff.strain
        given = {"strain": (low, high) if thing.strain is None else thing.strain,
                 "volume": (low**3, high**3) if thing.volume is None else thing.volume}
    ranges = {field: value for field, value in given.items() if isinstance(value, tuple)}
    model = solid_model(rest, cells, part * stuff.density, part * stuff.young, stuff.poisson_ratio, examples=thing.examples,
                        example_stiffness=part * (thing.example_stiffness or 0.0),
                        in_groups=not isinstance(thing.mesh, PatchMesh) and not isinstance(thing.volume, float), **ranges)
    for column, stiffness in ((STRAIN_WEIGHT, thing.strain), (VOLUME_WEIGHT, thing.volume)):
        if isinstance(stiffness, float):
            _weigh(model.cells, column, part * stiffness * cell_volumes(rest, cells))
    mass = model.vertices.mass
    if isinstance(thing.mesh, PatchMesh):
        model = with_patches(model, thing.mesh, RELIEF)
        mass = stuff.density * vertex_volumes(thing.mesh, RELIEF)
    return _weighed(model, mass), mass, np.zeros(len(thing.faces))


def _weigh(cells: Elements, column: int, weights: np.ndarray) -> None:
    """Give the cells other weights [N m] (c,); lanes that only fill up the last block keep none."""
    padded = np.zeros(len(cells.table) * LANES)
    padded[:len(weights)] = weights
    cells.table[:, column * LANES:(column + 1) * LANES] = padded.reshape(-1, LANES)


def _weighed(model: SoftModel, mass: np.ndarray) -> SoftModel:
    """The same with masses of its own [kg] (n,)."""
    return model._replace(vertices=Vertices(mass.copy(), 1.0 / mass, model.vertices.rest.copy()))


def on_soft(name: Any, into: Draft) -> bool:
    """Whether a name means a soft thing or vertices of one."""
    found = soft_and_words(name)
    return name in into.index["soft"] or (found is not None and found[0] in into.index["soft"])


def vertices_of(user, role: str, name: str, into: Draft) -> tuple[SoftIndex, np.ndarray]:
    """The vertices that a place names; all of a thing whose name stands alone."""
    if name in into.index["soft"]:
        index = into.index["soft"][name]
        return index, np.arange(index.size)
    thing, numbers = numbers_of(user, role, name, {one.thing.name: one.thing for one in into.soft})
    return into.index["soft"][thing.name], numbers


def hold_vertices(user, one: SoftDraft, numbers: np.ndarray) -> None:
    """Note who holds these vertices; each has one holder."""
    twice = [v for v in numbers.tolist() if v in one.holder]
    if twice:
        raise fail(user, f"vertex {twice[0]} of '{one.thing.name}' is held by '{one.holder[twice[0]]}' already; a vertex "
                         "has one holder, leave it out of one of them.")
    one.holder |= dict.fromkeys(numbers.tolist(), user.name)


def draft_soft_pin(thing: Pin, into: Draft) -> None:
    """Vertices that stay, or that a motion moves together about their middle."""
    index, numbers = vertices_of(thing, "what", thing.what, into)
    check_vertices(thing)
    one = into.soft[index.number]
    hold_vertices(thing, one, numbers)
    places = one.thing.placed()[numbers]
    x, y, z = places.mean(axis=0).tolist()
    if thing.position is not None:
        distance = float(np.linalg.norm(np.subtract(thing.position, (x, y, z))))
        if distance > NEAR:
            raise fail(thing, f"the middle of '{thing.what}' is {distance:.4g} m away from where it is to be held; move one of "
                              "them there.")
        x, y, z = thing.position
    driver = None if thing.motion is None else Driver(-1, Moved(thing, (x, y, z), _SAME))
    row = sum(len(other.pins) for other in into.soft)
    into.index["pinned"][thing.name] = (index.number, len(one.pins), row)
    one.pins.append(VertexPin(thing.name, row, numbers, places - np.array([x, y, z]), driver))
    one.model.vertices.mass[numbers] = one.model.vertices.inverse_mass[numbers] = 0.0
    for k in (index.first + numbers).tolist():
        into.bodies.rows[k].update(kind=DRIVEN, mass=0.0, inverse_mass=0.0)
        into.motion.rows[k]["velocity"] = (0.0, 0.0, 0.0)


def draft_soft_load(thing: Load, into: Draft) -> None:
    """A force shared evenly by vertices."""
    place = soft_place(thing, thing.on, into)
    if any(thing.torque) or thing.follow:
        raise fail(thing, f"{'torque' if any(thing.torque) else 'follow'} is given, but vertices do not turn; give forces on "
                          "several of them.")
    fx, fy, fz = (c / len(place.body) for c in thing.force)  # type: ignore[arg-type]
    into.loads.append((place, thing.replace(force=(fx, fy, fz))))


def soft_place(user, name: str, into: Draft) -> Place:
    """A place whose body is the array of all movers that a name means."""
    index, numbers = vertices_of(user, "on", name, into)
    return Place(index.first + numbers, Pose())  # type: ignore[arg-type]


def draft_wind(thing: Wind, into: Draft) -> None:
    """Wind blows on all cloth."""
    for name in [thing.scale] if isinstance(thing.scale, str) else thing.scale if isinstance(thing.scale, dict) else []:
        if name not in into.controls:
            raise unknown_control(thing, "the control of its scale", name, list(into.controls))
    into.winds.append(thing)


def freeze_soft(into: Draft) -> tuple[SoftThing, ...]:
    """What the solver reads, thing after thing."""
    out, share, row = [], 0, 0
    for name, index in into.index["soft"].items():
        one = into.soft[index.number]
        me: Any = one.thing
        patches = me.mesh if isinstance(me.mesh, PatchMesh) else None
        out.append(SoftThing(name, index.first, one.model, one.mass, me.method, me.iterations,
                             np.array(one.thing.faces, np.int32), one.face_mass, getattr(me, "pressure", 0.0),
                             patches, tuple(one.pins), share, row, index.number))
        share, row = share + len(one.model.examples.gram), row + len(one.mass)
    if into.winds and not any(isinstance(one.thing, Cloth) for one in into.soft):
        into.warnings.append(f"Wind '{into.winds[0].name}': there is no cloth for it to blow on.")
    return tuple(out)


def soft_state(things: tuple[SoftThing, ...]) -> SoftState:
    """The state at the start: solids are nearest to their own shape."""
    shares = [np.eye(1, len(one.model.examples.gram)).ravel() for one in things if len(one.model.examples.gram)]
    pins = sum(len(one.pins) for one in things)
    held = [np.full(len(one.mass), -1, np.int32) for one in things]
    for one, rows in zip(things, held, strict=True):
        for pin in one.pins:
            rows[pin.vertex] = pin.row
    count, movers = sum(len(one.mass) for one in things), max((one.movers.stop for one in things), default=0)
    return SoftState(np.zeros((pins, 3)), np.zeros((pins, 3)),
                     np.concatenate(held) if held else np.zeros(0, np.int32), np.zeros(count), np.zeros((count, 3)),
                     np.concatenate(shares) if shares else np.zeros(0), np.zeros(movers),
                     np.tile((1.0, 0.0, 1.0, 0.0), (len(things), 1)), np.zeros((count, 3)), np.zeros(len(things)),
                     np.ones(len(things)))
