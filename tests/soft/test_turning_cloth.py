"""Cloth keeps its turn, alone, on a hub and on a pole, at defaults. Oracles: angular momentum, the energy of a rigid body, a
run in short substeps."""

import numpy as np
import pytest

import pliant as pl
from pliant.solvers.projective.loose import LooseFrame

H = 1.0 / 60.0


def sheet(scene: pl.Scene, width: float, cell: float, **where):
    return scene.add(pl.Cloth("cloth", pl.Sheet(width, width, cell), thickness=0.002, material="cotton", collide=False,
                              self_contact=False, **where))


def spin_of(world: pl.World) -> np.ndarray:
    """Angular momentum of the cloth about the origin [kg m2/s] (3,)."""
    mass, cloth = world._engine.model.soft[0].mass, world["cloth"]
    return (mass[:, None] * np.cross(cloth.positions, cloth.velocities)).sum(axis=0)


@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0)])
def test_a_sheet_spins_on(axis):
    """About its normal and about a line in it: both are principal axes, so nothing changes, to what pulls stretch it by.

    Of rates w implicit Euler takes (w h)^2 in every step.
    """
    scene = pl.Scene(gravity=(0, 0, 0))
    sheet(scene, 0.4, 0.05)
    world = pl.World(scene)
    world["cloth"].velocities = np.cross(5.0 * np.array(axis), world["cloth"].positions)
    spin, energy = spin_of(world), world.energy().total
    world.run(1.0)
    assert spin_of(world) == pytest.approx(spin, rel=1e-9, abs=1e-9 * np.abs(spin).max())
    assert world.energy().total == pytest.approx(energy, rel=(5.0 * H) ** 2)


def test_a_sheet_that_spins_and_bends_is_where_short_substeps_have_it():
    """Errors become less with substeps, and are below a twentieth of the way that its corners go (before: 0.76 m of 3.4)."""
    places = []
    for substeps in (1, 4, 64):
        scene = pl.Scene(gravity=(0, 0, 0))
        sheet(scene, 0.6, 0.1, iterations=40)
        world = pl.World(scene, substeps=substeps)
        x = world["cloth"].positions
        world["cloth"].velocities = np.cross((0, 0, 8.0), x) + np.sin(9.0 * x[:, :1]) * (0, 0, 0.5)
        world.run(1.0)
        places.append(world["cloth"].positions)
    coarse, finer = (np.abs(one - places[2]).max() for one in places[:2])
    assert finer < coarse < 0.05 * 8.0 * 0.3 * np.sqrt(2.0)


class Hub:
    """A cylinder along z in empty space, with a sheet, moved by `aside` [m], attached to it near its axis."""

    def __init__(self, aside: float, radius: float, mass: float, torque: float = 0.0, rate: float = 0.0, hinged: bool = False):
        scene = pl.Scene(gravity=(0, 0, 0))
        cloth = sheet(scene, 0.4, 0.05, position=(aside, 0, 0))
        body = scene.add(pl.Body("hub", pl.Cylinder(radius, 0.02), mass=mass, collide=False))
        scene.attach(cloth.vertices(lambda x: np.abs(x[:, 0] + aside) < 0.051), body)
        if hinged:
            scene.add(pl.Revolute("hinge", pl.WORLD, "hub", axis=(0, 0, 1)))
        if torque:
            scene.add(pl.Load("load", "hub", torque=(0, 0, torque)))
        self.world, self.mass, self.disc = pl.World(scene), mass, 0.5 * mass * radius**2
        own = self.world._engine.model.soft[0].mass
        arm = self.world["cloth"].positions
        self.inertia = self.disc + float(own @ (arm[:, :2] ** 2).sum(axis=1))
        self.world["cloth"].velocities = np.cross((0, 0, rate), arm)
        self.world["hub"].angular_velocity = (0, 0, rate)

    def spin(self) -> float:
        """Angular momentum about the origin, along z [kg m2/s]."""
        hub = self.world["hub"]
        about = spin_of(self.world) + self.mass * np.cross(hub.position, hub.velocity) + self.disc * hub.angular_velocity
        return float(about[2])


