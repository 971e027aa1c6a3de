"""Few contacts are solved to the end: grips hold within Coulomb's cone and slide beyond it, heavy rests on light."""

from math import atan, cos, sin

import numpy as np
import pytest
from energy import EnergyGuard
from oracle_tools import G, slope

import pliant as pl
from pliant.solvers.rows.contact import SLOP

CORNERS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
HELD = SLOP
"""A sticking contact may creep so far [m] in 5 s: as far as a penetration that is left alone."""


def gripper(force: float, mass: float, mu: float, substeps) -> pl.World:
    """Two fingers on slides, each driven by `force` [N], and a box between them, not touched by anything else."""
    scene = pl.Scene()
    scene.add(pl.Body("palm", pl.Box(0.3, 0.05, 0.02), position=(0, 0, 0.25), fixed=True, collide=False))
    for k, x in enumerate((-1, 1)):
        scene.add(pl.Body(f"finger{k}", pl.Box(0.02, 0.05, 0.2), mass=0.2, position=(x * 0.06, 0, 0.1), friction=mu))
        scene.add(pl.Prismatic(f"slide{k}", "palm", f"finger{k}", axis=(-x, 0, 0), motor=pl.VelocityMotor(0.1, force)))
    scene.add(pl.Body("box", pl.Box(0.1, 0.05, 0.1), mass=mass, position=(0, 0, 0.1), friction=mu))
    return pl.World(scene, threads=1, substeps=substeps)


@pytest.mark.parametrize("substeps", [4, "auto", 16])
@pytest.mark.parametrize(("force", "mass", "mu"), [(30.0, 2.0, 0.6), (30.0, 0.5, 0.6), (60.0, 2.0, 0.6), (30.0, 2.0, 0.8),
                                                  (30.0, 0.95 * 2 * 0.6 * 30.0 / G, 0.6), (5.0, 0.2, 0.4)])
def test_a_grip_holds_what_friction_can_bear(force, mass, mu, substeps):
    """Oracle: statics; 2 mu F > m g, so nothing slides, by 0.95 of the cone in one case. Sideways the fingers push equally
    hard whatever they do: along x the box is free to drift, and only y and z are held."""
    assert 2 * mu * force > mass * G
    world = gripper(force, mass, mu, substeps)
    world.run(0.5)
    start = world["box"].position
    world.run(5.0)
    assert np.abs(world["box"].position - start)[1:].max() < HELD
    assert np.linalg.norm(world["box"].angular_velocity) < 1e-5


@pytest.mark.parametrize("substeps", [4, "auto", 16])
@pytest.mark.parametrize(("force", "mass", "mu"), [(30.0, 1.05 * 2 * 0.6 * 30.0 / G, 0.6), (30.0, 8.0, 0.6), (5.0, 1.0, 0.4)])
def test_a_grip_that_is_too_weak_lets_slide(force, mass, mu, substeps):
    """Oracle: a = g - 2 mu F / m, to 1e-3 of g: friction is friction, and the fingers' impulses are the motors'."""
    world = gripper(force, mass, mu, substeps)
    world.run(0.05)
    before = world["box"].velocity[2]
    world.run(0.1)
    assert (before - world["box"].velocity[2]) / 0.1 == pytest.approx(G - 2 * mu * force / mass, abs=1e-3 * G)


@pytest.mark.parametrize("masses", [(3.0, 30.0), (3.0, 3.0), (30.0, 3.0)])
@pytest.mark.parametrize("share", [0.94, 0.99])
def test_two_boxes_stay_on_a_slope(masses, share):
    """Oracle: Coulomb's law; both stick while tan(alpha) < mu, whichever is heavier."""
    world, down = two_on_a_slope(masses, share * 0.5, 0.5, 0.5)
    start = [world[name].position for name in ("low", "high")]
    world.run(5.0)
    for name, place in zip(("low", "high"), start, strict=True):
        assert abs((world[name].position - place) @ down) < HELD


@pytest.mark.parametrize("masses", [(3.0, 30.0), (3.0, 3.0), (30.0, 3.0)])
def test_two_boxes_slide_as_one(masses):
    """Oracle: g (sin - mu cos), the ground the smoother of the two: the upper one rides along, to what sticking creeps."""
    world, down = two_on_a_slope(masses, 0.5, 0.4, 0.6)
    start = [world[name].position for name in ("low", "high")]
    world.run(2.0)
    alpha = atan(0.5)
    a = G * (sin(alpha) - 0.4 * cos(alpha))
    ahead = a * 2.0 * world.dt / world.substeps
    moved = [(world[name].position - place) @ down for name, place in zip(("low", "high"), start, strict=True)]
    assert moved[0] == pytest.approx(2.0 * a, abs=ahead)
    assert abs(moved[1] - moved[0]) < HELD


