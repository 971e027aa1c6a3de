"""How two cars crumple that like their examples, and two that do not: weights of the blend and what is left, in a table."""

import numpy as np

import pliant as pl
from pliant.equations.elastic.blend_distance import blend_distance


def build(examples: bool = True) -> pl.World:
    return pl.World(pl.load("crash" if examples else "crash-plain"))


def nearest(car: pl.Solid, positions: np.ndarray, steps: int = 10) -> float:
    """Distance [-] of positions (n, 3) from the nearest blend of a car's examples, by trying blends in steps."""
    blends = [(i, j, steps - i - j) for i in range(steps + 1) for j in range(steps + 1 - i)]
    return min(blend_distance(car.rest, car.filling.cells, car.examples, np.array(t) / steps, positions) for t in blends)


def crash(examples: bool, seconds: float = 0.6) -> list[tuple[float, float, np.ndarray | None, float]]:
    """(time [s], length of the red car [m], its blend if it has one, its distance from the nearest blend [-]), six times."""
    world, liking, rows = build(examples), pl.load("crash")["red"], []
    for _ in range(6):
        world.run(seconds / 6.0)
        red = world["red"]
        blend = red.blend if examples else None
        rows.append((world.time, float(np.ptp(red.positions[:, 0])), blend, nearest(liking, red.positions)))
    return rows


def check() -> None:
    liking, plain = crash(True), crash(False)
    assert max(1.0 - row[2][0] for row in liking) > 0.5, "it takes the shapes of its examples"
    assert max(row[3] for row in plain) > 3.0 * max(row[3] for row in liking), "without them it does not"


if __name__ == "__main__":
    print("the red car; weights of its shape at rest and of its examples; distance of its shape from the nearest blend of them")
    for examples in (True, False):
        print("it likes its examples" if examples else "the same car without examples, so without weights")
        print("  time s   length m" + ("   at rest   straight    left" if examples else "") + "   distance")
        for time, length, blend, distance in crash(examples):
            weights = "" if blend is None else "".join(f"{w:{n}.2f}" for w, n in zip(blend, (10, 11, 8), strict=True))
            print(f"  {time:6.2f} {length:10.2f}{weights} {distance:10.4f}")
