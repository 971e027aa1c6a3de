"""Edges and corners of bodies that lie in solids between their vertices. Oracles: weight, rest, symmetry."""

import numpy as np
import pytest

import pliant as pl

G = 9.81


def held(grip: float) -> pl.World:
    """A box of 0.3 kg between two pads of jelly on fingers that `grip` [N] presses, its upper edges on the pads."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("box", pl.Box(0.06, 0.06, 0.08), mass=0.3, position=(0, 0, 0.04)))
    rise = pl.Motion([0.0, 0.4, 0.8, 9.0], [(0, 0, 0), (0, 0, 0), (0, 0, 0.05), (0, 0, 0.05)], smooth=True)
    hand = scene.add(pl.Body("hand", pl.Box(0.3, 0.06, 0.03), mass=2.0, position=(0, 0, 0.22), collide=False, motion=rise))
    for name, side in (("left", -1), ("right", 1)):
        finger = scene.add(pl.Body(f"{name} finger", pl.Box(0.02, 0.06, 0.12), mass=0.2, position=(side * 0.09, 0, 0.1)))
        scene.add(pl.Prismatic(f"{name} slide", hand, finger, axis=(-side, 0, 0), limits=(-0.02, 0.06), damping=20.0))
        scene.add(pl.Load(f"{name} push", finger, force=(-side * grip, 0, 0)))
        pad = scene.add(pl.Solid(name, pl.Box(0.03, 0.06, 0.06), spacing=0.015, material="jelly", friction=0.8,
                                 position=(side * 0.065, 0, 0.07)))
        scene.attach(pad.vertices(lambda x, side=side: side * x[:, 0] > 0.0149), finger)
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("grip", [2.3, 12.0])
def test_what_pads_hold_beyond_an_edge_stays(grip):
    """At 1.25 times the grip that friction asks for, and at six times: pads press with what is pushed, bear the weight, and
    lie still, so that nothing creeps; the pads are mirror images, and so is what they do.

    A second of steps that are solved to 1e-6 m/s may drift by that.
    """
    world = held(grip)
    world.run(3.0)
    start = world["box"].position
    for _ in range(60):
        world.step()
        assert max(np.abs(world[name].velocities).max() for name in ("left", "right")) < 1e-4
    assert np.abs(world["box"].position - start).max() < 1e-6
    left, right = world["left"].contact_force, world["right"].contact_force
    np.testing.assert_allclose((left[0], right[0]), (-grip, grip), rtol=1e-4)
    assert left[2] + right[2] == pytest.approx(-0.3 * G, rel=1e-4)
    assert world["box"].position[2] > 0.08  # and it was lifted


@pytest.mark.parametrize(("cells", "mass"), [(2, 10.0), (2, 40.0)])
def test_a_plank_as_wide_as_what_it_lies_on_rests(cells, mass):
    """On four cubes of jelly whose edges end where its own do: they bulge out beside it, and its edges lie in their triangles.

    It comes to rest, is borne by its weight, and is no deeper in them than what is left alone: half of a twentieth of the mean
    edge, which is shorter than the diagonal of a cell's face.
    """
    side, gap = 0.1, 0.3
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k, (x, y) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        scene.add(pl.Solid(f"cube {k}", pl.Box(side, side, side), spacing=side / cells, material="jelly",
                           position=(x * gap / 2, y * gap / 2, side / 2 + 1e-4)))
    scene.add(pl.Body("plank", pl.Box(gap + side, gap + side, 0.02), mass=mass, position=(0, 0, side + 0.011)))
    world = pl.World(scene, threads=1)
    world.run(3.0)
    for _ in range(30):
        report = world.step()
        assert max(np.abs(world[f"cube {k}"].velocities).max() for k in range(4)) < 2e-3
        assert world["plank"].contact_force[2] == pytest.approx(mass * G, rel=2e-3)
    assert report.penetration < 0.5 * 0.05 * np.sqrt(2.0) * side / cells
