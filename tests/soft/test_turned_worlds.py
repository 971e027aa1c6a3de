"""A world that is turned as a whole moves as before, turned: what touches does not depend on the order of triangles."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl


def landing(turn: Rotation) -> pl.World:
    """A tilted jelly of few cells lands on the ground, and the edges of a box on its edges; all of it turned by `turn`."""
    def there(x: float, y: float, z: float) -> tuple:
        return tuple(turn.apply((x, y, z)))

    def along(way: Rotation) -> tuple:
        return tuple((turn * way).as_quat(scalar_first=True))

    scene = pl.Scene(gravity=there(0.0, 0.0, -9.81))
    scene.add(pl.Ground(normal=there(0.0, 0.0, 1.0), friction=0.5))
    tilt = Rotation.from_rotvec(0.4 * np.sqrt(0.5) * np.array((1.0, 1.0, 0.0)))
    scene.add(pl.Solid("jelly", pl.Box(0.4, 0.2, 0.2), spacing=0.1, material="jelly", friction=0.5,
                       position=there(0.0, 0.0, 0.3), quaternion=along(tilt), velocity=there(1.0, 0.0, 0.0)))
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=3.0, position=there(0.1, 0.05, 0.65),
                      quaternion=along(Rotation.identity())))
    return pl.World(scene, threads=1)


@pytest.mark.parametrize("way", [(0.0, 0.0, 0.7), (0.48, -0.96, 0.24)])
def test_a_turned_world_moves_as_before(way):
    """Oracle: isotropy of space.

    Iterations end below 1e-6 m/s, or with up to 0.03 m/s left, of which rounding changes a share below 1e-3: in 40 steps of
    1/60 s less than 2e-5 m. A contact that one world has alone makes 1e-2 m.
    """
    turn = Rotation.from_rotvec(way)
    plain, turned, touched = landing(Rotation.identity()), landing(turn), False
    for _ in range(40):
        plain.step()
        turned.step()
        np.testing.assert_allclose(turned["jelly"].positions, turn.apply(plain["jelly"].positions), rtol=0, atol=2e-5)
        touched = touched or {"jelly", "box"} in [{a, b} for a, b in zip(plain.contacts.a, plain.contacts.b, strict=True)]
    assert touched
