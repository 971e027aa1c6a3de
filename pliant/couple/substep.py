"""The substeps of an island: kick, sweep the rows to their goals, move, relax.

A substep solves the rows so that joints close, limits hold and contacts part at the end of it, moves the bodies by the
velocities found, and sweeps once more where they have come to, for velocities alone. For joints that is the scheme of
Andersen's RATTLE: second order, and a pendulum keeps its energy; for contacts it is the relaxation of a soft step, by
which correcting a position leaves no speed behind.

Forces from outside act before the move, as the implicit Euler scheme of springs and contacts has it; on free bodies and
joints, also those with drives, half of them act after it, and half of what drives give, which makes the whole
second order: a free body follows its parabola exactly.

Joints that still gape where the bodies have come to, and limits that are missed there, are aimed at again, from the start of
the substep; if that does not close them, or a tree of joints has gained or lost energy, or springs have gained any, the substep
is taken again in halves. One that cannot be halved any more gives up what it has gained; if it cannot, or tears joints, as of
bars that lie exactly straight, the bodies stand where they were.
"""

from math import inf

from .._jit import entry, merged
from ..model.contacts import Contacts
from ..model.islands import Islands, Outcome
from ..model.sets import Sets
from ..model.shapes import Shapes
from ..solvers.rows.few_ropes import has_rods
from .bear import bear
from .finish import finish_contacts, note_rows
from .manner import GAPING, Settings, Substep, first_ticks, least_ticks, manner_of
from .move import energy_of, has_driven, push_work, steer
from .phases import aim, arrive, grazing, set_out
from .prepare import doubled, enter_island, halved, has_joints, place_joints
from .spring_energy import UNWATCHED
from .verdict import TORN, judge, stand_still
from .ways import is_stiff
from .weigh import carry, closing_work, weigh

WRENCHED, DRIFTED, WIDER = 1e-3, 3e-5, 1.001
"""Joints that gape further [m or rad] in the finest substep are wrenched: all stands. The second of what is driven and touches
nothing, and so much wider than before [-]: motors that contradict each other in a loop opened one by 1e-5 m in each substep."""


@entry
def solve_islands(sets: Sets, shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, first: int, last: int,
                  dt: float, substeps: int, iterations: int, tolerance: float, gravity: tuple, drag: float) -> None:
    """Advance islands `first` to `last` by `dt` [s]. Writes: all states, scratch and outcome of those islands"""
    linkage, settings = sets.linkage, Settings(dt, substeps, iterations, tolerance, gravity, drag)
    for i in range(first, last):
        if not (has_rods(linkage.joints, islands, i) or islands.first_rope[i] < islands.first_rope[i + 1]):
            enter_island(sets, shapes, contacts, islands, outcome, i)
            solve_island(sets, contacts, islands, outcome, i, settings)


@merged
def solve_island(sets, contacts, islands, outcome, i, settings):
    """Advance one island, in substeps as long as what becomes of them lets them be. Writes: as `solve_islands`"""
    movers, dt, gravity = sets.movers, settings.dt, settings.gravity
    outcome.stiff[i] = 1 if is_stiff(sets.springwork, movers, islands, i, dt / settings.substeps) else 0
    manner = manner_of(movers, sets.linkage, sets.drivetrain, sets.touch, islands, i, settings.iterations,
                       outcome.stiff[i])
    outcome.heavy[i] = 1 if manner.heavy else 0
    left, ticks, fresh, calm, apart, stood = settings.substeps * manner.parts, manner.parts, True, True, 0.0, 0
    tick = dt / left
    if manner.driven and manner.looped:
        ticks = first_ticks(movers, islands, i, manner, dt / settings.substeps)
    while left > 0:
        least = least_ticks(manner, outcome.substeps[i], settings.substeps)
        calm = calm or ticks < least
        longer = 2 if calm and ticks < manner.parts and left > ticks and (left - ticks) % (2 * ticks) == 0 else 1
        substep = Substep(ticks * tick, energy_of(movers, islands, i, gravity), ticks <= least, longer)
        steer(movers, islands, i, dt - left * tick + 0.5 * substep.h)
        rest = left // ticks if stood > 0 else 1  # from rest it would stand again
        kept, calm, fresh, apart, strayed = attempt(sets, islands, outcome, i, manner, settings, substep, calm, fresh, apart,
                                                    rest)
        if not kept:
            ticks, fresh = halved(sets, islands, i, ticks), True
            continue
        left = left - rest * ticks if fresh else left - ticks
        stood = 1 if fresh and not manner.sprung else 0
        if stood > 0:
            outcome.unruly[i] = max(outcome.unruly[i], outcome.residual[i])
        outcome.drift[i] = max(outcome.drift[i], apart)
        pushed = push_work(movers, islands, i, substep.h)
        outcome.work[i] += pushed + strayed
        energy = inf if manner.sprung else substep.energy + pushed
        finish_contacts(sets.touch, contacts, movers, islands, outcome, i, grazing(settings), dt, left == 0,
                        manner.parts / ticks, has_joints(islands, i), gravity, energy)
        outcome.substeps[i] += 1
        if longer == 2:
            ticks = doubled(sets, islands, i, ticks)
    if fresh and has_joints(islands, i):  # the last substep stood: coordinates are where the bodies are
        place_joints(movers, sets.linkage, sets.drivetrain, islands, i, tick, 0.0)