def two_on_a_slope(masses, tangent: float, below: float, between: float) -> tuple[pl.World, np.ndarray]:
    """Two flat boxes on each other on a slope; friction of the ground and between them. Also the direction of descent."""
    normal, down, q = slope(atan(tangent))
    scene = pl.Scene()
    scene.add(pl.Ground(normal=tuple(normal), friction=below))
    for name, height, mass, mu in (("low", 0.05, masses[0], 0.0), ("high", 0.15, masses[1], between)):
        scene.add(pl.Body(name, pl.Box(0.2, 0.2, 0.1), mass=mass, position=tuple(height * normal), quaternion=q, friction=mu))
    return pl.World(scene, threads=1), down


@pytest.mark.parametrize("substeps", [4, "auto", 16])
@pytest.mark.parametrize("ratio", [1.0, 10.0, 100.0, 1000.0])
def test_a_heavy_body_rests_on_a_light_one(ratio, substeps):
    """Oracle: rest, within the slop of both faces; each of eight contacts counts as settled within 1e-5 m/s."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for name, z, mass in (("light", 0.1, 1.0), ("heavy", 0.3, ratio)):
        scene.add(pl.Body(name, pl.Box(0.2, 0.2, 0.2), mass=mass, position=(0, 0, z)))
    world = pl.World(scene, threads=1, substeps=substeps)
    world.run(1.0)
    for _ in range(120):
        world.step()
        assert abs(world["heavy"].position[2] - 0.3) < 4e-4
        assert max(np.linalg.norm(world[name].velocity) for name in ("light", "heavy")) < 8e-5
    assert world["light"].contact_force[2] == pytest.approx(G, rel=1e-3)


def tower(*masses: float) -> pl.World:
    """Boxes on each other, the first at the bottom."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k, mass in enumerate(masses):
        scene.add(pl.Body(f"box{k}", pl.Box(0.2, 0.2, 0.2), mass=mass, position=(0, 0, 0.1 + 0.2 * k)))
    return pl.World(scene, threads=1)


def slab(heavy: float, light: float) -> pl.World:
    """A slab on four boxes: 32 contacts."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k, (x, y) in enumerate(CORNERS):
        scene.add(pl.Body(f"box{k}", pl.Box(0.1, 0.1, 0.1), mass=light, position=(0.4 * x, 0.4 * y, 0.05)))
    scene.add(pl.Body("slab", pl.Box(1.0, 1.0, 0.2), mass=heavy, position=(0, 0, 0.2)))
    return pl.World(scene, threads=1)


def table(heavy: float, light: float) -> pl.World:
    """A slab on four legs: one fixed to it, one on a ball, a cross and a hinge each; 16 contacts."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("slab", pl.Box(1.0, 1.0, 0.05), mass=heavy, position=(0, 0, 0.775)))
    for k, ((x, y), joint) in enumerate(zip(CORNERS, (pl.Fixed, pl.Spherical, pl.Universal, pl.Revolute), strict=True)):
        at = (0.45 * x, 0.45 * y)
        scene.add(pl.Body(f"leg{k}", pl.Box(0.05, 0.05, 0.75), mass=light, position=(*at, 0.375)))
        scene.add(joint(f"joint{k}", "slab", f"leg{k}", anchor=(*at, 0.75), axis=(0, 1, 0)))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("build", [
    lambda: tower(1.0, 1.0, 1e3), lambda: tower(1.0, 10.0, 100.0, 1e3), lambda: tower(3.0, 100.0, 0.1, 1e3),
    lambda: slab(10.0, 1.0), lambda: slab(1e3, 1.0), lambda: slab(1e4, 0.1), lambda: table(50.0, 1.0), lambda: table(1e3, 1.0),
], ids=["tower", "tower upside down", "tower with a thin layer", "slab of 10", "slab of 1e3", "slab of 1e5", "table of 50",
        "table of 1e3"])
def test_a_heavy_body_rests_on_many_light_ones(build):
    """Oracle: rest, within the slop of each face below; energy by the helper."""
    world = build()
    places = {name: world[name].position for name in world.body_names}
    world.on_step(EnergyGuard(world))
    for _ in range(120):
        world.step()
        for name, place in places.items():
            assert np.abs(world[name].position - place).max() < 4 * SLOP
    assert world.energy().kinetic < 1e-5 * world.energy().gravity


