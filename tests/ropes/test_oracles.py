"""The oracles of ropes held against each other, against known constants and against plain numerics."""

from math import cos, cosh, pi, sin, sqrt, tan

import numpy as np
import oracle_buckling
import oracle_chain
import oracle_extensible
import oracles
import pytest
from oracles import SWING, G
from scipy.integrate import solve_ivp
from scipy.linalg import eigh_tridiagonal, expm
from scipy.optimize import minimize


def swing_chain(links: int, **more) -> oracle_chain.Chain:
    return oracle_chain.Chain(links, SWING.length, SWING.mass, SWING.radius, SWING.bending, **more)


@pytest.mark.parametrize("rise", [0.0, 0.4, -0.3])
def test_catenary_joins_its_ends_and_is_in_balance(rise):
    """Oracle: geometry, and (T t)' = (0, w) by central differences of step 1e-4 m, whose error is 1e-8 T'''/6."""
    chain, length, weight = oracles.catenary(1.0, 1.5, rise), 1.5, 2.0
    ends = chain.position([0.0, length])
    assert ends == pytest.approx(np.array([[0.0, 0.0], [1.0, rise]]), abs=1e-12)
    step, s = 1e-4, np.linspace(0.1, 1.4, 14)
    tangent = (chain.position(s + step) - chain.position(s - step)) / (2 * step)
    assert np.linalg.norm(tangent, axis=1) == pytest.approx(1.0, abs=1e-7)

    def force(s):
        t = (chain.position(s + step) - chain.position(s - step)) / (2 * step)
        return chain.tension(s, weight)[:, None] * t

    load = (force(s + step) - force(s - step)) / (2 * step)
    assert load == pytest.approx(np.tile([0.0, weight], (14, 1)), abs=1e-5)


def test_catenary_has_its_textbook_sag():
    """Oracle: sag = a (cosh(span/2a) − 1), end tension = w (a + sag)."""
    chain = oracles.catenary(2.0, 3.0)
    sag = -chain.position(1.5)[1]
    assert sag == pytest.approx(chain.parameter * (cosh(1.0 / chain.parameter) - 1.0), rel=1e-12)
    assert chain.tension(0.0, 5.0) == pytest.approx(5.0 * (chain.parameter + sag), rel=1e-12)


def test_heavy_elastica_reproduces_the_known_tip():
    """Oracle: the tip stated to 8 digits; the solver's tolerance is 1e-10 a mesh interval."""
    tip = oracles.elastica(1.0, 0.1, 0.1 * G).points[-1]
    assert tip == pytest.approx(oracles.CABLE_TIP, abs=1e-8)


def test_heavy_elastica_is_the_least_energy_of_a_chain():
    """Oracle: the chain's balance, whose tip converges at order 2: errors fall by 4 with a tenth of slack."""
    errors = []
    for links in (25, 50, 100):
        chain = oracle_chain.Chain(links, 1.0, 0.1, bending=0.1, clamp=0.0)
        tip = oracle_chain.points_of(chain, oracle_chain.resting_angles(chain))[-1]
        errors.append(np.linalg.norm(tip - oracles.CABLE_TIP))
    assert 3.6 < errors[0] / errors[1] < 4.4 and 3.6 < errors[1] / errors[2] < 4.4
    assert errors[1] == pytest.approx(3.8e-4, rel=0.05)


def test_resting_chain_minimises_its_energy():
    """Oracle: minimisation of the energy by BFGS without derivatives of ours; its gradient stops at 1e-8."""
    chain = oracle_chain.Chain(6, 1.0, 0.1, bending=0.1, bob=0.02, clamp=0.3)
    rest = np.zeros(6)
    found = minimize(lambda a: oracle_chain.energy(chain, a, rest), np.full(6, 0.2), tol=1e-9)
    assert oracle_chain.resting_angles(chain) == pytest.approx(found.x, abs=1e-5)


