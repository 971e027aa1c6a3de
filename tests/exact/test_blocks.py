"""A body doubled as a one-body block is the same body, bit for bit, in contacts, joints and springs."""

import pytest

import pliant as pl


def scene(shift: float = 0.0) -> pl.Scene:
    """A box that slides on the ground with an arm on it and a spring at it, and bumps into another."""
    out = pl.Scene()
    out.add(pl.Ground(friction=0.4))
    out.add(pl.Body("box", pl.Box(0.4, 0.3, 0.2), mass=2.0, position=(shift, 0, 0.12), velocity=(1.5, 0.2, 0),
                    angular_velocity=(0, 0, 1)))
    out.add(pl.Body("arm", pl.Capsule(0.03, 0.4), mass=0.5, position=(0, 0, 0.5)))
    out.add(pl.Body("other", pl.Sphere(0.15), mass=1.0, position=(0.6, 0.1, 0.15)))
    out.add(pl.Revolute("hinge", "box", "arm", anchor=(0, 0, 0.25), axis=(0, 1, 0), friction=0.05))
    out.add(pl.JointSpring("coil", "hinge", 3.0, 0.02, 0.3))
    out.add(pl.Spring("tether", pl.WORLD, "box", stiffness=60.0, damping=0.5, at_a=(0, 0, 1), rest_length=0.5))
    return out


@pytest.mark.parametrize("names", [("box",), ("arm",), ("box", "arm", "other")], ids="+".join)
def test_one_body_blocks_give_the_same_bits(names):
    """The hash of all positions and velocities, after every one of 100 steps."""
    plain, blocks = pl.World(scene()), pl.World(scene(), _as_blocks=names)
    answered = blocks._engine.work.ports.block >= 0
    assert [n for n, k in blocks._index["body"].items() if answered[k]] == list(names)
    assert not (plain._engine.work.ports.block >= 0).any()
    touched = set()
    for _ in range(100):
        assert plain.step().hash == blocks.step().hash
        touched |= {frozenset(pair) for pair in zip(plain.contacts.a, plain.contacts.b, strict=True)}
    assert {frozenset(("box", "ground")), frozenset(("box", "other"))} <= touched
    assert abs(plain["tether"].force) > 1.0 and abs(plain["coil"].torque) > 0.01


def test_the_hash_sees_the_last_bit():
    """The oracle above can fail: a shift of one rounding changes the hash."""
    assert pl.World(scene()).hash() != pl.World(scene(2.0**-60)).hash()


def test_unknown_blocks_are_refused():
    with pytest.raises(pl.SceneError, match="boxx"):
        pl.World(scene(), _as_blocks=("boxx",))
