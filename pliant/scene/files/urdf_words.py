"""The words of URDF: elements with their attributes and what stands in them; others are refused or named, never dropped."""

from difflib import get_close_matches
from xml.etree.ElementTree import Element

from .urdf_xml import Source

_PLACED = {"origin": ("xyz", "rpy")}
_SHAPES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length"),
           "mesh": ("filename", "scale")}
_NUMBERS = {**_PLACED, **_SHAPES, "limit": ("lower", "upper", "effort", "velocity"), "dynamics": ("damping", "friction"),
            "axis": ("xyz",), "mass": ("value",), "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
"""Attributes of the elements that hold numbers: all that they have is read, so that one more is a mistake or has a meaning that
this reader does not know."""
_INSIDE = {
    "robot": ("link", "joint", "material", "pliant", "transmission", "gazebo"),
    "link": ("inertial", "visual", "collision"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "collision": ("origin", "geometry"),
    "joint": ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"),
}
"""What stands in what."""
_REMEDIES = {
    "transmission": "motors are given in <pliant> or by motors=",
    "gazebo": "friction, springs and motors are given in <pliant>",
    "safety_controller": "narrow <limit> where its soft limits are to hold",
    "contact": "friction and restitution are given by <surface> in <pliant>",
}
"""What to do for what has no effect, by its element."""
_MORE = {"stiffness": "a spring is given by <joint_spring> in <pliant>",
         "spring_stiffness": "a spring is given by <joint_spring> in <pliant>"}


def check_words(source: Source, robot: Element) -> None:
    """Refuse words that URDF does not have where they look like a mistake, and numbers that would be dropped; name the rest."""
    ignored: dict[str, list[str]] = {}
    for element, whose in _known(robot, ""):
        _check_numbers(source, element, whose)
        for child in element:
            if child.tag in _INSIDE.get(element.tag, (child.tag,)) and child.tag not in _REMEDIES:
                continue
            _check_name(source, element, child, whose)
            ignored.setdefault(child.tag, []).append(whose)
    for tag, owners in ignored.items():
        many = len(owners) > 1
        of = f" of {', '.join(dict.fromkeys(owners))}" if any(owners) else ""
        source.warn(f"{len(owners)} <{tag}>{of} {'have' if many else 'has'} no effect"
                    + (f"; {_REMEDIES[tag]}." if tag in _REMEDIES else ", since URDF has no such word there."))


def _known(element: Element, whose: str):
    """All elements that are read, each with the link or joint that it belongs to."""
    yield element, whose
    for child in element:
        if child.tag in (*_INSIDE.get(element.tag, ()), *(_SHAPES if element.tag == "geometry" else ())) \
                and child.tag not in ("pliant", *_REMEDIES):
            own = f"{child.tag} '{child.get('name', '')}'" if child.tag in ("link", "joint") else whose
            yield from _known(child, own)


def _check_numbers(source: Source, element: Element, whose: str) -> None:
    known = _NUMBERS.get(element.tag)
    for word in element.attrib if known else ():
        if known and word not in known:
            near = get_close_matches(word, known, n=1)
            remedy = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}, and {_MORE.get(word, 'no more')}; " \
                                                             "take it away."
            raise source.fail(whose, f"{word} is not known in <{element.tag}>; {remedy}", element)


def _check_name(source: Source, element: Element, child: Element, whose: str) -> None:
    """A word that is nearly one of those that may stand there is a slip."""
    known = _INSIDE[element.tag]
    near = [] if child.tag in known else get_close_matches(str(child.tag), known, n=1, cutoff=0.7)
    if near:
        place = "" if element.tag in ("robot", "link", "joint") else f" in <{element.tag}>"
        raise source.fail(whose, f"<{child.tag}> is not known{place}; did you mean <{near[0]}>?", child)
