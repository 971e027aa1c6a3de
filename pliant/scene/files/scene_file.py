"""Scenes as files that a person can write by hand: YAML, or JSON for machines, large arrays in an NPZ beside it."""

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..errors import SceneError, shown
from ..robot import asset
from ..scene import Scene
from .built_in import ASSET_PREFIX, ASSETS, SCENES, built_in_names, built_in_path
from .decode import Place, about, noun, value_of
from .encode import MESHES, PATHS, Encoder
from .registry import things
from .text import format_text, read_text

FORMAT = 1
"""The version of the format that this package writes, and the newest that it reads."""

LONGEST_NAME, LONGEST_PATH = 200, 3900
"""[bytes] of a file and of its whole path; 255 and 4096 are what systems allow, less what is written beside it."""
SOME = 8
"""Files that are named of a folder's."""
SUFFIXES = (".yaml", ".yml", ".json")
_TOP = {"pliant": int, "about": str, "gravity": tuple[float, float, float], "drag": float, "arrays": str, "things": Any}


def load(path: str | os.PathLike) -> Scene:
    """The scene of a file (.yaml, .json), or the built-in scene of that name."""
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise SceneError(f"load: path is {shown(path)}; give a scene file or one of {', '.join(built_in_names())}.")
    text = os.fspath(path)
    file = Path(text)
    if len(os.fsencode(file.name)) > 255 or len(os.fsencode(text)) > LONGEST_PATH:
        raise SceneError(f"There is no file {shown(text)}: its name is too long; give a shorter path, or the name of a "
                         "built-in scene.")
    if file.suffix in SUFFIXES and os.path.isfile(file):
        return read_scene(file)
    if file.suffix in SUFFIXES or os.path.exists(file) or file.name != text:
        raise _no_such_file(file)
    built_in = built_in_path(text)
    if built_in.suffix == ".py":
        return import_module(f"pliant.scene.{SCENES.name}.{text}").build()
    return read_scene(built_in)


def read_scene(path: Path) -> Scene:
    """The scene of a YAML or JSON file; relative paths in it count from its folder."""
    return decode_scene(read_text(path), path)


def decode_scene(content: Any, given: Path, arrays: Mapping[str, np.ndarray] | None = None) -> Scene:
    """The scene of the plain content of a file, which messages name as it was given; its `arrays`, if not given too, lie in
    the file that the content names."""
    place, path = Place(given, "", None, {}), Path(os.path.abspath(given))
    if not isinstance(content, dict):
        raise place.fail(f"a scene starts with 'pliant: {FORMAT}' and has a list of 'things'.")
    top = _top(content, place)
    scene = _located(place, lambda: Scene(**{key: top[key] for key in ("gravity", "drag", "about") if key in top}))
    place = place._replace(arrays=_arrays(place, path, top.get("arrays")) if arrays is None else arrays)
    for number, one in enumerate(_list_of_things(top, place)):
        here = place.inside(f"things[{number}]", getattr(one, "line", None))
        try:
            thing = noun(_absolute_paths(one, path.parent, here), things(), here)
        except RecursionError:
            raise here.fail("it is nested too deeply to be a scene.") from None
        _located(here, lambda thing=thing: scene.add(thing))
        thing.__dict__["_origin"] = partial(about, one, here._replace(arrays={}))
    return scene


def write_scene(scene: Scene, path: str | os.PathLike) -> None:
    """Write a scene as YAML or, by the suffix .json, as JSON; either the whole file stands there or nothing changed."""
    file = file_to_write(path)
    if file.suffix not in SUFFIXES:
        raise SceneError(f"{shown(file.name)} does not say its kind; a scene file ends in {', '.join(SUFFIXES)}.")
    content, arrays = encode_scene(scene, file.parent, file.suffix == ".json")
    stale = _arrays_of_old(file)
    if arrays:
        content = {"arrays": _write_arrays(file, arrays), **content}
    text = format_text({key: content[key] for key in _TOP if key in content}, file.suffix)
    write_whole(file, lambda stream: stream.write(text.encode("utf-8")))
    if stale is not None and stale.name != content.get("arrays"):
        stale.unlink(missing_ok=True)


