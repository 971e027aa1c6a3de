"""Steps that cannot be made of a scene that could be built: said with the things to blame, the state as it was before."""

from typing import NoReturn

from .compile.point_ropes import PointRopeIndex
from .couple.step import Mixture
from .pushes import clear
from .scene.errors import SceneError


def movers_of_things(world) -> dict[int, str]:
    """The ropes that points, elements and links belong to, and the soft things that vertices do."""
    found: dict[int, str] = {}
    for name, rope in world._index["rope"].items():
        movers = rope.movers if isinstance(rope, PointRopeIndex) else range(rope.first, rope.first + len(rope.lengths))
        found |= dict.fromkeys(movers, name)
    for name, soft in world._index["soft"].items():
        found |= dict.fromkeys(range(soft.first, soft.first + soft.size), name)
    return found


def refuse_mixture(world, met: Mixture) -> NoReturn:
    """Ropes by unlike methods, or one of points and a soft thing, have come together by touching bodies."""
    names = movers_of_things(world)
    _go_back(world)
    other = names[met.link]
    remedy = f"give '{names[met.point]}' method 'direct'" + ("" if other in world._index["soft"] else ", or both another")
    raise SceneError(f"At t = {world.time:g} s what hangs on Rope '{names[met.point]}' touches what hangs on "
                     f"{type(world._things[other]).__name__} '{other}', and they cannot be solved together; {remedy}.")


def refuse_stiff(world) -> NoReturn:
    """A cloth or solid has no factor: beside its stiffness its mass is lost in rounding."""
    _go_back(world)
    names = ", ".join(f"'{name}'" for name in world._index["soft"])
    raise SceneError(f"At t = {world.time:g} s the cloth and solids cannot be solved ({names}): one of them is so stiff or has "
                     "triangles or cells so thin that its mass is lost in rounding; take a softer material, a mesh of even "
                     "shape, or a shorter dt.")


def _go_back(world) -> None:
    world._engine.go_back()
    clear(world._engine.state.push)
