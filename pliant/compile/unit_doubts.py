"""Numbers that look as if they were in other units than SI, and scenes that nothing holds: doubts, each with the remedy."""

from math import pi, radians

from ..scene.attachment import Pin
from ..scene.body import Body, Ground
from ..scene.errors import who
from ..scene.joint import Joint, Latch
from ..scene.material import Material, material_of
from ..scene.motor import PositionMotor
from ..scene.rope import Rope
from ..scene.soft import Soft
from ..scene.thing import WORLD, Thing, Vector

LIGHTEST_STUFF = 10.0
"""A material of less density [kg/m3] is doubtful: foams begin at 10, and grams in a cubic centimetre are a thousandth."""
SOFTEST_STUFF = 1e3
"""A material of less stiffness [Pa] is doubtful: the softest gels begin there, and GPa are a billionth."""


def doubt_units(things: list[Thing]) -> list[str]:
    """Densities, stiffnesses and angles that are probably given in other units."""
    found = []
    for thing in things:
        if isinstance(thing, Body) and thing.density is not None and thing.density < LIGHTEST_STUFF:
            found.append(_of_density(thing, thing.density))
        elif isinstance(thing, (Rope, Soft)) and getattr(thing, "material", None) is not None:
            found += _of_material(thing, material_of(thing, thing.material))  # type: ignore[union-attr]
        elif isinstance(thing, Joint) and thing.coordinates[:1] == ("angle",):
            motor = thing.motor
            target = (("the target of its motor", motor.target),) if isinstance(motor, PositionMotor) else ()
            found += _of_angles(thing, *(("a limit", one) for one in thing.limits or ()), *target)
        elif isinstance(thing, Latch) and any(isinstance(one, Joint) and one.name == thing.joint
                                              and one.coordinates[:1] == ("angle",) for one in things):
            found += _of_angles(thing, ("at", thing.at))
    return found


def _of_material(thing: Rope | Soft, material: Material) -> list[str]:
    found = [_of_density(thing, material.density)] if material.density < LIGHTEST_STUFF else []
    if material.young < SOFTEST_STUFF:
        found.append(f"{who(thing)}: the Young's modulus of its material is {material.young:g} Pa, softer than any gel; "
                     "1 GPa is 1e9 Pa, check it")
    return found


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
    """A scene in which there is nothing that anything could come to rest on or hang from."""
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
