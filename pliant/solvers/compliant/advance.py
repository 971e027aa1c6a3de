"""Steps of one compliant rope alone, under gravity: what the engine does around it, in one call."""

from ..._jit import entry
from ...model.bodies import Bodies, Motion, Push
from ...model.point_ropes import PointRopes, PointRopeState, PointRopeWork
from ..projection.finish import finish_projection
from ..sweep.alone import kick_alone, move_alone
from .begin import begin_compliant
from .solve import solve_compliant


@entry
def advance_compliant(ropes: PointRopes, state: PointRopeState, work: PointRopeWork, bodies: Bodies, motion: Motion,
                       push: Push, k: int, gravity: tuple, drag: float, h: float, steps: int, passes: int,
                       tolerance: float) -> int:
    """`steps` of `h` [s], each of at most `passes`, fewer once no velocity changes by more than `tolerance` [m/s].

    Returns all passes made. Writes: motion, state, work of rope k
    """
    made = 0
    for _ in range(steps):
        kick_alone(ropes, bodies, motion, push, k, gravity, drag, h)
        begin_compliant(ropes, state, work, bodies, motion, k, h)
        for _ in range(passes):
            made += 1
            if solve_compliant(ropes, state, work, bodies, motion, k, h) < tolerance:
                break
        move_alone(ropes, motion, k, h)
        finish_projection(ropes, bodies, motion, k, h)
    return made