def test_small_loads_bend_by_the_linear_formulas():
    """Oracle: beam theory; the next term is of the order of the square of the deflection (1e-3)."""
    sag = oracles.elastica(1.0, 1.0, 0.004, tip_force=(0.0, -0.002)).points[-1, 1]
    assert -sag == pytest.approx(oracles.tip_deflection(1.0, 1.0, 0.004, 0.002), rel=1e-5)
    sag, drawn = oracles.three_point_bending(1.0, 1.0, 0.05)
    assert sag == pytest.approx(oracles.three_point_sag(1.0, 1.0, 0.05), rel=1e-5)
    slope = np.linspace(0.0, 0.5, 2001)
    shape = 0.5 * (0.05 * (0.25 * slope - 0.25 * slope**2)) ** 2  # ½ w'² with w' = F (s − s²)/4 from the middle
    assert drawn == pytest.approx(2.0 * np.trapezoid(shape, slope), rel=1e-3)


def test_three_point_bending_balances_far_beyond_small():
    """Oracle: the moment at the middle is F/2 times the lever, half the distance of the drawn-in ends."""
    length, bending, force = 1.0, 0.1, 6.0
    _, drawn = oracles.three_point_bending(length, bending, force)
    half = oracles.elastica(0.5 * length, bending, 0.0, tip_force=(0.0, 0.5 * force))
    assert half.moment[0] == pytest.approx(0.5 * force * 0.5 * (length - drawn), rel=1e-8)


def test_an_end_moment_bends_a_circle():
    """Oracle: the boundary value problem with M = 2π EI/L closes; halfway it is one diameter away."""
    moment = oracles.circle_moment(2.0, 0.3)
    rod = oracles.elastica(2.0, 0.3, 0.0, tip_moment=moment)
    assert rod.points == pytest.approx(oracles.arc(rod.s, moment / 0.3), abs=1e-8)
    assert rod.points[-1] == pytest.approx([0.0, 0.0], abs=1e-8)
    assert rod.points[100] == pytest.approx([0.0, 2.0 / pi], abs=1e-8)


def test_helix_is_the_integral_of_its_frame():
    """Oracle: the matrix exponential of [[ [u]×, e3 ], [0, 0]] s, which integrates R and r together; radius and pitch."""
    u, s = np.array([2.0, 0.0, 5.0]), np.linspace(0.0, 1.0, 5)
    hat = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    whole = np.zeros((4, 4))
    whole[:3, :3], whole[:3, 3] = hat, (0.0, 0.0, 1.0)
    # r' = exp([u]× s) e3 and d/ds x = [u]× x + e3 from 0 have the same solution, for the exponential commutes.
    expected = [expm(whole * a)[:3, 3] for a in s]
    assert oracles.helix(s, u) == pytest.approx(np.array(expected), abs=1e-13)
    radius, pitch = oracles.helix_size(u)
    assert (radius, pitch) == pytest.approx((2.0 / 29.0, 10.0 * pi / 29.0), rel=1e-14)
    turn = oracles.helix([2 * pi / sqrt(29.0)], u)[0]
    assert np.linalg.norm(turn) == pytest.approx(pitch, rel=1e-12)
    away = oracles.helix([pi / sqrt(29.0)], u)[0]
    assert np.linalg.norm(away - (away @ u) / 29.0 * u) == pytest.approx(2.0 * radius, rel=1e-12)


def test_waves_and_stretch_of_a_rod_held_at_one_end():
    """Oracle: the eigenvalues of a chain of 400 masses on springs (order 2: 2e-5 for the lowest), and its sums of tension."""
    count, stretching, mass, length = 400, 50.0, 2.0, 3.0
    stiffness, part = stretching * count / length, mass / count
    diagonal = np.full(count, 2.0)
    diagonal[0], diagonal[-1] = 3.0, 1.0  # half a spring at the wall, none at the end
    squares = eigh_tridiagonal(diagonal * stiffness / part, np.full(count - 1, -stiffness / part), eigvals_only=True)
    speed = oracles.stretch_wave_speed(stretching, mass / length)
    assert np.sqrt(squares[:3]) == pytest.approx(oracles.fixed_free_frequencies(speed, length, 3), rel=1e-4)
    opens = (0.5 * mass + part * (count - np.arange(1, count)).sum()) * G / stiffness
    assert opens == pytest.approx(oracles.hanging_stretch(length, length, mass, stretching), rel=1e-12)
    density, radius, shear = 1200.0, 0.015, 1e5
    twisting = shear * pi * radius**4 / 2.0
    assert oracles.twist_wave_speed(twisting, density, radius) == pytest.approx(sqrt(shear / density), rel=1e-14)
    assert oracles.torsion_angle(0.2, 3.0, 0.5) == pytest.approx(1.2)


