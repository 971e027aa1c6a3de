"""Says of energy that has come from nowhere: how much, until when, around what, and the remedy.

E - W, the energy less the work that motors, motions, loads and air have done, may fall by friction and damping, and must not
rise. What it rises by from the lowest that it was at, further than a step may be off, is told, and counted anew from there.
"""

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ..couple.measure import Measures
from ..model.arena import views
from ..model.joints import DRAWS, LATCH, LIMIT_HIGH, LIMIT_LOW, SPRING
from ..model.model import State
from ..report import Energy
from ..scene.cloth import Cloth
from ..scene.rope import Rope
from ..scene.solid import Solid

if TYPE_CHECKING:
    from ..world import World

RIGID, SOFT, STORED = 1e-3, 0.05, 1e-3
"""Of the largest kinetic energy so far, without and with ropes, cloth and solids, and of the largest elastic energy [-]: the
first is what tests allow (tests/energy.py), and scenes there that nothing is wrong with gain a fifth of it at most; by BDF2 a
coarse whipping rope sways by 0.02."""
SLOP = 1e-3
"""How deep [m] contacts may sink at least; pushing out again what was deepest so far lifts a weight, and what bears more gives
back its force times how deep it lay. What starts in each other is pushed apart first."""
OVERRUN = 1e-4
"""Limits that are overrun by more [m or rad] lead back what is beyond them, which may lift it, and so do latches that draw."""
FAINT = 0.01
"""What all that moves has in energy at this speed [m/s] is not told: ten times what sweeps leave trembling."""
SUMS = 1e-10
"""Rounding, of the largest energies so far [-]."""
UNSTORED = ("position", "impulse", "compliant", "jacobi")
"""Methods whose energy sways, or is not known; worlds with such are not watched, and say by themselves what comes apart."""


class GainWatch:
    """What it counts from is the state at the start, and where something was put somewhere else the end of the next step."""

    def __init__(self, world: "World") -> None:
        model = world._engine.model
        things = [thing for thing in world._things.values() if isinstance(thing, (Rope, Cloth, Solid))]
        self._watches, self._share = not any(thing.method in UNSTORED for thing in things), SOFT if things else RIGID
        mass = float(model.bodies.mass.sum())
        self._weight, self._faint = mass * float(np.linalg.norm(model.gravity)), 0.5 * mass * FAINT**2
        self.forget()

    def forget(self) -> None:
        """Count from the state before the next step."""
        self._least, self._kinetic, self._elastic, self._sums, self._deepest = inf, 0.0, 0.0, 0.0, SLOP
        self._height, self._begun, self._parting = 0.0, False, True
        self._wound, self._worked, self._squeezed, self._falling = 0.0, 0.0, 0.0, 0.0

    def moved(self) -> None:
        """Something was put somewhere else, which is no gain."""
        self._least, self._begun, self._parting = inf, True, True

    def begin(self, world: "World") -> None:
        """Before a step."""
        if not self._begun:
            self._begun = True
            self._count(world.energy())

    def __call__(self, world: "World", energy: Energy, figures: Measures, told: bool) -> list[str]:
        """Warnings after a step that ended with this `energy` and `figures`; none where something else was `told`.

        A substep of first order reads what falls, and the work of motors and air, by half a substep too early or too late.
        """
        parting, self._parting = self._parting, self._parting and figures.penetration > SLOP
        gain, falling = self._count(energy), world.dt * abs(figures.falling)
        self._falling = falling if gain == 0.0 else self._falling
        self._deepest, self._squeezed = max(self._deepest, figures.penetration), max(self._squeezed, figures.squeezed)
        self._worked = max(self._worked, abs(figures.work))
        allowed = self._share * self._kinetic + STORED * self._elastic + self._weight * self._deepest + self._squeezed
        allowed += (0.5 * (falling + self._falling) + self._worked) / self._substeps(world) + self._faint + SUMS * self._sums
        if not (self._watches and gain > allowed):
            return []
        seen = energy.kinetic + max(energy.gravity - self._height, 0.0) + max(energy.elastic - self._wound, 0.0)
        self._lowest(energy)
        if told or parting or gain > seen or _led_back(world):
            return []
        return [f"{gain:.3g} J have come from nowhere at t = {world.time:.6g} s, around {_around(world)}: take smaller steps "
                "or more substeps, motors with bounds, or softer springs and materials"]

    @staticmethod
    def _substeps(world: "World") -> int:
        return world.soft_substeps if world._engine.soft is not None else world.substeps

    def _lowest(self, energy: Energy) -> None:
        """Count from here."""
        self._least, self._height, self._wound = energy.total - energy.work, energy.gravity, energy.elastic
        self._worked = self._squeezed = 0.0

    def _count(self, energy: Energy) -> float:
        """How far E - W is above the lowest that it was [J]."""
        now = energy.total - energy.work
        if now < self._least:
            self._lowest(energy)
        self._kinetic, self._elastic = max(self._kinetic, energy.kinetic), max(self._elastic, energy.elastic)
        self._sums = max(self._sums, sum(map(abs, energy)))
        return now - self._least


def _led_back(world: "World") -> bool:
    """Whether something was beyond its limits before the last step, or a latch draws it."""
    engine, drives = world._engine, world._engine.model.drives
    before = views(engine.before, engine.state)
    value = before.coordinates.value[drives.coordinate] - drives.rest
    over = np.where(drives.law == LIMIT_HIGH, value, np.where(drives.law == LIMIT_LOW, -value, 0.0))
    draws = (drives.law == LATCH) & ((before.drives.engaged == DRAWS) | (engine.state.drives.engaged == DRAWS))
    return bool((over > OVERRUN).any() or draws.any())


def _around(world: "World") -> str:
    """What is in the island whose bodies and springs rose most in the last step beyond the work done on them."""
    engine, islands = world._engine, world._engine.work.islands
    count = int(islands.count[0])
    rise = -engine.work.outcome.work[:count]
    for state, sign in ((engine.state, 1.0), (views(engine.before, engine.state), -1.0)):
        for label, energy in _parts(engine.model, islands.label, state):
            np.add.at(rise, label[label >= 0], sign * energy[label >= 0])
    most = int(np.argmax(rise)) if count else -1
    names = [name for name, k in world._index["body"].items() if islands.label[k] == most]
    names += [name for name, one in world._index["soft"].items() if islands.label[one.first] == most]
    names += [one.name for one in world._things.values() if isinstance(one, Rope)] if not names else []
    return f"'{names[0]}'" + (f" and {len(names) - 1} more" if len(names) > 1 else "") if names else "all that moves"


def _parts(model, label: np.ndarray, state: State) -> list[tuple[np.ndarray, np.ndarray]]:
    """(island, energy [J]) of every body, spring, and spring on a joint."""
    bodies, motion = model.bodies, state.motion
    kinetic = 0.5 * bodies.mass * (motion.velocity**2).sum(axis=1)  # of turning, about the largest of the three moments
    kinetic += 0.5 * bodies.inertia.max(axis=1) * (motion.angular_velocity**2).sum(axis=1)
    wound = np.flatnonzero(model.drives.law == SPRING)
    ends = model.joints.body[model.coordinates.joint[model.drives.coordinate[wound]]]
    return [(label, kinetic - bodies.mass * (motion.position @ np.array(model.gravity))),
            (label[model.springs.body].max(axis=1), 0.5 * model.springs.stiffness * state.springs.deflection**2),
            (label[ends].max(axis=1), 0.5 * model.drives.stiffness[wound] * state.drives.deflection[wound] ** 2)]
