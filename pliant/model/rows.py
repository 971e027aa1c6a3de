"""Scratch of the rows: Jacobians, responses and softness, made anew in every substep."""

from typing import Annotated, NamedTuple

from .schema import Array, index, real


class Rows(NamedTuple):
    """Rows between two ports a, b. J V = n.(v_b - v_a) + arm_b.w_b - arm_a.w_a."""

    jacobian: Annotated[Array, real("n 9", "-, m, m", "n, arm_a, arm_b")]
    answer: Annotated[Array, real("n 12", "1/kg, …", "how the ports' velocities answer a unit impulse: v_a, w_a, v_b, w_b")]
    response: Annotated[Array, real("n", "1/kg or 1/(kg m2)", "J M^-1 J^T")]


class Law(NamedTuple):
    """What rows that stand alone ask for: J V + bias + gamma lambda = 0, low <= lambda <= high."""

    bias: Annotated[Array, real("n", "m/s or rad/s", "towards the goal")]
    relaxed: Annotated[Array, real("n", "m/s or rad/s", "bias without the push back of positions")]
    gamma: Annotated[Array, real("n", "1/kg", "softness")]
    low: Annotated[Array, real("n", "N s", "least impulse")]
    high: Annotated[Array, real("n", "N s", "largest impulse")]


class JointWork(NamedTuple):
    """Scratch of the rigid rows of joints, up to six each, solved together."""

    count: Annotated[Array, index("n", "rows in use")]
    bias: Annotated[Array, real("n 6", "m/s, rad/s", "push back of the drift")]
    factor: Annotated[Array, real("n 36", "-", "Cholesky factor of J M^-1 J^T, row by row")]
    missing: Annotated[Array, real("n 6", "N s, N m s", "right-hand side, then the impulses still missing")]
    lever: Annotated[Array, real("n 3", "m", "from the child's centre of mass to its anchor, world frame")]


class Start(NamedTuple):
    """Where a substep starts to move the bodies, to start again from, and how they turn when they get there."""

    position: Annotated[Array, real("b 3", "m", "")]
    quaternion: Annotated[Array, real("b 4", "-", "")]
    velocity: Annotated[Array, real("b 3", "m/s", "")]
    angular_velocity: Annotated[Array, real("b 3", "rad/s", "")]
    turned: Annotated[Array, real("b 3", "rad/s", "angular velocity at the end of the free rotation")]


class TreeWork(NamedTuple):
    """Scratch of trees of joints; 6 x 6 matrices row by row, factors in their lower halves."""

    mass: Annotated[Array, real("b 36", "kg, kg m, kg m2", "of a body with all beyond it folded in, then its factor")]
    push: Annotated[Array, real("b 6", "N s, N m s; m/s, rad/s", "impulses folded in, then the body's answer")]
    factor: Annotated[Array, real("j 36", "-", "of a joint's rows as its outer body answers")]
    outer: Annotated[Array, real("r 6", "-", "its rows on the outer body, halfway answered")]
    inner: Annotated[Array, real("r 6", "-", "its rows on the inner body, halfway answered")]


class ContactWork(NamedTuple):
    """Scratch of contacts: three rows each (normal, two tangents)."""

    friction: Annotated[Array, real("n", "-", "Coulomb coefficient of the pair")]
    restitution: Annotated[Array, real("n", "-", "of the pair")]
    gap: Annotated[Array, real("n", "m", "separation as the substeps change it")]
    impulse: Annotated[Array, real("n 3", "N s", "normal, two tangents, of this substep")]
    slip: Annotated[Array, real("n 2", "m", "creep along the tangents")]
    total: Annotated[Array, real("n 3", "N s", "normal, two tangents, summed over the step")]
    approach: Annotated[Array, real("n", "m/s", "normal speed with which the surfaces met")]
