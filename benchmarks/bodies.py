"""The benchmark `pliant bench bodies [--peers]`: three scenes, pliant beside MuJoCo and PyBullet, one table."""

import gc
import importlib.util
import json
import os
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OMP_NUM_THREADS", "1")

RESULTS = ROOT / "benchmarks" / "results"
SCENES = ("scout", "pile", "chain", "hinges")


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    from pliant.cli.main import Parser  # whose complaint is one sentence

    parser = Parser("pliant bench bodies", description="Time a step of bodies, joints, contacts.")
    parser.add_argument("--peers", action="store_true", help="also run MuJoCo and PyBullet")
    parser.add_argument("--scene", action="append", choices=SCENES, help="only this scene; may be given again")
    parser.add_argument("--rounds", type=int, default=5, help="timed rounds; the median counts")
    parser.add_argument("--tune", action="store_true", help="try every listed setting once and print the figures")
    options = parser.parse_args(argv)
    if options.peers and not _have_peers():
        python = ROOT / ".venv-peers" / "bin" / "python"
        if not python.exists() or Path(sys.prefix) == python.parent.parent:
            print("MuJoCo and PyBullet are not installed here; `make peers` installs them.", file=sys.stderr)
            return 2
        words = sys.argv[1:] if argv is None else argv
        return subprocess.call([str(python), str(Path(__file__)), *words], cwd=ROOT)
    scenes = options.scene or SCENES
    if options.tune:
        return _tune(scenes, options.peers)
    results = [run_scene(name, options.peers, options.rounds) for name in scenes]
    _save(results, options.peers and options.scene is None)
    return 0


def _have_peers() -> bool:
    return all(importlib.util.find_spec(name) for name in ("mujoco", "pybullet"))


def _case(name: str):
    """Scene, what watches it, the controls held while it runs."""
    from benchmarks import measures, scenes

    watch = {"scout": measures.Scout, "pile": measures.Pile}.get(name, measures.Chain)
    return getattr(scenes, name)(), watch, scenes.CONTROLS.get(name, {})


def _engines(name: str, peers: bool) -> list:
    """(World class, settings) of every engine for a scene."""
    from benchmarks import settings

    return settings.chosen(name, peers)


def run_scene(name: str, peers: bool, rounds: int) -> dict:
    """All engines on one scene, round about; the first round is not timed but checked."""
    scene, watch, controls = _case(name)
    engines = _engines(name, peers)
    rows = []
    for world_class, settings in engines:
        world, eye = world_class(scene, settings), watch(scene)
        found = _check(world, eye, controls)
        rows.append({"engine": world.name, "settings": str(world.settings), **found, "times": []})
        _close(world)
        print(f"{name}: {world.name} checked", file=sys.stderr)
    for count in range(rounds):
        for (world_class, settings), row in zip(engines, rows, strict=True):
            world = world_class(scene, settings)
            row["times"].append(_time(world, watch.seconds, controls))
            _close(world)
        print(f"{name}: round {count + 1} of {rounds}", file=sys.stderr)
    result = _summary(name, watch, rows)
    print(_table(result))
    return result


def _check(world, eye, controls) -> dict:
    """Run a world to its end, looked at after each step: figures, whether they pass, when it broke down."""
    from benchmarks.scenes import DT

    world.controls.update(controls)
    eye.look(0, world.state())
    for step in range(1, round(eye.seconds / DT) + 1):
        try:
            world.step()
        except FloatingPointError:
            return {"figures": {}, "passes": False, "broke_down": step * DT}
        eye.look(step, world.state())
    return {"figures": eye.figures(), "passes": eye.passes(), "broke_down": None}


def _time(world, seconds: float, controls) -> list[float]:
    """Run a world to its end, or as far as it goes: processor time [s] of each step."""
    from benchmarks.scenes import DT

    world.controls.update(controls)
    gc.collect()
    gc.disable()
    times = []
    for _ in range(round(seconds / DT)):
        start = time.process_time()
        try:
            world.step()
        except FloatingPointError:
            break
        times.append(time.process_time() - start)
    gc.enable()
    return times


def _close(world) -> None:
    if hasattr(world, "close"):
        world.close()


