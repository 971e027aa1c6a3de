"""How the rows of an island are swept: in how many turns, which of them are solved at once, and with what."""

from typing import NamedTuple

from .._jit import kernel, merged
from ..model.rows import BOUND, SWEPT
from ..solvers.rows.drive_halves import takes_halves
from ..solvers.rows.spring import resistance
from ..solvers.rows.who_is_few import are_few, are_few_beside_ropes, are_springs_few, has_loops
from .drive_system import may_settle
from .prepare import has_joints
from .together import has_swept_bounds, has_swept_coils, looks_ahead, may_go_together

FEW_SWEEPS = 2
"""Sweeps before few contacts are solved at once, where other rows take part."""
SETTLINGS = 2
"""How often few contacts and springs, which sweeps have left open, are solved at once and the other rows after them."""
SPRING_SETTLINGS, DRIVEN_SETTLINGS, TOUCHED_SETTLINGS = 8, 24, 6
"""The same of springs on joints that touch nothing: as often as motors and limits may have to change sides; of drives that are
solved together, as often as friction may have to follow the reactions that it changes; and of contacts on driven joints, which
are solved together with the drives once these have changed sides."""
PATIENCE, SPRUNG_PATIENCE = 25, 4
"""An island without contacts may take so many times more sweeps: they converge, and little else stands in their way. One with
contacts, and more stiff springs on joints than are solved at once, the second: the usual few bring these nowhere (low-loaders
of 64 bushings of 1e7 N/m stood still with 6 sweeps, and drove with 24)."""
STIFF = 5.0
"""From here on springs are stiff [-]: those of a scout on coils are 2 in a substep of 1/60 s, and sweeps suffice; tie rods of a
car that stood still so are 24 and more, bushings of low-loaders 15."""


class Way(NamedTuple):
    """What is in an island, and what is done with it."""

    sprung: bool
    """Springs are in it."""
    driven: bool
    """Drives are."""
    taken: bool
    """Trees take some of these."""
    jointed: bool
    """Joints are."""
    touched: bool
    """Contacts are."""
    alone: bool
    """Nothing but what trees solve exactly is in it."""
    hard: bool
    """Springs and drives may be solved at once where sweeps do not settle them."""
    few: bool
    """Its contacts, its springs, or its drives are solved at once after the sweeps."""
    ahead: bool
    """Contacts reckon with speeds that sweeps do not know."""
    bounded: bool
    """Drives with bounds may be solved together with contacts."""
    together: bool
    """They are from the start, as trees have no room for them; without contacts too, where sweeps would take hundreds."""
    iterations: int
    """Sweeps, at most."""
    settlings: int
    """Times that few are solved at once after them, at most."""
    patience: int
    """Sweeps after these, at most, where that scatters springs on driven joints."""


@merged
def way_of(sets, islands, i, iterations, stiff):
    """How the rows of island `i` are swept, `iterations` times at most; 1 if its springs are `stiff`."""
    movers, linkage, drivetrain, _, touch = sets
    sprung, driven = islands.first_spring[i] < islands.first_spring[i + 1], islands.first_drive[i] < islands.first_drive[i + 1]
    jointed, touched, joints = has_joints(islands, i), is_touched(islands, i), linkage.joints
    alone = has_no_anvil(joints, islands, i) and (
        is_linkage(islands, i) or (driven and is_driven_tree(drivetrain, islands, i)))
    taken = driven and takes_drives(drivetrain, islands, i)
    settlings = settlings_of(movers, linkage, drivetrain, touch, islands, i, sprung, jointed, stiff)
    few = settlings > 0
    room = few if touched else jointed and not has_loops(joints, islands, i)
    bounded = driven and room and may_go_together(sets, islands, i)
    together = bounded and has_swept_bounds(sets, islands, i)
    bounded = together or (bounded and taken and touched)
    few = few or together
    if bounded:
        settlings = TOUCHED_SETTLINGS if touched else DRIVEN_SETTLINGS
    if not touched:
        iterations *= PATIENCE
    elif stiff == 1 and not few:
        iterations *= SPRUNG_PATIENCE
    return Way(sprung, driven, taken, jointed, touched, alone, (sprung or driven) and may_settle(joints, islands, i), few,
               few and jointed and looks_ahead(touch.work.course, islands, i), bounded, together,
               min(iterations, FEW_SWEEPS) if few else iterations, settlings,
               0 if touched or not (sprung and driven and few) else iterations)


@merged
def settlings_of(movers, linkage, drivetrain, touch, islands, i, sprung, jointed, stiff):
    """How often contacts and springs of an island may be solved at once in a sweep, 0 if they are not few."""
    if are_few(movers, linkage.joints, touch.work.body, islands, i, stiff):
        return SETTLINGS
    if not jointed:
        return 0
    if linkage.rods.table.shape[0] > 0 and (
            are_few_beside_ropes(movers, linkage.joints, touch.work.body, islands, i)):
        return SETTLINGS
    coiled = sprung or has_swept_coils(drivetrain, islands, i)
    return SPRING_SETTLINGS if coiled and are_springs_few(linkage.joints, islands, i) else 0


@kernel
def is_linkage(islands, i):
    """Whether an island is nothing but joints."""
    if islands.first_spring[i] < islands.first_spring[i + 1] or islands.first_drive[i] < islands.first_drive[i + 1]:
        return False
    return islands.first_contact[i] == islands.first_contact[i + 1]


@kernel
def is_stiff(springwork, movers, islands, i, h):
    """Whether a spring of an island resists what moves its ends STIFF times more than that does itself in a substep `h` [s].

    Writes: springwork.rows
    """
    found = False
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        found |= resistance(springwork.springs, islands.spring[m], movers.ports, movers.motion, springwork.rows, h) > STIFF
    return found


@kernel
def is_rigid(drivetrain, islands, i):
    """Whether an island is nothing but joints and drives that push in two halves: rows that are solved exactly."""
    only = islands.first_spring[i] == islands.first_spring[i + 1] and (
        islands.first_contact[i] == islands.first_contact[i + 1])
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        only &= takes_halves(drivetrain, islands.drive[m])
    return only


@kernel
def takes_drives(drivetrain, islands, i):
    """Whether trees take any drive of an island; beside ropes they take none."""
    found = False
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        found |= drivetrain.law.table[islands.drive[m], BOUND] != SWEPT
    return found


@kernel
def is_driven_tree(drivetrain, islands, i):
    """Whether an island is nothing but trees and loops of joints and drives that they take, solved once these are settled."""
    if islands.first_spring[i] < islands.first_spring[i + 1] or islands.first_contact[i] < islands.first_contact[i + 1]:
        return False
    only = True
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        only &= drivetrain.law.table[islands.drive[m], BOUND] != SWEPT
    return only


@kernel
def has_no_anvil(joints, islands, i):
    """Whether trees of an island are solved exactly: nothing that does not move is stood for by a mass."""
    exact = True
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        exact &= joints.anvil[islands.joint[m]] == 0.0 or joints.outer[islands.joint[m]] < 0
    return exact


@kernel
def is_touched(islands, i):
    """Whether an island has contacts."""
    return islands.first_contact[i] < islands.first_contact[i + 1]
