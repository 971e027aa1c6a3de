"""A state in one piece of memory: a snapshot is one copy."""

import numpy as np

from .model import State


def layout(state: State) -> list[tuple[str, str, tuple[int, ...], int]]:
    """Name, type, shape and place of every array, in order, each on a multiple of eight bytes."""
    rows, place = [], 0
    for group_name, group in state._asdict().items():
        for name, array in group._asdict().items():
            rows.append((f"{group_name}.{name}", array.dtype.str, array.shape, place))
            place += (array.nbytes + 7) // 8 * 8
    return rows


def pack(state: State) -> tuple[np.ndarray, State]:
    """One buffer of int64 words, and the same state as views of it."""
    rows = layout(state)
    arrays = [array for group in state for array in group]
    size = rows[-1][3] + (arrays[-1].nbytes + 7) // 8 * 8
    buffer = np.zeros(size // 8, np.int64)
    raw = buffer.view(np.uint8)
    views = []
    for (_, dtype, shape, place), array in zip(rows, arrays, strict=True):
        view = raw[place:place + array.nbytes].view(dtype).reshape(shape)
        view[...] = array
        views.append(view)
    groups, k = {}, 0
    for name, group in state._asdict().items():
        groups[name] = type(group)(*views[k:k + len(group)])
        k += len(group)
    return buffer, State(**groups)
