"""Names that are planned are answered as such, no other name in their place. Oracle: what is there, and the README's list."""

from pathlib import Path

import pytest

import pliant as pl
from pliant import not_yet
from pliant.cli.main import COMMANDS
from pliant.handles.direct_rope import DirectRopeHandle
from pliant.handles.point_rope import PointRopeHandle
from pliant.scene.files.built_in import built_in_names
from pliant.scene.files.registry import nouns


def test_nothing_that_is_there_is_called_planned():
    assert not {*not_yet.NOUNS} & {*pl.__all__, *nouns()}
    assert not {*not_yet.SCENES} & {*built_in_names()}
    assert not {*not_yet.COMMANDS} & {*COMMANDS}
    classes = {one.__name__: one for one in (pl.World, DirectRopeHandle, PointRopeHandle)}
    assert not [name for kind, names in not_yet.READINGS.items() for name in names if hasattr(classes[kind], name)]


def test_the_readme_lists_them():
    rows = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
    names = [f"`{name}`" for name in not_yet.NOUNS] + [f"`pliant {name}`" for name in not_yet.COMMANDS]
    names += [f"`world.{name}`" for name in not_yet.READINGS["World"]]
    assert not [name for name in names if name not in rows]


@pytest.mark.parametrize("name", not_yet.NOUNS)
def test_a_noun_that_is_planned(name, tmp_path):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'. '{name}' is not there yet; README.md lists what"):
        getattr(pl, name)
    (tmp_path / "a.yaml").write_text(f"pliant: 1\nthings:\n- {{type: {name}, name: one}}\n")
    with pytest.raises(pl.SceneError, match=f"line 3.* the type '{name}' is unknown. '{name}' is not there yet"):
        pl.load(tmp_path / "a.yaml")


def test_what_a_world_and_a_rope_will_do():
    scene = pl.Scene()
    scene.add(pl.Rope("r", path=[(0, 0, 1), (1, 0, 1)], points=5, radius=0.01, material="hemp rope"))
    world = pl.World(scene, threads=1)
    for one, name in ((world, "record"), (world, "cut"), (world["r"], "pieces")):
        with pytest.raises(AttributeError, match=f"has no '{name}'. '{name}' is not there yet; README.md lists what"):
            getattr(one, name)
    with pytest.raises(AttributeError, match=r"has no 'resote'. Did you mean 'restore'\?"):
        world.resote  # noqa: B018
