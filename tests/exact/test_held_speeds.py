"""A motor that holds a speed turns its joint by speed times time, friction that sticks not at all, whatever else swings.

Oracles: q = q0 + w t; order of convergence; conservation.
"""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

DT, STEPS, SPIN, RATE = 1 / 60, 30, 8.0, 1.5
HELD = 1e-8
"""How far [rad] a substep may be off its way: at less aiming ends."""


BESIDE = {"nothing": (), "a latch that waits": (pl.Latch("latch", "joint1", at=3.0, hold=1.0),),
          "a coil": (pl.JointSpring("coil", "joint0", 1e-3),),
          "a spring": (pl.Spring("spring", pl.WORLD, "link0", stiffness=1e-3, rest_length=1.0),)}


def whirl(substeps: int, drive: dict, beside=()) -> pl.World:
    """Three flat links that whirl about an upright axle, which pulls at the two hinges between them as it speeds up."""
    scene, parent = pl.Scene(), pl.WORLD
    for k in range(3):
        centre = np.array([0.4 * k + 0.2, 0, 0])
        link = scene.add(pl.Body(f"link{k}", pl.Box(0.3, 0.1, 0.08), mass=1.0, position=centre, collide=False,
                                 angular_velocity=(0, 0, SPIN), velocity=np.cross((0, 0, SPIN), centre)))
        scene.add(pl.Revolute(f"joint{k}", parent, link, anchor=(0.4 * k, 0, 0),
                              axis=((0, 0, 1), (1, 0, 1), (0, 1, 0))[k], **(drive if k else {})))
        parent = link
    for thing in beside:
        scene.add(thing)
    return pl.World(scene, dt=DT, substeps=substeps, threads=1)


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("substeps", [1, 2, 8])
@pytest.mark.parametrize("drive, rate", [({"motor": pl.VelocityMotor(RATE, 1e4)}, RATE), ({"friction": 1e4}, 0.0)],
                         ids=["motor", "friction"])
def test_what_holds_a_speed_goes_its_way(drive, rate, substeps, beside):
    """Its rate is right at the end of a step, but where beside springs some energy was taken out of the motion, as `converged`
    tells; its angle but for what substeps miss."""
    world, missed = whirl(substeps, drive, BESIDE[beside]), 0.0
    for n in range(1, STEPS + 1):
        report = world.step()
        missed += HELD * report.substeps
        for k in (1, 2):
            assert abs(world[f"joint{k}"].angle - rate * n * DT) < missed
            assert world[f"joint{k}"].rate == pytest.approx(rate, abs=1e-9 if report.converged else 1e-4)


def test_it_is_second_order():
    """Angle of the axle, and energy less work, against themselves at a quarter of the substep."""
    angles, gains = [], []
    for substeps in (2, 4, 8, 16):
        world = whirl(substeps, {"motor": pl.VelocityMotor(RATE, 1e4)})
        start = world.energy()
        world.run(STEPS * DT)
        angles.append(float(world["joint0"].angle))
        gains.append(world.energy().total - world.energy().work - start.total)
    changes = np.abs(np.diff(angles))
    assert changes[1:] == pytest.approx(changes[:-1] / 4.0, rel=0.2)
    assert np.abs(gains[1:]) == pytest.approx(np.abs(gains[:-1]) / 4.0, rel=0.2)


@pytest.mark.parametrize("substeps", [8, 16, 64])
def test_violent_machines_gain_little(substeps):
    """Oracle: conservation. Five links that motors and friction hold at 169 rad/s, by 1e5 J back and forth in a step, gained
    3 % of the largest kinetic energy where their work was judged at once, but told by their way."""
    scene, box, round_ = pl.Scene(), pl.Box(0.3, 0.1, 0.08), pl.Capsule(0.04, 0.2)
    for k, (shape, mass) in enumerate(((box, 1.0), (round_, 1.0), (box, 1.0), (round_, 0.61), (box, 1.0))):
        scene.add(pl.Body(f"link{k}", shape, mass=mass, position=(0.4 * k + 0.2, 0, 0), collide=False))
    scene.add(pl.Revolute("joint0", pl.WORLD, "link0", anchor=(0, 0, 0), axis=(0, 1, 0),
                          motor=pl.VelocityMotor(-168.8, float("inf"))))
    scene.add(pl.Universal("joint1", "link0", "link1", anchor=(0.4, 0, 0), axis=(0, 0, 1)))
    scene.add(pl.Cylindrical("joint2", "link1", "link2", anchor=(0.8, 0, 0), axis=(-0.38, -0.2, 0.9), friction=1e12))
    scene.add(pl.Universal("joint3", "link2", "link3", anchor=(1.2, 0, 0), axis=(1, 0, 0)))
    scene.add(pl.Universal("joint4", "link3", "link4", anchor=(1.6, 0, 0), axis=(-0.17, -0.31, -0.94),
                           motor=pl.VelocityMotor(13.8, 1e12)))
    world = pl.World(scene, dt=1 / 120, substeps=substeps, threads=1)
    guard = EnergyGuard(world)
    for _ in range(40):
        world.step()
        guard(world)