def test_columns_buckle_where_a_chain_does():
    """Oracle: EI/l Σ(Δδ)² = P l Σ δ² of a clamped-free chain of 200 links (order 2: 1e-5), and symmetry for the others.

    A clamped-clamped column is four clamped-free ones of a quarter of its length, a pinned one is two of half.
    """
    count = 200
    diagonal = np.full(count, 2.0)
    diagonal[0], diagonal[-1] = 3.0, 1.0
    load = eigh_tridiagonal(diagonal, np.full(count - 1, -1.0), eigvals_only=True)[0] * count**2
    free = oracle_buckling.euler_load(1.0, 1.0, "clamped-free")
    assert load == pytest.approx(free, rel=2e-5)
    assert oracle_buckling.euler_load(2.0, 1.0, "pinned-pinned") == pytest.approx(free, rel=1e-14)
    assert oracle_buckling.euler_load(4.0, 1.0, "clamped-clamped") == pytest.approx(free, rel=1e-14)


def test_an_upright_column_falls_at_its_own_length():
    """Oracle: known constant wL³/EI = 7.8373474, and the chain whose linearised energy loses its minimum there."""
    length = oracle_buckling.self_buckling_length(1.0, 1.0)
    assert length**3 == pytest.approx(7.8373474, rel=1e-7)
    count = 400
    diagonal = np.full(count, 2.0)
    diagonal[0], diagonal[-1] = 3.0, 1.0
    bend = np.diag(diagonal) - np.diag(np.ones(count - 1), 1) - np.diag(np.ones(count - 1), -1)
    fall = np.diag(count - 0.5 - np.arange(count)) * length**3 / count**3
    assert np.linalg.eigvalsh(bend - fall)[0] == pytest.approx(0.0, abs=1e-3 * np.linalg.eigvalsh(bend)[0])


def determinant(moment: float, tension: float) -> float:
    """How far the four clamped conditions of a twisted rod (L = EI = 1) are from a solution: the least singular value.

    w'''' = iM w''' + T w'' is integrated from (w'', w''') = (1, 0) and (0, 1) by the matrix exponential.
    """
    matrix = np.zeros((4, 4), complex)
    matrix[[0, 1, 2], [1, 2, 3]] = 1.0
    matrix[3, 2], matrix[3, 3] = tension, 1j * moment
    return float(np.linalg.svd(expm(matrix)[:2, 2:], compute_uv=False)[-1])


@pytest.mark.parametrize("tension", [-39.0, -20.0, -1e-5, 0.0, 1e-5, 3.0, 30.0, 8 * pi**2 - 0.1, 8 * pi**2 + 0.1, 400.0])
def test_greenhill_clamped_is_the_first_root_of_the_determinant(tension):
    """Oracle: the boundary value problem, integrated; singular at the moment found and nowhere below it."""
    moment = oracle_buckling.greenhill_clamped(1.0, 1.0, tension)
    scale = determinant(0.5 * moment, tension)
    assert determinant(moment, tension) < 1e-9 * max(1.0, scale) or determinant(moment, tension) < 1e-6 * scale
    below = [determinant(m, tension) for m in np.linspace(0.0, 0.99 * moment, 400)]
    assert min(below) > 1e-4 * scale


