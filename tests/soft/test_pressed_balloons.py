"""A balloon between two plates. Oracle: at rest nothing moves, both plates bear the same, and no energy comes from nowhere."""

import numpy as np
import trimesh

import pliant as pl

PRESSURE = 300.0


def test_a_balloon_between_two_plates_comes_to_rest():
    """Its pressure pushes it against the plates by far more than any weight: what they bear is kept from step to step."""
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.2)
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add(pl.Cloth("balloon", (np.array(ball.vertices), np.array(ball.faces)), thickness=1e-3, pressure=PRESSURE,
                       material=pl.Material(density=1000.0, young=1e6, poisson=0.45), volume=1.4e5))
    scene.add(pl.Body("wall", pl.Box(0.1, 0.8, 0.8), fixed=True, position=(0.255, 0.0, 0.0)))
    scene.add(pl.Body("plate", pl.Box(0.1, 0.8, 0.8), position=(-0.255, 0.0, 0.0),
                      motion=pl.Motion([0.0, 1.0], [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)], smooth=True)))
    world = pl.World(scene)
    world.run(1.5)
    fastest, forces = 0.0, []
    for _ in range(30):
        world.step()
        fastest = max(fastest, float(np.abs(world["balloon"].velocities).max()))
        forces.append((world["plate"].contact_force[0], world["wall"].contact_force[0]))
    plate, wall = np.array(forces).T
    assert fastest < 5e-3  # at which contacts that are swept are taken to have settled: in a substep 0.04 mm
    # what vertices still bring along, all of them at that speed and stopped within a step
    carried = world["balloon"].mass * 5e-3 / world.dt
    assert np.abs(plate + wall).max() <= carried
    assert np.ptp(wall) <= carried
    assert wall.min() > PRESSURE * 0.01  # pressed on more than 0.01 m2
