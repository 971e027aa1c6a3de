"""What worlds call is compiled and loaded before they step: in several processes, with a count, and nothing in the first step.

The processes are started by hand and told names line by line: those of `multiprocessing` would run a user's program again,
unless it hides its own work behind `if __name__ == "__main__"`.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from importlib import import_module
from queue import SimpleQueue
from time import monotonic, process_time

from ._jit import ENTRIES, stages_of
from ._jit_cache import DiskCache, reached, writable

SECONDS_EACH, SECONDS_MORE = 0.5, 0.09
"""Processor time [s] that compiling takes, for the estimates: for one entry or stage, and more for every function in it."""
PATIENCE = 5.0
"""Something is said at least so often [s]."""
MOST_PROCESSES = 4
"""More wait for each other's stages, and each takes up to a gigabyte of memory."""
_KNOWN = 10.0  # [s] of work after which what was measured counts for as much as what was guessed


def make_ready() -> None:
    """Load all that worlds of this process are going to call; what is not in the cache is compiled first."""
    entries = [one for one in entries_in_use() if not one.loaded]
    if not entries:
        return
    if writable() and sys.executable:
        with suppress(OSError):  # no process to be had, or it was ended: what it left is compiled here, with a line for each
            ensure_warm(entries)
    for one in entries:
        one.compile()


def ensure_warm(entries: Iterable, processes: int | None = None) -> dict[str, float]:
    """Compile those of the entries, and of the stages they are made of, that are not in the cache.

    Returns the processor time of each [s]. Progress goes to stderr.
    """
    cold = [one for one in with_stages(entries) if not is_warm(one)]
    if not cold:
        return {}
    processes = min(processes or min(cores(), MOST_PROCESSES), len(cold))
    progress = Progress(cold, processes)
    progress.say([])
    # The workers are ended first: a thread that waits for one then hears of it.
    with ThreadPoolExecutor(processes) as pool, Workers(processes) as workers:
        return compile_in(pool, workers, cold, progress)


def compile_in(pool: ThreadPoolExecutor, workers: "Workers", cold: list, progress: "Progress") -> dict[str, float]:
    """Compile each once the stages that it is made of are in the cache, what most waits for first; the processor time of
    each [s]."""
    running: dict[Future, object] = {}
    after = seconds_after(cold)
    waiting = sorted(cold, key=lambda one: -after[id(one)])
    times: dict[str, float] = {}
    while waiting or running:
        missing = {id(one) for one in cold if name_of(one) not in times}
        ready = [one for one in waiting if not any(id(part) in missing for part in stages_in(one))]
        for one in ready[:workers.count - len(running)]:
            running[pool.submit(workers.compile, name_of(one))] = one
            waiting.remove(one)
        done, _ = wait(running, timeout=PATIENCE, return_when=FIRST_COMPLETED)
        for task in done:
            one = running.pop(task)
            times[name_of(one)] = task.result()
            progress.note(one)
        progress.say(list(running.values()))
    return times


def seconds_after(cold: list) -> dict[int, float]:
    """For each, by its id: what it takes, and then the longest row of those that wait for it and for each other [s]."""
    after: dict[int, float] = {}
    for one in reversed(cold):  # what is made of others comes behind them
        after[id(one)] = guess_of(one) + max((after[id(d)] for d in cold if one in stages_in(d)), default=0.0)
    return after


class Workers:
    """Processes that compile what they are told by name, into the cache."""

    def __init__(self, count: int) -> None:
        self.count, self._idle, self._all = count, SimpleQueue(), []  # type: ignore[var-annotated]
        self._paths = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def __enter__(self) -> "Workers":
        code = f"from {__name__} import serve; serve()"
        for _ in range(self.count):
            # In a session of its own, a Ctrl-C is not for it: who has started it ends it.
            one = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env=self._paths, start_new_session=True)
            self._all.append(one)
            self._idle.put(one)
        return self

    def compile(self, name: str) -> float:
        """Let one that is idle compile an entry or a stage; the processor time that it took [s]."""
        one = self._idle.get()
        try:
            print(name, file=one.stdin, flush=True)
            answer = one.stdout.readline()
        finally:
            self._idle.put(one)
        if not answer:
            raise ChildProcessError(f"The process that was to compile {name} has ended.")
        return float(answer)

    def __exit__(self, *_) -> None:
        for one in self._all:
            one.kill()
        for one in self._all:
            one.communicate()


