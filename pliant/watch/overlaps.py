"""What overlaps when a world starts: told once, in the first step, since it is pushed apart from then on; or before any."""

from typing import TYPE_CHECKING

from ..compile.sunk_doubts import told_sunk
from ..scene.robot import Robot

if TYPE_CHECKING:
    from ..world import World

DEEP = 5e-3
"""[m]; bodies that are less deep in each other after the first step are thought to touch."""
PARTED = 0.5
"""About so much of how deep they started is left after that step [-]."""


def overlaps(world: "World") -> list[str]:
    """The pair of bodies that is deepest in each other in the first step, how many more there are, and the remedy."""
    return _told(world, DEEP, "overlap by more than", "are pushed apart")


def overlaps_to_come(world: "World") -> list[str]:
    """The same of a world that was built but not stepped: only finding its contacts is called, and needs to be compiled."""
    world._engine.find_contacts_of_bodies(world.dt)
    return _told(world, DEEP / PARTED, "overlap by", "will be pushed apart")


def _told(world: "World", limit: float, how: str, fate: str) -> list[str]:
    """Of what is deeper than `limit` [m] in the contacts that were found."""
    contacts = world._engine.state.contacts
    deep: dict[tuple[str, str], float] = {}
    for k in range(min(int(contacts.count[0]), len(contacts.separation))):
        depth = -float(contacts.separation[k])
        if depth > limit:
            a, b = sorted(world.shape_names[shape] for shape in contacts.shape[k])
            deep[a, b] = max(depth, deep.get((a, b), 0.0))
    deep = {(a, b): depth for (a, b), depth in deep.items()
            if not any(text.startswith((told_sunk(a, b), told_sunk(b, a))) for text in world.warnings)}
    if not deep:
        return []
    (a, b), depth = max(deep.items(), key=lambda pair: pair[1])
    robots = {part.name: thing.name for thing in world.scene if isinstance(thing, Robot) for part in thing.parts()}
    own = robots.get(a) is not None and robots.get(a) == robots.get(b)
    remedy = f"say self_contact=False of '{robots[a]}' if its links are meant to" if own else \
        "move one of them, or say collide=False of one if they are meant to"
    more = f", as {len(deep) - 1} more pairs do" if len(deep) > 2 else ", as one more pair does" if len(deep) == 2 else ""
    return [f"'{a}' and '{b}' {how} {depth:.2g} m at the start{more}, and {fate}; {remedy}"]
