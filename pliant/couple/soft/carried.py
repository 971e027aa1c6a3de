"""What carries soft things, a substep in compiled passes: begin, start, solve, answer, relax, finish. For carriers.py."""

from math import inf

from ..._jit import entry, kernel
from ...math.sym3 import load6
from ...model.contacts import Contacts
from ...model.islands import Islands, Outcome
from ...model.joints import ROD, ROTOR
from ...model.rows import ANSWERING, PUSH, SET_OUT
from ...model.sets import Linkage, Movers, Sets
from ...model.shapes import Shapes
from ...model.soft_contacts import SoftRows
from ...solvers.chain.measure import rod_energy
from ...solvers.rows.contact_pair import ZERO
from ...solvers.rows.drive import is_motor
from ...solvers.rows.drive_halves import coordinate_speed
from ...solvers.rows.who_is_few import are_few
from ...solvers.tree.forest import forget_answers, pass_trees, take_answers
from ..finish import finish_contacts, finish_rows, way_work
from ..implicit import note_gaps, place_again
from ..move import energy_of, go_back, keep_start, move_contacts, push_along, steer
from ..newton import newton
from ..predict import move_from, remember
from ..prepare import enter_island, prepare_inertia
from ..sweep import meet_contacts, sweep
from ..swing import add_impulses, push_late
from ..ways import is_touched
from .loose import set_out, turn_home


@entry
def begin_carriers(sets: Sets, shapes: Shapes, contacts: Contacts, islands: Islands, outcome: Outcome, i: int) -> None:
    """Begin a step. Writes: outcome, touch, ports, sums of the step"""
    enter_island(sets, shapes, contacts, islands, outcome, i)


@entry
def carried_energy(movers: Movers, linkage: Linkage, islands: Islands, i: int, gravity: tuple) -> float:
    """Kinetic and gravity's energy [J] of the bodies of an island that no motion drives, and what its rods store."""
    energy, joints = energy_of(movers, islands, i, gravity), linkage.joints
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        if joints.kind[islands.joint[m]] == ROD:
            energy += rod_energy(joints, islands.joint[m], linkage.rods.table, movers.motion)
    return energy


@entry
def start_carriers(sets: Sets, islands: Islands, i: int, h: float, step: int) -> None:
    """Begin substep number `step` of `h` [s].

    Writes: movers.start, .ports, drivetrain.rows, .place, .lean, touch.work, velocities of driven bodies
    """
    movers, linkage, drivetrain, touch = sets.movers, sets.linkage, sets.drivetrain, sets.touch
    prepare_inertia(movers, islands, i)
    steer(movers, islands, i, (step + 0.5) * h)
    keep_start(movers, islands, i)
    place_again(movers, linkage, drivetrain, islands, i)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        c = drivetrain.drives.coordinate[islands.drive[m]]
        drivetrain.lean.table[c, SET_OUT] = drivetrain.place.value[c]
    few = are_few(movers, linkage.joints, touch.work.body, islands, i, 0)
    meet_contacts(touch, movers.ports, movers.motion, islands, i, h, few, False, False)


@entry
def return_carriers(movers: Movers, islands: Islands, i: int) -> None:
    """To the start of a substep. Writes: motion"""
    go_back(movers, islands, i)


@entry
def solve_carriers(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, iterations: int, tolerance: float,
                   gravity: tuple, drag: float, led: bool) -> float:
    """The substep from its start, by implicit Euler as soft things have it, after joints have `led` or not.

    Returns what joints still miss [-].

    Writes: motion, impulses, scratch, outcome
    """
    movers = sets.movers
    go_back(movers, islands, i)
    set_out(movers, islands, i, h, drag)
    miss, _ = newton(sets, islands, outcome, i, False, h, 1.0, iterations, tolerance, gravity, drag, led, True)
    return miss


