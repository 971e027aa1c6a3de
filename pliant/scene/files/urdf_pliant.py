"""The block <pliant> of a URDF: controls, motors, springs, latches and surfaces, which URDF itself has no words for.

    <pliant>
      <control name="throttle" low="-1" high="1" value="0" keys="k i"/>
      <dc_motor joint="wheel" voltage="throttle:24 steering:-12" k_t="0.1" k_e="0.1" resistance="1.5" max_voltage="24"/>
      <velocity_motor joint="pan" target="look" max_effort="2"/>
      <position_motor joint="tilt" target="0.3" stiffness="50" damping="2"/>
      <joint_spring name="strut" joint="slide" stiffness="1400" damping="80" rest="-0.06"/>
      <spring name="coil" a="chassis" b="arm" stiffness="2000" damping="90" at_a="0 0.2 0.1" at_b="0.1 0 0"/>
      <latch name="catch" joint="hatch" at="0" hold="20"/>
      <surface link="wheel" friction="0.9" restitution="0.1"/>
    </pliant>

An element's attributes are the fields of the thing of that name; links and joints are named as in the file.
"""

from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite
from typing import Any
from xml.etree.ElementTree import Element

import msgspec
import numpy as np

from ..control import Control
from ..errors import SceneError
from ..joint import Latch
from ..motor import DCMotor, Motor, PositionMotor, VelocityMotor
from ..spring import JointSpring, Spring
from ..thing import Thing
from .urdf import Description
from .urdf_xml import Source

MOTORS = {"velocity_motor": VelocityMotor, "position_motor": PositionMotor, "dc_motor": DCMotor}
THINGS: dict[str, type[Thing]] = {"control": Control, "joint_spring": JointSpring, "spring": Spring, "latch": Latch}
ELEMENTS = (*THINGS, *MOTORS, "surface")

_WORDS = {"name", "joint", "a", "b", "unit"}
_VECTORS = {"at_a", "at_b"}
_SIGNALS = {"target", "voltage"}


