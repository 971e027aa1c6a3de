"""Words without effect are doubted in one sentence each. Oracle: by hand."""

import pytest

import pliant as pl


def told(*things) -> list[str]:
    scene = pl.Scene(gravity=(0, 0, 0))
    for thing in things:
        scene.add(thing)
    return pl.World(scene, threads=1).warnings


def box(**more) -> pl.Body:
    return pl.Body("b", pl.Box(0.1, 0.1, 0.1), **more)


@pytest.mark.parametrize("field", ["velocity", "angular_velocity"])
def test_what_is_fixed_has_no_velocity(field):
    (said,) = told(box(fixed=True, **{field: (1, 0, 0)}))
    assert said == (f"Body 'b' is fixed, so that its {field} (1.0, 0.0, 0.0) has no effect; drive it by a Motion, or leave "
                    "fixed away")
    assert told(box(fixed=True)) == told(box(**{field: (1, 0, 0)})) == []


def test_a_centre_of_mass_far_beside_its_body():
    """Oracle: 5 m from the middle of a cube of 0.1 m is 4.95 m outside it; its diagonal is 0.173 m."""
    (said,) = told(box(center_of_mass=(5, 0, 0)))
    assert "is 4.95 m outside its shapes" in said
    assert told(box(center_of_mass=(0.1, 0, 0))) == []


def test_a_latch_beyond_the_limits_of_its_joint():
    joint = pl.Revolute("j", pl.WORLD, "b", limits=(0, 1))
    (said,) = told(box(), joint, pl.Latch("l", "j", at=2, hold=1))
    assert said.startswith("Latch 'l' is at 2, outside the limits (0, 1) of joint 'j'")
    assert told(box(), joint, pl.Latch("l", "j", at=1, hold=1)) == []


def test_a_joint_that_starts_outside_its_limits():
    (said,) = told(box(), pl.Revolute("j", pl.WORLD, "b", limits=(0.5, 1)))
    assert said.startswith("Revolute 'j' starts at 0, outside its limits (0.5, 1), and will be pushed inside")
    assert told(box(), pl.Revolute("j", pl.WORLD, "b", limits=(0, 1))) == []


def test_an_inertia_as_a_matrix_is_refused_with_the_way_to_write_it():
    with pytest.raises(pl.SceneError, match="inertia is a matrix; give xx, yy and zz, or xx, yy, zz, xy, xz and yz"):
        box(inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1)))


def test_a_load_of_nothing():
    (said,) = told(box(), pl.Load("l", "b"))
    assert said == "Load 'l' has neither force nor torque, so that it does nothing; give one of them"
    assert told(box(), pl.Load("l", "b", force=(0, 0, 1))) == told(box(), pl.Load("l", "b", torque=(0, 0, 1))) == []
