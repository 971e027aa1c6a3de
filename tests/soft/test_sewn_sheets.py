"""Sheets that lie in one place part to one side: contacts of the one with the other say the same as the other way round."""

import numpy as np
import pytest

import pliant as pl

THICKNESS, WIDTH, HEIGHT, CELL = 0.002, 0.4, 0.5, 0.05


def sheet(turned: bool, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """A sheet around an axle along y, or flat, its triangles `turned` over."""
    across, along = (np.linspace(-0.5, 0.5, round(size / CELL) + 1) * size for size in (WIDTH, HEIGHT))
    x, y = (one.ravel() for one in np.meshgrid(across, along, indexing="ij"))
    place = np.stack([x, y, 0 * x], axis=1) if radius == 0.0 else np.stack(
        [radius * np.sin(x / radius), y, radius * np.cos(x / radius)], axis=1)
    n = len(along)
    first = (np.arange(len(across) - 1)[:, None] * n + np.arange(n - 1)).ravel()
    corners = (first, first + n, first + 1), (first + 1, first + n, first + n + 1)
    face = np.concatenate([np.stack(three, axis=1) for three in corners])
    return place, face[:, ::-1] if turned else face


@pytest.mark.parametrize("radius", [0.0, 0.1])
@pytest.mark.parametrize("turned", [False, True])
def test_contacts_agree(turned, radius):
    """Oracle: all lead from the first sheet to the second along the same side of the first; moved by rounding, too."""
    rng, scene = np.random.default_rng(5), pl.Scene(gravity=(0, 0, 0))
    for name, over in (("one", False), ("two", turned)):
        place, face = sheet(over, radius)
        scene.add(pl.Cloth(name, (place + 1e-15 * rng.normal(size=place.shape), face), thickness=THICKNESS))
    world = pl.World(scene)
    world.step()
    contacts = world._engine.state.soft_contacts
    count, second = contacts.count[0], world._index["soft"]["two"].first
    point, normal, mover = contacts.position[:count], contacts.normal[:count], contacts.mover[:count]
    between = (mover[:, 0] < second) != (mover[:, 3] < second)
    towards = normal[between] * np.where(mover[between, 3] >= second, 1.0, -1.0)[:, None]
    out = np.tile((0.0, 0.0, 1.0), (between.sum(), 1)) if radius == 0.0 else point[between] * (1, 0, 1) / radius
    side = (towards * out).sum(axis=1)
    assert between.sum() >= 2 * len(place), "all vertices touch"
    assert (side > 0.5).all() or (side < -0.5).all()


def test_sewn_sheets_hang():
    """Two that are sewn along three edges, as a pocket. Oracles: they part by their thickness, and gain no more than it takes
    to lift them by that."""
    scene = pl.Scene()
    one, two = (scene.add(pl.Cloth(name, pl.Sheet(WIDTH, HEIGHT, CELL), thickness=THICKNESS, position=(0, 0, 1),
                                   quaternion=(np.sqrt(0.5), np.sqrt(0.5), 0, 0))) for name in ("one", "two"))
    x, y = one.rest[:, 0], one.rest[:, 1]
    edges = np.flatnonzero((np.abs(x) > WIDTH / 2 - 1e-6) & (y < HEIGHT / 2 - 1e-6) | (y < 1e-6 - HEIGHT / 2))
    scene.attach(one.vertices(edges), two.vertices(edges))
    scene.pin(one.vertices(y > HEIGHT / 2 - 1e-6), name="pin")
    world = pl.World(scene)
    energy = world.energy()
    low, rise = energy.total - energy.work, 0.0
    for _ in range(30):
        report = world.step()
        own = report.energy.total - report.energy.work
        rise, low = max(rise, own - low), min(low, own)
    middle = (np.abs(x) < 0.11) & (np.abs(y) < 0.11)
    apart = np.abs((world["one"].positions - world["two"].positions)[middle, 1])
    assert report.penetration < 0.01 * THICKNESS
    assert apart.min() > 0.99 * THICKNESS
    assert rise < 9.81 * (world["one"].mass + world["two"].mass) * THICKNESS
    assert report.substeps <= 2, "no step is taken again"
