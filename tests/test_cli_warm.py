"""Every entry is compiled ahead for the signature that is really used. Oracle: Numba's types of what is handed over."""

from functools import partial
from itertools import product
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numba import config, typeof, types

import pliant as pl
from pliant._jit import ENTRIES, Entry
from pliant._jit_ahead import entries_in_use, name_of
from pliant.cli.warm import all_entries
from pliant.model.schema import Array, index, real, sample
from pliant.patch.measure import mass_properties, vertex_volumes
from pliant.scene.patch import PatchMesh
from pliant.solvers.soft.mesh import cloth_model, solid_model
from pliant.solvers.soft.methods import METHODS

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="compilation is switched off by NUMBA_DISABLE_JIT")


class Inner(NamedTuple):
    """A group."""

    mass: Annotated[Array, real("n", "kg", "of each")]
    pair: Annotated[Array, index("n 2", "of each")]


class Outer(NamedTuple):
    """A group of a group and a number."""

    inner: Inner
    gain: float


def busy_world(threads: int) -> pl.World:
    """A world in which every kind of row is at work: contacts of all families, joints, drives, springs."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Control("speed", value=0.5))
    scene.add(pl.Body("hills", pl.HeightField(np.zeros((4, 4)), (4.0, 4.0)), fixed=True, position=(10, 0, 0)))
    scene.add(pl.Body("on the hills", pl.Sphere(0.2), position=(10, 0, 0.2)))
    scene.add(pl.Body("lower", pl.Box(1, 1, 0.2), position=(0, 0, 0.1)))
    scene.add(pl.Body("upper", pl.Box(0.5, 0.5, 0.2), position=(0, 0, 0.3)))
    scene.add(pl.Body("arm", pl.Capsule(0.05, 0.4), position=(3, 0, 1)))
    motor = pl.VelocityMotor("speed", 10.0)
    scene.add(pl.Revolute("hinge", pl.WORLD, "arm", anchor=(3, 0, 1.2), axis=(0, 1, 0), limits=(-1, 1), motor=motor))
    scene.add(pl.JointSpring("coil", "hinge", stiffness=5.0, damping=0.1))
    scene.add(pl.Body("bob", pl.Sphere(0.1), position=(5, 0, 1)))
    scene.add(pl.Spring("tether", pl.WORLD, "bob", stiffness=100.0, at_a=(5, 0, 2)))
    return pl.World(scene, threads=threads)


APART = {"pliant.patch.integrals:patch_moments"}
"""Entries that no thing below calls: only what has a relief does."""


def ropes_at_work() -> None:
    """One by each method, and what is read of it."""
    scene = pl.Scene()
    for y, method in enumerate(("direct", "impulse", "position", "compliant")):
        rope = scene.add(pl.Rope(method, [(0, y, 0), (1, y, 0)], 6, 0.01, "rubber", method=method))
        scene.pin(rope.start)
    world = pl.World(scene)
    world.run(0.1)
    for name in ("direct", "impulse", "position", "compliant"):
        rope = world[name]
        assert np.isfinite(rope.tension).all() and np.isfinite(rope.bending_moment).all() and np.isfinite(rope.curvature).all()


def patches_at_work() -> None:
    """All that can be asked of a ball of patches."""
    ball = PatchMesh.sphere(0.5, 20)
    assert ball.volume() > 0.0 and ball.area() > 0.0 and mass_properties(ball).mass > 0.0
    vertex_volumes(ball)
    ball.tessellate(0.01)
    ball.cast([(2.0, 0.0, 0.0)], [(-1.0, 0.0, 0.0)])


def soft_things_at_work() -> None:
    """A solid and a sheet, held at one vertex and pulled at another, by every method; one likes a second shape, one is
    inverted, two hardly change their volume."""
    corners = np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    solid = solid_model(corners, [(0, 1, 2, 3)], 1000.0, 1e5, 0.3, held=[0])
    liking = solid_model(corners, [(0, 1, 2, 3)], 1000.0, 1e5, 0.3, examples=[2.0 * corners], example_stiffness=1e4)
    cloth = cloth_model([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], [(0, 1, 2), (1, 3, 2)], 300.0, 1e5, 0.3, 1e-3, held=[0])
    for model, method in [*product((solid, cloth), METHODS), (liking, "projective")]:
        block = METHODS[method](model, model.vertices.rest.copy(), np.zeros_like(model.vertices.rest))
        block.attach(1, 1e4, (1.0, 0.0, 0.1))
        block.advance(1 / 60, 2, (0.0, 0.0, -9.81))
    inverted = METHODS["projective"](solid, -corners, np.zeros_like(corners))
    inverted.advance(1 / 60, 2, (0.0, 0.0, -9.81))
    scene = pl.Scene()
    scene.add(pl.Cloth("rag", pl.Sheet(0.2, 0.2, 0.1), 1e-3))
    scene.add(pl.Wind("wind", (1.0, 0.0, 0.0)))
    for method in ("projective", "newton"):
        scene.add(pl.Solid(method, pl.Box(0.2, 0.1, 0.1), spacing=0.1, material="near-incompressible", method=method,
                           velocity=(0.0, 0.0, 1.0)))
        scene.pin(scene[method].vertices([0]))
    pl.World(scene, threads=1).run(0.05)
    soft_things_that_touch()


def soft_things_that_touch() -> None:
    """On the ground, on a box, on each other and themselves, under a thin rod; patches, with and without a filling; a tie; a
    grip; a motor; a surface of plain triangles with pressure inside."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    box = scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), position=(0.0, 0.0, 0.1)))
    cube = scene.add(pl.Solid("cube", pl.Box(0.1, 0.1, 0.1), spacing=0.1, position=(0.0, 0.0, 0.25)))
    scene.attach(cube.vertices([0]), box)
    scene.add(pl.Body("rod", pl.Capsule(0.004, 0.2), mass=0.05, position=(0.0, 0.0, 0.305),
                      quaternion=(0.5**0.5, 0.5**0.5, 0, 0)))
    wheel = scene.add(pl.Body("wheel", pl.Box(0.1, 0.1, 0.1), mass=1.0, position=(0.0, 3.0, 1.0)))
    scene.add(pl.Revolute("axle", pl.WORLD, wheel, axis=(0.0, 1.0, 0.0), damping=1.0))
    tyre = scene.add(pl.Solid("tyre", pl.Box(0.1, 0.1, 0.1), spacing=0.1, position=(0.0, 3.0, 1.0), collide=False))
    scene.attach(tyre.vertices([0]), wheel)
    scene.add(pl.Solid("ball", pl.PatchMesh.sphere(0.1), position=(0.0, 0.0, 0.4)))
    scene.add(pl.Cloth("balloon", pl.PatchMesh.sphere(0.1), 1e-3, pressure=10.0, volume=1e3, position=(1.0, 0.0, 0.1)))
    bag = np.array([(0.0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)]), [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    scene.add(pl.Cloth("bag", bag, 1e-3, pressure=10.0, position=(2.0, 0.0, 0.1)))
    scene.add(pl.Cloth("rag", pl.Sheet(0.2, 0.2, 0.1), 0.05, position=(0.0, 0.0, 0.6)))
    world = pl.World(scene, threads=1)
    world.grab("rag", at=(0.1, 0.1, 0.6))
    world.run(0.05)
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Cloth("sheet", pl.Sheet(1.0, 1.0, 0.1), 0.01, position=(0.0, 0.0, 0.005)))  # touches at 121 vertices: swept
    pl.World(scene, threads=1).run(0.05)


