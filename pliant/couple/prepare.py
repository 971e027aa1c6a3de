"""What an island's rows need before they are swept: Jacobians, factors and laws where the bodies are."""

from math import inf

from .._jit import kernel, stage
from ..equations.rigid.tree_elimination import factor6
from ..math.quat import load4
from ..math.sym3 import store6, turned_diagonal
from ..math.vec3 import load, store
from ..model.bodies import FIXED, Motion
from ..model.contacts import Contacts
from ..model.islands import Islands
from ..model.joints import DriveState, Joints, JointState
from ..model.ports import Ports
from ..model.rows import GOES, IMPULSE, TURNED, ContactWork, JointWork
from ..model.sets import Drivetrain, Linkage, Movers, Springwork, Touch
from ..model.shapes import Shapes
from ..model.springs import SpringState
from ..solvers.loop.closure import factor_loops
from ..solvers.rows.contact_pair import prepare_contact, step_back
from ..solvers.rows.drive import prepare_drive, yield_to_limits
from ..solvers.rows.few_starts import begin_found
from ..solvers.rows.joint import answer_joint, close_joint, factor_alone, lean_on_joint, prepare_ahead, prepare_coordinates
from ..solvers.rows.spring import lay_spring, prepare_spring
from ..solvers.tree.drives import add_rows
from ..solvers.tree.factor import begin_body, fold_joint
from .course import load_velocities, note_velocities
from .move import go_back
from .ports import load_at
from .spring_energy import UNWATCHED, stored_before


@kernel
def begin_island(joint_state, drive_state, spring_state, islands, outcome, i):
    """Writes: outcome, and the means over the step, to zero"""
    outcome.substeps[i] = 0
    outcome.iterations[i] = 0
    outcome.residual[i] = 0.0
    outcome.unruly[i] = 0.0
    outcome.drift[i] = 0.0
    outcome.work[i] = 0.0
    outcome.heavy[i] = 0
    outcome.stiff[i] = 0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        store(joint_state.force, islands.joint[m], (0.0, 0.0, 0.0))
        store(joint_state.torque, islands.joint[m], (0.0, 0.0, 0.0))
        for c in range(6):
            joint_state.own[islands.joint[m], c] = 0.0
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        drive_state.effort[islands.drive[m]] = 0.0
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        spring_state.effort[islands.spring[m]] = 0.0


@kernel
def prepare_inertia(movers, islands, i):
    """Writes: movers.ports.inverse_inertia"""
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        inertia = turned_diagonal(load4(movers.motion.quaternion, k), load(movers.bodies.inverse_inertia, k))
        store6(movers.ports.inverse_inertia, k, inertia)


@kernel
def place(movers, linkage, drivetrain, islands, i, h, grown):
    """Inertias, joints and coordinates where the bodies are; returns the largest gap of a joint [m].

    `grown` is how many times more joints will leave their tangents in the coming substep than in the last one, 0 if that is
    not known.

    Factors are left to `factor_trees`. Writes: angular velocities (as the free rotation ends), movers.ports, linkage.rows,
    .work, .tree (scratch), drivetrain.rows, .lean, .place
    """
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        store(movers.motion.angular_velocity, k, load_at(movers.start.table, k, TURNED))
    prepare_inertia(movers, islands, i)
    return place_joints(movers, linkage, drivetrain, islands, i, h, grown) if has_joints(islands, i) else 0.0


@kernel
def lay_anew(sets, islands, i, h):
    """Joints, coordinates and springs where bodies stand, with the velocities that they have, which are noted at GOES.

    Writes: as `place`, springwork.rows
    """
    movers, linkage, drivetrain, springwork, _ = sets
    note_velocities(movers, islands, i, GOES)
    place(movers, linkage, drivetrain, islands, i, h, 0.0)
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        lay_spring(springwork.springs, islands.spring[m], movers.ports, movers.motion, springwork.rows)
    load_velocities(movers, islands, i, GOES)


@kernel
def has_joints(islands, i):
    """Whether there are any: calling a stage takes 0.3 us, as long as a contact or two."""
    return islands.first_joint[i] < islands.first_joint[i + 1]


