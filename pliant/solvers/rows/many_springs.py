"""Springs of one island solved at once: Newton's method on their incremental potential, which it never lets rise.

Equations: equations/rigid/incremental_potential.py. A row along each spring and two across those that pull: the impulse of the
first is that of the spring, those of the others vanish at the solution. All that an island has are solved together, up to
MOST_SPRINGS of them, else swept; the step is shortened until it leads downhill.
"""

from ..._jit import kernel
from ...couple.ports import load_at, push_row, row_speed, write_row
from ...equations.contact.dense_elimination import eliminate
from ...equations.rigid.distance_spring import distance_row
from ...equations.rigid.incremental_potential import stands_for, stiffness_across
from ...equations.rigid.soft_constraint import missing_impulse
from ...math.vec3 import cross, dot, norm, normalize
from ...model.rows import (
    ANSWER,
    ARM_A,
    ARM_B,
    ASKS,
    BIAS,
    BODY_A,
    BODY_B,
    GAMMA,
    HOLDS_BY,
    MOST_SPRINGS,
    MOVED_BY,
    OF_SPRING,
    RESPONSE,
    STEPS_BY,
    YIELDS_BY,
)
from .spring import ends_of, set_spring, turned_back

ACROSS = 1e-3
"""A spring that is less stiff across [-], in shares of what moves there, has no rows across."""
ALIKE = 1e-13
"""How much more rows yield than they do [-]: springs that say the same share what they bear."""
SWEEPS, SWEPT_TO = 200, 1e-9
"""Of more springs than are solved at once, at most, and the change of speed [m/s] that ends them."""


@kernel
def system_row(islands, i):
    """Where the rows of an island begin: up to three of each spring, then one of each drive."""
    return 3 * islands.first_spring[i] + islands.first_drive[i]


@kernel
def lay_rows(springwork, movers, islands, i, h):
    """The rows of an island's springs where the bodies have come to, at the velocities that led there; returns their number.

    Writes: springwork.rows, .law, .system
    """
    springs, state, table = springwork.springs, springwork.state, springwork.system.table
    first, motion = system_row(islands, i), movers.motion
    r = first
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        a, b, start = springs.body[k, 0], springs.body[k, 1], state.deflection[k] + springs.rest_length[k]
        d, r_a, r_b, parting = ends_of(springs, k, motion)
        length, n, arm_a, arm_b = distance_row(d, r_a, r_b, parting)
        arm_a, arm_b = turned_back(motion, a, h, arm_a), turned_back(motion, b, h, arm_b)
        write_row(springwork.rows, k, movers.ports, a, b, n, arm_a, arm_b)
        set_spring(springs, k, state, springwork.law, h, start, length - start - h * dot(n, parting))
        copy_row(springwork.rows.table, k, table, r)
        keep_law(table, r, springwork.law.table[k, BIAS], springwork.law.table[k, GAMMA], state.impulse[k], k, a, b)
        r += 1
        kappa, rest = law_of(springwork, k, h)
        across = h * h * stiffness_across(kappa * (length - rest), length)
        side = normalize(aside(n))
        for t in (side, cross(n, side)):
            write_row(springwork.system, r, movers.ports, a, b, t, turned_back(motion, a, h, cross(r_a, t)),
                      turned_back(motion, b, h, cross(r_b, t)))
            if across * table[r, RESPONSE] > ACROSS:
                keep_law(table, r, -row_speed(springwork.system, r, motion, a, b), 1.0 / across, 0.0, k, a, b)
                table[r, OF_SPRING] = -1.0 - k
                r += 1
    return r - first


@kernel
def aside(n):
    """A vector that is not along `n`, crossed with it."""
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    if x <= y and x <= z:
        return cross(n, (1.0, 0.0, 0.0))
    return cross(n, (0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))


@kernel
def copy_row(rows, k, table, r):
    """Writes: table"""
    for e in range(RESPONSE + 1):
        table[r, e] = rows[k, e]


@kernel
def keep_law(table, r, asks, yields, impulse, k, a, b):
    """Writes: table"""
    table[r, BODY_A], table[r, BODY_B] = a, b
    table[r, ASKS] = asks
    table[r, YIELDS_BY] = yields
    table[r, HOLDS_BY] = impulse
    table[r, STEPS_BY] = 0.0
    table[r, OF_SPRING] = k


@kernel
def spring_of(table, r):
    """The spring of row `r`, along or across it."""
    k = int(table[r, OF_SPRING])
    return k if k >= 0 else -1 - k


@kernel
def push_all(springwork, motion, islands, i, count):
    """Push by the impulses that all rows hold. Writes: velocities"""
    table, body, first = springwork.system.table, springwork.springs.body, system_row(islands, i)
    for r in range(first, first + count):
        k = spring_of(table, r)
        push_row(springwork.system, r, motion, body[k, 0], body[k, 1], table[r, HOLDS_BY])


