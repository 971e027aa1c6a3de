"""Restitution: what met fast enough parts again, all of an island together, through its joints too.

After a substep surfaces that met stand still against each other. Pushes along their normals alone then make them part with e
times the speed they met with, and joints hold, so that an impact never ends with more energy than e^2 of what was in the
normal speeds leaves it. Of loose bodies friction then has its share of the whole push, which takes energy; on joints it stays
as it was.
"""

from .._jit import kernel, stage
from ..model.islands import Islands
from ..model.rows import BEFORE, CHOSEN, IMPULSE, REBOUND
from ..model.sets import Sets
from ..solvers.rows.contact_end import bounce_contact, part_few, rebounds
from ..solvers.rows.contact_pair import load_pair, pushed_at, store_pair
from ..solvers.rows.few_contacts import answer_few
from .joints_at_once import sweep_joints
from .move import energy_of, has_driven
from .sweep import FACTORINGS, sweep_driven
from .ways import takes_drives

BOUNCES, SETTLED = 20, 1e-9
"""Sweeps of an impact at most, and the change of speed [m/s] that ends them."""


@kernel
def note_rebounds(work, islands, i, threshold):
    """With which speeds contacts that met fast enough shall part; whether any does. Writes: work"""
    found = False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        work.table[k, REBOUND] = rebounds(k, work, threshold)
        found |= work.table[k, REBOUND] > 0.0
    return found


@kernel
def has_bounced(work, islands, i):
    """Whether contacts have parted as `note_rebounds` said."""
    found = False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        found |= work.table[islands.contact[m], REBOUND] > 0.0
    return found


@kernel
def bounce_contacts(work, movers, islands, i, threshold, gravity, energy):
    """Let all that met fast enough part again, together; whether any did. Writes: work, velocities

    All contacts that press ask for v_n >= e |v_n before|, e of each its own, and push no more than that takes. With one and
    the same e for all of them this keeps e^2 of the energy of the impact (Moreau), if they are met together: hence sweeps.
    Contacts that parted before and press now ask for 0, and what spins has turned since it met: the island ends with no more
    than the `energy` [J] it began with all the same.
    """
    found = note_rebounds(work, islands, i, threshold)
    if not found:
        return False
    met = energy_of(movers, islands, i, gravity)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        work.table[islands.contact[m], BEFORE] = work.table[islands.contact[m], IMPULSE]
    for _ in range(BOUNCES):
        if sweep_bounces(work, movers.motion, islands, i) < SETTLED:
            break
    parted, most = energy_of(movers, islands, i, gravity), max(energy, met)
    if parted > most and not has_driven(movers, islands, i):
        take_back(work, movers.motion, islands, i, (most - met) / (parted - met))
    return True


@kernel
def take_back(work, motion, islands, i, kept):
    """Keep such a share [-] of what contacts have pushed since they met, and no more of its energy: that is convex.

    Writes: work, velocities
    """
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        a, b, extra = work.body[k, 0], work.body[k, 1], (kept - 1.0) * (work.table[k, IMPULSE] - work.table[k, BEFORE])
        store_pair(motion, a, b, pushed_at(work.table, k, load_pair(motion, a, b), extra, 0.0, 0.0))
        work.table[k, IMPULSE] += extra


@kernel
def sweep_bounces(work, motion, islands, i):
    """Let all that press part, one after another; returns the largest change of speed [m/s]. Writes: work, velocities"""
    change = 0.0
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        if work.table[k, IMPULSE] > 0.0 or work.table[k, REBOUND] > 0.0:
            change = max(change, bounce_contact(k, motion, work, work.table[k, REBOUND]))
    return change


@stage
def bounce_linked(sets: Sets, islands: Islands, i: int, h: float, few: bool, tolerance: float) -> None:
    """The same of bodies on joints, as `note_rebounds` has noted it: few contacts at once, as they answer through the trees.

    Writes: touch, impulses, velocities, scratch
    """
    movers, linkage, drivetrain, springwork, touch = sets
    work, motion, first, last = touch.work, movers.motion, islands.first_contact[i], islands.first_contact[i + 1]
    taken, fresh = takes_drives(drivetrain, islands, i), FACTORINGS
    for turn in range(BOUNCES):
        if few and turn == 0:
            for m in range(first, last):
                k = islands.contact[m]
                touch.few.state[m, CHOSEN] = 1.0 if work.table[k, IMPULSE] > 0.0 or work.table[k, REBOUND] > 0.0 else 0.0
            answer_few(linkage, springwork, touch, movers.bodies.tree, movers.ports, motion, islands, i, 0,
                       drivetrain, 0)
        change = part_few(touch, motion, islands, i) if few else sweep_bounces(work, motion, islands, i)
        if taken:
            _, _, _, fresh = sweep_driven(movers, linkage, drivetrain, linkage.state.relaxed, islands, i, h, tolerance, True,
                                          fresh, True, True)
        else:
            sweep_joints(linkage, movers.bodies.tree, movers.ports, motion, linkage.state.relaxed, islands, i, True)
        if change < SETTLED:
            break
