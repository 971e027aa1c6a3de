"""Cloth and solids that touch. Oracles: weight, Coulomb's law, momentum, energy, the symmetry of action and reaction."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl

SOFT = pl.Material(1000.0, 2e5, poisson=0.3)
G = 9.81


def block(name="cube", size=0.1, spacing=0.05, **more) -> pl.Solid:
    return pl.Solid(name, pl.Box(size, size, size), spacing=spacing, **({"material": SOFT} | more))


def pressing(world: pl.World, a: str, b: str) -> np.ndarray:
    """Force of `a` on `b` [N] (3,)."""
    found = world.contacts
    picked = [k for k in range(len(found.a)) if (found.a[k], found.b[k]) == (a, b)]
    return found.force[picked].sum(axis=0)


@pytest.mark.parametrize("method", ["projective", "quasi-newton", "position"])
def test_a_solid_rests_on_the_ground(method):
    """The ground bears its weight, and it does not sink in."""
    scene = pl.Scene(drag=5.0)
    scene.add(pl.Ground())
    scene.add(block(position=(0.0, 0.0, 0.055), method=method))
    world = pl.World(scene, threads=1)
    guard = EnergyGuard(world)
    world.on_step(guard)
    report = world.run(3.0)
    weight = world["cube"].mass * G
    # at rest to what drag 5/s leaves after 3 s, exp(-15) of the speeds at the start
    np.testing.assert_allclose(pressing(world, "ground", "cube"), (0.0, 0.0, weight), rtol=0, atol=1e-4 * weight)
    assert report.penetration < 1e-6
    assert world["cube"].positions[:, 2].min() > -1e-6


@pytest.mark.parametrize(("friction", "slides"), [(0.30, True), (0.45, False)])
def test_a_solid_on_a_slope_slides_beyond_the_angle_of_friction(friction, slides):
    """tan 20 deg = 0.364. Sliding: g (sin a - mu cos a) along the slope; else it stays."""
    angle, seconds = np.radians(20.0), 1.0
    normal = (np.sin(angle), 0.0, np.cos(angle))
    down = np.array([np.cos(angle), 0.0, -np.sin(angle)])
    scene = pl.Scene()
    scene.add(pl.Ground(friction=friction, normal=normal))
    turn = (np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0)
    scene.add(block(friction=0.0, material=pl.Material(1000.0, 2e6, poisson=0.3), quaternion=turn,
                    position=tuple((0.05 * np.array(normal)).tolist()), iterations=40))
    world = pl.World(scene, threads=1)
    start = world["cube"].positions.mean(axis=0)
    world.run(seconds)
    moved = (world["cube"].positions.mean(axis=0) - start) @ down
    expected = 0.5 * G * (np.sin(angle) - friction * np.cos(angle)) * seconds**2 if slides else 0.0
    # settling under its weight shears it by rho g L / G ~ 1e-3 of its size and shifts the start of sliding by a step
    assert moved == pytest.approx(expected, abs=0.02 * max(expected, 0.02))


def test_a_body_is_borne_by_a_solid():
    """Action and reaction: the box feels its weight, the ground both weights."""
    scene = pl.Scene(drag=5.0)
    scene.add(pl.Ground())
    scene.add(block(size=0.2, position=(0.0, 0.0, 0.1)))
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=2.0, position=(0.0, 0.0, 0.251)))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    world.run(3.0)
    both = world["cube"].mass * G + 2.0 * G
    np.testing.assert_allclose(world["box"].contact_force, (0.0, 0.0, 2.0 * G), rtol=0, atol=1e-3 * both)
    np.testing.assert_allclose(pressing(world, "box", "cube"), (0.0, 0.0, -2.0 * G), rtol=0, atol=1e-3 * both)
    np.testing.assert_allclose(pressing(world, "ground", "cube"), (0.0, 0.0, both), rtol=0, atol=1e-3 * both)


def test_equal_cubes_stand_on_each_other():
    """Their vertices coincide, at edges and corners too: the lower bears the upper, which neither slips nor sinks in."""
    scene = pl.Scene(drag=3.0)
    scene.add(pl.Ground())
    for name, height in (("lower", 0.1), ("upper", 0.3)):
        scene.add(block(name, size=0.2, spacing=0.1, position=(0.0, 0.0, height), iterations=40))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    report = world.run(3.0)
    weight = world["upper"].mass * G
    borne = pressing(world, "lower", "upper") - pressing(world, "upper", "lower")
    np.testing.assert_allclose(borne, (0.0, 0.0, weight), rtol=0, atol=1e-2 * weight)  # drag 3/s for 3 s: e^-9, and forces
    press = weight * 0.2 / (2e5 * 0.2**2)  # its own weight presses a cube together by half of this; friction stiffens it
    assert world["upper"].positions.mean(axis=0) == pytest.approx((0.0, 0.0, 0.3 - (1.5 + 0.375) * press), abs=0.5 * press)
    assert report.penetration < 1e-3  # the slop of the guard of energy


def test_walls_that_stand_on_the_ground_press_a_solid_together():
    """The lower edges of the walls lie where its lowest vertices slide: these are pushed along all the same."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(block(size=0.2, spacing=0.1, position=(0.0, 0.0, 0.1)))
    for name, side in (("left", -1.0), ("right", 1.0)):
        scene.add(pl.Body(name, pl.Box(0.05, 0.4, 0.4), mass=1.0, position=(side * 0.13, 0.0, 0.2),
                          motion=pl.Motion([0.0, 1.0, 2.0], positions=[(0.0, 0.0, 0.0), (-side * 0.05, 0.0, 0.0),
                                                                     (-side * 0.05, 0.0, 0.0)])))
    world = pl.World(scene, threads=1)
    world.run(1.5)
    # rows are met to 1e-7 m/s, and 0.3 of a penetration is pushed out in a step of 1/60 s: 1e-7 / 60 / 0.3
    assert np.abs(world["cube"].positions[:, 0]).max() < 0.055 + 6e-9
    weight = world["cube"].mass * G
    np.testing.assert_allclose(world["cube"].contact_force, (0.0, 0.0, weight), rtol=0, atol=1e-3 * weight)


