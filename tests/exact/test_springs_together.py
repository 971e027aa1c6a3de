"""Several springs on one body, nets of bodies and coils in linkages are stable at any stiffness, damping, step and mass."""


import numpy as np
import pytest
from random_points import parallelogram, sweeps
from scipy.optimize import minimize_scalar
from seeds import SPRINGS_TOGETHER

import pliant as pl

STEPS = 40
RANGES = {"k": (1e-2, 1e12), "c": (1e-3, 1e9), "h": (1e-4, 0.1), "m": (1e-3, 1e3), "ratio": (1.0, 1e6)}
"""Stiffness [N/m or N m/rad], damping [N s/m or N m s/rad], step [s], a mass [kg] and the largest of them over the least;
the lowest fifth of the dampings is zero."""


def unit(rng) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def spread(value: float, rng) -> float:
    """Some tens of times less or more."""
    return value * 10.0 ** rng.uniform(-1.5, 1.5)


def one_body(point: dict, rng) -> pl.Scene:
    """A brick thrown among one to six springs from the world or another body, fastened anywhere, drawn by up to 0.2 m."""
    scene = pl.Scene(gravity=(0, 0, -9.81) if rng.uniform() < 0.5 else (0, 0, 0))
    sides = rng.uniform(0.1, 1.0, 3)
    scene.add(pl.Body("brick", pl.Box(*sides), mass=point["m"], velocity=rng.uniform(-1, 1, 3), collide=False,
                      angular_velocity=rng.uniform(-3, 3, 3)))
    other = pl.WORLD
    if rng.uniform() < 0.3:
        other = "other"
        scene.add(pl.Body("other", pl.Sphere(0.3), mass=point["m"] * point["ratio"], position=(0, 0, 2), collide=False))
    for i in range(rng.integers(1, 7)):
        at, to = rng.uniform(-0.5, 0.5, 3) * sides, rng.uniform(0.3, 2.0) * unit(rng)
        rest = max(0.0, np.linalg.norm(at - to - ((0, 0, 2) if other == "other" else 0.0)) + rng.uniform(-0.2, 0.2))
        scene.add(pl.Spring(f"s{i}", other, "brick", at_a=to, at_b=at, stiffness=spread(point["k"], rng),
                            damping=spread(point["c"], rng), rest_length=None if rng.uniform() < 0.5 else rest))
    return scene


def net(point: dict, rng) -> pl.Scene:
    """Two to eight balls, afloat or hung from the world, half of all pairs joined by springs."""
    scene, count = pl.Scene(gravity=(0, 0, 0)), int(rng.integers(2, 9))
    places, middle = rng.normal(size=(count, 3)), point["m"]
    for i, place in enumerate(places):
        mass = middle * point["ratio"] ** rng.uniform(-0.5, 0.5)
        scene.add(pl.Body(f"b{i}", pl.Sphere(0.05), mass=mass, position=place, velocity=rng.normal(size=3), collide=False))
    for j in range(1, count):
        for i in range(j):
            if i == j - 1 or rng.uniform() < 0.4:
                scene.add(pl.Spring(f"s{i}-{j}", f"b{i}", f"b{j}", stiffness=spread(point["k"], rng),
                                    damping=spread(point["c"], rng)))
    if rng.uniform() < 0.5:
        scene.add(pl.Spring("hook", pl.WORLD, "b0", at_a=2.0 * unit(rng), stiffness=point["k"], damping=point["c"]))
    return scene


def coiled_chain(point: dict, rng) -> pl.Scene:
    """Two to five links on hinges with coils, wound by up to 0.5 rad."""
    scene = pl.Scene()
    for i in range(int(rng.integers(2, 6))):
        mass = point["m"] * min(point["ratio"], 1e2) ** rng.uniform(-0.5, 0.5)
        scene.add(pl.Body(f"b{i}", pl.Box(0.2, 0.05, 0.05), mass=mass, position=(0.1 + 0.2 * i, 0, 0), collide=False))
        axis = (0, 1, 0) if rng.uniform() < 0.7 else (0, 0, 1)
        scene.add(pl.Revolute(f"j{i}", f"b{i - 1}" if i else pl.WORLD, f"b{i}", anchor=(0.2 * i, 0, 0), axis=axis))
        scene.add(pl.JointSpring(f"coil {i}", f"j{i}", stiffness=spread(point["k"], rng), damping=spread(point["c"], rng),
                                 rest=rng.uniform(-0.5, 0.5)))
    return scene


