"""The cable of paper C falls, bends under a force at its tip and twists under a torque, each as the closed forms say."""

import numpy as np
import pytest
import ropes.oracle_balance as balance
from ropes.oracles import CABLE_TIP, elastica, torsion_angle

import pliant as pl

LENGTH, BEND, TWIST, MASS, LINKS = 1.0, 0.1, 0.5, 0.1, 49
SECOND_ORDER = 3.9e-4 * (50 / LINKS) ** 2
"""Tip error of 50 rigid links against the exact elastica of a cantilever, in lengths; it falls with their square."""


def settled(seconds: float = 12.0, gravity=(0.0, 0.0, -9.81), **controls) -> pl.World:
    scene = pl.load("cable")
    scene.gravity = gravity
    world = pl.World(scene)
    world.control.update(controls)
    world.run(seconds)
    assert world.energy().kinetic < 1e-8, "it has settled"
    return world


def test_it_is_the_cable_of_the_table():
    cable = pl.load("cable")["cable"]
    assert (cable.count, cable.radius, cable.mass, cable.bend, cable.twist) == (50, 0.025, MASS, BEND, TWIST)


def test_with_the_papers_masses_it_hangs_from_its_clamp():
    """Oracle: the same links balanced in NumPy, which bend by 54 degrees in the clamp; 1 kg for each of 50 points.

    Drag of 2/s lets swings decay as e^-t: in 16 s to 1e-7 of a metre, and its clamp to as much of the weight.
    """
    scene = pl.load("cable-paper")
    assert [thing.name for thing in scene] == [thing.name for thing in pl.load("cable")]
    heavy, light = scene["cable"], pl.load("cable")["cable"]
    assert (heavy.mass, heavy.count, heavy.radius, heavy.bend, heavy.twist) == (50.0, 50, light.radius, BEND, TWIST)
    world = pl.World(scene)
    world.run(16.0)
    lengths = np.full(LINKS, LENGTH / LINKS)
    links = balance.Links(lengths, balance.joint_stiffness(lengths, BEND), balance.weights(lengths, 50.0 * 9.81 / LENGTH),
                          np.zeros(LINKS))
    angle, _ = balance.balance(links, np.zeros(LINKS), 40)
    np.testing.assert_allclose(world["cable"].positions[:, [0, 2]], balance.points_of(lengths, angle), atol=1e-6)
    np.testing.assert_allclose(world["clamp"].force, (0.0, 0.0, 50.0 * 9.81), atol=1e-6 * 50.0 * 9.81)


def test_it_falls_at_once_like_a_free_body():
    """Oracle: far from the clamp a cable let go at rest falls by gt^2/2 until the bending wave arrives."""
    world = pl.World(pl.load("cable"), dt=1 / 480, substeps=1)
    world.run(8 / 480)
    fallen = -world["cable"].positions[-1, 2]
    assert fallen == pytest.approx(0.5 * 9.81 * world.time**2, rel=5e-3)


@pytest.mark.parametrize("force", [0.0, 0.9, -0.5])
def test_bent_by_its_weight_and_a_tip_force_it_is_an_elastica(force):
    """Oracle: the elastica as a boundary value problem; links are off by a computed second-order share of the length."""
    world = settled(tip_force=force)
    exact = elastica(LENGTH, BEND, MASS * 9.81 / LENGTH, tip_force=(0.0, force), points=50)
    points = world["cable"].positions
    assert np.abs(points[:, 1]).max() < 1e-9
    # A larger moment bends more a link: the error of a link grows with its bend, at most as its square.
    moment = max(1.0, np.abs(exact.moment).max() / np.abs(elastica(LENGTH, BEND, MASS * 9.81).moment).max())
    assert np.linalg.norm(points[:, [0, 2]] - exact.points, axis=1).max() < 1.3 * moment**2 * SECOND_ORDER * LENGTH
    if force == 0.0:
        assert points[-1, [0, 2]] == pytest.approx(CABLE_TIP, abs=1.3 * SECOND_ORDER)
    bending = np.linalg.norm(world["cable"].bending_moment[0])
    assert bending == pytest.approx(abs(exact.moment[0]), rel=5e-3)


def test_the_clamp_bears_weight_and_force():
    """Oracle: balance of forces."""
    world = settled(tip_force=0.9)
    np.testing.assert_allclose(world["clamp"].force, (0.0, 0.0, MASS * 9.81 - 0.9), atol=1e-3)


def test_twisted_without_weight_it_turns_by_torque_length_over_stiffness():
    """Oracle: theta = T L/GJ. The last link turns as its middle does, half a link before the tip; a joint that turns by
    a bears GJ/l sin a, so the angle is larger by a^2/6."""
    torque = 0.2
    world = settled(gravity=(0.0, 0.0, 0.0), tip_torque=torque)
    first = pl.World(pl.load("cable"))["cable"].quaternions[-1]
    turn = 2.0 * np.arccos(np.clip(abs(world["cable"].quaternions[-1] @ first), 0.0, 1.0))
    share = (torque * LENGTH / TWIST / LINKS) ** 2 / 6.0
    exact = torsion_angle(torque, LENGTH * (1.0 - 0.5 / LINKS), TWIST)
    assert exact * (1.0 - 1e-6) <= turn <= exact * (1.0 + 4.0 * share + 1e-6)
    np.testing.assert_allclose(world["cable"].twisting_moment[:-1], torque, rtol=1e-4)


def test_bent_and_twisted_the_moment_about_its_axis_is_the_same_everywhere():
    """Oracle: in a rod that bends alike in all directions M3' = 0, so the torque at the tip is the torque at the clamp."""
    world = settled(seconds=30.0, tip_force=-0.5, tip_torque=0.15)
    moment = world["cable"].twisting_moment[1:-1]
    np.testing.assert_allclose(moment, 0.15, rtol=1e-5)
