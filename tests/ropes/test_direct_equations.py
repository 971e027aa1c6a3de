"""One BDF2 step of direct ropes, balanced link by link in NumPy: momenta, forces and moments as the joints report them.

Oracle: m v+ = m (4 v_n - v_n-1)/3 + 2/3 h (m g + forces), the same for angular momenta with the moments of these forces,
forces at the points where links end at the end of the step; of a gap that stretches and shears, whose axis is the mean of
both links', by differences of the gap as seen along and across that axis. Newton's method ends when no link turns by more
than 1e-4 rad any more (TURN below): so far may forces point askew.
"""

import numpy as np
import pytest
from direct import rope_scene, within
from oracles import G
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.handles.handle import world_points
from pliant.handles.rod_readings import moments
from pliant.model.rods import AXIS, GAP_LAW
from pliant.model.rods import SOFT as STRETCHES

TURN = 1e-4


def between_pins(scene: pl.Scene) -> None:
    scene.pin("r.start")
    scene.pin("r.end")


def clamped_and_driven(scene: pl.Scene) -> None:
    scene.pin("r.start", clamp=True, motion=pl.Motion([0.0, 1.0], positions=[(0, 0, 0), (0.2, 0.5, 0.3)], smooth=True))


def with_a_bob(scene: pl.Scene) -> None:
    scene.pin("r.start")
    scene.add(pl.Body("bob", pl.Box(0.1, 0.2, 0.3), mass=0.5, position=(1.05, 0.02, 0.1), collide=False))
    scene.attach("r.end", "bob", clamp=True)


def sliding(word: str):
    def hold(scene: pl.Scene) -> None:
        scene.pin("r.start", slide=(0.6, 0.8, 0) if word == "start" else None)
        scene.pin("r.end", slide=(0.6, 0, 0.8) if word == "end" else None)
    return hold


SOFT = {"stretch": 20.0, "shear": 10.0}
CASES = {
    "free": (lambda scene: None, {}),
    "between pins": (between_pins, {"length": 1.1}),
    "driven clamp": (clamped_and_driven, {"rest": (1.0, 0.5, 2.0)}),
    "bob": (with_a_bob, {}),
    "soft, bob": (with_a_bob, SOFT),
    "soft, pins, damped": (between_pins, SOFT | {"damping": 0.01}),
    "sliding start": (sliding("start"), {"length": 1.2}),
    "sliding end": (sliding("end"), {"length": 1.2}),
}


def snapshot(world: pl.World) -> tuple[np.ndarray, np.ndarray]:
    """(momenta (n, 3), angular momenta about own centres (n, 3)) of all bodies, world frame."""
    motion, bodies = world._engine.state.motion, world._engine.model.bodies
    turn = Rotation.from_quat(motion.quaternion, scalar_first=True)
    spin = turn.apply(bodies.inertia * turn.inv().apply(motion.angular_velocity))
    return bodies.mass[:, None] * motion.velocity, spin


def pushes(world: pl.World, slid: str) -> tuple[np.ndarray, np.ndarray]:
    """(forces (n, 3), torques about centres (n, 3)) that the joints put on all bodies, mean over the step."""
    engine = world._engine
    joints, state = engine.model.joints, engine.state
    force, torque = np.zeros_like(state.motion.position), np.zeros_like(state.motion.position)
    numbers = np.arange(len(joints.kind))
    turning = moments(joints, state, numbers)
    left = world_points(world, joints.body[:, 0], joints.anchor_a)
    right = world_points(world, joints.body[:, 1], joints.anchor_b)
    for j in numbers:
        point = left[j] if slid == "sliding end" and j == world._index["end"]["r.end"] else right[j]
        for side, sign in ((0, -1.0), (1, 1.0)):
            b, f = joints.body[j, side], sign * state.joints.force[j]
            force[b] += f
            torque[b] += sign * turning[j]
            if engine.model.rods.table[joints.rod[j], GAP_LAW] == STRETCHES:
                torque[b] += gap_torque(engine, j, side)
            else:
                torque[b] += np.cross(point - state.motion.position[b], f)
    return force, torque


