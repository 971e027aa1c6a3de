"""Candidate points between a height field and a shape: collecting them, and choosing some."""

from math import sqrt

from .._jit import kernel
from ..math.vec3 import add_scaled, dot, load, store, sub

KEPT = 8
"""Points that one height field and one shape keep: as many as an island's contacts that are solved to the end."""


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
def choose(work, count, length, margin):
    """Keep the deepest candidate, and up to KEPT in all that stand apart from those kept, in place or in direction (a turn
    of the normal counts as a way of `length` [m]); to be shallower by `margin` [m] counts against a way of `length`. Their
    number. Writes: work.chosen"""
    if count == 0:
        return 0
    deepest = 0
    for c in range(1, count):
        if work.separation[c] < work.separation[deepest]:
            deepest = c
    work.chosen[0] = deepest
    for kept in range(1, KEPT):
        best, widest = -1, -1e300
        for c in range(count):
            apart = 1e300
            for k in range(kept):
                apart = min(apart, _apart(work, c, work.chosen[k], length))
            score = apart - length / margin * (work.separation[c] - work.separation[deepest])
            if apart > 1e-3 * length and score > widest:
                best, widest = c, score
        if best < 0:
            return kept
        work.chosen[kept] = best
    return KEPT


@kernel
def _apart(work, c, k, length):
    d = sub(load(work.position, c), load(work.position, k))
    n = sub(load(work.normal, c), load(work.normal, k))
    return sqrt(dot(d, d) + length * length * dot(n, n))
