"""The benchmark `pliant bench built_in`: what a step of every built-in scene takes, written to results/built_in.md."""

import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OMP_NUM_THREADS", "1")

PAGE = ROOT / "benchmarks" / "results" / "built_in.md"


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    from pliant.cli.main import Parser  # whose complaint is one sentence

    parser = Parser("pliant bench built_in", description="Time a step of every built-in scene.")
    parser.add_argument("--seconds", type=float, default=4.0, help="simulated time of each scene [s]")
    parser.add_argument("scenes", nargs="*", help="which; all if none is named, and only then the page is written")
    options = parser.parse_args(argv)
    from benchmarks.pages import machine
    from pliant.scene.files.built_in import built_in_names

    rows = ["| scene | moves | substeps | processor ms a step, median | slowest twentieth | slowest | times real time |",
            "| --- | --- | --- | --- | --- | --- | --- |"]
    for name in options.scenes or built_in_names():
        rows.append(_row(name, options.seconds))
        print(rows[-1], file=sys.stderr, flush=True)
    text = "\n".join([
        "# Built-in scenes: what a step takes", "", machine(), "",
        f"Steps of 1/60 s, one thread, processor time, {options.seconds:g} s of each scene as it comes, from its "
        "start. Times real time: simulated time over that of all steps. Written by `pliant bench built_in`.", "", *rows, ""])
    print(text)
    if not options.scenes:
        PAGE.write_text(text, encoding="utf-8")
    return 0


def _row(name: str, seconds: float) -> str:
    """One scene, timed step by step."""
    import pliant as pl

    world, times = pl.World(pl.load(name), threads=1), []
    world.step()  # loads what is compiled
    world.reset()
    while world.time < seconds:
        start = time.process_time()
        world.step()
        times.append(1e3 * (time.process_time() - start))
    times.sort()
    median, slow = times[len(times) // 2], times[int(0.95 * len(times))]
    substeps = world.soft_substeps if world._engine.model.soft else world.substeps
    real = 1e3 * world.time / sum(times)
    return f"| `{name}` | {_moving(world)} | {substeps} | {median:.2f} | {slow:.2f} | {times[-1]:.1f} | {real:.3g} |"


def _moving(world) -> str:
    """How many of what, in words."""
    import pliant as pl

    things = list(world.scene.flat())
    counts = {"bodies": sum(isinstance(thing, pl.Body) and not thing.fixed for thing in things),
              "points of ropes": sum(thing.count for thing in things if isinstance(thing, pl.Rope)),
              "vertices": sum(len(thing.rest) for thing in things if isinstance(thing, (pl.Cloth, pl.Solid)))}
    said = [f"{count} {word if count != 1 else {'bodies': 'body', 'vertices': 'vertex'}.get(word, word)}"
            for word, count in counts.items() if count]
    return ", ".join(said)
