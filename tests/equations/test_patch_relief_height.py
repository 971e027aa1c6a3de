"""The height of the relief. Oracles: its equation, all roots of the polynomial by NumPy, known folds."""

import numpy as np
import pytest
from patch_calls import arrays, bent_sheet, flat_triangle

from pliant.equations.patch.patch_point import blend, direction
from pliant.equations.patch.perturbation import relief
from pliant.equations.patch.relief_height import FOLDS, FOUND, NO_ROOT, cubed_slope, cubed_slope_most, relief_height
from pliant.scene.patch import PatchMesh, Quadric


def test_heights_solve_their_equation():
    rng = np.random.default_rng(1)
    seen = 0
    for seed in range(6):
        mesh = bent_sheet(seed)
        for face in range(8):
            patches, points, normals = arrays(mesh, face)
            for u, v in rng.dirichlet((1, 1, 1), 20)[:, 1:]:
                n, _ = direction(normals, u, v)
                p = blend(points, u, v)
                t, state = relief_height(patches, face, p, n, 3.0)
                x = tuple(p[k] + t * n[k] for k in range(3))
                assert state == FOUND and abs(t - relief(patches, face, x)[0]) <= 1e-12
                seen += abs(t) > 0.01
    assert seen > 200


@pytest.mark.parametrize("patches", (20, 80))
def test_heights_of_a_ball_solve_their_stiff_equation(patches):
    """R' is near -2000 there: the residual is that many roundings of the height, below 1e-12."""
    mesh = PatchMesh.sphere(1.0, patches)
    rng = np.random.default_rng(2)
    for face in range(0, patches, 7):
        patch, points, normals = arrays(mesh, face)
        for u, v in rng.dirichlet((1, 1, 1), 20)[:, 1:]:
            n, _ = direction(normals, u, v)
            p = blend(points, u, v)
            t, state = relief_height(patch, face, p, n, 3.0)
            value, _ = relief(patch, face, tuple(p[k] + t * n[k] for k in range(3)))
            assert state == FOUND and 0.04 < t < 0.26
            assert abs(t - value) <= 1e-12


def roots_of(a, b, c, amplitude, reach):
    """All t within reach with t = amplitude max(q, 0)^3, q = a t^2 + b t + c, by the eigenvalues of a companion matrix."""
    cube = np.polymul(np.polymul([a, b, c], [a, b, c]), [a, b, c])
    found = np.roots(np.polysub(amplitude * cube, [1.0, 0.0]))
    real = found[np.abs(found.imag) < 1e-7].real
    good = [t for t in real if (a * t + b) * t + c > 0.0 and abs(t) <= reach]
    return sorted(good + ([0.0] if c <= 0.0 else []))


def test_one_root_is_found_and_several_are_called_a_fold():
    """FOUND must give NumPy's only root on the side that R at the base point says; where NumPy has several there, FOLDS;
    FOLDS is said only where h' reaches zero."""
    rng = np.random.default_rng(8)
    outcome = {FOUND: 0, FOLDS: 0}
    for _ in range(600):
        centre, half = rng.uniform(-0.6, 0.9), rng.uniform(0.3, 1.2)
        amplitude = rng.uniform(-0.5, 0.8)
        one = Quadric.ellipsoid((0.0, 0.0, centre), (5.0, 5.0, half), amplitude)
        mesh = flat_triangle([one], ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0)))
        patches = _unchecked(mesh)
        t, state = relief_height(patches, 0, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 3.0)
        a, b, c = -1.0 / half**2, 2.0 * centre / half**2, 1.0 - (centre / half) ** 2
        side = np.sign(amplitude) if c > 0.0 else 0.0
        expected = [root for root in roots_of(a, b, c, amplitude, 3.0) if root * side >= 0.0]
        outcome[state] += 1
        if state == FOUND:
            assert len(expected) == 1 or np.ptp(expected) < 1e-6
            assert abs(t - expected[0]) <= 1e-9
        else:
            steps = np.linspace(-3.0, 3.0, 4001)
            assert len(expected) > 1 or max(cubed_slope(a, b, c, amplitude, s) for s in steps) > 0.99
    assert outcome[FOUND] > 400 and outcome[FOLDS] > 20


def _unchecked(mesh: PatchMesh):
    """The arrays of one triangle whose relief may fold, which the checked way refuses."""
    from pliant.model.schema import fill
    from pliant.patch.groups import Patches
    from pliant.patch.surface import coefficients

    count = len(mesh.quadrics)
    return fill(Patches, face=mesh.faces, corner_weight=np.ones((1, 3)), vertex=mesh.vertices, normal=[[0.0, 0.0, 1.0]] * 3,
                first_quadric=[0, count], quadric=range(count), coefficient=[coefficients(q.matrix) for q in mesh.quadrics],
                amplitude=[q.amplitude for q in mesh.quadrics])


