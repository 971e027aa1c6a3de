"""What ropes of points and elements cannot do beside other things: said when a world is built, all reasons at once."""

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
    """Direct ropes and others that joints, springs and attachments join: one island cannot be solved both ways."""
    label = list(range(len(into.bodies.rows)))

    def find(i: int) -> int:
        while label[i] != i:
            label[i] = label[label[i]]
            i = label[i]
        return i

    ropes = into.index["rope"]
    pairs = [row["body"] for row in (*into.joints.rows, *into.springs.rows)]
    for one in into.point_ropes:
        index = ropes[one.thing.name]
        pairs += [(index.first, mover) for mover in (*index.movers, *one.carrier) if mover >= 0]
    for a, b in pairs:
        if into.bodies.rows[a]["kind"] != FIXED and into.bodies.rows[b]["kind"] != FIXED:
            label[find(a)] = find(b)
    direct = {find(rope.first): name for name, rope in ropes.items() if not isinstance(rope, PointRopeIndex)}
    return [fail(one.thing, f"by method '{one.thing.method}' it hangs together with Rope '{direct[island]}' by method "
                            "'direct'; give both 'direct', or neither.")
            for one in into.point_ropes if (island := find(ropes[one.thing.name].first)) in direct]
