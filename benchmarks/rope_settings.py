"""What each engine is tried with, case by case, cheapest first: of every list the first that meets the demand is kept."""

from itertools import product

SHORT = 0.02
"""Longest step [s] of the cable's main table: about a frame; the second table lets every engine take any step."""

_COARSE = [1 / 30, 1 / 40, 0.02, 1 / 60, 1 / 80, 0.01, 0.008, 1 / 150, 0.005, 0.004, 0.003125, 0.0025, 0.002, 0.00125, 0.001]
_FINE = [0.0005, 0.00025, 0.000125]
_LONG = [0.2, 0.1, 0.05]


def _grouped(steps, longest: float) -> list[dict]:
    """pliant's: a step of the world, one call, holds as many substeps as fit `longest` [s] and divide a second."""
    rows = []
    for h in steps:
        second = round(1.0 / h)
        fitting = [d for d in range(1, second + 1) if second % d == 0 and d * h <= longest]
        rows.append({"step": h, "substeps": max(fitting, default=1)})
    return rows


def candidates(engine: str, case: str, links: int, any_step: bool = False) -> list[list[dict]]:
    """Lists of settings; within a list the cost rises, the lists are different ways of the same engine."""
    steps = [h for h in _COARSE if 1 / h == round(1 / h)]
    if case == "cable":
        steps = [*(_LONG if any_step else []), SHORT, 0.01, 0.005]
    return _OF[engine](case, links, steps)


def _own(case: str, links: int, steps: list[float]) -> list[list[dict]]:
    return [_grouped(steps, 0.1)]


def _mujoco(case: str, links: int, steps: list[float]) -> list[list[dict]]:
    if case == "stretchy":
        return [[{"kind": "springs", "step": h} for h in (0.005, 0.004, 0.002, 0.001, 0.0005, 0.00025)]]
    flex = [{"kind": "flex", "step": h, "stiff": s} for h, s in product(steps, (0.1, 0.4))]
    if links > 100:  # its cost grows as the cube
        return [flex]
    balls = [{"kind": "balls", "step": h} for h in steps]
    return [flex, balls] if case == "cable" else [flex, [{**s, "integrator": "RK4"} for s in balls]]


def _pypbd(case: str, links: int, steps: list[float]) -> list[list[dict]]:
    if case == "stretchy":
        return []
    more = steps if case == "cable" else [0.001, *_FINE]
    return [[{"kind": "direct", "step": h} for h in more]]


def _pyelastica(case: str, links: int, steps: list[float]) -> list[list[dict]]:
    scale = 50.0 / links
    if case == "stretchy":
        return [[{"step": h} for h in (0.001, 0.0005, 0.0002)]]
    if case == "swing":
        return [] if links > 100 else [[{"step": 5e-5 * scale, "stiffer": 300.0}, {"step": 2.5e-5 * scale, "stiffer": 1000.0}]]
    return [] if links > 100 else [[{"step": h * scale} for h in (2e-4, 1e-4, 5e-5)]]


_OF = {"pliant": _own, "MuJoCo": _mujoco, "pyPBD": _pypbd, "PyElastica": _pyelastica}

ENGINES = {"pliant": "rope_own", "MuJoCo": "peer_mujoco_rope", "pyPBD": "peer_pypbd_rope", "PyElastica": "peer_pyelastica_rope"}
"""Engine: its module in benchmarks/."""
