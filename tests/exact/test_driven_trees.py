"""Drives solved with their trees: every drive obeys its law at once, between its bounds and at them, and all forces balance."""

import numpy as np
import pytest

import pliant as pl
from pliant.model.rows import BOUND, GAMMA, HIGH, INSIDE, LOW, RELAXED

LINKS, H = 6, 1e-3
TOLERANCE = 1e-6
"""What sweeps leave of a speed [m/s or rad/s]."""


def arm(seed: int) -> pl.World:
    """A hanging arm of unlike links: motors strong and weak, springs, dampers, friction, and limits at hand; from rest."""
    rng = np.random.default_rng(seed)
    scene = pl.Scene()
    axes = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
    for k in range(LINKS):
        scene.add(pl.Body(f"link{k}", pl.Box(0.3, 0.06, 0.05), mass=10.0 ** rng.uniform(-1, 1), position=(0.15 + 0.3 * k, 0, 1),
                          collide=False))
        motor = (pl.PositionMotor(rng.uniform(-0.5, 0.5), stiffness=10.0 ** rng.uniform(1, 4), damping=rng.uniform(0, 10),
                                  max_effort=10.0 ** rng.uniform(-1, 3)),
                 pl.VelocityMotor(rng.normal(), max_effort=10.0 ** rng.uniform(-1, 3)), None)[rng.integers(3)]
        scene.add(pl.Revolute(f"joint{k}", pl.WORLD if k == 0 else f"link{k - 1}", f"link{k}", anchor=(0.3 * k, 0, 1),
                              axis=axes[rng.integers(3)], friction=10.0 ** rng.uniform(-2, 1), damping=rng.uniform(0.01, 1),
                              limits=(-0.5, 10.0 ** rng.uniform(-4, 0)), motor=motor))
        if rng.random() < 0.5:
            scene.add(pl.JointSpring(f"spring{k}", f"joint{k}", stiffness=10.0 ** rng.uniform(0, 4), damping=1.0))
    return pl.World(scene, dt=H, substeps=1, threads=1)


@pytest.mark.parametrize("seed", range(12))
def test_every_drive_obeys_its_law(seed):
    """Oracle: complementarity. Between its bounds J V + bias + gamma lambda = 0; at the lower one it is not negative, at the
    upper one not positive; to what sweeps leave of a speed."""
    obeys(arm(seed), 50)


@pytest.mark.parametrize("friction", [0.01, 0.1])
def test_fifty_hinges_with_friction_obey_it(friction):
    """Oracle: complementarity, as above: all that stick and slide in a long chain that swings are found in every step."""
    scene, parent = pl.Scene(), pl.WORLD
    for k in range(50):
        body = pl.Body(f"link{k}", pl.Box(0.09, 0.02, 0.02), mass=0.1, position=((k + 0.5) * 0.1, 0, 0), collide=False)
        scene.add(body)
        scene.add(pl.Revolute(f"hinge{k}", parent, body, anchor=(k * 0.1, 0, 0), axis=(0, 1, 0), friction=friction))
        parent = body
    obeys(pl.World(scene, dt=2 * H, substeps=1, threads=1), 200)


def obeys(world: pl.World, steps: int) -> None:
    """Fails where a drive does not."""
    work, state, drives = world._engine.work, world._engine.state, world._engine.model.drives
    at_a_bound = between = 0
    for _ in range(steps):
        report = world.step()
        assert report.converged
        law, impulse = work.drive_law.table, state.drives.impulse
        rate = state.coordinates.rate[drives.coordinate]
        left = rate + law[:, RELAXED] + law[:, GAMMA] * impulse  # at the end of a step limits no longer push back
        inside = (law[:, LOW] < impulse) & (impulse < law[:, HIGH])
        assert (law[:, LOW] <= impulse).all() and (impulse <= law[:, HIGH]).all()
        assert np.abs(left[inside]).max(initial=0.0) <= TOLERANCE
        low, high = impulse <= law[:, LOW], impulse >= law[:, HIGH]
        assert left[low].min(initial=0.0) >= -TOLERANCE
        assert left[high].max(initial=0.0) <= TOLERANCE
        at_a_bound, between = at_a_bound + (~inside).sum(), between + inside.sum()
    assert at_a_bound > 0 and between > 0, "both sides are tried"
    assert (law[:, BOUND] == INSIDE).any()


@pytest.mark.parametrize("seed", range(6))
def test_reactions_of_driven_joints_balance_the_momentum(seed):
    """Oracle: Newton's second law for each link, m dv = h (m g + force of its joint - force of the next), in a first step from
    rest. Rows turn within the step by h |w|, which is what forces may err by."""
    world = arm(seed)
    world.step()
    forces = [np.array(world[f"joint{k}"].force) for k in range(LINKS)] + [np.zeros(3)]
    most = max(np.abs(forces).max(), 1.0)
    turn = H * max(np.linalg.norm(world[f"link{k}"].angular_velocity) for k in range(LINKS))
    for k in range(LINKS):
        link = world[f"link{k}"]
        gained = link.mass * (np.array(link.velocity) / H + np.array((0, 0, 9.81)))
        assert gained == pytest.approx(forces[k] - forces[k + 1], abs=(2 * turn + 1e-6) * most)
