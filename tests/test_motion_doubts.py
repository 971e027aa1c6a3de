"""Motions that jump are doubted, in one sentence that names the thing, how far and the remedy. Oracle: by hand."""

import numpy as np
import pytest

import pliant as pl

ROPE = {"points": 6, "radius": 0.005, "mass": 0.1, "bend": 0.1, "twist": 0.1, "collide": False}


def told(motion, what: str = "pin") -> list[str]:
    """Warnings of a body, or of a pin of a rope, that moves so."""
    scene = pl.Scene()
    if what == "body":
        scene.add(pl.Body("b", pl.Box(0.1, 0.1, 0.1), motion=motion))
    else:
        scene.add(pl.Rope("r", [(3, 0, 0), (4, 0, 0)], **ROPE, method="compliant" if what == "compliant" else "direct"))
        scene.pin("r.start", clamp=True, motion=motion, name="p")
    return pl.World(scene, threads=1).warnings


@pytest.mark.parametrize("what", ["pin", "compliant", "body"])
def test_places_in_place_of_offsets(what):
    """3 m from where it is: the place itself, given as an offset."""
    (said,) = told(pl.Motion([0, 1], positions=[(3, 0, 0), (3, 0, 0.1)]), what)
    name = "Body 'b'" if what == "body" else "Pin 'p'"
    assert said == (f"{name}: its motion begins 3 m away from where it is, and jumps there in the first step; a motion is "
                    "given as offsets from the start, let them begin with (0, 0, 0)")


def test_a_turn_and_a_function():
    (said,) = told(pl.Motion([0, 1], rotations=[(0, 0, 0.5), (0, 0, 1)]))
    assert "begins 0.5 rad away" in said
    (said,) = told(pl.Motion(lambda t: ((0.0, 0.2, 0.0), (1.0, 0.0, 0.0, 0.0))))
    assert "begins 0.2 m away" in said


def test_a_loop_that_does_not_close():
    """From 0.4 m back to 0; whole turns close."""
    (said,) = told(pl.Motion([0, 1], positions=[(0, 0, 0), (0, 0, 0.4)], loop=True))
    assert said == ("Pin 'p': its motion is looped, and ends 0.4 m away from where it begins, so that it jumps back each time; "
                    "let its last row be its first, or leave loop out")


@pytest.mark.parametrize("motion", [
    pl.Motion([0, 1], positions=[(0, 0, 0), (0, 0, 0.4)]),
    pl.Motion([0, 1, 2], positions=[(0, 0, 0), (0, 0, 0.4), (0, 0, 0)], loop=True),
    pl.Motion([0, 1], rotations=[(0, 0, 0), (2 * np.pi, 0, 0)], loop=True),
    pl.Motion([1, 2], positions=[(0, 0, 0), (0, 0, 0.4)]),
])
@pytest.mark.parametrize("what", ["pin", "body"])
def test_what_is_right_is_not_doubted(motion, what):
    assert told(motion, what) == []


def test_an_error_names_the_pin():
    with pytest.raises(pl.SceneError, match=r"^Pin 'p': its motion's function must return"):
        told(lambda t: 3.0)
