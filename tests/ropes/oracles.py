"""Closed forms and boundary value problems of ropes, in NumPy and SciPy alone: what the tests of ropes hold answers against.

Angles in the plane (x, z) are counted from +x towards +z [rad]; gravity pulls along -z. Letters: EI bending stiffness and
GJ twisting stiffness [N·m²], EA stretching stiffness [N], μ mass per length [kg/m], L length [m]. The dynamics of chains
of rigid links is in `oracle_chain.py`.
"""

from math import acosh, cos, cosh, pi, sinh, sqrt
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_bvp
from scipy.optimize import brentq
from scipy.special import ellipk, jn_zeros

G = 9.81
"""Gravity [m/s²]."""

CABLE_TIP = (0.66233653, -0.69540444)
"""Tip (x, z) [m] of the heavy elastica with L = 1 m, 0.1 kg, EI = 0.1 N·m², clamped horizontal."""
SWING_TIP = (-1.869, -1.788)
"""Tip (x, z) [m] of the swing (`SWING`) at t = 1 s, inextensible."""
SWING_TIP_CONVERGED = (-1.86960, -1.78827)
"""The same by chains of 400 and 800 rigid links, extrapolated; good to 2e-5 m."""
SWING_TIP_EXTENSIBLE = (0.707, -4.885)
"""As SWING_TIP, with EA from its Young's modulus, linear law."""


class Swing(NamedTuple):
    """The swing: a rope pinned at the origin, let go at rest from the horizontal along +x."""

    length: float = 2.8
    radius: float = 0.015
    density: float = 1200.0
    young: float = 0.05e6
    shear: float = 0.1e6

    @property
    def area(self) -> float:
        """Of the section [m²]."""
        return pi * self.radius**2

    @property
    def mass(self) -> float:
        """[kg]"""
        return self.density * self.area * self.length

    @property
    def bending(self) -> float:
        """EI [N·m²]."""
        return self.young * pi * self.radius**4 / 4.0

    @property
    def twisting(self) -> float:
        """GJ [N·m²]."""
        return self.shear * pi * self.radius**4 / 2.0

    @property
    def stretching(self) -> float:
        """EA [N]."""
        return self.young * self.area


SWING = Swing()


class Catenary(NamedTuple):
    """An inextensible chain between (0, 0) and (span, rise), by arc length."""

    parameter: float
    """a = H / w [m], horizontal tension over weight per length."""
    lowest: float
    """Horizontal place of the vertex [m]."""
    offset: float
    """Arc length from the vertex to the start [m], negative where the start is left of it."""

    def position(self, s) -> np.ndarray:
        """(x, z) [m] at the arc lengths s [m], (..., 2)."""
        u = (np.asarray(s, float) + self.offset) / self.parameter
        x = self.lowest + self.parameter * np.arcsinh(u)
        return np.stack([x, self.parameter * (np.hypot(1.0, u) - cosh(self.lowest / self.parameter))], axis=-1)

    def tension(self, s, weight: float) -> np.ndarray:
        """[N] at the arc lengths s [m]; weight: per length [N/m]."""
        return weight * self.parameter * np.hypot(1.0, (np.asarray(s, float) + self.offset) / self.parameter)


def catenary(span: float, length: float, rise: float = 0.0) -> Catenary:
    """z = a cosh((x − x0)/a) + c through both ends, where √(L² − rise²) = 2a sinh(span/2a) gives a."""
    stretch = sqrt(length**2 - rise**2) / span
    if stretch <= 1.0:
        raise ValueError("a catenary is longer than the way between its ends")
    high = acosh(stretch) + 1.0
    while sinh(high) / high < stretch:
        high *= 2.0
    half = brentq(lambda u: sinh(u) / u - stretch, 1e-9, high, xtol=1e-15, rtol=1e-14)
    a = span / (2.0 * half)
    # Midway between the ends the chord's slope fixes the vertex: rise / L = tanh((x1 + x2 − 2 x0) / 2a).
    lowest = 0.5 * span - a * float(np.arctanh(rise / length))
    return Catenary(a, lowest, -a * sinh(lowest / a))


