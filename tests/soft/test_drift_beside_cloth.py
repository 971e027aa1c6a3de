"""The report tells how far joints gape also where cloth hangs on their bodies."""

import numpy as np

import pliant as pl


def test_the_report_says_how_far_joints_gape():
    """Oracle: the distance of the two anchors of a swinging rod's hinge, after each step and in substeps between."""
    scene = pl.Scene()
    scene.add(pl.Body("rod", pl.Box(1, 0.05, 0.05), mass=10, position=(0.5, 0, 2)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "rod", anchor=(0, 0, 2), axis=(0, 1, 0)))
    rag = scene.add(pl.Cloth("rag", pl.Sheet(0.2, 0.2, 0.05), thickness=0.001, position=(1.1, 0, 2), collide=False))
    scene.attach(rag.vertices(lambda x: x[:, 0] < -0.09), "rod")
    world = pl.World(scene)
    for _ in range(20):
        report = world.step()
        parent, child = world["hinge"].anchors
        assert report.drift >= np.linalg.norm(child - parent) - 4e-15 > 0.0  # places of 2 m, to rounding
        assert report.drift < 1e-5
