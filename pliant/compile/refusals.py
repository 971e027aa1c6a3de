"""What ropes of points and elements cannot do beside other things: said when a world is built, all reasons at once."""

from collections.abc import Callable

from ..model.bodies import FIXED
from ..scene.errors import SceneError, fail
from .draft import Draft
from .point_ropes import PointRopeIndex


def refuse(into: Draft) -> None:
    """Raise one error with every reason there is, if there is any."""
    if into.point_ropes:
        into.refused += [*_joints(into), *_mixtures(into)]
    if len(into.refused) == 1:
        raise into.refused[0]
    if into.refused:
        raise SceneError("\n".join(map(str, into.refused)))


def _joints(into: Draft) -> list[SceneError]:
    """Joints on points, which have no axes."""
    owner = {mover: name for name, rope in into.index["rope"].items() if isinstance(rope, PointRopeIndex)
             for mover in rope.movers}
    things, found = {thing.name: thing for thing in into.scene.flat()}, []
    for name, j in into.index["joint"].items():
        found += [fail(things[name], f"it is on Rope '{owner[body]}' by method '{things[owner[body]].method}', which "
                                     "attachments and pins alone can hold; take method 'direct'.")
                  for body in into.joints.rows[j]["body"] if body in owner]
    return found


def _mixtures(into: Draft) -> list[SceneError]:
    """What cannot be solved with ropes of points in one island, and is joined to them: direct ropes, cloth and solids."""
    find, ropes = joined(into), into.index["rope"]
    others = {find(rope.first): f"Rope '{name}' by method 'direct'; give both 'direct', or neither."
              for name, rope in ropes.items() if not isinstance(rope, PointRopeIndex)}
    others |= {find(soft.first): f"{type(into.scene[name]).__name__} '{name}', and they cannot be solved together; give the "
               "rope method 'direct'." for name, soft in into.index["soft"].items()}
    return [fail(one.thing, f"by method '{one.thing.method}' it hangs together with {others[island]}")
            for one in into.point_ropes if (island := find(ropes[one.thing.name].first)) in others]


def joined(into: Draft) -> Callable[[int], int]:
    """A function that gives movers that joints, springs and attachments join one number."""
    label = list(range(len(into.bodies.rows)))

    def find(i: int) -> int:
        while label[i] != i:
            label[i] = label[label[i]]
            i = label[i]
        return i

    pairs = [row["body"] for row in (*into.joints.rows, *into.springs.rows)]
    for one in into.point_ropes:
        index = into.index["rope"][one.thing.name]
        pairs += [(index.first, mover) for mover in (*index.movers, *one.carrier) if mover >= 0]
    for soft in into.index["soft"].values():
        pairs += [(soft.first, vertex) for vertex in range(soft.first, soft.first + soft.size)]
    pairs += [row["mover"] for row in into.ties.rows]
    for a, b in pairs:
        if into.bodies.rows[a]["kind"] != FIXED and into.bodies.rows[b]["kind"] != FIXED:
            label[find(a)] = find(b)
    return find