def test_greenhill_constants():
    """Oracle: tan x = x at 4.493409 and M = 2x EI/L; Euler's column without moment; pinned 2π."""
    moment = oracle_buckling.greenhill_clamped(2.0, 3.0) * 2.0 / 3.0
    assert moment == pytest.approx(8.986818915818128, rel=1e-12)
    assert tan(moment / 2) == pytest.approx(moment / 2, rel=1e-10)
    # Near Euler's load the moment falls to nought as a square root.
    near = oracle_buckling.greenhill_clamped(1.0, 1.0, -4 * pi**2 * (1 - 1e-8))
    assert near < 2e-3
    assert oracle_buckling.greenhill_pinned(1.0, 1.0) == pytest.approx(2 * pi)
    assert oracle_buckling.greenhill_pinned(1.0, 1.0, -(pi**2)) == pytest.approx(0.0, abs=1e-7)
    # Strong tension: both tend to 2 √(EI T), clamped from above.
    assert 1.0 < oracle_buckling.greenhill_clamped(1.0, 1.0, 1e4) / 200.0 < 1.001


def test_a_ring_of_steel_takes_more_than_two_turns():
    """Oracle: √3 (1 + ν) turns for a round section, since EI/GJ = E/2G = 1 + ν."""
    nu = 0.3
    assert oracle_buckling.ring_threshold(1.0, 1.0 / (1.0 + nu)) / (2 * pi) == pytest.approx(sqrt(3.0) * 1.3, rel=1e-14)


def test_hanging_chains_swing_at_bessel_zeros():
    """Oracle: J0's zeros; the chain of links converges at order 2 (doubling the links divides the error by 4)."""
    exact = oracles.hanging_chain_frequencies(1.7, 3)
    assert exact[0] == pytest.approx(0.5 * 2.404825557695773 * sqrt(G / 1.7), rel=1e-14)
    errors = [np.abs(oracle_chain.hanging_frequencies(oracle_chain.Chain(n, 1.7, 0.4), 3) - exact) for n in (40, 80)]
    assert np.all(errors[0] / errors[1] > 3.6) and np.all(errors[0] / errors[1] < 4.4)


def test_one_and_two_links_swing_at_textbook_frequencies():
    """Oracle: a rod's √(3g/2L); the double rod's ω² l/g = 3 ± 6/√7."""
    assert oracle_chain.hanging_frequencies(oracle_chain.Chain(1, 2.0, 3.0), 1) == pytest.approx(sqrt(1.5 * G / 2.0))
    two = oracle_chain.hanging_frequencies(oracle_chain.Chain(2, 1.0, 1.0), 2)
    assert two**2 * 0.5 / G == pytest.approx([3 - 6 / sqrt(7), 3 + 6 / sqrt(7)], rel=1e-12)


def test_cantilevers_ring_at_known_roots():
    """Oracle: β = 1.875104, 4.694091, 7.854757; the clamped chain of links converges at order 2."""
    exact = oracles.cantilever_frequencies(1.3, 0.2, 0.5, 3)
    assert np.sqrt(exact / sqrt(0.2 / (0.5 * 1.3**3))) == pytest.approx([1.8751040687, 4.6940911330, 7.8547574382], rel=1e-9)
    errors = [np.abs(oracle_chain.free_frequencies(oracle_chain.Chain(n, 1.3, 0.5, bending=0.2, clamp=0.0), 3) - exact)
              for n in (40, 80)]
    assert np.all(errors[0] / errors[1] > 3.6) and np.all(errors[0] / errors[1] < 4.4)


@pytest.mark.parametrize("amplitude", [0.01, 1.0, 3.0])
def test_the_pendulum_takes_its_period_and_tension(amplitude):
    """Oracle: φ'' = −g/l sin φ integrated to a quarter period; tension from m l φ'² + mg cos φ."""
    length = 0.7
    quarter = 0.25 * oracles.pendulum_period(length, amplitude)
    found = solve_ivp(lambda t, y: [y[1], -G / length * sin(y[0])], (0.0, quarter), [amplitude, 0.0], "DOP853",
                      rtol=1e-12, atol=1e-13)
    angle, rate = found.y[:, -1]
    assert angle == pytest.approx(0.0, abs=1e-9)
    assert oracles.pendulum_tension(2.0, amplitude) == pytest.approx(2.0 * (length * rate**2 + G), rel=1e-9)
    half = 0.5 * amplitude
    tension = 2.0 * (2.0 * G * (cos(half) - cos(amplitude)) + G * cos(half))
    assert oracles.pendulum_tension(2.0, amplitude, half) == pytest.approx(tension, rel=1e-12)


