"""Reads a URDF file: links and joints as a checked tree; what is not supported is refused or said, never dropped."""

from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from .urdf_link import Link, read_color, read_link
from .urdf_words import check_words
from .urdf_xml import Source

_REMEDIES = {
    "floating": "leave the joint and the link that it hangs on out: a robot floats, unless its root is held by fixed=True",
    "planar": "put two prismatic joints and a continuous one in its place, with links between them",
}
"""For kinds of joints that are not supported."""
MOVING = ("revolute", "continuous", "prismatic")


@dataclass
class UrdfJoint:
    """One <joint>."""

    name: str
    kind: str
    parent: str
    child: str
    origin: np.ndarray
    """Transform (4, 4) of the child's frame into the parent's, at coordinate 0."""
    axis: tuple[float, ...] = (1.0, 0.0, 0.0)
    """Child's frame."""
    limits: tuple[float, float] | None = None
    """[rad or m]"""
    effort: float = inf
    """Limit of a motor [N m or N]."""
    velocity: float = inf
    """Speed that a motor drives it at, at most [rad/s or m/s]."""
    damping: float = 0.0
    friction: float = 0.0


@dataclass
class Description:
    """What a URDF says, before a robot is put somewhere."""

    source: Source
    name: str
    links: dict[str, Link]
    joints: dict[str, UrdfJoint]
    root: str
    extension: list[Element] = field(default_factory=list)
    """Elements of the <pliant> blocks."""

    def children(self, link: str) -> list[UrdfJoint]:
        """Joints whose parent a link is, in the file's order."""
        return [joint for joint in self.joints.values() if joint.parent == link]


def read_urdf(path: str | Path) -> Description:
    """The description in a file."""
    path = Path(path)
    source = Source(path)
    robot = source.robot
    check_words(source, robot)
    materials: dict[str, tuple[float, float, float]] = {}
    for material in robot.findall("material"):
        read_color(source, f"material '{material.get('name', '')}'", material, materials)
    links: dict[str, Link] = {}
    for element in robot.findall("link"):
        link = read_link(source, element, materials)
        _no_double(source, "link", link.name, links, element)
        links[link.name] = link
    if not links:
        raise source.fail("", "it has no <link>; a robot needs one at least.")
    joints: dict[str, UrdfJoint] = {}
    for element in robot.findall("joint"):
        joint = _read_joint(source, element, links)
        _no_double(source, "joint", joint.name, joints, element)
        joints[joint.name] = joint
    root = _find_root(source, links, joints)
    extension = [element for block in robot.findall("pliant") for element in block]
    return Description(source, robot.get("name") or path.stem, links, joints, root, extension)


def _read_joint(source: Source, element: Element, links) -> UrdfJoint:
    name = source.name("a joint", element)
    what, kind = source.remember(f"joint '{name}'", element), element.get("type", "")
    if kind not in (*MOVING, "fixed"):
        remedy = _REMEDIES.get(kind, "use revolute, continuous, prismatic or fixed")
        raise source.fail(what, f"type \"{kind}\" is not supported; {remedy}." if kind else "type is missing; " + remedy + ".")
    if element.find("mimic") is not None:
        raise source.fail(what, "<mimic> is not supported; remove it, or drive both joints by one control.")
    ends = [source.name(f"{what}, {tag}", element.find(tag), "link") for tag in ("parent", "child")]
    for tag, end in zip(("parent", "child"), ends, strict=True):
        if end not in links:
            raise source.unknown(what, tag, end, links)
    if ends[0] == ends[1]:
        raise source.fail(what, f"parent and child are both '{ends[0]}'; a joint needs two links.")
    joint = UrdfJoint(name, kind, ends[0], ends[1], source.origin(what, element))
    if kind in MOVING:
        _read_freedom(source, what, element, joint)
    return joint


def _read_freedom(source: Source, what: str, element: Element, joint: UrdfJoint) -> None:
    """Axis, limits and friction of a joint that moves."""
    joint.axis = source.numbers(what, element.find("axis"), "xyz", 3, (1.0, 0.0, 0.0))
    if not any(joint.axis):
        raise source.fail(what, "axis is zero; it must point somewhere.")
    limit, dynamics = element.find("limit"), element.find("dynamics")
    if joint.kind != "continuous":
        if limit is None:
            raise source.fail(what, "it has no <limit>; add one, or make the type continuous.")
        low, high = (source.number(what, limit, a, 0.0) for a in ("lower", "upper"))
        if low > high:
            raise source.fail(what, f"lower is {low:g} and upper {high:g} in <limit>; lower must not be above upper.", limit)
        joint.limits = (low, high)
    if limit is not None and "effort" in limit.attrib:
        joint.effort = source.number(what, limit, "effort", least=0.0)
    if limit is not None and "velocity" in limit.attrib:
        joint.velocity = source.number(what, limit, "velocity", least=0.0)
    if dynamics is not None:
        joint.damping = source.number(what, dynamics, "damping", 0.0, least=0.0)
        joint.friction = source.number(what, dynamics, "friction", 0.0, least=0.0)


def _no_double(source: Source, kind: str, name: str, taken, element: Element) -> None:
    if name in taken:
        raise source.fail(f"{kind} '{name}'", f"there are two with this name; rename one {kind}.", element)


def _find_root(source: Source, links, joints) -> str:
    """The one link without a parent; an error for loops and for several."""
    holder: dict[str, str] = {}
    for joint in joints.values():
        if joint.child in holder:
            raise source.fail(f"link '{joint.child}'", f"it is the child of joints '{holder[joint.child]}' and "
                              f"'{joint.name}', which makes a loop; "
                              "remove one of them and close the loop by a joint in the scene.")
        holder[joint.child] = joint.name
    roots = [name for name in links if name not in holder]
    if len(roots) > 1:
        raise source.fail(f"links '{roots[0]}' and '{roots[1]}'", "both have no parent; join them by a joint.")
    seen: set[str] = set()
    below = list(roots)
    while below:
        seen.add(below[-1])
        last = below.pop()
        below.extend(joint.child for joint in joints.values() if joint.parent == last)
    lost = [name for name in links if name not in seen]
    if lost:
        raise source.fail(f"link '{lost[0]}'", f"it hangs in a loop of joints (over '{holder[lost[0]]}'); "
                          "remove one of them and close the loop by a joint in the scene.")
    return roots[0]
