"""Benchmarks lie beside the package, in benchmarks/ of the repository; one is a file with a `main(argv) -> int`."""

import argparse
import runpy
import sys
from difflib import get_close_matches
from pathlib import Path

from ..scene.errors import SceneError

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def command_bench(options: argparse.Namespace) -> int:
    """Run one benchmark, or list them."""
    names = sorted(p.stem for p in FOLDER.glob("*.py") if "\ndef main(" in p.read_text(encoding="utf-8"))
    if not names:
        raise SceneError("The benchmarks are not part of the installed package; run this in a clone of the repository.")
    if options.name is None:
        print("\n".join(names))
        return 0
    if options.name not in names:
        near = get_close_matches(options.name, names, n=1)
        hint = f"Did you mean '{near[0]}'?" if near else f"There are: {', '.join(names)}."
        raise SceneError(f"There is no benchmark '{options.name}'. {hint}")
    sys.path.insert(0, str(FOLDER.parent))
    module = runpy.run_path(str(FOLDER / f"{options.name}.py"), run_name=options.name)
    return module["main"]([*options.rest, *(["--peers"] if options.peers else [])])
