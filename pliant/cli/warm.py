"""Compiles entries ahead, in several processes: all of them, or those that a world has asked for."""

import argparse
import re
import sys
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time

PACKAGE = Path(__file__).resolve().parent.parent
SECONDS_EACH = 0.1
"""What one function of an entry takes to compile [s], for the estimate that is printed."""
PATIENCE = 5.0
"""Something is said at least so often [s]."""


def command_warm(options: argparse.Namespace) -> int:
    """Compile what is not in the cache, with progress, and print the ten slowest."""
    start = perf_counter()
    entries = all_entries()
    total = len(with_stages(entries))
    times = ensure_warm(entries, options.processes)
    if not times:
        print(f"all {total} kernels are compiled")
        return 0
    print(f"compiled {len(times)} of {total} kernels in {perf_counter() - start:.0f} s, the slowest (processor time):")
    for name, seconds in sorted(times.items(), key=lambda item: -item[1])[:10]:
        print(f"  {seconds:6.1f} s  {name}")
    return 0


def ensure_warm(entries: Iterable, processes: int = 2) -> dict[str, float]:
    """Compile those of the entries, and of the stages they are made of, that are not in the cache.

    Returns the processor time of each [s]. Progress goes to stderr.
    """
    cold = [one for one in with_stages(entries) if not is_warm(one)]
    if not cold:
        return {}
    processes = min(processes, len(cold))
    seconds = SECONDS_EACH * sum(map(weight_of, cold)) / processes
    print(f"compiling {len(cold)} kernels, once, {in_words(seconds)}", file=sys.stderr, flush=True)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return compile_in(pool, cold, processes)


def compile_in(pool: ProcessPoolExecutor, cold: list, processes: int) -> dict[str, float]:
    """Compile each once the stages that it is made of are in the cache, the heaviest first; the processor time of each [s]."""
    times: dict[str, float] = {}
    running: dict[Future, str] = {}
    waiting = sorted(cold, key=lambda one: (one.role != "stage", -weight_of(one)))
    while waiting or running:
        missing = {id(one) for one in cold if name_of(one) not in times}
        ready = [one for one in waiting if not any(id(part) in missing for part in stages_in(one))]
        for one in ready[:processes - len(running)]:
            running[pool.submit(compile_by_name, name_of(one))] = name_of(one)
            waiting.remove(one)
        done, _ = wait(running, timeout=PATIENCE, return_when=FIRST_COMPLETED)
        for task in done:
            times[running.pop(task)] = task.result()
        print_progress(len(times), len(cold), list(running.values()))
    return times


def print_progress(done: int, total: int, names: list[str]) -> None:
    """One line that is overwritten on a terminal, lines in a log."""
    at_work = ", ".join(name.rpartition(":")[2] for name in names)
    line = f"compiling {min(done + 1, total)} of {total}, once" + (f" ({at_work})" if at_work else "")
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="" if done < total else "\n", file=sys.stderr, flush=True)
    else:
        print(line, file=sys.stderr, flush=True)


def in_words(seconds: float) -> str:
    """A length of time as one says it."""
    if seconds < 50.0:
        return f"about {max(10, 10 * round(seconds / 10.0)):.0f} seconds"
    minutes = round(seconds / 60.0)
    return "about a minute" if minutes <= 1 else f"about {minutes} minutes"


def all_entries() -> list:
    """Every entry of the package; imports the modules that hold them. Empty when compilation is switched off."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if re.search(r"^@(entry|stage)\b", path.read_text(), re.M):
            import_module(".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)))
    from .._jit import ENTRIES

    return list(ENTRIES)


def entries_in_use() -> list:
    """The entries that worlds of this process have bound or called."""
    from .._jit import ENTRIES

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
    from .._jit import stages_of

    found: dict = {}
    for one in stages_of(made.py_func):
        found |= dict.fromkeys((*stages_in(one), one))
    return tuple(found)


@cache
def weight_of(made) -> int:
    """How many functions must be compiled for an entry or a stage when its stages are in the cache."""
    from .._jit_cache import reached

    return len(reached(made.py_func, lambda called: called.role == "stage"))


def name_of(made) -> str:
    """Module and name of an entry or a stage."""
    return f"{made.py_func.__module__}:{made.py_func.__qualname__}"


def compile_by_name(name: str) -> float:
    """Compile one entry or stage in this process, into the cache; returns the processor time that it took [s]."""
    from .._jit_cache import DiskCache

    module, _, function = name.partition(":")
    made, DiskCache.announce = getattr(import_module(module), function), None
    start = process_time()
    compile_one(made)
    return process_time() - start


def compile_one(made) -> None:
    """Compile an entry, or a stage by what its annotations say."""
    (made.packed if made.role == "entry" else made).compile(made.kinds())


def is_warm(made) -> bool:
    """Whether the cache holds an entry or a stage, compiled for this processor."""
    kept = (made.packed if made.role == "entry" else made)._cache
    return hasattr(kept, "holds") and kept.holds(made.kinds())
