"""The benchmark `pliant bench ropes [--peers] [--figure8] [--many]`: pliant's ropes beside MuJoCo, pyPBD, PyElastica."""

import json
import os
import sys
from datetime import date
from math import inf
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OMP_NUM_THREADS", "1")

RESULTS = ROOT / "benchmarks" / "results"
PEERS = ROOT / ".venv-peers" / "bin" / "python"


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    from pliant.cli.main import Parser  # whose complaint is one sentence

    parser = Parser("pliant bench ropes", description="Time ropes at a demanded accuracy.")
    parser.add_argument("--peers", action="store_true", help="also run MuJoCo, pyPBD and PyElastica")
    parser.add_argument("--figure8", action="store_true", help="solve time against points, beside Newton and trust region")
    parser.add_argument("--many", action="store_true", help="worlds of 1, 10 and 100 ropes by each method, in 1 and 2 threads")
    parser.add_argument("--engine", action="append", help="only this engine; may be given again")
    parser.add_argument("--race", action="append", help="only this race (swing-51, cable-301 …); may be given again")
    parser.add_argument("--rounds", type=int, default=3, help="timed rounds of the settings chosen; the median counts")
    options = parser.parse_args(argv)
    if options.peers and not PEERS.exists():
        print("The peers are not installed here; `make peers` installs them.", file=sys.stderr)
        return 2
    if options.figure8:
        from benchmarks.rope_figure8 import draw

        return draw(RESULTS, PEERS)
    if options.many:
        from benchmarks.rope_many import draw as draw_many

        return draw_many(RESULTS)
    from benchmarks.rope_races import Race, races, run_race
    from benchmarks.rope_settings import ENGINES

    chosen: list[Race] = [race for race in races() if not options.race or race.name in options.race]
    if not chosen:
        print(f"There is no such race; there are: {', '.join(race.name for race in races())}.", file=sys.stderr)
        return 2
    names = [name for name in ENGINES if (options.peers or name == "pliant") and name in (options.engine or ENGINES)]
    workers = _workers(names)
    results = []
    for race in chosen:
        results.append(run_race(race, workers, options.rounds))
        print(_table(results[-1]))
    own = _own_figures(workers["pliant"]) if "pliant" in workers and not options.race else {}
    goals = _goals(results, own)
    print(goals)
    whole = options.peers and not options.race and not options.engine
    _save(results, own, goals, {name: worker.version for name, worker in workers.items()}, whole)
    for worker in workers.values():
        worker.close()
    return 0


def _workers(names: list[str]) -> dict:
    from benchmarks.rope_settings import ENGINES
    from benchmarks.rope_worker import Worker

    workers = {}
    for name in names:
        python = sys.executable if name == "pliant" else str(PEERS)
        try:
            workers[name] = Worker(ENGINES[name], python)
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return workers


def _own_figures(worker) -> dict:
    """What only pliant has: Newton step against links, a laden rope, one PBD solve of 300 points, the scene `tow`."""
    import numpy as np

    links = (50, 100, 300, 1000, 3000, 10_000)
    worker.ask("newton_step", 20)  # compiles
    steps = [worker.ask("newton_step", n) for n in links]
    figures = {"newton": steps, "tow": worker.ask("tow"), "laden": worker.ask("laden"),
               "position": worker.ask("solve", "position", 300)}
    good = [s for s in steps if "us_a_link" in s]
    if len(good) > 2:
        times = [s["us_a_link"] * s["links"] for s in good]
        figures["slope"] = float(np.polyfit(np.log([s["links"] for s in good]), np.log(times), 1)[0])
    return figures