@pytest.mark.parametrize(("aside", "hinged"), [(0.0, False), (0.0, True), (0.2, True), (0.2, False)])
def test_a_torque_turns_cloth_with_what_holds_it(aside, hinged):
    """0.05 N m for a second: before, a tenth of it was left, for a flag on a pole a sixth."""
    hub = Hub(aside, 0.08, 1.0, torque=0.05, hinged=hinged)
    hub.world.run(1.0)
    assert hub.spin() == pytest.approx(0.05, rel=1e-3)
    if aside == 0.0:
        assert hub.world.energy().total == pytest.approx(0.5 * 0.05**2 / hub.inertia, rel=1e-2)


@pytest.mark.parametrize("rate", [5.0, 10.0])
def test_a_flag_spins_on_with_its_pole(rate):
    """In two seconds it changes by less than implicit Euler takes in one step, (w h)^2, in angular momentum and energy."""
    hub = Hub(0.2, 0.01, 0.5, rate=rate, hinged=True)
    spin, energy = hub.spin(), hub.world.energy().total
    hub.world.run(2.0)
    assert hub.spin() == pytest.approx(spin, rel=(rate * H) ** 2)
    assert hub.world.energy().total == pytest.approx(energy, rel=(rate * H) ** 2)


@pytest.mark.parametrize("rate", [5.0, 20.0, 60.0])
@pytest.mark.parametrize("thickness", [0.001, 0.004])
def test_a_sheet_of_steel_spins_on_with_its_hub(thickness, rate):
    """In its plane, which is hard: as a rigid body it keeps its rate, to the stretch rho (w r)^2 / E, 3e-6.

    With rotations of where its substeps began it was stopped from 5 rad/s on, after iterations that came to 1e60 m/s.
    """
    scene = pl.Scene(gravity=(0, 0, 0))
    cloth = scene.add(pl.Cloth("cloth", pl.Sheet(0.4, 0.4, 0.05), thickness, "steel", collide=False, self_contact=False))
    scene.attach(cloth.vertices(lambda x: np.abs(x[:, 0] - 0.2) < 0.051), scene.add(
        pl.Body("hub", pl.Cylinder(0.05, 0.02), mass=0.5, position=(0.2, 0, 0), collide=False)))
    world = pl.World(scene)
    mass = world._engine.model.soft[0].mass
    middle = (mass @ world["cloth"].positions + (0.1, 0, 0)) / (mass.sum() + 0.5)
    around = (0, 0, rate)
    world["cloth"].velocities = np.cross(around, world["cloth"].positions - middle)
    world["hub"].velocity, world["hub"].angular_velocity = np.cross(around, np.array((0.2, 0, 0)) - middle), around
    energy = world.energy().total
    world.run(1.0)
    assert world["hub"].angular_velocity == pytest.approx(np.array(around), abs=1e-5 * rate)
    assert world.energy().total == pytest.approx(energy, rel=2e-5)


def test_rotations_beside_the_factor_answer_torques_exactly():
    """Angular momentum is what forces bring, and what single vertices answer is what all do, the same both ways."""
    scene = pl.Scene(gravity=(0, 0, 0))
    sheet(scene, 0.3, 0.1)
    world = pl.World(scene)
    world["cloth"].velocities = np.sin(20.0 * world["cloth"].positions[:, ::-1])
    world.step()
    block = world._engine.soft.bodies[0].block
    block.work.place[:] = block.position
    frame, mass, count = LooseFrame(block), block.model.vertices.mass, len(block.position)
    arm = block.position - mass @ block.position / mass.sum()
    force = np.random.default_rng(1).normal(size=(count, 3))
    moved = frame.solve(force, np.eye(3))
    inert = mass[:, None] / block.h**2 * moved
    np.testing.assert_allclose(np.cross(arm, inert).sum(axis=0), np.cross(arm, force).sum(axis=0), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(inert.sum(axis=0), force.sum(axis=0), rtol=1e-9, atol=1e-9)
    whole = frame.part(np.arange(count), np.eye(3))
    np.testing.assert_allclose(whole @ force.ravel(), moved.ravel(), rtol=1e-9, atol=1e-9 * np.abs(moved).max())
    np.testing.assert_allclose(whole, whole.T, rtol=0, atol=1e-12 * np.abs(whole).max())
    assert np.linalg.eigvalsh(whole).min() > 0.0
