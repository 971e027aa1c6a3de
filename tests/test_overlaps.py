"""Bodies that start inside each other are told in the first step, with the remedy. Oracle: how deep they were laid, by hand."""

import re

import pytest

import pliant as pl


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
    assert pl.World(boxes(*heights)).step().warnings == ()


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
    report = world.run(2.0)
    gap = world["fold/c"].position[0] - world["fold/a"].position[0]
    if self_contact:
        (said,) = report.warnings
        assert said.startswith("'fold/a' and 'fold/c' overlap by more than 0.0")
        assert said.endswith("say self_contact=False of 'fold' if its links are meant to")
        assert gap > 0.199
    else:
        assert report.warnings == () and gap == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("name", ["scout", "tow", "tow-joint", "gripper", "door", "tactile", "jelly"])
def test_no_built_in_scene_starts_with_overlaps(name):
    assert pl.World(pl.load(name)).step().warnings == ()
