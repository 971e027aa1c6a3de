"""What starts hard just before cloth or a solid, or is one, stops at it: contacts are sought along the way that it went."""

import numpy as np
import pytest

import pliant as pl
from pliant.collide.meeting import MET
from pliant.collide.soft.work import SLOP

DEPTH = MET * SLOP
"""By which what was met unforeseen may overlap [m]: a step that leads deeper is taken again."""
GAP, MASS, GRAVITY = 0.004, 1.0, 9.81
HALF = {"plate": 0.01, "ball": 0.03, "box": 0.025, "rod": 0.01}
"""Of the bodies that are pushed [m], downwards."""
SHAPES = {"plate": pl.Box(0.3, 0.3, 0.02), "ball": pl.Sphere(0.03), "box": pl.Box(0.05, 0.05, 0.05),
          "rod": pl.Capsule(0.01, 0.3)}
ACROSS = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)


def pushed_to(top: float, shape: str, drive: str, force: float, scene: pl.Scene) -> pl.World:
    """A body over `top` [m], on a rail where a motor drives it, that a `force` [N] pushes down."""
    body = scene.add(pl.Body("body", SHAPES[shape], mass=MASS, position=(0, 0, top + GAP + HALF[shape]),
                             quaternion=ACROSS if shape == "rod" else (1, 0, 0, 0)))
    if drive == "motor":
        scene.add(pl.Prismatic("rail", pl.WORLD, body, axis=(0, 0, -1), motor=pl.VelocityMotor(1e3, force)))
    elif drive == "servo":
        scene.add(pl.Prismatic("rail", pl.WORLD, body, axis=(0, 0, -1), motor=pl.PositionMotor(1.0, force / 0.05, 0.0, force)))
    else:
        scene.add(pl.Load("load", body, force=(0, 0, -force)))
    return pl.World(scene)


def over_a_jelly(shape: str, drive: str, force: float) -> pl.World:
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Solid("soft", pl.Box(0.2, 0.15, 0.1), spacing=0.03, material="jelly", position=(0, 0, 0.0501)))
    return pushed_to(0.1001, shape, drive, force, scene)


def over_a_sheet(shape: str, drive: str, force: float) -> pl.World:
    scene = pl.Scene()
    sheet = scene.add(pl.Cloth("soft", pl.Sheet(0.6, 0.6, 0.05), thickness=0.002))
    scene.pin(sheet.vertices(np.abs(sheet.rest[:, :2]).max(axis=1) > 0.299), name="frame")
    return pushed_to(0.001, shape, drive, force, scene)


def pushes(world: pl.World, steps: int, force: float) -> float:
    """The most [N] by which, in a step, what contacts bear misses the push, the weight and the momentum that was gained."""
    body, missing = world["body"], 0.0
    for _ in range(steps):
        before = body.velocity
        world.step()
        gained = MASS * (body.velocity - before)[2] / world.dt
        missing = max(missing, abs(body.contact_force[2] - GRAVITY * MASS - force - gained))
    return missing


@pytest.mark.parametrize(("drive", "force"), [("motor", 200.0), ("servo", 200.0), ("load", 50.0), ("load", 200.0)])
def test_a_plate_stops_at_a_jelly(drive, force):
    """Oracles: no vertex is deeper in it after any step, where a step alone would lead it force dt^2 / m far; it comes to
    rest on contacts that bear the push and its weight."""
    world = over_a_jelly("plate", drive, force)
    assert force / MASS * world.dt**2 - GAP > 5 * DEPTH
    for _ in range(60):
        world.step()
        assert world["soft"].positions[:, 2].max() - (world["body"].position[2] - HALF["plate"]) < DEPTH
    push = force if drive == "load" else world["rail"].effort
    before = world["body"].velocity[2]
    world.step()
    gained = MASS * (world["body"].velocity[2] - before) / world.dt
    assert abs(world["body"].contact_force[2] - GRAVITY * MASS - push - gained) < 1e-6 * force
    assert abs(gained) < 0.01 * force, "it rests"


@pytest.mark.parametrize(("shape", "force"), [("plate", 200.0), ("ball", 50.0), ("ball", 200.0), ("box", 1000.0),
                                              ("rod", 200.0)])
