"""What a step says of itself, and what a world holds in energy."""

from typing import NamedTuple


class Energy(NamedTuple):
    """Energies [J]."""

    kinetic: float
    gravity: float
    elastic: float
    work: float
    """Done so far by motors, motions and forces from outside."""

    @property
    def total(self) -> float:
        """Kinetic + gravity + elastic [J]."""
        return self.kinetic + self.gravity + self.elastic


class Report(NamedTuple):
    """The outcome of a step; of a run, its last step with the worst figures of all."""

    time: float
    """[s]"""
    substeps: int
    """Taken by the island that needed most."""
    iterations: int
    """Sweeps over the rows, in all substeps, of the island that needed most."""
    residual: float
    """Largest change of a velocity [m/s or rad/s] in a last sweep; below 1e-6 the sweeps have converged."""
    converged: bool
    """Whether every sweep ended by that criterion and not by the limit of iterations."""
    penetration: float
    """Deepest overlap [m]."""
    stretch: float
    """Largest relative lengthening of what should not stretch [-]."""
    drift: float
    """Largest gap in a joint [m]."""
    energy: Energy
    events: tuple[str, ...]
    warnings: tuple[str, ...]
    hash: str


def worst_of(worst: dict, report: Report) -> dict:
    """The worst figures so far, and all events."""
    if not worst:
        return {f: getattr(report, f) for f in (
            "substeps", "iterations", "residual", "converged", "penetration", "stretch", "drift", "events", "warnings")}
    for field in ("substeps", "iterations", "residual", "penetration", "stretch", "drift"):
        worst[field] = max(worst[field], getattr(report, field))
    worst["converged"] &= report.converged
    worst["events"] += report.events
    worst["warnings"] += tuple(w for w in report.warnings if w not in worst["warnings"])
    return worst


def digits(code: int) -> str:
    """A hash as 16 hexadecimal digits."""
    return f"{int(code) & (2**64 - 1):016x}"
