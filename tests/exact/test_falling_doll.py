"""A doll with dry friction in its joints and limits of their swing falls on the ground: it can only lose energy.

Trees have six rows for a joint. A ball has three of its own, three of friction, and one for the limit of its swing: so its
friction and its limit are solved with the contacts. Where sweeps did that the doll gained 83 J in the step of its landing.
"""

import pytest

import pliant as pl

G = 9.81
LEFT_IN = 1e-4
"""By how much contacts may lift bodies beyond the overlap that a report tells [m]."""
LINKS = (("torso", 0.0, 0.0, 0.12, 0.3, 30.0), ("head", 0.0, 0.42, 0.09, 0.06, 5.0),
         *((f"{name}_{side}", y * side, z, radius, length, mass) for side in (1, -1) for name, y, z, radius, length, mass in (
             ("upper_arm", 0.27, 0.05, 0.045, 0.2, 2.5), ("lower_arm", 0.27, -0.24, 0.04, 0.2, 2.0),
             ("thigh", 0.1, -0.47, 0.07, 0.28, 8.0), ("shank", 0.1, -0.89, 0.05, 0.3, 4.5))))
"""Name, y and z [m], radius and length of a capsule [m], mass [kg]."""


def fallen(friction, spin, down):
    """A doll 1.2 m above the ground that turns at `spin` [rad/s] and goes down."""
    scene = pl.Scene(gravity=(0, 0, -G))
    scene.add(pl.Ground())
    for name, y, z, radius, length, mass in LINKS:
        scene.add(pl.Body(name, pl.Capsule(radius, length), mass=mass, position=(0, y, 1.2 + z), friction=0.5,
                          velocity=(0, -spin * z, spin * y - down), angular_velocity=(spin, 0, 0)))
    scene.add(pl.Spherical("neck", "torso", "head", anchor=(0, 0, 1.48), axis=(0, 0, 1), limits=(0, 0.8), friction=friction))
    for side in (1, -1):
        for name, a, b, y, z, most in (("shoulder", "torso", f"upper_arm_{side}", 0.27, 0.19, 2.0),
                                       ("hip", "torso", f"thigh_{side}", 0.1, -0.28, 1.5)):
            scene.add(pl.Spherical(f"{name}_{side}", a, b, anchor=(0, y * side, 1.2 + z), axis=(0, 0, -1), limits=(0, most),
                                   friction=friction))
        for name, a, b, y, z, axis in (("elbow", f"upper_arm_{side}", f"lower_arm_{side}", 0.27, -0.095, -1),
                                       ("knee", f"thigh_{side}", f"shank_{side}", 0.1, -0.68, 1)):
            scene.add(pl.Revolute(f"{name}_{side}", a, b, anchor=(0, y * side, 1.2 + z), axis=(0, axis, 0), limits=(0, 2.4),
                                  friction=friction))
    return pl.World(scene)


@pytest.mark.parametrize("spin", [4.0, 5.0])
@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_a_doll_that_falls_only_loses_energy_and_its_rows_are_met(friction, spin):
    """Friction, limits and contacts take energy. What contacts lift out of an overlap is raised, by no more than that."""
    world = fallen(friction, spin, 3.0)
    weight, before = G * sum(link[-1] for link in LINKS), world.energy().total
    first, overlap, met = before, 0.0, 0
    for _ in range(30):
        report = world.step()
        now = report.energy.total - report.energy.work
        assert now <= before + weight * (max(overlap, report.penetration) + LEFT_IN), report.time
        before, overlap, met = now, report.penetration, met + report.converged
    assert met == 30
    assert now < first - 0.5 * 0.5 * weight / G * 9.0  # more than half of what it had by going down is gone
