"""What joints bear is what they do to bodies: momenta change by it, and by weight, to the last digits, whatever drives them.

A drive pushes before the move of a substep and after it, and what it leans on its joint turns in between.
"""

import numpy as np
import pytest
from oracle_tools import turned
from random_machines import sprung_tree
from seeds import REACTIONS

import pliant as pl

SHARE = 1e-9
"""Of the largest force or torque that acted: rounding, of sums over substeps and of solves."""
BOX = (0.08, 0.3, 0.05)
INERTIA = np.array([BOX[1] ** 2 + BOX[2] ** 2, BOX[0] ** 2 + BOX[2] ** 2, BOX[0] ** 2 + BOX[1] ** 2]) / 12.0  # [m2], of 1 kg
SLIDING = (pl.Prismatic, pl.Cylindrical)
KINDS = (pl.Revolute, pl.Universal, pl.Spherical, pl.Fixed, *SLIDING)
DRIVES = ("velocity", "strong", "position", "stiff", "DC", "rotor", "damping", "friction", "following", "limits", "spring",
          "stiff spring", "latch")


def add_joint(scene: pl.Scene, kind: type, name: str, parent, child, anchor, axis, drives=()):
    """A joint of this `kind` with such `drives` as it may have."""
    motors = {"velocity": pl.VelocityMotor(3.0, 2.0), "strong": pl.VelocityMotor(-4.0, float("inf")),
              "position": pl.PositionMotor(-0.8, 30.0, 2.0, max_effort=8.0), "stiff": pl.PositionMotor(-1.4, 4e4, 1e3),
              "DC": pl.DCMotor(24.0, 0.05, 0.05, 0.5, 24.0, gear=20.0),
              "rotor": pl.DCMotor(12.0, 0.05, 0.05, 0.5, 24.0, gear=30.0, inertia=1e-5)}
    given: dict = {}
    fields = {"damping": {"damping": 0.4}, "friction": {"friction": 0.6}, "following": {"reaction_friction": 0.02},
              "limits": {"limits": (0.0 if kind is pl.Spherical else -0.1, 0.1)}}
    for d in drives:
        given |= fields.get(d, {}) if kind is not pl.Fixed else {}
        if d in motors and kind not in (pl.Spherical, pl.Fixed):
            given["motor"] = motors[d]
    joint = scene.add(kind(name, parent, child, anchor=anchor, axis=axis, **given))
    if kind not in (pl.Spherical, pl.Fixed):
        if "spring" in drives or "stiff spring" in drives:
            stiff = "stiff spring" in drives
            scene.add(pl.JointSpring(f"{name} spring", name, 1e4 if stiff else 20.0, 50.0 if stiff else 0.1, rest=0.4))
        if "latch" in drives:
            scene.add(pl.Latch(f"{name} latch", name, at=0.1, hold=300.0))
    return joint


def forces_of(world: pl.World, joint) -> np.ndarray:
    """What `joint` does to its child [N] (3,), of one that slides on what does not turn also along its axis."""
    handle, force = world[joint.name], world[joint.name].force
    if isinstance(joint, SLIDING) and joint.parent == pl.WORLD:
        force = force + sum(handle.efforts(joint.coordinates.index("travel")).values()) * np.array(joint.axis)
    return force


class Balance:
    """By how much momenta miss what changes them, in the steps of a world."""

    def __init__(self) -> None:
        self.most, self.largest = 0.0, 1.0

    def note(self, missing) -> None:
        """A step in which things lack so much [N or N m]."""
        self.most = max(self.most, *(float(np.abs(m).max()) for m in missing))

    def worst(self) -> float:
        """Of the largest that acted [-]."""
        return self.most / self.largest


def missed(world: pl.World, scene: pl.Scene, steps: int, left_out=()) -> float:
    """By how much the bodies of a world miss Newton's law [-], of the largest force that acts."""
    balance, joints = Balance(), [t for t in scene if isinstance(t, KINDS)]
    bodies = [t.name for t in scene if isinstance(t, pl.Body) and t.name not in left_out]
    for step in range(steps):
        if any(isinstance(t, pl.Control) for t in scene):
            world.control["u"] = 1.0 if step // 20 % 2 else -1.0
        before = {b: world[b].velocity for b in bodies}
        world.step()
        missing = {b: world[b].mass * ((world[b].velocity - before[b]) / world.dt - np.array(scene.gravity)) for b in bodies}
        for joint in joints:
            force = forces_of(world, joint)
            balance.largest = max(balance.largest, float(np.abs(force).max()))
            for body, sign in ((joint.child, 1.0), (joint.parent, -1.0)):
                if body in missing:
                    missing[body] -= sign * force
        balance.note(missing.values())
    return balance.worst()


