"""Which joined things let each other pass: two bodies on a joint, but a body and the ground only where it stands in it.

The ground is the world's own, so that a joint to the world would take every pendulum through the floor, and every flap that
lies on it. But posts, doors and cranes are placed on the ground or in it and cannot leave it: they would rub. What could, and
starts in it, would be thrown out: it passes, and is told. Bodies that joints without play hold against each other, one by way
of others too, are one piece: no push between them could do anything but grow.
"""

from itertools import combinations

import numpy as np

from ..model.shapes import BOX, CAPSULE, CYLINDER, HULL, PLANE, SPHERE
from ..scene.attachment import Pin
from ..scene.body import Body
from ..scene.errors import who
from ..scene.joint import Fixed, Joint, Prismatic, Revolute
from ..scene.pose import Pose
from ..scene.robot import Robot
from .draft import Draft

STANDS = 2e-4
"""What is nearer to the ground at the start stands on it [m]; contacts may sink by as much."""


def let_pass(thing, a: int, b: int, collide: bool | None, into: Draft) -> None:
    """Note that bodies `a` and `b`, which `thing` joins, do not touch; `collide` if that was said of them."""
    if collide:
        return
    if collide is None and min(a, b) == 0:
        gap, normal = _over_ground(max(a, b), into)
        leaves = _may_leave(thing, normal)
        if gap > STANDS or (leaves and gap >= -STANDS):
            return
        if leaves:
            into.warnings.append(f"{who(thing)} holds what reaches {-gap:.3g} m into the ground when it starts, so they do not "
                                 "touch; lift it if they are to, or say collide=False if not")
    into.excluded.add((a, b))


def let_links_pass(robot: Robot, into: Draft) -> None:
    """Note that no two links of a robot touch."""
    links = [into.index["body"][part.name] for part in robot.parts() if isinstance(part, Body)]
    into.excluded.update((a, b) for a, b in combinations(links, 2))


def let_pieces_pass(into: Draft) -> None:
    """Note that no two bodies touch that fixed joints, and others whose limits leave them no play, make one piece."""
    piece, rows = list(range(len(into.bodies.rows))), into.joints.rows
    for one in into.scene.flat():
        if isinstance(one, Fixed) or (isinstance(one, Revolute | Prismatic) and one.limits and one.limits[0] == one.limits[1]):
            a, b = (piece[k] for k in rows[into.index["joint"][one.name]]["body"])
            piece = [a if p == b else p for p in piece]
    said = (rows[into.index["joint"][one.name]]["body"] for one in into.scene.flat() if isinstance(one, Joint) and one.collide)
    wanted = {tuple(sorted(pair)) for pair in said}
    members: dict[int, list[int]] = {}
    for k, p in enumerate(piece[1:], 1):
        members.setdefault(p, []).append(k)
    for bodies in members.values():
        into.excluded.update(pair for pair in combinations(bodies, 2) if pair not in wanted)


def _may_leave(thing, normal) -> bool:
    """Whether what a joint holds can leave the ground: not where it is fixed, turns about its normal or slides along it."""
    if isinstance(thing, Revolute | Prismatic):
        along = abs(float(np.dot(thing.axis, normal)))
        return abs(along - 1.0) > 1e-9 if isinstance(thing, Revolute) else along > 1e-9
    if isinstance(thing, Pin):
        return not thing.clamp
    return isinstance(thing, Joint) and not isinstance(thing, Fixed)


def _over_ground(body: int, into: Draft) -> tuple[float, np.ndarray]:
    """(how far a body is above the ground nearest to it at the start [m], the normal)."""
    own = into.world_pose(body)
    shapes = [row for row in into.shapes.rows if row["body"] == body]
    nearest = (np.inf, np.array((0.0, 0.0, 1.0)))
    for plane in into.shapes.rows:
        if plane["kind"] != PLANE or not shapes:
            continue
        normal = np.array(Pose(quaternion=plane["quaternion"]).point((0.0, 0.0, 1.0)))
        low = min(_lowest(row, own, normal, into) for row in shapes)
        gap = low - float(normal @ np.array(plane["position"]))
        if gap < nearest[0]:
            nearest = (gap, normal)
    return nearest


def _lowest(row: dict, own: Pose, normal: np.ndarray, into: Draft) -> float:
    """From where on a shape reaches along `normal` [m], world frame."""
    pose = own.then(Pose(row["position"], row["quaternion"]))
    x, y, z = n = Pose(quaternion=pose.quaternion).local((normal[0], normal[1], normal[2]))
    at, kind, (p, q, r) = float(normal @ np.array(pose.position)), row["kind"], row["size"]
    if kind == HULL:
        return at + float((into.hulls[row["data"]].vertices @ np.array(n)).min())
    half = {BOX: p * abs(x) + q * abs(y) + r * abs(z), SPHERE: p, CAPSULE: p + q * abs(z),
            CYLINDER: p * float(np.hypot(x, y)) + q * abs(z)}[kind]
    return at - half
