"""Scratch of the rows: Jacobians, responses and softness, made anew in every substep.

Few wide tables instead of many narrow ones: each array that passes from kernel to kernel costs compile time.
"""

from typing import Annotated, NamedTuple

from .schema import Array, index, real

ARM_A, ARM_B, ANSWER, RESPONSE = 3, 6, 9, 21
BIAS, RELAXED, GAMMA, LOW, HIGH, BOUND, HALFWAY, DONE, BEGAN = 0, 1, 2, 3, 4, 5, 6, 7, 8
SWEPT, BOUNDED, INSIDE = 0.0, 1.0, 2.0
POSITION, QUATERNION, VELOCITY, SPIN_RATE, TURNED = 0, 3, 7, 10, 13
FROM, FROM_TURN, GIVEN, MOMENTUM, AROUND_AXIS, PUSHED_ASIDE = 16, 19, 23, 26, 29, 30
FIRST_WAY, CAME_HOME, LATE = 34, 43, 49
TRIED, FOUND, STRIDE = 0, 6, 12
AIM, MISSING, LEVER, APART, GIVES, BASE, SWUNG, AT_FIRST = 0, 6, 12, 15, 16, 22, 28, 28
AIMING, RELAXING, ANSWERING = 0, 1, 2
PUSH, PULLED, SPUN, BORNE, ASKED, LACKED = 36, 42, 48, 51, 61, 67
OUTER, INNER = 0, 6
IMPULSE, TOTAL, SLIP, GAP, APPROACH, FRICTION, RESTITUTION = 0, 3, 6, 8, 9, 10, 11
FRAME, LEVER_A, LEVER_B, TURN_A, TURN_B, LIGHTNESS, YIELD, HEFT, MIXED, REBOUND = 12, 21, 24, 27, 36, 45, 47, 50, 53, 55
SLIDES, BEFORE, FROM_GAP, FROM_SLIP, CLOCK, FROM_CLOCK, STANDS = 56, 57, 58, 59, 61, 62, 63
AHEAD, UNTIL, ASIDE = 0, 1, 2
MOST_FEW, MOST_FREE = 48, 32
U, OFF, STEP, SWAYED, TRIAL, BEST, PLACE, OWN, YIELDS, CHOSEN, FOUND_AT = 0, 3, 6, 9, 12, 15, 18, 19, 20, 23, 24
CLIMBER, ANSWERED, LACKING, PUSHED, AT = 0, 12, 24, 36, 48
LEANT, STIFF, RIGID, DRAWN, HELD, KNOWN, SPEED, SET_OUT, MET_AT, STRAYS = 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
MOST_SPRINGS, MOST_DRIVES = 48, 48
SYSTEM = 3 * MOST_FEW + MOST_DRIVES + 1
LACKS = 3 * MOST_FEW + MOST_SPRINGS + MOST_DRIVES
ASKS, YIELDS_BY, HOLDS_BY, STEPS_BY, OF_SPRING, MOVED_BY, BODY_A, BODY_B = 22, 23, 24, 25, 26, 27, 28, 29
FREE, LEADS, GOES = 16, 22, 28
DRIVE, ROW_U, ROW_OFF, ROW_STEP, ROW_SWAYED, ROW_TRIAL, ROW_BEST, ROW_PLACE, ROW_OWN, ROW_YIELDS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
ROW_LOW, ROW_HIGH, ROW_OF, ROW_FOUND = 10, 11, 12, 13


class Rows(NamedTuple):
    """Rows between two ports a, b. J V = n.(v_b - v_a) + arm_b.w_b - arm_a.w_a."""

    table: Annotated[Array, real(
        "n 22", "-, m, 1/kg, …",
        "n, arm_a, arm_b; how v_a, w_a, v_b, w_b answer a unit impulse; response J M^-1 J^T",
    )]


