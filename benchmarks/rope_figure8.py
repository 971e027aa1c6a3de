"""Paper C's figure 8: time of a solve against the number of points, pliant's methods beside Newton and trust region."""

import json
import subprocess
import sys
from pathlib import Path

POINTS = {10: 5, 20: 5, 50: 3, 100: 2, 200: 1, 300: 1}
"""Points: solves of each rival, which take seconds."""
METHODS = {"position, 20 passes": ("position", 20), "position, 2000 passes": ("position", 2000),
           "compliant": ("compliant", 100), "direct": ("direct", 0)}


def draw(folder: Path, peers: Path) -> int:
    """Measure, print and save the table, plot it with the peers' matplotlib; returns the exit code."""
    from .rope_rivals import RIVALS, fall
    from .rope_settings import ENGINES
    from .rope_worker import Worker

    worker = Worker(ENGINES["pliant"])
    rows = []
    for name, (method, passes) in METHODS.items():
        worker.ask("solve", method, 5, 5)  # compiles
        rows += [{"method": name, "points": n, **worker.ask("solve", method, n, passes)} for n in POINTS]
        print(f"figure 8: {name} measured", file=sys.stderr)
    worker.close()
    for name, method in RIVALS.items():
        for points, solves in POINTS.items():
            rows.append({"method": name, "points": points, **fall(method, points, solves)})
            print(f"figure 8: {name}, {points} points: {rows[-1]['seconds']:.3g} s", file=sys.stderr)
    table = _table(rows)
    print(table)
    folder.mkdir(exist_ok=True)
    (folder / "figure8.json").write_text(json.dumps(rows, indent=1))
    (folder / "figure8.md").write_text(_WORDS + table)
    return _plot(folder, peers)


_WORDS = """# Figure 8: time of a solve against the number of points

A clamped cable (1 m, 0.1 kg, bending stiffness 0.1 N·m², torsional 0.5 N·m²) falls in steps of 1/60 s; a solve is one step.
Paper C's method is given 20 or 2000 passes, and ends sooner when a pass changes no velocity by more than 0.1 mm/s; so does
the compliant one, whose passes are Newton steps, as the direct rope's are; `evaluations` are passes or Newton steps. How much
too long the cable is at the end tells how far from solved a solve was: time alone flatters a method that gives up.
The rivals minimise the energy of the same step, by SciPy, to a gradient of 1e-6 of the weight; `evaluations` are gradients,
which NumPy computes in 0.2-0.5 ms each, so read the counts as well as the times. They take EA = 1000 N: with the paper's
2e8 N the combination failed at 10 and at 50 points, the trust region at 50. A solve fails when it misses its tolerance
or takes more than 20 s. Processor time, one thread.

"""


def _table(rows: list[dict]) -> str:
    """As markdown."""
    lines = ["| method | points | ms a solve | evaluations | longer by [%] | failed |", "|---|---|---|---|---|---|"]
    for row in rows:
        if "seconds" not in row:
            lines.append(f"| {row['method']} | {row['points']} | - | - | - | {row['failed']} |")
            continue
        lines.append(f"| {row['method']} | {row['points']} | {1e3 * row['seconds']:.3g} | {row['evaluations']:.0f} | "
                     f"{100 * row['give']:.2g} | {row['failed']} of {row['of']} |")
    return "\n".join(lines) + "\n"


def _plot(folder: Path, peers: Path) -> int:
    """figure8.png from figure8.json, by the environment that has matplotlib."""
    python = peers if peers.exists() else Path(sys.executable)
    done = subprocess.run([str(python), str(Path(__file__)), str(folder)], capture_output=True, text=True)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"The table and its figures are kept (figure8.md, figure8.json in {folder}), but there is no picture ({reason}): "
              "`make peers` installs matplotlib, and `.venv-peers/bin/python benchmarks/rope_figure8.py benchmarks/results` "
              "draws it from them.", file=sys.stderr)
    return 0


def picture(folder: Path) -> None:
    """The plot itself."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = [row for row in json.loads((folder / "figure8.json").read_text()) if "seconds" in row]
    figure, axes = plt.subplots(figsize=(9.5, 4.5))
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        (line,) = axes.loglog([r["points"] for r in mine], [1e3 * r["seconds"] for r in mine], "o-", label=method)
        bad = [r for r in mine if r["failed"]]
        axes.loglog([r["points"] for r in bad], [1e3 * r["seconds"] for r in bad], "x", ms=12, color=line.get_color())
    axes.axhline(100.0, color="grey", lw=0.8, ls="--")
    axes.annotate("paper C: below 100 ms up to 300 points", (60, 65), color="grey", fontsize=8)
    axes.set(xlabel="points", ylabel="time of a solve [ms]", title="One step of 1/60 s of a clamped cable (×: some failed)")
    axes.grid(True, which="both", alpha=0.25)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    figure.tight_layout()
    figure.savefig(folder / "figure8.png", dpi=150)


if __name__ == "__main__":
    picture(Path(sys.argv[1]))
