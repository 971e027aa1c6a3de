"""Drive the scout by its controls: straight, then in a left turn, and print the way it went."""

import numpy as np

import pliant as pl


def build() -> pl.World:
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.8))
    scene.add(pl.Robot.from_urdf(pl.asset("scout.urdf"), position=(0, 0, 0.3)))
    return pl.World(scene)


def heading(world: pl.World) -> float:
    """Yaw of the chassis [rad], to the left above zero."""
    w, x, y, z = world["scout/chassis"].quaternion
    return float(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def drive(world: pl.World, throttle: float, steering: float, seconds: float) -> None:
    world.control["throttle"], world.control["steering"] = throttle, steering
    world.run(seconds)


def check() -> None:
    world = build()
    drive(world, 0.5, 0.0, 3.0)
    ahead = world["scout/chassis"].position
    assert ahead[0] < -2.0 and abs(ahead[1]) < 0.05, "forward is away from the hitch, towards -x"
    drive(world, 0.5, 1.0, 2.0)
    assert heading(world) > 0.5 and world["scout/chassis"].position[1] < ahead[1], "left of -x is -y"


if __name__ == "__main__":
    world = build()
    print("2 s of each, from (0, 0) on; forward is towards -x, steering to the left above zero")
    for throttle, steering in ((0.5, 0.0), (0.5, 1.0), (0.5, -1.0), (-0.5, 0.0)):
        drive(world, throttle, steering, 2.0)
        x, y, _ = world["scout/chassis"].position
        print(f"throttle {throttle:4.1f}, steering {steering:4.1f}: at ({x:5.2f}, {y:5.2f}) m, "
              f"heading {heading(world):5.2f} rad")
