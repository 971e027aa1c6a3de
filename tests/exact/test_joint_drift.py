"""Joints of every kind stay closed while an arm is driven hard, and no energy is pumped in."""

from math import degrees

import numpy as np
from energy import EnergyGuard
from oracle_tools import turned

import pliant as pl

LINK = 0.3  # [m]
KINDS = (pl.Revolute, pl.Universal, pl.Cylindrical, pl.Prismatic, pl.Revolute, pl.Fixed, pl.Spherical)
AXES = ((0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0), (1, 0, 0))
EFFORTS = (60.0, 60.0, 200.0, 200.0, 20.0, None, None)
SPEEDS = (4.0, 4.0, 1.0, 1.0, 8.0, 0.0, 0.0)
SECOND = (1, 0, 0)  # the cross's other axis, which the child carries
LIMITS = (None, None, (-0.1, 0.1), (-0.1, 0.1), (-2.0, 2.0), None, (0.0, 1.0))


def arm() -> pl.World:
    """Seven links along x, a joint of each kind between them, all motors on one control."""
    scene = pl.Scene()
    scene.add(pl.Control("slam", -1.0, 1.0))
    before = pl.WORLD
    for k, (kind, axis, effort, speed, limits) in enumerate(zip(KINDS, AXES, EFFORTS, SPEEDS, LIMITS, strict=True)):
        name = f"link{k}"
        scene.add(pl.Body(name, pl.Box(LINK, 0.05, 0.04), mass=1.0, position=((k + 0.5) * LINK, 0, 0), collide=False))
        motor = None if effort is None else pl.VelocityMotor({"slam": speed}, max_effort=effort)
        more = {"axis2": SECOND} if kind is pl.Universal else {}
        scene.add(kind(f"joint{k}", before, name, anchor=(k * LINK, 0, 0), axis=axis, motor=motor, limits=limits, **more))
        before = name
    return pl.World(scene)


class Gauge:
    """Gap [m] and slant [deg] of a joint, from the bodies' poses and the joint's axis at the start alone."""

    def __init__(self, world: pl.World, k: int) -> None:
        self.world, self.kind, self.joint = world, KINDS[k], f"joint{k}"
        self.parent, self.child = (f"link{k - 1}" if k else None), f"link{k}"
        self.axis = np.array(AXES[k], float)

    def frames(self):
        """Quaternions of parent and child; all links start unturned."""
        start = np.array([1.0, 0, 0, 0])
        return (start if self.parent is None else self.world[self.parent].quaternion), self.world[self.child].quaternion

    def gap(self) -> float:
        a, b = self.world[self.joint].anchors
        d = b - a
        if self.kind in (pl.Prismatic, pl.Cylindrical):
            along = turned(self.frames()[0], self.axis)
            d = d - along * (d @ along)
        return float(np.linalg.norm(d))

    def slant(self) -> float:
        p, q = self.frames()
        if self.kind in (pl.Revolute, pl.Cylindrical):
            return degrees(np.linalg.norm(np.cross(turned(p, self.axis), turned(q, self.axis))))
        if self.kind in (pl.Prismatic, pl.Fixed):
            return degrees(2 * np.linalg.norm([(turned(p, e) - turned(q, e)) / 2 for e in np.eye(3)]))
        if self.kind is pl.Universal:
            return degrees(abs(turned(p, self.axis) @ turned(q, SECOND)))
        return 0.0


def test_joints_stay_closed_under_hard_driving():
    """Oracle: the joints' own geometry, 0.1 mm and 0.1 degrees; and E - W never above its start.

    All motors slam from full speed one way to full speed the other, about twice a second, out of step with the swing.
    """
    world, seconds = arm(), 60.0
    gauges = [Gauge(world, k) for k in range(len(KINDS))]
    world.on_step(EnergyGuard(world))
    gap = slant = 0.0
    travelled, before = 0.0, 0.0
    for n in range(round(seconds / world.dt)):
        world.control["slam"] = 1.0 if int(world.time / 0.23) % 2 else -1.0
        world.step()
        if n % 3 == 0:
            gap, slant = max(gap, *(g.gap() for g in gauges)), max(slant, *(g.slant() for g in gauges))
        travelled += abs(world["joint0"].angle - before)
        before = world["joint0"].angle
    assert travelled > 0.5 * seconds, "the arm has been driven"
    assert gap <= 1e-4
    assert slant <= 0.1
