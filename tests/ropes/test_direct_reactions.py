"""What direct ropes say of forces: true means of a step, along axes that turn, and all that acts at an end."""

import numpy as np
import pytest
from direct import within
from oracles import G

import pliant as pl

DT = 1 / 60


def momentum(world: pl.World, mass: float, body: float) -> np.ndarray:
    """Of a rope of equal elements and a body [N s] (3,)."""
    v = world["r"].velocities
    return mass * 0.5 * (v[1:] + v[:-1]).mean(axis=0) + body * world["b"].velocity


@pytest.mark.parametrize("substeps", [4, 32])
@pytest.mark.parametrize("up", [0.2, 0.6])
def test_a_snatch_is_read_as_what_it_gives(up, substeps):
    """90 kg fall into a rope. Oracle: momentum, in every step: that of the pin's force is what weight does not explain.

    A substep leaves 1e-6 m/s to do, of all that moves; read at the ends of substeps it was off by up to 44 %.
    """
    way, mass, body = np.array([0.0, -np.sqrt(1.0 - up * up), up]), 0.12, 90.0
    scene = pl.Scene()
    scene.add(pl.Rope("r", [(0, 0, 0), way], 12, 0.004, mass=mass, bend=2.0, twist=2.0))
    scene.add(pl.Body("b", pl.Box(0.3, 0.3, 0.3), mass=body, position=way, collide=False))
    scene.pin("r.start", name="pin")
    scene.attach("r.end", "b", clamp=True)
    world = pl.World(scene, dt=DT, substeps=substeps, threads=1)
    before, worst, most = momentum(world, mass, body), 0.0, 0.0
    for _ in range(45):
        world.step()
        now = momentum(world, mass, body)
        told = (now - before) / DT + (mass + body) * np.array([0.0, 0.0, G])
        worst, most, before = max(worst, np.linalg.norm(told - world["pin"].force)), max(most, np.linalg.norm(told)), now
    assert most > 2e3, "it is not snatched any more"
    within("force that momentum does not know [N]", worst, substeps * 1e-6 * (mass + body) / DT)


@pytest.mark.parametrize("spin", [10.0, 40.0])
def test_a_sling_is_pulled_along_and_not_across(spin):
    """Oracle: m v^2 / r of the ball and of the rope outwards of the first element's middle; across a straight rope nothing.

    BDF2 is off by (w h)^2 of a force that turns.
    """
    scene, n, mass = pl.Scene(gravity=(0, 0, 0)), 10, 0.1
    scene.add(pl.Rope("r", [(0, 0, 0), (1, 0, 0)], n + 1, 0.004, mass=mass, bend=0.01, twist=0.01))
    scene.add(pl.Body("b", pl.Sphere(0.01), mass=1.0, position=(1, 0, 0), velocity=(0, spin, 0), angular_velocity=(0, 0, spin)))
    scene.pin("r.start")
    scene.attach("r.end", "b")
    world, x = pl.World(scene, dt=DT, substeps=32, threads=1), np.linspace(0.0, 1.0, n + 1)
    world["r"].velocities = np.outer(x, (0, spin, 0))
    world["r"].angular_velocities = np.tile((0.0, 0.0, spin), (n, 1))
    world.run(0.2)
    turned, middles = float(np.linalg.norm(world["b"].velocity)), 0.5 * (x[1:] + x[:-1])
    outer = np.array([middles[k + 1:].sum() + 0.5 * middles[k] for k in range(n)]) * mass / n  # half an element bears itself
    within("tension", np.abs(world["r"].tension / (turned**2 * (1.0 + outer)) - 1.0).max(), 2.0 * (spin * DT / 32) ** 2)
    within("shear", np.abs(world["r"].shear_force).max() / turned**2, (spin * DT / 32) ** 2)


MOTOR = {"motor": pl.PositionMotor(target=0.0, stiffness=100.0, damping=5.0)}


@pytest.mark.parametrize("kind, axis, options", [
    (pl.Prismatic, (1, 0, 0), MOTOR), (pl.Prismatic, (1, 0, 0), {"limits": (-0.01, 0.01)}),
    (pl.Prismatic, (1, 0, 0), {"friction": 8.0}), (pl.Revolute, (1, 0, 0), MOTOR), (pl.Revolute, (0, 1, 0), MOTOR),
    (pl.Fixed, None, {})])
