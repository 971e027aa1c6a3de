"""What `world.contacts` gives: where things press on each other, by name."""

from bisect import bisect_right
from typing import NamedTuple

import numpy as np

from ..couple.step import Engine
from ..scene.body import Ground
from ..scene.scene import Scene


class ContactList(NamedTuple):
    """The contacts of the last step that bear a force; those of cloth and solids come last.

    They are listed where they were found, once a step, with the normal that they had there. Through the step this goes with the
    bodies, which turn, roll and slide on: so the force, a mean of pushes along all the normals there were, may lean by as much
    without any friction. Forces on jointed bodies are read along where they end a substep h: one that turns by w is off by w h.
    """

    a: list[str]
    """Names of the things on one side (n)."""
    b: list[str]
    """Names of the things on the other side (n)."""
    position: np.ndarray
    """[m] (n, 3), world frame."""
    normal: np.ndarray
    """Unit, from a to b (n, 3), world frame, as found before the step."""
    force: np.ndarray
    """On b [N] (n, 3), mean over the last step."""


def named_shapes(scene: Scene, bodies: dict[str, int], body: np.ndarray) -> list[str]:
    """What contacts may touch, by name: of the shapes of `body` (s), which holds the numbers that `bodies` names."""
    names = {k: n for n, k in bodies.items()}
    grounds = [thing.name for thing in scene.flat() if isinstance(thing, Ground)]
    return [names.get(int(b)) or (grounds.pop(0) if grounds else "world") for b in body]


def presses(contacts: ContactList) -> dict[str, tuple[float, str]]:
    """Of each thing that is pressed, the largest force [N] that one other thing bears on it with, and which thing that is.

    All contacts between two things count together; what two fingers hold is pressed by each.
    """
    sums: dict[tuple[str, str], np.ndarray] = {}
    for a, b, force in zip(contacts.a, contacts.b, contacts.force, strict=True):
        pair, force = ((a, b), force) if a <= b else ((b, a), -force)
        sums[pair] = sums.get(pair, 0.0) + force
    most: dict[str, tuple[float, str]] = {}
    for (a, b), total in sums.items():
        size = float(np.linalg.norm(total))
        for one, other in ((a, b), (b, a)):
            if size > most.get(one, (0.0, ""))[0]:
                most[one] = size, other
    return most


def listed(engine: Engine, shape_names: list[str]) -> ContactList:
    """The contacts of a state, the things on both sides by name."""
    c, s = engine.state.contacts, engine.state.soft_contacts
    some, soft = _pressing(c), _pressing(s)
    a, b = ([shape_names[shape] for shape in c.shape[some, side]] for side in (0, 1))
    starts, names = [one.first for one in engine.model.soft], [one.name for one in engine.model.soft]

    def thing(mover: int) -> str:
        return names[bisect_right(starts, mover) - 1]

    sides = zip(s.shape[soft], s.mover[soft, 0], strict=True)
    a += [shape_names[shape] if shape >= 0 else thing(mover) for shape, mover in sides]
    b += [thing(mover) for mover in s.mover[soft, 3]]
    return ContactList(a, b, *(np.concatenate([getattr(c, field)[some], getattr(s, field)[soft]])
                               for field in ("position", "normal", "force")))


def _pressing(contacts) -> np.ndarray:
    """Numbers of those that bear a force."""
    n = min(int(contacts.count[0]), len(contacts.separation))
    return np.flatnonzero(contacts.force[:n].any(axis=1))
