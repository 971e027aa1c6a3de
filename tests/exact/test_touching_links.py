"""What touches and what joints do add up: bodies on joints change their momenta by both, and by weight, to the last digits.

A contact pushes before the move of a substep and after it, along normals that turn with the links in between. Oracle: Newton.
"""

import numpy as np
import pytest
from seeds import MACHINES

import pliant as pl

SHARE = 1e-9
"""Of the largest force that acted: rounding, of sums over substeps and of solves."""
STEPS, TURNS = 60, 0.31
"""The control turns about after so long [s]."""
LINK, LOOSE = (pl.Box(0.08, 0.06, 0.3), pl.Capsule(0.04, 0.3)), (pl.Box(0.1, 0.1, 0.1), pl.Capsule(0.04, 0.2), pl.Sphere(0.07),
                                                              pl.Cylinder(0.06, 0.15))


def chain(case: int, substeps: int) -> tuple[pl.World, int]:
    """One to three driven links under one to three loose bodies."""
    rng, scene, parent = np.random.default_rng([MACHINES, case]), pl.Scene(), pl.WORLD
    scene.add(pl.Control("u", -1, 1))
    links = int(rng.integers(1, 4))
    for k in range(links):
        link = scene.add(pl.Body(f"link{k}", LINK[rng.integers(2)], mass=float(rng.uniform(0.5, 3)),
                                 position=(0.4 * k + 0.2, 0, 0), quaternion=(0.5**0.5, 0, 0.5**0.5, 0),
                                 friction=float(rng.choice([0.0, 0.5]))))
        motor = pl.VelocityMotor({"u": float(rng.uniform(2, 12))}, max_effort=float(rng.uniform(5, 100)))
        scene.add(pl.Revolute(f"joint{k}", parent, link, anchor=(0.4 * k, 0, 0), axis=np.eye(3)[rng.integers(3)],
                              motor=motor if rng.random() < 0.7 else None))
        parent = link
    for k in range(rng.integers(1, 4)):
        place = (float(rng.uniform(0, 0.4 * links)), float(rng.uniform(-0.1, 0.1)), 0.13 + 0.17 * k)
        scene.add(pl.Body(f"loose{k}", LOOSE[rng.integers(4)], mass=float(rng.uniform(0.3, 3)), position=place))
    return pl.World(scene, substeps=substeps, threads=1), links


@pytest.mark.parametrize("substeps", [2, 8])
def test_forces_add_up(substeps):
    """Oracle: m dv/dt of every body is what its contacts and its joints say, and its weight."""
    touched = 0
    for case in range(20):
        world, links = chain(case, substeps)
        bodies, largest = [world[name] for name in world.body_names], 1.0
        for step in range(STEPS):
            world.control["u"] = 1.0 if int(step * world.dt / TURNS) % 2 else -1.0
            before = [body.velocity for body in bodies]
            world.step()
            said = {body.name: body.contact_force for body in bodies}
            touched += any(said[f"link{k}"].any() for k in range(links))
            for k in range(links):
                force = world[f"joint{k}"].force
                said[f"link{k}"] = said[f"link{k}"] + force
                if k:
                    said[f"link{k - 1}"] = said[f"link{k - 1}"] - force
            felt = {body.name: body.mass * ((body.velocity - then) / world.dt - world.scene.gravity)
                    for body, then in zip(bodies, before, strict=True)}
            largest = max(largest, *(np.abs(force).max() for force in said.values()))
            missed = max(np.abs(said[name] - felt[name]).max() for name in said)
            assert missed <= SHARE * largest, f"case {case}, t = {world.time:.3f} s"
    assert touched > 100
