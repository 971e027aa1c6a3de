"""Paper C's cable by projections: the exact elastica, the helix of its figure 4, statics, momentum, and what PBD depends on."""

from math import pi

import numpy as np
import pytest
from point_rope import CURVATURE, Laid, lay, straight
from scipy.spatial.transform import Rotation

from pliant.model.point_ropes import COMPLIANT, MOMENT, POSITION, TENSION

EPS = np.finfo(float).eps
TIP = np.array((0.66233653, -0.69540444))
"""Of a heavy elastica: 1 m, 0.1 kg, EI = 0.1 N m2, clamped horizontal [m]."""


def cable(kind: int, points: int, **given) -> Laid:
    """Paper C's cable (its table 1), clamped at its start, with 0.1 kg in all."""
    given = {"clamp_start": True, "pinned": (0,), "damping": 0.02, **given}
    return lay(kind, straight(points, 1.0), mass=0.1, radius=0.025, bend=0.1, twist=0.5, **given)


def settled(kind: int, points: int, h: float, passes: int) -> Laid:
    """After three seconds of drag and one of more."""
    laid = cable(kind, points, damping=0.0)
    laid.advance(h, round(3.0 / h), passes, drag=8.0)
    laid.advance(h, round(1.0 / h), passes, drag=30.0)
    return laid


def test_a_compliant_cable_hangs_as_the_elastica():
    """21 points, one per cent of the length: the discretisation's own error is of order 2, 2.3e-3 at 20 links.

    The moment read at the clamp is that of all weights about it, its torque cos(a / 2) of it where the joint turns by a; and
    the forces in the first element carry all weights but that of the held point: both to what is left of the motion.
    """
    laid = settled(COMPLIANT, 21, 1e-3, 10)
    error = np.linalg.norm(laid.x[-1][[0, 2]] - TIP)
    assert error < 0.01
    readings, _ = laid.read(1e-3)
    weights = 9.81 * laid.bodies.mass[laid.points]
    assert readings[0, MOMENT + 1] == pytest.approx((weights * laid.x[:, 0]).sum(), rel=0.01)
    assert np.linalg.norm(readings[1, TENSION:TENSION + 3]) == pytest.approx(weights[1:].sum(), rel=0.01)


def test_a_compliant_cable_hangs_alike_whatever_the_passes_and_the_step():
    """Oracle: itself. Newton's method needs three passes, five at most; more of them or other steps move the tip by 1e-5.

    PBD with the same passes hangs more than a quarter of its length elsewhere.
    """
    compliant = [settled(COMPLIANT, 21, h, passes).x[-1] for h, passes in ((1e-3, 5), (1e-3, 20), (5e-4, 5), (1e-2, 5))]
    assert max(np.linalg.norm(tip - compliant[0]) for tip in compliant) < 1e-5
    printed = [settled(POSITION, 21, 1e-3, passes).x[-1] for passes in (5, 100)]
    assert np.linalg.norm(printed[1] - printed[0]) > 0.25


def test_pbd_grows_stiffer_with_every_pass():
    """Its tip sinks less the more passes are made: stiffness is a matter of iterations, as the paper leaves it."""
    depth = [settled(POSITION, 11, 1e-3, passes).x[-1][2] for passes in (2, 10, 50)]
    assert depth[0] < depth[1] < depth[2]


@pytest.mark.parametrize("kind", [POSITION, COMPLIANT])
def test_a_rope_at_rest_in_a_helix_becomes_one(kind):
    """Figure 4: Omega = (2, 0, 5) [1/m] gives radius 2/29 m and pitch 10 pi / 29 m.

    A chain of chords l that turn by 2 asin(l |Omega| / 2) each lies on a helix of exactly that radius; its pitch is larger
    by the ratio of that angle to l |Omega|. Laid straight and let go, it comes to that shape, as a whole turned somewhere.
    """
    n, omega = 21, np.array((2.0, 0.0, 5.0))
    laid = lay(kind, straight(n, 1.0), mass=0.1, radius=0.025, bend=0.1, twist=0.5, rest=omega, damping=0.02)
    laid.advance(2e-3, 4000, 20, gravity=(0.0, 0.0, 0.0), drag=3.0)
    size, chord = np.linalg.norm(omega), 1.0 / (n - 1)
    angle = 2.0 * np.arcsin(chord * size / 2.0)
    s = angle * np.arange(n)
    radius, rise = 2.0 / 29.0, chord * 5.0 / size
    exact = np.column_stack((radius * np.cos(s), radius * np.sin(s), rise * np.arange(n)))
    assert 2.0 * pi * rise / angle == pytest.approx(10.0 * pi / 29.0, rel=(chord * size) ** 2 / 20.0)
    x, y = laid.x - laid.x.mean(axis=0), exact - exact.mean(axis=0)
    turn, _ = Rotation.align_vectors(x, y)
    assert np.abs(turn.apply(y) - x).max() < 1e-4 * radius
    readings, _ = laid.read(2e-3)
    np.testing.assert_allclose(readings[:-1, CURVATURE:CURVATURE + 3], np.tile(omega, (n - 2, 1)), atol=1e-4 * size)


