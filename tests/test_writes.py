"""A stage of a step writes what its docstring says it writes, and nothing else.

The stages are kernels, each of which would take a second to compile for a call from Python. They are called uncompiled
instead: this file runs itself once more, in a Python without the compiler.
"""

import inspect
import os
import subprocess
import sys
from math import inf
from pathlib import Path

import numpy as np
import pytest
from numba import config

import pliant as pl
from pliant.couple import finish, giving, islands, move, prepare, sweep
from pliant.model.model import sets_of

H = 1 / 480


def busy() -> pl.World:
    """An island with rows of every kind: joints of a tree and of a loop, motor, limit, friction, springs, contacts."""
    scene = pl.Scene(drag=0.1)
    scene.add(pl.Ground(friction=0.6, restitution=0.3))
    scene.add(pl.Body("stage", pl.Box(2, 2, 0.2), motion=pl.Motion([0, 1], [(0, 0, 0), (0.3, 0, 0.1)]), position=(0, 0, 0.5)))
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), mass=1.0, position=(0.3, 0, 0.7), velocity=(0.3, 0, -0.2),
                      angular_velocity=(0.1, 0.2, 0.3)))
    for k in range(3):  # the last hangs down: bars that lie straight between what does not move would stand
        scene.add(pl.Body(f"link{k}", pl.Box(0.3, 0.05, 0.05) if k < 2 else pl.Box(0.05, 0.05, 0.3), mass=1.0,
                          position=(0.15 + 0.3 * k, 0.6, 2) if k < 2 else (0.6, 0.6, 1.85), velocity=(0, 0.1, 0),
                          collide=False))
    scene.add(pl.Revolute("a", "stage", "link0", anchor=(0, 0.6, 2), axis=(0, 1, 0), friction=0.1, damping=0.01,
                          limits=(-1, 0.001), motor=pl.VelocityMotor(1.0, 3.0)))
    scene.add(pl.Revolute("b", "link0", "link1", anchor=(0.3, 0.6, 2), axis=(0, 1, 0)))
    scene.add(pl.Revolute("c", "link1", "link2", anchor=(0.6, 0.6, 2), axis=(0, 1, 0), reaction_friction=0.01))
    scene.add(pl.Spherical("loop", "link2", "stage", anchor=(0.6, 0.6, 1.7), damping=0.01))
    scene.add(pl.JointSpring("torsion", "b", stiffness=5.0, damping=0.1, rest=0.2))
    scene.add(pl.Spring("spring", "link1", "box", stiffness=3.0, damping=0.2, rest_length=0.5))
    world = pl.World(scene, substeps=1, dt=H)
    world.run(5 * H)
    world.apply_force("box", (1, 2, 3), torque=(0.1, 0, 0.2))
    return world


def given(world: pl.World) -> dict:
    """What the stages ask for, by the names of their parameters."""
    engine = world._engine
    m, s, w = engine.model, engine.state, engine.work
    sets = sets_of(m, s, w)
    movers, linkage, drivetrain, springwork, touch = sets
    return {
        "sets": sets, "movers": movers, "linkage": linkage, "drivetrain": drivetrain, "springwork": springwork, "touch": touch,
        "motion": s.motion, "ports": w.ports, "islands": w.islands, "outcome": w.outcome, "contacts": s.contacts,
        "shapes": m.shapes, "joints": m.joints, "work": w.joint_work, "joint_state": s.joints, "drive_state": s.drives,
        "spring_state": s.springs, "contact_work": w.contact_work, "bodies": m.bodies,
        "push": s.push, "springs": m.springs, "coordinates": m.coordinates, "drives": m.drives, "rows": w.joint_rows,
        "impulse": s.joints.relaxed,
        "reaction": s.joints.impulse, "part": m.bodies.tree, "gravity": m.gravity, "drag": m.drag, "h": H, "dt": H, "i": 0,
        "iterations": 4, "tolerance": 1e-6, "relaxed": False, "threshold": 0.1, "last": True, "factor": 0.5, "tree": w.tree,
        "stale": True, "follow": True, "fresh": 1, "b": 1.0, "few": True, "grown": 1.0, "parted": False, "met": False,
        "bounded": False, "energy": inf, "linked": True, "loose": True,
        "late": True,
    }


