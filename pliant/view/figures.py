"""The figures of the panel: time, speed, cost, energy."""

from ..substeps import in_substeps, planned, slower
from .pace import Pace

NOTHING = 1e-12
"""What is less is shown as 0 [J]: the remainders of motions that have come to rest."""
MEMORY = 0.1
"""Part that the newest duration has in the mean shown [-]."""


class Figures:
    """Means of the durations, and the table of what is shown."""

    def __init__(self) -> None:
        self._step: float | None = None
        self._draw: float | None = None

    def stepped(self, seconds: float) -> None:
        """Take note of the duration of a step [s]."""
        # The first step may compile kernels: it is no measure of the ones to come.
        self._step = seconds if self._step is None or self._step > 20.0 * seconds else _mean(self._step, seconds)

    def drawn(self, seconds: float) -> None:
        """Take note of the duration of a picture [s]."""
        self._draw = seconds if self._draw is None else _mean(self._draw, seconds)

    def table(self, world, pace: Pace, playing: bool) -> dict[str, str]:
        """Names and values, with units, as people read them."""
        energy = world.energy()
        state = "paused" if not playing else "starting" if self._step is None else f"{pace.factor:.2f} × real time"
        step = "–" if self._step is None else f"{1e3 * self._step:.2f} ms"
        return {
            "Time": f"{world.time:.2f} s",
            "Running": state,
            "Step": f"{step} for {1e3 * world.dt:.3g} ms, {in_substeps(planned(world), slower(world))}",
            "Picture": "–" if self._draw is None else f"{1e3 * self._draw:.2f} ms",
            "Kinetic energy": joules(energy.kinetic),
            "Gravity": joules(energy.gravity),
            "Elastic": joules(energy.elastic),
            "Total": joules(energy.total),
        }


def joules(value: float) -> str:
    """An energy with a unit that keeps the number short."""
    value = 0.0 if abs(value) < NOTHING else value
    for factor, unit in ((1e6, "MJ"), (1e3, "kJ")):
        if abs(value) >= 1e4 / 1e3 * factor:
            return f"{value / factor:.4g} {unit}"
    return f"{value:.4g} J" if abs(value) >= 1e-3 or value == 0.0 else f"{value:.2e} J"


def _mean(old: float, new: float) -> float:
    return old + MEMORY * (new - old)
