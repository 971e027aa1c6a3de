"""A world in one file: scene, settings and state, so that the continued run has the same bits."""

import json
import os
import threading
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..hands.holding import as_plain, take_over
from ..model.model import State
from ..pushes import Pushed
from ..scene.errors import SceneError, shown
from ..scene.files.scene_file import decode_scene, encode_scene, file_to_write, write_whole
from ..scene.scene import Scene
from ..version import version
from .meaning import differences, meaning_of, model_digest, same_shapes

if TYPE_CHECKING:
    from ..world import World

FORMAT = 1
"""The version of the format that this package writes, and the newest that it reads."""

GROW = {"contacts": "contacts.separation", "soft_contacts": "soft_contacts.separation", "tied": "tied.mover",
        "ties": "tied.mover", "sprung": "sprung.stiffness", "springs": "sprung.stiffness", "soft.force": "soft.force",
        "soft.torque": "soft.force"}
"""Groups and arrays whose length changes while a world runs, and which array of the file says it."""

_KIND = "pliant snapshot"
_HEADER, _SCENE, _STATE = "header", "scene/", "state/"
_SETTINGS = ("dt", "substeps", "soft_substeps", "iterations")


class Snapshot(NamedTuple):
    """What a file holds."""

    header: dict[str, Any]
    """Versions, settings, the scene as plain content, and what the numbers of the state mean."""
    arrays: dict[str, np.ndarray]
    """Of the scene."""
    state: dict[str, np.ndarray]
    """Arrays by group and field: "motion.position"."""


def save_world(world: "World", path: str | os.PathLike) -> None:
    """Write scene, settings and state of a world to one file: the whole file stands there, or nothing changed.

    A scene that holds a Python function is left out; `restore_world` is then to be given the scene.
    """
    if world._driver not in (None, threading.get_ident()):
        raise RuntimeError("A viewer is stepping this world; stop it first (viewer.stop()), or save in world.on_step.")
    file = file_to_write(path)
    header: dict[str, Any] = {_KIND: FORMAT, "version": version()}
    header |= {name: getattr(world, name) for name in _SETTINGS}
    header["adapts"] = world._adapts
    if world._engine.soft is not None:
        header["soft_plan"] = world._engine.soft.plan.tolist()
    header |= {word: [push.plain() for push in pushes] for word, pushes in _pushes(world).items()}
    header |= {"made": as_plain(world), "grips": [grip._as_plain() for grip in world._body_grips.values()],
               "soft_grips": [grip._as_plain() for grip in dict.fromkeys(world._grips.values())]}
    header |= {"meaning": meaning_of(world), "model": model_digest(world._engine.model)}
    arrays: dict[str, np.ndarray] = {}
    try:
        header["scene"], arrays = encode_scene(world.scene, None, json=True)
    except SceneError as error:
        header["scene"], header["reason"] = None, str(error)
    content = {_SCENE + name: array for name, array in arrays.items()}
    content |= {_STATE + name: array for name, array in named_arrays(world._engine.state)}
    header["members"] = [_HEADER, *content]
    content = {_HEADER: np.frombuffer(json.dumps(header).encode(), np.uint8), **content}
    write_whole(file, lambda stream: np.savez_compressed(stream, **content))  # type: ignore[arg-type]


def restore_world(cls: type["World"], path: str | os.PathLike, scene: Scene | None = None) -> "World":
    """The world of a file that `save_world` wrote, in its own scene or in `scene`, which may be edited.

    An edited scene must have the same bodies, joints, springs, latches and controls; what they are like may differ.
    """
    file, found = _snapshot_at(path)
    header = found.header
    own = scene is None
    if scene is None:
        if header["scene"] is None:
            raise SceneError(f"{file.name} holds no scene ({header['reason'].rstrip('.')}); "
                             "give it: World.restore(path, scene=scene).")
        scene = decode_scene(header["scene"], Path(os.path.abspath(file)), found.arrays)
    world = cls(scene, dt=header["dt"], substeps=header["substeps"])
    _take(world, file, found)
    if own and model_digest(world._engine.model) != header["model"]:
        world.warnings.append(f"{file.name} was saved by pliant {header['version']} with other numbers behind the same "
                              "names (a file that the scene names, pliant or the machine has changed): the run goes "
                              "on, but not with the same bits.")
    return world


def restore_into(world: "World", path: str | os.PathLike, scene: Scene | None = None) -> "World":
    """Put a world into the state that `save_world` wrote, of it or of one with the same names; refused, it stays as it is."""
    if scene is not None:
        raise SceneError("world.restore(path) goes on in its own scene; World.restore(path, scene=scene) makes a world of "
                         "another.")
    if world._driver not in (None, threading.get_ident()):
        raise RuntimeError("A viewer is stepping this world; stop it first (viewer.stop()), or restore by "
                           "viewer.order(lambda world: world.restore(path)).")
    _take(world, *_snapshot_at(path))
    return world


