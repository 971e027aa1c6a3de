"""Puts a described robot into the world: links held together by fixed joints become one body each."""

from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from ..body import Body, Site
from ..joint import Prismatic, Revolute
from ..motor import DCMotor, Motor
from ..shape import Box, Placed
from ..thing import Thing
from .urdf import Description, UrdfJoint
from .urdf_link import Link, Piece
from .urdf_pliant import Extension, read_extension
from .urdf_xml import quaternion_from_rotation, rotation_from_quaternion, transform

MARKER = Box(0.02, 0.02, 0.02)
"""Drawn at the centre of mass of a link that has neither collision nor visual."""


@dataclass
class Group:
    """Links that move as one; the frame is that of the first of them."""

    name: str
    frame: np.ndarray
    """Transform (4, 4) into the world."""
    links: list[tuple[Link, np.ndarray]] = field(default_factory=list)
    """Each link with its transform (4, 4) into the group's frame."""
    joint: UrdfJoint | None = None
    """What holds it to its parent; none for the root."""
    parent: str = ""


def build_robot(description: Description, name: str, position, quaternion, fixed: bool,
                motors: dict[str, Motor]) -> dict[str, Thing]:
    """The robot's things by their short names (a control's is its own). A root link named world is held to the world."""
    source, fixed = description.source, fixed or description.root == "world"
    groups = _groups(description, transform(position, rotation_from_quaternion(quaternion)))
    extension = read_extension(description)
    motors = _motors(description, extension, motors)
    things: dict[str, Thing] = {}
    places: dict[str, tuple[str, np.ndarray]] = {}
    for group in groups.values():
        surface = extension.surfaces.get(group.name, {})
        things[group.name] = _body(description, group, f"{name}/{group.name}", fixed and group.joint is None, surface)
        for link, offset in group.links:
            places[link.name] = (f"{name}/{group.name}", offset)
            if link.name != group.name:
                things[link.name] = Site(f"{name}/{link.name}", f"{name}/{group.name}", tuple(offset[:3, 3].tolist()),
                                         quaternion_from_rotation(offset[:3, :3]))
    for owned, surface in extension.surfaces.items():
        if owned not in groups:
            owner = places[owned][0].removeprefix(f"{name}/")
            raise source.fail("pliant, surface", f"link '{owned}' is merged with '{owner}' by a fixed joint; "
                              f"give {' and '.join(surface)} to '{owner}'.")
    for group in groups.values():
        if group.joint is not None:
            short = group.joint.name if group.joint.name not in things else f"{group.joint.name}-joint"
            things[short] = _joint(group, name, short, motors.get(group.joint.name))
    names = {joint.name: short for joint, short in _joint_names(groups, things)}
    for thing in extension.things(name, places, names):
        short = thing.name.removeprefix(f"{name}/")
        if short in things:
            raise source.fail(f"pliant, '{short}'", "the name is that of a link or joint too; choose another.")
        things[short] = thing
    return things


def _joint_names(groups: dict[str, Group], things: dict[str, Thing]):
    """Each moving joint with the short name of its thing; a joint named like a link has '-joint' behind it."""
    for group in groups.values():
        if group.joint is not None:
            name = group.joint.name
            yield group.joint, name if isinstance(things[name], (Revolute, Prismatic)) else f"{name}-joint"


def _groups(description: Description, place: np.ndarray) -> dict[str, Group]:
    """Walk the tree from its root; a joint that moves opens a new group."""
    root = Group(description.root, place)
    groups = {root.name: root}
    todo: list[tuple[str, Group, np.ndarray]] = [(description.root, root, np.eye(4))]
    while todo:
        name, group, offset = todo.pop(0)
        group.links.append((description.links[name], offset))
        for joint in description.children(name):
            below = offset @ joint.origin
            if joint.kind == "fixed":
                todo.append((joint.child, group, below))
            else:
                groups[joint.child] = Group(joint.child, group.frame @ below, joint=joint, parent=group.name)
                todo.append((joint.child, groups[joint.child], np.eye(4)))
    return groups


