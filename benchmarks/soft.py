"""The benchmark `pliant bench soft [--figures]`: local step, one iteration, attachments; figures 5 and 6 of paper D."""

import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "tests" / "soft")]
os.environ.setdefault("OMP_NUM_THREADS", "1")

from soft_frames import frames  # noqa: E402  (beside this file)

from benchmarks.pages import machine, table  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results"
H = 1.0 / 60.0
GOALS = ("local step of 30,000 cells 1.5 ms", "one iteration 5 ms, then 2.5 ms", "cloth 50 x 50 16 ms a frame, then 13 ms")
ATTACHED = ("What is attached while it runs is kept beside the constant factor in Schur form: one more column of the inverse "
            "each, once. To compare with a fresh factor of all, which it must be faster than; a solve follows either.")


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    from pliant.cli.main import Parser  # whose complaint is one sentence

    parser = Parser("pliant bench soft", description="Time the solvers of cloth and solids.")
    parser.add_argument("--figures", action="store_true", help="the paper's figures 5 and 6, drawn, and nothing else")
    parser.add_argument("--rounds", type=int, default=40, help="timed rounds; the median counts")
    options = parser.parse_args(argv)
    RESULTS.mkdir(exist_ok=True)
    if options.figures:
        from soft_twist import figures

        return figures(RESULTS)
    return speeds(options.rounds)


def speeds(rounds: int) -> int:
    """One local step and one iteration of each size; what two threads gain; attachments."""
    rows = [row for name, make in _sizes().items() for row in _time_size(name, make, rounds)]
    rows_threads = [row for name, make in _sizes().items() for row in _time_threads(name, make, rounds)]
    rows_attached, rows_frames = _time_attachments(), frames()
    text = ["# Soft things: one iteration", "", machine(), "",
            "Median of the rounds and the fastest; processor time, one thread. h = 1/60 s, vertices at random velocities of "
            "1 m/s. The local step projects singular values and volumes (cells) or singular values, areas and angles "
            "(cloth), and adds the pushes up at the vertices. Goals: "
            + "; ".join(GOALS) + ".", "", table(rows), "", "## Two threads", "",
            "Fastest wall-clock times, one thread and two in turn; above 1: two are faster, if nothing else runs. A solve "
            "keeps the interpreter's lock until it ends, so that x beside y and z takes turns, and is not used; the moments "
            "of bent cloth are solved for while another thread projects. Here the local step "
            "is timed after one iteration, above after three: what differs is how many cells are narrow or inverted and have "
            "to be decomposed, not the clock.", "",
            table(rows_threads), "",
            "## Attachments beside the factor", "", ATTACHED, "",
            table(rows_attached), "", "## Whole frames", "",
            "Worlds of 1/60 s a step, after a second: finding contacts, solving, measuring; median, fastest and slowest of 60 "
            "frames, processor time beside the clock's. Substeps and iterations are of the soft thing that took most in a "
            "frame: ten iterations in a substep, up to 40 where ten leave too much open. In the last columns the first second, "
            "in which things fall into place: processor ms, median and slowest.", "",
            table(rows_frames), ""]
    print("\n".join(text))
    (RESULTS / "soft.md").write_text("\n".join(text), encoding="utf-8")
    everything = {"sizes": rows, "threads": rows_threads, "attachments": rows_attached, "frames": rows_frames}
    (RESULTS / "soft.json").write_text(json.dumps(everything, indent=1))
    return 0


def _sizes() -> dict:
    from bars import bar, sheet

    from pliant.solvers.soft.mesh import cloth_model, solid_model

    return {
        "bar 375 x 4 x 4": lambda: solid_model(*bar((375, 4, 4), (37.5, 0.4, 0.4)), 1000.0, 1e6, 0.3),
        "block 20 x 20 x 15": lambda: solid_model(*bar((20, 20, 15), (1.0, 1.0, 0.75)), 1000.0, 1e6, 0.3),
        "the same, strain 0.95 to 1.05": lambda: solid_model(
            *bar((20, 20, 15), (1.0, 1.0, 0.75)), 1000.0, 1e6, 0.3, strain=(0.95, 1.05)),
        "cloth 99 x 99": lambda: cloth_model(*sheet(99, 99, (1.0, 1.0)), 300.0, 1e5, 0.3, 1e-3),
    }


