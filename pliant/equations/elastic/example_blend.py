"""Example constraint: the nearest blend of given shapes.

An example deforms every cell c by a stretch S_k,c (the symmetric part of its deformation gradient). The set of a solid that
likes its examples holds all shapes whose cells are turned blends of them, with one blend for the whole solid:

    pi_c = R_c S_c,   S_c = sum_k t_k S_k,c,   sum_k t_k = 1,  t_k >= 0

Nearest to F_c in the sum of w_c |F_c - pi_c|^2: for given t every R_c is the rotation next to F_c S_c; for given R_c the
blend t is the least of a small quadratic function,

    t^T G t / 2 - b^T t,     G_kl = sum_c w_c S_k,c : S_l,c,     b_k = sum_c w_c (R_c^T F_c) : S_k,c

on the simplex. Each of the two makes the distance smaller, so one of each an iteration keeps local/global monotone.

Source: [PaperD] examples, the two cars of figure 4
Check: tests/soft/test_soft_examples.py
"""

from functools import lru_cache
from itertools import combinations

import numpy as np


def best_blend(gram: np.ndarray, product: np.ndarray, now: np.ndarray) -> np.ndarray:
    """t (k,), the least of t^T G t / 2 - b^T t on the simplex, by trying every choice of examples that take part.

    Examples are few. Where they do not determine the blend, the one found first stays, and `now` where none is better.
    """
    found = _solutions(gram.tobytes(), len(gram)) @ np.append(product, 1.0)
    t = np.maximum(found[(found >= -1e-12).all(axis=1)], 0.0)
    t /= t.sum(axis=1)[:, None]
    value = 0.5 * np.einsum("si,ij,sj->s", t, gram, t) - t @ product
    least = 0.5 * now @ gram @ now - product @ now
    k = int(value.argmin())
    return t[k] if value[k] < least - 1e-15 * abs(least) else now


@lru_cache(maxsize=64)
def _solutions(gram: bytes, count: int) -> np.ndarray:
    """For every choice of examples the matrix that gives its t from (b, 1), the others zero (2^k - 1, k, k + 1)."""
    matrix = np.frombuffer(gram).reshape(count, count)
    size, out = np.trace(matrix) / count, []
    for some in (list(one) for n in range(1, count + 1) for one in combinations(range(count), n)):
        bordered = np.zeros((len(some) + 1, len(some) + 1))
        bordered[:-1, :-1] = matrix[np.ix_(some, some)]
        bordered[-1, :-1] = bordered[:-1, -1] = size
        inverse = np.linalg.pinv(bordered, rcond=1e-12)
        one = np.zeros((count, count + 1))
        one[np.ix_(some, [*some, count])] = inverse[:-1] * np.append(np.ones(len(some)), size)
        out.append(one)
    return np.array(out)
