"""One engine in a process of its own: reads jobs as lines of JSON, runs them, answers in lines of JSON."""

import gc
import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_warm: set[tuple] = set()
SAMPLE = 0.02
"""Time [s] between two looks at the rope, outside the clock."""


def measure(module, case_name: str, links: int, setting: dict) -> dict:
    """Run a case to its end: tip error, largest gap [of a link], processor time [s]; or how it failed."""
    from benchmarks.rope_cases import CASES, give, tip_error

    case = CASES[case_name]
    if (case_name, setting.get("kind")) not in _warm:
        _warm.add((case_name, setting.get("kind")))
        module.Rope(case, 12, **setting).run(0.1)  # compiles what is compiled at first use
    rope = module.Rope(case, links, **setting)
    frame = setting["step"] * setting.get("substeps", 1)
    count = max(1, round(SAMPLE / frame))
    steps, spent, gap, longer, error = round(case.seconds / frame), 0.0, 0.0, 0.0, 0.0
    if abs(steps * frame - case.seconds) > 1e-9:
        raise ValueError(f"steps of {frame} s do not end at {case.seconds} s")
    gc.collect()
    gc.disable()
    for done in range(0, steps, count):
        now = min(count, steps - done)
        begin = time.process_time()
        rope.run(now * frame)
        spent += time.process_time() - begin
        if case.drag and hasattr(rope, "settle"):
            rope.settle(now * frame)
        points = rope.points()
        gap, longer = max(gap, rope.gap()), max(longer, give(case, points))
        if (done + now) * frame >= case.seconds - case.hold - 1e-9:
            error = max(error, tip_error(case, points))
        if not abs(points).max() < 1e3:
            break
    gc.enable()
    good = bool(abs(points).max() < 1e3) and error <= case.tolerance and longer <= case.give
    substeps = steps * setting.get("substeps", 1)
    return {"settings": rope.settings, "error": error, "gap": gap, "give": longer, "seconds": spent, "passes": good,
            "real_time": case.seconds / spent, "us_a_step": 1e6 * spent / substeps,
            "iterations": getattr(rope, "iterations", 0) / substeps}


def serve(name: str) -> None:
    """Until the input ends. A job is [function, arguments]; "measure" is the one above, others are the module's own."""
    answers, sys.stdout = sys.stdout, sys.stderr  # engines print
    sys.path.insert(0, str(ROOT))
    module = importlib.import_module(f"benchmarks.{name}")
    print(json.dumps({"version": module.VERSION}), file=answers, flush=True)
    for line in sys.stdin:
        call, *arguments = json.loads(line)
        try:
            answer = measure(module, *arguments) if call == "measure" else getattr(module, call)(*arguments)
        except Exception as error:
            answer = {"failed": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


class Worker:
    """The other side: a process with an engine in it; a crash fails one job and starts a new process."""

    def __init__(self, module: str, python: str = sys.executable) -> None:
        self._words = [python, str(Path(__file__)), module]
        self.version = ""
        self._start()

    def _start(self) -> None:
        one = {name: "1" for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
        self._process = subprocess.Popen(self._words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         stderr=subprocess.DEVNULL, env={**os.environ, **one})
        first = self._process.stdout.readline()
        if not first:
            raise ImportError(f"{self._words[-1]} does not start under {self._words[0]}")
        self.version = json.loads(first)["version"]

    def ask(self, *job) -> dict:
        """One job, answered or failed."""
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if line:
            return json.loads(line)
        self._process.wait()
        self._start()
        return {"failed": "the process ended"}

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait()


if __name__ == "__main__":
    serve(sys.argv[1])
