"""Two jaws that motors close on a sheet which leaves them no room: they contradict each other until motors give way."""

import pytest

import pliant as pl


@pytest.mark.parametrize("speed", [0.001, 0.01, 0.02])
@pytest.mark.parametrize("effort", [1.0, 10.0, 1000.0])
def test_jaws_stay_on_the_sheet_that_they_close_on(speed, effort):
    """Oracle: the way of a step is no longer than what speeds below that of the motors lead to, and work no more than effort
    times that way. The first step led 166 m away, by the impulses that jaws would bear which nothing moves: nothing else had
    moved, so that it counted as found, and motors were asked only after that."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add(pl.Cloth("sheet", pl.Sheet(0.3, 0.3, 0.05), thickness=0.003))
    for z in (-1, 1):
        jaw = scene.add(pl.Body(f"jaw{z}", pl.Box(0.1, 0.1, 0.02), mass=0.3, position=(0, 0, 0.0115 * z)))
        scene.add(pl.Prismatic(f"rail{z}", "world", jaw, axis=(0, 0, -z), motor=pl.VelocityMotor(speed, effort)))
    world = pl.World(scene)
    done = 0.0
    for _ in range(60):
        before = [world[f"jaw{z}"].position[2] for z in (-1, 1)]
        report = world.step()
        assert not report.warnings
        for z, at in zip((-1, 1), before, strict=True):
            assert abs(world[f"jaw{z}"].position[2] - at) <= speed * world.dt
            assert world[f"jaw{z}"].position[2] == pytest.approx(0.0115 * z, abs=1e-4)
            assert abs(world[f"jaw{z}"].velocity[2]) <= speed
        assert abs(report.energy.work - done) <= 2.0 * effort * speed * world.dt
        done = report.energy.work
