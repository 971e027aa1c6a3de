"""Direct ropes held at more places than loops are closed for, as cables on clips: holds are springs, folded into their tree."""

import numpy as np
import pytest
from direct import within
from energy import EnergyGuard
from oracles import G
from scipy.optimize import least_squares

import pliant as pl
from pliant.compile.trees import FIRM, ROPE_ENDS

DT = 1 / 60
MASS = 5.0


def lost(substeps: int) -> float:
    """Share of forces that is lost in rounding, by the square of how much stiffer springs are than links are heavy."""
    return 4.0 * np.finfo(float).eps * (FIRM * (2.0 / 3.0 * DT / substeps) ** 2) ** 2


def cable(spans: int, links: int, slack: float = 0.0, drag: float = 0.0, clamp=False, motion=None, bend="limp") -> pl.Scene:
    """10 m of 5 kg on spans + 1 clips, longer than those are apart by a share, each with its `motion` (time, place) if any."""
    scene, at = pl.Scene(drag=drag), np.linspace(0.0, 10.0, spans + 1)
    given = {"radius": 0.01, "mass": MASS, "bend": bend, "twist": bend, "length": list(at * (1.0 + slack)) if slack else None}
    rope = scene.add(pl.Rope("r", [(x, 0, 0) for x in at], spans * links + 1, **given))
    times = np.linspace(0.0, 1.0, 41)
    for i, x in enumerate(at):
        place = rope.start if i == 0 else rope.end if i == spans else rope.at(float(x * (1.0 + slack)))
        moved = None if motion is None else pl.Motion(times, positions=[motion(t, x) for t in times], smooth=True)
        scene.pin(place, clamp=clamp, motion=moved, name=f"p{i}")
    return scene


def drawn(spans: int, links: int) -> np.ndarray:
    """Pulls [N] (spans,) of a straight string on clips, all but the first of which give way along it as springs.

    A span of n links under w [N/m] is shorter than it is long by w^2 L^3 (1 - 1/n^2) / 24 T^2, clips are drawn along by what
    all spans before them are, and the pull changes at a clip by what its spring bears.
    """
    weight, size, spring = MASS * G / 10.0, 10.0 / spans, FIRM * MASS / (spans * links)
    short = weight**2 * size**3 * (1.0 - 1.0 / links**2) / 24.0

    def open_(pull: np.ndarray) -> np.ndarray:
        along = np.cumsum(short / pull**2)
        return np.append(np.diff(pull), -pull[-1]) + spring * along

    pull = least_squares(open_, np.full(spans, 1e4), x_scale=1e4, xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    assert np.abs(open_(pull)).max() < 1e-6 * pull.max()
    return pull


@pytest.mark.parametrize("spans", [20, 40])
def test_a_straight_cable_on_clips(spans):
    """Limp and exactly as long as its clips are apart. Oracle: statics of strings that give way at their clips (`drawn`)."""
    links = 5
    assert spans > ROPE_ENDS + 1
    world = pl.World(cable(spans, links, drag=5.0), threads=1)
    world.on_step(EnergyGuard(world))
    report = world.run(1.0)
    assert not report.warnings and report.substeps == world.substeps
    pull, tension = drawn(spans, links), world["r"].tension.reshape(spans, links).mean(axis=1)
    within("pull", np.abs(tension / pull - 1.0).max(), lost(world.substeps))
    borne = np.array([world[f"p{i}"].force[2] for i in range(spans + 1)])
    within("clips", np.abs(borne[1:-1] * spans / (MASS * G) - 1.0).max(), lost(world.substeps))
    within("drift", report.drift, 1.1 * pull[-1] * spans * links / (FIRM * MASS))


@pytest.mark.parametrize("slack", [0.01, 0.2])
def test_each_span_hangs_as_if_alone(slack):
    """A limp slack cable on clips swings. Oracle: one span alone between two pins; gaps of 3e-7 of 6 cm count as closed."""
    spans, links = 20, 8
    alone, many = (pl.World(cable(n, links, slack), threads=1) if n > 1 else pl.World(lone(links, slack), threads=1)
                   for n in (1, spans))
    for world in (alone, many):
        world.run(0.5)
    one = alone["r"].positions - alone["r"].positions[0]
    points = many["r"].positions
    off = [np.abs(points[k * links:(k + 1) * links + 1] - points[k * links] - one).max() for k in range(spans)]
    within("a span", max(off), 100 * 3e-7 * 0.06)


def lone(links: int, slack: float) -> pl.Scene:
    """The first of 20 spans."""
    scene = pl.Scene()
    rope = scene.add(pl.Rope("r", [(0, 0, 0), (0.5, 0, 0)], links + 1, 0.01, mass=MASS / 20, bend="limp", twist="limp",
                             length=0.5 * (1.0 + slack)))
    scene.pin(rope.start)
    scene.pin(rope.end)
    return scene


@pytest.mark.parametrize("clamp", [False, True])
def test_driven_clips_give_what_the_cable_gets(clamp):
    """Clips swing a slack cable. Oracle: momentum: in every step all their forces are its change and the weight."""
    def swung(t: float, _x: float) -> tuple[float, float, float]:
        return 0.0, 0.2 * np.sin(6.0 * t), 0.1 * np.sin(4.0 * t) ** 2

    world = pl.World(cable(20, 6, 0.02, clamp=clamp, motion=swung, bend=0.1), threads=1)
    before, worst, most = None, 0.0, 0.0
    for _ in range(45):
        report = world.step()
        v = world["r"].velocities
        now, force = MASS * 0.5 * (v[1:] + v[:-1]).mean(axis=0), sum(world[f"p{i}"].force for i in range(21))
        if before is not None:
            told = (now - before) / DT + (0.0, 0.0, MASS * G)
            worst, most = max(worst, float(np.abs(force - told).max())), max(most, float(np.abs(force).max()))
        before = now
        assert not report.warnings
    within("force that momentum does not know", worst / most, lost(world.substeps))


def test_clips_drawn_too_far_apart_say_so():
    """By 1 % in a second: gapes are told, by the name of a clip, and how far they are."""
    world = pl.World(cable(20, 5, motion=lambda t, x: (0.01 * x * t, 0.0, 0.0)), threads=1)
    for _ in range(12):
        report = world.step()
    assert any("'p" in text and "gapes" in text and "does not stretch" in text for text in report.warnings)
    assert 0.01 * 10.0 * 0.19 / 2 < report.drift < 0.01 * 10.0 * 0.21
