"""Benchmarks lie beside the package, in benchmarks/ of the repository; one is a file with a `main(argv) -> int`."""

import argparse
import runpy
import sys
from pathlib import Path

from ..scene.errors import SceneError, nearest

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
        raise SceneError(f"There is no benchmark '{options.name}'. {nearest(options.name, names)}")
    sys.path.insert(0, str(FOLDER.parent))
    module = runpy.run_path(str(FOLDER / f"{options.name}.py"), run_name=options.name)
    return module["main"]([*options.rest, *(["--peers"] if options.peers else [])])