class Law(NamedTuple):
    """What rows that stand alone ask for: J V + bias + gamma lambda = 0, low <= lambda <= high."""

    table: Annotated[Array, real(
        "n 9", "m/s, m/s, 1/kg, N s, N s, -, N s, J, m/s",
        "bias, bias without the push back of positions, gamma, low, high; of a drive: SWEPT alone, or solved with its tree: "
        "BOUNDED, at low or high, or INSIDE them; its impulse before the move, and the work of that; rate of its coordinate "
        "when the substep started",
    )]


class JointWork(NamedTuple):
    """Scratch of the rigid rows of joints, up to six each, solved together."""

    count: Annotated[Array, index("n", "rows in use")]
    taken: Annotated[Array, index("n", "those, and rows of the coordinates whose drives its tree solves")]
    table: Annotated[Array, real(
        "n 34", "m/s, N s, m, m, 1/kg, m/s, N s, N m s",
        "speeds aimed at, to close (6); impulses still missing (6); lever of the child (3); gap found; softness gamma of "
        "the rows of a joint that closes a loop, and of coordinates (6); speeds aimed at where it was placed (6); "
        "impulses of joints alone beside soft things (6), elsewhere the force on the child before the move (3) and the torque "
        "about its anchor (3)",
    )]


class Lean(NamedTuple):
    """How drives lean on the rigid rows of their own joint."""

    table: Annotated[Array, real(
        "n 16", "-; N s; kg; -; kg m/s; N s; kg; m/s; m; m/s; m/s",
        "reaction of its joint's rows to a unit impulse (6); impulse of all drives, or after the move alone; of those that "
        "the tree solves: sum of 1 / gamma, number of the rigid one + 1, sum of bias / gamma, impulse; the first as factored, "
        "-1 if rigid, 0 if none; speed; value of the coordinate when the substep started, and "
        "its speed before drives push: there, or after the move; by how much faster it goes its way than it sets out",
    )]


class Start(NamedTuple):
    """Where a substep starts to move the bodies, to start again from, and how they turn when they get there."""

    table: Annotated[Array, real(
        "b 55", "m, -, m/s, rad/s, kg m2/s, rad/s, -, m/s, rad/s; m/s, rad/s, kg m2/s",
        "position (3), quaternion (4), velocity (3), angular velocity (3); angular velocity at the end of the free rotation, "
        "or angular momentum where an implicit substep starts (3); position (3) and quaternion (4) that an implicit substep "
        "moves from, velocity (3), angular momentum (3) and a link's spin about its axis before its rows act; 1 where what "
        "pushes from outside turns with the body or acts beside its centre; unused (3); where springs are "
        "solved at once, from 16 on: velocities without them (6), those tried (6), and how these go on (6); beside soft "
        "things, where joints alone lead: velocity (3), angular velocity (3) and momentum (3) along the way, by what velocity "
        "(3) and angular momentum (3) are larger at its end, and what velocities (6) the second half of weight adds",
    )]
    tried: Annotated[Array, real(
        "b 33", "m/s, rad/s",
        "velocity (3) and angular velocity (3) that a step of Newton's method starts from; of three steps before, those that "
        "it came to (6), and by how much it changed the angular velocity (3)",
    )]


class TreeWork(NamedTuple):
    """Scratch of trees of joints; 6 x 6 matrices row by row, factors in their lower halves."""

    body: Annotated[Array, real(
        "b 73", "kg, …; N s, …; kg m2; rad/s; kg, kg m, kg m2; N s, …",
        "mass with all beyond folded in, then its factor (36); impulses folded in, then the answer (6); stiffness against "
        "turning of the ropes that pull it (6); angular velocity where that is not felt (3); of soft things that it "
        "holds, as heft.py has it: mass, its first and second moments (1, 3, 6), momentum without the body (6), and what of it "
        "is not felt yet (6)",
    )]
    joint: Annotated[Array, real(
        "j 36", "-",
        "factor of a joint's rows as its outer body answers, or both where it closes a loop",
    )]
    row: Annotated[Array, real("r 12", "-", "K and Q of a joint's rows, of the outer (6) and inner body (6)")]
    loop: Annotated[Array, real(
        "l m", "1/kg, …; m/s",
        "how rows of joints that close loops answer each other through the trees, then its factor; what they miss",
    )]


