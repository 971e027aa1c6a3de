"""Joints, springs and latches to arrays: frames, coordinates, drives."""

from math import inf

from ..model import joints as m
from ..scene.errors import fail, unknown_name
from ..scene.joint import Cylindrical, Fixed, Joint, Latch, Prismatic, Revolute, Spherical, Universal
from ..scene.motor import DCMotor, PositionMotor, VelocityMotor
from ..scene.pose import Pose, frame_along
from ..scene.spring import JointSpring, Spring
from .draft import Draft, Place
from .passing import let_pass

_KINDS = {Revolute: m.REVOLUTE, Prismatic: m.PRISMATIC, Spherical: m.SPHERICAL, Fixed: m.FIXED_JOINT,
          Universal: m.UNIVERSAL, Cylindrical: m.CYLINDRICAL}
_FREE = {Revolute: (m.ANGLE,), Prismatic: (m.TRAVEL,), Universal: (m.CROSS_FIRST, m.CROSS_SECOND),
         Cylindrical: (m.TRAVEL, m.ANGLE), Spherical: (), Fixed: ()}


def draft_joint(thing: Joint, into: Draft) -> None:
    """A joint, its coordinates, and what limits, brakes and drives them."""
    a, b = _ends(thing, into, "joint", ("parent", "child"))
    pose_a, pose_b = into.world_pose(a.body), into.world_pose(b.body)
    anchor = thing.anchor if thing.anchor is not None else pose_b.then(b.frame).position
    frame = Pose(anchor, frame_along(thing.axis, getattr(thing, "axis2", None)))
    in_a, in_b = pose_a.inverse().then(frame), pose_b.inverse().then(frame)
    first = len(into.coordinates.rows)
    j = into.joints.add(kind=_KINDS[type(thing)], body=(a.body, b.body), anchor_a=in_a.position, anchor_b=in_b.position,
                        frame_a=in_a.quaternion, frame_b=in_b.quaternion, first_coordinate=first)
    into.index["joint"][thing.name] = j
    let_pass(thing, a.body, b.body, thing.collide, into)
    free = [into.coordinates.add(joint=j, kind=kind) for kind in _FREE[type(thing)]]
    braked = free
    if isinstance(thing, Spherical):
        if thing.name in _sprung(into):
            free = [into.coordinates.add(joint=j, kind=m.ROTATION, axis=k) for k in (2, 0, 1)]
        if thing.friction or thing.damping or thing.reaction_friction:
            braked = [into.coordinates.add(joint=j, kind=m.SPIN, axis=k) for k in range(3)]
        if thing.limits:
            free = [*free, into.coordinates.add(joint=j, kind=m.SWING)]
    into.joints.rows[j]["coordinates"] = len(into.coordinates.rows) - first
    into.index["drive"][thing.name] = {"free": free, "motor": None}
    _brakes(thing, braked, into)
    if thing.limits:
        _limits(thing, free[-1] if isinstance(thing, Spherical) else free[0], into)
    if thing.motor is not None:
        into.index["drive"][thing.name]["motor"] = _motor(thing, free[0], into)


def draft_joint_spring(thing: JointSpring, into: Draft) -> None:
    """A spring on one coordinate."""
    free = _free(thing, into)
    count = len(into.scene[thing.joint].coordinates)
    if count == 0:
        raise fail(thing, f"joint is '{thing.joint}', which does not move; name one that does.")
    if not 0 <= thing.coordinate < count:
        allowed = " or ".join(map(str, range(count)))
        raise fail(thing, f"coordinate is {thing.coordinate}; for '{thing.joint}' it must be {allowed}.")
    k = into.drives.add(coordinate=free[thing.coordinate], law=m.SPRING, stiffness=thing.stiffness,
                        damping=thing.damping, rest=thing.rest)
    into.index["spring"][thing.name] = ("drive", k)


def draft_latch(thing: Latch, into: Draft) -> None:
    """A latch on the first coordinate."""
    free = _free(thing, into)
    if isinstance(into.scene[thing.joint], Spherical) or not free:
        raise fail(thing, f"'{thing.joint}' has no single coordinate to hold; latch a joint with an axis.")
    k = into.drives.add(coordinate=free[0], law=m.LATCH, rest=thing.at, max_effort=thing.hold)
    into.index["latch"][thing.name] = k


