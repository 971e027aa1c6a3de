"""How hard the sprung gripper presses the egg while it lifts it, and what a tighter grip would do."""

import numpy as np

import pliant as pl

BREAKS_AT = 5.0  # [N]


def build(grip: float | None = None) -> pl.World:
    world = pl.World(pl.load("gripper"))
    if grip is not None:
        world.control["grip"] = grip
    return world


def pressed(world: pl.World) -> float:
    """The largest force that one thing bears on the egg with [N]."""
    forces: dict[str, np.ndarray] = {}
    contacts = world.contacts
    for a, b, force in zip(contacts.a, contacts.b, contacts.force, strict=True):
        if "egg" in (a, b):
            other, sign = (a, 1.0) if b == "egg" else (b, -1.0)
            forces[other] = forces.get(other, np.zeros(3)) + sign * force
    return max((float(np.linalg.norm(force)) for force in forces.values()), default=0.0)


def lift(world: pl.World, seconds: float = 8.0) -> tuple[float, float]:
    """(height gained [m], largest force on the egg [N])."""
    start, largest = world["egg"].position[2], 0.0
    for _ in range(round(seconds / world.dt)):
        world.step()
        largest = max(largest, pressed(world), float(np.linalg.norm(world["egg"].contact_force)))
    return float(world["egg"].position[2] - start), largest


def check() -> None:
    height, largest = lift(build())
    assert height > 0.2 and largest < BREAKS_AT
    assert lift(build(0.1), 4.0)[1] > BREAKS_AT, "a grip of 0.1 m presses with 6 N"


if __name__ == "__main__":
    for grip in (0.02, 0.05, 0.1):
        height, largest = lift(build(grip))
        print(f"grip {grip:4.2f} m: lifted {height:5.3f} m, at most {largest:4.2f} N"
              + (", broken" if largest > BREAKS_AT else ""))
