"""The words of URDF: elements with their attributes and what stands in them; others are refused or named."""

from difflib import get_close_matches
from xml.etree.ElementTree import Element

from .urdf_xml import Source

_PLACED = {"origin": ("xyz", "rpy")}
_SHAPES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length"),
           "mesh": ("filename", "scale")}
_NUMBERS = {**_PLACED, **_SHAPES, "limit": ("lower", "upper", "effort", "velocity"), "dynamics": ("damping", "friction"),
            "axis": ("xyz",), "mass": ("value",), "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
"""Attributes of the elements that hold numbers."""
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
    "stiffness": "a spring is given by <joint_spring> in <pliant>",
    "spring_stiffness": "a spring is given by <joint_spring> in <pliant>",
}
"""What to do for what has no effect, by its word."""


def check_words(source: Source, robot: Element) -> None:
    """Refuse words that look like a slip of one that URDF has there; name all others that have no effect."""
    ignored: dict[str, list[str]] = {}
    for element, whose in _known(robot, ""):
        for word in element.attrib if element.tag in _NUMBERS else ():
            if word not in _NUMBERS[element.tag]:
                _refuse_slip(source, whose, word, _NUMBERS[element.tag], f" in <{element.tag}>", element)
                ignored.setdefault(f"{word} in <{element.tag}>", []).append(whose)
        for child in element:
            if child.tag in _INSIDE.get(element.tag, (child.tag,)) and child.tag not in _REMEDIES:
                continue
            if child.tag not in _INSIDE[element.tag]:
                place = "" if element.tag in ("robot", "link", "joint") else f" in <{element.tag}>"
                _refuse_slip(source, whose, str(child.tag), _INSIDE[element.tag], place, child, "<{}>")
            ignored.setdefault(f"<{child.tag}>", []).append(whose)
    for what, owners in ignored.items():
        remedy = _REMEDIES.get(what.partition(" in ")[0].strip("<>"), "URDF has no such word there")
        source.warn(f"{what}{_of(owners)} has no effect; {remedy}.")


def _of(owners: list[str]) -> str:
    """Whose it is: the first few."""
    names = [name for name in dict.fromkeys(owners) if name]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f" of {', '.join(names[:3])}{more}" if names else f", {len(owners)} times," if len(owners) > 1 else ""


def _refuse_slip(source: Source, whose: str, word: str, known: tuple[str, ...], place: str, element: Element,
                 form: str = "{}") -> None:
    near = get_close_matches(word, known, n=1, cutoff=0.65)
    if near:
        raise source.fail(whose, f"{form.format(word)} is not known{place}; did you mean {form.format(near[0])}?", element)


def _known(element: Element, whose: str):
    """All elements that are read, each with the link or joint that it belongs to."""
    yield element, whose
    for child in element:
        if child.tag in (*_INSIDE.get(element.tag, ()), *(_SHAPES if element.tag == "geometry" else ())) \
                and child.tag not in ("pliant", *_REMEDIES):
            own = f"{child.tag} '{child.get('name', '')}'" if child.tag in ("link", "joint") else whose
            yield from _known(child, own)
