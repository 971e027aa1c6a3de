"""Hands on bodies: what `world.grab` draws at one point to a place that may be moved, by rows as implicit as springs are.

A grip is three springs with dampers, along x, y and z, from the point of the body to places so far off that they keep their
directions through a step: rows as all springs have them, stable at any stiffness and step. They stand behind the scene's in
the table of springs, which is state. Where they would pull harder than the grip may, they are made softer before the step, and
where something in the step makes them pull harder still, it is taken again.
"""

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.arena import pack
from ..model.springs import Springs, SpringState
from ..scene.body import Body, Site
from ..scene.errors import SceneError, number, shown, vector
from ..scene.pose import Pose, turned
from .numbered import no_more

if TYPE_CHECKING:
    from ..world import World

STIFFNESS, STRONGEST = 900.0, 100.0
"""Of a grip, for each kilogram of all that hangs together with its body by joints, if it is not given [N/(m kg)]: it follows
within about 0.1 s; and how hard it pulls at most [N/kg]."""
STIFFEST = 1e12
"""That a grip may be [N/m]: beyond, what rounding leaves of FAR_OFF would pull by more than 0.1 N."""
AGAIN = 8
"""Times that a step is taken again with less of grips that pulled too hard: then those pull not at all in it."""
FAR_OFF = 1e3
"""Where the other ends of its springs are as a step begins [m]: what goes x aside in it is x^2 / (2 FAR_OFF) off."""
SPARE = 8
"""Grips that the table of springs has room for more, when it grows."""