def _time_size(name: str, make, rounds: int) -> list[dict]:
    """One thread."""
    import numpy as np

    from pliant.solvers.projective.block import Projective
    from pliant.solvers.quasi_newton.block import QuasiNewton
    from pliant.solvers.soft.mesh import counts

    model = make()
    rest = model.vertices.rest
    elements = sum(counts(e)[0] for e in (model.cells, model.triangles, model.bends))
    speed = np.random.default_rng(0).normal(size=rest.shape)
    block, other = (method(model, rest.copy(), speed.copy()) for method in (Projective, QuasiNewton))
    start = time.process_time()
    block.begin(H)
    factor = time.process_time() - start
    other.begin(H)
    for _ in range(3):
        block.iterate()
    right = block.work.right.copy()
    print(f"{name} timed", file=sys.stderr)
    return [{"thing": name, "dof": 3 * len(rest), "constraints": elements, "factor ms": f"{1e3 * factor:.0f}",
             "local ms": _median(block.project, rounds), "solve ms": _median(lambda: block.factor.solve(right), rounds),
             "local/global iteration ms": _median(block.iterate, rounds),
             "quasi-newton iteration ms": _median(other.iterate, rounds)}]


def _time_threads(name: str, make, rounds: int) -> list[dict]:
    """One thread and two, in turn: local step, a whole iteration, and x beside y and z in the solve."""
    import numpy as np

    from pliant.math.sparse_cholesky import SparseCholesky
    from pliant.solvers.projective.block import Projective

    model = make()
    rest = model.vertices.rest
    speed = np.random.default_rng(0).normal(size=rest.shape)
    with ThreadPoolExecutor(2) as pool:
        one, two = (Projective(model, rest.copy(), speed.copy(), pool=some) for some in (None, pool))
        for block in (one, two):
            block.begin(H)
            block.iterate()
        right = one.work.right.copy()
        x, yz = np.ascontiguousarray(right[:, :1]), np.ascontiguousarray(right[:, 1:])
        factor: SparseCholesky = two.factor

        def apart() -> None:
            other = pool.submit(factor.solve, yz)
            one.factor.solve(x)
            other.result()

        pairs = {"local": (one.project, two.project), "solve, x beside y z": (lambda: one.factor.solve(right), apart),
                 "iteration": (one.iterate, two.iterate)}
        row = {"thing": name}
        for what, both in pairs.items():
            least = [min(times) for times in zip(*((_once(both[0]), _once(both[1])) for _ in range(rounds)), strict=True)]
            row[what] = f"{1e3 * least[0]:.2f} / {1e3 * least[1]:.2f} ms = {least[0] / least[1]:.2f}"
    return [row]


def _once(work) -> float:
    """Wall-clock time [s]."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _time_attachments() -> list[dict]:
    """Attaching one more vertex and solving, beside the factor and with a fresh one."""
    import numpy as np
    from bars import bar

    from pliant.equations.elastic.implicit_euler import step_matrix
    from pliant.math.sparse_cholesky import SparseCholesky
    from pliant.solvers.projective.block import Projective
    from pliant.solvers.soft.mesh import solid_model

    model = solid_model(*bar((20, 20, 15), (1.0, 1.0, 0.75)), 1000.0, 1e6, 0.3)
    rest = model.vertices.rest
    block = Projective(model, rest.copy(), np.zeros_like(rest))
    block.begin(H)
    right = np.random.default_rng(0).normal(size=rest.shape)
    matrix = block.stiffness()
    rows, spare = [], iter(range(1, 4000, 61))
    for attached in (1, 10, 100):
        for vertex in range(attached):
            block.attach(60 * vertex, 1e4, rest[60 * vertex])

        def attach() -> None:
            block.attach(next(spare), 1e4, (0.0, 0.0, 0.0))

        first = _median(attach, 5)
        rows.append({"attached already": attached, "attach a new vertex ms": first,
                     "attach a known one ms": _median(lambda: block.attach(60, 1e4, (0.0, 0.0, 0.0)), 5),
                     "solve ms": _median(lambda: block.factor.solve(right), 20),
                     "fresh factor ms": _median(
                         lambda: SparseCholesky(step_matrix(matrix, model.vertices.mass, block.pins.weight, H)), 5)})
    return rows


def _median(work, rounds: int, clock=time.process_time) -> str:
    """Median and fastest time [ms]."""
    work()
    times = []
    for _ in range(rounds):
        start = clock()
        work()
        times.append(clock() - start)
    times.sort()
    return f"{1e3 * times[len(times) // 2]:.2f} ({1e3 * times[0]:.2f})"


if __name__ == "__main__":
    sys.exit(main())
