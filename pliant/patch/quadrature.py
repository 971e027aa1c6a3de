"""Points and weights for integrals over patches: a rule of 12 points, cut finer where the relief begins."""

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..scene.patch import PatchMesh
from .groups import Samples
from .surface import Surface, heights_of, samples_at, surface_of

DEPTH = 14
"""Triangles are halved at most so often."""
MOST = 4_000_000
"""No finer than so many points, whatever the tolerance."""

_KNOWN: "WeakKeyDictionary[PatchMesh, dict[float, Samples]]" = WeakKeyDictionary()


def rule() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Barycentric places (12, 3) and weights (12,) that integrate polynomials of degree 6 over a triangle of area 1.

    The rule of Dunavant (1985).
    """
    orbits = (
        (0.116786275726379, (0.501426509658179, 0.249286745170910, 0.249286745170911)),
        (0.050844906370207, (0.873821971016996, 0.063089014491502, 0.063089014491502)),
        (0.082851075618374, (0.636502499121399, 0.310352451033784, 0.053145049844817)),
        (0.082851075618374, (0.310352451033784, 0.636502499121399, 0.053145049844817)),
    )
    places = np.array([np.roll(place, turn) for _, place in orbits for turn in range(3)])
    weights = np.repeat([weight for weight, _ in orbits], 3)
    return places / places.sum(axis=1, keepdims=True), weights / weights.sum()


def quadrature(mesh: PatchMesh, tolerance: float = 1e-6) -> Samples:
    """Points of all patches that have a relief, with heights: volume, first moment and area err by about `tolerance` [-].

    Each triangle is compared with its four quarters; where they differ the quarters are taken, and so on.
    """
    known = _KNOWN.setdefault(mesh, {})
    if tolerance not in known:
        known[tolerance] = adaptive(mesh, surface_of(mesh), tolerance)
    return known[tolerance]


def adaptive(mesh: PatchMesh, surface: Surface, tolerance: float) -> Samples:
    """The points, found level by level."""
    corner = mesh.vertices[mesh.faces]
    one, two = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    area = np.linalg.norm(np.cross(one, two), axis=1)  # twice
    metric = np.linalg.inv(np.stack([one, two], axis=1) @ np.stack([one, two], axis=2))
    face = np.flatnonzero(np.diff(surface.patches.first_quadric) > 0).astype(np.int32)
    cut = np.tile(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), (len(face), 1, 1))
    halvings = np.zeros(len(face), int)
    while (coarse := (4 << halvings) < surface.pieces[face]).any():  # four points of the rule stand along a side
        face, halvings, cut = refined(face, halvings, cut, coarse)
    now = points_in(mesh, surface, face, cut)
    limit = tolerance * np.abs(integrands(now, area, metric)).sum(axis=0) / area.sum()
    kept: list[Samples] = []
    while len(face) and halvings.max() < DEPTH and 48 * len(face) + sum(len(one.face) for one in kept) < MOST:
        quarters = in_quarters(cut)
        fine = points_in(mesh, surface, np.repeat(face, 4), quarters.reshape(-1, 3, 2))
        coarse_sum = integrands(now, area, metric).reshape(-1, 12, 3).sum(axis=1)
        error = np.abs(integrands(fine, area, metric).reshape(-1, 48, 3).sum(axis=1) - coarse_sum)
        good = (error <= np.outer(area[face] * 0.25**halvings, limit)).all(axis=1)
        kept.append(chosen(now, np.repeat(good, 12)))
        now = chosen(fine, np.repeat(~good, 48))
        face, halvings = np.repeat(face[~good], 4), np.repeat(halvings[~good] + 1, 4)
        cut = quarters[~good].reshape(-1, 3, 2)
    kept.append(now)
    joined = [np.concatenate([getattr(one, name) for one in kept]) for name in Samples._fields[1:]]
    order = np.argsort(joined[0], kind="stable")
    first = np.searchsorted(joined[0][order], np.arange(len(mesh.faces) + 1)).astype(np.int32)
    return Samples(first, *(array[order] for array in joined))


def refined(face, halvings, cut, which) -> tuple[NDArray, NDArray, NDArray]:
    """The same triangles, sorted by face, those of `which` cut into four."""
    face = np.concatenate([face[~which], np.repeat(face[which], 4)])
    halvings = np.concatenate([halvings[~which], np.repeat(halvings[which] + 1, 4)])
    cut = np.concatenate([cut[~which], in_quarters(cut[which]).reshape(-1, 3, 2)])
    order = np.argsort(face, kind="stable")
    return face[order], halvings[order], cut[order]


def integrands(samples: Samples, area, metric) -> NDArray[np.float64]:
    """What must be integrated well (s, 3): the height, its square, and the area over a flat triangle."""
    stretch = np.sqrt(1.0 + np.einsum("si,sij,sj->s", samples.slope, metric[samples.face], samples.slope))
    values = np.stack([samples.height, samples.height**2, stretch], axis=1)
    return values * (samples.measure * area[samples.face])[:, None]


def points_in(mesh: PatchMesh, surface: Surface, face, cut) -> Samples:
    """The rule's points, with heights, in triangles `cut` (k, 3, 2) of the places of faces (k,), which are sorted."""
    places, weights = rule()
    place = np.einsum("pc,kci->kpi", places, cut).reshape(-1, 2)
    one, two = cut[:, 1] - cut[:, 0], cut[:, 2] - cut[:, 0]
    half = 0.5 * np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0])
    samples = samples_at(np.repeat(face, 12).astype(np.int32), place, np.outer(half, weights).ravel(), len(mesh.faces))
    return heights_of(surface, samples, mesh)


def in_quarters(cut) -> NDArray[np.float64]:
    """Each triangle (k, 3, 2) cut into four (k, 4, 3, 2)."""
    a, b, c = cut[:, 0], cut[:, 1], cut[:, 2]
    ab, bc, ca = 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)
    four = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (bc, ca, ab))
    return np.stack([np.stack(one, axis=1) for one in four], axis=1)


def chosen(samples: Samples, mask) -> Samples:
    """Some of the points; `first` is left to be made at the end."""
    return Samples(samples.first, *(array[mask] for array in samples[1:]))
