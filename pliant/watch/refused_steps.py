"""Steps that cannot be made of a scene that could be built: said with the things to blame, the state as it was before."""

from typing import NoReturn

import numpy as np

from ..compile.point_ropes import PointRopeIndex
from ..couple.step import Mixture
from ..pushes import clear
from ..scene.errors import Diverged, SceneError
from .tears import overdrawn, parted


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


def refuse_diverged(world, body: int, torn: tuple[str, str] | None) -> NoReturn:
    """The state is not finite from mover `body` on, or a rope is `torn`: say what is to blame."""
    when, names = world._later(), {k: n for n, k in world._index["body"].items()} | movers_of_things(world)
    culprit, reason = names.get(int(body), "world"), "has a position or velocity that is not finite"
    motion = world._engine.state.motion
    wrong = np.flatnonzero(~np.isfinite(motion.velocity.sum(1) + motion.angular_velocity.sum(1)))
    if not len(wrong) and np.isfinite(motion.position).all():
        reason = "has gained energy beyond measure; take a shorter dt, more iterations, or softer material"
    for k in wrong:
        limit = world._limits.get(names.get(int(k), ""))
        if limit is not None and limit.stiff < np.inf:  # a rope that blew up takes the bodies at its ends along
            culprit = names[int(k)]
            reason = (f"flew apart in substeps of {world.dt / world.substeps:.3g} s (by method 'impulse' it allows "
                      f"{limit.stiff:.3g} s, {limit.taut:.3g} s under the weight at its ends); take more substeps")
            break
    drawn = overdrawn(world) or torn
    _go_back(world)
    culprit, reason = drawn or (culprit, parted(world) or reason)
    raise Diverged(when, culprit, reason)


def _go_back(world) -> None:
    """To the state before the step, without what was pushed in it."""
    world._engine.go_back()
    clear(world._engine.state.push)
    world._pushing = []
