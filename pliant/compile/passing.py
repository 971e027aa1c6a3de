"""Which joined things let each other pass: two bodies on a joint, but a body and the ground only where it stands in it.

The ground is the world's own, so that a joint to the world would take every pendulum through the floor. But posts, doors and
cranes are placed on the ground or in it, and would be pushed out, or rub.
"""

import numpy as np

from ..model.shapes import BOX, CAPSULE, CYLINDER, HULL, PLANE, SPHERE
from ..scene.errors import who
from ..scene.joint import Fixed, Joint, Revolute
from ..scene.pose import Pose
from .draft import Draft

STANDS = 2e-4
"""What is nearer to the ground at the start stands on it [m]; contacts may sink by as much."""
DEEP = 0.05
"""What reaches further into it, of its own height [-], gets a warning if its joint may draw it out."""


def let_pass(thing, a: int, b: int, collide: bool | None, into: Draft) -> None:
    """Note that bodies `a` and `b`, which `thing` joins, do not touch; `collide` if that was said of them."""
    if collide:
        return
    if collide is None and min(a, b) == 0:
        gap, height, normal = _over_ground(max(a, b), into)
        if gap > STANDS:
            return
        if -gap > DEEP * height and _may_leave(thing, normal):
            into.warnings.append(f"{who(thing)} holds what reaches {-gap:.3g} m into the ground when it starts, so they do not "
                                 "touch; lift it if they are to, or say collide=False if not")
    into.excluded.add((a, b))


def _may_leave(thing, normal) -> bool:
    """Whether what a joint holds can leave the ground: not where it is fixed, or turns about the ground's normal alone."""
    if isinstance(thing, Revolute):
        return abs(abs(np.dot(thing.axis, normal)) - 1.0) > 1e-9
    return isinstance(thing, Joint) and not isinstance(thing, Fixed)


def _over_ground(body: int, into: Draft) -> tuple[float, float, np.ndarray]:
    """(how far a body is above the ground nearest to it at the start [m], its height along that normal [m], the normal)."""
    own = into.world_pose(body)
    shapes = [row for row in into.shapes.rows if row["body"] == body]
    nearest = (np.inf, 0.0, np.array((0.0, 0.0, 1.0)))
    for plane in into.shapes.rows:
        if plane["kind"] != PLANE or not shapes:
            continue
        normal = np.array(Pose(quaternion=plane["quaternion"]).point((0.0, 0.0, 1.0)))
        reach = [_extent(row, own, normal, into) for row in shapes]
        low, high = min(r[0] for r in reach), max(r[1] for r in reach)
        gap = low - float(normal @ np.array(plane["position"]))
        if gap < nearest[0]:
            nearest = (gap, high - low, normal)
    return nearest


def _extent(row: dict, own: Pose, normal: np.ndarray, into: Draft) -> tuple[float, float]:
    """From where to where a shape reaches along `normal` [m], world frame."""
    pose = own.then(Pose(row["position"], row["quaternion"]))
    x, y, z = n = Pose(quaternion=pose.quaternion).local((normal[0], normal[1], normal[2]))
    at, kind, (p, q, r) = float(normal @ np.array(pose.position)), row["kind"], row["size"]
    if kind == HULL:
        along = into.hulls[row["data"]].vertices @ np.array(n)
        return at + float(along.min()), at + float(along.max())
    half = {BOX: p * abs(x) + q * abs(y) + r * abs(z), SPHERE: p, CAPSULE: p + q * abs(z),
            CYLINDER: p * float(np.hypot(x, y)) + q * abs(z)}[kind]
    return at - half, at + half