@pytest.mark.parametrize("substeps", [4, "auto", 16])
@pytest.mark.parametrize(("side", "height"), [(1.0, 3.0), (0.2, 1.0)])
def test_what_falls_flat_stays_in_place(side, height, substeps):
    """Oracle: symmetry; all that could tell one side from another is rounding, and what Newton's method leaves, 1e-9 m/s of the
    speed met with in each substep of an impact: 1e-5 of the side is a hundred times that."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("cube", pl.Box(side, side, side), mass=1000 * side**3, position=(0, 0, height + side / 2)))
    world = pl.World(scene, threads=1, substeps=substeps)
    world.on_step(EnergyGuard(world))
    world.run(3.0)
    assert np.abs(world["cube"].position[:2]).max() < 1e-5 * side
    assert np.abs(world["cube"].quaternion[1:]).max() < 1e-5
    assert world["cube"].position[2] == pytest.approx(side / 2, abs=2e-4)


@pytest.mark.parametrize("gravity", [0.0, G])
@pytest.mark.parametrize("force", [5.0, 20.0, 1000.0])
def test_fingers_that_meet_press_as_their_motors_do(force, gravity):
    """Oracle: statics; two motors at one speed against each other are both at their bound, and so is what they press with.
    Neither gives way to the other: they stay in the middle, to what contacts leave of a penetration, at rest, to what counts as
    settled in both."""
    scene = pl.Scene(gravity=(0, 0, -gravity))
    scene.add(pl.Body("palm", pl.Box(0.3, 0.1, 0.05), mass=2.0, position=(0, 0, 0.3), collide=False))
    scene.add(pl.Prismatic("lift", pl.WORLD, "palm", axis=(0, 0, 1), motor=pl.PositionMotor(0.0, 2e4, 1e3)))
    for k, x in enumerate((-1, 1)):
        scene.add(pl.Body(f"finger{k}", pl.Box(0.02, 0.08, 0.2), mass=0.2, position=(x * 0.02, 0, 0.12)))
        scene.add(pl.Prismatic(f"slide{k}", "palm", f"finger{k}", axis=(-x, 0, 0), anchor=(x * 0.02, 0, 0.2),
                               motor=pl.VelocityMotor(0.05, force)))
    world = pl.World(scene, threads=1)
    world.run(0.5)
    for _ in range(60):
        world.step()
        for k, x in enumerate((-1, 1)):
            assert world[f"finger{k}"].position[0] == pytest.approx(x * 0.01, abs=SLOP)
            assert abs(world[f"finger{k}"].velocity[0]) < 2e-5
            assert world[f"slide{k}"].effort == pytest.approx(force, rel=1e-6)
            assert world[f"finger{k}"].contact_force[0] == pytest.approx(x * force, rel=1e-3)


@pytest.mark.parametrize("shape", [pl.Box(0.2, 0.2, 0.2), pl.Sphere(0.1)], ids=["box", "ball"])
@pytest.mark.parametrize("turning", [False, True], ids=["press", "arm"])
def test_a_motor_without_bound_stalls_at_the_ground(shape, turning):
    """Oracle: the ground does not give way, within twice the slop of contacts; nor is the motor's effort infinite."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("tool", shape, mass=1.0, position=(0, 0, 0.15)))
    joint = {"anchor": (-1, 0, 0.15), "axis": (0, 1, 0)} if turning else {"axis": (0, 0, -1)}
    kind, motor = pl.Revolute if turning else pl.Prismatic, pl.VelocityMotor(0.5, np.inf)
    scene.add(kind("drive", pl.WORLD, "tool", motor=motor, **joint))
    world = pl.World(scene, threads=1)
    for _ in range(60):
        assert world.step().penetration < 2 * SLOP
    lowest = world["tool"].position[2] - 0.1
    assert -2 * SLOP <= lowest <= (0.02 if turning else SLOP), "it has come down, and not through"
    assert abs(world["drive"].rate) < 1e-3
    assert np.isfinite(world["drive"].effort)


@pytest.mark.parametrize(("heavy", "light"), [(1e3, 0.1), (1e4, 0.1)])
def test_a_table_on_straws_adds_no_energy(heavy, light):
    """Oracle: conservation. Legs of 1e-5 of the weight are beyond what is solved; 2 s add no energy to that at the start."""
    world = table(heavy, light)
    start = world.energy().total
    for _ in range(120):
        assert world.step().energy.total <= start * (1.0 + 1e-9)


@pytest.mark.parametrize(("heavy", "light"), [(1e3, 0.1), (1e4, 0.1)])
def test_a_braced_table_on_straws_stays_finite(heavy, light):
    """Two legs fixed to each other, a loop: it comes down, but a world whose numbers are not finite would raise."""
    scene = table(heavy, light).scene
    scene.add(pl.Fixed("brace", "leg0", "leg1", anchor=(0, 0.45, 0.3)))
    world = pl.World(scene, threads=1)
    assert np.isfinite(world.run(2.0).energy.total)
