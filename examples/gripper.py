"""How hard the sprung gripper presses the egg while it lifts it, and what a tighter grip does."""

import pliant as pl


def build(grip: float | None = None) -> pl.World:
    world = pl.World(pl.load("gripper"))
    if grip is not None:
        world.control["grip"] = grip
    return world


def lift(world: pl.World, seconds: float = 8.0) -> tuple[float, float]:
    """(height gained [m], largest force with which one thing pressed the egg [N])."""
    start, largest = world["egg"].position[2], 0.0
    for _ in range(round(seconds / world.dt)):
        world.step()
        largest = max(largest, world["egg"].pressed)
    return float(world["egg"].position[2] - start), largest


def check() -> None:
    world = build()
    height, largest = lift(world)
    assert height > 0.2 and largest < 5.0 and not world["egg"].broken
    world = build(0.1)
    assert lift(world, 4.0)[1] > 5.0 and world["egg"].broken, "a grip of 0.1 m presses with 6 N"


if __name__ == "__main__":
    for grip in (0.02, 0.05, 0.1):
        world = build(grip)
        height, largest = lift(world)
        lifted = f"lifted {height:.3f} m" if height > 1e-3 else "not lifted"
        print(f"grip {grip:4.2f} m: {lifted}, pressed with at most {largest:4.2f} N"
              + (", broken" if world["egg"].broken else ""))