def arm(kind: type, drives, substeps, gravity=(0.0, 0.0, 0.0)) -> tuple[pl.World, pl.Scene]:
    """One body on one joint with the world, that is not at rest."""
    scene = pl.Scene(gravity=gravity)
    spin = {pl.Revolute: (0, 0, 2), pl.Universal: (0, 0, 2), pl.Spherical: (0.7, 0.4, 2)}.get(kind, (0, 0, 0))
    along = np.array((0.0, 0.0, 0.9)) if kind in SLIDING else np.zeros(3)
    body = pl.Body("arm", pl.Box(*BOX), mass=1.0, position=(0.2, 0.1, 0.05), angular_velocity=spin,
                   velocity=along + np.cross(spin, (0.2, 0.1, 0.05)), collide=False)
    scene.add(body)
    add_joint(scene, kind, "joint", pl.WORLD, "arm", (0, 0, 0), (0, 0, 1), drives)
    return pl.World(scene, dt=1 / 120, substeps=substeps, threads=1), scene


@pytest.mark.parametrize("substeps", [1, 8])
@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_one_body_on_one_joint(kind, substeps):
    """Oracle: Newton, m (v1 - v0) / dt = force + m g, under each drive alone and under some together."""
    sets = ((), *((d,) for d in DRIVES), ("position", "following", "limits"), ("velocity", "friction", "latch"))
    found = {d: missed(*arm(kind, d, substeps, gravity=(1.0, 0.0, -9.81)), 60) for d in sets}
    assert max(found.values()) < SHARE, {d: m for d, m in found.items() if m >= SHARE}


@pytest.mark.parametrize("substeps", [1, 8])
def test_the_torque_about_a_fixed_anchor(substeps):
    """Oracle: angular momentum about the anchor of a hinge, which changes by its torque and by what acts along its axis; what
    the joint's gap gives its force as a lever is let pass. Without weight, whose lever changes within a step."""
    axis, found = np.array((0.0, 0.0, 1.0)), {}
    for drives in ((), *((d,) for d in DRIVES), ("position", "following", "limits")):
        world, _ = arm(pl.Revolute, drives, substeps)
        hinge, balance = world["joint"], Balance()
        for _ in range(60):
            before, gap = momentum_around(world["arm"]), float(np.linalg.norm(np.diff(hinge.anchors, axis=0)))
            drift = world.step().drift
            after, torque = momentum_around(world["arm"]), hinge.torque + sum(hinge.efforts().values()) * axis
            balance.largest = max(balance.largest, float(np.abs(torque).max()))
            missing = (after - before) / world.dt - torque
            lever = 2.0 * max(gap, drift) * float(np.linalg.norm(hinge.force))
            balance.note([missing * max(1.0 - lever / max(float(np.abs(missing).max()), 1e-300), 0.0)])
        found[drives] = balance.worst()
    assert max(found.values()) < SHARE, {d: m for d, m in found.items() if m >= SHARE}


def momentum_around(body) -> np.ndarray:
    """Angular momentum about the origin [kg m2/s] (3,)."""
    q = body.quaternion
    spin = turned(q, INERTIA * turned((q[0], *-np.array(q[1:])), body.angular_velocity))
    return body.mass * (spin + np.cross(body.position, body.velocity))


