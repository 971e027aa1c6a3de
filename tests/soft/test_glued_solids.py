"""Stiff solids glued to cloth, vertex on vertex or by a body between, at defaults. Oracles: energy less work never rises,
weights, momentum, a run in short substeps."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl
from pliant.couple.soft.substep import SoftSubstep

G = 9.81


def sheet(scene: pl.Scene, thickness=0.001, method="projective", **where) -> pl.Cloth:
    """Of half a metre, its left edge at x = -0.25 m."""
    return scene.add(pl.Cloth("sheet", pl.Sheet(0.5, 0.5, 0.05), thickness, "cotton", collide=False, method=method, **where))


def bar(scene: pl.Scene, material, middle: float, method="projective", height=0.025) -> pl.Solid:
    """Along the right edge of the sheet."""
    return scene.add(pl.Solid("bar", pl.Box(0.05, 0.5, 0.05), spacing=0.05, material=material, collide=False, method=method,
                              position=(middle, 0, height)))


def glue(scene: pl.Scene, one, other, most: int = 100) -> None:
    """Vertices that lie in one place."""
    near = np.linalg.norm(one.placed()[:, None] - other.placed()[None], axis=2) < 1e-6
    i, j = np.nonzero(near)
    assert len(i)
    scene.attach(one.vertices(i[:most]), other.vertices(j[:most]), name="glue")


def let_go(material="rubber", thickness=0.001, method="projective", most=100, **settings) -> pl.World:
    """A level sheet pinned by one edge, a bar glued along the other one, up to so many vertices of it."""
    scene = pl.Scene()
    cloth = sheet(scene, thickness, method)
    scene.pin(cloth.vertices(lambda x: x[:, 0] < -0.249), name="pins")
    glue(scene, cloth, bar(scene, material, 0.275, method), most)
    return pl.World(scene, threads=1, **settings)


@pytest.mark.parametrize("case", [{}, {"material": "silicone"}, {"material": "steel"}, {"thickness": 0.004},
                                  {"method": "quasi-newton"}, {"most": 1}], ids=str)
def test_a_bar_glued_to_a_sheet_gains_nothing(case):
    """It came to 1e70 J within 0.3 s: rotations of the bar of where its substep began, not ended, lead away."""
    world = let_go(**case)
    world.on_step(EnergyGuard(world))
    for _ in range(60):
        assert not world.step().warnings


def test_it_swings_as_in_short_substeps():
    """By implicit Euler of steps a quarter as long, which has less of its errors: the bar's way in 0.3 s within a tenth."""
    at = []
    for dt in (1.0 / 60.0, 1.0 / 240.0, 1.0 / 960.0):
        world = let_go(dt=dt)
        world.run(0.3)
        at.append(world["bar"].positions.mean(axis=0))
    errors = [float(np.linalg.norm(one - at[2])) for one in at[:2]]
    assert errors[1] < errors[0] < 0.1 * np.linalg.norm(at[2] - (0.275, 0, 0.025))


def test_the_glue_bears_the_bar_at_rest():
    """Hanging straight down it comes to rest: the glue has the weight of the bar, the pins that of both."""
    scene = pl.Scene(drag=8.0)
    cloth = sheet(scene, quaternion=(np.sqrt(0.5), 0, np.sqrt(0.5), 0))
    scene.pin(cloth.vertices(lambda x: x[:, 0] < -0.249), name="pins")
    glue(scene, cloth, scene.add(pl.Solid("bar", pl.Box(0.05, 0.5, 0.05), spacing=0.05, material="rubber", collide=False,
                                          position=(0.025, 0, -0.275))))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    world.run(3.0)
    weight = G * world["bar"].mass
    np.testing.assert_allclose(np.abs(world["glue"].force), (0, 0, weight), rtol=0, atol=1e-3 * weight)
    np.testing.assert_allclose(world["pins"].force, (0, 0, weight + G * world["sheet"].mass), rtol=0, atol=1e-3 * weight)


