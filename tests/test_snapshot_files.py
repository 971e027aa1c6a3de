"""Files of snapshots: what becomes of them when writing fails, and what reading says of bad ones. Oracle: the bytes before."""

import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
import zipfile

import numpy as np
import pytest
from saved_worlds import pile, saved, swing

import pliant as pl
from pliant.record.snapshot import named_arrays, read_snapshot


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    """The system itself stops the write after 4 kB."""
    path = tmp_path / "world"
    world = saved(pile(), path)
    before = path.read_bytes()
    assert len(before) > 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    world.step()
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OSError):
            world.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["world"]
    world.save(path)
    assert pl.World.restore(path).hash() == world.hash()


def test_a_process_killed_while_it_writes_leaves_the_old_file(tmp_path):
    path = tmp_path / "world"
    world = saved(swing(), path)
    program = """
        import os, signal, sys
        import pliant as pl
        from pliant.scene.files import scene_file

        world = pl.World.restore(sys.argv[1])
        world.step()
        open_file = open

        class Dying:
            def __init__(self, *given):
                self.file = open_file(*given)
            def __enter__(self):
                return self
            def __getattr__(self, name):
                return getattr(self.file, name)
            def __exit__(self, *_):
                pass
            def write(self, data):
                self.file.write(data)
                if self.file.tell() > 2000:
                    self.file.flush()
                    os.kill(os.getpid(), signal.SIGKILL)
                return len(data)

        scene_file.open = Dying
        world.save(sys.argv[1])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), str(path)], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    left = [p for p in tmp_path.iterdir() if p != path]
    assert len(left) == 1 and left[0].stat().st_size > 2000  # it did die halfway
    assert pl.World.restore(path).hash() == world.hash()


def rewritten(path, **changes) -> None:
    """The same file with other words in its header."""
    with np.load(path) as content:
        arrays = dict(content)
    header = json.loads(bytes(arrays["header"])) | changes
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with open(path, "wb") as stream:
        np.savez_compressed(stream, **arrays)


def test_a_newer_file_is_refused_in_a_sentence(tmp_path):
    saved(swing(), tmp_path / "world")
    rewritten(tmp_path / "world", **{"pliant snapshot": 2, "version": "9.1"})
    with pytest.raises(pl.SceneError, match=r"world has format 2 of pliant 9\.1; .* up to 1: update pliant"):
        pl.World.restore(tmp_path / "world")


def test_bad_files_are_refused_in_a_sentence(tmp_path):
    path = tmp_path / "world"
    saved(swing(), path)
    good = path.read_bytes()
    flipped = bytearray(good)
    with zipfile.ZipFile(path) as content:
        one = max(content.infolist(), key=lambda member: member.compress_size)
    flipped[one.header_offset + 30 + len(one.filename) + one.compress_size // 2] ^= 0xFF  # in the midst of its data
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "one.npy", np.zeros(3))
    others = [(tmp_path / name).read_bytes() for name in ("other.npz", "one.npy")]
    for content in (b"", b"pliant: 1\n", good[: len(good) // 2], good[:-1], bytes(flipped), *others):
        path.write_bytes(content)
        with pytest.raises(pl.SceneError, match=r"^world is no snapshot of a world, or a damaged one; save one with"):
            pl.World.restore(path)
    for nothing in (tmp_path / "none", tmp_path):
        with pytest.raises(pl.SceneError, match="There is no file"):
            pl.World.restore(nothing)


def test_every_flipped_byte_is_noticed_or_does_no_harm(tmp_path):
    path = tmp_path / "world"
    world = saved(swing(), path)
    good, held = path.read_bytes(), dict(named_arrays(world._engine.state))
    random = np.random.default_rng(3)
    for at in random.choice(len(good), 100, replace=False):
        content = bytearray(good)
        content[at] ^= 1 << int(random.integers(8))
        path.write_bytes(content)
        try:
            found = read_snapshot(path)
        except pl.SceneError:
            continue
        assert all(found.state[name].tobytes() == array.tobytes() for name, array in held.items()), at
