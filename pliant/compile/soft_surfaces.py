"""Surfaces of cloth and solids to arrays: what of them can touch."""

from typing import Any

import numpy as np

from ..model.schema import fill
from ..model.soft_contacts import CLOSED, Surfaces
from ..scene.cloth import Cloth
from ..scene.soft import TOUCHING
from .draft import Draft


def freeze_surfaces(into: Draft) -> Surfaces:
    """Surfaces of all soft things, in the order of the things."""
    rows: dict[str, list] = {name: [] for name in Surfaces._fields}
    for word in ("first_node", "first_face", "first_edge"):
        rows[word].append(0)
    for name, index in into.index["soft"].items():
        one = into.soft[index.number]
        thing: Any = one.thing
        touches = thing.collide and thing.method in TOUCHING
        faces = index.first + (np.asarray(one.thing.faces, np.int64) if touches else np.zeros((0, 3), np.int64))
        pairs = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        sheet = isinstance(thing, Cloth)
        rows["mover"].append(index.first)
        rows["node"].append(np.unique(faces))
        rows["face"].append(faces)
        rows["edge"].append(np.unique(pairs, axis=0).reshape(-1, 2))
        rows["closed"].append(0 if sheet else CLOSED)
        rows["itself"].append(int(sheet and thing.self_contact))
        rows["offset"].append(0.5 * thing.thickness if sheet else 0.0)
        rows["friction"].append(thing.friction)
        for word, table in (("first_node", "node"), ("first_face", "face"), ("first_edge", "edge")):
            rows[word].append(rows[word][-1] + len(rows[table][-1]))
        if thing.collide and not touches and len(into.soft) + len(into.shapes.rows) > 1:
            into.warnings.append(f"{type(thing).__name__} '{name}': by method '{thing.method}' it touches nothing and passes "
                                 f"through everything; take {' or '.join(repr(word) for word in TOUCHING)}, or collide=False.")
    tables = {table: np.concatenate(rows[table]) for table in ("node", "face", "edge") if rows[table]}
    return fill(Surfaces, **(rows | tables))