VELOCITIES = {"motion.velocity", "motion.angular_velocity"}
MOTION = VELOCITIES | {"motion.position", "motion.quaternion"}
JOINT_IMPULSES = {"joints.impulse", "joints.relaxed"}
IMPULSES = JOINT_IMPULSES | {"drives.impulse", "springs.impulse", "contact_work.table"}
MEANS = {"joints.force", "joints.torque", "drives.effort", "springs.effort"}
OUTCOME = {f"outcome.{f}" for f in ("substeps", "iterations", "residual", "unruly", "drift", "work", "heavy")}


def arrays_of(world: pl.World) -> dict[str, np.ndarray]:
    """Every array of the model, the state and the scratch, by group and field."""
    engine = world._engine
    found = {}
    for whole in (engine.model, engine.state, engine.work):
        for group_name, group in zip(whole._fields, whole, strict=True):
            if hasattr(group, "_fields"):
                kept = f"model {group_name}" if whole is engine.model else group_name
                found |= {f"{kept}.{field}": array for field, array in zip(group._fields, group, strict=True)}
    return found


STAGES = {
    # stage: (what its docstring names, the arrays that this means)
    move.keep_start: ("movers.start", {"start.table"}),
    move.go_back: ("motion", MOTION),
    move.kick: ("velocities", VELOCITIES),
    move.move: ("motion.position, .quaternion, movers.start", {"motion.position", "motion.quaternion", "start.table"}),
    move.move_contacts: ("touch.work", {"contact_work.table"}),
    prepare.begin_island: ("outcome, means over the step", OUTCOME | MEANS),
    prepare.place: ("angular velocities, movers.ports, linkage.rows, .work, .tree, drivetrain.rows, .lean, .place", {
        "motion.angular_velocity", "ports.inverse_inertia", "joint_rows.table", "joint_work.table", "joint_work.count",
        "joint_work.taken", "tree.joint", "coordinate_rows.table", "coordinates.value", "lean.table"}),
    prepare.factor_trees: ("linkage.rows, .work, .tree", {
        "joint_rows.table", "joint_work.table", "joint_work.taken", "tree.body", "tree.joint", "tree.loop",
        "tree.row"}),
    prepare.aim_again: ("work", {"joint_work.table"}),
    prepare.prepare_contacts: ("touch", {"contact_work.table", "contact_work.body"}),
    prepare.prepare_soft: ("springs and drives, springwork.rows, drivetrain.state.impulse", {
        "spring_law.table", "drive_law.table", "spring_rows.table", "drives.impulse", "drives.deflection",
        "springs.deflection"}),
    prepare.rescale: ("impulses", IMPULSES),
    sweep.sweep_springs: ("impulses, velocities", {"springs.impulse"} | VELOCITIES),
    # the bounds of friction that follows the reaction are part of its law
    sweep.sweep_drives: ("impulses, velocities", {"drives.impulse", "drive_law.table"} | VELOCITIES),
    # folded impulses and missing speeds are scratch of the solve
    sweep.sweep_joints: ("impulse, velocities", JOINT_IMPULSES | VELOCITIES | {"tree.body", "tree.loop", "joint_work.table"}),
    sweep.sweep_driven: ("impulses, velocities, drivetrain.law, .lean, linkage.work, .rows, .tree",
                         JOINT_IMPULSES | VELOCITIES | {
        "drives.impulse", "drive_law.table", "lean.table", "joint_rows.table", "joint_work.table", "joint_work.taken",
        "tree.body", "tree.joint", "tree.loop", "tree.row"}),
    sweep.sweep_contacts: ("touch.work, velocities", {"contact_work.table"} | VELOCITIES),
    sweep.meet_contacts: ("touch.work", {"contact_work.table"}),
    sweep.warm_start: ("velocities", VELOCITIES),
    finish.note_reactions: ("linkage.work, drivetrain.lean", {"joint_work.table", "lean.table"}),
    finish.finish_joints: ("linkage.state.force, .torque, .carried, drivetrain.place.rate, .lean", {
        "joints.force", "joints.torque", "joints.carried", "coordinates.rate", "lean.table"}),
    finish.finish_drives: ("drivetrain.state, outcome.work", {
        "drives.effort", "drives.deflection", "drives.carried", "outcome.work"}),
    finish.finish_springs: ("springwork.state", {"springs.effort", "springs.deflection"}),
    giving.note_giving: ("movers.history.given, drivetrain.lean", {"history.given", "lean.table"}),
    finish.finish_contacts: ("velocities, touch, contacts, outcome.work", VELOCITIES | {
        "contact_work.table", "contacts.impulse", "contacts.friction_impulse", "contacts.slip", "contacts.separation",
        "contacts.force", "outcome.work"}),
}


