"""Air on cloth in a world. Oracles: the terminal speed of a plate, the stream that is left, work, Laplace's law of a sphere."""

import numpy as np
import pytest
import trimesh

import pliant as pl
from pliant.equations.elastic.air_drag import ACROSS, AIR, ALONG, air_impulse

DENSITY, THICK = 1540.0, 5e-4  # cotton [kg/m3], [m]


def sheet_scene(gravity=(0.0, 0.0, -9.81), wind=(0.0, 0.0, 0.0)) -> pl.Scene:
    scene = pl.Scene(gravity=gravity)
    scene.add(pl.Cloth("sheet", pl.Sheet(0.4, 0.4, 0.1), THICK))
    scene.add(pl.Wind("air", wind))
    return scene


def test_what_users_read_of_the_law_is_the_law():
    assert f"rho = {AIR} kg/m3 of air, c_n = {ACROSS}, c_t = {ALONG}." in pl.Wind.__doc__
    normal, u = np.array((0.0, 0.6, 0.8)), np.array((3.0, -1.0, 2.0))
    across = (u @ normal) * normal
    force = 0.5 * AIR * 0.7 * (ACROSS * np.linalg.norm(across) * across + ALONG * np.linalg.norm(u) * (u - across))
    np.testing.assert_allclose(air_impulse(tuple(normal), 0.7, 1e12, tuple(u), tuple(u), 1e-3), 1e-3 * force, rtol=1e-12)


@pytest.mark.parametrize("substeps", [1, 8])
def test_a_sheet_falls_with_its_terminal_speed(substeps):
    """m g = rho/2 c A v^2, exactly for any substep: where nothing changes the implicit law is the law itself."""
    world = pl.World(sheet_scene(), substeps=substeps, threads=1)
    world.run(4.0)
    speed = np.sqrt(2.0 * DENSITY * THICK * 9.81 / (AIR * ACROSS))
    np.testing.assert_allclose(world["sheet"].velocities, np.tile((0.0, 0.0, -speed), (25, 1)), rtol=0, atol=1e-9 * speed)


@pytest.mark.parametrize(("thickness", "substeps", "method"), [
    (1e-4, 1, "projective"), (1e-4, 8, "projective"), (4e-4, 1, "projective"), (2e-3, 1, "projective"),
    (1e-4, 1, "quasi-newton"), (1e-4, 1, "newton")])
def test_pins_of_a_sail_bear_what_the_wind_does(thickness, substeps, method):
    """Oracle: the law on the shape that it rests in, whatever it weighs and however long the substep (a third, of 50 g/m2).

    What it still moves by, v, changes the law by 2 v/u of itself.
    """
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    sail = scene.add(pl.Cloth("sail", pl.Sheet(1.0, 1.0, 0.1), thickness, pl.Material(500.0, 1e7, poisson=0.3), collide=False,
                              iterations=30, method=method))
    scene.pin(sail.vertices(lambda x: (np.abs(x[:, :2]) > 0.499).any(axis=1)), name="rim")
    scene.add(pl.Wind("wind", (0.0, 0.0, 10.0)))
    world = pl.World(scene, substeps=substeps, threads=1)
    world.run(3.0)
    corner = world["sail"].positions[world["sail"].faces]
    across = 0.5 * np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    area = np.linalg.norm(across, axis=1)
    normal = across / area[:, None]
    wind = np.array([0.0, 0.0, 10.0])
    straight = (normal @ wind)[:, None] * normal
    drag = 0.5 * AIR * (ACROSS * np.abs(normal @ wind) * area) @ straight + 0.5 * AIR * ALONG * 10.0 * area @ (wind - straight)
    speed = np.abs(world["sail"].velocities).max()
    assert speed < 1e-3
    assert np.abs(world["rim"].force + drag).max() < (1e-6 + 2.0 * speed / 10.0) * np.linalg.norm(drag)


@pytest.mark.parametrize("h", [1e-9, 1e-2, 1e2])
def test_the_impulse_on_a_triangle_slows_and_never_turns_the_stream(h):
    """h -> 0: the law itself, across and along; any h: u* / (1 + h k/m) is left of each part."""
    normal, area, mass, u = (0.6, 0.0, 0.8), 0.3, 0.02, np.array([3.0, -2.0, 1.0])
    impulse = np.array(air_impulse(normal, area, mass, tuple(u.tolist()), tuple(u.tolist()), h))
    across = (u @ normal) * np.array(normal)
    rates = 0.5 * AIR * area * np.array([ACROSS * abs(u @ normal), ALONG * np.linalg.norm(u)])
    left = across / (1.0 + h * rates[0] / mass) + (u - across) / (1.0 + h * rates[1] / mass)
    np.testing.assert_allclose(u - impulse / mass, left, rtol=1e-12, atol=1e-14)
    if h < 1e-6:
        np.testing.assert_allclose(impulse / h, rates[0] * across + rates[1] * (u - across), rtol=1e-7)


