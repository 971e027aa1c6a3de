"""What has an inside that other things may start in: solids, and shapes of bodies."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..scene.body import Body
from ..scene.pose import Pose, turned
from ..scene.shape import Placed
from ..scene.solid import Solid
from .extents import pieces, support
from .point_depths import depth_in_shape, depth_in_surface

MOST = 64
"""Points that are looked for inside one solid; the depth told is that of the deepest of these."""

Points = NDArray[np.float64]


class Inside(NamedTuple):
    """A solid, or one shape of a body, as it starts."""

    owner: Solid | Body
    piece: Placed | None
    """None: a solid."""
    position: Points
    """Of its own frame [m] (3,), world frame."""
    axes: Points
    """Of its own frame (3, 3), a row each, world frame."""
    box: Points
    """Lower and upper corner [m] (2, 3), world frame."""
    least: float
    """Its least extent [m]."""


def inside_of_solid(solid: Solid) -> Inside:
    """The inside of a solid."""
    placed = solid.placed()
    return Inside(solid, None, np.array(solid.position), _axes(solid.quaternion),
                  np.array([placed.min(axis=0), placed.max(axis=0)]), float(np.ptp(solid.rest, axis=0).min()))


def insides_of_body(body: Body, pose: Pose | None = None) -> list[Inside]:
    """The insides of a body's shapes, at a pose, as it starts if none is given; none of a height field."""
    found = []
    for piece in pieces(body):
        place = (pose or Pose(body.position, body.quaternion)).then(Pose(piece.position, piece.quaternion))
        position, axes = np.array(place.position), _axes(place.quaternion)
        reach = [[sign * support(piece.shape, tuple(sign * n)) for n in axes.T] for sign in (-1.0, 1.0)]
        least = min(support(piece.shape, tuple(n)) + support(piece.shape, tuple(-n)) for n in np.eye(3))
        found.append(Inside(body, piece, position, axes, position + reach, least))
    return found


def deepest(points: Points, other: Inside, limit: float) -> tuple[float, Points]:
    """How deep [m] the deepest of points (n, 3) [m], world frame, is inside something, and that point (1, 3); 0 and none (0, 3)
    if no more than `limit` [m]."""
    points = points[np.minimum(points - other.box[0], other.box[1] - points).min(axis=1) > limit]
    local = (points - other.position) @ other.axes.T
    if other.piece is not None:
        depth = depth_in_shape(other.piece.shape, local)
    elif isinstance(other.owner, Solid):
        rest = other.owner.rest
        margin = np.minimum(local - rest.min(axis=0), rest.max(axis=0) - local).min(axis=1)
        order = np.argsort(-margin, kind="stable")[:int((margin > limit).sum())]
        evenly = np.linspace(0, len(order), MOST // 2, endpoint=False, dtype=int)
        some = np.unique(np.concatenate([np.arange(min(MOST // 2, len(order))), evenly[:len(order)]]))
        points = points[order[some]]
        depth = depth_in_surface(local[order[some]], rest[other.owner.faces])
    found = np.flatnonzero(depth > limit)
    if not len(found):
        return 0.0, points[:0]
    at = found[depth[found].argmax()]
    return float(depth[at]), points[at:at + 1]


def _axes(quaternion) -> Points:
    return np.array([turned(quaternion, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))])