def serve() -> None:
    """A worker: names come on stdin, processor times go to stdout, until stdin ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever is printed meanwhile is no answer
    for line in sys.stdin:
        print(compile_by_name(line.strip()), file=answers, flush=True)


class Progress:
    """How far compiling is, and how long it may take: guessed at first, then by what the first ones took."""

    def __init__(self, cold: list, processes: int) -> None:
        self._total, self._done, self._start = len(cold), 0, monotonic()
        self._last = self._start
        self._left, self._past = sum(map(guess_of, cold)), 0.0
        longest = max(seconds_after(cold).values())
        share = max(1.0, (processes + load()) / cores())
        self._pace = share * max(self._left / processes, longest) / self._left  # seconds on the clock for one guessed

    def note(self, one) -> None:
        """That one is done."""
        self._done, self._last = self._done + 1, monotonic()
        self._left -= guess_of(one)
        self._past += guess_of(one)

    def seconds_left(self, at_work: list) -> float:
        """By the clock; those at work count as far as they should be by now."""
        pace = (_KNOWN * self._pace + self._last - self._start) / (_KNOWN + self._past)
        begun = min(0.9 * sum(map(guess_of, at_work)), (monotonic() - self._last) / pace)
        return max(0.0, pace * (self._left - begun))

    def say(self, at_work: list) -> None:
        """One line that is overwritten on a terminal, lines in a log."""
        ended, elapsed = self._done == self._total, monotonic() - self._start
        names = f" ({', '.join(one.py_func.__name__ for one in at_work)})" if at_work else ""
        so_far = f": {elapsed:.0f} s so far" if elapsed >= 1.0 else ""
        line = (f"pliant: compiled {self._total} kernel{'s'[:self._total - 1]} in {elapsed:.0f} s, kept for later" if ended else
                f"pliant: compiling {self._done + 1} of {self._total}, once{so_far}, {in_words(self.seconds_left(at_work))}"
                f"{' more' if so_far else ''}{names}")
        if sys.stderr.isatty():
            print(f"\r\033[K{line}", end="\n" if ended else "", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)


def in_words(seconds: float) -> str:
    """A length of time as one says it."""
    if seconds < 50.0:
        return f"about {max(5, 5 * round(seconds / 5.0)):.0f} s"
    minutes = round(seconds / 60.0)
    return "about a minute" if minutes <= 1 else f"about {minutes} minutes"


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load() -> float:
    """Processes of others that want a core, on average."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def entries_in_use() -> list:
    """The entries that worlds of this process have bound or called."""
    return [one for one in ENTRIES if one.used]


def with_stages(entries: Iterable) -> list:
    """Entries, and the stages that they are made of, which come first."""
    found: dict = {}
    for one in entries:
        found |= dict.fromkeys((*stages_in(one), one))
    return sorted(found, key=lambda one: one.role != "stage")


@cache
def stages_in(made) -> tuple:
    """The stages that an entry or a stage is made of, those first that others are made of."""
    found: dict = {}
    for one in stages_of(made.py_func):
        found |= dict.fromkeys((*stages_in(one), one))
    return tuple(found)


@cache
def guess_of(made) -> float:
    """The processor time that an entry or a stage takes to compile when its stages are in the cache [s]."""
    return SECONDS_EACH + SECONDS_MORE * len(reached(made.py_func, lambda called: called.role == "stage"))


def name_of(made) -> str:
    """Module and name of an entry or a stage."""
    return f"{made.py_func.__module__}:{made.py_func.__qualname__}"


def compile_by_name(name: str) -> float:
    """Compile one entry or stage in this process, into the cache; returns the processor time that it took [s]."""
    module, _, function = name.partition(":")
    made, DiskCache.announce = getattr(import_module(module), function), None
    start = process_time()
    (made.packed if made.role == "entry" else made).compile(made.kinds())
    return process_time() - start


def is_warm(made) -> bool:
    """Whether the cache holds an entry or a stage, compiled for this processor."""
    kept = (made.packed if made.role == "entry" else made)._cache
    return hasattr(kept, "holds") and kept.holds(made.kinds())
