"""Candidate points between a height field and a shape: collecting them, and choosing four."""

from math import sqrt

from .._jit import kernel
from ..math.vec3 import add_scaled, dot, load, store, sub


@kernel
def offer(work, count, feature, surface_point, normal, separation):
    """Add a candidate, given its point on the field; when all places are taken it replaces the shallowest. The new
    number of candidates. Writes: work"""
    k = count
    if count == work.separation.shape[0]:
        k = 0
        for c in range(1, count):
            if work.separation[c] > work.separation[k]:
                k = c
        if work.separation[k] <= separation:
            return count
    work.feature[k] = feature
    store(work.position, k, add_scaled(surface_point, 0.5 * separation, normal))
    store(work.normal, k, normal)
    work.separation[k] = separation
    return min(count + 1, work.separation.shape[0])


@kernel
def choose(work, count, length):
    """Keep the deepest candidate, and up to three more that stand apart from those kept, in place or in direction (a
    turn of the normal counts as a way of `length` [m]) and are not much shallower. Their number. Writes: work.chosen"""
    if count == 0:
        return 0
    deepest = 0
    for c in range(1, count):
        if work.separation[c] < work.separation[deepest]:
            deepest = c
    work.chosen[0] = deepest
    for kept in range(1, 4):
        best, widest = -1, -1e300
        for c in range(count):
            apart = 1e300
            for k in range(kept):
                apart = min(apart, _apart(work, c, work.chosen[k], length))
            score = apart - 2.0 * (work.separation[c] - work.separation[deepest])
            if apart > 1e-3 * length and score > widest:
                best, widest = c, score
        if best < 0:
            return kept
        work.chosen[kept] = best
    return 4


@kernel
def _apart(work, c, k, length):
    d = sub(load(work.position, c), load(work.position, k))
    n = sub(load(work.normal, c), load(work.normal, k))
    return sqrt(dot(d, d) + length * length * dot(n, n))