def coiled_loop(point: dict, rng) -> pl.Scene:
    """A parallelogram of three bars on the ground, with coils in one to four of its hinges, wound by up to 0.3 rad."""
    scene, lean = pl.Scene(), rng.uniform(0.7, 1.4)
    for name, one, other, place in parallelogram(scene, point["m"], lean):
        scene.add(pl.Revolute(name, one, other, anchor=place, axis=(0, 1, 0)))
        if name == "a" or rng.uniform() < 0.6:
            scene.add(pl.JointSpring(f"coil {name}", name, stiffness=spread(point["k"], rng), damping=spread(point["c"], rng),
                                     rest=rng.uniform(-0.3, 0.3)))
    return scene


KINDS = [one_body, net, coiled_chain, coiled_loop]

test_together, test_together_wide = sweeps(KINDS, RANGES, STEPS, SPRINGS_TOGETHER, 200, 500)


@pytest.mark.parametrize("stiffness", [1e4, 1e5, 1e6])
def test_limits_beside_springs_give_nothing(stiffness):
    """Oracle: limits do no work, so energy never rises. A spring from 50 g to 28 kg, on which an arm hits its limits."""
    scene = pl.Scene()
    scene.add(pl.Body("rocker", pl.Sphere(0.15), mass=0.05, position=(0, 0, 0.88), collide=False))
    scene.add(pl.Body("body", pl.Sphere(0.15), mass=28.0, position=(0.6, 0, 0.575), collide=False))
    scene.add(pl.Body("arm", pl.Capsule(0.1, 0.2), mass=6.5, position=(1.2, 0, 0.875), velocity=(4.4, -3.1, -6.1),
                      collide=False))
    scene.add(pl.Spherical("ball", pl.WORLD, "rocker"))
    scene.add(pl.Spring("spring", "rocker", "body", stiffness, at_a=(0.1, 0, 0), at_b=(-0.1, 0, 0.05)))
    scene.add(pl.Revolute("hinge", "body", "arm", anchor=(0.9, 0, 0.6), axis=(0.52, 0.41, 0.75), limits=(-0.5, 0.5)))
    world = pl.World(scene)
    least = world.energy().total
    for _ in range(180):
        now = world.step().energy
        assert now.total <= least + 1e-6 * now.kinetic + 1e-9  # what a substep may keep of what it gains
        least = min(least, now.total)


ENDS = [((0.2, 0, 0.8), (0.1, 0.01, 0.02), 0.03, 1.0), ((-0.3, 0.2, -0.6), (0.05, -0.02, 0), -0.02, 3.0),
        ((0.9, 0.1, -0.4), (-0.05, 0, -0.02), 0.04, 0.5)]
"""Of springs on a link: where each hangs in the world, where on the link [m], how far it is pressed [m], its stiffness [-]."""


@pytest.mark.parametrize("h", [0.01, 0.05])
@pytest.mark.parametrize("stiffness", [1e4, 1e6, 1e8, 1e10, 1e12])
def test_a_link_on_a_hinge_goes_where_its_springs_balance(stiffness, h):
    """Oracle: least elastic energy, over the one angle there is, by SciPy. Implicit Euler takes out all motion on the way.

    Springs that turn are swept again until that changes speeds by 1e-4 m/s, which moves a lever of 0.15 m by 1e-4 h / 0.15.
    Each was aimed at speeds that others had changed by then: from 1e8 N/m on the link never left where it began.
    """
    scene, middle = pl.Scene(gravity=(0, 0, 0)), np.array([0.15, 0.0, 0.0])
    scene.add(pl.Body("link", pl.Box(0.3, 0.05, 0.05), mass=0.01, position=middle, collide=False))
    scene.add(pl.Revolute("hinge", pl.WORLD, "link", anchor=(0, 0, 0), axis=(0, 1, 0)))
    rest = [np.linalg.norm(far - middle - near) + pressed for far, near, pressed, _ in ENDS]
    for i, (far, near, _, share) in enumerate(ENDS):
        scene.add(pl.Spring(f"s{i}", pl.WORLD, "link", at_a=far, at_b=near, stiffness=share * stiffness, rest_length=rest[i]))

    def stored(angle: float) -> float:
        """Elastic energy over the stiffness [m2]."""
        c, s = np.cos(angle), np.sin(angle)
        turned = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        return sum(0.5 * share * (np.linalg.norm(far - turned @ (middle + near)) - length) ** 2
                   for (far, near, _, share), length in zip(ENDS, rest, strict=True))

    balance = minimize_scalar(stored, bounds=(-0.5, 0.5), method="bounded", options={"xatol": 1e-10}).x
    world = pl.World(scene, dt=h, substeps=1, threads=1)
    for _ in range(40):
        world.step()
    assert balance == pytest.approx(0.1236, abs=1e-4)
    assert world["hinge"].coordinate(0) == pytest.approx(balance, abs=1e-4 * h / 0.15 + 1e-7)  # SciPy knows 1e-8 rad
