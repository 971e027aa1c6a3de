"""The list of built-in scenes."""

import argparse

from ..scene.files.built_in import about, built_in_names


def command_scenes(options: argparse.Namespace) -> int:
    """Print each built-in scene with its one line."""
    names = built_in_names()
    width = max((len(name) for name in names), default=0)
    for name in names:
        print(f"{name:<{width}}  {about(name)}")
    return 0
