"""A latch catches a joint where it should, also one that passes fast, and holds it up to its hold."""

import pytest
from oracle_tools import single

import pliant as pl

MASS = 2.0  # [kg]
AT, HOLD = 0.5, 30.0  # [m, N]


def sledge(speed: float, *more, hold: float = HOLD, dt: float = 1 / 60, substeps=8) -> pl.World:
    """A mass on a slide that moves towards a latch."""
    body = pl.Body("sledge", pl.Box(0.2, 0.2, 0.2), mass=MASS, velocity=(speed, 0, 0))
    slide = pl.Prismatic("slide", pl.WORLD, "sledge", axis=(1, 0, 0))
    return single(slide, body, pl.Latch("latch", "slide", at=AT, hold=hold), *more, dt=dt, substeps=substeps)


def test_it_catches_what_comes_slowly_and_holds_it_there():
    """Oracle: the hold can stop m v within the step, so the sledge stays at the latch; the event says so once."""
    world = sledge(0.2)
    report = world.run(4.0)
    assert report.events == ("latch 'latch' caught",)
    assert world["latch"].engaged
    assert world["slide"].travel == pytest.approx(AT, abs=1e-4)
    assert abs(world["slide"].rate) < 1e-4


@pytest.mark.parametrize("substeps", [1, 8])
@pytest.mark.parametrize("speed", [1.0, 5.0, 20.0, 40.0])
def test_it_catches_what_passes_fast(speed, substeps):
    """Oracle: 1e5 N stop 2 kg at 40 m/s within m v^2 / 2 F = 16 mm, so the latch must catch it, within a step or two of
    the moment when it passes; also when it passes between two looks, in the middle of a step or of the first."""
    world = sledge(speed, hold=1e5, substeps=substeps)
    caught = None
    for _ in range(60):
        if "latch 'latch' caught" in world.step().events:
            caught = world.time
    assert caught is not None, "it went by unnoticed"
    assert -world.dt <= caught - AT / speed <= 2 * world.dt + 1e-9
    assert world["slide"].travel == pytest.approx(AT, abs=1e-4)


@pytest.mark.parametrize("substeps, dt", [(1, 1 / 60), (8, 1 / 60), (8, 0.1)])
@pytest.mark.parametrize("speed", [0.5, 0.8, 1.0])
def test_it_draws_back_what_ran_past_it(speed, substeps, dt):
    """Oracle: energy; 30 N stop 2 kg at up to 1 m/s within m v^2 / 2 F = 33 mm, in its reach. So it is caught, and held at its
    place and not where it was stopped."""
    world = sledge(speed, substeps=substeps, dt=dt)
    report = world.run(4.0)
    assert report.events == ("latch 'latch' caught",)
    assert world["latch"].engaged and abs(world["latch"].force) < 1e-6
    assert world["slide"].travel == pytest.approx(AT, abs=1e-4)


@pytest.mark.parametrize("stiffness, damping", [(5.0, 0.0), (50.0, 0.0), (50.0, 2.0), (50.0, 20.0)])
def test_it_draws_back_what_a_spring_pulls_past_it(stiffness, damping):
    """Oracle: 30 N stop it against the spring, at most k (0.1 m + 0.04 m) = 7 N, and draw it back; there the latch bears the
    spring, k 0.1 m. The spring gains no more than the latch draws, by k over its last way in a substep at most."""
    spring = pl.JointSpring("spring", "slide", stiffness=stiffness, damping=damping, rest=0.2)
    body = pl.Body("sledge", pl.Box(0.2, 0.2, 0.2), mass=MASS, velocity=(0.5, 0, 0))
    slide = pl.Prismatic("slide", pl.WORLD, "sledge", axis=(1, 0, 0))
    world = single(slide, body, pl.Latch("latch", "slide", at=0.1, hold=HOLD), spring, dt=1 / 60, substeps=8)
    start = world.energy().total
    assert world.run(8.0).events == ("latch 'latch' caught",)
    assert world["slide"].travel == pytest.approx(0.1, abs=1e-4)
    assert world["latch"].force == pytest.approx(-stiffness * 0.1, rel=1e-3)
    energy, h = world.energy(), world.dt / world.substeps
    assert energy.total - energy.work < start + 0.04 * 0.5 * stiffness * HOLD / MASS * h * h


