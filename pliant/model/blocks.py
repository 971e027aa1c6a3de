"""Blocks: sets of movers solved together, seen by rows through ports alone."""

from typing import Annotated, NamedTuple

from .schema import Array, index


class Blocks(NamedTuple):
    """What each block holds. A body outside all blocks answers for itself."""

    kind: Annotated[Array, index("b", "0: a body that answers as a block, the least block there is")]
    first: Annotated[Array, index("f", "block k holds bodies first[k] to first[k + 1] of the list")]
    body: Annotated[Array, index("m", "the list")]
