"""Direct ropes whose shearing and stretching stiffness differ: of second order in an element's length, however they differ."""

import numpy as np
import pytest
from direct import at_least, order, plane, rope_scene, settled, within
from oracle_cosserat import heavy_cantilever
from oracles import G, tip_deflection

WEIGHT = 0.1 * G


def cantilever(n: int, bending: float, stretching: float, shearing: float, weight: float = WEIGHT, **more) -> np.ndarray:
    """Points (x, z) [m] of a rope of n elements and 1 m at rest, clamped along +x."""
    scene = rope_scene(10.0 * weight, 5.0, points=n + 1, bend=bending, stretch=stretching, shear=shearing, **more)
    scene.pin("r.start", clamp=True)
    return plane(settled(scene, 12.0))


@pytest.mark.parametrize("share", [0.1, 0.4, 1.0, 3.0])
def test_heavy_extensible_cantilever(share):
    """EA is 20 weights and GA a share of it, EI/L^2 0.3 weights: the tip sinks by half its length.

    Oracle: Reissner's rod as a boundary value problem; order in an element's length, and the finest by Richardson's rule:
    a third of what the last halving changed, and as much again.
    """
    stretching, errors, found = 20.0 * WEIGHT, [], []
    for n in (10, 20, 40):
        points = cantilever(n, 0.3 * WEIGHT, stretching, share * stretching)
        exact = heavy_cantilever(np.linspace(0.0, 1.0, n + 1), 1.0, WEIGHT, 0.3 * WEIGHT, stretching, share * stretching)
        errors.append(float(np.abs(points - exact).max()))
        found.append(points[-1])
    within(f"GA = {share} EA: 40 elements [m]", errors[-1], 2.0 / 3.0 * float(np.abs(found[2] - found[1]).max()))
    at_least(f"GA = {share} EA: order", order(errors), 1.9)


@pytest.mark.parametrize("share", [0.1, 0.4, 1.0, 3.0])
def test_a_beam_that_mostly_shears(share):
    """Timoshenko's sag w L^4/8 EI + w L^2/2 GA, four fifths of it shear.

    Links sum up (L - s)^3 and L - s by trapezoids: they sag by a share (l/L)^2 of the bending more, exactly, and as much by
    shear. It sinks by a thousandth of its length: what Timoshenko's small angles leave out is a share of 1e-6 of all.
    """
    shearing, sag = 100.0, 1e-3
    weight = 0.8 * sag * 2.0 * shearing
    bending = weight / 8.0 / (0.2 * sag)
    exact, errors = 0.2 * sag + 0.8 * sag, []
    assert tip_deflection(1.0, bending, weight) == pytest.approx(0.2 * sag)
    for n in (6, 12, 24):
        tip = -float(cantilever(n, bending, shearing / share, shearing, weight)[-1, 1])
        errors.append(abs(tip - exact))
        within(f"GA = {share} EA: {n} elements, beside the trapezoids [m]", abs(tip - exact - 0.2 * sag / n**2), 5e-6 * sag)
    at_least(f"GA = {share} EA: order", order(errors), 1.9)
