"""Words of a scene that have no effect, or not the one that is meant: doubts, each with the remedy."""

import numpy as np

from ..scene.body import Body
from ..scene.control import Load
from ..scene.errors import who
from ..scene.joint import Joint, Latch
from ..scene.pose import Pose
from ..scene.thing import Thing
from .extents import outside, size


def doubt_words(things: list[Thing]) -> list[str]:
    """Velocities of what is fixed, centres of mass beside their bodies, joints and latches beyond limits, loads of nothing."""
    joints = {thing.name: thing for thing in things if isinstance(thing, Joint)}
    found = []
    for thing in things:
        if isinstance(thing, Body):
            found += _of_body(thing)
        elif isinstance(thing, Joint):
            found += _of_limits(thing)
        elif isinstance(thing, Latch) and thing.joint in joints:
            found += _of_latch(thing, joints[thing.joint])
        elif isinstance(thing, Load) and not any((*thing.force, *thing.torque)):
            found.append(f"{who(thing)} has neither force nor torque, so that it does nothing; give one of them")
    return found


def _of_body(body: Body) -> list[str]:
    found = []
    for field in ("velocity", "angular_velocity"):
        given = getattr(body, field)
        if body.fixed and np.any(given):
            found.append(f"{who(body)} is fixed, so that its {field} {given} has no effect; drive it by a Motion, or leave "
                         "fixed away")
    if body.center_of_mass is not None:
        away = outside(body, Pose(body.position, body.quaternion).then(Pose(body.center_of_mass)).position)
        if away > size(body):
            found.append(f"{who(body)}: center_of_mass {body.center_of_mass} is {away:.3g} m outside its shapes, which are "
                         f"{size(body):.3g} m large; it is given in metres along the body's axes, check it")
    return found


def _of_limits(joint: Joint) -> list[str]:
    if joint.limits is None or joint.limits[0] <= 0.0 <= joint.limits[1]:
        return []
    low, high = joint.limits
    return [f"{who(joint)} starts at 0, outside its limits ({low:g}, {high:g}), and will be pushed inside; place its bodies as "
            "they stand at 0, or shift the limits"]


def _of_latch(latch: Latch, joint: Joint) -> list[str]:
    if joint.limits is None or joint.limits[0] <= latch.at <= joint.limits[1]:
        return []
    low, high = joint.limits
    return [f"{who(latch)} is at {latch.at:g}, outside the limits ({low:g}, {high:g}) of joint '{joint.name}', and never "
            "catches; place it within them"]
