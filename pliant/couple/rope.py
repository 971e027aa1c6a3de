"""One Newton step of an island that is nothing but ropes and what hangs on their ends, in three passes over its links.

The same as placing, releasing, sweeping, moving and measuring one after another (newton.py), which is nine passes: a link
then falls out of the cache between two of them once a rope is long. First each body is begun, with its speeds before any
rod acts; then each rod is placed, folded and what it lacks handed inward, leaves to root; then the answers come back, and
what has its answer moves and is measured at once.
"""

from math import sqrt

from .._jit import kernel, merged, stage
from ..equations.rigid.tree_elimination import cholesky, row6
from ..math.sym3 import sym_mul
from ..math.vec3 import add, load, store, sub
from ..model.bodies import DRIVEN, DYNAMIC
from ..model.islands import Islands
from ..model.joints import ROD
from ..model.rows import AIMING, LOOSE, PULLED, PUSH
from ..model.sets import Linkage, Movers
from ..solvers.chain.factor import fold_rod, pull_rod
from ..solvers.chain.measure import rod_miss
from ..solvers.chain.place import place_rod
from ..solvers.chain.solve import gather_rod, push_rod, scatter_rod
from ..solvers.tree.solve import answer_root
from .ports import load_at, store_at
from .predict import begin_mover, loose_speeds, move_body


@kernel
def is_rope(bodies, joints, islands, i):
    """Whether an island is nothing but rods that make trees: no body in it is loose, as soft things may carry some."""
    if islands.first_spring[i] < islands.first_spring[i + 1] or islands.first_drive[i] < islands.first_drive[i + 1]:
        return False
    only = islands.first_contact[i] == islands.first_contact[i + 1]
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        only &= bodies.tree[islands.body[m]] >= 0 or bodies.kind[islands.body[m]] != DYNAMIC
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        only &= joints.kind[islands.joint[m]] == ROD and joints.outer[islands.joint[m]] >= 0
    return only


@stage
def solve_rope(movers: Movers, linkage: Linkage, islands: Islands, i: int, step: float) -> tuple:
    """(how far links have turned [rad], and in the whole substep, what joints still miss [-]).

    Writes: motion, impulses, scratch; answers are left in linkage.tree
    """
    body, part = linkage.tree.body, movers.bodies.tree
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        begin(movers, islands.body[m], linkage.tree, step)
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        fold(movers, linkage, islands.joint[m], step)
    largest, fastest, worst = 0.0, 0.0, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if part[k] == 1:
            cholesky(body, k, 6)
            feel(movers.motion, k, body)
            answer_root(k, linkage.tree)
        if part[k] == 1 or movers.bodies.kind[k] == DRIVEN:
            away, speed = take(movers, k, body, step)
            largest, fastest = away if not away <= largest else largest, max(fastest, speed)
    for back in range(islands.first_joint[i + 1] - islands.first_joint[i]):
        away, speed, miss = unfold(movers, linkage, islands.joint[islands.first_joint[i + 1] - 1 - back], step)
        if not away <= largest:
            largest = away  # also when it is not a number
        if not miss <= worst:
            worst = miss
        fastest = max(fastest, speed)
    return 2.0 * sqrt(largest), step * sqrt(fastest), worst


@merged
def begin(movers, k, tree, step):
    """Inertia of body `k` and its speeds before any rod acts. Writes: ports, tree.body at `k`"""
    begin_mover(movers, k, tree, step)
    v, w = load(movers.motion.velocity, k), load(movers.motion.angular_velocity, k)
    if movers.bodies.kind[k] != DRIVEN:
        v, w = loose_speeds(movers, k, step)
    for c in range(6):
        tree.body[k, PUSH + c] = 0.0
    store_at(tree.body, k, LOOSE, v)
    store_at(tree.body, k, LOOSE + 3, w)


@merged
def fold(movers, linkage, j, step):
    """Place rod `j`, fold its outer link, and hand inward what it lacks. Writes: impulses and scratch of it and its links"""
    joints, rods, work, state, body = linkage.joints, linkage.rods.table, linkage.rod_work, linkage.state, linkage.tree.body
    b, a = joints.body[j, joints.outer[j]], joints.body[j, 1 - joints.outer[j]]
    place_rod(joints, j, rods, movers.motion, work, step)
    pull_rod(joints, j, movers.bodies, work, state.impulse, body, step)
    fold_rod(joints, j, rods, movers.ports, movers.motion, work, body, step)
    if movers.ports.inverse_mass[b] > 0.0:
        feel(movers.motion, b, body)
    if joints.anvil[j] > 0.0:
        push_rod(joints, j, rods, movers.ports, work, state.impulse, body)
    else:
        for r in range(6):
            state.impulse[j, r] = 0.0
            state.relaxed[j, r] = 0.0
    speeds = (load_at(body, b, LOOSE), load_at(body, b, LOOSE + 3), load_at(body, a, LOOSE), load_at(body, a, LOOSE + 3))
    gather_rod(joints, j, rods, movers.ports, speeds, work, body, state, AIMING)


@merged
def feel(motion, k, body):
    """What the stiffness of pulling ropes makes of how body `k` turned in the last Newton step. Writes: body at `k`"""
    felt = sym_mul(row6(body, k, PULLED), sub(load(motion.angular_velocity, k), load_at(body, k, LOOSE + 3)))
    store_at(body, k, PUSH + 3, add(load_at(body, k, PUSH + 3), felt))


@merged
def take(movers, k, body, step):
    """Let body `k` have its answer and move; returns as `move_body`. Writes: motion at `k`"""
    store(movers.motion.velocity, k, add(load_at(body, k, LOOSE), load_at(body, k, PUSH)))
    store(movers.motion.angular_velocity, k, add(load_at(body, k, LOOSE + 3), load_at(body, k, PUSH + 3)))
    return move_body(movers, k, step)


@merged
def unfold(movers, linkage, j, step):
    """Impulses of rod `j`; its outer link moves; returns as `move_body`, and what the rod still misses.

    Writes: impulses of `j`, motion and scratch of its outer link
    """
    joints, rods, work, state, body = linkage.joints, linkage.rods.table, linkage.rod_work, linkage.state, linkage.tree.body
    scatter_rod(joints, j, rods, movers.ports, work, body, state, AIMING, 1.0)
    away, speed, b = 0.0, 0.0, joints.body[j, joints.outer[j]]
    if movers.ports.inverse_mass[b] > 0.0:
        away, speed = take(movers, b, body, step)
    return away, speed, rod_miss(joints, j, rods, movers.motion, state.impulse, work, step)