class BodyGrip:
    """A point of one body, drawn to a place as by a spring and a damper that brings it there without swinging.

    A later grip on the same body takes it over. What was let go is no more: all that is asked of it is refused, until a state
    is restored in which it held.
    """

    name: str
    """Of the body or the site that it holds."""

    def __init__(self, world: "World", body: int, name: str, lever: tuple, pull: tuple[float, float, float], row: int) -> None:
        """pull: stiffness [N/m], damping [N s/m], largest force [N]; row: of its first spring."""
        self._world, self._body, self.name, self._lever, self._pull, self._row = world, body, name, lever, pull, row
        self._target = self._motion()[0]

    @property
    def target(self) -> np.ndarray:
        """Where its point is drawn to [m] (3,), world frame; assigning moves it."""
        return self._held._target.copy()

    @target.setter
    def target(self, value) -> None:
        self._held._target = np.array(vector(self._world, "the target of a grip", value))

    @property
    def force(self) -> np.ndarray:
        """On what it holds, mean over the last step [N] (3,), world frame."""
        return self._world._engine.state.springs.effort[self._held._rows].copy()

    def release(self) -> None:
        """Let go."""
        self._held._set((0, 0), 0.0, 0.0, np.zeros(3))
        for array in self._world._engine.state.springs:
            array[self._rows] = 0.0
        del self._world._body_grips[self._body]

    def _draw(self, share: float) -> None:
        """Before a step: draw to the target, as if it might pull with this share of what it may, 0: not at all. Writes:
        state.sprung, .clock.work

        A spring w^2 m, damped by 2 w m, that is drawn out x: what lies further off is drawn as fast as it can stop there, v.
        """
        (place, speed), (k, c, most), h = self._motion(), self._pull, self._world.dt
        if share == 0.0:
            return self._set((0, 0), 0.0, 0.0, np.zeros(3))
        way, mass, most = self._target - place, 0.25 * c * c / k, share * most
        x = float(np.linalg.norm(way))
        w = softened((k / mass) ** 0.5, mass, most, x, float(way @ speed) / max(x, 1e-300), float(speed @ speed),
                     (h / self._world.substeps, h))
        return self._set((0, self._body), mass * w * w, 2.0 * mass * w, way * (drawn(w, most / mass, x, h) / max(x, 1e-300)))

    @property
    def _share(self) -> float:
        """Of what it may pull with at most, what it pulled with in the last step [-]."""
        return float(np.linalg.norm(self._world._engine.state.springs.effort[self._rows])) / self._pull[2]

    def _as_plain(self) -> dict[str, Any]:
        """As a file has it."""
        return {"body": self._body, "name": self.name, "lever": self._lever, "pull": self._pull, "row": self._row,
                "target": self._target.tolist(), "number": self._world._hands.number(self)}

    @property
    def _rows(self) -> slice:
        return slice(self._row, self._row + 3)

    @property
    def _held(self) -> "BodyGrip":
        """Itself, if it holds."""
        if self._world._body_grips.get(self._body) is not self:
            raise no_more(self.name)
        return self

    def _motion(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the point is [m], and its velocity [m/s] (3,), world frame."""
        motion, k = self._world._engine.state.motion, self._body
        arm = np.array(turned(tuple(motion.quaternion[k].tolist()), self._lever))
        return motion.position[k] + arm, motion.velocity[k] + np.cross(motion.angular_velocity[k], arm)

    def _set(self, bodies: tuple[int, int], stiffness: float, damping: float, way: np.ndarray) -> None:
        """Springs between these bodies, as stiff and damped, drawn out `way` [m] (3,); what that stores more is work of the
        hand."""
        state, rows = self._world._engine.state, self._rows
        table = state.sprung
        stored = float(table.stiffness[rows] @ state.springs.deflection[rows] ** 2)
        state.clock.work[0] += 0.5 * (stiffness * float(way @ way) - stored)
        table.body[rows], table.stiffness[rows], table.damping[rows] = bodies, stiffness, damping
        table.anchor_a[rows], table.rest_length[rows] = self._motion()[0] - FAR_OFF * np.eye(3), FAR_OFF + way
        table.anchor_b[rows] = self._lever


def step_drawn(world: "World") -> None:
    """A step with what its grips draw; again, from its start, with less of those that pulled harder than they may.

    What gives way to a force gives less of it by half the power of the share at least: so far is the share cut.
    """
    engine, shares = world._engine, dict.fromkeys(world._body_grips.values(), 1.0)
    start = pack(engine.state) if shares else None
    for again in count():
        for grip, share in shares.items():
            grip._draw(share)
        engine.step(world.dt, world.substeps, world.iterations)
        hard = {grip: grip._share for grip in shares if grip._share > 1.0}
        if not hard or start is None:
            break
        engine.begin_again(start)
        shares |= {grip: shares[grip] / share**2 if again < AGAIN else 0.0 for grip, share in hard.items()}
    for grip, share in shares.items():
        if share == 0.0:
            world._happenings.note(f"the grip on '{grip.name}' let go for one step, in which no softer pull kept to its bound")


def drawn(w: float, most: float, x: float, h: float) -> float:
    """How far off the place is that a spring of frequency `w` [1/s] is drawn to in a step `h`, if that of its grip is `x` off:
    so far that it goes at v, of which half of `most` [m/s^2] stops it from where the step ends, v^2 = (x - h v) most."""
    slow = 0.5 * h * most
    return min(x, x * most / (slow + (slow * slow + x * most) ** 0.5) * (2.0 / w + h))


def softened(w: float, mass: float, most: float, x: float, along: float, square: float, times: tuple[float, float]) -> float:
    """The frequency [1/s], at most `w`, with which implicit Euler in one step of each of the `times` [s], first and whole,
    pulls `mass` no harder than `most` [N]: its place is `x` [m] off, to which it goes `along` [m/s]; v^2 is `square`.
    """
    a = most / mass

    def holds(w: float) -> bool:
        s = w * w * drawn(w, a, x, times[1])
        return all(s * s - 2.0 * s * (d := w * (2.0 + t * w)) * along + d * d * square <= (a * (1.0 + t * w) ** 2) ** 2
                   for t in times)

    if holds(w):
        return w
    low = 0.5 * w
    while low > 1e-300 and not holds(low):
        low *= 0.5
    high = 2.0 * low
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def grab_body(world: "World", name: str, at, stiffness, max_force) -> BodyGrip:
    """A grip on the body `name`, at the point `at` [m] or its centre of mass."""
    thing = world._things.get(name)
    if not isinstance(thing, (Body, Site)):
        links = [one for one in world._index["body"] if one.startswith(f"{name}/")]
        raise SceneError(f"World: {shown(name)} cannot be grabbed; name " + (f"one of its links, as '{links[0]}'." if links else
                         "a body, or vertices of a cloth or a solid."))
    place, state, bodies = world._places[name], world._engine.state, world._engine.model.bodies
    k = place.body
    if bodies.mass[k] == 0.0:
        raise SceneError(f"World: '{name}' is fixed or driven, and follows no grip; grab a body that is free.")
    lever = (0.0, 0.0, 0.0) if isinstance(thing, Body) else place.frame.position
    if at is not None:
        pose = Pose(tuple(state.motion.position[k].tolist()), tuple(state.motion.quaternion[k].tolist()))
        lever = pose.local(vector(world, "at", at))
    mass = _mass_with(k, bodies.mass, world._engine.model.joints.body)
    n = STIFFNESS * mass if stiffness is None else number(world, "stiffness", stiffness, "N/m", above=0.0, most=STIFFEST)
    most = STRONGEST * mass if max_force is None else number(world, "max_force", max_force, "N", above=0.0)
    if k in world._body_grips:
        world._body_grips[k].release()
    world._body_grips[k] = grip = BodyGrip(world, k, name, lever, (n, 2.0 * (n * mass) ** 0.5, most), _free_row(world))
    world._hands.know(grip)
    return grip


def _mass_with(k: int, mass: np.ndarray, joined: np.ndarray) -> float:
    """Of body `k` and all that hangs on it by joints between bodies that move [kg]."""
    joined = joined[(mass[joined] > 0.0).all(axis=1)]
    with_it = np.arange(len(mass)) == k
    while (more := joined[with_it[joined].any(axis=1)]).size and not with_it[more].all():
        with_it[more] = True
    return float(mass[with_it].sum())


def take_over(world: "World", grips: list[dict[str, Any]]) -> None:
    """Know of the grips that `_as_plain` told, whose springs are in the state, and of no others; handles go on."""
    held = dict(world._body_grips)
    world._body_grips.clear()
    for one in grips:
        grip = BodyGrip(world, one["body"], one["name"], tuple(one["lever"]), tuple(one["pull"]), one["row"])
        grip._target = np.array(one["target"])
        world._body_grips[grip._body] = world._hands.follow(grip, one.get("number"), held.get(grip._body))


def _free_row(world: "World") -> int:
    """The first of three springs that no grip has; the table grows where there are none."""
    state = world._engine.state
    first, taken = len(world._engine.model.springs.stiffness), {grip._row for grip in world._body_grips.values()}
    row = next(k for k in range(first, first + 3 * len(taken) + 3, 3) if k not in taken)
    if row + 3 > len(state.sprung.stiffness):
        world._engine.adopt(state._replace(sprung=Springs(*map(_grown, state.sprung)),
                                           springs=SpringState(*map(_grown, state.springs))))
    return row


def _grown(array: np.ndarray) -> np.ndarray:
    """With rows for SPARE grips more: of springs between the world and itself, which are none."""
    return np.concatenate([array, np.zeros((3 * SPARE, *array.shape[1:]), array.dtype)])
