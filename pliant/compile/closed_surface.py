"""Whether triangles bound a body, and if not, where and why."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def surface_fault(faces: ArrayLike) -> str:
    """Why faces (m, 3) do not bound a body, naming an edge and its faces, with the remedy; nothing where they do."""
    faces = np.asarray(faces, np.int64)
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    edge = (np.minimum(start, end) << 32) | np.maximum(start, end)
    kinds, number, count = np.unique(edge, return_inverse=True, return_counts=True)
    forward = np.bincount(number, start < end, len(kinds))
    if not len(faces):
        return "the surface is not closed: it has no faces; give triangles (m, 3)."

    def named(wrong: NDArray[np.bool_]) -> tuple[str, str]:
        first = int(np.argmax(wrong))
        owners = np.flatnonzero(number == first) // 3
        return f"{kinds[first] >> 32}-{kinds[first] & 0xFFFFFFFF}", listed(owners)

    if (count > 2).any():
        where, owners = named(count > 2)
        return (f"the surface is not a manifold: edge {where} belongs to {count[count > 2][0]} faces, {owners} "
                f"({int((count > 2).sum())} such edges): take out inner and doubled faces, or part the bodies that share it.")
    if (count == 1).any():
        where, owners = named(count == 1)
        return (f"the surface is not closed: edge {where} belongs to face {owners} alone ({int((count == 1).sum())} such "
                "edges): fill its holes, or merge vertices that lie in one place.")
    if (forward != 1).any():
        where, owners = named(forward != 1)
        return (f"the surface is turned both ways: faces {owners} run the same way along edge {where} "
                f"({int((forward != 1).sum())} such edges): exchange two corners of one of them.")
    return ""


def listed(numbers: NDArray) -> str:
    """The first eight of some numbers."""
    return ", ".join(map(str, numbers[:8].tolist())) + (" …" if len(numbers) > 8 else "")


def is_closed(faces: ArrayLike) -> bool:
    """Whether every edge of faces (m, 3) runs once each way."""
    faces = np.asarray(faces, np.int64)
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    there, back = np.sort((start << 32) | end), np.sort((end << 32) | start)
    return bool(len(there)) and bool((there == back).all()) and len(np.unique(there)) == len(there)
