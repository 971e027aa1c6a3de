"""What the numbers of a state mean: which thing each row belongs to, and a digest of the model around them."""

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compile.point_ropes import PointRopeIndex
from ..compile.ropes import RopeIndex
from ..model.model import Model

if TYPE_CHECKING:
    from ..world import World

Meaning = dict[str, Any]

_SHAPES = "shape"
_HELD_END = "held end"  # what "rope.start" names is no thing of the scene


def meaning_of(world: "World") -> Meaning:
    """By kind, the rows of the state that belong to each thing; the controls and the shapes in order."""
    kinds = {thing.name: type(thing).__name__ for thing in world.scene.flat()}
    found: Meaning = {
        kind: {name: [_HELD_END if kind == "end" else kinds[name], _plain(rows)] for name, rows in things.items()
               if name not in world._made}
        for kind, things in world._index.items()
    }
    found["control"] = {name: ["Control", k] for k, name in enumerate(world.control)}
    found[_SHAPES] = list(world.shape_names)
    return found


def differences(saved: Meaning, here: Meaning) -> list[str]:
    """What a scene has otherwise than the saved one, in words."""
    wrong = []
    kinds = [kind for kind in {**saved, **here} if kind != _SHAPES]
    for kind in kinds:
        before, now = saved.get(kind, {}), here.get(kind, {})
        wrong += [f"{before[name][0]} '{name}' is missing" for name in before if name not in now]
        wrong += [f"{now[name][0]} '{name}' is new" for name in now if name not in before]
        both = [name for name in before if name in now]
        wrong += [f"'{name}' was a {before[name][0]} and is a {now[name][0]}" for name in both
                  if before[name][0] != now[name][0]]
    if not wrong:
        ropes, now = saved.get("rope", {}), here.get("rope", {})
        wrong += [f"'{name}' had {rows[1]} elements and has {now[name][1][1]}" for name, (_, rows) in ropes.items()
                  if rows[1] != now[name][1][1]]
    if not wrong:
        moved = [name for kind in kinds for name in saved.get(kind, {})
                 if saved[kind][name] != here[kind][name]]
        wrong += [f"the order of things, or what limits, brakes or drives joints, is another from '{name}' on"
                  for name in moved[:1]]
    return list(dict.fromkeys(wrong))


def same_shapes(saved: Meaning, here: Meaning) -> bool:
    """Whether contacts between numbered shapes still mean the same."""
    return saved[_SHAPES] == here[_SHAPES]


def model_digest(model: Model) -> str:
    """16 hexadecimal digits of all that a step reads."""
    digest = hashlib.sha256(repr((model.gravity, model.drag)).encode())
    for name, group in model._asdict().items():
        for field, array in _arrays(group, name):
            digest.update(f"{field} {array.dtype.str} {array.shape}".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def _arrays(group: Any, name: str) -> Iterator[tuple[str, np.ndarray]]:
    """All arrays of a group and of groups within it, by name."""
    if isinstance(group, np.ndarray):
        yield name, group
    elif isinstance(group, tuple):
        words = getattr(group, "_fields", range(len(group)))
        for word, one in zip(words, group, strict=True):
            yield from _arrays(one, f"{name}.{word}")


def _plain(rows: Any) -> Any:
    """Numbers as a file gives them back: lists for tuples; of a rope its first link, their number and its joints."""
    if isinstance(rows, (RopeIndex, PointRopeIndex)):
        return [rows.first, len(rows.lengths), _plain(rows.joints)]
    if isinstance(rows, dict):
        return {name: _plain(one) for name, one in rows.items()}
    return [_plain(one) for one in rows] if isinstance(rows, (list, tuple)) else rows
