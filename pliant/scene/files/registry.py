"""Every noun that a file can hold, by the word in its `type`: whatever the modules of `pliant.scene` define."""

import pkgutil
from functools import cache
from importlib import import_module

from .. import __name__ as scene_package
from .. import __path__ as scene_folder
from ..thing import Part, Thing


@cache
def nouns() -> dict[str, type[Part]]:
    """All concrete nouns, things and parts of things, by name.

    A class that others derive from (Joint) is no noun. A new noun joins by being defined in a module of pliant.scene.
    """
    for module in pkgutil.iter_modules(scene_folder):
        if not module.ispkg:
            import_module(f"{scene_package}.{module.name}")
    return {cls.__name__: cls for cls in _leaves(Part) if cls.__module__.startswith(f"{scene_package}.")}


@cache
def things() -> dict[str, type[Thing]]:
    """The nouns that stand in a scene by name."""
    return {name: cls for name, cls in nouns().items() if issubclass(cls, Thing)}


def _leaves(cls: type) -> list[type]:
    below: list[type] = cls.__subclasses__()
    return [leaf for one in below for leaf in _leaves(one)] if below else [cls]