@pytest.mark.parametrize("method", ["projective", "quasi-newton", "position"])
def test_a_collision_in_free_flight_keeps_momentum(method):
    """A solid meets a free ball: linear momentum to rounding, and no energy appears."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add(block(velocity=(2.0, 0.0, 0.0), method=method))
    scene.add(pl.Body("ball", pl.Sphere(0.05), mass=0.5, position=(0.14, 0.01, 0.02)))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    mass = world._engine.model.soft[0].mass
    before = mass @ world["cube"].velocities
    world.run(0.5)
    after = mass @ world["cube"].velocities + 0.5 * world["ball"].velocity
    assert world["ball"].velocity[0] > 0.5
    rounding = 1e-15 * np.abs(before).max() * 30 * 10 * 100  # 30 steps of ten iterations with a hundred impulses each
    np.testing.assert_allclose(after, before, rtol=0, atol=rounding)


def test_cloth_hangs_over_a_ball_that_bears_it():
    """Nothing else touches it: the ball bears its weight, and no vertex is inside."""
    scene = pl.Scene(drag=4.0)
    scene.add(pl.Body("ball", pl.Sphere(0.2), fixed=True))
    scene.add(pl.Cloth("sheet", pl.Sheet(0.4, 0.4, 0.04), thickness=2e-3, position=(0.0, 0.0, 0.202), self_contact=False,
                       friction=1.0))
    world = pl.World(scene, threads=1)
    world.run(3.0)
    weight, borne, before = world["sheet"].mass * G, [], world["sheet"].velocities[:, 2].mean()
    world.run(1.0, each=lambda _: borne.append(pressing(world, "ball", "sheet")[2]))
    gained = world["sheet"].mass * (world["sheet"].velocities[:, 2].mean() - before)
    assert np.mean(borne) == pytest.approx(weight + gained, rel=1e-2)  # drag takes 4/s of what momentum is left
    # what eight sweeps of contacts at vertices and between them leave, of half its thickness
    assert np.linalg.norm(world["sheet"].positions, axis=1).min() > 0.201 - 0.05 * 1e-3


def test_touching_runs_are_the_same_for_all_threads_and_after_a_restore(tmp_path):
    def build():
        scene = pl.Scene()
        scene.add(pl.Ground())
        scene.add(block(position=(0.0, 0.0, 0.06)))
        scene.add(pl.Body("box", pl.Box(0.05, 0.05, 0.05), mass=0.2, position=(0.0, 0.0, 0.15)))
        return scene

    one, two = pl.World(build(), threads=1), pl.World(build(), threads=2)
    one.run(0.2)
    two.run(0.2)
    one.save(tmp_path / "half.world")
    again = pl.World.restore(tmp_path / "half.world")
    assert one.hash() == two.hash() == again.hash()
    one.run(0.2)
    again.run(0.2)
    assert one.hash() == again.hash()


@pytest.mark.parametrize("build", ["falls", "attached", "apart"])
def test_quasi_newton_says_once_that_it_goes_on_as_projective(build):
    """Where it touches or is attached, an event says so, once, and its bits are those of 'projective' from there on."""
    ends = []
    for method in ("quasi-newton", "projective"):
        scene = pl.Scene()
        scene.add(pl.Ground("floor"))
        cube = scene.add(pl.Solid("cube", pl.Box(0.1, 0.1, 0.1), spacing=0.05, material="jelly", method=method,
                                  position=(0.0, 0.0, 0.0501 if build == "falls" else 1.0)))
        if build == "attached":
            load = scene.add(pl.Body("load", pl.Sphere(0.05), mass=1.0, position=(0.0, 0.0, 0.9), collide=False))
            scene.attach(cube.vertices(lambda x: x[:, 2] < -0.049), load)
        world = pl.World(scene, threads=1)
        events = world.run(0.2).events
        said = method == "quasi-newton" and build != "apart"
        assert len(events) == said and all("'cube' touches or is attached" in event for event in events)
        ends.append(world.hash())
    assert (ends[0] == ends[1]) == (build != "apart")


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_pressures_on_a_ball_add_up_to_sizes_and_contact_force_to_the_force(friction):
    """A pad pressed onto a ball. Oracles: the list of contacts, whose pushes have sizes and a sum, which is smaller because
    they point apart; what the pin bears, to a thousandth once it rests."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("ball", pl.Sphere(0.05), fixed=True, position=(0, 0, -0.0501), friction=friction))
    pad = scene.add(pl.Solid("pad", pl.Box(0.08, 0.08, 0.04), spacing=0.01, material="jelly", position=(0, 0, 0.02),
                             friction=friction))
    down = pl.Motion([0, 1], [(0, 0, 0), (0, 0, -0.008)])
    scene.pin(pad.vertices(lambda x: x[:, 2] > 0.0199), name="held", motion=down)
    world = pl.World(scene, threads=1)
    world.run(2.0)
    found, pressed = world.contacts, world["pad"]
    push = np.einsum("ci,ci->c", found.force, found.normal)
    total = pressed.pressure @ pressed.areas
    assert total == pytest.approx(push.sum(), rel=1e-9)
    pushes = np.linalg.norm((push[:, None] * found.normal).sum(axis=0))
    assert total > 1.01 * pushes
    np.testing.assert_allclose(pressed.contact_force, -world["held"].force, rtol=0, atol=1e-3 * total)
    np.testing.assert_allclose(pressed.contact_force, found.force.sum(axis=0), rtol=0, atol=1e-9 * total)
