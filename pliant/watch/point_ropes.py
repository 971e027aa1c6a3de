"""Warnings of ropes of points and elements that came apart, or are pulled harder than their substeps allow."""

from math import ceil, sqrt

import numpy as np

from .._jit import foresee
from ..compile.point_ropes import PointRopeIndex
from ..model.point_ropes import RopeAlarm
from ..model.schema import allocate

TORN = 0.01
"""Lengthening of what should not stretch beyond which a rope is said to be torn [-]."""
SAFE = 0.9
"""Of the longest substep that a pull allows, what is advised [-]."""
UNSETTLED = 0.1
"""[m/s] what a substep leaves undone beyond this is said."""
WHOLE = 0.5
"""Of what raises a warning, what ends it [-]."""


class RopeWatch:
    """Says once, with time and place, what goes wrong, and goes on saying so until it is over."""

    def __init__(self, scene, ropes: dict) -> None:
        """`ropes`: where the ropes of a scene lie in the arrays, by their names."""
        found = {rope.number: (scene[name], rope) for name, rope in ropes.items() if isinstance(rope, PointRopeIndex)}
        self._ropes = [found[k] for k in range(len(found))]
        self._alarm = allocate(RopeAlarm, len(ropes))
        self._said: dict[tuple[int, str], str] = {}
        if self._ropes:
            from ..couple.watch import watch_ropes

            foresee(watch_ropes)

    def __call__(self, engine, time: float, dt: float, substeps: int) -> tuple[str, ...]:
        """Warnings after a step of `dt` [s] that ended at `time` [s]."""
        if not self._ropes:
            return ()
        from ..couple.watch import watch_ropes

        model, h = engine.model, dt / substeps
        watch_ropes(model.point_ropes, engine.state.point_ropes, model.bodies, engine.state.motion, self._alarm, h)
        for k, (torn, where, taut, tight) in enumerate(self._alarm.worst.tolist()):
            self._judge((k, "torn"), abs(torn) / TORN, self._torn, k, int(where), torn, time, engine)
            self._judge((k, "taut"), taut, self._taut, k, int(tight), taut, time, dt, substeps)
        self._unsettled(engine, time)
        return tuple(self._said.values())

    def _unsettled(self, engine, time: float) -> None:
        """Islands whose ropes were to be solved to the end and were not; where things touch, sweeps end early anyhow."""
        islands, outcome = engine.work.islands, engine.work.outcome
        missing: dict[int, float] = {}
        for i in np.flatnonzero(outcome.residual[:islands.count[0]] > UNSETTLED).tolist():
            if islands.first_contact[i] == islands.first_contact[i + 1]:
                for k in islands.rope[islands.first_rope[i]:islands.first_rope[i + 1]].tolist():
                    missing[k] = outcome.residual[i]
        for k, (thing, _) in enumerate(self._ropes):
            if k not in missing:
                self._said.pop((k, "unsettled"), None)
            elif thing.method != "position" and (k, "unsettled") not in self._said:
                self._said[k, "unsettled"] = (
                    f"At t = {time:.6g} s Rope '{thing.name}' by method '{thing.method}' did not settle in a step "
                    f"({missing[k]:.2g} m/s are missing): take smaller steps, or method 'direct', which solves what joints "
                    "hold at once with the rope.")

    def _judge(self, key: tuple[int, str], size: float, words, *about) -> None:
        if size > 1.0 and key not in self._said:
            self._said[key] = words(*about)
        elif size < WHOLE:
            self._said.pop(key, None)

    def _torn(self, k: int, element: int, size: float, time: float, engine) -> str:
        thing, index = self._ropes[k]
        place, ends = engine.state.motion.position, engine.model.point_ropes.carrier[k]
        length = float(np.sum(index.lengths))
        apart = float(np.linalg.norm(place[index.first + len(index.lengths)] - place[index.first]))
        remedy = {"position": "give it more passes (world.iterations) or more substeps, or take method 'direct'",
                  "impulse": "move its ends more slowly, or take more substeps"}.get(thing.method, "move its ends more slowly")
        held = (ends >= 0).all() and not engine.model.bodies.inverse_mass[ends].any()
        if held and apart > length * (1.0 + WHOLE * size) > length:
            remedy = f"its ends are held {apart:.4g} m apart and it is {length:.4g} m long: bring them nearer or let it stretch"
        return (f"At t = {time:.6g} s Rope '{thing.name}' by method '{thing.method}' is torn {_place(index, element)}: "
                f"{100.0 * abs(size):.3g} % {'longer' if size > 0.0 else 'shorter'} than it should be; {remedy}.")

    def _taut(self, k: int, element: int, size: float, time: float, dt: float, substeps: int) -> str:
        thing, index = self._ropes[k]
        return (f"At t = {time:.6g} s Rope '{thing.name}' by method '{thing.method}' is pulled {size:.3g} times as hard as "
                f"substeps of {dt / substeps:.3g} s allow, {_place(index, element)}: it may shake; take "
                f"substeps={ceil(substeps * sqrt(size) / SAFE)}.")


def _place(index, element: int) -> str:
    s = float(np.sum(index.lengths[:element]))
    return f"between its points {element} and {element + 1} ({s:.3g} m from its start)"
