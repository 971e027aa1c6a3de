"""Springs that cannot bear what hangs or stands on them: a doubt, with the sag that is to be expected."""

import numpy as np

from ..scene.body import Body, Ground
from ..scene.errors import who
from ..scene.pose import Pose
from ..scene.shape import HeightField
from ..scene.spring import Spring
from ..scene.thing import WORLD, Thing, Vector
from .extents import level, reach, size
from .mass_doubts import mass_of

FAR = 5.0
"""A sag of more lengths of the spring is doubtful [-]; a bungee has two."""
UPRIGHT = 0.7
"""Cosine of a spring's angle to gravity from which on it bears [-]."""


def doubt_sag(things: list[Thing], gravity: Vector) -> list[str]:
    """Of bodies that nothing but upright springs can hold."""
    g = float(np.linalg.norm(gravity))
    named = {thing.name: thing for thing in things}
    if g == 0.0 or any(isinstance(one, Body) and isinstance(one.shape, HeightField) for one in things):
        return []
    springs: dict[str, list[Spring]] = {}
    for spring in things:
        if isinstance(spring, Spring):
            for end in (spring.a, spring.b):
                springs.setdefault(end, []).append(spring)
    found = []
    for name, mine in springs.items():
        body = named.get(name)
        if isinstance(body, Body) and not body.fixed and body.motion is None:
            told = _of_springs(body, mine, named, np.array(gravity) / g, g)
            found += told if told and not _borne(body, things) else []
    return found


def _of_springs(body: Body, springs: list[Spring], named: dict[str, Thing], down, g: float) -> list[str]:
    spans = [_span(spring, named) for spring in springs]
    stiffness, mass = sum(spring.stiffness for spring in springs), mass_of(body)
    if stiffness == 0.0 or any(span is None or abs(span @ down) < UPRIGHT * np.linalg.norm(span) for span in spans):
        return []
    length = max(max(float(np.linalg.norm(span)), spring.rest_length or 0.0)
                 for span, spring in zip(spans, springs, strict=True))
    sag = mass * g / stiffness
    if length == 0.0 or sag <= FAR * length:
        return []
    told = f"spring '{springs[0].name}'" if len(springs) == 1 else f"{len(springs)} springs, together"
    return [f"{who(body)}: its {told} of {stiffness:g} N/m would sag by m g / k = {sag:.3g} m under {mass:g} kg, at a length "
            f"of {length:.3g} m; check stiffness [N/m] and mass [kg]"]


def _span(spring: Spring, named: dict[str, Thing]):
    """From end to end at the start [m] (3,), world frame; None where an end is on a site."""
    ends = []
    for name, at in ((spring.a, spring.at_a), (spring.b, spring.at_b)):
        body = named.get(name)
        if isinstance(body, Body):
            ends.append(Pose(body.position, body.quaternion).point(at))
        elif name == WORLD:
            ends.append(at)
        else:
            return None
    return np.subtract(ends[1], ends[0])


def _borne(body: Body, things: list[Thing]) -> bool:
    """Whether anything else may bear it: a joint, a rope, a load, the ground or a body that it touches or nearly does."""
    for one in things:
        if isinstance(one, Ground):
            if body.collide and reach(body, one.normal)[0] - level(one) < 1e-2 * size(body):
                return True
        elif isinstance(one, Body):
            near = 0.9 * (size(body) + (0.0 if isinstance(one.shape, HeightField) else size(one)))
            if one is not body and one.collide and body.collide and \
                    float(np.linalg.norm(np.subtract(one.position, body.position))) < near:
                return True
        elif not isinstance(one, Spring) and body.name in _names(one):
            return True
    return False


def _names(thing: Thing) -> list[str]:
    """The words in the fields of a thing, names of others among them."""
    return [value for field in thing.__struct_fields__ if isinstance(value := getattr(thing, field), str)]
