"""Where a rope lies at the start: points at their distances along a path, slack as a sag, frames that do not twist."""

from itertools import pairwise

import numpy as np

from ..scene.errors import fail
from ..scene.pose import frame_along, product, turned
from ..scene.rope import Rope

_FINE = 20  # samples of a sagging path for each element
_CLOSE = 1e-12


def lay(thing: Rope, gravity) -> tuple[np.ndarray, np.ndarray]:
    """(points (n, 3) [m], unstretched length of each element [m])."""
    path = np.vstack([thing.path, thing.path[:1]]) if thing.closed else np.asarray(thing.path)
    straight = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    shares = _shares(thing)
    if thing.length is None:
        points, chords = _chords(path, shares)
        length = chords.sum() if isinstance(thing.points, int) else float(thing.points[-1])
        if not isinstance(thing.points, int) and abs(length - straight) > 1e-6 * straight:
            return _fit(thing, path, shares, length, straight, gravity)
        return points, length * shares
    if hasattr(thing.length, "__len__"):
        return _by_arcs(thing, path, shares)
    return _fit(thing, path, shares, float(thing.length), straight, gravity)


def _shares(thing: Rope) -> np.ndarray:
    if isinstance(thing.points, int):
        return np.full(thing.elements, 1.0 / thing.elements)
    steps = np.diff(thing.points)
    if thing.closed:
        raise fail(thing, "a closed ring needs a number of points, not arc lengths.")
    return steps / steps.sum()


def _fit(thing: Rope, path, shares, length: float, straight: float, gravity) -> tuple[np.ndarray, np.ndarray]:
    """The path with so much sag, or stretch, that a rope of `length` lies on it."""
    points, chords = _chords(path, shares)
    if length < chords.sum() * (1.0 - 1e-9):
        if _rigid(thing):
            ends = float(np.linalg.norm(path[-1] - path[0]))
            raise fail(thing, f"length is {length:g} m, but its path is {chords.sum():.6g} m long ({ends:.6g} m from end to "
                              "end) and it does not stretch; give a longer length, or stretch.")
        return points, length * shares
    if length <= chords.sum() * (1.0 + 1e-9):
        return points, chords
    from scipy.optimize import brentq  # a third of a second that most scenes need not wait

    fine, s, down = _sagging(path, len(shares), gravity)

    def excess(sag: float) -> float:
        return _chords(fine + sag * np.sin(np.pi * s)[:, None] * down, shares)[1].sum() - length

    high = length
    while excess(high) < 0.0:
        high *= 2.0
    sag = brentq(excess, 0.0, high, xtol=1e-13 * length)
    points, chords = _chords(fine + sag * np.sin(np.pi * s)[:, None] * down, shares)
    return points, chords


def _sagging(path, elements: int, gravity):
    """The path sampled finely, the share of each sample, and the way down, across the way from end to end."""
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    s = np.linspace(0.0, 1.0, _FINE * elements + 1)
    fine = np.column_stack([np.interp(s * arc[-1], arc, path[:, c]) for c in range(3)])
    along = path[-1] - path[0]
    size = np.linalg.norm(along)
    down = np.array(gravity, float)
    down = down / np.linalg.norm(down) if np.linalg.norm(down) > 0.0 else np.array([0.0, 0.0, -1.0])
    if size > 0.0:
        along = along / size
        down = down - (down @ along) * along
    if np.linalg.norm(down) < 1e-6:
        down = np.eye(3)[np.argmin(np.abs(along))]
        down = down - (down @ along) * along
    return fine, s, down / np.linalg.norm(down)


def _chords(path, shares) -> tuple[np.ndarray, np.ndarray]:
    """Points on the path whose distances have these shares, and the distances."""
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    steps = shares * arc[-1]
    for _ in range(200):
        s = np.concatenate([[0.0], np.cumsum(steps)])
        s[-1] = arc[-1]
        points = np.column_stack([np.interp(s, arc, path[:, c]) for c in range(3)])
        chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
        wanted = shares * chords.sum()
        if np.abs(chords - wanted).max() <= _CLOSE * arc[-1]:
            break
        steps = steps * np.clip(wanted / np.maximum(chords, 1e-300), 0.5, 2.0)
        steps *= arc[-1] / steps.sum()
    return points, chords


def _by_arcs(thing: Rope, path, shares) -> tuple[np.ndarray, np.ndarray]:
    """The unstretched arc is given at each point of the path."""
    if thing.closed:
        raise fail(thing, "a closed ring needs a number for its length, or none.")
    arcs = np.asarray(thing.length)
    s = np.concatenate([[0.0], np.cumsum(shares)]) * arcs[-1]
    points = np.column_stack([np.interp(s, arcs, path[:, c]) for c in range(3)])
    if _rigid(thing):
        chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
        worst = int(np.argmax(np.abs(chords - shares * arcs[-1])))
        if abs(chords[worst] - shares[worst] * arcs[-1]) > 1e-6 * arcs[-1]:
            raise fail(thing, f"element {worst} is {chords[worst]:.6g} m long on its path but {shares[worst] * arcs[-1]:.6g} m "
                              "unstretched; give stretch, or lengths that fit.")
    return points, shares * arcs[-1]


def _rigid(thing: Rope) -> bool:
    return not isinstance(thing.stretch, str) and bool(np.isinf(thing.stretch).any())


def frames(thing: Rope, points: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Quaternions of the elements: d3 along each, d1 carried along without twist from the first."""
    ends = np.vstack([points[1:], points[:1]]) if thing.closed and len(points) == thing.elements else points[1:]
    steps = ends - points[:len(ends)]
    tangents = [tuple(t) for t in (steps / np.linalg.norm(steps, axis=1)[:, None]).tolist()]
    first = tangents[0]
    second = None
    if thing.normal is not None:
        along = sum(a * b for a, b in zip(thing.normal, first, strict=True))
        second = tuple(n - along * t for n, t in zip(thing.normal, first, strict=True))
        if sum(c * c for c in second) <= 1e-12 * sum(n * n for n in thing.normal):
            raise fail(thing, "normal points along the rope at its start; it must point across.")
    out = [frame_along(first, second)]
    for before, after in pairwise(tangents):
        out.append(product(swing(before, after, out[-1]), out[-1]))
    return out


def swing(a, b, q):
    """The shortest turn from direction `a` to `b`; half a turn about d1 of `q` where they are opposite."""
    w = 1.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    if w < 1e-12:
        return (0.0, *turned(q, (1.0, 0.0, 0.0)))
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    size = (w * w + x * x + y * y + z * z) ** 0.5
    return w / size, x / size, y / size, z / size
