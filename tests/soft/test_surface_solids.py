"""Solids made of closed surfaces. Oracles: closed forms of their volumes."""

import numpy as np
import pytest
import trimesh

import pliant as pl


def test_a_solid_of_a_surface_that_fills_its_box_and_of_one_that_overlaps_itself():
    """Oracle: the volume of a box, whichever way round its faces are; of balls that overlap only the cubes are known."""
    box, ball = trimesh.creation.box((0.2, 0.3, 0.1)), trimesh.creation.icosphere(3, radius=0.1)
    scene = pl.Scene()
    for name, faces in (("box", box.faces), ("turned", box.faces[:, ::-1])):
        surface = trimesh.Trimesh(box.vertices, faces, process=False)
        scene.add(pl.Solid(name, surface, spacing=0.05, material=pl.Material(1000.0, 1e5), collide=False))
        assert pl.World(scene)[name].mass == pytest.approx(1000.0 * 0.006, rel=1e-12)
    both = trimesh.util.concatenate([ball, ball.copy().apply_translation((0.1, 0.0, 0.0))])
    solid = scene.add(pl.Solid("balls", both, spacing=0.01, collide=False))
    assert solid.quality.filled == 1.0
    volume = 4.0 / 3.0 * np.pi * 1e-3 * (2.0 - 5.0 / 16.0)  # two balls less the lens, one radius apart
    assert pl.World(scene)["balls"].volume == pytest.approx(volume, rel=0.05)


def test_in_a_scene_file_the_bare_name_of_a_mesh_file_is_that_mesh(tmp_path):
    """Oracle: the same things made in Python; a file that is not there is named."""
    ball = trimesh.creation.icosphere(subdivisions=1, radius=0.2)
    ball.export(tmp_path / "ball.stl")
    text = ("pliant: 1\nthings:\n- {type: Solid, name: filled, spacing: 0.1, mesh: ball.stl}\n"
            "- {type: Cloth, name: skin, thickness: 0.001, mesh: ball.stl, position: [1, 0, 0]}\n")
    (tmp_path / "balls.yaml").write_text(text)
    read = pl.load(tmp_path / "balls.yaml")
    np.testing.assert_array_equal(read["filled"].placed(), pl.Solid("x", tmp_path / "ball.stl", spacing=0.1).placed())
    np.testing.assert_array_equal(read["skin"].faces, pl.Cloth("x", tmp_path / "ball.stl", 0.001).faces)
    (tmp_path / "balls.yaml").write_text(text.replace("ball.stl", "none.stl"))
    with pytest.raises(pl.SceneError, match=r"none\.stl' is not there: give the path"):
        pl.load(tmp_path / "balls.yaml")
