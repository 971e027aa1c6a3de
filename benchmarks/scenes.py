"""The scenes of the benchmark `bodies`, each built once as a pliant scene; every engine is fed from the same one."""

import numpy as np

import pliant as pl

DT = 1.0 / 60.0
"""Output step [s] of every engine."""

LINKS = 50
LINK_LENGTH = 0.1
"""[m], from ball to ball."""
LINK_RADIUS = 0.02
"""[m]"""


def chain(links: int = LINKS, joint: type = pl.Spherical) -> pl.Scene:
    """A chain of capsules on ball joints, hung at one end at the origin, let go horizontal along +x; no contacts."""
    scene = pl.Scene()
    shape = pl.Capsule(LINK_RADIUS, LINK_LENGTH - 2.0 * LINK_RADIUS)
    along_x = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
    for i in range(links):
        centre = ((i + 0.5) * LINK_LENGTH, 0.0, 0.0)
        scene.add(pl.Body(f"link{i}", shape, density=1000.0, position=centre, quaternion=along_x, collide=False))
        parent = f"link{i - 1}" if i else pl.WORLD
        scene.add(joint(f"joint{i}", parent, f"link{i}", anchor=(i * LINK_LENGTH, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    return scene


def hinges() -> pl.Scene:
    """The chain on hinges across it: the same fall, which stays in a plane."""
    return chain(joint=pl.Revolute)


def pile(boxes: int = 200, seed: int = 1) -> pl.Scene:
    """Boxes of random size and attitude in a loose column, 25 a layer, that fall into a heap on the ground."""
    rng = np.random.default_rng(seed)
    scene = pl.Scene()
    scene.add(pl.Ground(friction=0.5))
    pitch = 0.32  # [m]; the longest possible diagonal is 0.312 m, so nothing overlaps at the start
    for i in range(boxes):
        layer, place = divmod(i, 25)
        sides = rng.uniform(0.08, 0.18, 3)
        quaternion = rng.normal(size=4)
        position = ((place % 5 - 2) * pitch, (place // 5 - 2) * pitch, 0.3 + layer * pitch)
        scene.add(pl.Body(f"box{i}", pl.Box(*sides), density=500.0, position=position,
                          quaternion=tuple(quaternion / np.linalg.norm(quaternion)), friction=0.5))
    return scene


def scout() -> pl.Scene:
    """The built-in scene: a six-wheeled robot on sprung axles that drives over a bumpy height field."""
    from pliant.scene.files.scene_file import load

    return load("scout")


CONTROLS: dict[str, dict[str, float]] = {"scout": {"throttle": 0.4}}
"""What is held while a scene runs."""
