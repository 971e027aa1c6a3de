"""What is compiled ahead: in which order, what is said meanwhile, and that the next process finds it. Oracle: by hand."""

import os
import subprocess
import sys

import pytest
from numba import config

from pliant._jit_ahead import Progress, in_words, name_of, seconds_after, with_stages
from pliant.cli.warm import all_entries

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="compilation is switched off by NUMBA_DISABLE_JIT")


@compiled
def test_stages_are_compiled_before_what_calls_them():
    """Oracle: a caller of a stage names it, directly or through kernels."""
    order = [name_of(one) for one in with_stages(all_entries())]
    at = {name: k for k, name in enumerate(order)}
    assert at["pliant.couple.newton:place_rows"] < at["pliant.couple.newton:newton"]
    assert at["pliant.couple.newton:newton"] < at["pliant.couple.implicit:solve_implicit"]
    assert at["pliant.couple.sweep:sweep_rows"] < at["pliant.couple.substep:solve_islands"]
    assert len(order) == len(set(order))


@compiled
def test_what_most_waits_for_is_compiled_first(monkeypatch):
    """Oracle: by hand, of a chain of three and one alone, each of 1 s but for the last, of 2.5 s."""
    first, second, third, alone = (type("Made", (), {"name": name})() for name in ("a", "b", "c", "d"))
    made_of = {"a": (), "b": (first,), "c": (first, second), "d": ()}
    monkeypatch.setattr("pliant._jit_ahead.stages_in", lambda one: made_of[one.name])
    monkeypatch.setattr("pliant._jit_ahead.guess_of", lambda one: 2.5 if one.name == "d" else 1.0)
    after = seconds_after([first, second, alone, third])
    assert [after[id(one)] for one in (first, second, third, alone)] == [3.0, 2.0, 1.0, 2.5]


@compiled
def test_progress_says_how_many_what_is_at_work_and_how_long(capsys, monkeypatch):
    """Oracle: with a clock that runs three times as slow as guessed, what is left takes three times the guess."""
    clock = [0.0]
    monkeypatch.setattr("pliant._jit_ahead.monotonic", lambda: clock[0])
    monkeypatch.setattr("pliant._jit_ahead.guess_of", lambda one: 1000.0)
    monkeypatch.setattr("pliant._jit_ahead.load", lambda: 0.0)
    monkeypatch.setattr("pliant._jit_ahead.cores", lambda: 1)
    some = [one for one in all_entries() if not with_stages([one])[1:]][:3]
    progress = Progress(some, 1)
    progress.say(some[:1])
    clock[0] = 900.0
    assert progress.seconds_left(some[:1]) == pytest.approx(2100.0, rel=0.01)  # as it should be
    clock[0] = 0.0
    for one in some[:2]:
        clock[0] += 3000.0
        progress.note(one)
    assert progress.seconds_left([]) == pytest.approx(3000.0, rel=0.01)  # 10 s of the guess still count beside 2000 s
    progress.say(some[2:])
    progress.note(some[2])
    progress.say([])
    said = capsys.readouterr().err.splitlines()
    assert said == [f"pliant: compiling 1 of 3, once, about 50 minutes ({some[0].__name__})",
                    f"pliant: compiling 3 of 3, once: 6000 s so far, about 50 minutes more ({some[2].__name__})",
                    "pliant: compiled 3 kernels in 6000 s, kept for later"]


@compiled
def test_what_is_compiled_ahead_is_loaded_by_the_next_process(tmp_path):
    """One small entry: cold, compiled in one process, then a hit in the cache of another."""
    name = "pliant.collide.persist:refresh"
    module, _, function = name.partition(":")
    first = (
        f"from pliant._jit_ahead import *; from {module} import {function} as entry\n"
        f"print(is_warm(entry)); compile_by_name({name!r}); print(is_warm(entry))"
    )
    second = (
        f"from pliant._jit_ahead import *; from {module} import {function} as entry\n"
        "print(is_warm(entry)); entry.compile(); print(sum(entry.packed.stats.cache_hits.values()))"
    )
    said = [_python(code, tmp_path) for code in (first, second)]
    assert said == ["False\nTrue\n", "True\n1\n"]


def _python(code: str, cache) -> str:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    ).stdout


def test_the_estimate_is_said_in_words():
    said = [in_words(seconds) for seconds in (1.0, 31.0, 55.0, 130.0)]
    assert said == ["about 5 s", "about 30 s", "about a minute", "about 2 minutes"]
