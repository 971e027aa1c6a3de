"""`pliant warm`: compiles every entry of the package ahead, and takes away what was compiled of code that is gone."""

import argparse
import re
from importlib import import_module
from pathlib import Path
from time import perf_counter

from .._jit import ENTRIES
from .._jit_ahead import ensure_warm, with_stages
from .._jit_cache import cache_root, prune, writable
from ..scene.errors import SceneError

PACKAGE = Path(__file__).resolve().parent.parent


def command_warm(options: argparse.Namespace) -> int:
    """Compile what is not in the cache, with progress, and print the ten slowest."""
    if not writable():
        raise SceneError(f"{cache_root()} cannot be written, so that nothing would be kept; make room there, or name another "
                         "folder by XDG_CACHE_HOME.")
    start = perf_counter()
    entries = all_entries()
    total = len(with_stages(entries))
    times = ensure_warm(entries, options.processes)
    gone = prune()
    if gone:
        print(f"took {gone} away that were not used for a month")
    if not times:
        print(f"all {total} kernels are compiled")
        return 0
    print(f"compiled {len(times)} of {total} kernels in {perf_counter() - start:.0f} s, the slowest (processor time):")
    for name, seconds in sorted(times.items(), key=lambda item: -item[1])[:10]:
        print(f"  {seconds:6.1f} s  {name}")
    return 0


def all_entries() -> list:
    """Every entry of the package; imports the modules that hold them. Empty when compilation is switched off."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if re.search(r"^@(entry|stage)\b", path.read_text(encoding="utf-8"), re.M):
            import_module(".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)))
    return list(ENTRIES)
