"""Worlds that tests of snapshots save: a pile of bodies, a swing with a motor and a spring."""

import pliant as pl


def pile() -> pl.Scene:
    """Boxes, balls and rods that fall on each other; the table of contacts grows while they do."""
    scene = pl.Scene(about="a pile")
    scene.add(pl.Ground())
    shapes = pl.Box(0.2, 0.2, 0.2), pl.Sphere(0.1), pl.Box(0.3, 0.2, 0.1), pl.Capsule(0.08, 0.2), pl.Cylinder(0.1, 0.2)
    for k in range(48):
        place = (0.31 * (k % 3), 0.25 * (k // 3 % 2), 0.15 + 0.4 * (k // 6))
        scene.add(pl.Body(f"piece {k}", shapes[k % 5], density=500.0, position=place))
    return scene


def swing(length: float = 0.5, **changes) -> pl.Scene:
    """A driven hook, a rod on a hinge with a motor and a limit, a ball on a spring."""
    scene = pl.Scene()
    scene.add(pl.Control("push", value=0.5))
    table = pl.Motion([0.0, 0.4, 0.7, 1.0], positions=[(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0)], smooth=True, loop=True)
    scene.add(pl.Body("hook", pl.Sphere(0.05), position=(0, 0, 2), motion=changes.pop("motion", table)))
    scene.add(pl.Body("rod", pl.Box(0.1, 0.1, length), mass=1.0, position=(0, 0, 1.7)))
    scene.add(pl.Body("ball", pl.Sphere(0.1), mass=0.5, position=(0.2, 0, 1.2)))
    motor = pl.VelocityMotor({"push": 2.0}, max_effort=1.0)
    given = {"axis": (0, 1, 0), "limits": (-1.0, 1.0), "motor": motor, "friction": 0.01} | changes
    scene.add(pl.Revolute("hinge", "hook", "rod", anchor=(0, 0, 2), **given))
    scene.add(pl.Spring("string", "rod", "ball", stiffness=80.0, damping=0.2))
    scene.add(pl.Load("breeze", "ball", force=(0.3, 0, 0)))
    return scene


def saved(scene: pl.Scene, path) -> pl.World:
    world = pl.World(scene)
    world.run(0.2)
    world.save(path)
    return world
