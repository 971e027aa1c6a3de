"""What the hitch bears when the same robot tows the same cart by a rope and by a ball joint, in a table."""

import numpy as np

import pliant as pl

HITCHES = {"rope": "tow", "ball joint": "tow-joint"}


def build(hitch: str = "rope") -> pl.World:
    return pl.World(pl.load(HITCHES[hitch]))


def pull(world: pl.World) -> float:
    """Force at the hitch [N]."""
    return float(np.linalg.norm(world["fore"].force if "fore" in world.scene else world["ball"].force))


def drive(hitch: str, seconds: float) -> dict[str, float]:
    """Straight, then left, then right, then coasting; figures of the pull and of the way."""
    world, pulls = build(hitch), []
    for throttle, steering in ((0.5, 0.0), (0.5, 0.4), (0.5, -0.4), (0.0, 0.0)):
        world.control["throttle"], world.control["steering"] = throttle, steering
        world.run(seconds / 4.0, each=lambda w: pulls.append(pull(w)))
    felt = np.array(pulls[30:])  # without the first jerk
    start = world.scene["cart"].position
    return {"mean [N]": felt.mean(), "median [N]": float(np.median(felt)), "largest [N]": felt.max(),
            "smallest [N]": felt.min(), "cart's way [m]": float(np.linalg.norm(world["cart"].position - start))}


def measure(seconds: float = 12.0) -> dict[str, dict[str, float]]:
    return {hitch: drive(hitch, seconds) for hitch in HITCHES}


def check() -> None:
    figures = measure(8.0)
    rope = figures["rope"]
    assert rope["smallest [N]"] < 0.5 * rope["median [N]"] and rope["largest [N]"] > 2.0 * rope["median [N]"], "it snatches"
    for of_hitch in figures.values():
        assert of_hitch["cart's way [m]"] > 1.0


if __name__ == "__main__":
    table = measure()
    print(f"{'':15s}" + "".join(f"{hitch:>12s}" for hitch in table))
    for row in table["rope"]:
        print(f"{row:15s}" + "".join(f"{figures[row]:12.1f}" for figures in table.values()))