@pytest.mark.parametrize("kind", [POSITION, COMPLIANT])
def test_a_free_rope_keeps_its_momentum(kind):
    """No gravity, nothing held: linear momentum to rounding, whatever the passes leave undone."""
    rng = np.random.default_rng(4)
    laid = lay(kind, straight(20, 1.0), mass=0.1, radius=0.01, bend=0.01, twist=0.01)
    laid.motion.velocity[laid.points] = rng.normal(size=(20, 3))
    laid.motion.angular_velocity[laid.elements] = rng.normal(size=(19, 3))
    before = laid.momentum()
    size = np.abs(laid.bodies.mass[laid.points][:, None] * laid.motion.velocity[laid.points]).sum()
    made = laid.advance(2e-3, 500, 5, gravity=(0.0, 0.0, 0.0))
    assert np.abs(laid.momentum() - before).max() <= EPS * size * made


def test_a_compliant_rope_stretches_by_the_weight_below():
    """Hung, EA = 40 N: every element is longer by T l / EA, T the weight below; the tension read is that weight."""
    laid = lay(COMPLIANT, straight(11, 1.0, (0.0, 0.0, -1.0)), mass=0.4, radius=0.01, bend=0.01, twist=0.01, stretch=40.0,
               shear=20.0, pinned=(0,), damping=0.05)
    laid.advance(2e-3, 3000, 50, drag=5.0)
    below = 9.81 * np.cumsum(laid.bodies.mass[laid.points][::-1])[::-1][1:]
    longer = -np.diff(laid.x[:, 2]) - 0.1
    np.testing.assert_allclose(longer, below * 0.1 / 40.0, rtol=1e-6)
    readings, energy = laid.read(2e-3)
    np.testing.assert_allclose(readings[:, TENSION], below, rtol=1e-6)
    assert energy == pytest.approx((below**2 * 0.1 / 80.0).sum(), rel=1e-6)


def test_damping_is_that_of_kelvin_and_voigt():
    """A disc on a twisting spring k with damper T k, clamped beside it: one implicit Euler step after another, exactly.

    I w' = I w - h k (a' + T w'), a' = a + h w'; strain 2 sin(a / 2), so the twist stays small: (a / 2)^2 / 6 of it.
    """
    k, T, h, a, w = 0.5 / 0.05, 0.02, 1e-3, 0.0, 1e-3
    laid = lay(COMPLIANT, straight(2, 0.1), mass=0.1, radius=0.025, bend=0.1, twist=0.5, clamp_start=True, pinned=(0, 1),
               damping=T)
    e = laid.elements.start
    inertia = laid.bodies.inertia[e, 2]
    axis = np.array((1.0, 0.0, 0.0))
    laid.motion.angular_velocity[e] = w * axis
    for _ in range(20):
        w = (w - h * k * a / inertia) / (1.0 + h * k * (h + T) / inertia)
        a += h * w
        laid.advance(h, 1, 30, gravity=(0.0, 0.0, 0.0))
        assert laid.motion.angular_velocity[e] @ axis == pytest.approx(w, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("kind", [POSITION, COMPLIANT])
@pytest.mark.parametrize(("h", "passes"), [(1.0 / 60.0, 1), (1.0 / 60.0, 20), (1.0 / 240.0, 3)])
def test_a_violent_swing_gains_no_energy(kind, h, passes):
    """Let go horizontal, however stiff and however few passes: kinetic and gravity's energy never exceed the start's.

    Elastic energy is left out, it can only be lent: rigid in stretch, and bending never holds more than it was given.
    """
    for stiffer in (1.0, 1e4):
        laid = lay(kind, straight(15, 2.8), mass=2.375, radius=0.015, bend=2e-3 * stiffer, twist=8e-3 * stiffer, pinned=(0,))
        mass = laid.bodies.mass[laid.points]
        for _ in range(int(5.0 / h / 5)):
            laid.advance(h, 5, passes)
            v = laid.motion.velocity[laid.points]
            assert 0.5 * mass @ (v * v).sum(axis=1) + 9.81 * mass @ laid.x[:, 2] <= 1e-9


def test_clamps_at_both_ends_hold_direction_and_a_driven_one_twists():
    """The far frame turns by 1 rad about the rope: the rope twists evenly, u3 = 2 sin(a / 2) / l^ at each joint.

    11 elements, 10 whole joints and 2 half ones. Moments act through G = cos(a / 2), 1 - a^2 / 8, a the angle at which each
    pass finds a joint, between nothing and that of rest: a^2 / 8 of them to either side.
    """
    laid = cable(COMPLIANT, 12, clamp_end=True, pinned=(0, 11), damping=0.0)
    last = laid.elements.stop
    laid.motion.angular_velocity[last] = (0.5, 0.0, 0.0)
    laid.advance(1e-3, 2000, 50, gravity=(0.0, 0.0, 0.0), drag=5.0)
    laid.motion.angular_velocity[last] = (0.0, 0.0, 0.0)
    laid.advance(1e-3, 1000, 300, gravity=(0.0, 0.0, 0.0), drag=20.0)
    readings, _ = laid.read(1e-3)
    a = 1.0 / 11.0
    np.testing.assert_allclose(readings[:-1, CURVATURE + 2], 1.0, rtol=a**2 / 4.0)
    np.testing.assert_allclose(readings[:-1, MOMENT + 2], 0.5, rtol=a**2 / 4.0)


def test_a_run_has_one_outcome():
    """Two runs of the same cable agree in every bit."""
    outcomes = []
    for _ in range(2):
        laid = cable(POSITION, 20)
        laid.advance(2e-3, 200, 10)
        outcomes.append(laid.motion.position.tobytes() + laid.motion.quaternion.tobytes() + laid.motion.velocity.tobytes())
    assert outcomes[0] == outcomes[1]
