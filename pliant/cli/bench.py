"""Benchmarks lie beside the package, in benchmarks/ of the repository; one is a file with a `main(argv) -> int`."""

import argparse
import runpy
import sys
from pathlib import Path

from ..scene.errors import SceneError, shown

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def command_bench(options: argparse.Namespace) -> int:
    """Run one benchmark, or list them."""
    files = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py"))}
    names = {name: text for name, text in files.items() if "\ndef main(" in text}
    if not names:
        raise SceneError("The benchmarks are not part of the installed package; run this in a clone of the repository.")
    if options.name is None:
        for name, text in names.items():
            print(f"{name:<{max(map(len, names))}}  {text.partition(chr(10))[0].strip(chr(34))}")
        return 0
    if options.name not in names:
        raise SceneError(f"There is no benchmark {shown(options.name)}. There are: {', '.join(names)}.")
    sys.path.insert(0, str(FOLDER.parent))
    module = runpy.run_path(str(FOLDER / f"{options.name}.py"), run_name=options.name)
    return module["main"]([*options.rest, *(["--peers"] if options.peers else [])])
