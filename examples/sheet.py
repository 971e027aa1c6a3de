"""Hang a sheet by its four corners, read what each pin bears, then bring two of them nearer, and print the forces again."""

import numpy as np

import pliant as pl

SIDE, NEARER = 1.0, 0.3  # [m]
CORNERS = {"left front": (-1, -1), "right front": (1, -1), "left back": (-1, 1), "right back": (1, 1)}


def build() -> pl.World:
    scene = pl.Scene(drag=2.0)  # so that it settles
    sheet = scene.add(pl.Cloth("sheet", pl.Sheet(SIDE, SIDE, 0.1), thickness=0.002, material="cotton", position=(0, 0, 1)))
    slack = pl.Motion([0.0, 2.1, 3.1], positions=[(0, 0, 0), (0, 0, 0), (0, -NEARER, 0)])  # stays, then moves
    for name, (x, y) in CORNERS.items():
        # A function of the rest positions (n, 3) says which vertices; indices, a mask or the corners of a box do as well.
        corner = sheet.vertices(lambda at, x=x, y=y: (x * at[:, 0] > 0.499 * SIDE) & (y * at[:, 1] > 0.499 * SIDE))
        scene.pin(corner, name=name, motion=slack if y > 0 else None)
    return pl.World(scene)


def pulls(world: pl.World) -> np.ndarray:
    """What the pins do to the sheet [N] (4, 3)."""
    return np.array([world[name].force for name in CORNERS])


def weight(world: pl.World) -> float:
    """[N]"""
    sheet = world.scene["sheet"]
    return 9.81 * sheet.stuff.density * sheet.thickness * SIDE**2


def check() -> None:
    world = build()
    world.run(2.0)
    taut = pulls(world)
    assert abs(taut[:, 2].sum() - weight(world)) < 0.01 * weight(world), "the pins bear the weight"
    assert np.ptp(taut[:, 2]) < 0.02 * taut[:, 2].mean(), "each the same"
    world.run(4.0)
    assert abs(world["left back"].position[1] - (0.5 * SIDE - NEARER)) < 1e-9, "a pin goes where its motion says"
    assert abs(pulls(world)[:, 2].sum() - weight(world)) < 0.01 * weight(world), "they still bear the weight"
    assert np.abs(pulls(world)[:, 1]).max() < 0.5 * np.abs(taut[:, 1]).min(), "and pull less along the way that grew slack"


if __name__ == "__main__":
    world = build()
    for seconds, what in ((2.0, "hung by four corners"), (4.0, f"two of them nearer by {NEARER:g} m")):
        world.run(seconds)
        print(f"{what}, lowest point at {world['sheet'].positions[:, 2].min():.3f} m")
        for name, force in zip(CORNERS, pulls(world), strict=True):
            print(f"  {name:<12} {np.linalg.norm(force):6.2f} N, of which up {force[2]:6.2f} N")
    print(f"the sheet weighs {weight(world):.2f} N")