def _snapshot_at(path: str | os.PathLike) -> tuple[Path, Snapshot]:
    if not isinstance(path, (str, os.PathLike)):
        raise SceneError(f"The path is {shown(path)}; name a file that world.save(path) wrote.")
    return Path(path), read_snapshot(Path(path))


def _take(world: "World", file: Path, found: Snapshot) -> None:
    """Settings, state and pushes of a file, if its names are the world's."""
    header, meaning = found.header, meaning_of(world)
    _refuse(file, differences(header["meaning"], meaning))
    state = _filled(file, world._engine.state, found.state)
    for kept, known in ((state.tied, world._engine.model.ties), (state.sprung, world._engine.model.springs)):
        for array, own in zip(kept, known, strict=True):
            array[:len(own)] = own
    if not same_shapes(header["meaning"], meaning):
        state.contacts.count[0] = state.soft_contacts.count[0] = 0
    world.dt, world.substeps, world.iterations = header["dt"], header["substeps"], header["iterations"]
    world.soft_substeps = header.get("soft_substeps", header["substeps"])
    world._adapt(header.get("adapts", False), np.array(header.get("soft_plan", world.soft_substeps), int))
    world._engine.adopt(state)
    take_over(world, header)
    world._moved = False
    world._watch_gains.forget()
    world._watch_limits.forget(world)
    for word, pushes in _pushes(world).items():
        pushes[:] = [Pushed.of(push) for push in header.get(word, ())]


def _pushes(world: "World") -> dict[str, list[Pushed]]:
    """By apply_force on ropes, through the coming step and the last: forces and tensions of their ends count them."""
    return {"pushing": world._pushing, "pushed": world._pushed}


def read_snapshot(file: Path) -> Snapshot:
    """The content of a file, or an error that says in a sentence why it cannot be one."""
    if not os.path.isfile(file):
        raise SceneError(f"There is no file {shown(str(file))}; save one with world.save(path).")
    try:
        with np.load(file, allow_pickle=False) as content:
            header = json.loads(bytes(content[_HEADER]))
            _check_format(file, int(header[_KIND]), header["version"])
            if header["members"] != content.files:
                raise ValueError("members are missing")
            arrays, state = (
                {name.removeprefix(start): content[name] for name in content.files if name.startswith(start)}
                for start in (_SCENE, _STATE)
            )
    except SceneError:
        raise
    except (OSError, ValueError, EOFError, KeyError, TypeError, AttributeError, NotImplementedError, RuntimeError,
            zipfile.BadZipFile, zlib.error):
        raise SceneError(f"{file.name} is no snapshot of a world, or a damaged one; "
                         "save one with world.save(path).") from None
    return Snapshot(header, arrays, state)


def _check_format(file: Path, made: int, by: str) -> None:
    if made > FORMAT:
        raise SceneError(f"{file.name} has format {made} of pliant {by}; this version reads formats up to {FORMAT}: "
                         "update pliant to restore it.")


def named_arrays(state: State) -> list[tuple[str, np.ndarray]]:
    """Every array of a state by group and field."""
    return [(f"{group}.{field}", array) for group, arrays in state._asdict().items()
            for field, array in arrays._asdict().items()]


def _filled(file: Path, like: State, saved: dict[str, np.ndarray]) -> State:
    """A state with the saved arrays; only the tables that GROW may be of another length than in `like`."""
    wanted = dict(named_arrays(like))
    wrong = [f"the state has {name} which the file has not" for name in wanted if name not in saved]
    wrong += [f"the file has {name} which the state has not" for name in saved if name not in wanted]
    for name, array in wanted.items():
        longest = GROW.get(name, GROW.get(name.partition(".")[0], name))
        grows = name != longest and not name.endswith(".count")
        shape = saved.get(longest, array).shape[:1] + array.shape[1:] if grows or name in GROW.values() else array.shape
        there = saved.get(name, array)
        if there.dtype != array.dtype or there.shape != shape:
            wrong.append(f"{name} is {there.dtype}{list(there.shape)} in the file and {array.dtype}{list(shape)} here")
    _refuse(file, wrong)
    return State(**{group: arrays._replace(**{field: saved[f"{group}.{field}"] for field in arrays._fields})
                    for group, arrays in like._asdict().items()})


def _refuse(file: Path, wrong: list[str]) -> None:
    if wrong:
        more = f"; and {len(wrong) - 6} more" if len(wrong) > 6 else ""
        raise SceneError(f"{file.name} does not fit the scene: {'; '.join(wrong[:6])}{more}. "
                         "Restore it into the scene it was saved from.")