def test_wind_carries_a_free_sheet_up_to_its_own_speed_and_no_further():
    """Without weight the sheet's speed grows monotonically to the wind's: 1/(1/u0 + k t) for dv/dt = k (w - v)^2."""
    world = pl.World(sheet_scene(gravity=(0.0, 0.0, 0.0), wind=(0.0, 0.0, 5.0)), substeps=8, threads=1)
    rate, speeds = 0.5 * AIR * ACROSS / (DENSITY * THICK), []
    world.run(2.0, each=lambda w: speeds.append(w["sheet"].velocities[:, 2].mean()))
    assert (np.diff(speeds) > 0.0).all() and max(speeds) < 5.0
    times = np.arange(len(speeds)) * world.dt
    expected = 5.0 - 1.0 / (1.0 / 5.0 + rate * times)
    h = world.dt / 8  # first order: dv/dt changes by 2 k u of itself in a time 1/(2 k u); the error stays below h k u^2/2
    assert np.abs(np.array(speeds) - expected).max() < 0.5 * h * rate * 25.0


def test_a_gust_comes_and_goes_within_its_share():
    wind = pl.Wind("w", (4.0, 0.0, 3.0), gust=0.2)
    speeds = np.array([np.linalg.norm(wind.at(t)) for t in np.linspace(0.0, 40.0, 4001)])
    assert speeds.min() > 4.0 - 1e-12 and speeds.max() < 6.0 + 1e-12
    assert speeds.max() - speeds.min() > 1.5
    assert wind.at(0.3).tolist() == wind.at(0.3).tolist()


def test_a_control_turns_the_wind():
    scene = sheet_scene(gravity=(0.0, 0.0, 0.0))
    scene.add(pl.Control("blow"))
    scene.add(pl.Wind("fan", (0.0, 0.0, 5.0), scale="blow"))
    world = pl.World(scene, threads=1)
    world.run(0.2)
    assert np.abs(world["sheet"].velocities).max() < 1e-12
    world.control["blow"] = 0.5
    world.run(0.2)
    assert 0.0 < world["sheet"].velocities[:, 2].mean() < 2.5


def test_the_work_of_the_wind_is_the_energy_that_the_sheet_gains():
    """Pushes are constant through a substep, so work is force times mean velocity, exactly for a sheet that stays flat."""
    world = pl.World(sheet_scene(gravity=(0.0, 0.0, 0.0), wind=(0.0, 0.0, 8.0)), threads=1)
    world.run(0.5)
    energy = world.energy()
    assert energy.kinetic > 0.1
    assert energy.total == pytest.approx(energy.work, rel=1e-9)


def test_a_balloon_swells_as_laplace_says():
    """A sphere of radius r under a pressure p bears a tension p r/2 a length; equal in all directions it strains by
    e = p r (1 - nu)/(2 E t). Small strain: e of 1 % asks for a second order of that size; facets of an icosphere of 320 have
    their own curvature error, about (edge/r)^2/12."""
    radius, pressure, young, poisson, thick = 0.5, 400.0, 1e6, 0.3, 5e-3
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0), drag=5.0)
    ball = trimesh.creation.icosphere(subdivisions=2, radius=radius)
    scene.add(pl.Cloth("balloon", ball, thick, pl.Material(1000.0, young, poisson=poisson), pressure=pressure, iterations=20))
    world = pl.World(scene, substeps=2, threads=1)
    before = world["balloon"].volume
    world.run(4.0)
    grown = (world["balloon"].volume / before) ** (1.0 / 3.0) - 1.0
    expected = pressure * radius * (1.0 - poisson) / (2.0 * young * thick)
    edge = float(ball.edges_unique_length.mean()) / radius
    assert grown == pytest.approx(expected, rel=edge**2 / 4.0 + 3.0 * expected)
    assert np.linalg.norm(world["balloon"].positions.mean(axis=0)) < 1e-9  # a closed surface pushes itself nowhere