@merged
def attempt(sets, islands, outcome, i, manner, settings, substep, calm, fresh, apart, rest):
    """Take one substep, which stands for `rest` of them if the bodies stand in it.

    Returns whether it is kept, whether it was `calm`, whether bodies are to be placed anew (`fresh`), how far joints stand
    `apart` now [m], and `strayed_work` [J]. Writes: motion, impulses, scratch, outcome
    """
    apart, stored = set_out(sets, islands, i, substep.h, manner, settings, fresh, apart)
    gap, off, met = aim(sets, islands, outcome, i, substep.h, manner, settings)
    closed, steady, fresh, finest = gap < manner.gaping and off < GAPING, True, False, substep.finest
    drift, lifted, strayed, outcome.slowed[i] = 0.0, 0.0, 0.0, 0
    torn = max(DRIFTED, WIDER * apart) if manner.driven else max(WRENCHED, TORN * apart)
    if finest and not manner.free and not gap < torn and abs(substep.energy) < inf:
        fresh = give_up(sets, islands, outcome, i, settings, substep, stored, gap)
    if not fresh and (closed or finest):
        sweeps = 0 if met and not manner.touched else settings.iterations
        drift, lifted = arrive(sets, islands, outcome, i, manner, settings, substep, closed, sweeps, stored != UNWATCHED)
        steady, calm, fresh = judge(sets, islands, outcome, i, manner, settings, substep, lifted, gap, apart)
    if (finest or (closed and steady)) and (manner.sprung or has_joints(islands, i)):
        shut = max(apart - drift, 0.0)
        lifted += closing_work(sets, islands, i, settings.gravity, shut, substep.h) if stored != UNWATCHED else 0.0
        kept, easy, fresh, strayed = end_rows(sets, islands, outcome, i, manner, settings, substep, stored, lifted, fresh, rest)
        steady, calm = steady and kept, calm and easy
    return finest or (closed and steady), calm, fresh, apart if fresh else drift, strayed


@merged
def give_up(sets, islands, outcome, i, settings, substep, stored, gap):
    """The finest substep, whose joints gape all the same: the bodies stand where they were, or go along with what is driven.

    Returns whether they do. Writes: motion, impulses, scratch, outcome
    """
    if stored != UNWATCHED and has_driven(sets.movers, islands, i):
        return carry(sets, islands, outcome, i, substep.h, settings.gravity, substep.energy + stored, gap / substep.h)
    return stand_still(sets, islands, outcome, i, gap, substep.h)


@merged
def end_rows(sets, islands, outcome, i, manner, settings, substep, stored, lifted, fresh, rest):
    """Weigh what springs have made of a substep, and note what rows did in it, if it is kept or the finest.

    Returns whether it is kept, whether that was easy, whether bodies were put where they have to be placed anew (`fresh`), and
    `strayed_work` [J]. Writes: motion, impulses, as note_rows
    """
    kept, easy, strayed = True, True, 0.0
    if stored != UNWATCHED and not fresh:
        kept, easy, fresh = weigh(sets, islands, outcome, i, settings.gravity, substep, stored, lifted)
    if kept or substep.finest:
        dt = settings.dt / rest if fresh else settings.dt
        if fresh or outcome.slowed[i] == 1:
            bear(sets, islands, i, substep.h, dt, settings.gravity, settings.drag, fresh, rest)
        strayed = note_rows(sets, islands, outcome, i, substep.h, dt, 0.0, manner.implicit, not fresh)
    return kept, easy, fresh, strayed