@pytest.mark.parametrize("bob", [0.0, 0.7])
@pytest.mark.parametrize("clamp", [None, 0.2])
def test_chain_acceleration_is_lagranges(bob, clamp):
    """Oracle: Lagrange's equations in the angles, solved densely: two derivations, equal to rounding."""
    chain = swing_chain(9, bob=bob, clamp=clamp)
    rng = np.random.default_rng(3)
    angle, rate = rng.normal(size=9), rng.normal(size=9)
    weight, pull = oracle_chain.matrices(chain)
    apart = np.subtract.outer(angle, angle)
    before = np.concatenate([[angle[0] if clamp is None else clamp], angle[:-1]])
    bend = oracle_chain.bend_stiffness(chain) * np.sin(angle - before)
    load = -pull * np.cos(angle) - (weight * np.sin(apart)) @ rate**2 - bend
    load[:-1] += bend[1:]
    expected = np.linalg.solve(weight * np.cos(apart), load)
    assert oracle_chain.angular_acceleration(chain, angle, rate) == pytest.approx(expected, rel=1e-9)


def test_chain_with_a_heavy_bob_is_a_pendulum():
    """Oracle: the period by the elliptic integral; a chain of a thousandth of the bob's mass shifts things by about as much."""
    chain = oracle_chain.Chain(3, 1.0, 1e-3, bob=1.0)
    amplitude = 1.2
    half = 0.5 * oracles.pendulum_period(1.0, amplitude)
    points = oracle_chain.motion(chain, [half], angle=np.full(3, -0.5 * pi + amplitude), tolerance=1e-8)[0]
    assert points[-1] == pytest.approx([-sin(amplitude), -cos(amplitude)], abs=1e-3)


def test_swing_converges_to_the_stated_tips():
    """Oracle: Richardson's extrapolation from 50 and 100 links, against the tips stated to 1 mm.

    Inextensible: the terms of order 4 left over are below 2 mm here (200 links agree to 0.4 mm). Extensible: less smooth,
    the chain of 200 links is within 0.2 % of the length.
    """
    coarse, fine = (oracle_chain.motion(swing_chain(n), [1.0], tolerance=1e-8)[0, -1] for n in (50, 100))
    assert fine + (fine - coarse) / 3.0 == pytest.approx(oracles.SWING_TIP, abs=2e-3)
    assert pytest.approx(oracles.SWING_TIP, abs=1e-3) == oracles.SWING_TIP_CONVERGED
    tip = oracle_extensible.swing(swing_chain(200), SWING.stretching, SWING.shear * SWING.area, [1.0], 1e-7)[0]
    assert tip == pytest.approx(oracles.SWING_TIP_EXTENSIBLE, abs=2e-3 * SWING.length)


def test_stiff_joints_make_the_extensible_chain_inextensible():
    """Oracle: the chain of angles; the distance falls as 1/EA, and is about the stretch under three times the weight."""
    rigid = oracle_chain.motion(swing_chain(8), [0.6])[0, -1]
    soft, hard = (oracle_extensible.swing(swing_chain(8), k, k, [0.6])[0] for k in (3e3, 3e4))
    away = np.linalg.norm(soft - rigid), np.linalg.norm(hard - rigid)
    assert away[1] < 3.0 * SWING.mass * G * SWING.length / 3e4 and away[1] < 0.2 * away[0]


def test_the_swing_is_as_described():
    """Oracle: figures worked by hand: 23 N of weight, EA 35 N, stretch 81 % at the top if it hung, wave 6.5 m/s."""
    assert SWING.mass * G == pytest.approx(23.3, abs=0.05) and SWING.stretching == pytest.approx(35.3, abs=0.05)
    assert SWING.twisting / SWING.bending == pytest.approx(4.0, rel=1e-12)
    assert oracles.stretch_wave_speed(SWING.stretching, SWING.mass / SWING.length) == pytest.approx(6.455, abs=1e-3)
