"""Trees of joints: which joints make trees, in which order they are eliminated, and which close loops."""

from .draft import Draft


def order_joints(into: Draft) -> None:
    """Reorder the draft's joints outermost first, mark their outer bodies, and the part of each body in its tree.

    A breadth-first walk starts from everything that does not move, then from the lowest body not yet reached: joints
    met on the way are tree joints, the rest close loops. Reversed, the walk is the order of elimination.
    """
    rows, bodies = into.joints.rows, into.bodies.rows
    for row in bodies:
        row["tree"] = -1
    at: dict[int, list[int]] = {}
    for j, row in enumerate(rows):
        for body in row["body"]:
            at.setdefault(body, []).append(j)
    walk: list[int] = []
    outer = dict.fromkeys(range(len(rows)), -1)
    reached: set[int] = set()
    immovable = {b for b in at if not bodies[b].get("inverse_mass", 0.0)}
    for start in [*sorted(immovable), *sorted(at, key=lambda b: (-len(at[b]), b))]:
        if start in reached:
            continue
        reached.add(start)
        if start not in immovable:
            bodies[start]["tree"] = 1
        queue = [start]
        while queue:
            inner = queue.pop(0)
            for j in at[inner]:
                a, b = rows[j]["body"]
                beyond = b if a == inner else a
                if outer[j] >= 0 or beyond in reached or beyond in immovable:
                    continue
                reached.add(beyond)
                walk.append(j)
                outer[j] = 1 if beyond == b else 0
                bodies[beyond]["tree"] = 0
                queue.append(beyond)
    loops = [j for j in range(len(rows)) if outer[j] < 0]
    order = [*reversed(walk), *loops]
    for j, row in enumerate(rows):
        row["outer"] = outer[j]
    _renumber(into, order)


def _renumber(into: Draft, order: list[int]) -> None:
    new = {old: k for k, old in enumerate(order)}
    into.joints.rows = [into.joints.rows[old] for old in order]
    for row in into.coordinates.rows:
        row["joint"] = new[row["joint"]]
    into.index["joint"] = {name: new[j] for name, j in into.index["joint"].items()}
