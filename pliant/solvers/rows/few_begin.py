"""What few contacts ask for before they are solved at once: speeds, and how much each yields to what it bears.

Contacts that say the same, as those of one face, leave open what each bears: all yield a little, as matter does, and so share
it evenly.
"""

from ..._jit import kernel
from ...couple.ports import answers_of, load_at, store_at
from ...math.vec3 import add, load
from ...model.rows import (
    BEFORE,
    CHOSEN,
    FRAME,
    IMPULSE,
    LEVER_B,
    OWN,
    SLIP,
    STEP,
    SWAYED,
    TRIAL,
    YIELD,
    YIELDS,
    U,
)
from .contact import CREEP_BACK, FLUSH, bias_of, push_of
from .contact_course import strays_of
from .contact_pair import ZERO, load_pair, speeds_at
from .few_drives import begin_bounded
from .few_springs import first_row, followed, note_lacks
from .held_fast import is_held

EVEN, REDUNDANT, MANY = 3e-5, 1e-3, 8
"""How much contacts yield to what they bear, in shares of what the heaviest body of an island does [-]; the second where more
than MANY are on joints: feet of a table on its legs bear redundantly, and steps then go round as what tells them apart is small
(hinged plates under a box: 80 ms a step by the first, 7 by the second)."""
LEVEL, YIELDED = 1e-3, 1e-5
"""The same along normals once the bodies have moved [-], by the second at most [m/s], where no springs feel that speed: were it
less, what is held at two corners and turns about them would part from the others by rounding, and go on turning."""
DEAF = 1e-9
"""What answers less along its normal than so much of what the two bodies would alone [-] is held by joints, as a wheel whose
level arm cannot rise. Any load would do nothing there but grow: it yields as the bodies would, and nothing pushes it out."""
TINY = 1e-300


@kernel
def begin_few(touch, springwork, ports, motion, islands, i, springs, h, relaxed, drivetrain, joints, bounded):
    """Speeds as contacts and drives ask for them, and softness and evenness for the diagonal. Writes: touch.few"""
    begin_bounded(drivetrain, joints, touch, motion, islands, i, bounded, relaxed)
    note_lacks(springwork, touch, motion, islands, i, springs)
    table, matrix, state = touch.work.table, touch.few.matrix, touch.few.state
    first, count = islands.first_contact[i], islands.first_contact[i + 1] - islands.first_contact[i]
    heavy = answers_of(ports, islands, i)[0]
    push, back, even = push_of(h, relaxed), 0.0 if relaxed else CREEP_BACK / h, evenness(islands, i) * heavy
    if relaxed:
        even = max(EVEN * heavy, min(even, YIELDED / heaviest(touch, islands, i)))
    level = even
    if relaxed and springs == 0:
        level = max(even, min(LEVEL * heavy, YIELDED / heaviest(touch, islands, i)))
    for p in range(count):
        m, at = first + p, first_row(islands, i) + 3 * p
        if state[m, CHOSEN] == 0.0:
            continue
        k = islands.contact[m]
        x, y, z = load_at(table, k, IMPULSE)
        pair = load_pair(motion, touch.work.body[k, 0], touch.work.body[k, 1])
        speed, along, across = add(add(speeds_at(table, k, pair), strays_of(k, pair, touch.work)),
                                   followed(touch, islands, i, springs, p))
        bias, ease = bias_of(table, k, h, push, FLUSH)
        gamma, gives = table[k, YIELD] * (1.0 / ease - 1.0), level
        if matrix[at, 3 * p] < DEAF * table[k, YIELD]:
            point = add(load(motion.position, touch.work.body[k, 1]), load_at(table, k, LEVER_B))
            if not is_held(drivetrain, joints, motion, islands, i, point, load_at(table, k, FRAME)):
                bias, gives = max(bias, 0.0), table[k, YIELD]
        store_at(state, m, U, (speed + bias + gamma * (x - table[k, BEFORE]) + gives * x,
                               along + back * table[k, SLIP] + even * y, across + back * table[k, SLIP + 1] + even * z))
        store_at(state, m, TRIAL, (x, y, z))
        store_at(state, m, STEP, ZERO)
        store_at(state, m, SWAYED, ZERO)
        # what rigid drives hold answers nothing: it yields all the same, and drives then find that they are at a bound
        state[m, OWN] = max(matrix[at, 3 * p], matrix[at + 1, 3 * p + 1], matrix[at + 2, 3 * p + 2], 0.0) + even
        store_at(state, m, YIELDS, (gamma + gives, even, even))


@kernel
def ease(state, islands, i, more):
    """Let contacts yield `more` times as much to what they bear. Writes: state"""
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        if state[m, CHOSEN] > 0.0:
            for r in range(3):
                state[m, U + r] += (more - 1.0) * state[m, YIELDS + r] * state[m, TRIAL + r]
                state[m, YIELDS + r] *= more


@kernel
def evenness(islands, i):
    """EVEN, or REDUNDANT [-]."""
    jointed = islands.first_joint[i] < islands.first_joint[i + 1]
    return REDUNDANT if jointed and islands.first_contact[i + 1] - islands.first_contact[i] > MANY else EVEN


@kernel
def heaviest(touch, islands, i):
    """Largest impulse along a normal that contacts of an island begin with [N s]."""
    most = TINY
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        most = max(most, touch.work.table[islands.contact[m], IMPULSE])
    return most
