"""A scan of a soft organ, pressed by a plate: its labelled voxels after the press, with the true displacement, in an NPZ."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import pliant as pl
from pliant.record.voxels import Carried, Voxels, carry, save

SIZE, VOXEL, PRESS = np.array([0.12, 0.10, 0.06]), 0.004, 0.012  # [m]
ORGAN, LESION = 1, 2


def build() -> pl.World:
    """An organ that lies on a table, and a plate that comes down on it by PRESS within a second."""
    scene = pl.Scene(drag=2.0)
    organ = scene.add(pl.Solid("organ", pl.Box(*SIZE), spacing=0.02, iterations=40,
                               material=pl.Material(density=1000.0, young=1e4, poisson=0.45)))
    scene.pin(organ.vertices(lambda x: x[:, 2] < -0.499 * SIZE[2]), name="table")
    scene.pin(organ.vertices(lambda x: x[:, 2] > 0.499 * SIZE[2]), name="plate",
              motion=pl.Motion([0.0, 1.0, 2.0], positions=[(0, 0, 0), (0, 0, -PRESS), (0, 0, -PRESS)]))
    return pl.World(scene)


def scan() -> Voxels:
    """The organ at rest, with a lesion of 15 mm radius off its middle."""
    counts = np.rint(SIZE / VOXEL).astype(int)
    picture = Voxels(np.full(counts, ORGAN, np.uint8), -0.5 * SIZE + 0.5 * VOXEL, np.full(3, VOXEL))
    picture.labels[np.linalg.norm(picture.centres() - (0.02, 0.01, 0.0), axis=-1) < 0.015] = LESION
    return picture


def taken(world: pl.World, picture: Voxels) -> Carried:
    """The same voxels as the organ is now."""
    organ = world.scene["organ"]
    return carry(picture, organ.placed(), organ.filling.cells, world["organ"].positions)


def check() -> None:
    world, picture = build(), scan()
    assert np.array_equal(taken(world, picture).voxels.labels, picture.labels), "before the press nothing has changed"
    world.run(1.5)
    after = taken(world, picture)
    top, bottom = after.displacement[:, :, -1, 2], after.displacement[:, :, 0, 2]
    near = 0.5 * VOXEL / SIZE[2] * 3.0 * PRESS  # within half a voxel of plate and table, where strain is at most threefold
    assert np.allclose(top, -PRESS, atol=near) and np.allclose(bottom, 0.0, atol=near)
    assert after.displacement[..., 0].max() > 0.002, "pressed flat, it bulges"
    share = np.count_nonzero(after.voxels.labels) * VOXEL**3 / world["organ"].volume
    assert abs(share - 1.0) < 0.02, "as many voxels as it has volume"
    with TemporaryDirectory() as folder:
        save(Path(folder) / "scan.npz", after, time=world.time)


if __name__ == "__main__":
    world, picture = build(), scan()
    world.run(1.5)
    save("scan.npz", after := taken(world, picture), time=world.time)
    print(f"scan.npz: labels, source and displacement of {picture.labels.shape} voxels at t = {world.time:g} s, pressed by "
          f"{1e3 * PRESS:g} mm; voxels went up to {1e3 * np.linalg.norm(after.displacement, axis=-1).max():.1f} mm")