@pytest.mark.parametrize("speed, limits, dt", [(5.0, None, 1 / 60), (5.0, None, 0.1), (10.0, (-0.5, 0.5), 1 / 60),
                                               (300.0, (-0.5, 0.5), 1 / 60)])
def test_it_does_not_hold_beside_its_place(speed, limits, dt):
    """Oracle: its own words. A bar on a hinge, stopped by the latch or a limit 0.07 to 0.2 rad past the place: either it is
    engaged, and there, or it is not, and says that it missed."""
    bar = pl.Body("bar", pl.Box(1, 0.1, 0.1), mass=1, position=(0.5, 0, 0), angular_velocity=(0, 0, speed),
                  velocity=(0, 0.5 * speed, 0))
    world = single(pl.Revolute("hinge", pl.WORLD, "bar", anchor=(0, 0, 0), limits=limits), bar,
                   pl.Latch("latch", "hinge", at=0.3, hold=50.0), dt=dt, substeps=8)
    events = world.run(10.0).events
    if world["latch"].engaged:
        assert world["hinge"].angle == pytest.approx(0.3, abs=1e-4) and events[-1] == "latch 'latch' caught"
    else:
        assert events[-1] == "latch 'latch' missed"


@pytest.mark.parametrize("substeps", [1, 8])
def test_it_misses_what_it_cannot_stop(substeps):
    """Oracle: energy; 30 N cannot stop 25 J on the way it has. It says so, and has taken no more than hold times way."""
    speed = 5.0
    world = sledge(speed, substeps=substeps)
    report = world.run(1.0)
    assert report.events == ("latch 'latch' missed",)
    assert not world["latch"].engaged
    taken = 0.5 * MASS * (speed**2 - world["slide"].rate ** 2)
    assert 0.0 < taken < HOLD * (0.05 + 3 * speed * world.dt)


def test_it_holds_up_to_its_hold_and_lets_go_beyond():
    """Oracle: 0.97 of the hold moves nothing; with 1.03 of it the latch lets go and the load accelerates by itself."""
    for share in (0.97, 1.03):
        world = sledge(0.2)
        world.run(3.0)
        assert world["latch"].engaged
        force = share * HOLD
        events = []
        for _ in range(30):
            world.apply_force("sledge", (force, 0, 0))
            events += world.step().events
        if share < 1.0:
            assert not events
            assert world["slide"].travel == pytest.approx(AT, abs=1e-4)
            assert world["latch"].force == pytest.approx(-force, rel=1e-6)
        else:
            assert events == ["latch 'latch' let go"]
            assert not world["latch"].engaged
            # free from the first or second step on
            steps = world["slide"].rate / (force / MASS * world.dt)
            assert 27.9 < steps < 30.1


def test_it_is_released_by_hand_and_catches_again():
    """Oracle: after release the sledge moves freely; pushed back through the place it is caught."""
    world = sledge(0.2)
    world.run(3.0)
    world["latch"].release()
    assert not world["latch"].engaged
    world["sledge"].velocity = (0.3, 0, 0)
    assert not world.run(1.0).events
    assert world["slide"].travel == pytest.approx(AT + 0.3, rel=1e-3)
    world["sledge"].velocity = (-0.2, 0, 0)
    assert world.run(3.0).events == ("latch 'latch' caught",)
    assert world["slide"].travel == pytest.approx(AT, abs=1e-4)


def test_a_latch_where_the_joint_starts_holds_from_the_start():
    """Oracle: statics; a door that is latched when the world begins stays closed against less than its hold."""
    body = pl.Body("sledge", pl.Box(0.2, 0.2, 0.2), mass=MASS)
    slide = pl.Prismatic("slide", pl.WORLD, "sledge", axis=(1, 0, 0))
    world = single(
        slide, body, pl.Latch("latch", "slide", at=0.0, hold=HOLD), pl.Load("pull", "sledge", force=(0.9 * HOLD, 0, 0))
    )
    world.run(1.0)
    assert world["latch"].engaged and abs(world["slide"].travel) < 1e-3
