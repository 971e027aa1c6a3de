"""Cloth and solids that start deep in the ground, in bodies or in each other are told when a world is made. Oracle: how deep
they were laid, by hand."""

import re

import numpy as np
import pytest

import pliant as pl

TILTED = (0.6, 0.0, 0.8)


def told(*things) -> list[str]:
    scene = pl.Scene(gravity=(0, 0, 0))
    for thing in things:
        scene.add(thing)
    return [text for text in pl.World(scene, threads=1).warnings if " starts in " in text]


def depth_in(text: str) -> float:
    return float(re.search(r": (?:at least )?(\S+) m deep; ", text)[1])


def sheet(z: float, name: str = "c", **more) -> pl.Cloth:
    return pl.Cloth(name, pl.Sheet(0.4, 0.4, 0.02), thickness=0.004, position=(0, 0, z), **more)


def cube(*at: float, name: str = "s", **more) -> pl.Solid:
    return pl.Solid(name, pl.Box(0.2, 0.2, 0.2), spacing=0.05, position=at, **more)


def block(*at: float, size: float = 0.2, **more) -> pl.Body:
    return pl.Body("b", pl.Box(size, size, size), position=at, **more)


@pytest.mark.parametrize(("z", "depth"), [(-0.1, 0.102), (-0.03, 0.032), (-0.02, None), (0.0, None), (0.5, None)])
def test_cloth_in_the_ground(z, depth):
    """Oracle: half the thickness, 2 mm, below its vertices. Its edges, of which a third are diagonals, are 23 mm long."""
    found = told(pl.Ground(), sheet(z))
    assert found == ([] if depth is None else [
        f"Cloth 'c' starts in 'ground': {depth:g} m deep; it may stay there, so move it up by as much, or say collide=False "
        "if it is meant to be there"])


@pytest.mark.parametrize(("z", "depth"), [(-0.3, 0.4), (0.0, 0.1), (0.05, 0.05), (0.07, None), (0.1, None), (1.0, None)])
def test_a_solid_in_the_ground(z, depth):
    """Oracle: half its height; a fifth of that height is 0.04 m."""
    found = told(pl.Ground(), cube(0, 0, z))
    assert found == ([] if depth is None else [
        f"Solid 's' starts in 'ground': {depth:g} m deep; it will be lifted out, so move it up by as much, or say "
        "collide=False if it is meant to be there"])


@pytest.mark.parametrize(("along", "depth"), [(-0.1, 0.24), (0.07, 0.07), (0.09, None), (0.14, None)])
def test_ground_that_is_tilted(along, depth):
    """Oracle: along this normal a cube of 0.2 m reaches 0.1 (0.6 + 0.8) = 0.14 m either way, of which a fifth is 0.056 m. The
    plane crosses the z axis at 1 m, which is 0.8 m along the normal."""
    found = told(pl.Ground(normal=TILTED, height=1.0), cube(*((0.8 + along) * np.array(TILTED))))
    assert len(found) == (depth is not None)
    assert depth is None or (depth_in(found[0]) == pytest.approx(depth, rel=1e-2)
                             and "move it by as much along the normal of 'ground'" in found[0])


@pytest.mark.parametrize(("up", "depth"), [(0.1, 0.1), (0.05, 0.15), (0.0, 0.2), (0.17, None), (0.2, None), (0.197, None)])
@pytest.mark.parametrize("other", ["solid", "fixed", "free"])
def test_a_solid_in_a_solid_or_a_body(up, depth, other):
    """Oracle: how far one of two equal cubes must be moved to leave the other."""
    second = cube(0, 0, up, name="b") if other == "solid" else block(0, 0, up, fixed=other == "fixed")
    found = told(cube(0, 0, 0), second)
    assert len(found) == (depth is not None)
    assert depth is None or found[0] == (
        f"Solid 's' starts in 'b': at least {depth:g} m deep; it may stay there, so move them apart, or say collide=False of "
        "one if they are meant to be so")


def test_solids_that_are_turned():
    """Two cubes whose boxes along the axes of the world overlap far, but which touch at a face. Oracle: none, and 0.08 m."""
    turn, (x, z) = (np.cos(np.pi / 8), 0, np.sin(np.pi / 8), 0), np.sqrt(0.5) * np.ones(2)
    assert told(cube(0, 0, 0, quaternion=turn), cube(0.2 * x, 0, 0.2 * z, name="t", quaternion=turn)) == []
    (said,) = told(cube(0, 0, 0, quaternion=turn), cube(0.12 * x, 0, 0.12 * z, name="t", quaternion=turn))
    assert depth_in(said) == pytest.approx(0.08, rel=1e-2), "of 0.2 m, moved by 0.12"


