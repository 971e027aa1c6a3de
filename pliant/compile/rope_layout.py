"""Where a rope lies at the start: points at their distances along a path, slack as a sag, frames, and what clamps hold."""

from itertools import pairwise
from math import ceil, pi

import numpy as np

from ..scene.attachment import Attachment, Pin
from ..scene.errors import fail
from ..scene.pose import frame_along, product, turned
from ..scene.rope import Rope
from .draft import Draft

_FINE = 20  # samples of a sagging path for each element
EASY_TURN = pi / 4.0
"""Turn from one element to the next [rad] that is advised."""
_CLOSE = 1e-12
_BETWEEN = 0.5  # of a path: where less lies between pieces that clamps hold, slack is laid into these too


def lay(thing: Rope, into: Draft) -> tuple[np.ndarray, np.ndarray]:
    """(points (n, 3) [m], unstretched length of each element [m])."""
    gravity, clamped = into.scene.gravity, clamped_ends(thing, into)
    path = np.vstack([thing.path, thing.path[:1]]) if thing.closed else np.asarray(thing.path)
    straight = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    shares = _shares(thing)
    if thing.length is None:
        points, chords = _chords(path, shares)
        length = chords.sum() if isinstance(thing.points, int) else float(thing.points[-1])
        if not isinstance(thing.points, int) and abs(length - straight) > 1e-6 * straight:
            return _fit(thing, path, shares, length, gravity, clamped)
        return points, length * shares
    if hasattr(thing.length, "__len__"):
        return _by_arcs(thing, path, shares, gravity)
    return _fit(thing, path, shares, float(thing.length), gravity, clamped)


def clamped_ends(thing: Rope, into: Draft) -> tuple[bool, bool]:
    """Whether anything holds its start and its end by a clamp; ends are held later, and must be laid for it before."""
    if into.clamped is None:
        holds = [one for one in into.scene.flat() if isinstance(one, (Attachment, Pin)) and one.clamp]
        into.clamped = {end for hold in holds for end in ((hold.what,) if isinstance(hold, Pin) else (hold.a, hold.b))}
    names = [{thing.start.name, thing.at(0.0).name}, {thing.end.name}]
    if thing.length is not None:
        names[1].add(thing.at(float(np.max(thing.length))).name)
    return bool(names[0] & into.clamped), bool(names[1] & into.clamped)


def _shares(thing: Rope) -> np.ndarray:
    if isinstance(thing.points, int):
        return np.full(thing.elements, 1.0 / thing.elements)
    steps = np.diff(thing.points)
    if thing.closed:
        raise fail(thing, "a closed ring needs a number of points, not arc lengths.")
    return steps / steps.sum()


def _fit(thing: Rope, path, shares, length: float, gravity, clamped=(False, False)) -> tuple[np.ndarray, np.ndarray]:
    """The path with so much sag, or stretch, that a rope of `length` lies on it; pieces at clamped ends stay straight."""
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

    fine, s, down = _sagging(path, len(shares), gravity, clamped)

    def excess(sag: float) -> float:
        return _chords(fine + sag * np.sin(np.pi * s)[:, None] * down, shares)[1].sum() - length

    high = length
    while excess(high) < 0.0:
        high *= 2.0
    sag = brentq(excess, 0.0, high, xtol=1e-13 * length)
    points, chords = _chords(fine + sag * np.sin(np.pi * s)[:, None] * down, shares)
    return points, chords


def _sagging(path, elements: int, gravity, clamped):
    """The path sampled finely, how far each sample is along what sags, from 0 to 1, and the way down, across that."""
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    low, high = (1 if clamped[0] else 0), len(path) - (2 if clamped[1] else 1)
    if low >= high or arc[high] - arc[low] < _BETWEEN * arc[-1]:
        low, high = 0, len(path) - 1
    s = np.unique(np.concatenate([np.linspace(0.0, 1.0, _FINE * elements + 1), arc / arc[-1]])) * arc[-1]
    fine = np.column_stack([np.interp(s, arc, path[:, c]) for c in range(3)])
    share = np.clip((s - arc[low]) / (arc[high] - arc[low]), 0.0, 1.0)
    return fine, share, _down(path[high] - path[low], gravity)


def _down(along, gravity) -> np.ndarray:
    """The way down, across `along`; any way across where that points down itself."""
    size = np.linalg.norm(along)
    down = np.array(gravity, float)
    down = down / np.linalg.norm(down) if np.linalg.norm(down) > 0.0 else np.array([0.0, 0.0, -1.0])
    if size > 0.0:
        along = along / size
        down = down - (down @ along) * along
    if np.linalg.norm(down) < 1e-6:
        down = np.eye(3)[np.argmin(np.abs(along))]
        down = down - (down @ along) * along
    return down / np.linalg.norm(down)