def tree(seed: int) -> tuple[pl.World, pl.Scene]:
    """A random arm of two to five links with drives of all kinds on it; what slides on links is not driven."""
    rng = np.random.default_rng(seed)
    scene, parent = pl.Scene(gravity=(0, 0, float(rng.choice([0.0, -9.81])))), pl.WORLD
    for k in range(rng.integers(2, 6)):
        link = f"link{k}"
        scene.add(pl.Body(link, pl.Capsule(0.04, 0.22), mass=float(rng.uniform(0.5, 2.0)), position=(0.3 * k + 0.15, 0, 0),
                          quaternion=(0.5**0.5, 0, 0.5**0.5, 0), collide=False))
        kind = (pl.Revolute, pl.Revolute, pl.Universal, pl.Spherical, pl.Prismatic, pl.Fixed)[rng.integers(6)]
        drives = () if kind is pl.Prismatic and k else rng.choice(
            ("velocity", "position", "DC", "rotor", "damping", "friction", "following", "limits", "spring", "latch"), 2, False)
        add_joint(scene, kind, f"joint{k}", parent, link, (0.3 * k, 0, 0), np.eye(3)[rng.integers(3)], drives)
        parent = link if rng.random() < 0.8 else parent
    return pl.World(scene, dt=1 / 240, substeps=int(rng.choice([1, 4, 16])), threads=1), scene


@pytest.mark.parametrize("seed", range(24))
def test_random_arms(seed):
    """Oracle: Newton for each link, of all joints that it hangs on and bears."""
    assert missed(*tree(seed), 60) < SHARE


@pytest.mark.parametrize("case", range(24))
def test_random_sprung_trees(case):
    """Oracle: as above, also in substeps that are not solved, whose bodies are slowed or stand: as if their joints held them.

    Beside springs these were left out, with all that a joint bears where friction follows that.
    """
    world = sprung_tree(np.random.default_rng([REACTIONS, case]))
    assert missed(world, world.scene, 60) < SHARE


@pytest.mark.parametrize("kind", [pl.Revolute, pl.Spherical])
@pytest.mark.parametrize("friction", [0.0, 0.05])
def test_torque_on_two_links_with_a_spring(kind, friction):
    """Oracle: angular momentum about the anchor in the world; what joints gape gives their forces a lever.

    Drives that change sides after a first move had trees factored with the inertias of where that led, while their rows lie
    where it began: angular momentum went amiss by 3e-4 in a step.
    """
    scene = pl.Scene(gravity=(0, 0, 0))
    for k in range(2):
        scene.add(pl.Body(f"link{k}", pl.Box(*BOX), mass=1.0, position=(0.4 * k + 0.2, 0, 0), collide=False,
                          velocity=(0, 0, 2.0 * k)))
    scene.add(pl.Revolute("joint0", pl.WORLD, "link0", anchor=(0, 0, 0), axis=(0, 0, 1), reaction_friction=friction))
    scene.add(kind("joint1", "link0", "link1", anchor=(0.4, 0, 0), axis=(0, 1, 0)))
    scene.add(pl.JointSpring("spring", "joint0", 1e3, rest=0.5))
    world = pl.World(scene, substeps=1, threads=1)
    hinge, links, drift = world["joint0"], (world["link0"], world["link1"]), 0.0
    for _ in range(60):
        before, gap = sum(map(momentum_around, links)), drift
        drift = world.step().drift
        force = sum(float(np.linalg.norm(world[name].force)) for name in ("joint0", "joint1"))
        torque = hinge.torque + sum(hinge.efforts().values()) * np.array((0.0, 0.0, 1.0))
        missing = (sum(map(momentum_around, links)) - before) / world.dt - torque
        assert np.linalg.norm(missing) < 2.0 * max(gap, drift) * force + SHARE


@pytest.mark.parametrize("substeps", [1, 8])
def test_a_four_bar(substeps):
    """Oracle: as above, of a loop whose crank is driven, with friction that follows what its joints bear."""
    scene = pl.Scene()
    places = [np.array(p) for p in ((0, 0, 0), (0, 0, 0.2), (0.5, 0, 0.4), (0.5, 0, 0))]
    for k in range(3):
        way = places[k + 1] - places[k]
        half = 0.5 * np.arctan2(way[0], way[2])
        scene.add(pl.Body(f"bar{k}", pl.Box(0.03, 0.03, float(np.linalg.norm(way))), mass=0.5 + k, collide=False,
                          position=0.5 * (places[k] + places[k + 1]), quaternion=(np.cos(half), 0, np.sin(half), 0)))
    names = (pl.WORLD, "bar0", "bar1", "bar2", pl.WORLD)
    for k in range(4):
        drives = ("velocity", "damping") if k == 0 else ("following",) if k == 2 else ()
        add_joint(scene, pl.Revolute, f"joint{k}", *((names[k], names[k + 1]) if k < 3 else (pl.WORLD, "bar2")), places[k],
                  (0, 1, 0), drives)
    assert missed(pl.World(scene, dt=1 / 120, substeps=substeps, threads=1), scene, 60) < SHARE