@kernel
def is_exact(joints, islands, i):
    """Whether an island is nothing but trees of joints that are solved exactly, whatever their impulses start from.

    Then none of its rows is pushed by itself, and no sweep is judged by what it changes: how its bodies answer alone is not
    asked for.
    """
    if islands.first_spring[i] < islands.first_spring[i + 1] or islands.first_drive[i] < islands.first_drive[i + 1] or (
            islands.first_contact[i] < islands.first_contact[i + 1] or islands.first_rope[i] < islands.first_rope[i + 1]):
        return False
    exact = True
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        exact &= joints.anvil[islands.joint[m]] == 0.0 and joints.outer[islands.joint[m]] >= 0
    return exact


@stage
def place_joints(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, islands: Islands, i: int, h: float,
                 grown: float) -> float:
    """Joints and coordinates where the bodies are; returns the largest gap [m]. Writes: as `place`"""
    motion, tree = movers.motion, linkage.tree
    gap, driven, exact = 0.0, islands.first_drive[i] < islands.first_drive[i + 1], is_exact(linkage.joints, islands, i)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        one = prepare_ahead(linkage.joints, j, motion, linkage.rows, linkage.work, h, grown if exact else 0.0)
        gap = max(gap, one)
        if not exact:
            answer_joint(linkage.joints, j, movers.ports, linkage.rows, linkage.work)
        if linkage.joints.coordinates[j] > 0:
            prepare_coordinates(linkage.joints, j, drivetrain.coordinates, movers.ports, motion, drivetrain.rows,
                                drivetrain.place, driven)
            if driven:
                factor_alone(linkage.rows, j, tree, linkage.work.count[j])
                lean_on_joint(linkage.joints, j, linkage.rows, linkage.work, tree, drivetrain.rows, drivetrain.lean)
    return gap


@kernel
def factor_trees(movers, linkage, drivetrain, islands, i):
    """Factors of the trees and loops where the rows are, with the drives that they take.

    Writes: linkage.rows, .work, .tree
    """
    if has_joints(islands, i):
        factor_joints(movers, linkage, drivetrain, islands, i)


@stage
def factor_joints(movers: Movers, linkage: Linkage, drivetrain: Drivetrain, islands: Islands, i: int) -> None:
    """The same where there are joints. Writes: as `factor_trees`"""
    bodies, joints, tree = movers.bodies, linkage.joints, linkage.tree
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if bodies.tree[islands.body[m]] >= 0:
            begin_body(bodies, islands.body[m], movers.motion, tree)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        if joints.outer[j] >= 0:
            add_rows(joints, j, drivetrain.rows, drivetrain.lean, linkage.rows, linkage.work)
            fold_joint(joints, j, movers.ports, linkage.rows, linkage.work, tree)
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        if bodies.tree[islands.body[m]] == 1:
            factor6(tree.body, islands.body[m], 6)
    factor_loops(linkage, bodies.tree, movers.ports, movers.motion, islands, i)


@kernel
def aim_again(joints, work, motion, islands, i, h):
    """Aim at what the joints still gape; returns the largest gap [m or rad]. Writes: work"""
    return aim_joints(joints, work, motion, islands, i, h) if has_joints(islands, i) else 0.0


@stage
def aim_joints(joints: Joints, work: JointWork, motion: Motion, islands: Islands, i: int, h: float) -> float:
    """The same where there are any. Writes: work"""
    gap = 0.0
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        one = close_joint(joints, islands.joint[m], motion, work, h)
        if one > gap or one != one:
            gap = one  # that is no number if any is none
    return gap


@kernel
def prepare_contacts(touch, contacts, shapes, ports, motion, islands, i):
    """Writes: touch"""
    if islands.first_contact[i] < islands.first_contact[i + 1]:
        place_contacts(touch, contacts, shapes, ports, motion, islands, i)


