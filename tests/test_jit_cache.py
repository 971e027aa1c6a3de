"""What is compiled is kept until something that it is made from changes. Oracle: what Python itself computes."""

import os
import subprocess
import sys
import time
from typing import NamedTuple

import pytest
from numba import config, float64, types

from pliant._jit import kernel
from pliant._jit_cache import UNUSED, prune, stamp

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


def test_a_folder_that_may_only_be_read_is_read_and_left_as_it_is(tmp_path):
    """As one that came with a machine; what is not in it is compiled, and works, though it is not kept."""
    run(tmp_path, MODULE)
    before = sorted(tmp_path.glob("pliant/*"))
    program = ("import pliant._jit_cache as kept; kept.writable = lambda: False; import numpy as np; "
               "from made_here import work; print(work(np.array([5.0]), 1.0))")
    for factor, value, made in ((2.0, 23.0, 0), (3.0, 33.0, 3)):
        (tmp_path / "made_here.py").write_text(MODULE.replace("FACTOR = 2.0", f"FACTOR = {factor}"))
        done = python(tmp_path, "-c", program)
        assert float(done.stdout) == value and done.stderr.count("compiling made_here.") == made
        assert "could not be kept" not in done.stderr and sorted(tmp_path.glob("pliant/*")) == before


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("kept", [0, 20])
def test_what_was_cut_short_on_disk_is_made_again(tmp_path, ending, kept):
    run(tmp_path, MODULE)
    for file in next((tmp_path / "pliant").glob("made_here.twice-*")).glob(f"*{ending}"):
        file.write_bytes(file.read_bytes()[:kept])
    value, made = run(tmp_path, MODULE)
    assert value == 23.0 and "twice" in made
    assert run(tmp_path, MODULE) == (23.0, set())


PROGRAM = '''
import numpy as np
from pliant._jit import foresee
from pliant._jit_ahead import make_ready
from made_here import work

print("begins")
foresee(work)
make_ready()
assert work.loaded
print(work(np.array([5.0]), 1.0))
'''
"""Like a user's, without `if __name__ == "__main__"`."""


def test_a_program_has_all_compiled_ahead_in_other_processes_and_is_not_run_again(tmp_path):
    """Oracle: the count on stderr, no line of this process compiling anything itself, one beginning; nothing later."""
    (tmp_path / "made_here.py").write_text(MODULE)
    (tmp_path / "program.py").write_text(PROGRAM)
    first, second = (python(tmp_path, str(tmp_path / "program.py")) for _ in range(2))
    assert first.stdout == second.stdout == "begins\n23.0\n"
    said = first.stderr.splitlines()
    assert said[0].startswith("pliant: compiling 1 of 3, once, about ")
    assert said[-1].startswith("pliant: compiled 3 kernels in ")
    assert not [line for line in said if line.startswith("pliant: compiling made_here")]
    assert second.stderr == ""


def test_where_no_process_can_be_had_a_program_compiles_itself(tmp_path):
    (tmp_path / "made_here.py").write_text(MODULE)
    (tmp_path / "program.py").write_text("import subprocess\ndef refuse(*_, **__): raise OSError('no more processes')\n"
                                         f"subprocess.Popen = refuse\n{PROGRAM}")
    done = python(tmp_path, str(tmp_path / "program.py"))
    assert done.stdout == "begins\n23.0\n" and "pliant: compiling made_here.work, once" in done.stderr


def test_what_was_not_used_for_a_month_is_taken_away_and_what_is_in_use_stays(tmp_path, monkeypatch):
    """Oracle: times of the folders, set back by hand; a run marks what it loads."""
    run(tmp_path, MODULE)
    folders = {path.name.partition("-")[0]: path for path in (tmp_path / "pliant").iterdir()}
    assert set(folders) == {"made_here.shifted", "made_here.twice", "made_here.work"}
    for path in folders.values():
        os.utime(path, (0, time.time() - 1.1 * UNUSED))
    assert run(tmp_path, MODULE) == (23.0, set())
    os.utime(folders["made_here.work"], (0, time.time() - 1.1 * UNUSED))
    (tmp_path / "pliant" / ".gone-1-rest").mkdir()  # of a process that was ended
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert prune() == 1
    assert {path.name.partition("-")[0] for path in (tmp_path / "pliant").iterdir()} == {"made_here.shifted", "made_here.twice"}
    assert run(tmp_path, MODULE) == (23.0, {"work"})


def test_processes_that_prune_and_use_at_once_disturb_nobody(tmp_path):
    """Two take everything away again and again while others load and compile: all answers are right."""
    run(tmp_path, MODULE)
    sweep = "import time; from pliant._jit_cache import prune\nend = time.time() + 6\nwhile time.time() < end: prune(0.0)"
    sweepers = [subprocess.Popen([sys.executable, "-c", sweep], env=environment(tmp_path), stderr=subprocess.PIPE, text=True)
                for _ in range(2)]
    assert all(run(tmp_path, MODULE)[0] == 23.0 for _ in range(2))
    assert [one.communicate()[1] for one in sweepers] == ["", ""]
    assert run(tmp_path, MODULE)[0] == 23.0


def environment(folder) -> dict[str, str]:
    """In which the cache lies in a folder, and modules are found there."""
    return {**os.environ, "XDG_CACHE_HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}


def python(folder, *words: str) -> subprocess.CompletedProcess[str]:
    """Run in a process of its own."""
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True, env=environment(folder))


def run(folder, source: str) -> tuple[float, set[str]]:
    """work([5.0], 1.0) in a process of its own, and the names of what it had to compile."""
    (folder / "made_here.py").write_text(source)
    done = python(folder, "-c", "import numpy as np; from made_here import work; print(work(np.array([5.0]), 1.0))")
    lines = [line for line in done.stderr.splitlines() if line.startswith("pliant: compiling made_here.")]
    return float(done.stdout), {line.partition("made_here.")[2].partition(",")[0] for line in lines}
