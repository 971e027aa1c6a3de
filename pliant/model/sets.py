"""What belongs together in a substep: a model's part, its state and its scratch."""

from typing import NamedTuple

from .bodies import Bodies, History, Motion, Push
from .joints import Coordinates, CoordinateState, Drives, DriveState, Joints, JointState
from .point_ropes import PointRopes, PointRopeState, PointRopeWork
from .ports import Ports
from .rods import Rods, RodWork
from .rows import ContactWork, FewContacts, JointWork, Law, Lean, Rows, SpringSystem, Start, TreeWork
from .shapes import Shapes
from .soft_contacts import SoftContacts, SoftRows, Ties, TieState
from .springs import Springs, SpringState


class Movers(NamedTuple):
    """Bodies."""

    bodies: Bodies
    ports: Ports
    motion: Motion
    push: Push
    start: Start
    history: History


class Linkage(NamedTuple):
    """Joints."""

    joints: Joints
    state: JointState
    rows: Rows
    work: JointWork
    tree: TreeWork
    rods: Rods
    rod_work: RodWork


class Drivetrain(NamedTuple):
    """Coordinates and what acts on them."""

    coordinates: Coordinates
    place: CoordinateState
    rows: Rows
    lean: Lean
    drives: Drives
    state: DriveState
    law: Law


class Springwork(NamedTuple):
    """Springs between points."""

    springs: Springs
    state: SpringState
    rows: Rows
    law: Law
    system: SpringSystem


class Touch(NamedTuple):
    """Contacts."""

    work: ContactWork
    few: FewContacts


class Sets(NamedTuple):
    """All that a substep of bodies takes."""

    movers: Movers
    linkage: Linkage
    drivetrain: Drivetrain
    springwork: Springwork
    touch: Touch


class Cordage(NamedTuple):
    """Ropes of points and elements."""

    ropes: PointRopes
    state: PointRopeState
    work: PointRopeWork


class Softwork(NamedTuple):
    """What joins soft things to bodies and to each other."""

    contacts: SoftContacts
    ties: Ties
    state: TieState
    work: SoftRows
    shapes: Shapes