class Elastica(NamedTuple):
    """A plane inextensible rod at rest."""

    s: np.ndarray
    """Arc lengths [m] (n,)."""
    points: np.ndarray
    """(x, z) [m] (n, 2)."""
    angle: np.ndarray
    """Of the tangent above +x [rad] (n,)."""
    moment: np.ndarray
    """EI θ' [N·m] (n,)."""


def elastica(length: float, bending: float, weight: float, clamp: float = 0.0, tip_force=(0.0, 0.0),
             tip_moment: float = 0.0, points: int = 201) -> Elastica:
    """A heavy rod clamped at the origin under `clamp` [rad], loaded at its tip [N], [N·m]; weight: per length [N/m].

    The part beyond s is in balance: n = (Fx, Fz − w (L − s)) and M' = −t × n, so EI θ'' = Fx sin θ − (Fz − w (L − s)) cos θ
    with θ(0) = clamp, EI θ'(L) = tip moment. Loads are raised step by step, so that the branch from the straight rod
    is followed.
    """
    fx, fz = tip_force
    s = np.linspace(0.0, length, points)
    guess_s, guess = s, np.zeros((4, points))
    guess[0], guess[2], guess[3] = clamp, s * cos(clamp), s * np.sin(clamp)
    steps = 1 + int((weight * length**3 + (abs(fx) + abs(fz)) * length**2 + abs(tip_moment) * length) / (5.0 * bending))

    for part in np.arange(1, steps + 1) / steps:
        def rate(s, y, part=part):
            force_z = part * (fz - weight * (length - s))
            return np.array([y[1], (part * fx * np.sin(y[0]) - force_z * np.cos(y[0])) / bending,
                             np.cos(y[0]), np.sin(y[0])])

        def ends(a, b, part=part):
            return np.array([a[0] - clamp, b[1] - part * tip_moment / bending, a[2], a[3]])

        last = part == 1.0
        found = solve_bvp(rate, ends, guess_s, guess, tol=1e-10 if last else 1e-4, max_nodes=200_000)
        if not found.success:
            raise ArithmeticError(f"the elastica was not found: {found.message}")
        guess_s, guess = found.x, found.y
    angle, slope, x, z = found.sol(s)
    return Elastica(s, np.stack([x, z], axis=1), angle, bending * slope)


def tip_deflection(length: float, bending: float, weight: float = 0.0, force: float = 0.0) -> float:
    """Small sag of a cantilever's tip [m]: wL⁴/8EI + FL³/3EI."""
    return (weight * length / 8.0 + force / 3.0) * length**3 / bending


def three_point_sag(length: float, bending: float, force: float, weight: float = 0.0) -> float:
    """Small sag of the middle of a rod on two supports [m]: FL³/48EI + 5wL⁴/384EI."""
    return (force / 48.0 + 5.0 * weight * length / 384.0) * length**3 / bending


def three_point_bending(length: float, bending: float, force: float) -> tuple[float, float]:
    """(sag of the middle, drawing-in of both ends together) [m] of a light rod, however large; the ends turn and slide.

    By symmetry each half is a cantilever of L/2, clamped in the middle, with F/2 at its tip.
    """
    tip = elastica(0.5 * length, bending, 0.0, tip_force=(0.0, 0.5 * force)).points[-1]
    return float(tip[1]), float(length - 2.0 * tip[0])


def circle_moment(length: float, bending: float, turns: float = 1.0) -> float:
    """End moment [N·m] that bends a straight rod into `turns` circles: M = 2π EI/L."""
    return 2.0 * pi * turns * bending / length


def arc(s, curvature: float) -> np.ndarray:
    """(x, z) [m] (..., 2) of a rod clamped at the origin along +x with one curvature [1/m], bent towards +z."""
    s = np.asarray(s, float)
    return np.stack([np.sin(curvature * s), 1.0 - np.cos(curvature * s)], axis=-1) / curvature