@pytest.mark.parametrize("method", ["direct", "impulse", "position", "compliant"])
def test_beside_a_rope(method):
    """Oracle: as above, of the driven link of an arm whose second one draws a rope."""
    scene = pl.Scene()
    for k in range(2):
        scene.add(pl.Body(f"link{k}", pl.Box(0.3, 0.05, 0.05), mass=1.0, position=(0.3 * k + 0.15, 0, 0), collide=False))
    add_joint(scene, pl.Revolute, "joint0", pl.WORLD, "link0", (0, 0, 0), (0, 1, 0), ("position", "damping"))
    add_joint(scene, pl.Universal, "joint1", "link0", "link1", (0.3, 0, 0), (0, 0, 1), ("velocity", "friction"))
    scene.add(pl.Rope("rope", path=[(0.6, 0, 0), (1.1, 0, 0)], points=5, radius=0.006, mass=0.1, bend=0.02, twist=0.02,
                      method=method))
    scene.add(pl.Attachment("knot", "rope.start", "link1", at=(0.15, 0, 0)))
    assert missed(pl.World(scene, dt=1 / 120, threads=1), scene, 40, left_out=("link1",)) < SHARE


@pytest.mark.parametrize("substeps", [2, 8, 16])
def test_what_a_spring_has_brought_to_rest_is_read_for_ever(substeps):
    """Oracle: statics. Energies of 1e-15 J that rounding seemed to add were given up, with all that held the link."""
    scene = pl.Scene()
    scene.add(pl.Body("link", pl.Capsule(0.04, 0.3), mass=1.0, position=(0.2, 0, 0), quaternion=(0.5**0.5, 0, 0.5**0.5, 0)))
    scene.add(pl.Revolute("joint", pl.WORLD, "link", anchor=(0, 0, 0), axis=(0, 0, 1)))
    scene.add(pl.JointSpring("spring", "joint", stiffness=10.0, damping=1.0, rest=0.3))
    world = pl.World(scene, substeps=substeps)
    world.run(6.0)
    assert world["joint"].force == pytest.approx((0, 0, 9.81), abs=1e-8)
    away = world["link"].position
    assert world["joint"].torque == pytest.approx(np.cross(away, (0, 0, 9.81)), abs=1e-7)


@pytest.mark.parametrize("substeps", [1, 4, 8])
def test_limbs_that_stand_pressed_together(substeps):
    """Oracle: Newton, with what touches, also for the substeps that one which stands is taken for: a coiled and a driven limb
    that jam."""
    scene, down = pl.Scene(), (0.5**0.5, 0, 0.5**0.5, 0)
    scene.add(pl.Control("u", -1, 1))
    scene.add(pl.Body("a", pl.Box(0.08, 0.06, 0.3), mass=1.0, position=(0.6, 0, 0.2), quaternion=down))
    scene.add(pl.Revolute("joint a", pl.WORLD, "a", anchor=(0.4, 0, 0.2), axis=(0, 1, 0)))
    scene.add(pl.JointSpring("coil", "joint a", 784.25))
    scene.add(pl.Body("b", pl.Capsule(0.04, 0.22), mass=0.74, position=(1.0, 0, 0.2), quaternion=down, restitution=0.5))
    scene.add(pl.Universal("joint b", pl.WORLD, "b", anchor=(0.8, 0, 0.2), axis=(0, 1, 0),
                           motor=pl.DCMotor({"u": 24.0}, 0.05, 0.05, 0.5, 24.0, gear=27.563)))
    world, largest = pl.World(scene, substeps=substeps, threads=1), 1.0
    for step in range(60):
        world.control["u"] = 1.0 if int(step * world.dt / 0.31) % 2 else -1.0
        before = {name: world[name].velocity for name in "ab"}
        world.step()
        for name, then in before.items():
            felt = world[name].mass * ((world[name].velocity - then) / world.dt - np.array(scene.gravity))
            said = world[name].contact_force + world[f"joint {name}"].force
            largest = max(largest, float(np.abs(felt).max()))
            assert np.abs(felt - said).max() < 1e-7 * largest
