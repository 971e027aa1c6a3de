"""A state in one piece of memory: a snapshot is one copy."""

from math import prod

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
    *_, (_, dtype, shape, place) = layout(state)
    size = place + (np.dtype(dtype).itemsize * prod(shape) + 7) // 8 * 8
    buffer = np.zeros(size // 8, np.int64)
    packed = views(buffer, state)
    for group, there in zip(state, packed, strict=True):
        for array, view in zip(group, there, strict=True):
            view[...] = array
    return buffer, packed


def views(buffer: np.ndarray, state: State) -> State:
    """What a buffer holds of a state laid out as this one."""
    raw, found, k = buffer.view(np.uint8), [], 0
    for _, dtype, shape, place in layout(state):
        found.append(raw[place:place + np.dtype(dtype).itemsize * prod(shape)].view(dtype).reshape(shape))
    groups = {}
    for name, group in state._asdict().items():
        groups[name] = type(group)(*found[k:k + len(group)])
        k += len(group)
    return State(**groups)
