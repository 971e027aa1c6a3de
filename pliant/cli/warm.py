"""Compiles every entry ahead, in several processes, for the one signature that its annotations say."""

import argparse
import hashlib
import re
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time

PACKAGE = Path(__file__).resolve().parent.parent
SECONDS_EACH = 15.0
"""What an entry takes to compile, on average, for the estimate that is printed."""


def command_warm(options: argparse.Namespace) -> int:
    """Compile what is not in the cache, with progress, and print the ten slowest."""
    start = perf_counter()
    total = sum(len(made) for made in all_compiled())
    times = ensure_warm(options.processes)
    if not times:
        print(f"all {total} kernels are compiled")
        return 0
    print(f"compiled {len(times)} of {total} kernels in {perf_counter() - start:.0f} s, the slowest (processor time):")
    for name, seconds in sorted(times.items(), key=lambda item: -item[1])[:10]:
        print(f"  {seconds:6.1f} s  {name}")
    return 0


def ensure_warm(processes: int = 2) -> dict[str, float]:
    """Compile every entry that is not in the cache; returns the processor time of each [s]. Progress goes to stderr."""
    stages, entries = ([one for one in made if not is_warm(one)] for made in all_compiled())
    cold = [*sorted(stages, key=weight_of, reverse=True), *sorted(entries, key=weight_of, reverse=True)]
    if not cold:
        return {}
    print(
        f"compiling {len(cold)} kernels, once, {in_words(SECONDS_EACH * len(cold) / processes)}",
        file=sys.stderr,
        flush=True,
    )
    times: dict[str, float] = {}
    with ProcessPoolExecutor(min(processes, len(cold)), mp_context=get_context("spawn")) as pool:
        for height in sorted({height_of(one) for one in cold}):  # each finds the stages that it is made of in the cache
            tasks = [pool.submit(compile_by_name, name_of(one)) for one in cold if height_of(one) == height]
            for task in as_completed(tasks):
                name, seconds = task.result()
                times[name] = seconds
                print_progress(len(times), len(cold), name)
    return times


def print_progress(done: int, total: int, name: str) -> None:
    """One line that is overwritten on a terminal, a line now and then in a log."""
    if sys.stderr.isatty():
        print(
            f"\r\033[Kcompiling {done} of {total}, once ({name})",
            end="" if done < total else "\n",
            file=sys.stderr,
            flush=True,
        )
    elif done == total or done % 5 == 0:
        print(f"compiling {done} of {total}, once", file=sys.stderr, flush=True)


def in_words(seconds: float) -> str:
    """A length of time as one says it."""
    if seconds < 50.0:
        return f"about {max(10, 10 * round(seconds / 10.0)):.0f} seconds"
    minutes = round(seconds / 60.0)
    return "about a minute" if minutes <= 1 else f"about {minutes} minutes"


def all_entries() -> list:
    """Every entry of the package."""
    return all_compiled()[1]


def all_compiled() -> tuple[list, list]:
    """Every stage and every entry; imports the modules that hold them. Empty when compilation is switched off."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if re.search(r"^@(entry|stage)\b", path.read_text(), re.M):
            import_module(".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)))
    from .._jit import ENTRIES, STAGES

    return list(STAGES), list(ENTRIES)


@cache
def height_of(made) -> int:
    """How many stages a stage or an entry stands on, one upon the other."""
    from .._jit import STAGES

    heights, seen, queue = [0], set(), [made.py_func]
    while queue:
        function = queue.pop()
        for name in function.__code__.co_names:
            called = function.__globals__.get(name)
            if called is made or id(called) in seen or not hasattr(called, "py_func"):
                continue
            seen.add(id(called))
            if any(called is one for one in STAGES):
                heights.append(1 + height_of(called))
            else:
                queue.append(called.py_func)
    return max(heights)


def weight_of(entry) -> int:
    """How much source an entry draws in [bytes]; the heaviest are compiled first, so that none is left to the end."""
    from .._jit import _imports

    seen, queue = set(), [Path(entry.py_func.__code__.co_filename)]
    while queue:
        one = queue.pop()
        if one not in seen:
            seen.add(one)
            queue += _imports(one)
    return sum(path.stat().st_size for path in seen)


def name_of(entry) -> str:
    """Module and name of an entry."""
    return f"{entry.py_func.__module__}:{entry.py_func.__qualname__}"


def compile_by_name(name: str) -> tuple[str, float]:
    """Compile one entry in this process, into the cache; returns its name and the processor time it took [s]."""
    module, _, function = name.partition(":")
    entry = getattr(import_module(module), function)
    start = process_time()
    compile_one(entry)
    marker = marker_of(entry)
    if marker is not None:
        marker.touch()
    return name, process_time() - start


def compile_one(made) -> None:
    """Compile an entry, or a stage by what its annotations say."""
    from .._jit import Entry, signature_of

    if isinstance(made, Entry):
        made.compile()
    else:
        made.compile(tuple(signature_of(made.py_func).values()))


def is_warm(entry) -> bool:
    """Whether the cache holds this entry, compiled for this processor."""
    marker = marker_of(entry)
    return marker is not None and marker.exists() and any(marker.parent.glob(f"*{entry.py_func.__name__}-*.nbi"))


def marker_of(entry) -> Path | None:
    """The file that says that an entry is in the cache, for this processor; None without a cache."""
    import llvmlite.binding as llvm

    folder = getattr(entry, "packed", entry).stats.cache_path
    if not folder:
        return None
    processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {sys.version}"
    key = hashlib.sha1(processor.encode()).hexdigest()[:8]
    return Path(folder) / f"{entry.py_func.__name__}.{key}.warm"