@entry
def answer_carriers(movers: Movers, linkage: Linkage, work: SoftRows, islands: Islands, i: int, count: int) -> None:
    """Responses of the first `count` carriers, those in trees through the trees. Writes: work.response, scratch

    Rows correct the impulses on several bodies of one tree each for itself: taken as many times as soft as there are such
    bodies, the tree is not overshot.
    """
    tree, part, response = linkage.tree, movers.bodies.tree, work.response
    for q in range(count):
        k = work.carrier[q]
        for c in range(36):
            response[k, c] = 0.0
        if part[k] < 0:
            inertia = load6(movers.ports.inverse_inertia, k)
            for c in range(3):
                response[k, 7 * c] = movers.ports.inverse_mass[k]
                response[k, 21 + 7 * c] = inertia[c]
            response[k, 22], response[k, 23], response[k, 29] = inertia[3], inertia[4], inertia[5]
            response[k, 27], response[k, 33], response[k, 34] = inertia[3], inertia[4], inertia[5]
            continue
        others = 0
        for c in range(6):
            tree.body[k, PUSH + c] = 1.0
            pass_trees(linkage, part, movers.ports, movers.motion, linkage.state.impulse, islands, i, ANSWERING, 0.0)
            for r in range(6):
                response[k, 6 * r + c] = tree.body[k, PUSH + r]
            if c == 0:
                for p in range(count):
                    if p != q and part[work.carrier[p]] >= 0 and moves(tree, work.carrier[p]):
                        others += 1
            forget_answers(part, tree, islands, i)
        for c in range(36):
            response[k, c] *= 1.0 + others


@entry
def spread_carriers(movers: Movers, linkage: Linkage, work: SoftRows, islands: Islands, i: int) -> None:
    """Velocities of all bodies of trees by what has pulled some of them since it was noted in work.along.

    Writes: velocities, scratch
    """
    tree, part = linkage.tree, movers.bodies.tree
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        for c in range(6 if part[k] >= 0 else 0):
            tree.body[k, PUSH + c] = work.pull[k, c] - work.along[k, c]
    pass_trees(linkage, part, movers.ports, movers.motion, linkage.state.impulse, islands, i, ANSWERING, 0.0)
    take_answers(part, movers.motion, tree, islands, i)


@kernel
def moves(tree, k):
    """Whether body `k` answers a push elsewhere."""
    found = False
    for r in range(6):
        found |= tree.body[k, PUSH + r] != 0.0
    return found


@entry
def relax_carriers(sets: Sets, islands: Islands, outcome: Outcome, i: int, h: float, iterations: int, tolerance: float,
                   led: bool) -> None:
    """Positions by the velocities that rows with soft things have left, and rows without pushing out. Writes: as these do"""
    movers, linkage, touch = sets.movers, sets.linkage, sets.touch
    move_from(movers, islands, i, h)
    turn_home(movers, islands, i)
    if led:
        push_late(movers, islands, i)
    if is_touched(islands, i):
        move_contacts(touch, movers.motion, islands, i, h, are_few(movers, linkage.joints, touch.work.body, islands, i, 0))
        sweep(sets, islands, outcome, i, h, iterations, tolerance, True)


@entry
def finish_carriers(sets: Sets, contacts: Contacts, islands: Islands, outcome: Outcome, i: int, h: float, dt: float,
                    threshold: float, last: bool, led: bool) -> None:
    """What the substep did, and after the `last` one what contacts keep. Writes: as finish.py says, outcome, history"""
    movers, linkage, drivetrain, touch = sets.movers, sets.linkage, sets.drivetrain, sets.touch
    if led:
        add_impulses(linkage, islands, i)
    remember(movers, islands, i, h)
    place_again(movers, linkage, drivetrain, islands, i)
    note_gaps(movers, linkage, islands, outcome, i)
    outcome.work[i] += push_along(movers, islands, i, h)
    outcome.work[i] += motors_along(linkage.joints, drivetrain, movers.motion, islands, i, h)
    finish_rows(sets, islands, outcome, i, h, dt, 0.0, False)
    finish_contacts(touch, contacts, movers, islands, outcome, i, threshold, dt, last, 1.0, False, ZERO, inf)
    outcome.substeps[i] += 1


@kernel
def motors_along(joints, drivetrain, motion, islands, i, h):
    """Work [J] of motors along their way, less what `finish_rows` counts by the speeds at both ends of the substep: soft things
    never gain by that, as springs do not (weigh.py). A rotor changes the energy that it has itself by those speeds."""
    drives, work = drivetrain.drives, 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        c = drives.coordinate[k]
        if is_motor(drives.law[k]) and drives.law[k] != ROTOR:
            after = coordinate_speed(drivetrain, joints, motion, c)
            work += way_work(drivetrain, k, after, h) - 0.5 * drivetrain.state.impulse[k] * (drivetrain.place.rate[c] + after)
    return work