def wrong_calls(monkeypatch) -> list[str]:
    """Fills with the calls of entries that hand over anything but what their annotations say; frozen arrays are arrays."""
    wrong: list[str] = []
    call = Entry.__call__

    def watched(self, *given):
        for (name, kind), value in zip(self.signature.items(), given, strict=True):
            found = typeof(value)
            if isinstance(found, types.Array):
                found = found.copy(readonly=False)
            if found != kind:
                wrong.append(f"{name_of(self)}: {name} is {found}, not {kind}")
        return call(self, *given)

    monkeypatch.setattr(Entry, "__call__", watched)
    return wrong


def others_of(entry) -> list:
    """Signatures that an entry was compiled for beside the one compiled ahead: a table of addresses, then numbers."""
    return [one for one in entry.packed.signatures
            if one != (types.int64[::1], *(kind for kind in entry.signature.values() if not of_arrays(kind)))]


def of_arrays(kind) -> bool:
    return all(map(of_arrays, kind.types)) if isinstance(kind, types.BaseTuple) else isinstance(kind, types.Array)


@compiled
@pytest.mark.parametrize("threads", [1, 2])
def test_what_runs_uses_the_signatures_compiled_ahead_and_no_others(threads, monkeypatch):
    """Arrays are handed over by address: Numba would not notice another type, so the types of all calls are looked at."""
    wrong = wrong_calls(monkeypatch)
    world = busy_world(threads)
    world.run(0.1)
    world.reset()
    world.step()
    for work in (ropes_at_work, patches_at_work, soft_things_at_work):
        work()
    assert not wrong
    used = [entry for entry in all_entries() if "packed" in vars(entry) and entry.packed.signatures]
    assert not {name_of(entry): others_of(entry) for entry in used if others_of(entry)}
    idle = {name for entry in all_entries() if entry not in used and (name := name_of(entry)).startswith("pliant.")}
    assert idle <= APART, "make what runs here busier, or take the entry away"