def call(stage, world: pl.World) -> set[str]:
    """Names of the arrays that a stage changed in a world."""
    known, names = given(world), list(inspect.signature(stage).parameters)
    unknown = [n for n in names if n not in known]
    assert not unknown, f"{stage.__name__} takes {unknown}, which this test does not know"
    arrays = arrays_of(world)
    if stage is prepare.factor_trees:
        known["tree"].row[:] = 0.0  # the step has left the same factors there
    if stage is giving.note_giving:
        known["drivetrain"].lean.table[:] = 0.0  # and the same sums
    before = {name: array.copy() for name, array in arrays.items()}
    stage(*(known[n] for n in names))
    return {name for name, array in arrays.items() if array.tobytes() != before[name].tobytes()}


def stage_writes_only_what_it_declares(stage):
    """Oracle: a comparison of every array of model, state and scratch before and after the call."""
    words, allowed = STAGES[stage]
    declared = stage.__doc__.partition("Writes: ")[2]
    assert all(word in declared for word in words.split(", ")), f"it declares '{declared}'"
    changed = call(stage, busy())
    assert changed <= allowed, f"it also wrote {sorted(changed - allowed)}"
    assert changed, "and it wrote something, else this scene does not test it"


if config.DISABLE_JIT:
    test_stage = pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.__name__)(stage_writes_only_what_it_declares)
else:
    def test_stages_write_only_what_they_declare():
        """Oracle: `stage_writes_only_what_it_declares`, for every stage."""
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k", "test_stage"]
        done = subprocess.run(words, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, cwd=Path(__file__).parent.parent,
                              capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout[-4000:]
        assert f"{len(STAGES)} passed" in done.stdout or done.stdout.count(".") >= len(STAGES)


def test_a_step_leaves_the_model_alone():
    """Oracle: habit one; the model is frozen."""
    world = busy()
    before = {n: a.copy() for n, a in arrays_of(world).items() if n.startswith("model")}
    world.run(0.1)
    changed = [n for n, a in arrays_of(world).items() if n in before and a.tobytes() != before[n].tobytes()]
    assert not changed


def test_finding_islands_writes_islands_alone():
    """Oracle: as above, for an entry."""
    world = busy()
    m, s, w = world._engine.model, world._engine.state, world._engine.work
    arrays = arrays_of(world)
    before = {n: a.copy() for n, a in arrays.items()}
    islands.find_islands(m.bodies, m.shapes, m.joints, m.coordinates, m.drives, m.springs, m.point_ropes, s.contacts,
                         m.surfaces, m.ties, s.ties, s.soft_contacts, w.islands)
    assert {n.partition(".")[0] for n, a in arrays.items() if a.tobytes() != before[n].tobytes()} <= {"islands"}
