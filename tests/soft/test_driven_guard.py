"""What drives do is counted, so that islands with them are held to no energy from nothing as well."""

import pytest
from energy import EnergyGuard

import pliant as pl


def sprung() -> pl.Scene:
    """A block on the ground under a plate, drawn down by a spring."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Solid("block", pl.Box(0.2, 0.2, 0.1), spacing=0.05, material=pl.Material(1000.0, 1e6, poisson=0.3),
                       position=(0.0, 0.0, 0.05)))
    plate = scene.add(pl.Body("plate", pl.Box(0.16, 0.16, 0.02), mass=2.0, position=(0.0, 0.0, 0.13)))
    post = scene.add(pl.Body("post", pl.Box(0.02, 0.02, 0.02), mass=1.0, position=(0.0, 0.0, -0.5), collide=False))
    scene.pin(post)
    scene.add(pl.Spring("spring", plate, post, stiffness=300.0, rest_length=0.3))
    return scene


def pressed() -> pl.Scene:
    """A hard cube between two plates that come together and part again."""
    scene = pl.Scene()
    scene.add(pl.Solid("cube", pl.Box(0.15, 0.15, 0.15), spacing=0.05, material=pl.Material(1000.0, 1e8, poisson=0.3),
                       position=(0.0, 0.0, 1.0)))
    for k, z in enumerate((-1.0, 1.0)):
        path = [(0.0, 0.0, 0.0), (0.0, 0.0, -0.003 * z), (0.0, 0.0, -0.003 * z), (0.0, 0.0, 0.0)]
        scene.add(pl.Body(f"plate{k}", pl.Box(0.3, 0.3, 0.04), position=(0.0, 0.0, 1.0 + 0.096 * z),
                          motion=pl.Motion([0.0, 0.2, 0.5, 0.7], path)))
    return scene


@pytest.mark.parametrize("make", [sprung, pressed])
def test_the_solver_sees_all_energy_of_what_is_driven(make):
    """Oracle: the sums over the whole world. What the guard compares, island by island, changes as these do: else it would
    take out what was never gained, or let something pass."""
    world = pl.World(make(), threads=1)
    guard, engine = EnergyGuard(world), world._engine
    world.step()
    seen, all_of_it = [], []
    for _ in range(40):
        world.step()
        guard(world)
        island = int(engine.work.islands.label[engine.model.soft[0].first])
        if engine.soft.carriers.driven(island):
            seen.append(engine.soft._energies(island, engine.soft.bodies, engine.model.gravity)[0])
            all_of_it.append(world.energy().total)
    assert len(seen) > 10
    sizes = 1e-12 * max(map(abs, all_of_it))
    assert [a - seen[0] for a in seen] == pytest.approx([a - all_of_it[0] for a in all_of_it], rel=0, abs=sizes)
    assert max(seen) - min(seen) > 1e-3


def test_what_the_guard_lets_pass_between_plates_is_rounding():
    """Oracle: implicit Euler loses energy. A hard cube that plates squeeze gains less than rounding of what is compared,
    and what lifts it out of contacts by as much as they are deep."""
    world = pl.World(pressed(), threads=1)
    mass, last = world["cube"].mass, world.energy()
    for _ in range(50):
        report = world.step()
        now = report.energy
        allowed = 2e-9 * (abs(now.total) + abs(last.total)) + mass * 9.81 * report.penetration
        allowed += 0.1 * mass * (9.81 * world.dt) ** 2
        assert now.total - now.work <= last.total - last.work + allowed
        last = now
