"""What the tests of bad input share: things to give wrong fields to, and the rule of one sentence with the words wanted."""

import math

import pytest

import pliant as pl

NAN = math.nan
BALL = pl.Sphere(0.1)
VERTICES = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def body(**fields):
    return pl.Body(**{"name": "b", "shape": BALL, **fields})


def hinge(**fields):
    return pl.Revolute(**{"name": "h", "parent": pl.WORLD, "child": "b", **fields})


def check(action, words: str) -> None:
    with pytest.raises(pl.SceneError) as caught:
        action()
    text = str(caught.value)
    missing = [w for w in words.split() if w not in text]
    assert not missing, f"{missing} not in: {text}"
    assert "\n" not in text and text.endswith((".", "?", "…")), f"one sentence, with its full stop: {text}"
