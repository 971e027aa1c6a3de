"""Pages whose camera stands still do not lose what moves: once most of it has left the picture, the camera goes after it."""

from collections import deque

import numpy as np

from .camera import ASPECT, FIELD_OF_VIEW, VIEW_FROM, Outline, fitted, frame
from .turns import inverse, rotate

LOST, MOST = 2.0, 0.5
"""[s] with no more than this share [-] of the things that move in the picture, after which the camera goes after them."""
WHOLE = 0.9
"""Share of its points [-] with which a thing counts as in the picture."""
AHEAD = 4.0
"""[s] of its motion that the camera then makes room for."""
STEADY = 1e-3
"""How far a camera has come that a hand has moved, of its distance [-]; pages tell theirs in single precision."""
OPENING = 30.0
"""[s] after which a page that never stood where it was told to start, as its address may want it, counts as open."""
STARTS = 16
"""Places where pages started that are remembered: one that opens slowly takes an earlier one."""
ELSEWHERE = 0.2
"""How far all that moves has come before pages that are opened start at it, of the camera's distance [-]."""


def sees(camera, points: np.ndarray, owner: np.ndarray | int = 0) -> bool:
    """Whether most things are in a camera's picture, of which these are points (n, 3) [m]; `owner` (n,): of which thing."""
    turn = inverse(np.asarray(camera.wxyz, float)[None]).repeat(len(points), axis=0)
    x, y, depth = rotate(turn, points - camera.position).T
    slope = np.tan(0.5 * camera.fov)
    seen = (depth > 0.0) & (np.abs(y) < slope * depth) & (np.abs(x) < slope * camera.aspect * depth)
    owner = np.broadcast_to(owner, len(points))
    share = np.bincount(owner, seen) / np.bincount(owner)
    return bool((share >= WHOLE).mean() > MOST)


def show_all(camera, points: np.ndarray) -> None:
    """Move a camera so that it sees all points (n, 3) [m], from the side that it looks from."""
    back = camera.position - camera.look_at
    length = float(np.linalg.norm(back))
    position, target = fitted(points, back / length if length > 0.0 else VIEW_FROM, camera.fov, min(ASPECT, camera.aspect))
    camera.position, camera.look_at = tuple(position), tuple(target)


class KeepInView:
    """The cameras of all pages; remembers of each where it stood when it last saw most of what moves, and when."""

    def __init__(self, server, world) -> None:
        self._server, self._outline = server, Outline(world)
        self._stood: dict[int, tuple[np.ndarray, float]] = {}
        self._met: dict[int, float] = {}
        self._open: set[int] = set()
        self._starts: deque[np.ndarray] = deque(maxlen=STARTS)
        self._before: tuple[np.ndarray, float] | None = None
        self._patience = LOST
        position, target = frame(world)
        self.distance = float(np.linalg.norm(position - target))
        server.initial_camera.fov = float(FIELD_OF_VIEW)
        self._set_start(position, target)

    def _set_start(self, position: np.ndarray, target: np.ndarray) -> None:
        """Where the camera of a page that is opened from now on starts (3,) [m]."""
        self._server.initial_camera.position, self._server.initial_camera.look_at = tuple(position), tuple(target)
        self._starts.append(np.concatenate([position, target]))

    def show_all(self, poses, offset: np.ndarray) -> None:
        """All that moves, for bodies at `poses` (positions, quaternions) on a stage moved by `offset` (3,) [m]."""
        points = self._outline.points(*poses) + offset
        for client in self._server.get_clients().values():
            show_all(client.camera, points)
        self._stood.clear()

    def turn_to(self, place: np.ndarray) -> None:
        """A place (3,) [m], on pages that do not see it, from as far as they looked."""
        for client in self._server.get_clients().values():
            camera = client.camera
            if not sees(camera, place[None]):
                camera.position = tuple(camera.position + place - camera.look_at)
        self._stood.clear()

    def jumped(self) -> None:
        """All may be elsewhere, as after a reset: go after it at once."""
        self._patience = 0.0

    def look(self, poses, offset: np.ndarray, now: float) -> None:
        """Go after what has left a picture whose camera stood still, not on pages that were turned away from it by hand; and
        start new pages where it is. `now` [s]."""
        points = self._outline.points(*poses) + offset
        coming = self._coming(points, now)
        for key, client in self._server.get_clients().items():
            camera = client.camera
            if not self._is_open(key, camera, now):
                continue
            stood, since = self._stood.get(key, (_pose(camera), self._met[key]))
            by_hand = not _near(camera, stood)
            if not sees(camera, points, self._outline.owner):
                if by_hand or now - since < self._patience:
                    self._stood[key] = stood, since
                    continue
                show_all(camera, coming)
            self._stood[key] = _pose(camera), now
        self._patience = LOST
        position, target = fitted(points)
        if np.linalg.norm(target - self._server.initial_camera.look_at) > ELSEWHERE * np.linalg.norm(position - target):
            self._set_start(position, target)

    def _is_open(self, key: int, camera, now: float) -> bool:
        """Whether a page has taken its start: until then it tells of some place or other, for seconds if it is slow."""
        since = self._met.setdefault(key, now)
        if key not in self._open and (now - since >= OPENING or any(_near(camera, start) for start in self._starts)):
            self._open.add(key)
        return key in self._open

    def _coming(self, points: np.ndarray, now: float) -> np.ndarray:
        """The points and where they will be some seconds from now if they go on, so that what is fast stays a while."""
        before, then = self._before or (points, now)
        self._before = points, now
        if len(before) != len(points) or not 0.0 < now - then < LOST or self._patience == 0.0:
            return points
        return np.concatenate([points, points + (points - before) * (AHEAD / (now - then))])


def _near(camera, pose: np.ndarray) -> bool:
    """Whether a camera stands where a pose says, as far as pages tell."""
    return bool(np.abs(_pose(camera) - pose).max() <= STEADY * np.linalg.norm(camera.position - camera.look_at))


def _pose(camera) -> np.ndarray:
    return np.concatenate([camera.position, camera.look_at])