def helix(s, darboux, frame=None) -> np.ndarray:
    """Points [m] (n, 3) at arc lengths s of a rod from the origin with a constant Darboux vector [1/m], material axes.

    R(s) = R0 exp([u]× s) and r' = R e3; with e = e3, n = u/|u|, φ = |u| s the integral is
    r = R0 ((n·e) n s + (e − (n·e) n) sin φ/|u| + (n × e)(1 − cos φ)/|u|). Columns of `frame`: d1 d2 d3 at s = 0.
    """
    s, u, start = np.asarray(s, float)[:, None], np.asarray(darboux, float), np.eye(3) if frame is None else np.asarray(frame)
    rate = float(np.linalg.norm(u))
    axis, tangent = u / rate, np.array([0.0, 0.0, 1.0])
    along = (axis @ tangent) * axis
    local = along * s + (tangent - along) * np.sin(rate * s) / rate + np.cross(axis, tangent) * (1 - np.cos(rate * s)) / rate
    return local @ start.T


def helix_size(darboux) -> tuple[float, float]:
    """(radius, pitch) [m]: κ/(κ² + τ²), 2πτ/(κ² + τ²), with κ² = u1² + u2², τ = u3."""
    u1, u2, twist = darboux
    square = u1**2 + u2**2 + twist**2
    return sqrt(u1**2 + u2**2) / square, 2.0 * pi * twist / square


def torsion_angle(torque: float, length: float, twisting: float) -> float:
    """θ = T L/GJ [rad]."""
    return torque * length / twisting


def twist_wave_speed(twisting: float, density: float, radius: float) -> float:
    """√(GJ/(ρ I_p)) [m/s], I_p = πr⁴/2 of a round section."""
    return sqrt(twisting / (density * pi * radius**4 / 2.0))


def stretch_wave_speed(stretching: float, mass_per_length: float) -> float:
    """√(EA/μ) [m/s]."""
    return sqrt(stretching / mass_per_length)


def fixed_free_frequencies(speed: float, length: float, count: int) -> np.ndarray:
    """[rad/s] of longitudinal or twisting waves in a rod held at one end: (n − ½) π c/L."""
    return (np.arange(count) + 0.5) * pi * speed / length


def hanging_stretch(s, length: float, mass: float, stretching: float, load: float = 0.0) -> np.ndarray:
    """How far [m] the points at rest arc lengths s sink: ∫ T/EA with T = load + mg (1 − s/L).

    A chain of n links with joints of compliance l/EA, half of it at the held end, gives the same tip: the rule of the
    midpoints is exact for a linear tension.
    """
    s = np.asarray(s, float)
    return (load * s + mass * G * s * (1.0 - 0.5 * s / length)) / stretching


def hanging_chain_frequencies(length: float, count: int) -> np.ndarray:
    """[rad/s] of small swings of a limp hanging chain: ½ j0n √(g/L), j0n the zeros of J0."""
    return 0.5 * jn_zeros(0, count) * sqrt(G / length)


def cantilever_frequencies(length: float, bending: float, mass: float, count: int) -> np.ndarray:
    """[rad/s] of a light-loaded cantilever without gravity: β² √(EI L/(m L⁴)), cos β cosh β = −1."""
    roots = [brentq(lambda b: cos(b) + 1.0 / cosh(b), n * pi, (n + 1) * pi, xtol=1e-14) for n in range(count)]
    return np.array(roots) ** 2 * sqrt(bending / (mass * length**3))


def pendulum_period(length: float, amplitude: float) -> float:
    """Period [s] of a point mass on a light inextensible string: 4 √(l/g) K(sin²(a/2)), amplitude a [rad]."""
    return 4.0 * sqrt(length / G) * float(ellipk(np.sin(0.5 * amplitude) ** 2))


def pendulum_tension(mass: float, amplitude: float, angle: float = 0.0) -> float:
    """Tension [N] at `angle` from the vertical: mg (3 cos φ − 2 cos a); at the bottom mg (3 − 2 cos a)."""
    return mass * G * (3.0 * cos(angle) - 2.0 * cos(amplitude))
