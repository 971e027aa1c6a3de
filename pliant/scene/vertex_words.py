"""How vertices are written: a box "flag[(-inf, 0, 0), (0.1, inf, 1)]", or numbers "flag[0-24,30 of 121/3f2a9c01]".

A box means whatever vertices lie in it, however fine the mesh is. Numbers mean the vertices of one mesh alone: behind "of"
stands how many that has, and behind a stroke how they lie. Both may be left out by hand.
"""

import re
import zlib
from typing import Any, NamedTuple

import numpy as np

FINENESS = 1e6
"""Of how vertices lie: so many places along each side of the box around them."""
_BETWEEN = 1.0 / np.pi  # shares of a side that people take are rational, none falls between two places


class Listed(NamedTuple):
    """What the words of a place by number say."""

    numbers: list[int]
    among: int | None
    """How many vertices the mesh had when they were chosen."""
    layout: str | None
    """How they lay."""


class Misread(ValueError):
    """Words that say no vertices; its text says what is wrong with the whole place, which stands in front of it."""


def soft_and_words(name: Any) -> tuple[str, str] | None:
    """The thing and the words between the brackets of a place like "flag[0-24]"; None for other places."""
    if not isinstance(name, str) or not name.endswith("]") or "[" not in name:
        return None
    thing, _, words = name[:-1].partition("[")
    return thing, words


def spoken(name: str) -> str:
    """A place without what its numbers were counted in."""
    return re.sub(r" of [0-9]+(/[0-9a-f]{8})?\]$", "]", name)


def box_of(selector: Any) -> np.ndarray | None:
    """The lower and the upper corner (2, 3) of a selector that is a box; None of others."""
    given = np.asarray(selector)
    return given if given.shape == (2, 3) and given.dtype.kind in "iuf" and not np.isnan(given).any() else None


def words_of_box(box: np.ndarray) -> str:
    """The corners of a box, exactly."""
    return ", ".join(f"({', '.join(repr(float(c)).removesuffix('.0') for c in corner)})" for corner in box)


def box_in(thing: str, words: str) -> np.ndarray | None:
    """What `words_of_box` gave, or a person wrote; None where the words are numbers."""
    if "(" not in words:
        return None
    found = re.findall(r"[-+]?(?:inf|[0-9.]+(?:[eE][-+]?[0-9]+)?)", words)
    try:
        if len(found) == 6 and not re.sub(r"[-+0-9.eEinf,()\s]", "", words):
            return np.array([float(word) for word in found]).reshape(2, 3)
    except ValueError:  # of two points
        pass
    raise Misread(f"is no box; write the lower and the upper corner, like '{thing}[(-inf, 0, 0), (0.1, inf, 1)]'.")


def words_of_numbers(numbers: np.ndarray, rest: np.ndarray) -> str:
    """Growing numbers of the vertices `rest` (n, 3): 0-3,7 of 121/3f2a9c01."""
    ends = np.flatnonzero(np.diff(numbers) != 1)
    first, last = numbers[np.concatenate([[0], ends + 1])], numbers[np.concatenate([ends, [len(numbers) - 1]])]
    ranges = ",".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(first.tolist(), last.tolist(), strict=True))
    return f"{ranges} of {len(rest)}/{layout(rest)}"


def numbers_in(thing: str, words: str) -> Listed:
    """What `words_of_numbers` gave, or a person wrote."""
    ranges, of, mesh = words.partition(" of ")
    counted = re.fullmatch(r"\s*([0-9]{1,9})(?:/([0-9a-f]{8}))?\s*", mesh)
    if of and counted is None:
        raise Misread(f"does not say how many vertices '{thing}' had; write them behind 'of', as '{thing}[0-24,30 of 121]', or "
                      "leave that out.")
    out: list[int] = []
    for word in ranges.split(","):
        ends = re.fullmatch(r"\s*([0-9]+)(?:\s*-\s*([0-9]+))?\s*", word)
        if ends is None:
            raise Misread(f"does not say vertices; write numbers and ranges like '{thing}[0-24,30]', or the corners of a box.")
        low, high = int(ends[1]), int(ends[2] or ends[1])
        if high < low:
            raise Misread(f"has a range that runs backwards, {word.strip()}; write {ends[2]}-{ends[1]}.")
        out += range(low, high + 1) if high < 10**7 else [10**7]
    return Listed(out, int(counted[1]) if counted else None, counted[2] if counted else None)


def layout(rest: np.ndarray) -> str:
    """How vertices (n, 3) lie, in 8 hexadecimal digits: of a mesh that is only moved or stretched along its axes the same."""
    side = np.ptp(rest, axis=0)
    share = (rest - rest.min(axis=0)) / np.where(side > 0.0, side, 1.0)
    return f"{zlib.crc32(np.floor(FINENESS * share + _BETWEEN).astype('<i4').tobytes()):08x}"
