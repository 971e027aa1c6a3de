"""Bodies that start inside each other are told in the first step, with the remedy. Oracle: how deep they were laid, by hand."""

import json
import re
import subprocess
import sys

import pytest
from command_line import call

import pliant as pl
from pliant.watch.overlaps import overlaps_to_come


def boxes(*heights: float) -> pl.Scene:
    """Boxes of 0.2 m beside each other, two at a time, the upper one of each pair at a height over the lower one's middle."""
    scene = pl.Scene(gravity=(0, 0, 0))
    for k, height in enumerate(heights):
        scene.add(pl.Body(f"low{k}", pl.Box(0.2, 0.2, 0.2), position=(k, 0, 0)))
        scene.add(pl.Body(f"high{k}", pl.Box(0.2, 0.2, 0.2), position=(k, 0, height)))
    return scene


def test_the_deepest_pair_is_told_once():
    world = pl.World(boxes(0.17, 0.1, 0.199, 0.3))
    (said,) = world.step().warnings
    start, depth, rest = re.match(r"(.*) more than (\S+) m (.*)", said).groups()
    assert start == "'high1' and 'low1' overlap by" and 0.04 < float(depth) < 0.1
    assert rest == ("at the start, as one more pair does, and are pushed apart; move one of them, or say collide=False of one "
                    "if they are meant to")
    assert world.step().warnings == ()
    world.reset()
    assert world.run(0.5).warnings == (said,)


@pytest.mark.parametrize("heights", [(0.2,), (0.197,), (0.5,)])
def test_what_touches_does_not_overlap(heights):
    world = pl.World(boxes(*heights))
    assert overlaps_to_come(world) == [] and world.step().warnings == ()


def test_check_tells_how_deep_it_is_before_any_step(tmp_path, capsys):
    """The boxes of 1 m of which one is moved by 0.1 m along two axes: 0.9 m is the shortest way out."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("a", pl.Box(1, 1, 1), position=(0, 0, 0.5)))
    scene.add(pl.Body("b", pl.Box(1, 1, 1), position=(0.1, 0, 0.6)))
    path = str(tmp_path / "two.yaml")
    scene.to_file(path)
    assert call("check", path, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] and found["warnings"] == [
        "'a' and 'b' overlap by 0.9 m at the start, and will be pushed apart; move one of them, or say collide=False of one if "
        "they are meant to"]
    assert pl.World(pl.load(path)).step().warnings[0].startswith("'a' and 'b' overlap by more than 0.8")


@pytest.mark.parametrize("depth", [0.002, 0.03, 0.08])
def test_check_tells_the_pairs_that_the_first_step_tells(depth):
    scene, pairs = boxes(0.2 - depth, 0.1, 0.3), r"(.*) overlap by .*at the start(.*), and"
    (before,), (after,) = overlaps_to_come(pl.World(scene, _ready=False)), pl.World(scene).step().warnings
    assert re.match(pairs, before).groups() == re.match(pairs, after).groups()


def test_check_compiles_only_what_finds_contacts():
    """In a process of its own, which has loaded nothing. Oracle: the entries of collide/, and the one that begins a world."""
    code = ("from pliant._jit import ENTRIES; from pliant.cli.main import main; main(['check', 'tactile']);"
            "print(*(one.py_func.__module__ for one in ENTRIES if one.loaded))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    modules = done.stdout.splitlines()[-1].split()
    assert "pliant.collide.pairs" in modules, done.stderr
    assert all(one.startswith("pliant.collide.") or one == "pliant.couple.measure" for one in modules)


@pytest.mark.parametrize("self_contact", [True, False])
def test_links_of_a_robot_may_be_let_pass(tmp_path, self_contact):
    """A chain of three links, folded so that the first and the third are one in the other. Oracle: they part, or stay."""
    path = tmp_path / "fold.urdf"
    link = ("<link name='{}'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01'/></inertial>"
            "<collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>")
    joint = ("<joint name='{}' type='prismatic'><parent link='{}'/><child link='{}'/><origin xyz='{} 0 0'/><axis xyz='1 0 0'/>"
             "<limit lower='-9' upper='9'/></joint>")
    path.write_text("<robot name='fold'>" + "".join(link.format(name) for name in "abc") + joint.format("ab", "a", "b", 0.5)
                    + joint.format("bc", "b", "c", -0.4) + "</robot>")
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Robot.from_urdf(path, self_contact=self_contact))
    world = pl.World(scene)
    to_come = overlaps_to_come(pl.World(scene, _ready=False))
    report = world.run(2.0)
    gap = world["fold/c"].position[0] - world["fold/a"].position[0]
    if self_contact:
        (said,) = report.warnings
        assert said.startswith("'fold/a' and 'fold/c' overlap by more than 0.0")
        assert said.endswith("say self_contact=False of 'fold' if its links are meant to")
        assert to_come == ["'fold/a' and 'fold/c' overlap by 0.1 m at the start, and will be pushed apart; say "
                           "self_contact=False of 'fold' if its links are meant to"]
        assert gap > 0.199
    else:
        assert report.warnings == () and to_come == [] and gap == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("name", ["scout", "tow", "tow-joint", "gripper", "door", "tactile", "jelly"])
def test_no_built_in_scene_starts_with_overlaps(name):
    assert pl.World(pl.load(name)).step().warnings == ()