@pytest.mark.parametrize(("shape", "depth"), [
    (pl.Sphere(0.1), 0.1), (pl.Capsule(0.1, 0.3), 0.1), (pl.Cylinder(0.3, 0.16), 0.08), (pl.Box(0.5, 0.5, 0.24), 0.12),
    (pl.Mesh((np.array([(x, y, z) for x in (-.3, .3) for y in (-.3, .3) for z in (-.1, .1)]), np.array(
        [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
         (1, 5, 7), (1, 7, 3)]))), 0.1)])
def test_cloth_in_every_shape(shape, depth):
    """Through the middle of each. Oracle: the least way out from the middle, where it has a vertex, and half its thickness."""
    (said,) = told(sheet(0.0), pl.Body("b", shape, fixed=True))
    assert said.startswith("Cloth 'c' starts in 'b': at least ") and depth_in(said) == pytest.approx(depth + 0.002, abs=1e-6)
    assert told(sheet(0.0), pl.Body("b", (pl.Placed(shape, position=(0, 0, 1)),), position=(0, 0, -1)))
    assert told(sheet(0.0), pl.Body("b", (pl.Placed(shape, position=(0, 0, 1)),))) == []


def test_cloth_on_a_table_or_in_a_solid():
    for z in (0.102, 0.1, 0.098, 0.07):
        assert told(sheet(z), block(0, 0, 0, fixed=True)) == told(sheet(z), cube(0, 0, 0)) == []
    (said,) = told(sheet(0.05), cube(0, 0, 0))
    assert said.startswith("Cloth 'c' starts in 's': ") and depth_in(said) == 0.052


def test_a_small_body_in_a_solid():
    """Which holds no vertex of the solid. Oracle: its middle 0.08 m below the top, and its half width of 5 mm."""
    (said,) = told(cube(0, 0, 0), block(0.012, 0.005, 0.02, size=0.01))
    assert said.startswith("Body 'b' starts in 's': ") and depth_in(said) == pytest.approx(0.085, rel=1e-2)
    assert told(cube(0, 0, 0), block(0.012, 0.005, 0.106, size=0.01)) == []


def test_one_sentence_for_each_thing():
    found = told(block(0, 0, 0, size=1.0), *(cube(0, 0, 0.01 * k, name=f"s{k}") for k in range(4)))
    assert len(found) == 4 and all("starts in 'b'" in text for text in found)
    assert sum("in 1 more" in text or "in 2 more" in text or "in 3 more" in text for text in found) == 3


def test_what_is_meant_to_be_there_is_not_told():
    ground = pl.Ground()
    assert told(ground, sheet(-0.1, collide=False)) == told(ground, cube(0, 0, -1, collide=False)) == []
    assert told(ground, sheet(-0.1), pl.Pin("p", "c")) == told(ground, cube(0, 0, 0), pl.Pin("p", "s")) == []
    assert told(cube(0, 0, 0), block(0, 0, 0), pl.Pin("p", "s")) == []
    assert told(cube(0, 0, 0), block(0, 0, 0, collide=False)) == []
    assert told(cube(0, 0, 0), cube(0, 0, 0.1, name="t", collide=False)) == []


def test_what_is_attached_to_it_is_not_told():
    solid = cube(0, 0, 0)
    tie = pl.Attachment("a", solid.vertices(lambda x: x[:, 2] > 0.09).name, "b")
    assert told(solid, block(0, 0, 0.1)) and told(solid, block(0, 0, 0.1), tie) == []
    other = cube(0, 0, 0.05, name="t")
    place = [one.vertices(lambda x, one=one: abs(x[:, 2] + one.position[2]) < 0.01).name for one in (solid, other)]
    assert told(solid, other) and told(solid, other, pl.Attachment("a", *place)) == []


def test_what_is_inside_without_being_in_it():
    """A body in a hollow of a solid, and in a closed cloth. Oracle: none of them has it inside."""
    rest = solid_with_a_hole()
    assert told(rest, block(0, 0, 0, size=0.05)) == []
    ball = pl.PatchMesh.sphere(0.2)
    bag = pl.Cloth("c", (ball.vertices[:-1], ball.faces), thickness=0.002, pressure=10.0)
    assert told(bag, block(0, 0, 0, size=0.05)) == []


def solid_with_a_hole() -> pl.Solid:
    """A frame of 0.3 m around a hole of 0.1 m, along z."""
    bar = pl.Solid("s", pl.Box(0.3, 0.3, 0.1), spacing=0.1)
    vertices, cells = bar.filling.vertices, bar.filling.cells
    middle = vertices[cells].mean(axis=1)
    kept = cells[(np.abs(middle[:, :2]) > 0.05).any(axis=1)]
    return pl.Solid("s", vertices, kept)