def test_a_body_stops_at_a_sheet(shape, force):
    """Oracles: in every step, also the first, contacts bear push, weight and what momentum it gained; the frame bears them all
    in the end, and it hangs in the sheet, where a step alone would lead it force dt^2 / m far."""
    world = over_a_sheet(shape, "load", force)
    assert force / MASS * world.dt**2 - GAP > 0.009
    assert pushes(world, 60, force) < 1e-6 * force
    sheet = world["soft"]
    weight = GRAVITY * (MASS + sheet.mass) + force
    moving = sheet.mass * np.abs(sheet.velocities).max() / world.dt + MASS * np.abs(world["body"].velocity).max() / world.dt
    assert abs(world["frame"].force[2] - weight) < 1e-3 * weight + moving
    above = world["body"].position[2] - sheet.positions[:, 2].min()
    assert above > 0.0, "it did not go through"


GROUNDS = {"plane": lambda: pl.Ground(), "box": lambda: pl.Body("slab", pl.Box(1, 1, 0.02), fixed=True, position=(0, 0, -0.01))}


@pytest.mark.parametrize("force", [20.0, 200.0])
@pytest.mark.parametrize("what", ["sheet", "jelly"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_soft_things_that_are_pushed_stop_at_the_ground(ground, what, force):
    """Oracle: no vertex is deeper in the ground after any step, where a step alone would lead them all force dt^2 / m far."""
    scene, half = pl.Scene(), 0.001 if what == "sheet" else 0.0
    scene.add(GROUNDS[ground]())
    if what == "sheet":
        soft = scene.add(pl.Cloth("soft", pl.Sheet(0.4, 0.4, 0.05), thickness=0.002, position=(0, 0, GAP + half)))
    else:
        soft = scene.add(pl.Solid("soft", pl.Box(0.1, 0.1, 0.1), spacing=0.03, material="jelly", position=(0, 0, 0.05 + GAP)))
    scene.add(pl.Load("load", soft.vertices(np.arange(len(soft.rest))), force=(0, 0, -force)))
    world = pl.World(scene)
    soft = world["soft"]
    assert force / soft.mass * world.dt**2 - GAP > 0.9 * DEPTH
    for _ in range(30):
        world.step()
        assert soft.positions[:, 2].min() - half > -DEPTH


def over_a_block(kind: str) -> pl.World:
    """A sheet, drawn suddenly down onto a block below its middle."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(pl.Body("block", pl.Box(0.2, 0.2, 0.02), fixed=True, position=(0, 0, -0.01)))
    sheet = scene.add(pl.Cloth("soft", pl.Sheet(0.4, 0.4, 0.05), thickness=0.002, position=(0, 0, GAP + 0.001)))
    if kind == "grip":
        world = pl.World(scene)
        world.grab("soft", at=(0, 0, GAP)).target = (0, 0, -0.3)
        return world
    for side in (-1, 1):
        edge = sheet.vertices(side * sheet.rest[:, 0] > 0.199)
        if kind == "pins":
            scene.pin(edge, motion=pl.Motion([0, 0.02, 1], [(0, 0, 0), (0, 0, -0.05), (0, 0, -0.05)]), name=f"pin{side}")
        else:
            bar = scene.add(pl.Body(f"bar{side}", pl.Box(0.02, 0.5, 0.02), mass=MASS, position=(0.22 * side, 0, GAP + 0.001)))
            scene.attach(edge, bar)
            scene.add(pl.Prismatic(f"rail{side}", pl.WORLD, bar, axis=(0, 0, -1)))
            scene.add(pl.Load(f"load{side}", bar, force=(0, 0, -500.0)))
    return pl.World(scene)


@pytest.mark.parametrize("kind", ["grip", "pins", "bars"])
def test_sheets_that_are_drawn_stop_at_what_is_below(kind):
    """Oracle: no vertex over the block is deeper in it after any step."""
    world = over_a_block(kind)
    for _ in range(20):
        world.step()
        place = world["soft"].positions
        inside = (np.abs(place[:, :2]).max(axis=1) < 0.1) & (place[:, 2] < 0.001)
        assert (place[inside, 2] - 0.001 > -DEPTH).all()


@pytest.mark.parametrize("above", ["sheet", "jelly"])
def test_soft_things_stop_at_each_other(above):
    """Oracle: no vertex of the middle of the one is below the highest of the other there after any step."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Solid("below", pl.Box(0.2, 0.2, 0.06), spacing=0.03, material="jelly", position=(0, 0, 0.0301)))
    if above == "sheet":
        soft = scene.add(pl.Cloth("above", pl.Sheet(0.12, 0.12, 0.03), thickness=0.002, position=(0, 0, 0.0611 + GAP)))
    else:
        soft = scene.add(pl.Solid("above", pl.Box(0.12, 0.12, 0.06), spacing=0.03, material="jelly",
                                  position=(0, 0, 0.0901 + GAP)))
    scene.add(pl.Load("load", soft.vertices(np.arange(len(soft.rest))), force=(0, 0, -100.0)))
    world = pl.World(scene)
    for _ in range(20):
        world.step()
        high, low = (world[name].positions for name in ("above", "below"))
        middle = [one[np.abs(one[:, :2]).max(axis=1) < 0.04, 2] for one in (high, low)]
        assert middle[0].min() - middle[1].max() > -DEPTH


def beside(near: bool, far: bool) -> pl.World:
    """Plates over jellies, 5 m apart, that are pushed: at once `near` by, later `far` off."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for name, x in [("near", 0.0)] * near + [("far", 5.0)] * far:
        scene.add(pl.Solid(f"{name} jelly", pl.Box(0.2, 0.15, 0.1), spacing=0.03, material="jelly", position=(x, 0, 0.0501)))
        scene.add(pl.Body(name, SHAPES["plate"], mass=MASS, position=(x, 0, 0.1101 + GAP)))
        scene.add(pl.Control(f"{name} push", 0, 1, 0))
        scene.add(pl.Load(f"{name} load", name, force=(0, 0, -200), scale=f"{name} push"))
    return pl.World(scene)


def test_islands_apart():
    """Oracle: each alone, to the bit; they start at different times, so that steps are taken again for one of them."""
    both, worlds = beside(True, True), {"near": beside(True, False), "far": beside(False, True)}
    for k in range(12):
        for world in (both, *worlds.values()):
            for name, first in (("near", 0), ("far", 1)):
                if f"{name} push" in world.control:
                    world.control[f"{name} push"] = float(k >= first)
            world.step()
        for name, alone in worlds.items():
            assert np.array_equal(alone[f"{name} jelly"].positions, both[f"{name} jelly"].positions)
            assert np.array_equal(alone[name].position, both[name].position)


def test_contacts_at_reliefs_that_lead_nowhere_are_left_out():
    """Two cubes thrown at a ball of patches between them are sought again along their way. Oracle: momentum, to rounding."""
    scene = pl.Scene(gravity=(0, 0, 0))
    cubes = (
        ("left", 1359.197009518876, 48381.01437932726, 0.027021871855137, "projective",
         (0.020164224047089903, -0.04350148517655747, 0.01780453907308069),
         (-0.6479209100977371, 0.4461931487627074, 0.28874869234581707, -0.5456504017444881),
         (3.2321990164775576, 0.3157265484752835, 0.21954532593830056)),
        ("right", 251.1364135730443, 26242.390441022824, 0.36773526959999375, "quasi-newton",
         (0.535091228945939, -0.015484980632445152, -0.036365495899783586),
         (0.021126130548072213, 0.549004772086933, -0.6694646090964217, 0.4999645827468342),
         (-5.098783220911694, -0.6127346253435833, 0.1467553609615237)),
    )
    ball = pl.Cloth("ball", pl.PatchMesh.sphere(0.1, 20), thickness=0.001, pressure=500.0, method="quasi-newton",
                    position=(0.2793613275625182, -0.021805681450241886, 0.036476335209661544),
                    quaternion=(-0.07060207811034613, -0.6133725255103638, -0.3286245961569176, -0.714699493714835),
                    velocity=(0.0, -0.43134167021447684, -0.18729885506431754))
    for name, density, young, poisson, method, place, turn, velocity in cubes:
        scene.add(pl.Solid(name, pl.Box(0.14, 0.14, 0.14), material=pl.Material(density, young, poisson=poisson), spacing=0.07,
                           method=method, position=place, quaternion=turn, velocity=velocity))
        if name == "left":
            scene.add(ball)
    world = pl.World(scene, threads=1)
    masses = {name: world._engine.model.soft[one.number].mass for name, one in world._index["soft"].items()}

    def momentum() -> np.ndarray:
        return sum(mass @ world[name].velocities for name, mass in masses.items())

    start = momentum()
    for _ in range(10):
        world.step()
    np.testing.assert_allclose(momentum(), start, atol=1e-9)