@stage
def place_contacts(touch: Touch, contacts: Contacts, shapes: Shapes, ports: Ports, motion: Motion, islands: Islands,
                   i: int) -> None:
    """The same where there are any. Writes: touch"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        prepare_contact(contacts, islands.contact[m], shapes, ports, motion, touch.work)


@kernel
def prepare_soft(drivetrain, springwork, movers, islands, i, h):
    """Returns what springs hold [J], or UNWATCHED.

    Writes: laws and deflections of springs and drives, springwork.rows, drivetrain.state.impulse
    """
    if islands.first_spring[i] < islands.first_spring[i + 1] or islands.first_drive[i] < islands.first_drive[i + 1]:
        return prepare_laws(drivetrain, springwork, movers, islands, i, h)
    return UNWATCHED


@stage
def prepare_laws(drivetrain: Drivetrain, springwork: Springwork, movers: Movers, islands: Islands, i: int, h: float) -> float:
    """The same where there are any. Writes: as `prepare_soft`"""
    stored = stored_before(movers, drivetrain, springwork, islands, i)
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        prepare_spring(springwork.springs, islands.spring[m], springwork.state, movers.ports, movers.motion, springwork.rows,
                       springwork.law, h)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        prepare_drive(drivetrain.drives, islands.drive[m], drivetrain.place, drivetrain.state, drivetrain.law, h)
    yield_to_limits(drivetrain.drives, drivetrain.law.table, islands, i)
    return stored


@stage
def rescale(joint_state: JointState, drive_state: DriveState, spring_state: SpringState, contact_work: ContactWork,
            islands: Islands, i: int, factor: float) -> None:
    """Impulses kept to start warm, for a substep `factor` times as long; none for 0, or where there is no number.

    Writes: impulses
    """
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        for r in range(6):
            scale_entry(joint_state.impulse, islands.joint[m], r, factor)
            scale_entry(joint_state.relaxed, islands.joint[m], r, factor)
    for m in range(islands.first_drive[i], islands.first_drive[i + 1]):
        k = islands.drive[m]
        drive_state.impulse[k] = scaled(factor, drive_state.impulse[k])
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        spring_state.impulse[k] = scaled(factor, spring_state.impulse[k])
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        for r in range(3):
            scale_entry(contact_work.table, islands.contact[m], IMPULSE + r, factor)


@kernel
def scale_entry(table, row, column, factor):
    """Writes: table"""
    table[row, column] = scaled(factor, table[row, column])


@kernel
def scaled(factor, impulse):
    """`factor` times an `impulse`, zero if either is none."""
    return factor * impulse if factor > 0.0 and abs(impulse) < inf else 0.0


@kernel
def stop_fixed(movers, linkage, springwork, touch, islands, i):
    """Let what does not move stand, which impulses without a number have set going. Writes: velocities of fixed bodies"""
    kind, motion = movers.bodies.kind, movers.motion
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        stop_sides(kind, motion, touch.work.body, islands.contact[m])
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        stop_sides(kind, motion, springwork.springs.body, islands.spring[m])
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        stop_sides(kind, motion, linkage.joints.body, islands.joint[m])


@kernel
def stop_sides(kind, motion, body, k):
    """The same of the two bodies of `k`. Writes: their velocities"""
    for side in range(2):
        b = body[k, side]
        if kind[b] == FIXED:
            store(motion.velocity, b, (0.0, 0.0, 0.0))
            store(motion.angular_velocity, b, (0.0, 0.0, 0.0))


@kernel
def enter_island(sets, shapes, contacts, islands, outcome, i):
    """Begin a step of an island. Writes: as the three say"""
    movers, linkage, drivetrain, springwork, touch = sets
    begin_island(linkage.state, drivetrain.state, springwork.state, islands, outcome, i)
    prepare_inertia(movers, islands, i)
    prepare_contacts(touch, contacts, shapes, movers.ports, movers.motion, islands, i)
    begin_found(touch.few, touch.work.table, drivetrain, islands, i)


@kernel
def doubled(sets, islands, i, ticks):
    """Go on in substeps twice as long: returns their ticks. Writes: impulses kept"""
    rescale(sets.linkage.state, sets.drivetrain.state, sets.springwork.state, sets.touch.work, islands, i, 2.0)
    return 2 * ticks


@kernel
def halved(sets, islands, i, ticks):
    """Back to the start of a substep, to take it again in halves; returns the ticks of one.

    Contacts too, or what was tried would leave them nearer than they are. Writes: motion, impulses, touch.work
    """
    movers, linkage, drivetrain, springwork, touch = sets
    go_back(movers, islands, i)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        step_back(islands.contact[m], touch.work)
    stop_fixed(movers, linkage, springwork, touch, islands, i)
    rescale(linkage.state, drivetrain.state, springwork.state, touch.work, islands, i, 0.5)
    return ticks // 2
