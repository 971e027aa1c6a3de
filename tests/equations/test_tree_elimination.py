"""Trees of joints: impulses and answers equal a dense solve of the whole system, in NumPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.couple.sweep import sweep_joints
from pliant.model.model import sets_of
from pliant.model.rows import AIM, ARM_A, ARM_B
from pliant.scene.pose import turned

EPS = np.finfo(float).eps
KINDS = (pl.Revolute, pl.Prismatic, pl.Spherical, pl.Fixed, pl.Universal, pl.Cylindrical)


def random_tree(rng, bodies: int, anchored: bool, masses: float) -> pl.World:
    """Bodies one after another, each on an earlier one (or the world) by a random joint; stepped once."""
    scene = pl.Scene()
    names: list[str] = []
    for i in range(bodies):
        inertia, mass = rng.uniform(0.5, 0.9, 3), 10.0 ** rng.uniform(-masses, masses)
        scene.add(pl.Body(f"b{i}", pl.Sphere(0.1), mass=mass, inertia=tuple(mass * inertia), position=rng.normal(size=3),
                          quaternion=Rotation.random(rng=rng).as_quat(scalar_first=True), velocity=rng.normal(size=3),
                          angular_velocity=rng.normal(size=3), collide=False))
        names.append(f"b{i}")
        parent = pl.WORLD if anchored and i == 0 else names[rng.integers(i)] if i else None
        if parent is not None:
            pair = (parent, names[i]) if rng.uniform() < 0.5 else (names[i], parent)
            axis = rng.normal(size=3)
            scene.add(KINDS[i % 6](f"j{i}", *pair, anchor=rng.normal(size=3), axis=axis / np.linalg.norm(axis)))
    world = pl.World(scene, dt=1e-3, substeps=1, threads=1)
    world.step()
    return world


def dense(engine) -> tuple[np.ndarray, np.ndarray, np.ndarray, list]:
    """(M, J, aim, (joint, row) of each row of J) of all dynamic bodies, where they are."""
    model, work, motion = engine.model, engine.work, engine.state.motion
    n = len(model.bodies.mass)
    M, J, aim, names = np.zeros((6 * n, 6 * n)), [], [], []
    for b in range(1, n):
        R = np.array([turned(tuple(motion.quaternion[b]), e) for e in np.eye(3)]).T
        M[6 * b:6 * b + 3, 6 * b:6 * b + 3] = model.bodies.mass[b] * np.eye(3)
        M[6 * b + 3:6 * b + 6, 6 * b + 3:6 * b + 6] = R @ np.diag(model.bodies.inertia[b]) @ R.T
    for j, (a, b) in enumerate(model.joints.body):
        for r in range(work.joint_work.count[j]):
            row, given = np.zeros(6 * n), work.joint_rows.table[6 * j + r]
            row[6 * a:6 * a + 3] -= given[:3]
            row[6 * a + 3:6 * a + 6] -= given[ARM_A:ARM_A + 3]
            row[6 * b:6 * b + 3] += given[:3]
            row[6 * b + 3:6 * b + 6] += given[ARM_B:ARM_B + 3]
            J.append(row)
            aim.append(work.joint_work.table[j, AIM + r])
            names.append((j, r))
    return M[6:, 6:], np.array(J)[:, 6:], np.array(aim), names


def parts_of(engine) -> tuple:
    """(model, state, scratch, the linkage that a sweep of joints takes)."""
    model, state, work = engine.model, engine.state, engine.work
    return model, state, work, sets_of(model, state, work)[1]


def velocities(engine) -> np.ndarray:
    motion = engine.state.motion
    return np.concatenate([motion.velocity, motion.angular_velocity], axis=1)[1:].ravel()


@pytest.mark.parametrize("relaxed", [False, True], ids=["closing", "relaxing"])
@pytest.mark.parametrize("anchored", [False, True], ids=["free", "anchored"])
def test_equals_a_dense_solve(anchored, relaxed):
    """[M -J^T; J 0] [dv; p] = [0; -J v - aim]: trees of 1 to 24 bodies with all six kinds of joints, mass ratios to 1e4.

    Both solvers lose at most the condition number of J M^-1 J^T times the rounding; each unknown is measured in the
    norm that the system itself gives it (energies), so that the number does not depend on units.
    """
    rng = np.random.default_rng(13)
    for bodies in (1, 2, 3, 7, 12, 24):
        if bodies == 1 and not anchored:
            continue
        engine = random_tree(rng, bodies, anchored, 2.0)._engine
        model, state, work, linkage = parts_of(engine)
        assert (model.joints.outer >= 0).all() and work.islands.count[0] == 1
        state.motion.velocity[1:], state.motion.angular_velocity[1:] = rng.normal(size=(2, bodies, 3))
        work.joint_work.table[:, AIM:AIM + 6] = rng.normal(size=(len(model.joints.kind), 6))
        M, J, aim, names = dense(engine)
        before, impulse = velocities(engine), np.zeros((len(model.joints.kind), 6))
        sweep_joints(linkage, model.bodies.tree, work.ports, state.motion, impulse, work.islands, 0, relaxed)
        dv, p = velocities(engine) - before, np.array([impulse[j, r] for j, r in names])
        missing = -J @ before - (0.0 if relaxed else aim)
        L = np.linalg.cholesky(M)
        Y = np.linalg.solve(L, J.T)
        expected = np.linalg.lstsq(Y.T, missing, rcond=None)[0]  # L^T dv: the smallest that does it, as Gauss says
        expected_p = np.linalg.lstsq(Y, expected, rcond=None)[0]
        tolerance = 16 * EPS * np.linalg.cond(Y) ** 2
        assert tolerance < 1e-6  # else this compares nothing
        assert np.linalg.norm(L.T @ dv - expected) <= tolerance * np.linalg.norm(expected), bodies
        assert np.linalg.norm(Y @ (p - expected_p)) <= tolerance * np.linalg.norm(expected), bodies
        assert np.linalg.norm(p - expected_p) <= tolerance * np.linalg.norm(expected_p), bodies


def test_a_second_solve_has_nothing_left_to_do():
    """The solve is exact, so doing it again changes velocities by rounding only."""
    rng = np.random.default_rng(14)
    engine = random_tree(rng, 12, True, 0.5)._engine
    model, state, work, linkage = parts_of(engine)
    state.motion.velocity[1:] = rng.normal(size=(12, 3))
    impulse = np.zeros((len(model.joints.kind), 6))
    speeds = [velocities(engine)]
    for _ in range(2):
        sweep_joints(linkage, model.bodies.tree, work.ports, state.motion, impulse, work.islands, 0, True)
        speeds.append(velocities(engine))
    sizes = np.abs(np.diff(speeds, axis=0)).max(axis=1)
    M, J, _, _ = dense(engine)
    tolerance = 16 * EPS * np.linalg.cond(np.linalg.solve(np.linalg.cholesky(M), J.T)) ** 2
    assert tolerance < 1e-6 and sizes[0] > 0.1
    assert sizes[1] <= tolerance * sizes[0]
    assert abs(J @ velocities(engine)).max() <= tolerance * abs(velocities(engine)).max()
