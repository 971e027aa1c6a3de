"""Ropes of points beside cloth and solids: what hangs on the ones must not touch the others, said before it does."""

from ..model.bodies import FIXED
from ..scene.errors import who
from .draft import Draft
from .refusals import joined


def doubt_mixtures(into: Draft) -> list[str]:
    """Of each rope of points on which a body hangs that touches, where there is a cloth or a solid that touches."""
    soft = [one.thing for one in into.soft if one.thing.collide]
    if not soft or not into.point_ropes:
        return []
    find, bodies = joined(into), into.index["body"]
    touching = {row["body"] for row in into.shapes.rows}
    found = []
    for rope in (one.thing for one in into.point_ropes):
        island = find(into.index["rope"][rope.name].first)
        hung = [name for name, k in bodies.items() if find(k) == island and k in touching
                and into.bodies.rows[k]["kind"] != FIXED]
        if hung:
            more = f" and {len(hung) - 1} more" if len(hung) > 1 else ""
            others = f" or {len(soft) - 1} more" if len(soft) > 1 else ""
            found.append(f"{who(rope)} by method '{rope.method}' holds '{hung[0]}'{more}, and should that come to touch "
                         f"{who(soft[0])}{others}, the run stops: they cannot be solved together; give '{rope.name}' method "
                         "'direct', or those that need not touch collide=False")
    return found
