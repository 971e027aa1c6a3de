"""Vertices that fall into the edge between two triangles. Oracle: none of them comes through."""

import numpy as np

import pliant as pl

RISE, HEIGHT, SPEED = 1e-5, 1e-4, 0.1


def test_a_vertex_above_a_flat_valley_is_stopped_wherever_it_is():
    """Two triangles that rise by 1e-5 to either side of their edge: a point 0.1 mm above it, some nanometres beside, is over
    both of them, by as many shares as are taken for none."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    corners = np.array([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, RISE), (0.0, -1.0, RISE), (0.0, 0.0, -1.0)])
    floor = scene.add(pl.Solid("floor", corners, cells=[(0, 1, 2, 4), (1, 0, 3, 4)], material="rubber"))
    scene.pin(floor.vertices(range(4)))
    drop = 0.02 * np.array([(0.0, 0.0, 0.0), (0.5, 0.0, 1.0), (-0.3, 0.4, 1.0), (-0.3, -0.4, 1.0)])
    beside = np.linspace(-3e-9, 3e-9, 25)
    for k, y in enumerate(beside):
        scene.add(pl.Solid(f"drop{k}", drop + np.array((0.05 * (k - 12), y, HEIGHT)), cells=[(0, 1, 2, 3)], material="rubber",
                           velocity=(0.0, 0.0, -SPEED)))
    world = pl.World(scene)
    assert SPEED * world.dt > 10.0 * HEIGHT  # all of them would come through
    world.step()
    lowest = np.array([world[f"drop{k}"].positions[0, 2] for k in range(len(beside))])
    assert lowest.min() > -1e-6  # as far as iterations that end at 1e-6 m/s, and 1e-5 of evenness, may miss it
