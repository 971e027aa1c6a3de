"""Implicit Euler in a turning frame. Oracles: the rigid motion, momentum, the order of what it changes."""

import numpy as np
from scipy.spatial.transform import Rotation

from pliant.equations.rigid.turning_frame import way_ahead, way_home

RNG = np.random.default_rng(3)
ARM, RATE, H = RNG.normal(size=(9, 3)), np.array([3.0, -1.0, 2.0]), 0.05


def test_a_rigid_motion_comes_to_itself():
    """The way is (R - 1) r0 / h once what holds it together has borne the centrifugal force, the end w x r1: to rounding."""
    ahead = Rotation.from_rotvec(H * RATE).apply(ARM)
    borne = way_ahead(ARM, RATE, H) + np.cross(RATE, ARM) + H * np.cross(RATE, np.cross(RATE, ahead))
    np.testing.assert_allclose(borne, (ahead - ARM) / H, rtol=0, atol=1e-13)
    np.testing.assert_allclose((ahead - ARM) / H + way_home(ahead, RATE, H), np.cross(RATE, ahead), rtol=0, atol=1e-13)


def test_momentum_stays():
    """Linear in the arms: masses times changes add up to nothing about the centre of mass."""
    mass = RNG.uniform(0.5, 2.0, len(ARM))
    arm = ARM - mass @ ARM / mass.sum()
    for change in (way_ahead, way_home):
        assert np.abs(mass @ change(arm, RATE, H)).max() < 1e-13


def test_both_changes_together_are_of_second_order():
    """Centrifugal force out and home again, each h/2 w x (w x r), cancel: what does not turn goes as implicit Euler has it, but
    for h^2, of which halving h leaves a quarter, up to terms of h^3."""
    both = [np.abs(way_ahead(ARM, RATE, h) + way_home(ARM, RATE, h)).max() for h in (0.02, 0.01)]
    assert abs(both[0] / both[1] - 4.0) < 4.0 * np.linalg.norm(RATE) * 0.02, both
    alone = [np.abs(way_ahead(ARM, RATE, h)).max() for h in (0.02, 0.01)]
    assert abs(alone[0] / alone[1] - 2.0) < 4.0 * np.linalg.norm(RATE) * 0.02, alone
