"""Light direct ropes and heavy bodies: they do not stretch, drift or gain energy, and pendulums keep time."""

from math import cos, sin

import numpy as np
import oracles
import pytest
from direct import rope_scene, within
from energy import EnergyGuard
from oracles import G

import pliant as pl
from pliant.handles.handle import world_points


def stretch_of(world: pl.World, length: float) -> float:
    """Largest relative change of an element, ends where the bodies hold them included."""
    points = world["r"].positions
    elements = np.linalg.norm(np.diff(points, axis=0), axis=1) * (len(points) - 1) / length
    return float(np.abs(elements - 1.0).max())


class Watch:
    """Keeps the worst of something after every step."""

    def __init__(self, world: pl.World, what) -> None:
        self.what, self.worst = what, 0.0
        world.on_step(self)

    def __call__(self, world: pl.World) -> None:
        """Look now."""
        self.worst = max(self.worst, self.what(world))


def towing(length: float = 2.8, **body) -> pl.Scene:
    """Two bodies of 24 t, 2.8 m apart along x, and 2.4 kg of rope between them."""
    scene = rope_scene(0.0, path=[(0, 0, 0), (2.8, 0, 0)], points=51, radius=0.015, mass=2.4, length=length, bend=2e-3,
                       twist=2e-3)
    scene.add(pl.Body("rear", pl.Box(2, 2, 2), mass=24e3, position=(-1, 0, 0), collide=False))
    scene.add(pl.Body("front", pl.Box(2, 2, 2), mass=24e3, position=(3.8, 0, 0), collide=False, **body))
    scene.attach("r.start", "rear")
    scene.attach("r.end", "front")
    return scene


@pytest.mark.parametrize("substeps", [1, "auto"])
def test_towing_24_tonnes(substeps):
    """A pull of 60 kN on the front: F = m a of all, tension m_rear a within the rope's own share, stretch to 1e-3 at most."""
    scene = towing()
    scene.add(pl.Load("pull", "front", force=(60e3, 0, 0)))
    world = pl.World(scene, dt=1 / 60, substeps=substeps, threads=1)
    watch = Watch(world, lambda w: stretch_of(w, 2.8))
    world.run(2.0)
    within(f"towing 24 t, substeps {substeps}: stretch", watch.worst, 1e-3)
    acceleration = 60e3 / 48002.4
    speeds = np.array([world[b].velocity[0] for b in ("rear", "front")])
    within("towing 24 t: speed of both", np.abs(speeds / (2.0 * acceleration) - 1.0).max(), 1e-9)
    expected = acceleration * (24e3 + 2.4 * (np.arange(50) + 0.5) / 50)
    within("towing 24 t: tension", np.abs(world["r"].tension / expected - 1.0).max(), 1e-6)


@pytest.mark.parametrize("substeps", [1, "auto"])
def test_jerking_24_tonnes(substeps):
    """Slack of 0.2 m, the front leaves with 2 m/s: stretch 1e-3 at most, momentum to 1e-12, no energy from nowhere."""
    world = pl.World(towing(3.0, velocity=(2, 0, 0)), dt=1 / 60, substeps=substeps, threads=1)
    watch, guard = Watch(world, lambda w: stretch_of(w, 3.0)), EnergyGuard(world)
    world.on_step(guard)
    world.run(3.0)
    within(f"jerking 24 t, substeps {substeps}: stretch", watch.worst, 1e-3)
    engine = world._engine
    momentum = engine.model.bodies.mass[1:] @ engine.state.motion.velocity[1:]
    within("jerking 24 t: momentum", np.abs(momentum - [48e3, 0, 0]).max() / 48e3, 1e-12)
    speeds = world["rear"].velocity[0], world["front"].velocity[0]
    assert speeds[0] > 0.9, f"the rope has not pulled: {speeds}"


