"""Contacts and ties that all answer each other, too many for a dense system: u = u_0 + K lambda with K only as a product.

Newton's method on cone_residual.py as in dense_contacts.py, its equations solved by GMRES to a share of what is left. Where a
step of it leads away, one of projected gradients is taken: with a diagonal that exceeds K it never overshoots.
"""

from collections.abc import Callable

import numpy as np

NEWTON_STEPS, KRYLOV = 8, 20
"""Steps of Newton's method at most, and products within one of them."""
SHARE = 0.1
"""Of what is left, what one step may leave [-]."""
EVEN = 1e-6
"""Added to K, as a share of the largest answer of a row [-]: rows that say the same share what they bear."""
SHORTEST = 0.05
"""Steps are shortened to this at most before one of projected gradients is taken [-]."""

Product = Callable[[np.ndarray], np.ndarray]


class ManyContacts:
    """Contacts of one island in one substep; the first `ties` blocks are held along all three rows."""

    def __init__(self, answer: Product, ease: Product, own: np.ndarray, most: np.ndarray, friction: np.ndarray,
                 ties: int) -> None:
        """answer: K (r, 3) -> (r, 3); ease: about its inverse; own, most [1/kg] (r,): about its diagonal, and one above K."""
        self._even = EVEN * float(own.max(initial=0.0))
        self._answer, self._ease = answer, ease
        self._own, self._most, self._friction = own[:, None], most[:, None], friction
        self._held = np.arange(len(own)) < ties
        self.products = 0

    def solve(self, speed: np.ndarray, impulse: np.ndarray, close: float, labour: int) -> float:
        """Change impulses and speeds (r, 3) until contacts allow them to `close` [m/s], or to a share of what they miss now.

        Once `labour` products are spent no further step is begun. Returns what is left [m/s]. Writes: impulse, speed
        """
        until = self.products + labour
        off = self._off(speed, impulse)
        left = float(np.abs(off).max(initial=0.0))
        close = max(close, SHARE * left)
        for k in range(NEWTON_STEPS):
            if left <= close or (k and self.products >= until):
                break
            off = self._step(speed, impulse, off)
            left = float(np.abs(off).max())
        return left

    def contrary(self, impulse: np.ndarray) -> float:
        """What evenness hides of rows that contradict each other [m/s]."""
        return self._even * float(np.abs(impulse).max(initial=0.0))

    def _product(self, x: np.ndarray) -> np.ndarray:
        self.products += 1
        return self._answer(x) + self._even * x

    def _target(self, u: np.ndarray, x: np.ndarray, answer: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """z = lambda - u / d; the radii of the discs; the lengths of z along the tangents."""
        z = x - u / answer
        return z, self._friction * np.maximum(x[:, 0], 0.0), np.hypot(z[:, 1], z[:, 2])

    def _off(self, u: np.ndarray, x: np.ndarray) -> np.ndarray:
        """F of cone_residual.py [m/s] (r, 3)."""
        z, radius, size = self._target(u, x, self._own)
        z[:, 0] = np.maximum(z[:, 0], 0.0)
        z[:, 1:] *= np.where(size > radius, radius / np.maximum(size, 1e-300), 1.0)[:, None]
        return np.where(self._held[:, None], u, self._own * (x - z))

    def _step(self, speed: np.ndarray, impulse: np.ndarray, off: np.ndarray) -> np.ndarray:
        """One step; returns F after it. Writes: speed, impulse"""
        before = float(np.vdot(off, off))
        step = self._newton(speed, impulse, off)
        turned, length = self._product(step), 1.0
        while length >= SHORTEST:
            after = self._off(speed + length * turned, impulse + length * step)
            if float(np.vdot(after, after)) < (1.0 - 1e-4 * length) ** 2 * before:
                break
            length *= 0.5
        speed += length * turned
        impulse += length * step
        return self._off(speed, impulse)

    def _descent(self, u: np.ndarray, x: np.ndarray) -> np.ndarray:
        """A step of projected gradients."""
        z = x - u / self._most
        z[~self._held, 0] = np.maximum(z[~self._held, 0], 0.0)
        radius, size = self._friction * z[:, 0], np.hypot(z[:, 1], z[:, 2])
        shrink = (size > radius) & ~self._held
        z[shrink, 1:] *= (radius[shrink] / size[shrink])[:, None]
        return z - x

    def _newton(self, speed: np.ndarray, impulse: np.ndarray, off: np.ndarray) -> np.ndarray:
        """The step of Newton's method [N s] (r, 3)."""
        own = self._own
        z, radius, size = self._target(speed, impulse, own)
        pushes = (z[:, 0] > 0.0) | self._held
        slips = pushes & (size > radius) & ~self._held
        along = z[:, 1:] / np.maximum(size, 1e-300)[:, None]
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        share = np.where(slips, radius / np.maximum(size, 1e-300), 1.0)[:, None]
        some = pushes[:, None].astype(float)
        slide = slips[:, None]

        def turn(y: np.ndarray) -> np.ndarray:
            """Rows of Newton's equations from speeds."""
            out = y * some
            seen = share * across * np.sum(across * y[:, 1:], axis=1)[:, None]
            out[:, 1:] = np.where(slide, seen, out[:, 1:])
            return out

        def operate(x: np.ndarray) -> np.ndarray:
            out = turn(self._product(x))
            seen = share * across * np.sum(across * x[:, 1:], axis=1)[:, None]
            extra = own * (x[:, 1:] - seen - self._friction[:, None] * along * x[:, :1])
            out[:, 1:] += np.where(slide, extra, 0.0)
            return out

        def ease(y: np.ndarray) -> np.ndarray:
            rest = y.copy()
            rest[slips, 1:] = 0.0
            out = self._ease(rest) * some
            out[:, 1:] = np.where(slide, y[:, 1:] / own, out[:, 1:])
            return out

        start = np.where(pushes[:, None], 0.0, -off / own)
        right = -off * some
        if start.any():
            right -= turn(self._product(start))
        return start + krylov(operate, ease, right, KRYLOV, SHARE)


def krylov(operate: Product, ease: Product, right: np.ndarray, most: int, share: float) -> np.ndarray:
    """x with |right - operate(x)| <= share |right| (r, 3), by GMRES eased from the right, in `most` products at most."""
    size = float(np.sqrt(np.vdot(right, right)))
    if size == 0.0:
        return np.zeros_like(right)
    basis, eased = np.zeros((most + 1, right.size)), np.zeros((most, right.size))
    upper, turns = np.zeros((most, most)), np.zeros((most, 2))
    rest = np.zeros(most + 1)
    basis[0], rest[0], count = right.ravel() / size, size, 0
    for j in range(most):
        eased[j] = ease(basis[j].reshape(right.shape)).ravel()
        new = operate(eased[j].reshape(right.shape)).ravel()
        column = basis[:j + 1] @ new
        new -= column @ basis[:j + 1]
        again = basis[:j + 1] @ new
        new -= again @ basis[:j + 1]
        column += again
        for k in range(j):  # Givens' rotations so far
            a, b = column[k], column[k + 1]
            column[k], column[k + 1] = turns[k, 0] * a + turns[k, 1] * b, turns[k, 0] * b - turns[k, 1] * a
        length = float(np.sqrt(new @ new))
        whole = float(np.hypot(column[j], length))
        if not whole > 0.0:
            break
        turns[j] = column[j] / whole, length / whole
        upper[:j, j], upper[j, j], count = column[:j], whole, j + 1
        rest[j + 1] = -turns[j, 1] * rest[j]
        rest[j] *= turns[j, 0]
        if abs(rest[j + 1]) <= share * size or not length > 0.0:
            break
        basis[j + 1] = new / length
    if count == 0:
        return np.zeros_like(right)
    weight = np.linalg.solve(upper[:count, :count], rest[:count])
    return (weight @ eased[:count]).reshape(right.shape)