def pendulum() -> pl.Scene:
    """A ball on a hinge, and no ground."""
    scene = pl.Scene()
    scene.add(pl.Body("bob", pl.Sphere(0.1), position=(0, 0, -1)))
    scene.add(pl.Revolute("hinge", pl.WORLD, "bob", anchor=(0, 0, 0), axis=(0, 1, 0)))
    return scene


def falling_balls() -> pl.Scene:
    """Onto the ground, and onto each other."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    for k in range(2):
        scene.add(pl.Body(f"ball {k}", pl.Sphere(0.1), position=(0, 0, 0.1 + 0.21 * k)))
    return scene


def hanging_rope(method: str) -> pl.Scene:
    """By one end."""
    scene = pl.Scene()
    scene.pin(scene.add(pl.Rope("rope", [(0, 0, 0), (1, 0, 0)], 6, 0.01, "rubber", method=method)).start)
    return scene


def hanging_cloth() -> pl.Scene:
    """By one corner, in the air."""
    scene = pl.Scene()
    scene.pin(scene.add(pl.Cloth("rag", pl.Sheet(0.2, 0.2, 0.1), 1e-3)).vertices([0]))
    return scene


def cloth_on_a_box() -> pl.Scene:
    """Which it carries along."""
    scene = pl.Scene()
    scene.add(pl.Ground())
    scene.add(pl.Body("box", pl.Box(0.2, 0.2, 0.2), position=(0.0, 0.0, 0.1)))
    scene.add(pl.Cloth("rag", pl.Sheet(0.4, 0.4, 0.1), 1e-3, position=(0.0, 0.0, 0.202)))
    return scene


BODIES = {"solve_islands", "find_islands", "measure", "begin"}
DETECTION = {"find_pairs", "refresh", "largest_turn", "note_pushed", "strays", "met_astray"}
SCENES = {
    "pendulum": (pendulum, BODIES, ()),
    "falling balls": (falling_balls, BODIES | DETECTION | {"touch_planes", "touch_convex", "overlaps_ahead"}, ()),
    "direct rope": (partial(hanging_rope, "direct"), BODIES - {"solve_islands"} | {"solve_implicit"}, ()),
    "rope by impulses": (partial(hanging_rope, "impulse"), None, ("soft", "carriers", "implicit", "collide")),
    "hanging cloth": (hanging_cloth, None, ("points", "solve_islands", "solve_carriers", "implicit", "touch_convex")),
    "cloth on a box": (cloth_on_a_box, None, ("points", "cordage", "implicit", "height_field")),
}
"""What is built, the names of all entries that it needs, where these are few, and else words of those that it does not."""


def calls_of(monkeypatch) -> set[str]:
    """Fills with the names of the entries that are called."""
    called: set[str] = set()
    by_packed = {id(one.packed): name_of(one) for one in all_entries()}
    plain = Entry.__call__

    def plainly(self, *given):
        called.add(name_of(self))
        return plain(self, *given)

    class Bound(partial):
        def __call__(self, *rest):
            called.add(by_packed[id(self.func)])
            return super().__call__(*rest)

    monkeypatch.setattr(Entry, "__call__", plainly)
    monkeypatch.setattr("pliant._jit.partial", Bound)
    return called


@compiled
@pytest.mark.parametrize("name", SCENES)
def test_what_is_compiled_before_a_run_is_what_the_run_calls(name, monkeypatch):
    """Oracle: the calls that are made. What a world has bound may be more than it calls in a few steps, never less."""
    called = calls_of(monkeypatch)
    for one in ENTRIES:
        monkeypatch.setattr(one, "used", False)
    build, needed, absent = SCENES[name]
    world = pl.World(build(), threads=1)
    ahead = {name_of(one) for one in entries_in_use()}
    assert all(one.loaded for one in entries_in_use())
    world.run(0.1)
    assert called <= ahead
    if needed is not None:
        assert {one.rpartition(":")[2] for one in ahead} == needed
    assert not [one for one in ahead if any(word in one for word in absent)]


@compiled
def test_signatures_are_read_off_annotations():
    def entry(group: Outer, first: int, step: float, gravity: tuple[float, float, float], flag: bool) -> None: ...

    group, first, step, gravity, flag = Entry(entry).signature.values()
    assert group.instance_class is Outer and group.types[0].instance_class is Inner and group.types[1] == types.float64
    assert list(group.types[0].types) == [types.Array(types.float64, 1, "C"), types.Array(types.int32, 2, "C")]
    assert (first, step, flag) == (types.int64, types.float64, types.boolean)
    assert gravity == types.UniTuple(types.float64, 3)


def test_an_annotation_that_says_no_type_is_refused():
    def bare(x, y: float) -> None: ...

    with pytest.raises(TypeError, match="no annotation of x"):
        _ = Entry(bare).signature
    for hint in (np.ndarray, float | None, str):
        with pytest.raises(TypeError):
            sample(hint)
