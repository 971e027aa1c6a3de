"""The rod of paper C's figure 4 settles into the helix that its rest Darboux vector says."""

import numpy as np
import pytest
from ropes.oracles import helix, helix_size

import pliant as pl

REST = np.array([2.0, 0.0, 5.0])


@pytest.fixture(scope="module")
def settled() -> pl.World:
    world = pl.World(pl.load("helix"))
    world.run(20.0)
    return world


def fitted(points: np.ndarray) -> tuple[float, float]:
    """Radius and pitch [m] of points that lie on a helix at equal steps, exact for such points.

    Second differences of a helix point across its axis; the turn from one to the next is the angle of a step.
    """
    second = np.diff(points, 2, axis=0)
    axis = np.cross(second[:-1], second[1:]).mean(axis=0)
    axis /= np.linalg.norm(axis)
    turn = np.arccos(np.clip((second[0] @ second[1]) / (second[0] @ second[0]), -1.0, 1.0))
    rise = np.diff(points @ axis).mean()
    chord = np.linalg.norm(np.diff(points, axis=0)[0] - rise * axis)
    return chord / (2.0 * np.sin(0.5 * turn)), 2.0 * np.pi * rise / turn


def test_the_oracle_of_this_test_measures_an_exact_helix():
    """Oracle: the closed form itself."""
    assert fitted(helix(np.linspace(0.0, 3.5, 141), REST)) == pytest.approx(helix_size(REST), rel=1e-9)
    assert helix_size(REST) == pytest.approx((2 / 29, 10 * np.pi / 29))


def test_it_comes_to_rest_without_stress(settled):
    assert settled.energy().kinetic < 1e-12 and settled.energy().elastic < 1e-12


def test_its_points_lie_on_the_helix_of_rigid_links(settled):
    """Oracle: links of length l whose joints say 2 Im p = l u turn by 2 arcsin(l|u|/2) about u each; so their ends lie on
    the helix of the vector u' along u with l|u'| = that angle, seen through chords.

    The chord of a link with direction e makes the rise l (e.n) and the radius l |e - (e.n) n| / (2 sin(angle/2)).
    """
    points = settled["rod"].positions
    length, size = 3.5 / 140, np.linalg.norm(REST)
    angle = 2.0 * np.arcsin(0.5 * length * size)
    along = REST[2] / size
    radius = length * np.sqrt(1.0 - along**2) / (2.0 * np.sin(0.5 * angle))
    pitch = 2.0 * np.pi * length * along / angle
    assert fitted(points) == pytest.approx((radius, pitch), rel=1e-5)


def test_radius_and_pitch_are_the_paper_s_to_second_order(settled):
    """Oracle: kappa/(kappa^2 + tau^2) and 2 pi tau/(kappa^2 + tau^2); links of l are off by (l|u|)^2/24 at most."""
    bound = (3.5 / 140 * np.linalg.norm(REST)) ** 2 / 24.0
    radius, pitch = fitted(settled["rod"].positions)
    assert abs(radius / (2 / 29) - 1.0) < 1.5 * bound
    assert abs(pitch / (10 * np.pi / 29) - 1.0) < 1.5 * bound


def test_curvature_and_twist_are_read_as_given(settled):
    rod = settled["rod"]
    np.testing.assert_allclose(rod.curvature[1:-1], 2.0, rtol=1e-5)
    np.testing.assert_allclose(rod.twist[1:-1], 5.0, rtol=1e-5)