def enough_points(turn: float, closed: bool = False) -> int:
    """Points of a rope that turns by `turn` [rad] in all, an eighth of a turn at each: half of where a joint bears most."""
    return ceil(turn / EASY_TURN) + (0 if closed else 1)


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


def _by_arcs(thing: Rope, path, shares, gravity) -> tuple[np.ndarray, np.ndarray]:
    """The unstretched arc is given at each point of the path: slack, or stretch, piece by piece."""
    if thing.closed:
        raise fail(thing, "a closed ring needs a number for its length, or none.")
    arcs = np.asarray(thing.length)
    s = np.concatenate([[0.0], np.cumsum(shares)]) * arcs[-1]
    points = np.column_stack([np.interp(s, arcs, path[:, c]) for c in range(3)])
    missing = np.abs(np.linalg.norm(np.diff(points, axis=0), axis=1) - shares * arcs[-1]).max()
    pieces, own = np.linalg.norm(np.diff(path, axis=0), axis=1), np.diff(arcs)
    slack = own > pieces * (1.0 + 1e-9)
    if missing <= 1e-6 * arcs[-1] or not (_rigid(thing) or slack.any()):
        return points, shares * arcs[-1]
    short = np.flatnonzero(own < pieces * (1.0 - 1e-9))
    if _rigid(thing) and len(short):
        k = int(short[0])
        raise fail(thing, f"length gives it {own[k]:.6g} m from path point {k} to {k + 1}, which are {pieces[k]:.6g} m apart, "
                          "and it does not stretch; give more there, or stretch.")
    laid = [_fit(thing, path[k:k + 2], part, float(own[k]), gravity) for k, part in enumerate(_parts(thing, arcs, s, slack))]
    return np.vstack([path[:1], *(one[0][1:] for one in laid)]), np.concatenate([one[1] for one in laid])


def _parts(thing: Rope, arcs, s, slack) -> list[np.ndarray]:
    """Shares of the elements of each piece of a path in it, so that a point lies at each of the path's; slack takes two."""
    own, least = np.diff(arcs), np.where(slack, 2, 1)
    at = np.array([int(np.argmin(np.abs(s - arc))) for arc in arcs])
    if np.abs(s[at] - arcs).max() <= 1e-9 * arcs[-1] and (np.diff(at) >= least).all():
        return [np.diff(s[a:b + 1]) / (s[b] - s[a]) for a, b in pairwise(at)]
    if not isinstance(thing.points, int):
        raise fail(thing, "points are arc lengths, but not all of length are among them; let them hold each, and one more "
                          "between two where there is slack.")
    if thing.elements < least.sum():
        raise fail(thing, f"points is {thing.points}, but length tells the slack of {len(own)} pieces of its path; take "
                          f"{least.sum() + 1} points or more.")
    count = np.maximum(least, np.floor(thing.elements * own / arcs[-1]).astype(int))
    while count.sum() < thing.elements:
        count[np.argmax(own / count)] += 1
    while count.sum() > thing.elements:
        count[np.argmin(np.where(count > least, own / count, np.inf))] -= 1
    return [np.full(n, 1.0 / n) for n in count]


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


def drawn(thing: Rope, turns) -> tuple:
    """Quaternions that clamps hold its ends at: those of its elements there, swung to the first and last piece of the path.

    Elements that cut a corner, or that sag, lie otherwise; they bend from there.
    """
    if thing.closed:
        return turns[0], turns[-1]
    out = []
    for k, step in ((0, thing.path[1] - thing.path[0]), (-1, thing.path[-1] - thing.path[-2])):
        own, along = turned(turns[k], (0.0, 0.0, 1.0)), tuple((step / np.linalg.norm(step)).tolist())
        same = max(abs(a - b) for a, b in zip(own, along, strict=True)) < 1e-9
        out.append(turns[k] if same else product(swing(own, along, turns[k]), turns[k]))
    return out[0], out[1]


def swing(a, b, q):
    """The shortest turn from direction `a` to `b`; half a turn about d1 of `q` where they are opposite."""
    w = 1.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    if w < 1e-12:
        return (0.0, *turned(q, (1.0, 0.0, 0.0)))
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    size = (w * w + x * x + y * y + z * z) ** 0.5
    return w / size, x / size, y / size, z / size
