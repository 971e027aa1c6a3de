"""Every entry is compiled ahead for the signature that a world really uses. Oracle: Numba's record of signatures."""

import os
import subprocess
import sys
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numba import config, types

import pliant as pl
from pliant.cli.warm import all_entries, in_words, name_of, sample, signature_of
from pliant.model.schema import Array, index, real

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="compilation is switched off by NUMBA_DISABLE_JIT")


class Inner(NamedTuple):
    """A group."""

    mass: Annotated[Array, real("n", "kg", "of each")]
    pair: Annotated[Array, index("n 2", "of each")]


class Outer(NamedTuple):
    """A group of a group and a number."""

    inner: Inner
    gain: float


def busy_world(threads: int) -> pl.World:
    """A world in which every kind of row is at work: contacts of all families, joints, drives, springs."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Control("speed", value=0.5))
    scene.add(pl.Body("hills", pl.HeightField(np.zeros((4, 4)), (4.0, 4.0)), fixed=True, position=(10, 0, 0)))
    scene.add(pl.Body("on the hills", pl.Sphere(0.2), position=(10, 0, 0.2)))
    scene.add(pl.Body("lower", pl.Box(1, 1, 0.2), position=(0, 0, 0.1)))
    scene.add(pl.Body("upper", pl.Box(0.5, 0.5, 0.2), position=(0, 0, 0.3)))
    scene.add(pl.Body("arm", pl.Capsule(0.05, 0.4), position=(3, 0, 1)))
    motor = pl.VelocityMotor("speed", 10.0)
    scene.add(pl.Revolute("hinge", pl.WORLD, "arm", anchor=(3, 0, 1.2), axis=(0, 1, 0), limits=(-1, 1), motor=motor))
    scene.add(pl.JointSpring("coil", "hinge", stiffness=5.0, damping=0.1))
    scene.add(pl.Body("bob", pl.Sphere(0.1), position=(5, 0, 1)))
    scene.add(pl.Spring("tether", pl.WORLD, "bob", stiffness=100.0, at_a=(5, 0, 2)))
    return pl.World(scene, threads=threads)


@compiled
@pytest.mark.parametrize("threads", [1, 2])
def test_a_world_uses_the_signature_that_was_compiled_ahead_and_no_other(threads):
    world = busy_world(threads)
    world.run(0.1)
    world.reset()
    world.step()
    used = 0
    for entry in all_entries():
        assert len(entry.signatures) <= 1, f"{name_of(entry)} was compiled for {entry.signatures}"
        if entry.signatures:
            used += 1
            assert entry.signatures[0] == signature_of(entry.py_func), name_of(entry)
    assert used == len(all_entries()), "an entry was not used by the busy world: make it busier"


@compiled
def test_what_is_compiled_ahead_is_loaded_by_the_next_process(tmp_path):
    """One small entry: cold, compiled in one process, then a hit in the cache of another."""
    name = "pliant.collide.persist:refresh"
    module, _, function = name.partition(":")
    first = (
        f"from pliant.cli.warm import *; from {module} import {function} as entry\n"
        f"print(is_warm(entry)); compile_by_name({name!r}); print(is_warm(entry))"
    )
    second = (
        f"from pliant.cli.warm import *; from {module} import {function} as entry\n"
        "print(is_warm(entry)); entry.compile(signature_of(entry.py_func)); print(sum(entry.stats.cache_hits.values()))"
    )
    said = [_python(code, tmp_path) for code in (first, second)]
    assert said == ["False\nTrue\n", "True\n1\n"]


def _python(code: str, cache) -> str:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    ).stdout


@compiled
def test_signatures_are_read_off_annotations():
    def entry(group: Outer, first: int, step: float, gravity: tuple[float, float, float], flag: bool) -> None: ...

    group, first, step, gravity, flag = signature_of(entry)
    assert group.instance_class is Outer and group.types[0].instance_class is Inner and group.types[1] == types.float64
    assert list(group.types[0].types) == [types.Array(types.float64, 1, "C"), types.Array(types.int32, 2, "C")]
    assert (first, step, flag) == (types.int64, types.float64, types.boolean)
    assert gravity == types.UniTuple(types.float64, 3)


def test_an_annotation_that_says_no_type_is_refused():
    def bare(x, y: float) -> None: ...

    with pytest.raises(TypeError, match="no annotation of x"):
        signature_of(bare)
    for hint in (np.ndarray, float | None, str):
        with pytest.raises(TypeError):
            sample(hint)


def test_the_estimate_is_said_in_words():
    said = [in_words(seconds) for seconds in (3.0, 31.0, 55.0, 130.0)]
    assert said == ["about 10 seconds", "about 30 seconds", "about a minute", "about 2 minutes"]
