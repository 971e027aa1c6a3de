"""From nouns to the plain content of a file: exact numbers, references as names, large arrays set aside."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ..errors import SceneError, who
from ..thing import Part
from .built_in import ASSET_PREFIX, ASSETS
from .decode import ARRAY

INLINE = 48
"""Arrays of up to so many numbers are written in the text."""


class Encoder:
    """Turns the things of one scene into plain content; `arrays` fills with what goes into the NPZ.

    Paths below `folder` are written relative to it; without a folder all are absolute.
    """

    def __init__(self, folder: Path | None, json: bool) -> None:
        self.folder, self.json = folder, json
        self.arrays: dict[str, np.ndarray] = {}

    def noun(self, part: Part, key: str = "") -> dict[str, Any]:
        """A noun as a mapping with its `type`, what is as by default left out."""
        out: dict[str, Any] = {"type": type(part).__name__}
        key = key or part.name  # type: ignore[attr-defined]
        for field in msgspec.structs.fields(type(part)):
            value = getattr(part, field.name)
            # repr tells -0.0 from 0.0 and a whole number from a float, which == does not.
            default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
            if field.required or repr(value) != repr(default):
                out[field.name] = self.value(value, f"{key}.{field.name}", part, field.name)
        return out

    def value(self, value: Any, key: str, part: Part, field: str) -> Any:
        """Any value of a field."""
        if isinstance(value, Part):
            return self.noun(value, key)
        if isinstance(value, Path) or (isinstance(value, str) and _is_path(part, field)):
            return self.path(str(value))
        if isinstance(value, np.ndarray):
            return self.array(value, key)
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, (list, tuple)):
            return [self.value(one, f"{key}.{i}", part, field) for i, one in enumerate(value)]
        if isinstance(value, dict):
            return {name: self.value(one, f"{key}.{name}", part, field) for name, one in value.items()}
        if isinstance(value, float) and self.json and value in (float("inf"), float("-inf")):
            return str(value)
        if value is None or isinstance(value, (str, bool, int, float)):
            return value
        if isinstance(value, Callable):  # type: ignore[arg-type]
            raise SceneError(
                f"{who(part)} of '{key.partition('.')[0]}': {field} is a Python function, which a file "
                "cannot hold; give a table instead."
            )
        raise SceneError(f"{who(part)}: {field} is {value!r}, which a file cannot hold; give numbers, words or tables.")

    def array(self, value: np.ndarray, key: str) -> Any:
        """A small array as lists, a large one as a reference to the NPZ; one with infinities too, which JSON lacks."""
        if value.size <= INLINE and value.size and not (self.json and np.isinf(value).any()):
            return value.tolist()
        key = f"{len(self.arrays)}-{re.sub(r'[^A-Za-z0-9_.-]', '_', key)}"
        self.arrays[key] = value
        return {ARRAY: key}

    def path(self, text: str) -> str:
        """A path that the reader finds: of a built-in asset, relative to the scene's folder, or absolute."""
        if (ASSETS / text).is_file() and not Path(text).is_file():
            return text  # the bare name of an asset, as the reader takes it too
        path = Path(os.path.abspath(text))
        if path.is_relative_to(ASSETS):
            return ASSET_PREFIX + path.relative_to(ASSETS).as_posix()
        if self.folder is not None and path.is_relative_to(self.folder):
            return path.relative_to(self.folder).as_posix()
        return str(path)


def _is_path(part: Part, field: str) -> bool:
    return field in PATHS.get(type(part).__name__, ())


PATHS = {"Mesh": ("source",), "Robot": ("path",)}
"""Fields that name a file; beside the scene's they are written relative to it."""
MESHES = {"Solid": "mesh", "Cloth": "mesh"}
"""Fields in which the bare name of a file is a Mesh of it."""
