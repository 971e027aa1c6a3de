"""Many ropes: a world of 1, 10 and 100 of them by each method, in one and two threads, against the clock."""

import time
from pathlib import Path

import pliant as pl

METHODS = ("direct", "impulse", "position", "compliant")
COUNTS = (1, 10, 100)
THREADS = (1, 2)
DT, SUBSTEPS, POINTS = 1 / 100, 4, 30


def herd(method: str, count: int, threads: int) -> pl.World:
    """`count` ropes of paper A's stuff, 1.5 m, 30 points, each pinned at one end with a ball of 0.2 kg at the other."""
    scene = pl.Scene()
    soft = pl.Material(density=1200.0, young=0.05e6, shear=0.1e6)
    for k in range(count):
        rope = scene.add(pl.Rope(f"rope{k}", path=[(0, k, 0), (1.5, k, 0)], points=POINTS, radius=0.015, material=soft,
                                 method=method))
        scene.pin(rope.start)
        scene.add(pl.Body(f"ball{k}", pl.Sphere(0.05), mass=0.2, position=(1.55, k, 0)))
        scene.attach(rope.end, f"ball{k}", at=(-0.05, 0, 0))
    return pl.World(scene, dt=DT, substeps=SUBSTEPS, threads=threads)


def timed(method: str, count: int, threads: int, steps: int) -> tuple[float, str, float]:
    """(Seconds a step, hash, largest stretch) of the second half of 2 `steps`, in which the ropes swing."""
    world = herd(method, count, threads)
    world.run(steps * DT)
    start = time.perf_counter()
    report = world.run(steps * DT)
    return (time.perf_counter() - start) / steps, report.hash, report.stretch


def draw(results: Path) -> int:
    """Print the table and write it; returns 1 if threads changed a bit."""
    lines = ["| method | ropes | 1 thread [ms a step] | 2 threads | times real time | stretch | one hash |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    print("\n".join(lines), flush=True)
    wrong = 0
    for method in METHODS:
        timed(method, 1, 1, 2)  # compiles
        for count in COUNTS:
            steps = max(10, 100 // count)
            (one, hash_one, stretch), (two, hash_two, _) = (timed(method, count, threads, steps) for threads in THREADS)
            wrong += hash_one != hash_two
            same = "yes" if hash_one == hash_two else "NO"
            lines.append(f"| {method} | {count} | {1e3 * one:.3g} | {1e3 * two:.3g} | {DT / min(one, two):.3g} | {stretch:.1e} "
                         f"| {same} |")
            print(lines[-1], flush=True)
    head = (f"# Many ropes\n\n`pliant bench ropes --many`: ropes of 1.5 m and {POINTS} points, let go horizontal with a ball "
            f"of 0.2 kg at the end, steps of {1e3 * DT:g} ms in {SUBSTEPS} substeps. A rope is an island: threads share them, "
            "and no bit depends on how.\n\n")
    (results / "ropes_many.md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    return 1 if wrong else 0