@kernel
def solve_all(springwork, motion, islands, i, count):
    """Bring all rows of an island to what they ask for. Writes: springwork.system, velocities"""
    if islands.first_spring[i + 1] - islands.first_spring[i] > MOST_SPRINGS:
        sweep_all(springwork, motion, islands, i, count)
        return
    table, matrix, body = springwork.system.table, springwork.system.matrix, springwork.springs.body
    first = system_row(islands, i)
    for p in range(count):
        r, k = first + p, spring_of(table, first + p)
        for q in range(count):
            matrix[r, q] = answer_along(table, body, r, first + q)
        matrix[r, p] += table[r, YIELDS_BY] + ALIKE * table[r, RESPONSE]
        speed = row_speed(springwork.system, r, motion, body[k, 0], body[k, 1])
        matrix[r, count] = -(speed + table[r, ASKS] + table[r, YIELDS_BY] * table[r, HOLDS_BY])
    eliminate(matrix, first, count)
    for r in range(first, first + count):
        k, table[r, STEPS_BY] = spring_of(table, r), matrix[r, count]
        push_row(springwork.system, r, motion, body[k, 0], body[k, 1], table[r, STEPS_BY])


@kernel
def sweep_all(springwork, motion, islands, i, count):
    """The same one after another. Writes: as `solve_all`"""
    table, body, first = springwork.system.table, springwork.springs.body, system_row(islands, i)
    for _ in range(SWEEPS):
        change = 0.0
        for r in range(first, first + count):
            k = spring_of(table, r)
            speed = row_speed(springwork.system, r, motion, body[k, 0], body[k, 1])
            extra = missing_impulse(speed, table[r, ASKS], table[r, YIELDS_BY], table[r, RESPONSE],
                                    table[r, HOLDS_BY] + table[r, STEPS_BY])
            table[r, STEPS_BY] += extra
            push_row(springwork.system, r, motion, body[k, 0], body[k, 1], extra)
            change = max(change, abs(extra) * table[r, RESPONSE])
        if change < SWEPT_TO:
            break


@kernel
def answer_along(table, body, p, q):
    """How the speed along row `p` answers an impulse along row `q` [1/kg]."""
    k, other = spring_of(table, p), spring_of(table, q)
    n, found = load_at(table, p, 0), 0.0
    for side in range(2):
        for end in range(2):
            if body[k, side] == body[other, end]:
                at = ANSWER + 6 * end
                one = dot(n, load_at(table, q, at)) + dot(load_at(table, p, ARM_A if side == 0 else ARM_B),
                                                          load_at(table, q, at + 3))
                found += one if side == 1 else -one
    return found


@kernel
def take_impulses(springwork, islands, i, count, share):
    """Take a `share` of the step to the impulses found. Writes: springwork.state.impulse"""
    table, first = springwork.system.table, system_row(islands, i)
    for r in range(first, first + count):
        k = int(table[r, OF_SPRING])
        if k >= 0:
            springwork.state.impulse[k] = table[r, HOLDS_BY] + share * table[r, STEPS_BY]


@kernel
def unmet(springwork, motion, islands, i, count):
    """By how much the springs of an island miss what they ask for [m/s]."""
    table, body, first, worst = springwork.system.table, springwork.springs.body, system_row(islands, i), 0.0
    for r in range(first, first + count):
        k = int(table[r, OF_SPRING])
        if k >= 0:
            speed = row_speed(springwork.system, r, motion, body[k, 0], body[k, 1])
            worst = max(worst, abs(speed + table[r, ASKS] + table[r, YIELDS_BY] * table[r, HOLDS_BY]))
    return worst


@kernel
def pull_of_all(springwork, islands, i, count):
    """What all springs of an island do to velocities, if none worked against another [m/s]."""
    table, first, whole = springwork.system.table, system_row(islands, i), 0.0
    for r in range(first, first + count):
        whole += abs(table[r, HOLDS_BY]) * table[r, RESPONSE]
    return whole


@kernel
def hold_as_drawn(springwork, motion, islands, i, h):
    """Impulses as lengths have it. Writes: springwork.state.impulse"""
    springs = springwork.springs
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        d, _, _, _ = ends_of(springs, k, motion)
        kappa, rest = law_of(springwork, k, h)
        springwork.state.impulse[k] = -h * kappa * (norm(d) - rest)


@kernel
def law_of(springwork, k, h):
    """(kappa [N/m], a [m]) of spring `k`, from the start of its substep."""
    springs = springwork.springs
    start = springwork.state.deflection[k] + springs.rest_length[k]
    return stands_for(springs.stiffness[k], springs.damping[k], springs.rest_length[k], start, h)


@kernel
def stored_by(springwork, motion, islands, i, h):
    """What springs and dampers of an island add to the incremental potential [J]."""
    energy = 0.0
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        k = islands.spring[m]
        d, _, _, _ = ends_of(springwork.springs, k, motion)
        kappa, rest = law_of(springwork, k, h)
        energy += 0.5 * kappa * (norm(d) - rest) ** 2
    return energy


@kernel
def note_pulls(springwork, islands, i):
    """Note the impulses by which springs have moved the bodies of an island. Writes: springwork.system"""
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        springwork.system.table[3 * m + islands.first_drive[i], MOVED_BY] = springwork.state.impulse[islands.spring[m]]


@kernel
def keep_pulls(springwork, islands, i):
    """Let springs pull by those: what velocities alone took after the move drew none of them. Writes: impulses"""
    for m in range(islands.first_spring[i], islands.first_spring[i + 1]):
        springwork.state.impulse[islands.spring[m]] = springwork.system.table[3 * m + islands.first_drive[i], MOVED_BY]