def test_free_and_kicked_they_keep_their_momentum():
    """Nothing from outside: momentum to rounding, and no energy (2e84 J before)."""
    scene = pl.Scene(gravity=(0, 0, 0))
    cloth = sheet(scene, velocity=(0, 0, 1.0))
    glue(scene, cloth, bar(scene, "rubber", 0.275))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    mass = [one.mass for one in world._engine.model.soft]
    whole = mass[0].sum()
    for _ in range(60):
        world.step()
        now = sum(m @ world[name].velocities for m, name in zip(mass, ("sheet", "bar"), strict=True))
        np.testing.assert_allclose(now, (0, 0, whole), rtol=0, atol=1e-9)


@pytest.mark.parametrize("material", ["rubber", "silicone"])
def test_a_sheet_and_a_pad_on_one_body(material):
    """A body of 1 kg glued to the edge of a sheet, a pad under it: levers that had turned by a hundredth made it 3e20 J."""
    scene = pl.Scene()
    cloth = sheet(scene)
    scene.pin(cloth.vertices(lambda x: x[:, 0] < -0.249))
    rail = scene.add(pl.Body("rail", pl.Box(0.05, 0.5, 0.02), mass=1.0, position=(0.275, 0, 0), collide=False))
    scene.attach(cloth.vertices(lambda x: x[:, 0] > 0.249), rail)
    pad = bar(scene, material, 0.275, height=-0.035)
    scene.attach(pad.vertices(lambda x: x[:, 2] > 0.0249), rail)
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    for _ in range(60):
        world.step()


def test_a_ball_of_patches_on_a_corner():
    """Its patches have no frame: it is solved by local/global, or its second derivative (4e54 J before)."""
    scene = pl.Scene()
    ball = scene.add(pl.Solid("ball", pl.PatchMesh.sphere(0.1, 20), material="rubber", collide=False))
    top = int(np.argmax(ball.placed()[:, 2]))
    vertices, faces = pl.Sheet(0.3, 0.3, 0.05).triangles()
    cloth = scene.add(pl.Cloth("cloth", (vertices, faces), 0.001, collide=False,
                               position=tuple(ball.placed()[top] - vertices[0])))
    scene.pin(cloth.vertices(lambda x: x[:, 0] > 0.149))
    scene.attach(cloth.vertices([0]), ball.vertices([top]))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    for _ in range(60):
        world.step()


@pytest.mark.parametrize("driven", [False, True])
def test_a_gain_beyond_measure_is_no_answer(driven, monkeypatch):
    """A substep that throws a bar away, all of which could be taken out of its motion: what nothing drives is
    stopped where it was, what goes on is refused, and the state stays as it was before."""
    scene = pl.Scene()
    thing = bar(scene, "rubber", 0.0)
    hold = scene.add(pl.Body("hold", pl.Box(0.1, 0.6, 0.1), position=(0, 0, 0.1), collide=False, mass=None if driven else 5.0,
                             motion=pl.Motion((0.0, 1.0), ((0, 0, 0), (1, 0, 0))) if driven else None))
    scene.attach(thing.vertices(lambda x: x[:, 2] > 0.0249), hold)
    world, solve = pl.World(scene, threads=1), SoftSubstep.exactly
    world.step()

    def spoilt(self, exact, i, things, *how):
        solve(self, exact, i, things, *how)
        things[0].block.velocity *= 1e6
        return True

    before = world["bar"].positions
    monkeypatch.setattr(SoftSubstep, "exactly", spoilt)
    if driven:
        with pytest.raises(pl.Diverged, match="'bar' has gained energy beyond measure"):
            world.step()
    else:
        assert any("stopped" in one for one in world.step().warnings)
        assert world.energy().kinetic == 0.0
    np.testing.assert_array_equal(world["bar"].positions, before)