@pytest.mark.parametrize("substeps", [1, "auto"])
def test_half_a_kilogram_holds_five_tonnes(substeps):
    """A load of 5 t swings by 60 degrees on 0.5 kg of rope at dt = 1/60 s, 8 s: stretch, energy."""
    length, angle = 5.0, np.pi / 3
    end = np.array([length * sin(angle), 0.0, -length * cos(angle)])
    scene = rope_scene(G, path=[(0, 0, 0), end], points=31, radius=0.01, mass=0.5, bend=1e-2, twist=1e-2)
    scene.add(pl.Body("load", pl.Sphere(0.5), mass=5e3, position=end * 1.1, collide=False))
    scene.pin("r.start")
    scene.attach("r.end", "load")
    world = pl.World(scene, dt=1 / 60, substeps=substeps, threads=1)
    watch, guard = Watch(world, lambda w: stretch_of(w, length)), EnergyGuard(world)
    world.on_step(guard)
    world.run(8.0)
    within(f"0.5 kg holds 5 t, substeps {substeps}: stretch", watch.worst, 1e-3)
    within("0.5 kg holds 5 t: energy from nowhere over what is allowed", guard.worst, 1.0)


@pytest.mark.parametrize("kind", [pl.Spherical, pl.Revolute])
def test_ten_links_hold_a_tonne(kind):
    """Ten links of 1 kg and a tonne let go at 45 degrees: joints part by 1 mm at most in 10 s, no energy from nowhere."""
    along, size = np.array([cos(np.pi / 4), 0.0, -sin(np.pi / 4)]), 0.3
    scene = pl.Scene()
    turn = (cos(3 * np.pi / 8), 0.0, sin(3 * np.pi / 8), 0.0)  # local z along the chain
    for k in range(10):
        scene.add(pl.Body(f"link{k}", pl.Capsule(0.02, size), mass=1.0, position=(k + 0.5) * size * along, quaternion=turn,
                          collide=False))
    scene.add(pl.Body("tonne", pl.Sphere(0.3), mass=1000.0, position=(10 * size + 0.3) * along, collide=False))
    names = [pl.WORLD, *(f"link{k}" for k in range(10)), "tonne"]
    for k in range(11):
        scene.add(kind(f"j{k}", names[k], names[k + 1], anchor=k * size * along, axis=(0, 1, 0)))
    world = pl.World(scene, dt=1 / 60, threads=1)
    guard = EnergyGuard(world)
    world.on_step(guard)

    def parting(w: pl.World) -> float:
        motion, joints = w._engine.state.motion, w._engine.model.joints
        left = world_points(w, joints.body[:, 0], joints.anchor_a)
        right = world_points(w, joints.body[:, 1], joints.anchor_b)
        assert np.isfinite(motion.position).all()
        return float(np.linalg.norm(left - right, axis=1).max())

    watch = Watch(world, parting)
    world.run(10.0)
    within(f"ten links hold a tonne, {kind.__name__}: joints part by [m]", watch.worst, 1e-3)
    within("ten links: energy from nowhere over what is allowed", guard.worst, 1.0)


