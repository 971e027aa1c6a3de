"""What slides over cloth and solids without friction goes on: vertices of a flat surface do not stop it, steps in it do."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import pliant as pl

CORNERS = np.array([[x, y, z] for x in (-0.08, 0.08) for y in (-0.08, 0.08) for z in (-0.08, 0.08)])
HULL = ConvexHull(CORNERS)
ACROSS = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
SHAPES = {"box": (pl.Box(0.16, 0.16, 0.16), (1, 0, 0, 0)), "turned": (pl.Box(0.16, 0.16, 0.16), (0.96, 0, 0, 0.28)),
          "puck": (pl.Cylinder(0.08, 0.16), (1, 0, 0, 0)), "lying": (pl.Cylinder(0.08, 0.16), ACROSS),
          "hull": (pl.Mesh((CORNERS, HULL.simplices)), (1, 0, 0, 0))}
LENGTH, CELL, TIME = 1.6, 0.05, 0.6


def slab(scene: pl.Scene, material: str = "rubber", friction: float = 0.0, spacing: float = CELL) -> None:
    """Pinned at its bottom, its upper side at 0.1 m."""
    solid = scene.add(pl.Solid("slab", pl.Box(LENGTH, 0.3, 0.1), spacing=spacing, material=material, position=(0, 0, 0.05),
                               friction=friction))
    scene.pin(solid.vertices(lambda x: x[:, 2] < -0.049))


def sliding(scene: pl.Scene, shape: str, friction: float = 0.0, x: float = -0.6) -> None:
    """1 kg at 1 m/s, on 0.1 m."""
    form, turned = SHAPES[shape]
    scene.add(pl.Body("body", form, mass=1, position=(x, 0, 0.18), quaternion=turned, velocity=(1, 0, 0), friction=friction))


def level_force(world: pl.World) -> float:
    """The most that a contact pushes along x [N]."""
    return float(np.abs(world.contacts.force[:, 0]).max(initial=0.0))


def given_up(material: str, mass: float = 1.0) -> float:
    """The most speed [m/s] that what slides at 1 m/s loses in TIME: where it stands on one row of cells the slab gives way by
    w = p d / E, and each of the TIME / CELL rows that it passes may keep its weight times that."""
    sinks = mass * 9.81 / (CELL * 0.16) * 0.1 / pl.Material.preset(material).young
    return TIME / CELL * 9.81 * sinks


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("dt", "substeps"), [(1 / 60, "auto"), (1 / 60, 8), (1 / 480, 1)])
def test_bodies_slide_over_a_slab(shape, dt, substeps):
    """Oracle: no force along x, so 1 m/s, less what the slab keeps, or gives back, as it gives way (`given_up`)."""
    scene = pl.Scene()
    slab(scene)
    sliding(scene, shape)
    world = pl.World(scene, dt=dt, substeps=substeps)
    world.run(TIME)
    assert abs(world["body"].velocity[0] - 1.0) <= given_up("rubber")


def test_friction_alone_brakes():
    """Oracle: 1 m/s - mu g t."""
    scene = pl.Scene()
    slab(scene, friction=0.05)
    sliding(scene, "box", friction=0.05)
    world = pl.World(scene)
    world.run(TIME)
    assert abs(world["body"].velocity[0] - (1.0 - 0.05 * 9.81 * TIME)) <= given_up("rubber")


def test_a_box_slides_over_a_sheet():
    """Oracle: 1 m/s. The sheet sags by 6 mm below the box, and what moves it down ahead is lost in implicit steps where it
    rises behind: as much as the box has fallen with it, once for each of its lengths, m g w TIME v / 0.16 m at most."""
    scene = pl.Scene()
    sheet = scene.add(pl.Cloth("sheet", pl.Sheet(LENGTH, 0.3, CELL), thickness=0.01, material="rubber", position=(0, 0, 0.095),
                               friction=0))
    scene.pin(sheet.vertices(lambda x: np.abs(x[:, 1]) > 0.1))
    sliding(scene, "box")
    world = pl.World(scene)
    world.run(TIME)
    lost = 9.81 * 0.006 * TIME / 0.16  # of v^2 / 2
    assert np.sqrt(1.0 - 2.0 * lost) <= world["body"].velocity[0] <= 1.0
    assert level_force(world) < 0.1 * 9.81


@pytest.mark.parametrize("below", ["slab", "sheet", "seams"])
@pytest.mark.parametrize("above", ["solid", "cloth"])
def test_soft_things_slide_over_soft_ones_and_seams(below, above):
    """Oracle: as of bodies; on bodies 1 m/s to rounding of what lies still across, 1e-3."""
    scene = pl.Scene()
    if below == "slab":
        slab(scene)
    elif below == "sheet":
        sheet = scene.add(pl.Cloth("sheet", pl.Sheet(LENGTH, 0.3, CELL), thickness=0.01, material="rubber",
                                   position=(0, 0, 0.095), friction=0))
        scene.pin(sheet.vertices(lambda x: np.abs(x[:, 1]) > -1.0))
    else:
        for k in range(8):
            scene.add(pl.Body(f"plank {k}", pl.Box(0.2, 0.3, 0.1), fixed=True, position=(-0.7 + 0.2 * k, 0, 0.05), friction=0))
    if above == "solid":
        scene.add(pl.Solid("thing", pl.Box(0.16, 0.16, 0.16), spacing=0.04, material="rubber", position=(-0.6, 0, 0.18),
                           velocity=(1, 0, 0), friction=0))
    else:
        scene.add(pl.Cloth("thing", pl.Sheet(0.16, 0.16, 0.04), thickness=0.004, material="cotton", position=(-0.6, 0, 0.102),
                           velocity=(1, 0, 0), friction=0))
    world = pl.World(scene)
    world.run(TIME)
    lost = given_up("rubber", 5.0) if below == "slab" else 1e-3
    assert abs(world["thing"].velocities[:, 0].mean() - 1.0) <= lost


@pytest.mark.parametrize("height", [0.002, 0.01, 0.04])
@pytest.mark.parametrize("above", ["body", "solid"])
def test_a_step_stops_what_slides(height, above):
    """Oracle: rubber that stands `height` higher ahead is no seam, and takes all speed from what comes to it, but for a tenth:
    implicit steps are longer than the push of a bounce lasts."""
    scene = pl.Scene()
    slab(scene)
    high = scene.add(pl.Solid("step", pl.Box(0.4, 0.3, 0.1 + height), spacing=CELL, material="rubber",
                              position=(0.2, 0, 0.5 * (0.1 + height)), friction=0))
    scene.pin(high.vertices(lambda x: x[:, 2] < -0.5 * (0.1 + height) + 1e-3))
    if above == "body":
        sliding(scene, "box", x=-0.2)
    else:
        scene.add(pl.Solid("body", pl.Box(0.16, 0.16, 0.16), spacing=0.04, material="rubber", position=(-0.2, 0, 0.18),
                           velocity=(1, 0, 0), friction=0))
    world = pl.World(scene)
    world.run(0.25)
    speed = world["body"].velocity[0] if above == "body" else world["body"].velocities[:, 0].mean()
    assert speed < 0.1
