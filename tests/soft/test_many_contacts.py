"""Solids that touch at hundreds of places. Oracles: Signorini's and Coulomb's conditions, weight, energy."""

import numpy as np
import pytest
from energy import EnergyGuard

import pliant as pl
from pliant.solvers.rows.many_contacts import EVEN, ManyContacts

G, CLOSE = 9.81, 1e-10


@pytest.mark.parametrize("seed", range(4))
def test_every_contact_pushes_sticks_or_slips_as_it_should(seed):
    """Some ties first: their speeds end at zero. Known by products alone, eased by the diagonal."""
    rng, count, ties = np.random.default_rng(seed), 40, 6
    random = rng.normal(size=(3 * count, 3 * count))
    matrix = np.eye(3 * count) + 0.1 * random @ random.T / (3 * count)
    own, friction = matrix.diagonal().reshape(-1, 3).max(axis=1), rng.uniform(0.0, 0.8, count)
    before = rng.normal(size=(count, 3))
    speed, impulse = before.copy(), np.zeros((count, 3))
    contacts = ManyContacts(lambda x: (matrix @ x.ravel()).reshape(-1, 3), lambda y: y / own[:, None], own, friction, ties,
                            speed, impulse)
    for _ in range(40):  # a solve leaves a share; and a change of the impulses costs a little
        contacts.solve(CLOSE, 1000)
        speed[:] = before + (matrix @ impulse.ravel()).reshape(-1, 3)
    slack = CLOSE + 2.0 * EVEN * own.max() * 1e-6 + 1e-12 * own.max()  # of what is solved, of the last change, of sums
    np.testing.assert_allclose(speed[:ties], 0.0, atol=slack)
    push, u = impulse[ties:], speed[ties:]
    assert push[:, 0].min() >= 0.0
    assert np.abs(np.minimum(push[:, 0], u[:, 0])).max() <= slack
    size, slip, radius = np.hypot(*push[:, 1:].T), np.hypot(*u[:, 1:].T), friction[ties:] * push[:, 0]
    assert (size <= radius + slack).all()
    opposed = push[:, 1:] * slip[:, None] + radius[:, None] * u[:, 1:]
    assert np.abs(opposed).max() <= slack * max(1.0, slip.max(), radius.max())
    assert (push[:, 0] > 0.0).any() and (push[:, 0] == 0.0).any() and (slip[push[:, 0] > 0.0] > 0.1).any()


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_contacts_that_are_not_met_bring_no_energy(seed):
    """175 of them on 27 vertices say nearly the same: given up early, some push what others pull, until none may pull.

    Impulses x change the energy by x u + x K x / 2, u the speeds before.
    """
    rng, count, vertices = np.random.default_rng(seed), 175, 27
    share = np.zeros((count, vertices))
    for row in share:
        row[rng.choice(vertices, 3, replace=False)] = rng.dirichlet(np.ones(3))
    place = rng.uniform(size=(vertices, 2))
    answer = np.exp(-np.linalg.norm(place[:, None] - place[None], axis=2))  # positive definite, as of what is near in a solid
    matrix, resist = share @ answer @ share.T, np.linalg.inv(answer)
    size = (share**2).sum(axis=1)[:, None]
    before = np.column_stack([-4.0 + 0.3 * rng.normal(size=count), 0.1 * rng.normal(size=(count, 2))])
    speed, impulse = before.copy(), np.zeros((count, 3))
    contacts = ManyContacts(lambda x: matrix @ x, lambda y: share @ (resist @ (share.T @ (y / size))) / size,
                            matrix.diagonal().copy(), np.full(count, 0.5), 0, speed, impulse)
    contacts.solve(CLOSE, 20)
    own = np.vdot(impulse, matrix @ impulse)
    assert impulse[:, 0].min() >= 0.0 and own > 0.0
    assert np.vdot(impulse, before) + 0.5 * own <= 1e-12 * own


def borne(world: pl.World, name: str) -> float:
    """What lifts a thing from below [N]."""
    return float(sum(f[2] if b == name else -f[2] for a, b, f in zip(*(getattr(world.contacts, one) for one in "ab"),
                                                                     world.contacts.force, strict=True)
                     if name in (a, b) and "ground" in (a, b)))


@pytest.mark.parametrize(("young", "load"), [(1e6, 50.0), (1e5, 20.0)])
def test_a_plate_on_a_pad_that_touches_at_hundreds_of_places(young, load):
    """It brings no energy, the ground bears all weight to 1e-3, and the pad lies still and where Hooke's law has it."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Solid("pad", pl.Box(0.2, 0.2, 0.04), spacing=0.0125, material=pl.Material(1000.0, young, poisson=0.3),
                       position=(0.0, 0.0, 0.02)))
    scene.add(pl.Body("plate", pl.Box(0.24, 0.24, 0.05), mass=load, position=(0.0, 0.0, 0.066)))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    world.run(1.0)
    weight = G * (load + world["pad"].mass)
    assert len(world.contacts.a) > 500
    assert borne(world, "pad") == pytest.approx(weight, rel=1e-3)
    assert np.abs(world["pad"].velocities).max() < 1e-4
    # between uniaxial stress and, where friction holds both faces, uniaxial strain: (1 - nu) / ((1 + nu) (1 - 2 nu)) as stiff
    pressed = 0.065 - world["plate"].position[2]
    free = G * load * 0.04 / (young * 0.04)
    assert 0.52 / 0.7 * free - 1e-5 < pressed < free + 2e-4  # contacts may sink in by their slop


def test_stiff_cubes_of_fine_cells_on_each_other():
    """Nearly rigid, E h^2 / (rho l^2) = 35000, at 243 places: no energy, no motion, and the ground bears their weight."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k in range(2):
        scene.add(pl.Solid(f"cube{k}", pl.Box(0.1, 0.1, 0.1), spacing=0.0125, material=pl.Material(1000.0, 2e7, poisson=0.3),
                           position=(0.0, 0.0, 0.05 + 0.1 * k)))
    world = pl.World(scene, threads=1)
    world.on_step(EnergyGuard(world))
    world.run(0.5)
    assert len(world.contacts.a) > 200
    assert borne(world, "cube0") == pytest.approx(2 * G, rel=1e-3)
    assert max(np.abs(world[f"cube{k}"].velocities).max() for k in range(2)) < 1e-3
