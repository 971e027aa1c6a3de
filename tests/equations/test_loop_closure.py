"""Loops of joints: the small system and the whole linkage equal dense solves in NumPy, also where rows repeat each other."""

import numpy as np
import pytest
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.transform import Rotation
from test_tree_elimination import dense, parts_of, velocities

import pliant as pl
from pliant.couple.sweep import sweep_joints
from pliant.equations.rigid.loop_closure import AGREES, factor, row_of, solve
from pliant.model.rows import AIM, CHOSEN, FRAME, LEVER_A, LEVER_B

EPS = np.finfo(float).eps


def solved(W: np.ndarray, x: np.ndarray, rng) -> np.ndarray:
    """Through the kernels, as one of two sets of joints in a table whose rows stand in another order than the set's."""
    n, first, tail = len(x), 5, 3
    joint = np.concatenate([np.full(tail, -7), first + 1 + rng.permutation(n // 6 + 1)[: n // 6]]).astype(np.int32)
    table = np.full((6 * (n // 6 + 2), n + 3), 1e300)  # what belongs to others must not be touched
    at = np.array([row_of(joint, tail, first, q) for q in range(n)])
    table[at, :n], table[at, -1] = W, W.diagonal().max()
    factor(table, joint, tail, first, n)
    table[at, -1] = x
    solve(table, joint, tail, first, n)
    others = np.setdiff1d(np.arange(len(table)), at)
    assert (table[others] == 1e300).all() and (table[at, n:-1] == 1e300).all()
    return table[at, -1]


@pytest.mark.parametrize("joints", [1, 2, 5])
def test_equals_a_dense_solve_of_the_small_system(joints):
    """W p = x, W positive: both solvers lose the condition number times n roundings."""
    rng = np.random.default_rng(joints)
    for spread in (0.0, 1.0, 2.0):
        B = rng.normal(size=(6 * joints, 6 * joints)) * 10.0 ** rng.uniform(-spread, spread, 6 * joints)[:, None]
        W, x = B @ B.T, rng.normal(size=6 * joints)
        expected = cho_solve(cho_factor(W), x)
        tolerance = 6 * joints * EPS * np.linalg.cond(W)
        assert tolerance < 1e-3
        assert np.linalg.norm(solved(W, x, rng) - expected) <= tolerance * np.linalg.norm(expected)


@pytest.mark.parametrize("rank", [1, 7, 11])
def test_rows_that_agree_are_held_by_those_before_them(rank):
    """W of less than full rank and x that it can reach: W p = x, and all rows but `rank` of them get no impulse.

    What rounding leaves of x, some n eps of the largest eigenvalue times p, those do not answer: they ask for nothing.
    """
    rng, n = np.random.default_rng(100 + rank), 12
    for _ in range(5):
        B = rng.normal(size=(n, rank))
        W = B @ B.T
        values = np.linalg.svd(B, compute_uv=False) ** 2
        x = W @ rng.normal(size=n)
        p = solved(W, x, rng)
        assert (p != 0.0).sum() == rank
        basis = np.linalg.eigvalsh(W[np.ix_(p != 0.0, p != 0.0)])
        allowed = n * EPS * values.max() / basis.min()
        assert allowed < 1e-4
        assert np.linalg.norm(W @ p - x) <= allowed * np.linalg.norm(x) + n * EPS * values.max() * np.linalg.norm(p)


def ring(bodies: int, kinds, rng, flat: bool, more: int = 0) -> pl.World:
    """Bodies on a circle, each joined to the next, the first to the world too; `more` joints across. Stepped once."""
    scene = pl.Scene()
    places = [np.array([np.cos(a), 0.0, np.sin(a)]) for a in 2.0 * np.pi / bodies * np.arange(bodies)]
    for i, place in enumerate(places):
        mass = 10.0 ** rng.uniform(-1, 1)
        place = place if flat else place + 0.3 * rng.normal(size=3)
        turn = Rotation.from_rotvec((0, rng.normal(), 0)) if flat else Rotation.random(rng=rng)
        scene.add(pl.Body(f"b{i}", pl.Sphere(0.1), mass=mass, inertia=tuple(mass * rng.uniform(0.5, 0.9, 3)), collide=False,
                          position=tuple(place), quaternion=tuple(turn.as_quat(scalar_first=True)),
                          velocity=tuple(0.1 * rng.normal(size=3)) if not flat else (0, 0, 0)))
    pairs = [(f"b{k}", f"b{(k + 1) % bodies}") for k in range(bodies)] + [(pl.WORLD, "b0")]
    pairs += [(f"b{k}", f"b{k + bodies // 2}") for k in range(more)]
    for k, pair in enumerate(pairs):
        anchor = rng.normal(size=3) * ((1, 0, 1) if flat else (1, 1, 1))
        axis = np.array([0.0, 1.0, 0.0]) if flat else Rotation.random(rng=rng).apply([1, 0, 0])
        scene.add(kinds[k % len(kinds)](f"j{k}", *pair, anchor=tuple(anchor), axis=tuple(axis)))
    world = pl.World(scene, dt=1e-4, substeps=1, threads=1)
    world.step()
    return world


def loops_of(engine) -> int:
    return int((engine.model.joints.outer < 0).sum())


def closing_matrix(M, J, closes) -> np.ndarray:
    """W of the rows that close loops: how they answer each other, the trees' rows held."""
    L = np.linalg.cholesky(M)
    trees, loops = np.linalg.solve(L, J[~closes].T), np.linalg.solve(L, J[closes].T)
    held = loops - trees @ np.linalg.lstsq(trees, loops, rcond=None)[0]
    return held.T @ held


def check(engine, rng, relaxed: bool) -> None:
    """One sweep of random velocities against the smallest change, in the norm of the energy, that closes all rows."""
    model, state, work, linkage = parts_of(engine)
    n = len(model.bodies.mass) - 1
    assert work.islands.count[0] == 1
    state.motion.velocity[1:], state.motion.angular_velocity[1:] = rng.normal(size=(2, n, 3))
    work.joint_work.table[:, AIM:AIM + 6] = 0.0 if relaxed else rng.normal(size=(len(model.joints.kind), 6))
    M, J, aim, names = dense(engine)
    before, impulse = velocities(engine), np.zeros((len(model.joints.kind), 6))
    sweep_joints(linkage, model.bodies.tree, work.ports, state.motion, impulse, work.islands, 0, relaxed)
    dv, p = velocities(engine) - before, np.array([impulse[j, r] for j, r in names])

    L = np.linalg.cholesky(M)
    Y = np.linalg.solve(L, J.T)
    expected = np.linalg.lstsq(Y.T, -J @ before - aim, rcond=1e-9)[0]
    closes = np.array([model.joints.outer[j] < 0 for j, _ in names])
    W, alone = closing_matrix(M, J, closes), (Y[:, closes] ** 2).sum(axis=0).max()
    values = np.linalg.eigvalsh(W)
    own = values[values > 1e-8 * values.max()]
    sizes = np.linalg.svd(Y, compute_uv=False)
    sizes = sizes[sizes > 1e-8 * sizes.max()]
    rounding = 64 * EPS * (sizes.max() / sizes.min()) ** 2
    missed = AGREES * alone / own.min()
    assert rounding + missed < 1e-4, "else this compares nothing"
    assert np.linalg.norm(L.T @ dv - expected) <= (rounding + missed) * np.linalg.norm(expected)
    pushed = np.abs(Y) @ np.abs(p)
    assert np.linalg.norm(L.T @ dv - Y @ p) <= 64 * EPS * np.linalg.norm(pushed) * np.sqrt(len(p)), "what moves has been pushed"


@pytest.mark.parametrize("relaxed", [False, True], ids=["closing", "relaxing"])
@pytest.mark.parametrize("bodies, more", [(3, 0), (5, 0), (12, 0), (8, 1), (9, 3)])
def test_loops_equal_a_dense_solve(bodies, more, relaxed):
    """[M -J^T; J 0] of rings of balls and cross joints through space, one to four loops: no row repeats another."""
    rng = np.random.default_rng(bodies + 100 * more)
    engine = ring(bodies, (pl.Spherical, pl.Universal) if bodies > 5 else (pl.Spherical,), rng, False, more)._engine
    assert loops_of(engine) == 1 + more
    check(engine, rng, relaxed)


@pytest.mark.parametrize("kinds", [(pl.Revolute,), (pl.Revolute, pl.Revolute, pl.Revolute, pl.Prismatic)],
                         ids=["hinges", "hinges and slides"])
@pytest.mark.parametrize("bodies, more", [(4, 0), (6, 0), (7, 2)])
def test_flat_linkages_equal_a_dense_solve(kinds, bodies, more):
    """Flat rings of hinges hold three rows a loop too many, those with a slide two, and yet all agree; oracle: lstsq."""
    rng = np.random.default_rng(bodies + 100 * more)
    engine = ring(bodies, kinds, rng, True, more)._engine
    assert loops_of(engine) == 1 + more
    M, J, _, _ = dense(engine)
    Y = np.linalg.svd(np.linalg.solve(np.linalg.cholesky(M), J.T), compute_uv=False)
    assert len(J) - (1e-8 * Y.max() <= Y).sum() >= 2 * (1 + more), "rows repeat each other"
    check(engine, rng, True)


@pytest.mark.parametrize("bodies", [3, 5, 7])
def test_contacts_answer_each_other_with_their_loops_closed(bodies):
    """K = F A F^T, A as in test_tree_answers.py with all joints: a ring of balls on ball joints falls on the ground.

    Measured against what the bodies would answer without joints, of which loops and trees take away: all lose the condition
    number of J M^-1 J^T times the rounding.
    """
    scene, rng = pl.Scene(), np.random.default_rng(bodies)
    scene.add(pl.Ground())
    places = [np.array([np.cos(a), np.sin(a), 0.1]) for a in 2.0 * np.pi / bodies * np.arange(bodies)]
    for k, place in enumerate(places):
        scene.add(pl.Body(f"b{k}", pl.Sphere(0.1), mass=10.0 ** rng.uniform(-1, 1), position=tuple(place),
                          velocity=(*rng.normal(size=2), -0.5), angular_velocity=tuple(rng.normal(size=3))))
    for k in range(bodies):
        anchor = 0.5 * (places[k] + places[(k + 1) % bodies]) + 0.1 * rng.normal(size=3)
        scene.add(pl.Spherical(f"j{k}", f"b{k}", f"b{(k + 1) % bodies}", anchor=tuple(anchor)))
    world = pl.World(scene, substeps=1, threads=1)
    world.step()
    engine, few = world._engine, world._engine.work.few_contacts
    work, islands = engine.work.contact_work, engine.work.islands
    part = np.repeat(few.state[:bodies, CHOSEN] > 0.0, 3)
    assert loops_of(engine) == 1 and islands.first_contact[1] == bodies and part.sum() > 3
    M, J, _, _ = dense(engine)
    F = np.zeros((3 * bodies, 6 * bodies))
    for m, k in enumerate(islands.contact[:bodies]):
        for side, sign, lever in ((0, -1.0, LEVER_A), (1, 1.0, LEVER_B)):
            b, r = 6 * (work.body[k, side] - 1), work.table[k, lever:lever + 3]
            for row in range(3 * (b >= 0)):
                e = work.table[k, FRAME + 3 * row:FRAME + 3 * row + 3]
                F[3 * m + row, b:b + 6] += sign * np.concatenate([e, np.cross(r, e)])
    L = np.linalg.cholesky(M)
    Y, Z = np.linalg.solve(L, J.T), np.linalg.solve(L, F.T)
    left, sizes = Z - Y @ np.linalg.lstsq(Y, Z, rcond=1e-9)[0], np.linalg.norm(Z, axis=0)
    singular = np.linalg.svd(Y, compute_uv=False)
    tolerance = 64 * EPS * (singular.max() / singular[singular > 1e-9 * singular.max()].min()) ** 2
    assert tolerance < 1e-6  # else this compares nothing
    off = few.matrix[:3 * bodies, :3 * bodies] - left.T @ left
    assert (np.abs(off) <= tolerance * np.outer(sizes, sizes))[np.ix_(part, part)].all()
