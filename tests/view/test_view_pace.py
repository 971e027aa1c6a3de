"""The clock of the view, with a clock of ours: never ahead of real time, no burst after a stall."""

import numpy as np
import pytest

from pliant.view.pace import LARGEST_LAG, Pace

DT = 1.0 / 60.0


def run(pace: Pace, cost: float, until: float) -> list[tuple[float, float]]:
    """Steps that take `cost` [s] of wall time each, waiting as told: (wall, simulated) after every step."""
    wall = time = 0.0
    pace.start(wall, time)
    trail = []
    while wall < until:
        pause = pace.wait(wall, time, DT)
        if pause > 0.0:
            wall += pause
            continue
        wall, time = wall + cost, time + DT
        pace.stepped(wall, time)
        trail.append((wall, time))
    return trail


@pytest.mark.parametrize("speed", [1.0, 0.25])
def test_cheap_steps_run_at_the_speed_asked_for_and_never_ahead(speed):
    """Oracle: simulated time is speed times wall time, to within a step; ahead by no more than rounding."""
    pace = Pace(speed=speed)
    wall, time = np.array(run(pace, cost=0.001, until=5.0)).T
    assert (time <= speed * wall + 1e-9).all()
    assert (time >= speed * wall - DT - speed * 0.001 - 1e-9).all()
    assert pace.factor == pytest.approx(speed, rel=DT * 1.5)


def test_dear_steps_run_without_waiting():
    """Oracle: steps of three times their own length give a third of real time, no wait between them."""
    pace = Pace()
    wall = np.array(run(pace, cost=3.0 * DT, until=5.0))[:, 0]
    np.testing.assert_allclose(np.diff(wall)[3:], 3.0 * DT, rtol=1e-9)
    assert pace.factor == pytest.approx(1.0 / 3.0, rel=1e-6)


def test_after_a_stall_it_goes_on_without_a_burst():
    """Oracle: after a stall of two seconds at most the allowed lag is caught up, not 120 steps."""
    pace = Pace()
    pace.start(0.0, 0.0)
    wall, time, steps = 2.0, 0.0, 0
    while pace.wait(wall, time, DT) == 0.0:
        time += DT
        steps += 1
        assert steps < 100
    assert steps <= LARGEST_LAG / DT + 2
