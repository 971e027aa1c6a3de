"""Each engine's settings, scene by scene: the ones tried (`--tune`) and the cheapest found that meets the demand."""

from itertools import product


def _modules(peers: bool) -> list:
    from . import own

    if not peers:
        return [own]
    from . import peer_mujoco, peer_pybullet

    return [own, peer_mujoco, peer_pybullet]


_CHOSEN: dict[tuple[str, str], dict] = {
    ("chain", "pliant"): {"substeps": 8},
    ("hinges", "pliant"): {"substeps": 8},
    ("pile", "pliant"): {"substeps": 3, "iterations": 2},
    ("scout", "pliant"): {"substeps": 1, "iterations": 2},
    ("chain", "MuJoCo"): {"substeps": 12, "integrator": "rk4"},
    ("chain", "PyBullet"): {"substeps": 4},
    ("hinges", "MuJoCo"): {"substeps": 12, "integrator": "rk4"},
    ("hinges", "PyBullet"): {"substeps": 192, "iterations": 1},
    ("pile", "MuJoCo"): {"substeps": 1, "timeconst": 0.034},
    ("pile", "PyBullet"): {"substeps": 2, "iterations": 20},
    ("scout", "MuJoCo"): {"substeps": 1},
    ("scout", "PyBullet"): {"substeps": 8, "iterations": 10},
}

_TREES = [{"substeps": n, "integrator": "rk4"} for n in (4, 6, 8, 10, 12, 16)] + [
    {"substeps": n, "integrator": i} for i, n in product(("discrete", "implicit"), (32, 128))]
_SOLVERS = (("newton", 100, 1e-8), ("newton", 5, 1e-6), ("cg", 30, 1e-6), ("cg", 10, 1e-6), ("pgs", 20, 1e-6))
_TRIED: dict[tuple[str, str], list[dict]] = {
    ("chain", "MuJoCo"): _TREES,
    ("chain", "PyBullet"): [{"substeps": n, "iterations": 10} for n in (4, 16)],
    ("hinges", "MuJoCo"): _TREES,
    ("hinges", "PyBullet"): [{"substeps": n, "iterations": 1} for n in (64, 128, 192, 256, 320, 400)],
    ("pile", "MuJoCo"): [
        {"substeps": n, "solver": s, "iterations": i, "tolerance": t, "timeconst": c}
        for n, c in ((1, 0.034), (2, 0.02), (3, 0.02), (4, 0.02), (4, 0.01))
        for s, i, t in _SOLVERS
    ] + [{"substeps": n, "integrator": "discrete"} for n in (1, 2)],
    ("pile", "PyBullet"): [{"substeps": n, "iterations": i} for n, i in product((1, 2, 3, 4), (10, 20, 30, 50))],
    ("scout", "MuJoCo"): [
        {"substeps": n, "integrator": i} for n, i in product((1, 2, 3, 4, 8), ("implicitfast", "discrete"))],
    ("scout", "PyBullet"): [{"substeps": n, "iterations": i} for n, i in product((4, 8, 16), (10, 50))],
}
_OWN = [{"substeps": "auto"}] + [{"substeps": n} for n in (1, 2, 3, 4, 6, 8, 16, 32, 64)] + [
    {"substeps": n, "iterations": i} for n, i in product((1, 2, 3, 4, 8), (2, 3, 4))]


def chosen(scene: str, peers: bool) -> list:
    """(World class, settings) of every engine; pliant first, and second as it comes."""
    modules = _modules(peers)
    rows = [(m.World, m.Settings(**_CHOSEN[scene, m.World.name])) for m in modules]
    rows.insert(1, (modules[0].World, modules[0].Settings()))
    return rows


def candidates(scene: str, peers: bool) -> list:
    """(World class, settings) of everything tried."""
    return [(m.World, m.Settings(**s)) for m in _modules(peers) for s in _TRIED.get((scene, m.World.name), _OWN)]


def versions(peers: bool) -> dict[str, str]:
    """Name to version."""
    return {m.World.name: m.VERSION for m in _modules(peers)}
