"""Linear equations known only by products: the least residual in a Krylov space, with an easing from the right.

Source: [Saad1986] generalised minimal residuals
Check: tests/equations/test_gmres.py
"""

from collections.abc import Callable

import numpy as np

Product = Callable[[np.ndarray], np.ndarray]


def gmres(operate: Product, ease: Product, right: np.ndarray, most: int, share: float) -> np.ndarray:
    """x with |right - operate(x)| <= share |right| (r, 3), by GMRES eased from the right, in `most` products at most."""
    size = float(np.sqrt(np.vdot(right, right)))
    if size == 0.0:
        return np.zeros_like(right)
    basis, eased = np.zeros((most + 1, right.size)), np.zeros((most, right.size))
    upper, rest = np.zeros((most, most)), np.zeros(most + 1)
    turns: list[tuple[float, float]] = []
    basis[0], rest[0] = right.ravel() / size, size
    for j in range(most):
        eased[j] = ease(basis[j].reshape(right.shape)).ravel()
        new = operate(eased[j].reshape(right.shape)).ravel()
        column = basis[:j + 1] @ new
        new = new - column @ basis[:j + 1]
        again = basis[:j + 1] @ new  # what rounding left
        new, column = new - again @ basis[:j + 1], column + again
        for k, (c, s) in enumerate(turns):  # Givens' rotations so far
            column[k], column[k + 1] = c * column[k] + s * column[k + 1], c * column[k + 1] - s * column[k]
        length = float(np.sqrt(new @ new))
        whole = float(np.hypot(column[j], length))
        if not whole > 0.0:
            break
        turns.append((column[j] / whole, length / whole))
        upper[:j, j], upper[j, j] = column[:j], whole
        rest[j], rest[j + 1] = turns[j][0] * rest[j], -turns[j][1] * rest[j]
        if abs(rest[j + 1]) <= share * size or not length > 0.0:
            break
        basis[j + 1] = new / length
    count = len(turns)
    if count == 0:
        return np.zeros_like(right)
    return (np.linalg.solve(upper[:count, :count], rest[:count]) @ eased[:count]).reshape(right.shape)
