"""Putting a joint at a coordinate: all that hangs on one side of it turns or moves along, as one piece."""

import numpy as np

from ..model.bodies import DYNAMIC
from ..model.joints import LATCH, READY, SPRING
from ..model.model import Model
from ..scene.errors import fail, number
from ..scene.pose import from_rotation_vector, product, turned
from .handle import world_points


def put_joint(world, thing, joint: int, coordinate: int, word: str, value: float) -> None:
    """Teleport one side of a joint so that its coordinate is `value` [rad or m]; velocities turn along."""
    model, state = world._engine.model, world._engine.state
    value = number(thing, word, value, "rad" if word == "angle" else "m")
    if thing.limits is not None and thing.coordinates[0] == word and not thing.limits[0] <= value <= thing.limits[1]:
        raise fail(thing, f"{word} is {value:g}; its limits are {thing.limits[0]:g} and {thing.limits[1]:g}.")
    change = value - float(state.coordinates.value[coordinate])
    a, b = model.joints.body[joint].tolist()
    side, sign = _loose_side(model, joint, b), 1.0
    if side is None:
        side, sign = _loose_side(model, joint, a), -1.0
    if side is None:
        raise fail(thing, f"{word} cannot be set: both its sides are held, or it is part of a loop; set the positions and "
                          "quaternions of its bodies.")
    motion = state.motion
    frame = product(tuple(motion.quaternion[a].tolist()), tuple(model.joints.frame_a[joint].tolist()))
    axis = sign * change * np.array(turned(frame, (0.0, 0.0, 1.0)))
    if word == "travel":
        motion.position[side] += axis
    else:
        turn_about(motion, side, world_points(world, [a], [model.joints.anchor_a[joint]])[0], axis)
    state.coordinates.value[coordinate] = value
    own = model.drives.coordinate == coordinate
    state.drives.deflection[own & (model.drives.law == SPRING)] += change
    state.drives.engaged[own & (model.drives.law == LATCH)] = READY
    world._disturb()


def _loose_side(model: Model, joint: int, start: int) -> list[int] | None:
    """Bodies that hang together with `start` without this joint; None where something holds them, or they meet again."""
    neighbours: dict[int, list[int]] = {}
    for k, (a, b) in enumerate(model.joints.body.tolist()):
        if k != joint:
            neighbours.setdefault(a, []).append(b)
            neighbours.setdefault(b, []).append(a)
    other = int(model.joints.body[joint].sum()) - start
    found, queue = {start}, [start]
    while queue:
        body = queue.pop()
        if body == other or model.bodies.kind[body] != DYNAMIC:
            return None
        for one in neighbours.get(body, ()):
            if one not in found:
                found.add(one)
                queue.append(one)
    return sorted(found)


def turn_about(motion, side: list[int], centre: np.ndarray, by: np.ndarray) -> None:
    """Turn bodies about a point [m] by a rotation vector [rad], with their velocities. Writes: motion"""
    q = from_rotation_vector(by)
    for body in side:
        motion.position[body] = centre + turned(q, tuple((motion.position[body] - centre).tolist()))
        motion.quaternion[body] = product(q, tuple(motion.quaternion[body].tolist()))
        motion.velocity[body] = turned(q, tuple(motion.velocity[body].tolist()))
        motion.angular_velocity[body] = turned(q, tuple(motion.angular_velocity[body].tolist()))
