"""Model (what a step reads), State (what it changes; a snapshot is exactly it) and Workspace (what may be thrown away)."""

from typing import Annotated, NamedTuple

from .blocks import Blocks
from .bodies import Bodies, History, Motion, Push
from .contacts import Contacts
from .islands import Islands, Outcome
from .joints import Coordinates, CoordinateState, Drives, DriveState, Joints, JointState
from .point_ropes import PointRopes, PointRopeState, PointRopeWork
from .ports import Ports
from .rods import Rods, RodWork
from .rows import SYSTEM, ContactWork, FewContacts, JointWork, Law, Lean, Rows, SpringSystem, Start, TreeWork
from .schema import Array, allocate, index, real
from .sets import Cordage, Drivetrain, Linkage, Movers, Sets, Softwork, Springwork, Touch
from .shapes import Excluded, Fields, Hulls, Shapes
from .soft_contacts import SoftContacts, SoftRows, Surfaces, Ties, TieState
from .soft_things import SoftState, SoftThing
from .springs import Springs, SpringState


class Model(NamedTuple):
    """Everything that a step reads and never writes."""

    gravity: tuple[float, float, float]
    drag: float
    bodies: Bodies
    shapes: Shapes
    hulls: Hulls
    fields: Fields
    excluded: Excluded
    joints: Joints
    rods: Rods
    coordinates: Coordinates
    drives: Drives
    springs: Springs
    point_ropes: PointRopes
    blocks: Blocks
    surfaces: Surfaces
    ties: Ties
    soft: tuple[SoftThing, ...] = ()


class Clock(NamedTuple):
    """Time and what has been put in from outside."""

    time: Annotated[Array, real("1", "s", "simulated")]
    work: Annotated[Array, real("1", "J", "done by motors, motions and forces from outside")]
    control: Annotated[Array, real("n", "as the control says", "where the controls stand")]


class Damage(NamedTuple):
    """What has come to harm."""

    broken: Annotated[Array, index("n", "1 of a mover that was pressed harder than it bears")]


class State(NamedTuple):
    """Everything that a step writes."""

    clock: Clock
    damage: Damage
    motion: Motion
    history: History
    push: Push
    joints: JointState
    coordinates: CoordinateState
    drives: DriveState
    sprung: Springs
    """The model's springs, then those of grips on bodies (hands/grip_on_body.py)."""
    springs: SpringState
    point_ropes: PointRopeState
    soft: SoftState
    tied: Ties
    """The model's ties, then those of attachments that were made while the world ran (hands/holding.py)."""
    ties: TieState
    contacts: Contacts
    soft_contacts: SoftContacts


class Workspace(NamedTuple):
    """Scratch."""

    ports: Ports
    joint_rows: Rows
    joint_work: JointWork
    tree: TreeWork
    rod_work: RodWork
    start: Start
    coordinate_rows: Rows
    lean: Lean
    drive_law: Law
    spring_rows: Rows
    spring_law: Law
    spring_system: SpringSystem
    contact_work: ContactWork
    few_contacts: FewContacts
    rope_work: PointRopeWork
    soft_rows: SoftRows
    islands: Islands
    outcome: Outcome


def workspace(model: Model, state: State) -> Workspace:
    """Scratch for a model and for the tables of a state: of contacts, springs and ties."""
    contacts, soft_contacts = len(state.contacts.separation), len(state.soft_contacts.separation)
    b, j = len(model.bodies.mass), len(model.joints.kind)
    c, d, s = len(model.coordinates.kind), len(model.drives.law), len(state.sprung.stiffness)
    ports = allocate(Ports, b, b=len(model.blocks.kind))._replace(
        inverse_mass=model.bodies.inverse_mass, block_kind=model.blocks.kind)
    ports.block[:] = -1
    for k in range(len(model.blocks.kind)):
        ports.block[model.blocks.body[model.blocks.first[k]:model.blocks.first[k + 1]]] = k
    ropes, rope_rows, ties = len(model.point_ropes.rope), len(model.point_ropes.row), len(state.tied.mover)
    loops = 6 * int((model.joints.outer < 0).sum())
    islands = allocate(Islands, b=b, i=b + 1, j=j, s=s, d=d, c=contacts, r=ropes, t=ties, u=soft_contacts,
                       m=max(b, j, s, d, contacts, ropes, ties, soft_contacts))
    return Workspace(ports, allocate(Rows, 6 * j), allocate(JointWork, j),
                     allocate(TreeWork, b=b, j=j, r=6 * j, l=loops, m=loops + 1), allocate(RodWork, len(model.rods.table)),
                     allocate(Start, b=b), allocate(Rows, c), allocate(Lean, c),
                     allocate(Law, d),
                     allocate(Rows, s), allocate(Law, s), allocate(SpringSystem, r=3 * s + d), allocate(ContactWork, contacts),
                     allocate(FewContacts, contacts, r=3 * (contacts + s) + d, s=max(SYSTEM, loops), d=d),
                     allocate(PointRopeWork, r=rope_rows, s=6 * rope_rows),
                     allocate(SoftRows, b=b if model.soft else 0, c=soft_contacts, t=ties), islands, allocate(Outcome, b))


def sets_of(m: Model, s: State, w: Workspace) -> Sets:
    """The same arrays as a substep takes them."""
    return Sets(
        Movers(m.bodies, w.ports, s.motion, s.push, w.start, s.history),
        Linkage(m.joints, s.joints, w.joint_rows, w.joint_work, w.tree, m.rods, w.rod_work),
        Drivetrain(m.coordinates, s.coordinates, w.coordinate_rows, w.lean, m.drives, s.drives, w.drive_law),
        Springwork(s.sprung, s.springs, w.spring_rows, w.spring_law, w.spring_system),
        Touch(w.contact_work, w.few_contacts))


def cordage_of(m: Model, s: State, w: Workspace) -> Cordage:
    """The ropes of points and elements."""
    return Cordage(m.point_ropes, s.point_ropes, w.rope_work)


def softwork_of(m: Model, s: State, w: Workspace) -> Softwork:
    """Ties and contacts of soft things."""
    return Softwork(s.soft_contacts, s.tied, s.ties, w.soft_rows, m.shapes)
