"""A box on a spindle that a control turns, for tests of the view."""

import pliant as pl


def scene_of(*things) -> pl.Scene:
    """A box on a spindle that a control turns, over ground."""
    scene = pl.Scene()
    for thing in (pl.Ground(), pl.Control("rate", low=-2.0, high=2.0, value=1.0, unit="rad/s", keys=("a", "d")),
                  pl.Body("box", pl.Box(0.4, 0.3, 0.2), position=(0.0, 0.0, 0.5)),
                  pl.Revolute("spindle", pl.WORLD, "box", axis=(0.0, 0.0, 1.0), motor=pl.VelocityMotor("rate", 50.0)),
                  *things):
        scene.add(thing)
    return scene


def world_of(*things) -> pl.World:
    return pl.World(scene_of(*things))
