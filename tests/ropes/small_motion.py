"""One number that swings as a mode of a rope does, under each method's own integrator: exact recurrences, and fits of them."""

import numpy as np
from scipy.optimize import least_squares

import pliant as pl


def recurrence(frequency: float, lag: float, h: float, steps: int, method: str = "direct") -> np.ndarray:
    """x (steps,) of x'' = -frequency^2 (x + lag x') from x = 0, x' = 1.

    "direct": BDF2, whose past before the start is what a trial step of implicit Euler says; "compliant": implicit Euler;
    "impulse": torques and pulls of where it is, then the move.
    """
    def after(x_from: float, v_from: float, s: float) -> tuple[float, float]:
        v = (v_from - s * frequency**2 * x_from) / (1.0 + s * (s + lag) * frequency**2)
        return x_from + s * v, v

    def explicit(x_from: float, v_from: float) -> tuple[float, float]:
        v = v_from - h * frequency**2 * (x_from + lag * v_from)
        return x_from + h * v, v

    x, v, out = 0.0, 1.0, []
    x_before, v_before = x, v
    for k in range(steps):
        if method == "impulse":
            now = explicit(x, v)
        elif method == "compliant" or k == 0:
            now = after(x, v, h)
        else:
            now = after((4.0 * x - x_before) / 3.0, (4.0 * v - v_before) / 3.0, 2.0 / 3.0 * h)
        x_before, v_before, (x, v) = x, v, now
        out.append(x)
    return np.array(out)


def found(series: np.ndarray, h: float, frequency: float, lag: float = 0.0,
          method: str = "direct") -> tuple[float, float, float]:
    """(frequency, lag, largest misfit over largest x) that fit the series best, from guesses near them."""
    scale = np.abs(series).max()

    def misfit(p):
        return (recurrence(p[0] * frequency, p[1] / frequency, h, len(series), method) - series) / scale

    best = least_squares(misfit, [1.0, lag * frequency], xtol=1e-14, ftol=1e-14, gtol=1e-14)
    return best.x[0] * frequency, best.x[1] / frequency, float(np.abs(best.fun).max())


def chain_matrix(stiffness: float, n: int) -> np.ndarray:
    """Of n links in a row between springs, the first held by one twice as stiff, the last free."""
    matrix = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    matrix[0, 0], matrix[-1, -1] = 3.0, 1.0
    return stiffness * matrix


def run(world: pl.World, steps: int, read) -> np.ndarray:
    """What `read` says after each step (steps, ...)."""
    out = []
    for _ in range(steps):
        world.step()
        out.append(read(world))
    return np.array(out)


def turns_about_x(start, now) -> np.ndarray:
    """Small turns about x [rad] (n,) from the quaternions `start` (n, 4) to `now`."""
    w, x, y, z = start.T
    return 2.0 * (w * now[:, 1] - x * now[:, 0] - z * now[:, 2] + y * now[:, 3])