class ContactWork(NamedTuple):
    """Scratch of contacts: three rows each (normal, two tangents) at one point."""

    body: Annotated[Array, index(
        "n 3", "the two bodies, and which (0 or 1) touches with a vertex; more where contact_core.py says what does; else < 0",
    )]
    table: Annotated[Array, real(
        "n 64", "N s, m, m/s, -, 1/kg, …, m",
        "impulses of this substep (3), and of the step (3), world frame; creep along the tangents (2); gap; speed met with; "
        "friction; restitution; normal and tangents (9); levers (6); how angular velocities answer the three impulses (18); "
        "inverse masses (2); responses J M^-1 J^T of the rows (3) and their inverses (3); response of the normal to the "
        "tangents (2); speed to part with; 1 where friction is at its bound; normal impulse before the substep; gap and "
        "creep (2) then; time of the step, also before the substep, and to which levers and frame belong",
    )]
    core: Annotated[Array, real(
        "n 8", "-, m", "axle of the first shape (3), how far from it or from a point its lever ends, and the same of the other",
    )]
    course: Annotated[Array, real(
        "n 5", "s; N s", "by how much later than levers and frame speeds are reckoned; when its surfaces were found to meet; "
        "what its impulse was along the frame before the move beyond what it is along that after it (3), world frame",
    )]


class FewContacts(NamedTuple):
    """Scratch of islands with at most MOST_FEW contacts and MOST_SPRINGS springs, which are solved at once.

    Three rows of each contact of an island then up to three of each spring and one of each drive, as islands list them.
    """

    matrix: Annotated[Array, real(
        "r 241", "1/kg; m/s",
        "how speeds along an island's rows answer impulses along them, of contacts with springs that follow; what springs lack",
    )]
    system: Annotated[Array, real(
        "r s", "1/kg; m/s",
        "the equations of a step of Newton's method, and their right side; before that, Y of loop_closure.py",
    )]
    climbers: Annotated[Array, real(
        "r 50", "N s, …",
        "a row's two sides on their way to the roots of trees: f, D^-1 f, t and S^-1 t of tree_answers.py (6 each, first one "
        "side then the other); the bodies that they have come to, -1: none",
    )]
    state: Annotated[Array, real(
        "n 32", "m/s, N s, -, 1/kg",
        "speeds along the three rows, as they are asked for; F of cone_residual.py; step of the impulses, and what it does to "
        "the speeds; impulses; the best of these; place among the contacts that push, -1: it does not; d of cone_residual.py; "
        "what is added to the diagonal (3); 1 if it takes part: it pushes or would have to; 1 if it was solved before a "
        "move in this step of the world, and what was found (3); the same after one, or what it had when the step began",
    )]
    drives: Annotated[Array, real(
        "d 17", "-; m/s; N s; 1/kg",
        "of bounded drives that are solved with contacts: number; speed, as it is asked for; F of boxed_residual.py; step of "
        "the impulse, and what it does to the speed; impulse; the best of these; place among those inside their bounds, -1: "
        "at one; d of boxed_residual.py; what is added to the diagonal; bounds (2); place among the "
        "island's drives; of the drive in this place of them, as contacts have it: 1 if it was solved, what was found, twice",
    )]


class SpringSystem(NamedTuple):
    """Scratch of springs that are solved at once: one row along each and two across those that pull, as islands list them."""

    table: Annotated[Array, real(
        "r 30", "-, m, 1/kg, …; m/s; 1/kg; N s; N s; -; N s; -",
        "as `Rows`; what it asks for beside its speed; how it yields; its impulse; the step of that; its spring k, or -1 - k "
        "if it lies across it, or is of drive k; in every third row, impulse of a spring that moved the bodies; its bodies",
    )]
    matrix: Annotated[Array, real("r 145", "1/kg; m/s", "how an island's rows answer each other, and what they lack")]
