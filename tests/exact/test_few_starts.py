"""Contacts and drives that rest are solved from where the same solve of the substep before has ended: in a step or two."""

import os
import subprocess
import sys

import pliant as pl

COUNT = """
import sys
import pliant as pl
from pliant.solvers.rows import few_newton
steps, step = [], few_newton.step_towards
few_newton.step_towards = lambda *given: steps.append(1) or step(*given)
world = pl.World.restore(sys.argv[1])
report = world.step()
assert report.converged
print(report.substeps, len(steps))
"""


def lying() -> pl.World:
    """A trunk and an arm of two links with friction and limits in its joints, thrown on the ground."""
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.6))
    scene.add(pl.Body("trunk", pl.Box(0.2, 0.35, 0.5), mass=30, position=(0, 0, 0.3)))
    scene.add(pl.Body("arm", pl.Capsule(0.05, 0.2), mass=2.0, position=(0, 0.25, 0.4)))
    scene.add(pl.Spherical("shoulder", "trunk", "arm", anchor=(0, 0.25, 0.52), axis=(0, 0, 1), limits=(0, 1.6), friction=0.5))
    scene.add(pl.Body("forearm", pl.Capsule(0.04, 0.2), mass=1.5, position=(0, 0.25, 0.12)))
    scene.add(pl.Revolute("elbow", "arm", "forearm", anchor=(0, 0.25, 0.26), axis=(0, 1, 0), limits=(-2.2, 0), friction=0.5))
    world = pl.World(scene, dt=1 / 60)
    for name in world.body_names:
        world[name].velocity, world[name].angular_velocity = (1.0, 0.5, 0), (0.5, 2.0, 0)
    return world


def test_what_rests_takes_few_steps_of_newtons_method(tmp_path):
    """Each substep solves twice, for where bodies go and for their speeds. From what it found before each needs one step, and
    one more where a drive stands just at its bound; the first of a step does not know, and may take NEWTON_STEPS. It was 79."""
    world = lying()
    world.run(4.0)
    assert world.energy().kinetic < 1e-6 and len(world.contacts.a) > 4
    world.save(tmp_path / "lying")
    told = subprocess.run([sys.executable, "-c", COUNT, str(tmp_path / "lying")], capture_output=True, text=True, check=True,
                          env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    substeps, steps = map(int, told.stdout.split())
    assert steps <= 6 + 2 * (2 * substeps - 1)
