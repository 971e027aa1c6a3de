"""What every kind of picture shares: it draws all things of its kind at once, and is chosen by the thing's type."""

from functools import singledispatch
from typing import Protocol

import numpy as np
import viser

ROOT = "/stage"
"""The node everything hangs on."""


class Picture(Protocol):
    """The picture of all things of one kind; made once, then told to follow the world before every frame."""

    def __init__(self, stage: "Stage", things: list) -> None: ...

    def update(self, world, positions, quaternions) -> None:
        """Show the world as it is; positions (n, 3) [m], offset added, and quaternions (n, 4) of `world.body_names`."""


class Stage:
    """Where pictures are drawn: the page's scene and the world it shows."""

    def __init__(self, server: viser.ViserServer, world, distance: float = 5.0) -> None:
        self.scene, self.world = server.scene, world
        self.offset = np.zeros(3)
        """[m]; added to all that is drawn, so that the camera follows without fighting the hand that turns it."""
        self.cell = round_below(max(distance, 1e-3) / 4.0)
        """Side of a cell of the ground's grid [m]; it suits the distance of the camera [m]."""
        self.index = {name: i for i, name in enumerate(world.body_names)}
        """Row of a body in `world.body_poses()`."""

    def path(self, *words: object) -> str:
        """The name of a node of the page's scene."""
        return "/".join([ROOT, *(str(word).replace("/", "·") for word in words)])


def round_below(value: float) -> float:
    """The largest of …, 0.5, 1, 2, 5, 10, … that is not above a positive value."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(power * max(step for step in (1.0, 2.0, 5.0) if step * power <= value * (1.0 + 1e-9)))


@singledispatch
def picture_kind(thing) -> type[Picture] | None:
    """The picture that shows things of this type; None: not shown."""
    return None


def pictures_of(stage: Stage) -> list[Picture]:
    """All pictures of a world's scene."""
    kinds: dict[type[Picture], list] = {}
    for thing in stage.world.scene.flat():
        kind = picture_kind(thing)
        if kind is not None:
            kinds.setdefault(kind, []).append(thing)
    return [kind(stage, things) for kind, things in kinds.items()]