def _goals(results: list[dict], own: dict) -> str:
    """Every goal beside what was measured, as markdown."""
    best = {result["name"]: next((r for r in result["rows"] if r["engine"] == "pliant"), None) for result in results}
    lines = ["| goal | measured | met |", "|---|---|---|"]

    def line(goal: str, row: dict | None, key: str, limit: float, least: bool, scale: float = 1.0) -> None:
        if row is None or key not in row:
            lines.append(f"| {goal} | {(row or {}).get('failed', 'not run')} | - |")
            return
        value = scale * row[key]
        met = (value >= limit if least else value <= limit) and row.get("passes", True)
        more = "" if row.get("passes", True) else f" (tip off by {100 * row['error']:.2g} %, {100 * row['give']:.2g} % longer)"
        lines.append(f"| {goal} | {value:.3g}{more} | {'yes' if met else '**no**'} |")

    for name, points, times in (("swing-51", 51, 100), ("swing-301", 301, 15)):
        line(f"swing, inextensible, {points} points, ≤ 1 %: ≥ {times} × real time", best.get(name), "real_time", times, True)
    line("swing, extensible, ≤ 1 %: ≥ 30 × real time", best.get("stretchy"), "real_time", 30, True)
    for name, points, times in (("cable-51", 51, 400), ("cable-301", 301, 60)):
        line(f"cable settles within 0.1 %, {points} points: ≥ {times} × real time", best.get(name), "real_time", times, True)
    line("heavy cantilever, 51 points: tip off by ≤ 5e-4 L", best.get("cable-51"), "error", 5e-4, False)
    for name in ("swing-51", "swing-301", "cable-51", "cable-301"):
        line(f"largest gap in {name} over the element's length ≤ 1e-6", best.get(name), "gap", 1e-6, False)
    if own:
        parts = [f"{row['us_a_link']:.2f} at {row['links']}" for row in own["newton"] if "us_a_link" in row]
        most, slope = max((row.get("us_a_link", inf) for row in own["newton"]), default=inf), own.get("slope", inf)
        lines.append(f"| direct Newton step ≤ 0.4 µs a link, at so many links | {', '.join(parts) or 'not run'} | "
                     f"{'yes' if most <= 0.4 else '**no**'} |")
        lines.append(f"| how a Newton step grows with the links, exponent ≤ 1.05 | {slope:.2f} | "
                     f"{'yes' if slope <= 1.05 else '**no**'} |")
        longer = f", after which it is {100 * own['position']['give']:.0f} % too long" if "give" in own["position"] else ""
        line(f"figure 8: 300 points, one PBD solve of 20 passes [ms] ≤ 1{longer}", own["position"], "seconds", 1.0, False, 1e3)
        line("1,000 elements hold 1,000 times their weight, one step [ms] ≤ 4", own["laden"], "seconds", 4.0, False, 1e3)
        line("`tow`, headless: ≥ 20 × real time", own["tow"], "real_time", 20, True)
    return "\n".join(lines) + "\n"


def _table(result: dict) -> str:
    """One race as markdown."""
    lines = [f"### {result['name']}", "", f"{result['demand']}.", "",
             "| engine | × real time | from-to | pliant / this | passes | tip error [% L] | at 1/2, 1/4 of the step | "
             "largest gap [of a link] | longer by [%] | µs a step | points | settings |", "|" + "---|" * 12]
    for row in result["rows"]:
        if "failed" in row:
            lines.append(f"| {row['engine']} | - | - | - | **no** | - | - | - | - | - | - | {row['failed']} |")
            continue
        low, high = row["spread"]
        ratio = f"{row['pliant_over_this']:.2f}" if row.get("pliant_over_this") else "-"
        soft = result["case"] == "stretchy"  # there elements change by design
        finer = ", ".join("-" if error is None else f"{100 * error:.3g}" for error in row.get("finer", [])) or "-"
        gap = "-" if soft else f"{row['gap']:.1e}"
        longer = "-" if soft else f"{100 * row['give']:.2g}"
        lines.append(
            f"| {row['engine']} | {row['real_time']:.3g} | {low:.3g}-{high:.3g} | {ratio} | "
            f"{'yes' if row['passes'] else '**no**'} | {100 * row['error']:.3g} | {finer} | {gap} | {longer} | "
            f"{row['us_a_step']:.0f} | {row['links'] + 1} | {row['settings']} |")
    return "\n".join(lines) + "\n"


def _machine(versions: dict[str, str]) -> str:
    """Processor, cores and versions, in a sentence."""
    from benchmarks.pages import processor

    engines = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"{processor()}; {engines}. Measured on {date.today()}."


def _save(results: list[dict], own: dict, goals: str, versions: dict[str, str], whole: bool) -> None:
    """JSON always; the kept markdown table only from a whole run beside the peers."""
    RESULTS.mkdir(exist_ok=True)
    machine = _machine(versions)
    (RESULTS / "ropes.json").write_text(json.dumps({"machine": machine, "races": results, "own": own}, indent=1))
    if not whole:
        return
    text = ["# Ropes: pliant beside its peers", "", machine, "",
            "One thread each, every engine in a process of its own, in turns; processor time of stepping alone; the median of "
            "the rounds, beside it the slowest and fastest. Each engine has the cheapest setting found that meets the demand, "
            "also at half and a quarter of its step, lest it did by luck (its step, its solver, where the race leaves it open "
            "its number of points); where none did, the most accurate is shown with **no**. Tips and gaps are computed from "
            "positions, by no engine's own account. PyElastica's stretching law is not linear: on its own law it converges.",
            "", goals]
    text += [_table(result) for result in results]
    (RESULTS / "ropes.md").write_text("\n".join(text))


if __name__ == "__main__":
    sys.exit(main())