def merged_inertia(links: list[tuple[Link, np.ndarray]]) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass [kg], centre of mass [m] and inertia about it [kg m2] of links held together, in their common frame.

    Parallel axes: I = sum of R_i I_i R_i^T + m_i (|d_i|^2 E - d_i d_i^T), d_i from the common centre to link i's.
    """
    mass = sum(link.mass for link, _ in links)
    if mass == 0.0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    centers = [offset[:3, :3] @ link.center + offset[:3, 3] for link, offset in links]
    center = sum(link.mass * c for (link, _), c in zip(links, centers, strict=True)) / mass
    inertia = np.zeros((3, 3))
    for (link, offset), c in zip(links, centers, strict=True):
        turn, d = offset[:3, :3], c - center
        inertia += turn @ link.inertia @ turn.T + link.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, center, inertia


def _body(description: Description, group: Group, name: str, fixed: bool, surface: dict[str, Any]) -> Body:
    mass, center, inertia = merged_inertia(group.links)
    if mass == 0.0 and not fixed:
        remedy = "give it an <inertial> with mass, or hold the robot by fixed=True" if group.joint is None else \
            "give it an <inertial> with mass, or make its joint fixed"
        raise description.source.fail(f"link '{group.name}'", f"it moves but has no mass; {remedy}.")
    xx, yy, zz = inertia.diagonal()
    moments = np.linalg.eigvalsh(inertia)
    collisions = _pieces(group, "collisions")
    unsaid = not any(link.inertia.any() for link, _ in group.links) and bool(collisions)
    if mass > 0.0 and not fixed and moments[0] <= 0.0:
        if not unsaid:
            raise description.source.fail(f"link '{group.name}'", f"its inertia has principal moments {moments.tolist()} "
                                          "kg m2; they must all be positive: give them in <inertia>.")
        description.source.warn("its inertia is zero; that of its collision shapes is taken.", f"link '{group.name}'")
    pieces = collisions or _pieces(group, "visuals") or [(MARKER, _moved_to(center))]
    colors = [link.color for link, _ in group.links if link.color is not None]
    given: dict[str, Any] = {} if mass == 0.0 or moments[0] <= 0.0 else {
        "mass": float(mass), "center_of_mass": tuple(center.tolist()),
        "inertia": (float(xx), float(yy), float(zz), *(float(inertia[i, j]) for i, j in ((0, 1), (0, 2), (1, 2))))}
    if mass > 0.0 and not given and unsaid and not fixed:
        given = {"mass": float(mass), "center_of_mass": tuple(center.tolist())}
    if fixed and not given:  # it needs none; with these its meshes need not be closed, as those of other links
        given = {"mass": 1.0, "center_of_mass": (0.0, 0.0, 0.0), "inertia": (1.0, 1.0, 1.0)}
    return Body(name, _shape(pieces), position=tuple(group.frame[:3, 3].tolist()),
                quaternion=quaternion_from_rotation(group.frame[:3, :3]), fixed=fixed, collide=bool(collisions),
                color=colors[0] if colors else None, **given, **surface)


def _pieces(group: Group, kind: str) -> list[Piece]:
    return [(shape, offset @ place) for link, offset in group.links for shape, place in getattr(link, kind)]


def _moved_to(center: np.ndarray) -> np.ndarray:
    """The transform (4, 4) to a centre of mass, where what has no shapes is marked."""
    place = np.eye(4)
    place[:3, 3] = center
    return place


def _shape(pieces: list[Piece]):
    """The shape itself where it needs no placing, else placed ones."""
    if len(pieces) == 1 and np.array_equal(pieces[0][1], np.eye(4)):
        return pieces[0][0]
    return tuple(Placed(shape, tuple(place[:3, 3].tolist()), quaternion_from_rotation(place[:3, :3]))
                 for shape, place in pieces)


def _joint(group: Group, robot: str, short: str, motor: Motor | None):
    joint = group.joint
    assert joint is not None
    kind = Prismatic if joint.kind == "prismatic" else Revolute
    return kind(f"{robot}/{short}", f"{robot}/{group.parent}", f"{robot}/{group.name}",
                anchor=tuple(group.frame[:3, 3].tolist()), axis=tuple((group.frame[:3, :3] @ joint.axis).tolist()),
                limits=joint.limits, friction=joint.friction, damping=joint.damping, motor=motor, max_rate=joint.velocity)


def _motors(description: Description, extension: Extension, given: dict[str, Motor]) -> dict[str, Motor]:
    """Motors by joint: the file's, replaced by those given, none stronger than its joint's effort limit."""
    motors = {**extension.motors, **given}
    moving = [name for name, joint in description.joints.items() if joint.kind != "fixed"]
    for name, motor in motors.items():
        if name not in moving:
            raise description.source.unknown("motors", "a joint", name, moving)
        joint = description.joints[name]
        if motor.max_effort > joint.effort:
            motors[name] = motor.replace(max_effort=joint.effort)
        for word in ("effort", "velocity"):
            if getattr(joint, word) == 0.0:
                description.source.warn(f"its motor cannot move it, since {word} is 0 in <limit>; leave {word} out where there "
                                        "is no such limit.", f"joint '{name}'")
        if isinstance(motor, DCMotor):
            _doubt_voltage(description, joint, motor)
    return motors


def _doubt_voltage(description: Description, joint: UrdfJoint, motor: DCMotor) -> None:
    """Say where the joint's velocity limit takes voltage, and so torque, from its DC motor, or cannot."""
    back = motor.gear * motor.k_e
    if joint.velocity == inf or joint.velocity == 0.0 or joint.velocity * back >= motor.max_voltage:
        return
    description.source.warn(
        "its velocity limit does not hold for a DC motor without back-EMF; give it k_e." if back == 0.0 else
        f"its DC motor gets {joint.velocity * back:.3g} V of {motor.max_voltage:g} V at most, which turn it at its velocity "
        f"limit, {joint.velocity:g} rad/s, and has the less torque; raise the limit if more is meant.", f"joint '{joint.name}'")
