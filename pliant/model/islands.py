"""Islands: what rows and contacts connect; each is solved apart from all others."""

from typing import Annotated, NamedTuple

from .schema import Array, index, real


class Islands(NamedTuple):
    """Lists of what each island holds; island k has bodies body[first_body[k]] to body[first_body[k + 1]], and so on."""

    count: Annotated[Array, index("2", "islands; those without soft things, which come first")]
    label: Annotated[Array, index("b", "island of each mover, -1 if fixed")]
    owner: Annotated[Array, index("m", "scratch: island of each thing being listed")]
    first_body: Annotated[Array, index("i", "")]
    body: Annotated[Array, index("b", "")]
    first_joint: Annotated[Array, index("i", "")]
    joint: Annotated[Array, index("j", "")]
    first_spring: Annotated[Array, index("i", "")]
    spring: Annotated[Array, index("s", "")]
    first_drive: Annotated[Array, index("i", "")]
    drive: Annotated[Array, index("d", "")]
    first_contact: Annotated[Array, index("i", "")]
    contact: Annotated[Array, index("c", "")]
    first_rope: Annotated[Array, index("i", "ropes of points and elements")]
    rope: Annotated[Array, index("r", "")]
    first_tie: Annotated[Array, index("i", "ties of vertices")]
    tie: Annotated[Array, index("t", "")]
    first_touch: Annotated[Array, index("i", "contacts of soft things")]
    touch: Annotated[Array, index("u", "")]


class Outcome(NamedTuple):
    """What the solver says of each island."""

    substeps: Annotated[Array, index("n", "taken, halved ones counted singly")]
    iterations: Annotated[Array, index("n", "sweeps in all substeps")]
    residual: Annotated[Array, real("n", "m/s or rad/s", "largest |d lambda| response of a last sweep")]
    unruly: Annotated[Array, real("n", "m/s", "what springs missed or gained and gave up, or bodies that stood, as a speed")]
    slowed: Annotated[Array, index("n", "1 where velocities in this substep are not those that rows have made")]
    drift: Annotated[Array, real("n", "m", "largest joint gap at the end")]
    work: Annotated[Array, real("n", "J", "of motors, motions and forces from outside, within this step")]
    stopped: Annotated[Array, index("n", "1 where its ropes could not be solved and it was put at rest")]
    stiff: Annotated[Array, index("n", "1 where springs on joints are too stiff for a few sweeps")]
    heavy: Annotated[Array, index("n", "1 where contacts of heavy on light bodies are solved at once")]