def test_what_acts_along_a_free_coordinate_counts(kind, axis, options):
    """A body on a rope's end by a joint that a motor, limits or friction hold, and a load on it. Oracle: statics."""
    scene = pl.Scene(gravity=(0, 0, 0), drag=8.0)
    force, torque = (5.0, 0.0, 0.0), (0.2, 0.0, 0.0) if axis != (0, 1, 0) else (0.0, 0.2, 0.0)
    scene.add(pl.Rope("r", [(0, 0, 0), (1, 0, 0)], 11, 0.006, mass=0.3, bend=5.0, twist=1.0))
    scene.pin("r.start", clamp=True, name="pin")
    scene.add(pl.Body("b", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(1.05, 0, 0), collide=False))
    scene.add(kind("j", "r.end", "b", anchor=(1, 0, 0), **({} if axis is None else {"axis": axis}), **options))
    scene.add(pl.Load("l", "b", force=force if kind is not pl.Revolute else (0, 0, 0), torque=torque))
    world = pl.World(scene, threads=1)
    world.run(8.0)
    rope, held = world["r"], world["pin"]
    within("end's force", np.abs(rope.end.force + held.force).max(), 1e-4)
    if kind is not pl.Revolute:
        within("tension", np.abs(rope.tension - 5.0).max(), 1e-4)
    if axis != (0, 1, 0):
        within("twist", np.abs(rope.twisting_moment - 0.2).max(), 1e-4)
        within("end's torque", np.abs(rope.end.torque - torque).max(), 1e-4)
    else:
        within("bend", np.abs(np.linalg.norm(rope.bending_moment, axis=1) - 0.2).max(), 1e-4)


def spring(scene):
    """Fastened beyond the end, by a lever on the last element."""
    scene.add(pl.Spring("s", "r.end", pl.WORLD, 10.0, 1.0, rest_length=0.5, at_a=(0, 0, 0.1), at_b=(1.1, 0, 1.0)))


def joint(kind, swapped=False, **options):
    """A body by a joint a tenth of a metre beside the end, and a load on it."""
    def add(scene):
        scene.add(pl.Body("b", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(1.05, 0, 0.1), collide=False))
        scene.add(kind("j", *(("b", "r.end") if swapped else ("r.end", "b")), anchor=(1, 0, 0.1), **options))
        scene.add(pl.Load("l", "b", force=(5, 0, 0)))
    return add


SLIDE = {"axis": (1, 0, 0), **MOTOR}


@pytest.mark.parametrize("add", [spring, joint(pl.Fixed), joint(pl.Spherical), joint(pl.Prismatic, **SLIDE),
                                 joint(pl.Prismatic, True, **SLIDE), None])
def test_what_acts_beside_an_end(add):
    """At an arm of 0.1 m, also by a joint that has slid 5 cm. Oracle: statics, forces and torques about the clamp."""
    scene = pl.Scene(gravity=(0, 0, 0), drag=8.0)
    scene.add(pl.Rope("r", [(0, 0, 0), (1, 0, 0)], 11, 0.006, mass=0.3, bend=50.0, twist=10.0))
    scene.pin("r.start", clamp=True, name="pin")
    if add is not None:
        add(scene)
    world = pl.World(scene, threads=1)
    for _ in range(480):
        if add is None:
            world.apply_force("r.end", (5, 0, 0), at=world["r"].positions[-1] + (0, 0, 0.1))
        world.step()
    rope, held = world["r"], world["pin"]
    force, torque = ((5.0, 0.0, 0.0), (0.0, 0.5, 0.0)) if add is None else (rope.end.force, rope.end.torque)
    within("force", np.abs(force + held.force).max() / 5.0, 1e-4)
    about = np.cross(rope.positions[-1] - rope.positions[0], force) + torque
    within("torque", np.abs(about + held.torque).max() / 5.0, 1e-4)
    within("bending", abs(np.linalg.norm(rope.bending_moment[-1]) - np.linalg.norm(torque)), 1e-4)
    assert np.linalg.norm(torque) > 0.4
