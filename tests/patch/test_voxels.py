"""Voxels carried through deformations. Oracles: identity to the bit, uniform stretch and turn in closed form, volume."""

import numpy as np
import pytest

import pliant as pl
from pliant.record.voxels import Voxels, carry, save

SIZE = np.array([0.3, 0.2, 0.1])


def solid() -> pl.Solid:
    return pl.Solid("organ", pl.Box(*SIZE), spacing=0.05)


def scan(spacing=0.01, seed=0) -> Voxels:
    """Random labels from 1 to 9 in every voxel of the solid."""
    counts = np.rint(SIZE / spacing).astype(int)
    labels = np.random.default_rng(seed).integers(1, 10, counts).astype(np.uint8)
    return Voxels(labels, -0.5 * SIZE + 0.5 * spacing, np.full(3, spacing))


def test_identity_returns_the_input_to_the_last_bit():
    thing, before = solid(), scan()
    after = carry(before, thing.rest, thing.filling.cells, thing.rest)
    np.testing.assert_array_equal(after.voxels.labels, before.labels)
    np.testing.assert_array_equal(after.voxels.origin, before.origin)
    np.testing.assert_array_equal(after.source, before.centres())
    assert (after.displacement == 0.0).all()


def test_stretch_to_twice_its_length_is_exact():
    """Every voxel becomes two; matter at X has gone to 2 X."""
    thing, before = solid(), scan()
    after = carry(before, thing.rest, thing.filling.cells, thing.rest * [2.0, 1.0, 1.0])
    np.testing.assert_array_equal(after.voxels.labels, np.repeat(before.labels, 2, axis=0))
    np.testing.assert_allclose(after.displacement, before.centres() * [1.0, 0.0, 0.0], rtol=0, atol=1e-15)
    np.testing.assert_allclose(after.source, after.voxels.centres() * [0.5, 1.0, 1.0], rtol=0, atol=1e-15)


def test_a_shift_by_whole_voxels_moves_the_picture():
    thing, before = solid(), scan()
    after = carry(before, thing.rest, thing.filling.cells, thing.rest + np.array([0.02, 0.0, 0.0]))
    np.testing.assert_array_equal(after.voxels.labels[2:], before.labels)
    assert not after.voxels.labels[:2].any() and np.isnan(after.source[:2]).all()
    np.testing.assert_allclose(after.displacement, np.broadcast_to([0.02, 0.0, 0.0], after.displacement.shape), atol=1e-15)


def test_a_quarter_turn_turns_the_picture():
    thing, before = solid(), scan()
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    after = carry(before, thing.rest, thing.filling.cells, thing.rest @ turn.T)
    found = after.voxels.labels[after.voxels.labels.any(axis=(1, 2))][:, after.voxels.labels.any(axis=(0, 2))]
    np.testing.assert_array_equal(found, np.rot90(before.labels))


def test_source_and_displacement_undo_each_other():
    """A bent solid: what came to y from X was moved from X to y. Oracle: each is the other's inverse, cell by cell."""
    thing, before = solid(), scan()
    x = thing.rest
    bent = np.stack([x[:, 0], x[:, 1], x[:, 2] + 0.5 * x[:, 0] ** 2], axis=1)
    after = carry(before, x, thing.filling.cells, bent)
    there = Voxels(np.ones_like(after.voxels.labels), *after.voxels[1:])
    inside = ~np.isnan(after.source[..., 0])
    again = carry(Voxels(np.where(inside, there.labels, 0), *there[1:]), bent, thing.filling.cells, x)
    np.testing.assert_allclose((after.voxels.centres() + again.displacement)[inside], after.source[inside], rtol=0, atol=1e-14)
    # the shear keeps every cell's volume: as many voxels as before, up to those that its surface cuts
    surface = np.count_nonzero(before.labels) * 2.0 * 0.01 / SIZE[2]
    assert abs(np.count_nonzero(after.voxels.labels) - before.labels.size) < surface


def test_labels_outside_the_solid_are_refused():
    thing, before = solid(), scan()
    with pytest.raises(pl.SceneError, match="voxels with labels lie outside the solid"):
        carry(before._replace(origin=before.origin + 0.05), thing.rest, thing.filling.cells, thing.rest)


def test_files_hold_all_of_it(tmp_path):
    thing, before = solid(), scan()
    after = carry(before, thing.rest, thing.filling.cells, thing.rest * [1.1, 1.0, 1.0])
    save(tmp_path / "scan.npz", after, time=0.5)
    with np.load(tmp_path / "scan.npz") as found:
        np.testing.assert_array_equal(found["labels"], after.voxels.labels)
        np.testing.assert_array_equal(found["displacement"], after.displacement)
        assert found["time"] == 0.5
