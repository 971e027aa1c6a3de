"""Chains of a rope's links: elimination by 3 x 3 matrices equals a dense solve of the whole system, in NumPy."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant.equations.rod.chain_elimination import at_centre, lean, let_part, let_turn, shift

EPS = np.finfo(float).eps
HEAVY = 1e3
"""Mass of what stands for the second hold of a chain, over that of links; a sum with it rounds links off by as much."""


class Joint(NamedTuple):
    """Holds link b (outer) to link a (inner, or None: the world); letters as in chain_elimination.py."""

    r_a: np.ndarray
    r_b: np.ndarray
    s: float
    e: np.ndarray
    q: np.ndarray
    G: np.ndarray
    kappa: np.ndarray
    gamma: np.ndarray
    """(3, 3), positive or zero."""
    slide: np.ndarray | None


class Chain(NamedTuple):
    """Links one after another; joint k holds link k to link k - 1, joint 0 the first one to the world, or is None."""

    D: list
    z: list
    joints: list


def random_chain(rng, links: int, held: bool, anvil: bool, gap: str) -> Chain:
    D, z, joints = [], [], []
    for k in range(links + anvil):
        heavy = HEAVY if anvil and k == links else 1.0  # an end held a second time stands for something heavy
        turn = Rotation.random(rng=rng).as_matrix()
        mass = heavy * 10.0 ** rng.uniform(-1, 1)
        inertia = turn @ np.diag(mass * rng.uniform(0.5, 0.9, 3)) @ turn.T
        D.append(np.block([[mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), inertia]]))
        z.append(rng.normal(size=6))
        if k == 0 and not held:
            joints.append(None)
            continue
        law, gamma, slide = gap if gap != "mixed" else rng.choice(["rigid", "soft", "sliding"]), np.zeros((3, 3)), None
        if law == "soft":
            axes = Rotation.random(rng=rng).as_matrix()
            gamma = axes @ np.diag(10.0 ** rng.uniform(-3, 1, 3)) @ axes.T
        if law == "sliding":
            slide = rng.normal(size=3)
            slide /= np.linalg.norm(slide)
        r_b = np.zeros(3) if heavy > 1.0 else rng.normal(size=3)
        joints.append(Joint(rng.normal(size=3), r_b, rng.choice([-1.0, 1.0]), rng.normal(size=3), rng.normal(size=3),
                            rng.normal(size=(3, 3)), 10.0 ** rng.uniform(-2, 2, 3), gamma, slide))
    return Chain(D, z, joints)


def cross(r) -> np.ndarray:
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def dense(chain: Chain) -> tuple[np.ndarray, np.ndarray, float]:
    """(velocities (n, 6), forces (n, 3), condition number) from one dense system: balance of links, laws of joints."""
    n = len(chain.D)
    size = 9 * n
    matrix, right = np.zeros((size, size)), np.zeros(size)
    for k, (D, z, joint) in enumerate(zip(chain.D, chain.z, chain.joints, strict=True)):
        b, a, f = slice(6 * k, 6 * k + 6), slice(6 * k - 6, 6 * k), slice(6 * n + 3 * k, 6 * n + 3 * k + 3)
        matrix[b, b] += D
        right[b] += z
        if joint is None:
            matrix[f, f] = np.eye(3)  # no force
            continue
        at_b = np.hstack([np.eye(3), -cross(joint.r_b)])  # u = v + w x r
        at_a = np.hstack([np.eye(3), -cross(joint.r_a)])
        K, psi = joint.G.T @ np.diag(joint.kappa) @ joint.G, joint.s * joint.G.T @ (joint.kappa * joint.q)
        turn = np.hstack([np.zeros((3, 3)), np.eye(3)])
        matrix[b, f] -= at_b.T
        matrix[b, b] += turn.T @ K @ turn
        right[b] += turn.T @ psi
        law = np.eye(3) if joint.slide is None else np.eye(3) - np.outer(joint.slide, joint.slide)
        matrix[f, b] += law @ at_b
        right[f] += law @ (joint.s * joint.e)
        matrix[f, f] += joint.gamma if joint.slide is None else np.outer(joint.slide, joint.slide)
        if k > 0:
            matrix[a, f] += at_a.T
            matrix[b, a] -= turn.T @ K @ turn
            matrix[a, b] -= turn.T @ K @ turn
            matrix[a, a] += turn.T @ K @ turn
            right[a] -= turn.T @ psi
            matrix[f, a] -= law @ at_a
    x = np.linalg.solve(matrix, right)
    scale = np.sqrt(np.abs(matrix).max(axis=1))
    return x[:6 * n].reshape(n, 6), x[6 * n:].reshape(n, 3), float(np.linalg.cond(matrix / np.outer(scale, scale)))


def sym(m) -> tuple:
    return m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]


def full(s) -> np.ndarray:
    return np.array([[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]])


def rows(m) -> tuple:
    return tuple(tuple(float(c) for c in r) for r in m)


def eliminated(chain: Chain) -> tuple[np.ndarray, np.ndarray]:
    """(velocities (n, 6), forces (n, 3)) link by link, as the docstring of chain_elimination.py says."""
    n = len(chain.D)
    D, z, kept = [d.copy() for d in chain.D], [v.copy() for v in chain.z], [None] * n
    for k in range(n - 1, -1, -1):
        joint = chain.joints[k]
        if joint is None:
            continue
        A, B, C = sym(D[k][:3, :3]), rows(D[k][:3, 3:]), sym(D[k][3:, 3:])
        r_b, r_a = tuple(joint.r_b.tolist()), tuple(joint.r_a.tolist())
        B, C = shift(A, B, C, r_b)
        K, psi = joint.G.T @ np.diag(joint.kappa) @ joint.G, joint.s * joint.G.T @ (joint.kappa * joint.q)
        W, hat, E, F = let_turn(A, B, C, sym(K))
        W, Ah, Eh = full(W), full(hat), np.array(E)
        X, Y, Q = W @ K, W @ np.array(B).T, full(C) @ W
        z_w = z[k][3:] - np.cross(joint.r_b, z[k][:3])
        force, turn = Y.T @ (z_w + psi) - z[k][:3], Q @ psi - X.T @ z_w
        M = np.zeros((3, 3))
        if joint.slide is not None:
            M = np.outer(joint.slide, joint.slide) / (joint.slide @ Ah @ joint.slide)
        elif joint.gamma.any():
            M = np.linalg.inv(np.linalg.inv(joint.gamma) + Ah)
        y = Ah @ (joint.s * joint.e) + force
        A, E, F = let_part(hat, E, F, sym(M))
        kept[k] = (joint, W, X, Y, Ah, Eh, M, y, z_w + psi)
        if k > 0:
            pull, moved = y - Ah @ (M @ y), joint.s * joint.e - M @ y
            z[k - 1][:3] -= pull
            z[k - 1][3:] -= np.cross(joint.r_a, pull) + Eh.T @ moved + turn
            E, F = at_centre(A, E, F, r_a)
            D[k - 1] += np.block([[full(A), np.array(E)], [np.array(E).T, full(F)]])
    velocity, forces = np.zeros((n, 6)), np.zeros((n, 3))
    for k in range(n):
        if kept[k] is None:
            velocity[k] = np.linalg.solve(D[k], z[k])
            continue
        joint, W, X, Y, Ah, Eh, M, y, load = kept[k]
        v, w = (velocity[k - 1][:3], velocity[k - 1][3:]) if k > 0 else (np.zeros(3), np.zeros(3))
        u = v + np.cross(w, joint.r_a)
        wanted = Ah @ u + Eh @ w + y
        forces[k] = wanted - Ah @ (M @ wanted)
        moved = u + joint.s * joint.e - M @ wanted
        spin = W @ load - Y @ moved + X @ w
        velocity[k] = np.concatenate([moved - np.cross(spin, joint.r_b), spin])
    return velocity, forces


@pytest.mark.parametrize("gap", ["rigid", "soft", "sliding", "mixed"])
@pytest.mark.parametrize(("held", "anvil"), [(True, False), (True, True), (False, False)], ids=["held", "both held", "free"])
def test_equals_a_dense_solve(held, anvil, gap):
    """Chains of 1 to 20 links, masses and stiffnesses over four powers of ten.

    Both lose at most the condition number of the whole system, its rows and columns evened out, times the rounding.
    """
    rng = np.random.default_rng(17)
    for links in (1, 2, 3, 8, 20):
        chain = random_chain(rng, links, held, anvil, gap)
        expected, forces, condition = dense(chain)
        velocity, found = eliminated(chain)
        tolerance = 64 * EPS * condition * (HEAVY if anvil else 1.0)
        assert tolerance < 1e-5  # else this compares nothing
        assert np.abs(velocity - expected).max() <= tolerance * np.abs(expected).max(), links
        assert np.abs(found - forces).max() <= tolerance * max(np.abs(forces).max(), np.abs(expected).max()), links


def test_a_stiff_rope_loses_nothing():
    """Bending stiffness up to 1e12 of the inertia: F^ = Q K stays within rounding of (K^-1 + C'^-1)^-1, its stable form."""
    rng = np.random.default_rng(18)
    for stiff in (1e-12, 1.0, 1e6, 1e12):
        C, G = np.diag(rng.uniform(1, 2, 3)), np.linalg.qr(rng.normal(size=(3, 3)))[0]
        K = G.T @ np.diag(stiff * rng.uniform(1, 2, 3)) @ G
        K = 0.5 * (K + K.T)
        *_, F = let_turn(sym(np.eye(3)), rows(np.zeros((3, 3))), sym(C), sym(K))
        expected = np.linalg.inv(np.linalg.inv(K) + np.linalg.inv(C))
        assert np.abs(full(F) - expected).max() <= 64 * EPS * np.abs(expected).max()


def test_shifting_a_mass_there_and_back():
    """T^T D T of the change to (u, w) with v = u + r x w, and back to where it was."""
    rng = np.random.default_rng(19)
    L = rng.normal(size=(6, 6))
    D, r = L @ L.T, rng.normal(size=3)
    T = np.block([[np.eye(3), cross(r)], [np.zeros((3, 3)), np.eye(3)]])
    expected = T.T @ D @ T
    A, B, C = sym(D[:3, :3]), rows(D[:3, 3:]), sym(D[3:, 3:])
    B1, C1 = shift(A, B, C, tuple(r.tolist()))
    tolerance = 64 * EPS * np.abs(expected).max()
    assert np.abs(np.array(B1) - expected[:3, 3:]).max() <= tolerance
    assert np.abs(full(C1) - expected[3:, 3:]).max() <= tolerance
    B2, C2 = at_centre(A, B1, C1, tuple(r.tolist()))
    assert np.abs(np.array(B2) - D[:3, 3:]).max() <= tolerance
    assert np.abs(full(C2) - D[3:, 3:]).max() <= tolerance


def test_leaning_a_mass_there_and_back():
    """T^T D T of the change to (u, w) with v = u - d (c.w), and back to where it was."""
    rng = np.random.default_rng(20)
    L = rng.normal(size=(6, 6))
    D, d, c = L @ L.T, rng.normal(size=3), rng.normal(size=3)
    T = np.block([[np.eye(3), -np.outer(d, c)], [np.zeros((3, 3)), np.eye(3)]])
    expected = T.T @ D @ T
    A, B, C = sym(D[:3, :3]), rows(D[:3, 3:]), sym(D[3:, 3:])
    B1, C1 = lean(A, B, C, tuple(d.tolist()), tuple(c.tolist()))
    tolerance = 64 * EPS * np.abs(expected).max()
    assert np.abs(np.array(B1) - expected[:3, 3:]).max() <= tolerance
    assert np.abs(full(C1) - expected[3:, 3:]).max() <= tolerance
    B2, C2 = lean(A, B1, C1, tuple(d.tolist()), tuple((-c).tolist()))
    assert np.abs(np.array(B2) - D[:3, 3:]).max() <= tolerance
    assert np.abs(full(C2) - D[3:, 3:]).max() <= tolerance
