"""What holds a direct rope reads what it bears once nothing touches any more."""

import numpy as np
import pytest
from direct import within
from oracles import G

import pliant as pl


@pytest.mark.parametrize("slide", [None, (0, 1, 0)], ids=["pins", "one slides"])
def test_holds_after_a_box_was_lifted(slide):
    """A box on the middle of a rope is lifted by a table and let down again. Oracle: weight, after 7 s of drag 4 / s.

    A hold that slides is solved as leaning on something heavy; what it gave velocities while the box was touched stayed, and
    read as 400 N for ever.
    """
    scene, mass, box = pl.Scene(drag=4.0), 0.1, 1.0
    scene.add(pl.Rope("r", [(0, 0, 1), (0.9, 0, 1)], 21, 0.005, length=1.0, mass=mass, bend=1e-3, twist=1e-3, collide=False))
    scene.pin("r.start", name="a")
    scene.pin("r.end", name="b", slide=slide)
    middle = pl.World(scene, threads=1)["r"].positions[10]
    scene.add(pl.Body("box", pl.Box(0.1, 0.1, 0.1), mass=box, position=tuple(middle - (0, 0, 0.05))))
    scene.attach("r@0.5", "box")
    way = pl.Motion([0, 1, 2, 3], [(0, 0, 0), (0, 0, 0.25), (0, 0, 0.25), (0, 0, -0.5)], smooth=True)
    scene.add(pl.Body("table", pl.Box(0.3, 0.3, 0.05), mass=5.0, position=tuple(middle - (0, 0, 0.3)), motion=way))
    world, touched = pl.World(scene, threads=1), False
    for _ in range(600):
        touched |= world.step().penetration > 0.0
    assert touched
    within("held [N]", np.abs(world["a"].force + world["b"].force - (0, 0, (mass + box) * G)).max(), 1e-4)
