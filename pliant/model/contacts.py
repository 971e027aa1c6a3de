"""Points where shapes touch or may touch within the coming step; kept from step to step."""

from typing import Annotated, NamedTuple

from .schema import Array, index, key, real


class Contacts(NamedTuple):
    """A table of fixed capacity; the first `count[0]` are in use. Order: by pair of shapes, then by feature."""

    count: Annotated[Array, index("1", "contacts in use; more than the capacity means that some were left out")]
    shape: Annotated[Array, index("n 2", "the two shapes a, b")]
    feature: Annotated[Array, key("n", "which features of the two shapes touch: the same from step to step")]
    position: Annotated[Array, real("n 3", "m", "midway between the two surfaces, world frame")]
    normal: Annotated[Array, real("n 3", "-", "unit, from a to b, world frame")]
    separation: Annotated[Array, real("n", "m", "gap along the normal; negative: penetration")]
    impulse: Annotated[Array, real("n", "N s", "normal impulse of the last substep, kept to start the next one warm")]
    friction_impulse: Annotated[Array, real(
        "n 3", "N s",
        "likewise, at right angles to the normal, on b, world frame",
    )]
    slip: Annotated[Array, real("n 3", "m", "how far b has crept over a since they stick, world frame")]
    force: Annotated[Array, real("n 3", "N", "on b, mean over the last step, world frame")]
    age: Annotated[Array, index("n", "steps this contact has lived")]
    apart: Annotated[Array, real("n 3", "m", "from where a will meet b to where b will meet a, world frame; 0 if they do now")]
    until: Annotated[Array, real("n", "s", "time from the start of the step until they meet")]
