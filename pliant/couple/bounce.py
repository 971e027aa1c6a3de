"""Restitution: what met fast enough parts again, all of an island together, through its joints too.

After a substep surfaces that met stand still against each other. Pushes along their normals alone then make them part with e
times the speed they met with, and joints hold. An impact never ends with more energy than e^2 of what was in the normal speeds
leaves it, if these speeds, their answers and their levers belong together; what they do not share, and what friction between
them mixes, could give more, and then less is pushed. Of loose bodies friction then has its share of the whole push, which takes
energy; on joints it stays as it was.
"""

from math import inf, sqrt

from .._jit import kernel, merged, stage
from ..model.islands import Islands
from ..model.rows import BEFORE, CHOSEN, IMPULSE, REBOUND
from ..model.sets import Sets
from ..solvers.rows.contact_end import bounce_contact, note_meeting, part_few, rebounds
from ..solvers.rows.contact_pair import load_pair, pushed_at, store_pair
from ..solvers.rows.drive_halves import drive_work
from ..solvers.rows.few_contacts import answer_few
from .joints_at_once import sweep_joints
from .move import energy_of, has_driven, push_work
from .sweep import FACTORINGS, sweep_driven
from .ways import takes_drives

BOUNCES, SETTLED = 20, 1e-9
"""Sweeps of an impact at most, and the change of speed [m/s] that ends them."""
TRIES = 3
"""How often what an impact has gained is taken back: its energy goes with the square of the push, the last time by the chord
of that."""


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
def bounce_linked(sets: Sets, islands: Islands, i: int, h: float, few: bool, tolerance: float, gravity: tuple,
                  energy: float) -> None:
    """The same of bodies on joints, as `note_rebounds` has noted it: few contacts at once, as they answer through the trees.

    Where they end with more than the `energy` [J] that their substep began with, and what pushes and drives have done in it,
    contacts push less, so much that it is as much, and joints hold again. Writes: touch, impulses, velocities, scratch
    """
    movers, linkage, drivetrain, _, touch = sets
    met = energy_of(movers, islands, i, gravity)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        touch.work.table[islands.contact[m], BEFORE] = touch.work.table[islands.contact[m], IMPULSE]
    fresh = part_linked(sets, islands, i, h, few, tolerance)
    most = energy + push_work(movers, islands, i, h)
    if has_driven(movers, islands, i) or not most < inf:
        return
    for turn in range(TRIES):
        gained = energy_of(movers, islands, i, gravity) - met
        given = drive_work(linkage.joints, drivetrain, movers.motion, islands, i)
        share = max(most + given - met, 0.0) / gained if gained > 0.0 else 1.0
        if not share < 1.0:
            break
        take_back(touch.work, movers.motion, islands, i, sqrt(share) if turn + 1 < TRIES else share)
        fresh = hold_again(sets, islands, i, h, tolerance, fresh)


@merged
def part_linked(sets, islands, i, h, few, tolerance):
    """Let contacts part until joints leave it so; returns how many times more drives may be taken. Writes: as `bounce_linked`

    Drives that change sides answer otherwise: so then do contacts.
    """
    movers, linkage, drivetrain, springwork, touch = sets
    work, motion, fresh, known, first = touch.work, movers.motion, FACTORINGS, -1, islands.first_contact[i]
    for turn in range(BOUNCES):
        if few and known != fresh:
            known = fresh
            for m in range(first, islands.first_contact[i + 1]):
                k = islands.contact[m]
                touch.few.state[m, CHOSEN] = 1.0 if work.table[k, IMPULSE] > 0.0 or work.table[k, REBOUND] > 0.0 else 0.0
            answer_few(linkage, springwork, touch, movers.bodies.tree, movers.ports, motion, islands, i, 0, drivetrain, 0)
            if turn == 0:
                note_meeting(touch, motion, islands, i)
        change = part_few(touch, motion, islands, i) if few else sweep_bounces(work, motion, islands, i)
        fresh = hold_again(sets, islands, i, h, tolerance, fresh)
        if change < SETTLED:
            break
    return fresh


@kernel
def hold_again(sets, islands, i, h, tolerance, fresh):
    """Let joints hold, with the drives that trees take; returns how many times more these may change sides.

    Writes: impulses, velocities, scratch
    """
    movers, linkage, drivetrain = sets.movers, sets.linkage, sets.drivetrain
    if takes_drives(drivetrain, islands, i):
        _, _, _, fresh = sweep_driven(movers, linkage, drivetrain, linkage.state.relaxed, islands, i, h, tolerance, True, fresh,
                                      True, True)
    else:
        sweep_joints(linkage, movers.bodies.tree, movers.ports, movers.motion, linkage.state.relaxed, islands, i, True)
    return fresh
