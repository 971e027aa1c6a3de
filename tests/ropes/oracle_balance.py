"""Plane chains of rigid links at rest, by Newton's method on their angles: the exact oracle of a direct rope's statics.

Angles θ_i above +x [rad] in the plane (x, z), counted from +x towards +z; links may differ in length and joints in
stiffness. Nothing here knows of pliant.
"""

from typing import NamedTuple

import numpy as np


class Links(NamedTuple):
    """A chain from the origin; joint 0 is the clamp (or a ball: stiffness 0), joint k joins link k − 1 to link k."""

    lengths: np.ndarray
    """[m] (n,)"""
    stiffness: np.ndarray
    """EI/l̂ of the joints [N·m] (n,): moment (EI/l̂) sin φ."""
    forces: np.ndarray
    """On the links' ends (x, z) [N] (n + 1, 2); the weight of a link goes to its two ends in halves."""
    moments: np.ndarray
    """On the links, from +x towards +z [N·m] (n,)."""
    clamp: float = 0.0
    """[rad]"""
    held: dict = {}  # noqa: RUF012
    """Coordinate of the last point (0: x, 1: z) → where it is held [m]."""
    last: tuple[float, float] | None = None
    """(stiffness, angle) of a clamp at the last point."""


def joint_stiffness(lengths, bending, clamped: bool = True) -> np.ndarray:
    """1/Σ(½ l/EI) of the halves that meet at each joint (n,); bending: a number or one for each element [N·m²]."""
    lengths = np.asarray(lengths, float)
    half = 0.5 * lengths / np.broadcast_to(np.asarray(bending, float), lengths.shape)
    return np.concatenate([[1.0 / half[0] if clamped else 0.0], 1.0 / (half[:-1] + half[1:])])


def weights(lengths, weight: float) -> np.ndarray:
    """Forces on the links' ends (n + 1, 2) [N] of a weight per length [N/m]."""
    half = 0.5 * weight * np.asarray(lengths, float)
    forces = np.zeros((len(half) + 1, 2))
    forces[:-1, 1] -= half
    forces[1:, 1] -= half
    return forces


def points_of(lengths, angle) -> np.ndarray:
    """Ends of the links (n + 1, 2) [m]."""
    steps = np.asarray(lengths)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def balance(links: Links, guess, steps: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """(angles (n,) [rad], force that holds the last point (x, z) [N]); loads are raised in `steps`.

    V(θ) = Σ k (1 − cos Δθ) − Σ F·p − Σ M θ is stationary under p_n = where it is held: Newton's method, steps shortened
    while the residual grows.
    """
    angle, held = np.array(guess, float), list(links.held.items())
    pull = np.zeros(len(held))
    for part in np.arange(1, steps + 1) / steps:
        for _ in range(200):
            residual, matrix = _system(links, angle, pull, part, held)
            scale = max(1e-300, float(np.abs(links.forces).max() * links.lengths.max()), float(np.abs(links.moments).max()))
            if np.abs(residual).max() <= 1e-13 * max(1.0, scale):
                break
            change = np.linalg.solve(matrix, -residual)
            change *= min(1.0, 0.3 / max(1e-300, float(np.abs(change[:len(angle)]).max())))
            angle, pull = angle + change[:len(angle)], pull + change[len(angle):]
    hold = np.zeros(2)
    for (c, _), p in zip(held, pull, strict=True):
        hold[c] = p
    return angle, hold


def _system(links: Links, angle, pull, part, held):
    n = len(angle)
    forces = part * links.forces
    beyond = np.cumsum(forces[::-1], axis=0)[::-1][1:].copy()
    for (c, _), p in zip(held, pull, strict=True):
        beyond[:, c] += p
    cos, sin, l = np.cos(angle), np.sin(angle), links.lengths  # noqa: E741
    before = np.concatenate([[links.clamp], angle[:-1]])
    bend, slope = links.stiffness * np.sin(angle - before), links.stiffness * np.cos(angle - before)
    gradient = bend - l * (cos * beyond[:, 1] - sin * beyond[:, 0]) - part * links.moments
    gradient[:-1] -= bend[1:]
    hessian = np.diag(slope + l * (cos * beyond[:, 0] + sin * beyond[:, 1]))
    k = np.arange(1, n)
    hessian[k - 1, k - 1] += slope[1:]
    hessian[k, k - 1] -= slope[1:]
    hessian[k - 1, k] -= slope[1:]
    if links.last is not None:
        stiff, towards = links.last
        gradient[-1] += stiff * np.sin(angle[-1] - towards)
        hessian[-1, -1] += stiff * np.cos(angle[-1] - towards)
    rows = np.array([(-l * sin, l * cos)[c] for c, _ in held]).reshape(len(held), n)
    tip = points_of(l, angle)[-1]
    miss = np.array([tip[c] - where for c, where in held])
    zero = np.zeros((len(held), len(held)))
    return np.concatenate([gradient, -miss]), np.block([[hessian, -rows.T], [-rows, zero]])


def buckling_load(links: Links) -> float:
    """Smallest push −x [N] at the last point under which a straight chain along +x gives way: K θ = P l θ.

    With z of the last point held, angles are bound to Σ l θ = 0.
    """
    from scipy.linalg import eigh, null_space

    n = len(links.lengths)
    flat = links._replace(forces=np.zeros((n + 1, 2)), moments=np.zeros(n), clamp=0.0, held={})
    stiff, load = _system(flat, np.zeros(n), np.zeros(0), 1.0, [])[1], np.diag(links.lengths)
    if 1 in links.held:
        free = null_space(links.lengths[None])
        stiff, load = free.T @ stiff @ free, free.T @ load @ free
    return float(eigh(stiff, load, eigvals_only=True)[0])
