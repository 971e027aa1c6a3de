"""Numbers that look as if they were in other units than SI, and scenes that nothing holds: doubts, each with the remedy."""

from math import pi, radians

import numpy as np

from ..scene.attachment import Pin
from ..scene.body import Body, Ground
from ..scene.cloth import Cloth
from ..scene.errors import who
from ..scene.joint import Joint, Latch
from ..scene.material import Material, material_of
from ..scene.motor import PositionMotor
from ..scene.rope import Rope
from ..scene.soft import Soft
from ..scene.thing import WORLD, Thing, Vector

_METRES = "lengths are in metres, check them"
LIGHTEST_STUFF = 10.0
"""A material of less density [kg/m3] is doubtful: foams begin at 10, and grams in a cubic centimetre are a thousandth."""
SLACKEST = 50.0
"""A rope that is so many times as long as its path is doubtful [-]."""
SOFTEST_STUFF = 1e3
"""A material of less stiffness [Pa] is doubtful: the softest gels begin there, and GPa are a billionth."""


def doubt_units(things: list[Thing]) -> list[str]:
    """Densities, stiffnesses and angles that are probably given in other units."""
    found = []
    for thing in things:
        if isinstance(thing, Body) and thing.density is not None and thing.density < LIGHTEST_STUFF:
            found.append(_of_density(thing, thing.density))
        elif isinstance(thing, (Rope, Soft)):
            found += _of_material(thing, getattr(thing, "material", None)) + _of_size(thing)
        elif isinstance(thing, Joint) and thing.coordinates[:1] == ("angle",):
            motor = thing.motor
            target = (("the target of its motor", motor.target),) if isinstance(motor, PositionMotor) else ()
            found += _of_angles(thing, *(("a limit", one) for one in thing.limits or ()), *target)
        elif isinstance(thing, Latch) and any(isinstance(one, Joint) and one.name == thing.joint
                                              and one.coordinates[:1] == ("angle",) for one in things):
            found += _of_angles(thing, ("at", thing.at))
    return found


def _of_material(thing: Rope | Soft, given: Material | str | None) -> list[str]:
    if given is None:
        return []
    material = material_of(thing, given)
    found = [_of_density(thing, material.density)] if material.density < LIGHTEST_STUFF else []
    if material.young < SOFTEST_STUFF:
        found.append(f"{who(thing)}: the Young's modulus of its material is {material.young:g} Pa, softer than any gel; "
                     "1 GPa is 1e9 Pa, check it")
    return found


def _of_size(thing: Rope | Soft) -> list[str]:
    """Ropes thicker than they are long or far longer than their path, cloth thicker than a tenth of its width: millimetres?"""
    if isinstance(thing, Rope):
        long = float(np.linalg.norm(np.diff(thing.path, axis=0), axis=1).sum())
        if thing.length is not None and (whole := float(np.max(thing.length))) > SLACKEST * long:
            return [f"{who(thing)}: its length is {whole:g} m, and its path {long:.3g} m long, so that it is laid as an arc "
                    f"{0.5 * whole:.3g} m deep; {_METRES}"]
        if thing.radius > 0.5 * long:
            return [f"{who(thing)}: its radius is {thing.radius:g} m, and its path {long:.3g} m long; {_METRES}"]
    elif isinstance(thing, Cloth) and thing.thickness > 0.1 * (wide := float(np.ptp(thing.rest, axis=0).max())):
        return [f"{who(thing)}: its thickness is {thing.thickness:g} m, and its width {wide:.3g} m; {_METRES}"]
    return []


def _of_density(thing: Thing, density: float) -> str:
    return f"{who(thing)}: its density is {density:g} kg/m3, lighter than any foam; 1 g/cm3 is 1000 kg/m3, check it"


def _of_angles(thing: Thing, *angles: tuple[str, object]) -> list[str]:
    """Whole numbers beyond a turn are rarely radians; what is meant to turn often is given by multiples of pi."""
    for role, value in angles:
        if isinstance(value, (int, float)) and 2.0 * pi < abs(value) <= 3600.0 and float(value).is_integer():
            return [f"{who(thing)}: {role} is {value:g} rad, {abs(value) / (2.0 * pi):.1f} turns; angles are in radians, "
                    f"{value:g} degrees are {radians(value):.4g}, check it"]
    return []


def doubt_fall(things: list[Thing], gravity: Vector) -> list[str]:
    """A scene that falls up, or in which there is nothing that anything could come to rest on or hang from."""
    if gravity[2] > max(abs(gravity[0]), abs(gravity[1])):
        return [f"Scene: gravity is {tuple(float(g) for g in gravity)} m/s2 and points up, since z does; things fall by "
                f"(0, 0, -9.81), check it"]
    moving = any(isinstance(one, (Body, Rope, Soft)) for one in things)
    if not moving or not any(gravity) or any(_bears(one) for one in things):
        return []
    return ["Scene: nothing holds or bears anything, so that all falls for ever; add a Ground, pin something, or give gravity="
            "(0, 0, 0)"]


def _bears(thing: Thing) -> bool:
    """Whether a thing stands still, is driven, or is held to the world."""
    if isinstance(thing, Body):
        return thing.fixed or thing.motion is not None
    ends = [getattr(thing, field, None) for field in ("parent", "child", "a", "b", "body")]
    return isinstance(thing, (Ground, Pin)) or WORLD in ends