@dataclass
class Extension:
    """What the block says, with names as the file has them."""

    source: Source
    motors: dict[str, Motor] = field(default_factory=dict)
    surfaces: dict[str, dict[str, float]] = field(default_factory=dict)
    """Friction and restitution by link."""
    nouns: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Element and fields of each thing."""

    def things(self, robot: str, places: dict[str, tuple[str, np.ndarray]], joints: dict[str, str]):
        """The things, named after the robot: ends of springs moved into the bodies that hold their links."""
        for tag, fields in self.nouns:
            values, what = dict(fields), f"pliant, {tag} '{fields['name']}'"
            if tag != "control":
                values["name"] = f"{robot}/{fields['name']}"
            if "joint" in values:
                if values["joint"] not in joints:
                    raise self.source.unknown(what, "joint", values["joint"], joints)
                values["joint"] = f"{robot}/{joints[values['joint']]}"
            for end in ("a", "b") if tag == "spring" else ():
                if values.get(end) not in places:
                    raise self.source.unknown(what, end, values.get(end, ""), places)
                body, offset = places[values[end]]
                values[end] = body
                at = offset[:3, :3] @ values.get(f"at_{end}", (0.0, 0.0, 0.0)) + offset[:3, 3]
                values[f"at_{end}"] = tuple(at.tolist())
            yield _made(self.source, what, THINGS[tag], values)


def read_extension(description: Description) -> Extension:
    """The blocks of a description, checked word by word."""
    source, extension = description.source, Extension(description.source)
    for element in description.extension:
        tag = element.tag
        if tag not in ELEMENTS:
            near = get_close_matches(str(tag), ELEMENTS, n=1)
            raise source.fail("pliant", f"<{tag}> is not known; " + (f"did you mean <{near[0]}>?" if near else
                              f"use one of {', '.join(ELEMENTS)}."), element)
        if tag == "surface":
            _read_surface(description, element, extension)
        elif tag in MOTORS:
            _read_motor(description, element, extension)
        else:
            fields = _fields(source, f"pliant, {tag}", element, THINGS[tag])
            if tag in ("joint_spring", "latch") and "joint" in fields:
                fields.setdefault("name", f"{fields['joint']}-{'spring' if tag == 'joint_spring' else 'latch'}")
            if "name" not in fields:
                raise source.fail(f"pliant, {tag}", "name is missing; name it.", element)
            source.remember(f"pliant, {tag} '{fields['name']}'", element)
            extension.nouns.append((tag, fields))
    return extension


def _read_surface(description: Description, element: Element, extension: Extension) -> None:
    source, what = description.source, "pliant, surface"
    link = source.name(what, element, "link")
    if link not in description.links:
        raise source.unknown(what, "link", link, description.links)
    extra = sorted(set(element.attrib) - {"link", "friction", "restitution"})
    if extra:
        raise source.fail(what, f"{extra[0]} is not known; a surface has link, friction and restitution.", element)
    extension.surfaces[link] = {name: source.number(what, element, name, least=0.0)
                                for name in ("friction", "restitution") if name in element.attrib}


def _read_motor(description: Description, element: Element, extension: Extension) -> None:
    source, tag = description.source, element.tag
    joint = source.name(f"pliant, {tag}", element, "joint")
    what = source.remember(f"pliant, {tag} of '{joint}'", element)
    if joint in extension.motors:
        raise source.fail(what, "the joint has a motor already; keep one.")
    values = _fields(source, what, element, MOTORS[tag], also=("joint",))
    del values["joint"]
    extension.motors[joint] = _made(source, what, MOTORS[tag], values)


def _fields(source: Source, what: str, element: Element, kind, also: tuple[str, ...] = ()) -> dict[str, Any]:
    """Attributes as the fields of a kind of thing: words, three numbers, a signal, or a number."""
    known = [f.name for f in msgspec.structs.fields(kind)] + list(also)
    values: dict[str, Any] = {}
    for attribute, text in element.attrib.items():
        if attribute not in known:
            near = get_close_matches(attribute, known, n=1)
            raise source.fail(what, f"{attribute} is not known; " + (f"did you mean {near[0]}?" if near else
                              f"use {', '.join(known)}."), element)
        if attribute in _WORDS:
            values[attribute] = text
        elif attribute == "keys":
            values[attribute] = tuple(text.split())
        elif attribute in _VECTORS:
            values[attribute] = source.numbers(what, element, attribute, 3)
        elif attribute in _SIGNALS:
            values[attribute] = _signal(source, what, attribute, text)
        elif attribute == "coordinate":
            number = source.number(what, element, attribute)
            values[attribute] = int(number) if number.is_integer() else number
        else:
            values[attribute] = _number(source, what, element, attribute, text)
    return values


def _number(source: Source, what: str, element: Element, attribute: str, text: str) -> float:
    return float("inf") if text.strip() == "inf" else source.number(what, element, attribute)


def _signal(source: Source, what: str, attribute: str, text: str) -> float | str | dict[str, float]:
    """A number, a control's name, or weights of controls `throttle:24 steering:-12`."""
    if ":" not in text:
        try:
            return float(text)
        except ValueError:
            return text.strip()
    weights: dict[str, float] = {}
    for pair in text.split():
        name, _, weight = pair.partition(":")
        try:
            weights[name] = float(weight)
        except ValueError:
            weights[name] = float("nan")
        if not name or not isfinite(weights[name]):
            raise source.fail(what, f"{attribute} is \"{text}\"; write a number, a control's name, or weights such as "
                                    "\"throttle:24 steering:-12\".")
    return weights


def _made(source: Source, what: str, kind, values: dict[str, Any]):
    try:
        return kind(**values)
    except TypeError as error:
        raise source.fail(what, f"{error}.") from None
    except SceneError as error:
        raise source.fail(what, str(error).partition(": ")[2]) from None
