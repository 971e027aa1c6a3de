"""What is compiled is kept until something that it is made from changes. Oracle: what Python itself computes."""

import os
import subprocess
import sys
from typing import NamedTuple

import pytest
from numba import config, float64, types

from pliant._jit import kernel
from pliant._jit_cache import stamp

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="compilation is switched off by NUMBA_DISABLE_JIT")

SOURCE = '''
"""A module."""

HALF = 0.5
OTHER = 3.0
TABLE = ((1.0, 2.0), (3.0, 4.0))


@kernel
def inner(x):
    """A part of it."""
    return HALF * x + TABLE[1][0]


def not_called(x):
    return x + 1.0


@kernel
def outer(x, y=2.0):
    """All of it."""
    return inner(x) + y
'''

HARMLESS = {
    "a text": ("A part of it.", "Part of it,\n\n    said at length."),
    "a comment": ("    return HALF", "    # a half\n    return HALF"),
    "another function": ("x + 1.0", "x + 7.0"),
    "another constant": ("OTHER = 3.0", "OTHER = 4.0"),
    "its place in the file": ("HALF = 0.5", "\n\n\nHALF = 0.5"),
}
TELLING = {
    "a constant": ("HALF = 0.5", "HALF = 0.25"),
    "the type of a constant": ("HALF = 0.5", "HALF = 1"),
    "a value within a constant": ("(3.0, 4.0)", "(5.0, 4.0)"),
    "a called function": ("HALF * x", "HALF / x"),
    "a number within it": ("TABLE[1][0]", "TABLE[1][1]"),
    "a default": ("y=2.0", "y=3.0"),
    "how it is compiled": ("@kernel\ndef inner", "@merged\ndef inner"),
}


def stamp_of(source: str) -> str:
    from pliant._jit import merged

    space = {"kernel": kernel, "merged": merged, "__name__": "made"}
    exec(source, space)
    return stamp(space["outer"].py_func, (float64, float64))


@pytest.mark.parametrize("what", HARMLESS)
def test_what_does_not_reach_the_machine_code_does_not_count(what):
    assert stamp_of(SOURCE.replace(*HARMLESS[what])) == stamp_of(SOURCE) and HARMLESS[what][0] in SOURCE


@pytest.mark.parametrize("what", TELLING)
def test_what_reaches_the_machine_code_counts(what):
    assert stamp_of(SOURCE.replace(*TELLING[what])) != stamp_of(SOURCE) and TELLING[what][0] in SOURCE


def test_the_order_of_the_fields_of_a_group_counts():
    """Fields of one type can change places without Numba's type of the group telling."""
    stamps = set()
    for names in (("mass", "size"), ("size", "mass")):
        group = NamedTuple("Group", [(name, float) for name in names])
        stamps.add(stamp(kernel(lambda g: g.mass).py_func, (types.NamedTuple((float64, float64), group),)))
    assert len(stamps) == 2


def test_what_the_cache_cannot_see_through_is_refused():
    from pliant.model import rows

    def reads(x):
        return x + rows.AIM

    with pytest.raises(TypeError, match="rows, of which the cache"):
        stamp(reads, (float64,))


MODULE = '''
from typing import Annotated

from pliant._jit import entry, kernel, stage
from pliant.model.schema import Array, real

FACTOR = 2.0


@kernel
def scaled(x):
    """A text."""
    return FACTOR * x


@stage
def shifted(values: Annotated[Array, real("n", "m", "some")], by: float) -> float:
    return scaled(values[0]) + by


@stage
def twice(values: Annotated[Array, real("n", "m", "some")], by: float) -> float:
    return shifted(values, by) + shifted(values, 2.0 * by)


@entry
def work(values: Annotated[Array, real("n", "m", "some")], by: float) -> float:
    return twice(values, by)
'''


def test_entries_and_stages_are_found_by_the_next_process_until_they_change(tmp_path):
    """work = 2 FACTOR x + 3 by; what is compiled is announced on stderr."""
    assert run(tmp_path, MODULE) == (4.0 * 5.0 + 3.0, {"shifted", "twice", "work"})
    assert run(tmp_path, MODULE) == (23.0, set())
    assert run(tmp_path, MODULE.replace("A text.", "A longer\n    text.")) == (23.0, set())
    assert run(tmp_path, MODULE.replace("FACTOR = 2.0", "FACTOR = 3.0")) == (33.0, {"shifted", "twice", "work"})
    assert run(tmp_path, MODULE.replace("2.0 * by", "3.0 * by")) == (24.0, {"twice", "work"})


def test_a_stage_that_was_lost_is_made_again(tmp_path):
    run(tmp_path, MODULE)
    lost = next((tmp_path / "pliant").glob("made_here.shifted-*"))
    for file in lost.iterdir():
        file.unlink()
    assert run(tmp_path, MODULE) == (23.0, {"shifted"})


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("kept", [0, 20])
def test_what_was_cut_short_on_disk_is_made_again(tmp_path, ending, kept):
    run(tmp_path, MODULE)
    for file in next((tmp_path / "pliant").glob("made_here.twice-*")).glob(f"*{ending}"):
        file.write_bytes(file.read_bytes()[:kept])
    value, made = run(tmp_path, MODULE)
    assert value == 23.0 and "twice" in made
    assert run(tmp_path, MODULE) == (23.0, set())


def run(folder, source: str) -> tuple[float, set[str]]:
    """work([5.0], 1.0) in a process of its own, and the names of what it had to compile."""
    (folder / "made_here.py").write_text(source)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1",
                   "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    code = "import numpy as np; from made_here import work; print(work(np.array([5.0]), 1.0))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    lines = [line for line in done.stderr.splitlines() if line.startswith("pliant: compiling made_here.")]
    return float(done.stdout), {line.partition("made_here.")[2].partition(",")[0] for line in lines}