def encode_scene(scene: Scene, folder: Path | None, json: bool) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A scene as plain content, and the arrays set aside; paths count from `folder`, or are absolute without one."""
    encoder = Encoder(folder, json)
    content = {
        "pliant": FORMAT,
        **({"about": scene.about} if scene.about else {}),
        "gravity": list(scene.gravity),
        "drag": scene.drag,
        "things": [encoder.noun(thing) for thing in scene],
    }
    return content, encoder.arrays


def _top(content: dict, place: Place) -> dict[str, Any]:
    """The keys of the top level, checked."""
    if "pliant" not in content:
        raise place.fail(f"the first line 'pliant: {FORMAT}', which names the version of the format, is missing.")
    top = {}
    for key, value in content.items():
        here = place._replace(line=getattr(content, "lines", {}).get(key))
        if key not in _TOP:
            raise here.fail(f"'{key}' is unknown at the top level. There are: {', '.join(_TOP)}.")
        top[key] = value_of(value, _TOP[key], here.inside(key, None))
    if not 1 <= top["pliant"] <= FORMAT:
        raise place.fail(f"the file has format {top['pliant']}; this version of pliant reads formats up to {FORMAT}.")
    return top


def _list_of_things(top: dict, place: Place) -> list:
    found = top.get("things") or []
    if not isinstance(found, list):
        raise place.fail("'things' must be a list; begin each thing with a dash.")
    return found


def _located(place: Place, make) -> Any:
    """Call `make`; an error of it gets the file and the line in front."""
    try:
        return make()
    except SceneError as error:
        raise place.fail(str(error)) from None


def _arrays(place: Place, path: Path, name: str | None) -> Mapping[str, np.ndarray]:
    if name is None:
        return {}
    beside, supplied = path.parent / name, SCENES / name
    try:
        # a copy of a built-in scene finds the arrays that came with it
        with np.load(supplied if supplied.is_file() and not beside.exists() else beside, allow_pickle=False) as found:
            return dict(found)
    except (OSError, ValueError, EOFError) as error:
        raise place.fail(f"its arrays '{name}' cannot be read ({error}); keep the two files together.") from None


def _absolute_paths(content: Any, folder: Path, place: Place) -> Any:
    """The same content, in which the fields that name files hold paths that open from anywhere, and bare names are meshes."""
    if isinstance(content, list):
        return [_absolute_paths(one, folder, place) for one in content]
    if not isinstance(content, dict):
        return content
    kind = str(content.get("type"))
    fields = PATHS.get(kind, ())
    for key, value in content.items():
        if key == MESHES.get(kind) and isinstance(value, str):
            value = {"type": "Mesh", "source": value}
        if key in fields and isinstance(value, str):
            try:
                content[key] = _path(value, folder)
            except SceneError as error:
                raise about(content, place, f"{content['type']}: {key} is {shown(value)}. {error}") from None
        else:
            content[key] = _absolute_paths(value, folder, place)
    return content


def _path(text: str, folder: Path) -> str:
    """A path of a file: of an asset, or counted from the folder; the bare name of an asset stays as it is."""
    if text.startswith(ASSET_PREFIX):
        return asset(text.removeprefix(ASSET_PREFIX))
    beside = folder / text
    return text if (ASSETS / text).is_file() and not beside.is_file() else str(beside)


def _write_arrays(file: Path, arrays: dict[str, np.ndarray]) -> str:
    """Write the NPZ and return its name, which follows from its content: the old scene stays whole to the last."""
    digest = hashlib.sha1()
    for key, array in arrays.items():
        digest.update(f"{key} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    name = f"{file.stem}-{digest.hexdigest()[:8]}.npz"
    write_whole(file.with_name(name), lambda stream: np.savez_compressed(stream, **arrays))  # type: ignore[arg-type]
    return name


def _arrays_of_old(file: Path) -> Path | None:
    """The arrays of the scene that is about to be replaced."""
    if not file.is_file():
        return None
    found = re.search(
        rf'^"?\s*"?arrays"?: "?({re.escape(file.stem)}-[0-9a-f]{{8}}\.npz)', file.read_text("utf-8", "replace"), re.M
    )
    return file.with_name(found[1]) if found else None


def file_to_write(path: str | os.PathLike) -> Path:
    """The absolute path of a file in a folder that is there, or an error that says what to mend."""
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path) or "\0" in str(path):
        raise SceneError(f"The path is {shown(path)}; name a file to write.")
    file = Path(os.path.abspath(path))
    _check_length(file)
    if not file.parent.is_dir():
        raise SceneError(f"'{file.name}' cannot be written: there is no folder '{file.parent}'; create it first.")
    if file.is_dir():
        raise SceneError(f"'{file}' is a folder; name a file to write.")
    return file


def _check_length(file: Path) -> None:
    """Refuse a name that, with what is written beside the file, no folder can hold."""
    if len(os.fsencode(file.name)) > LONGEST_NAME:
        raise SceneError(f"The name {shown(file.name)} is too long; take at most {LONGEST_NAME} letters.")
    if len(os.fsencode(file)) > LONGEST_PATH or any(len(os.fsencode(part)) > 255 for part in file.parts):
        raise SceneError(f"The path {shown(str(file))} is too long; take one of shorter names.")


def write_whole(file: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` fill a temporary file in the same folder and rename it over `file`: all or nothing."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, file)
    except OSError as error:
        if error.filename is None:
            raise
        raise OSError(error.errno, error.strerror, str(file)) from None  # not the temporary file's name
    finally:
        temporary.unlink(missing_ok=True)


def _no_such_file(file: Path) -> SceneError:
    if file.is_dir():
        return SceneError(
            f"'{file}' is a folder; give a scene file ({', '.join(SUFFIXES)}) or one of {', '.join(built_in_names())}."
        )
    if file.suffix == ".urdf" and file.exists():
        return SceneError(f"'{file}' is a robot, not a scene; give a scene file of the lines 'pliant: 1', 'things:', "
                          f"'- {{type: Ground}}' and '- {{type: Robot, name: robot, path: {file}}}'.")
    if file.exists():
        return SceneError(f"'{file}' is no scene file; those end in {', '.join(SUFFIXES)}.")
    if file.stem in built_in_names() and file.name == str(file):
        return SceneError(f"There is no file '{file}'; the built-in scene is named '{file.stem}', without an ending.")
    beside = sorted(p.name for p in file.parent.glob("*") if p.suffix in SUFFIXES and p.is_file())  # none where no folder is
    near = get_close_matches(file.name, beside, n=1, cutoff=0.8)
    some = get_close_matches(file.name, beside, n=SOME, cutoff=0.0) if beside else []  # the nearest first
    more = f" and {len(beside) - SOME} more" if len(beside) > SOME else ""
    hint = f" Did you mean '{near[0]}'?" if near else f" The folder has: {', '.join(some)}{more}." if beside else ""
    return SceneError(f"There is no file '{file}'.{hint}")