def _tune(scenes, peers: bool) -> int:
    """Every listed setting once: time, figures, whether it passes. The cheapest that passes belongs in settings.py."""
    from benchmarks import settings

    for name in scenes:
        scene, watch, controls = _case(name)
        for world_class, choice in settings.candidates(name, peers):
            world = world_class(scene, choice)
            found = _check(world, watch(scene), controls)
            _close(world)
            world = world_class(scene, choice)
            times = _time(world, watch.seconds, controls)
            _close(world)
            figures = ", ".join(f"{k} {v:.4g}" for k, v in found["figures"].items()) or "broke down"
            verdict = "passes" if found["passes"] else "FAILS"
            print(f"{name} | {world.name} | {world.settings} | {1e6 * sum(times) / len(times):.0f} us | {verdict} | "
                  f"{figures}", flush=True)
    return 0


def _summary(name: str, watch, rows: list[dict]) -> dict:
    """Medians over the rounds, ratios to pliant."""
    import numpy as np

    from benchmarks.scenes import DT

    for row in rows:
        times = 1e6 * np.array(row.pop("times"))
        row["us_a_step"] = float(np.median(times.mean(axis=1)))
        row["us_spread"] = [float(times.mean(axis=1).min()), float(times.mean(axis=1).max())]
        row["us_slowest"] = float(np.median(np.percentile(times, 99, axis=1)))
        row["us_last_second"] = float(np.median(times[:, -60:].mean(axis=1)))
        row["real_time"] = 1e6 * DT / row["us_a_step"]
    for row in rows:
        row["pliant_over_this"] = rows[0]["us_a_step"] / row["us_a_step"]
    return {"scene": name, "seconds": watch.seconds, "demand": watch.demand, "rows": rows}


def _table(result: dict) -> str:
    """One scene as markdown."""
    keys = list(dict.fromkeys(k for row in result["rows"] for k in row["figures"]))
    head = ["engine", "µs a step", "from-to", "slowest 1 %", "last second", "× real time", "pliant / this", "passes",
            *keys, "settings"]
    lines = [f"### {result['scene']}", "", f"{result['seconds']:g} s. Demand: {result['demand']}.", "",
             "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in result["rows"]:
        low, high = row["us_spread"]
        figures = [f"{row['figures'][k]:.3g}" if row["figures"] else "-" for k in keys]
        end = f"; broke down at {row['broke_down']:.2f} s" if row["broke_down"] else ""
        cells = [row["engine"], f"{row['us_a_step']:.0f}", f"{low:.0f}-{high:.0f}", f"{row['us_slowest']:.0f}",
                 f"{row['us_last_second']:.0f}", f"{row['real_time']:.1f}", f"{row['pliant_over_this']:.2f}",
                 "yes" if row["passes"] else "**no**", *figures, row["settings"] + end]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _machine() -> str:
    """Processor, cores and versions, in a sentence."""
    from benchmarks import settings
    from benchmarks.pages import compiled

    versions = ", ".join(f"{k} {v}" for k, v in settings.versions(_have_peers()).items())
    return f"{compiled()}; {versions}. Measured on {date.today()}."


def _save(results: list[dict], complete: bool) -> None:
    """JSON always; the kept markdown table only from a complete run beside the peers."""
    RESULTS.mkdir(exist_ok=True)
    machine = _machine()
    (RESULTS / "bodies.json").write_text(json.dumps({"machine": machine, "scenes": results}, indent=1))
    if not complete:
        return
    text = ["# Bodies: pliant beside its peers", "", machine, "",
            "One output step is 1/60 s. One thread each, all engines in one run, in turns; processor time, because the "
            "machine is shared; the median of the rounds, beside it the fastest and slowest round. Every engine is fed "
            "from the same pliant scene and has the cheapest setting found (`--tune`) that meets the demand; where "
            "none did, the best is shown with **no**; pliant also as it comes (auto). Figures are computed from poses "
            "and velocities, by no engine's own account. Nothing sleeps.", ""]
    text += [_table(result) for result in results]
    (RESULTS / "bodies.md").write_text("\n".join(text))


if __name__ == "__main__":
    sys.exit(main())