def test_a_sum_of_quadrics_less_a_number_is_left_outwards_alone():
    """Inside two ellipsoids, less 40 m everywhere: outwards one root, by brute force, though behind the other side R is -40 m
    too. With the second ellipsoid apart the line enters it beyond the first, and there are three."""
    offset = Quadric(np.diag([0.0, 0.0, 0.0, 1.0]), -40.0)
    outcome = []
    for centre in (0.5, 2.4):
        bumps = [Quadric.ellipsoid((0.0, 0.0, z), (1.0, 1.0, 0.9), 60.0) for z in (-0.1, centre)]
        patches = _unchecked(flat_triangle([offset, *bumps]))
        t, state = relief_height(patches, 0, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 5.0)
        line = np.linspace(0.0, 5.0, 500_001)
        points = np.stack([0.0 * line, 0.0 * line, line], axis=1)
        h = line - sum(one.amplitude * np.maximum(one(points), 0.0) ** 3 for one in (offset, *bumps))
        roots = line[:-1][np.diff(h > 0.0)]
        outcome.append((state, len(roots)))
        assert state != FOUND or abs(t - roots[0]) <= 1e-5
    assert outcome == [(FOUND, 1), (FOLDS, 3)]


def test_the_largest_slope_is_exact():
    """Against the largest of 20001 samples, which misses at most the curvature's part."""
    rng = np.random.default_rng(9)
    for _ in range(50):
        a, b, c, amplitude = rng.normal(size=4)
        t = np.linspace(-1.0, 1.5, 20001)
        sampled = max(cubed_slope(a, b, c, amplitude, s) for s in t[::20])
        most = cubed_slope_most(a, b, c, amplitude, -1.0, 1.5)
        q = (a * t + b) * t + c
        slope = np.where(q > 0, 3 * amplitude * q**2 * (2 * a * t + b), 0.0)
        assert most >= slope.max() - 1e-12 * (1 + abs(slope).max()) and most >= sampled - 1e-12 * (1 + abs(slope).max())
        assert most <= slope.max() + 2e-6 * (1 + np.abs(slope).max()) * 20


def test_a_relief_that_runs_away_has_no_height():
    """t = a (1 + t)^3 with a > 4/27 has no root near the base: h = t - a (1 + t)^3 < 0 for all t > -1."""
    half_space = Quadric([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0.5], [0, 0, 0.5, 1.0]], 0.2)
    patches = _unchecked(flat_triangle([half_space]))
    assert relief_height(patches, 0, (0.2, 0.2, 0.0), (0.0, 0.0, 1.0), 2.0)[1] == NO_ROOT
    gentle = Quadric(half_space.matrix, 0.02)
    t, state = relief_height(_unchecked(flat_triangle([gentle])), 0, (0.2, 0.2, 0.0), (0.0, 0.0, 1.0), 1.0)
    real = np.roots([0.02, 0.06, 0.06 - 1.0, 0.02])
    assert state == FOUND and abs(t - real[np.abs(real) < 1.0][0].real) < 1e-14


def test_the_relief_is_smooth_to_second_derivatives_where_it_begins():
    """Second differences of the height on both sides of the border differ by the third derivative's jump times distance."""
    one = Quadric.ellipsoid((0.0, 0.3, 0.05), (0.5, 0.8, 0.7), 0.2)
    mesh = flat_triangle([one], ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0)))
    patches, _, _ = arrays(mesh, 0)
    border = 0.5 * np.sqrt(1.0 - (0.3 / 0.8) ** 2 - (0.05 / 0.7) ** 2)
    slope = 2.0 * border / 0.5**2
    jumps = []
    for d in (0.02, 0.01, 0.005):
        h = d / 4.0
        second = []
        for middle in (border - d, border + d):
            t = [relief_height(patches, 0, (middle + k * h, 0.0, 0.0), (0.0, 0.0, 1.0), 3.0)[0] for k in (-1, 0, 1)]
            second.append((t[0] - 2.0 * t[1] + t[2]) / h**2)
        jumps.append(abs(second[0] - second[1]))
        assert abs(jumps[-1] - 6 * 0.2 * slope**3 * d) <= 6 * 0.2 * slope**3 * d * 12.0 * d
    assert jumps[2] < 0.3 * jumps[0]