def draft_spring(thing: Spring, into: Draft) -> None:
    """A spring between two points."""
    a, b = _ends(thing, into, "spring", ("a", "b"))
    anchor_a, anchor_b = a.frame.point(thing.at_a), b.frame.point(thing.at_b)
    rest = thing.rest_length
    if rest is None:
        p, q = into.world_pose(a.body).point(anchor_a), into.world_pose(b.body).point(anchor_b)
        rest = sum((x - y) ** 2 for x, y in zip(p, q, strict=True)) ** 0.5
    k = into.springs.add(body=(a.body, b.body), anchor_a=anchor_a, anchor_b=anchor_b, rest_length=rest,
                         stiffness=thing.stiffness, damping=thing.damping)
    into.index["spring"][thing.name] = ("spring", k)


def order_drives(into: Draft) -> None:
    """Let drives of a coordinate follow each other: solvers count on that."""
    rows, index = into.drives.rows, into.index
    order = sorted(range(len(rows)), key=lambda k: rows[k]["coordinate"])
    place = {k: n for n, k in enumerate(order)}
    rows[:] = [rows[k] for k in order]
    into.signals = [(place[k], told, thing) for k, told, thing in into.signals]
    index["latch"] = {name: place[k] for name, k in index["latch"].items()}
    for name, (kind, k) in index["spring"].items():
        index["spring"][name] = kind, place[k] if kind == "drive" else k
    for found in index["drive"].values():
        found["motor"] = None if found["motor"] is None else place[found["motor"]]


def _ends(thing: Joint | Spring, into: Draft, kind: str, fields: tuple[str, str]) -> tuple[Place, Place]:
    """The places that two fields name: on two bodies, one of which can move."""
    first, second = (getattr(thing, field) for field in fields)
    a, b = into.place(thing, fields[0], first), into.place(thing, fields[1], second)
    if a.body == b.body:
        raise fail(thing, f"'{first}' and '{second}' are places on one body; a {kind} needs two.")
    if not (_moves(into, a.body) or _moves(into, b.body)):
        raise fail(thing, f"neither '{first}' nor '{second}' can move; leave the {kind} out.")
    return a, b


def _moves(into: Draft, body: int) -> bool:
    return into.bodies.rows[body].get("inverse_mass", 0.0) > 0.0


def _sprung(into: Draft) -> set[str]:
    return {t.joint for t in into.scene.flat() if isinstance(t, JointSpring)}


def _free(thing, into: Draft) -> list[int]:
    if thing.joint not in into.index["drive"]:
        raise unknown_name(thing, "joint", thing.joint, into.index["drive"], "joint")
    return into.index["drive"][thing.joint]["free"]


def _brakes(thing: Joint, free: list[int], into: Draft) -> None:
    for c in free:
        if thing.damping:
            into.drives.add(coordinate=c, law=m.DAMPER, damping=thing.damping)
        if thing.friction or thing.reaction_friction:
            into.drives.add(coordinate=c, law=m.FRICTION, max_effort=thing.friction, gain=thing.reaction_friction)


def _limits(thing: Joint, c: int, into: Draft) -> None:
    low, high = thing.limits or (-inf, inf)
    if low > -inf and not isinstance(thing, Spherical):
        into.drives.add(coordinate=c, law=m.LIMIT_LOW, rest=low)
    if high < inf:
        into.drives.add(coordinate=c, law=m.LIMIT_HIGH, rest=high)


def _motor(thing: Joint, c: int, into: Draft) -> int:
    motor = thing.motor
    if isinstance(motor, VelocityMotor):
        k, told = into.drives.add(coordinate=c, law=m.VELOCITY_MOTOR, max_effort=motor.max_effort,
                                  max_rate=thing.max_rate), motor.target
    elif isinstance(motor, PositionMotor):
        if motor.stiffness == 0.0 and motor.damping == 0.0:
            raise fail(thing, "its motor has neither stiffness nor damping; give one of them.")
        k = into.drives.add(coordinate=c, law=m.POSITION_MOTOR, stiffness=motor.stiffness, damping=motor.damping,
                            max_effort=motor.max_effort, max_rate=thing.max_rate)
        told = motor.target
    else:
        assert isinstance(motor, DCMotor)
        per_volt, back = motor.gear * motor.k_t / motor.resistance, motor.gear * motor.k_e
        most = motor.max_voltage if back == 0.0 else min(motor.max_voltage, thing.max_rate * back)  # U = back * rate: no torque
        k = into.drives.add(coordinate=c, law=m.DC_MOTOR, damping=back * per_volt, gain=per_volt, rest=most,
                            max_effort=motor.max_effort)
        if motor.inertia:
            into.drives.add(coordinate=c, law=m.ROTOR, inertia=motor.gear**2 * motor.inertia)
        told = motor.voltage
    into.signals.append((k, told, thing))
    return k