def gap_torque(engine, j: int, side: int) -> np.ndarray:
    """Torque (3,) of the force of rod `j` on its left (0) or right (1) body: its work as that body turns, by differences."""
    joints, motion, force = engine.model.joints, engine.state.motion, engine.state.joints.force[j]
    share, turns = engine.model.rods.table[joints.rod[j], AXIS], Rotation.from_quat(motion.quaternion, scalar_first=True)
    frames = [Rotation.from_quat(frame[j], scalar_first=True) for frame in (joints.frame_a, joints.frame_b)]

    def seen(turn, axis):
        own = [turns[b] for b in joints.body[j]]
        own[side] = Rotation.from_rotvec(turn) * own[side]
        ends = [motion.position[b] + q.apply(r[j]) for b, q, r in zip(joints.body[j], own, (joints.anchor_a, joints.anchor_b),
                                                                    strict=True)]
        d_a, d_b = (q.apply(frame.apply([0, 0, 1.0])) for q, frame in zip(own, frames, strict=True))
        d = share * d_a + (1.0 - share) * d_b
        d /= np.linalg.norm(d)
        axis = d if axis is None else axis
        k = np.cross(d, axis)
        k *= np.arcsin(min(1.0, np.linalg.norm(k))) / max(np.linalg.norm(k), 1e-300)
        return Rotation.from_rotvec(k).apply(ends[1] - ends[0]), d

    _, axis = seen(np.zeros(3), None)
    return np.array([force @ (seen(1e-6 * e, axis)[0] - seen(-1e-6 * e, axis)[0]) / 2e-6 for e in np.eye(3)])


@pytest.mark.parametrize("case", CASES)
def test_every_link_is_in_balance(case):
    """Ten steps of 5 ms after a kick in all three directions; the last is checked.

    A link's spin about its axis is carried along as a number, so that its angular momentum is in balance only to second
    order in the turn of a step: I w (h w)^2.
    """
    hold, fields = CASES[case]
    scene, h = rope_scene(G, points=9, bend=0.02, twist=0.03, **fields), 0.005
    hold(scene)
    world, rng = pl.World(scene, dt=h, substeps=1, threads=1), np.random.default_rng(3)
    s = np.linspace(0.0, 1.0, 9)[:, None]
    world["r"].velocities = np.sin(np.pi * s) * rng.normal(size=3) + 0.5 * np.sin(2 * np.pi * s) * rng.normal(size=3)
    world.run(9 * h)
    before = snapshot(world)
    world.step()
    now, joints = snapshot(world), world._engine.state.joints
    acted = [field.copy() for field in (joints.force, joints.torque)]
    report = world.step()
    after = snapshot(world)
    assert report.substeps == 1
    for field, earlier in zip((joints.force, joints.torque), acted, strict=True):
        field[:] = 1.5 * (field - earlier / 3.0)  # means are of what has acted, J_n = J_n-1 / 3 + 2/3 h F_n
    force, torque = pushes(world, case)
    bodies = world._engine.model.bodies
    moving = bodies.mass > 0.0
    weight = bodies.mass[:, None] * np.array([0.0, 0.0, -G])
    lost = after[0] - (4.0 * now[0] - before[0]) / 3.0 - 2.0 / 3.0 * h * (weight + force)
    turned = after[1] - (4.0 * now[1] - before[1]) / 3.0 - 2.0 / 3.0 * h * torque
    size = np.abs(force).max()
    within(f"{case}: forces out of balance", np.abs(lost[moving]).max() / (h * size), TURN)
    spin = np.linalg.norm(world["r"].angular_velocities, axis=1).max()
    second = bodies.inertia[bodies.link == 1].max() * spin * (h * spin) ** 2
    within(f"{case}: torques out of balance", np.abs(turned[moving]).max() / (h * size / 16), TURN + second / (h * size / 16))
    assert size > 0.05