def pendulum(h: float, amplitude: float, rope_mass: float) -> tuple[float, float]:
    """(period [s], largest tension at the bottom [N]) of 10 kg on 1 m of rope."""
    end = np.array([sin(amplitude), 0.0, -cos(amplitude)])
    scene = rope_scene(G, path=[(0, 0, 0), end], points=11, radius=0.002, mass=rope_mass, bend="limp", twist="limp")
    scene.add(pl.Body("bob", pl.Sphere(0.01), mass=10.0, position=end, collide=False))
    scene.pin("r.start")
    scene.attach("r.end", "bob", at=(0, 0, 0))
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    times, x, pulls, crossings = [0.0], [end[0]], [0.0], []
    while len(crossings) < 3:
        world.step()
        times.append(world.time)
        x.append(world["bob"].position[0])
        pulls.append(float(np.linalg.norm(world["r"].start.force)))
        if x[-1] * x[-2] < 0.0:  # three points around it: order 3 in h
            curve = np.polyfit(np.array(times[-3:]) - times[-2], x[-3:], 2)
            roots = np.roots(curve)
            crossings.append(times[-2] + float(roots[np.argmin(np.abs(roots - 0.5 * h))].real))
    peak = int(np.argmax(pulls[:len(pulls) // 2]))
    top = np.polyval(np.polyfit([-1, 0, 1], pulls[peak - 1:peak + 2], 2), 0.0)
    return crossings[2] - crossings[0], float(top)


def test_pendulum():
    """Period 4 sqrt(l/g) K(sin^2 a/2), tension m g (3 - 2 cos a): Richardson from 4 and 2 ms; the rope's mass weighs 1e-6."""
    amplitude, mass = 1.0, 1e-5
    coarse, fine = pendulum(0.004, amplitude, mass), pendulum(0.002, amplitude, mass)
    exact = oracles.pendulum_period(1.0, amplitude), oracles.pendulum_tension(10.0, amplitude)
    for what, a, b, c in zip(("period", "tension"), coarse, fine, exact, strict=True):
        left = abs(a - b) / 3.0
        within(f"pendulum, {what}, relative error at 2 ms", abs(b / c - 1.0), 1.5 * left / c + 1e-5)
        assert left / c < 1e-3


def test_a_rope_between_free_bodies_keeps_momentum():
    """Two bodies and a rope turn as one at first: linear momentum to 1e-12; angular with order 2 (4 ms to 2 ms)."""
    lost, spin, speed = [], np.array([0.5, 1.0, 3.0]), np.array([0.1, 0.2, 0.3])
    for h in (0.004, 0.002):
        scene = rope_scene(0.0, points=11, bend=1e-3, twist=1e-3)
        scene.add(pl.Body("a", pl.Box(0.2, 0.3, 0.4), mass=1.0, position=(-0.1, 0.1, 0), collide=False))
        scene.add(pl.Body("b", pl.Box(0.3, 0.2, 0.1), mass=3.0, position=(1.1, 0, 0.05), collide=False))
        scene.attach("r.start", "a", clamp=True)
        scene.attach("r.end", "b")
        world = pl.World(scene, dt=h, substeps=1, threads=1)
        for name in "ab":
            world[name].velocity, world[name].angular_velocity = speed + np.cross(spin, world[name].position), spin
        world["r"].velocities = speed + np.cross(spin, world["r"].positions)
        before = whole_momentum(world)
        world.run(0.4)
        after = whole_momentum(world)
        within("free bodies on a rope, linear momentum", np.abs(after[0] - before[0]).max(), 1e-12)
        lost.append(np.linalg.norm(after[1] - before[1]) / np.linalg.norm(before[1]))
    assert lost[0] > 1e-6  # else there is nothing to compare
    within("free bodies on a rope, angular momentum lost at 2 ms over that at 4 ms", lost[1] / lost[0], 2.0**-1.9)


def whole_momentum(world: pl.World) -> np.ndarray:
    """Linear and angular momentum about the origin (2, 3)."""
    from scipy.spatial.transform import Rotation

    motion, bodies = world._engine.state.motion, world._engine.model.bodies
    moving = bodies.mass > 0.0
    turn = Rotation.from_quat(motion.quaternion[moving], scalar_first=True)
    own = turn.apply(bodies.inertia[moving] * turn.inv().apply(motion.angular_velocity[moving]))
    push = bodies.mass[moving, None] * motion.velocity[moving]
    return np.array([push.sum(0), (np.cross(motion.position[moving], push) + own).sum(0)])


@pytest.mark.parametrize("h", [0.002, 1 / 60])
def test_a_taut_rope_jerks_at_once(h):
    """10 kg leaves 10 kg with 2 m/s on a taut rope of 0.1 kg: after one step all move with m v/(all masses), a plastic blow."""
    scene = rope_scene(0.0)
    scene.add(pl.Body("a", pl.Sphere(0.1), mass=10.0, collide=False))
    scene.add(pl.Body("b", pl.Sphere(0.1), mass=10.0, position=(1, 0, 0), velocity=(2, 0, 0), collide=False))
    scene.attach("r.start", "a", at=(0, 0, 0))
    scene.attach("r.end", "b", at=(0, 0, 0))
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    world.step()
    speeds = np.array([world["a"].velocity[0], world["b"].velocity[0]])
    within("taut jerk: speed of both after one step [m/s]", np.abs(speeds - 20.0 / 20.1).max(), 1e-6)
