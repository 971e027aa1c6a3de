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

from itertools import combinations

import numpy as np


def best_blend(gram: np.ndarray, product: np.ndarray, now: np.ndarray) -> np.ndarray:
    """t (k,), the least of t^T G t / 2 - b^T t on the simplex, by trying every choice of examples that take part.

    Examples are few. Where they do not determine the blend, the one found first stays, and `now` where none is better.
    """
    best, least = now, 0.5 * now @ gram @ now - product @ now
    for count in range(1, len(product) + 1):
        for some in map(list, combinations(range(len(product)), count)):
            matrix = np.zeros((count + 1, count + 1))
            matrix[:count, :count] = gram[np.ix_(some, some)]
            matrix[count, :count] = matrix[:count, count] = np.trace(gram) / len(gram)
            right = np.append(product[some], np.trace(gram) / len(gram))
            found = np.linalg.lstsq(matrix, right, rcond=1e-12)[0][:count]
            if (found >= -1e-12).all():
                t = np.zeros(len(product))
                t[some] = np.maximum(found, 0.0)
                t /= t.sum()
                value = 0.5 * t @ gram @ t - product @ t
                if value < least - 1e-15 * abs(least):
                    best, least = t, value
    return best
