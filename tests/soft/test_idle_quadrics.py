"""Quadrics that shape nothing are doubted by name. Oracle: the height of the relief, which is zero where Q is negative."""

import numpy as np
import pytest

import pliant as pl
from pliant.compile.compiler import compile_scene
from pliant.patch.idle import idle_quadrics

inf = float("inf")
FLAT = pl.Sheet(1.0, 1.0, 0.25).triangles()
BALL = pl.PatchMesh.sphere(0.2, 320)
HALVES = (0.3, 0.3, 0.3)


def ball_with(*more: pl.Quadric) -> pl.PatchMesh:
    return pl.PatchMesh(BALL.vertices, BALL.faces, (*BALL.quadrics, *more), None, BALL.cells)


def told(mesh: pl.PatchMesh) -> list[str]:
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Solid("skin", mesh) if mesh.cells is not None else pl.Cloth("skin", mesh, 1e-3))
    return compile_scene(scene).warnings


@pytest.mark.parametrize(("away", "idle"), [(0.0, []), (0.28, []), (0.31, [0]), (3.0, [0])])
def test_a_ball_beside_a_sheet_shapes_nothing(away, idle):
    """Oracle: the area, which is that of the flat sheet where there is no relief."""
    mesh = pl.PatchMesh.from_mesh(FLAT, (pl.Quadric.ellipsoid((0, 0, away), HALVES, 0.05),))
    assert idle_quadrics(mesh) == idle
    assert (mesh.area() == pytest.approx(1.0, abs=1e-12)) == bool(idle)


def test_the_doubt_names_thing_quadric_place_and_remedy():
    good = pl.Quadric.ellipsoid((0, 0, 0), HALVES, 0.05)
    mesh = pl.PatchMesh.from_mesh(FLAT, (good, pl.Quadric.ellipsoid((3, 0, 0), HALVES, 0.05), good))
    assert told(mesh) == ["Cloth 'skin': quadric 1 of its mesh makes no relief, since it is positive about (3, 0, 0) m alone, "
                          "off its surface; move it there, in metres of the mesh's own frame, or make it wider"]


@pytest.mark.parametrize(("quadric", "said"), [
    (pl.Quadric(np.diag([-1.0, -1.0, -1.0, -1.0]), 0.01), "positive nowhere at all; check the signs of its matrix"),
    (pl.Quadric.ellipsoid((0, 9, 0), (inf, 0.3, 0.3), 0.05), "positive nowhere on its surface; check its matrix, in metres"),
])
def test_quadrics_that_are_positive_nowhere_are_told_so(quadric, said):
    (found,) = told(pl.PatchMesh.from_mesh(FLAT, (quadric,)))
    assert said in found


def test_what_reaches_the_relief_of_others_is_not_doubted():
    """Oracle: the ball's surface, 0.2 m from its middle, which only its own quadric brings there from 0.95 of that."""
    corner = BALL.vertices[0] / np.linalg.norm(BALL.vertices[0])
    on, off = (pl.Quadric.ellipsoid(tuple(r * corner), (0.02, 0.02, 0.02), -0.001) for r in (0.215, 0.225))
    assert np.max(on(BALL.vertices)) < 0.0, "it would reach the base"
    assert idle_quadrics(ball_with(on, off)) == [2]
    assert told(BALL) == [] and told(ball_with(on)) == []


def test_no_relief_that_is_asked_for_is_not_doubted():
    assert told(pl.PatchMesh.from_mesh(FLAT, (pl.Quadric.ellipsoid((3, 0, 0), HALVES, 0.0),))) == []


def test_what_no_patch_shares_is_told():
    """By hand shares may leave a quadric out; one face that has it is enough."""
    quadrics = (pl.Quadric.ellipsoid((0.0, 0.0, 0.0), (0.1, 0.1, 0.1), 0.01),)
    corners, faces = ((-1.0, -1, 0), (1.0, -1, 0), (0.0, 1, 0)), ((0, 1, 2),)
    assert idle_quadrics(pl.PatchMesh(corners, faces, quadrics, ((),))) == [0]
    assert idle_quadrics(pl.PatchMesh(corners, faces, quadrics, ((0,),))) == []
