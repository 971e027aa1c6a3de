"""What a run says was read, for people: which readings, and how they are rounded. Oracle: by hand."""

import numpy as np
import pytest

import pliant as pl
from pliant.cli.readings import Readings


def test_readings_of_what_two_things_press_are_not_their_sum():
    """One box on another on a table: the lower is pressed by both, by the table most. Oracle: statics, m g."""

    still = pl.Scene()
    still.add(pl.Body("table", pl.Box(1, 1, 0.1), fixed=True))
    still.add(pl.Body("lower", pl.Box(0.2, 0.2, 0.2), mass=3.0, position=(0, 0, 0.15)))
    still.add(pl.Body("upper", pl.Box(0.2, 0.2, 0.2), mass=2.0, position=(0, 0, 0.35)))
    world = pl.World(still)
    readings = Readings(world)
    world.run(2.0)
    press = {row["name"]: row["value"] for row in readings.table() if row["what"] == "pressed"}
    assert press["lower"] == pytest.approx(5.0 * 9.81, rel=1e-3) and press["upper"] == pytest.approx(2.0 * 9.81, rel=1e-3)


def test_a_table_for_people_has_a_line_a_thing_and_an_end():
    from pliant.cli.readings import SHOWN, as_table, told

    row = {"what": "force", "unit": "N", "value": 1.0, "largest": 2.0}
    rows = [{"name": f"pin{k}", **row} for k in range(SHOWN + 3)]
    lines = as_table([*rows, {"name": "pin0", "what": "position", "unit": "m", "value": [1.0, -1e-9, 2.0], "largest": None}])
    assert lines[0] == "pin0   force 1 N (at most 2), position (1.000, 0.000, 2.000) m"
    assert [told(2.9e-99), told(-3e-9, 40.0), told(3e-9), told(0.00012345)] == ["0", "0", "3e-09", "0.0001234"]
    assert len(lines) == SHOWN + 1 and lines[-1] == "… and 3 things more, with --json"


def test_the_largest_is_that_of_all_steps():
    """Oracle: the handles after every step. The latch pulls hardest within one step, which a look now and then would miss."""
    world, other = (pl.World(pl.load("door")) for _ in range(2))
    readings = Readings(world)
    world.run(6.0)
    most = 0.0
    for _ in range(round(6.0 / other.dt)):
        other.step()
        most = max(most, abs(other["latch"].force))
    row = next(row for row in readings.table() if row["name"] == "latch" and row["what"] == "effort")
    assert most > 0.0 and row["largest"] == most


def test_a_solid_with_examples_says_its_blend_and_what_it_leaves():
    """Put into one of its examples: more of that than of the other, of sum 1; the rows' numbers are the handle's own."""
    import numpy as np

    from pliant.cli.readings import as_table

    box = pl.Solid("box", pl.Box(0.2, 0.1, 0.1), spacing=0.05, material=pl.Material(1000.0, 1e5, poisson=0.3))
    long, tall = box.rest * [1.2, 1.0, 1.0], box.rest * [1.0, 1.0, 1.3]
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(box.replace(examples=(long, tall), example_stiffness=1e6))
    world = pl.World(scene, threads=1)
    readings = Readings(world)
    world["box"].positions = long
    world.step()
    rows = {row["what"]: row for row in readings.table() if row["name"] == "box"}
    assert np.allclose(rows["blend"]["value"], world["box"].blend) and sum(rows["blend"]["value"]) == pytest.approx(1.0)
    assert rows["examples in it"]["value"] == pytest.approx(sum(rows["blend"]["value"][1:]))
    assert rows["blend"]["value"][1] > 0.3 > rows["blend"]["value"][2] and rows["examples in it"]["largest"] > 0.3
    assert rows["residual of the blend"]["value"] == world["box"].blend_distance
    line = next(line for line in as_table(readings.table()) if line.startswith("box"))
    shown = ", ".join(f"{share:.3f}" for share in world["box"].blend)
    assert f"blend ({shown})" in line and "residual of the blend" in line


def test_pressures_of_patches_are_read_and_told_shortly():
    """The pad of `tactile`: one number a triangle of its surface; what presses them adds up to what the pad is pressed with."""
    import json

    from pliant.cli.readings import as_table
    from pliant.cli.summary import as_json

    world = pl.World(pl.load("tactile"), threads=1)
    readings = Readings(world)
    assert not any("patches" in line for line in as_table(readings.table())), "nothing touches yet"
    world.run(2.0)
    rows = {row["what"]: row for row in json.loads(as_json({"readings": readings.table()}))["readings"] if row["name"] == "pad"}
    pressure, press = rows["pressure"]["value"], rows["patch forces"]["value"]
    assert rows["pressure"]["unit"] == "Pa" and len(pressure) == len(press) == len(world["pad"].faces)
    assert sum(press) == pytest.approx(world["pad"].contact_force[2], rel=0.01)
    assert pressure == pytest.approx((np.array(press) / world["pad"].areas).tolist())
    line = next(line for line in as_table(readings.table()) if line.startswith("pad "))
    assert f"pressure at most {max(pressure):.4g} Pa, on {np.count_nonzero(pressure)} of {len(pressure)} patches, " in line
    assert f"in all {sum(press):.4g} N upon them" in line
