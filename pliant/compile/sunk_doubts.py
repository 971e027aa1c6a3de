"""Bodies that start deep in the ground, which will lift them out: a doubt, with how deep."""

from ..scene.attachment import Pin
from ..scene.body import Body, Ground
from ..scene.joint import Joint
from ..scene.shape import HeightField
from ..scene.thing import Thing
from .extents import level, reach

SUNK = 0.2
"""Of a body's height, how deep it may be in the ground [-]; what is less is told by the first step, if it matters."""


def doubt_sunk(things: list[Thing]) -> list[str]:
    """Of bodies that move, touch, and are on no joint: those may pass the ground, or cannot leave it."""
    grounds = [one for one in things if isinstance(one, Ground)]
    held = {name for one in things if isinstance(one, Joint) for name in (one.parent, one.child)} if grounds else set()
    held |= {one.what for one in things if isinstance(one, Pin)}
    return [text for body in things if isinstance(body, Body) and body.name not in held and body.collide and not body.fixed
            and body.motion is None and not isinstance(body.shape, HeightField)
            for ground in grounds for text in _of_ground(body, ground)]


def _of_ground(body: Body, ground: Ground) -> list[str]:
    low, high = reach(body, ground.normal)
    depth = level(ground) - low
    if depth <= SUNK * (high - low):
        return []
    return [f"{told_sunk(body.name, ground.name)}: {depth:.3g} m deep; it will be lifted out, so move it up by as much, or say "
            "collide=False if it is meant to be there"]


def told_sunk(body: str, ground: str) -> str:
    """How such a doubt begins; the first step then need not tell it again."""
    return f"Body '{body}' starts in '{ground}'"
