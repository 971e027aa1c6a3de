"""What comes with the package: scenes by name, and files for scenes."""

import ast
import os
import re
from pathlib import Path

import yaml

from ...not_yet import SCENES as LATER
from ...not_yet import late
from ..errors import SceneError, nearest, shown

SCENES = Path(__file__).resolve().parents[1] / "built_in"
ASSETS = Path(__file__).resolve().parents[1] / "assets"
ASSET_PREFIX = "asset:"
"""In a scene file `asset:scout.urdf` is a file of the package."""


def built_in_names() -> list[str]:
    """The built-in scenes, sorted."""
    return sorted({p.stem for p in SCENES.glob("*") if p.suffix in (".yaml", ".py") and not p.stem.startswith("_")})


def built_in_path(name: str) -> Path:
    """The file of a built-in scene."""
    for suffix in (".yaml", ".py"):
        path = SCENES / f"{name}{suffix}"
        if os.path.isfile(path):
            return path
    raise SceneError(f"There is no scene {shown(name)}. {late(name, LATER) or nearest(name, built_in_names())}")


def about(name: str) -> str:
    """One line about a built-in scene: `about` of a YAML file or its first comment, the first line of a module."""
    path = built_in_path(name)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    found = re.search(r"^about:(.*)$", text, re.M)
    if found:
        return str(yaml.safe_load(found[1]) or "")
    comment = re.search(r"^# *(.*)$", text, re.M)
    return comment[1] if comment else ""

