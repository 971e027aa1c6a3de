"""Nouns of cloth and solids: what is refused, and in which words; pins, loads and readings. Oracles: the sentences, statics."""

import numpy as np
import pytest
import trimesh

import pliant as pl

SHEET, BOX = pl.Sheet(0.4, 0.2, 0.1), pl.Box(0.2, 0.1, 0.1)
CELL = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
SOFT = pl.Material(1000.0, 1e5, poisson=0.3)


def flag(**more) -> pl.Cloth:
    return pl.Cloth("flag", SHEET, 1e-3, **more)


def cube(**more) -> pl.Solid:
    return pl.Solid("cube", BOX, spacing=0.05, **{"material": SOFT, **more})


@pytest.mark.parametrize(("make", "words"), [
    (lambda: pl.Cloth("c", 5, 1e-3), "mesh is 5; it must be a Sheet"),
    (lambda: pl.Cloth("c", ([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)]), 1e-3), "face 0 is degenerate"),
    (lambda: pl.Cloth("c", ([*CELL, (5, 5, 5)], [(0, 1, 2)]), 1e-3), "vertex 3 of its mesh belongs to no triangle"),
    (lambda: pl.Cloth("c", ([(0, 0, 0), (1, 0, 0), (0, float("nan"), 0)], [(0, 1, 2)]), 1e-3), "not finite"),
    (lambda: pl.Cloth("c", (CELL, [(0, 1, 9)]), 1e-3), "outside 0 to 3"),
    (lambda: pl.Cloth("c", "no such file.stl", 1e-3), "is not there"),
    (lambda: flag(pressure=5.0), "its mesh is open; only a closed one can be filled"),
    (lambda: flag(volume=1e5), "its mesh is open; only a closed one can be filled"),
    (lambda: flag(pressure=float("nan")), "pressure is nan; it must be finite"),
    (lambda: pl.Cloth("c", SHEET, 0.0), "thickness is 0 m; it must be positive"),
    (lambda: pl.Cloth("c", SHEET, 1e-3, "silk"), "material is 'silk'"),
    (lambda: flag(material=pl.Material(1.0, 1.0, poisson=-0.2)), "of -0.2, but method 'projective' cannot take one below 0"),
    (lambda: cube(material=pl.Material(1.0, 1.0, poisson=-0.2), method="jacobi"), "'jacobi' cannot .* method 'newton'"),
    (lambda: cube(material=pl.Material(1.0, 1.0, poisson=0.5), method="newton"), "need one above -1 and below 0.5"),
    (lambda: flag(strain=(1.1, 1.2)), "strain is .* a range runs from a number above 0 and at most 1"),
    (lambda: pl.Material(1.0, 1.0, strain=(0.0, 1.2)), "a range runs from a number above 0"),
    (lambda: pl.Rope("r", path=[(0, 0, 0), (1, 0, 0)], points=5, radius=0.01, material="strain-limited"), "ropes do not know"),
    (lambda: flag(method="magic"), "method is 'magic'; it must be one of projective, quasi-newton"),
    (lambda: flag(iterations=0), "iterations is 0; it must be a whole number"),
    (lambda: flag(bend=-1.0), "bend is -1"),
    (lambda: pl.Cloth("a[b]", SHEET, 1e-3), "must not hold brackets"),
    (lambda: pl.Sheet(1.0, 1.0, 1e-6), "squares; take at most"),
    (lambda: pl.Sheet(1.0, -1.0, 0.1), "y is -1 m"),
    (lambda: pl.Solid("s", CELL), "it has no cells"),
    (lambda: pl.Solid("s", CELL, [(0, 1, 2, 9)]), "[Cc]ell 0 names vertices outside 0 to 3"),
    (lambda: pl.Solid("s", [*CELL[:3], (1, 1, 0)], [(0, 1, 2, 3)]), "without volume, their corners in one plane: 0"),
    (lambda: pl.Solid("s", [*CELL[:3], (0, 0, float("inf"))], [(0, 1, 2, 3)]), "not finite, the first at vertex 3"),
    (lambda: pl.Solid("s", CELL, [(0, 1, 2)]), "cells is .* four corners a cell"),
    (lambda: pl.Solid("s", CELL, [(0, 1, 2, 2.5)]), "cells is .* whole numbers"),
    (lambda: pl.Solid("s", "x", [(0, 1, 2, 3)]), "mesh is 'x'; it must be places"),
    (lambda: pl.Solid("s", BOX), "spacing is not given"),
    (lambda: pl.Solid("s", BOX, spacing=1e-6), "cubes; take at most"),
    (lambda: pl.Solid("s", BOX, [(0, 1, 2, 3)], spacing=0.1), "cells is given, but its mesh is filled already"),
    (lambda: pl.Solid("s", CELL, [(0, 1, 2, 3)], spacing=0.1), "spacing is given, but its mesh has cells"),
    (lambda: pl.Solid("s", pl.Mesh((CELL[:3], [(0, 1, 2)])), spacing=0.1), "surface is not closed: edge 0-1 belongs to face 0"),
    (lambda: pl.Solid("s", (CELL[:3], [(0, 1, 2)]), spacing=0.1), "surface is not closed: edge 0-1 belongs to face 0"),
    (lambda: pl.Solid("s", (CELL, [(0, 1, 9)]), spacing=0.1), "outside 0 to 3"),
    (lambda: pl.Solid("s", (CELL, [(0, 1, 2.5)]), spacing=0.1), "mesh has 2.5 among its faces; they must be whole"),
    (lambda: pl.Solid("s", trimesh.creation.box((0.2,) * 3), spacing=5e-4).rest, "makes 6.4e[+]07 cubes, of .* at most 1e6"),
    (lambda: pl.Solid("s", "no such file.stl", spacing=0.1), "is not there"),
    (lambda: pl.Solid("s", (CELL, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])), "spacing is not given"),
    (lambda: pl.Solid("s", [*CELL, (-1, 0, 0)], [(0, 1, 2, 3), (0, 2, 4, 3), (0, 4, 1, 3)]), "without volume"),
    (lambda: pl.Solid("s", [*CELL, (-1, 0, 0)], [(0, 1, 2, 3), (0, 4, 2, 3)]), "unlike the others: 1. Exchange two"),
    (lambda: pl.Solid("s", pl.PatchMesh(CELL[:3], [(0, 1, 2)])), "its patches have no cells"),
    (lambda: pl.Solid("s", CELL, [(0, 1, 2, 3), (0, 1, 2, 3)]), "cells 0 and 1 overlap: they lie on the same side .* take one"),
    (lambda: pl.Solid("s", [*CELL, (0.1, 0.1, 2)], [(0, 1, 2, 3), (0, 1, 2, 4)]), "cells 0 and 1 overlap: .* .1 such faces"),
    (lambda: pl.Solid("s", CELL, [(1, 2, 3, 4)]), "cell 0 names vertices outside 0 to 3; they count from 0"),
    (lambda: cube(strain=-1.0), "strain is -1 Pa"),
    (lambda: cube(volume="stiff"), r"volume is 'stiff'; it must be a stiffness \[Pa\], or a range \(low, high\)"),
    (lambda: cube(material=None), "material is None; .* There are: steel, "),
    (lambda: cube(volume=(1.1, 1.2)), r"a range runs from a number above 0 and at most 1"),
    (lambda: cube(strain=0.0, volume=0.0), "nothing would hold it together"),
    (lambda: cube(examples=(np.zeros((3, 3)),), example_stiffness=1.0), r"examples\[0\] has shape \(3, 3\)"),
    (lambda: cube(example_stiffness=1.0), "belong together"),
    (lambda: cube(examples=(cube().rest,), example_stiffness=1.0, method="newton"), "method 'newton' does not know them"),
    (lambda: flag().vertices([0, 99]), "vertex 99 is asked for; it has vertices 0 to 14"),
    (lambda: flag().vertices([-1]), "vertex -1 is asked for"),
    (lambda: flag().vertices([0.5]), "the selector is"),
    (lambda: flag().vertices([]), r"the selector is empty; choose at least one of its vertices, which are 0 to \d+\."),
    (lambda: flag().vertices("edge"), "the selector is 'edge'"),
    (lambda: flag().vertices(np.ones(3, bool)), r"the mask has shape \(3,\); it must be \(15,\)"),
    (lambda: flag().vertices(lambda x: x), "must give 15 truth values"),
    (lambda: flag().vertices(((5, 5, 5), (6, 6, 6))), "holds no vertex; its rest positions run from"),
    (lambda: pl.Solid("s", pl.Box(0.1, 0.1, 0.1), spacing=0.1, examples=(np.zeros((8, 3)),)), "leaves cell 0 without volume"),
    (lambda: pl.Wind("w", (1.0, 2.0)), "velocity is"),
    (lambda: pl.Wind("w", (1.0, 2.0, 3.0), gust=-1.0), "gust is -1"),
    (lambda: pl.Wind("w", (1.0, 2.0, 3.0), gust=5.0), "gust is 5; it must be at most 1"),
])
def test_bad_nouns_are_refused_in_words(make, words):
    with pytest.raises(pl.SceneError, match=words):
        make()


@pytest.mark.parametrize(("build", "words"), [
    (lambda s: s.pin("flag[0]", clamp=True), "clamp is given, but vertices are held by where they are"),
    (lambda s: s.pin("flag[0]", slide=(1, 0, 0)), "slide is given"),
    (lambda s: (s.pin("flag[0-2]", name="a"), s.pin("flag[2,3]", name="b")), "vertex 2 of 'flag' is held by 'a' already"),
    (lambda s: s.pin("flag[0]", position=(9, 9, 9)), "m away from where it is to be held"),
    (lambda s: s.pin("flag[edge]"), "does not say vertices; write numbers and ranges"),
    (lambda s: s.pin("flag[(0, 0), (1, 1)]"), "is no box; write the lower and the upper corner"),
    (lambda s: s.pin("flag[99]"), "vertex 99 is asked for"),
    (lambda s: s.pin("flog[0]"), "flog"),
    (lambda s: s.attach("flag[0]", pl.WORLD), "hold it with scene.pin"),
    (lambda s: s.add(pl.Load("l", "flag[0]", torque=(0, 0, 1))), "torque is given, but vertices do not turn"),
    (lambda s: s.add(pl.Wind("w", (1, 0, 0), scale="knob")), "knob"),
])
def test_bad_holds_are_refused_in_words(build, words):
    scene = pl.Scene()
    scene.add(flag())
    with pytest.raises(pl.SceneError, match=words):
        build(scene)
        pl.World(scene, threads=1)


def test_every_selector_finds_the_same_edge():
    """Oracle: the first column of a sheet of 4 by 2 squares: vertices 0, 1, 2."""
    thing = flag()
    mask = thing.rest[:, 0] < -0.19
    for selector in ([2, 0, 1, 1], mask, ((-0.2, -1, -1), (-0.2, 1, 1)), lambda x: x[:, 0] < -0.19, range(3)):
        assert thing.numbers(thing.vertices(selector).name[len("flag["):-1]).tolist() == [0, 1, 2]
    assert thing.vertices([0, 2, 3, 9]).name.startswith("flag[0,2-3,9 of 15/")
    assert thing.vertices(((-0.2, -1, -1), (-0.2, 1, 1))).name == "flag[(-0.2, -1, -1), (-0.2, 1, 1)]"
    assert thing.numbers("(-inf, -inf, -inf), (-0.2, inf, inf)").tolist() == [0, 1, 2]
    assert thing.numbers("0, 2-3,9").tolist() == [0, 2, 3, 9]


@pytest.mark.parametrize("method", ["projective", "quasi-newton", "newton"])
def test_pins_bear_the_weight_of_what_hangs_on_them(method):
    """Oracle: statics of forces and moments: a bar on two ends, loaded a third along."""
    scene = pl.Scene(drag=20.0)
    bar = scene.add(pl.Solid("bar", pl.Box(0.6, 0.1, 0.1), spacing=0.05, material=pl.Material(1000.0, 5e6, poisson=0.3),
                             method=method))
    for name, x in (("left", -0.3), ("right", 0.3)):
        scene.pin(bar.vertices(((x, -1.0, -0.05), (x, 1.0, -0.05))), name=name)
    scene.add(pl.Load("load", bar.vertices(((-0.1, -1, 0.05), (-0.1, 1, 0.05))), force=(0.0, 0.0, -30.0)))
    world = pl.World(scene, threads=1)
    world.run(4.0)
    weight = 9.81 * world["bar"].mass
    assert weight == pytest.approx(9.81 * 6.0)
    left, right = world["left"].force, world["right"].force
    np.testing.assert_allclose(left + right, (0.0, 0.0, weight + 30.0), rtol=0, atol=1e-6 * weight)
    # moments about the middle of the lower edges: 0.6 right_z = weight 0.3 + 30 * 0.2, up to how far the load has moved
    assert right[2] == pytest.approx((0.3 * weight + 0.2 * 30.0) / 0.6, rel=0.01)
    np.testing.assert_allclose(world["left"].position, (-0.3, 0.0, -0.05), atol=1e-12)


def test_pins_by_position_have_no_forces_to_read():
    scene = pl.Scene()
    thing = scene.add(flag(method="position"))
    scene.pin(thing.vertices([0, 1, 2]), name="edge")
    world = pl.World(scene, threads=1)
    world.run(0.1)
    with pytest.raises(pl.SceneError, match="which moves vertices without forces"):
        _ = world["edge"].force


def test_teleports_and_readings():
    """Oracle: an affine map has the singular values, the volume and the energy of its matrix, whatever turn comes with it."""
    scene = pl.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add(cube())
    scene.add(flag())
    world = pl.World(scene, threads=1)
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    world["cube"].positions = cube().rest @ (turn @ np.diag([1.2, 1.0, 0.9])).T + (1.0, 2.0, 3.0)
    np.testing.assert_allclose(world["cube"].stretches, np.tile([1.2, 1.0, 0.9], (len(cube().filling.cells), 1)), atol=1e-12)
    np.testing.assert_allclose(world["cube"].strain, 0.2, atol=1e-12)
    assert world["cube"].volume == pytest.approx(1.2 * 0.9 * 0.002, rel=1e-12)
    mu = SOFT.shear_modulus  # strain part alone is mu V |S - 1|^2; volume adds to it
    assert world.energy().elastic > mu * 0.002 * (0.2**2 + 0.1**2)
    with pytest.raises(pl.SceneError, match="open"):
        _ = world["flag"].volume
    with pytest.raises(pl.SceneError, match=r"it must be \(15, 3\)"):
        world["flag"].positions = np.zeros((3, 3))
    world["flag"].velocities = np.ones((15, 3))
    assert world["flag"].energy.kinetic == pytest.approx(1.5 * world["flag"].mass)
    assert world["flag"].mass == pytest.approx(1540.0 * 1e-3 * 0.4 * 0.2)


def test_pinned_vertices_stay_in_a_teleport():
    scene = pl.Scene()
    thing = scene.add(flag())
    scene.pin(thing.vertices([0]), name="nail")
    world = pl.World(scene, threads=1)
    with pytest.raises(pl.SceneError, match="vertex 0 is held by Pin 'nail'"):
        world["flag"].positions = thing.rest + 1.0
    moved = thing.rest.copy()
    moved[1:] += 0.01
    world["flag"].positions = moved
    world["flag"].velocities = np.ones((15, 3))
    assert (world["flag"].velocities[0] == 0.0).all() and (world["flag"].velocities[1:] == 1.0).all()


def test_patches_weigh_what_their_relief_does():
    """Oracle: a ball's volume and area, to what 320 patches miss of a ball."""
    scene = pl.Scene()
    scene.add(pl.Solid("ball", pl.PatchMesh.sphere(0.1, 320), material=SOFT))
    scene.add(pl.Cloth("balloon", pl.PatchMesh.sphere(0.1, 320), 1e-3))
    world = pl.World(scene, threads=1)
    assert world["ball"].mass == pytest.approx(1000.0 * 4.0 / 3.0 * np.pi * 0.1**3, rel=2e-3)
    assert world["balloon"].mass == pytest.approx(1540.0 * 1e-3 * 4.0 * np.pi * 0.1**2, rel=2e-3)
    assert world["ball"].volume == pytest.approx(4.0 / 3.0 * np.pi * 0.1**3, rel=2e-3)


def test_things_that_would_have_to_touch_are_told_of():
    scene = pl.Scene()
    scene.add(flag(method="newton"))
    scene.add(pl.Ground())
    assert any("by method 'newton' it touches nothing" in text for text in pl.World(scene, threads=1).warnings)


def test_a_surface_of_any_kind_fills_a_solid(tmp_path):
    """Oracle: a box of 4 x 2 x 2 cubes of five cells, whether given as Mesh, pair, file or trimesh."""
    box = trimesh.creation.box((0.4, 0.2, 0.2))
    box.export(tmp_path / "box.stl")
    pair = (np.asarray(box.vertices), np.asarray(box.faces))
    wanted = pl.Solid("s", pl.Mesh(pair), spacing=0.1)
    assert len(wanted.filling.cells) == 5 * 16
    for mesh in (pair, list(pair), box, pl.Mesh(box), tmp_path / "box.stl", str(tmp_path / "box.stl")):
        found = pl.Solid("s", mesh, spacing=0.1)
        np.testing.assert_allclose(found.rest, wanted.rest, atol=1e-8)
        assert np.array_equal(found.filling.cells, wanted.filling.cells)


def test_a_solid_weighs_what_its_surface_holds():
    """Oracle: density times the volume of the triangles; cubes fill 6.3 % too much, which is read and warned of."""
    ball = trimesh.creation.icosphere(3, 0.1)
    scene = pl.Scene()
    scene.add(pl.Solid("ball", ball, spacing=0.02, material=SOFT))
    cells = scene["ball"].filling
    world = pl.World(scene, threads=1)
    assert world["ball"].mass == pytest.approx(1000.0 * ball.volume, rel=1e-12)
    filled = world["ball"].volume / ball.volume
    assert pl.Solid("box", BOX, spacing=0.1).quality.filled == 1.0
    assert world["ball"].quality.filled == pytest.approx(filled, rel=1e-12) and abs(filled - 1.0) > 0.05
    assert any(f"fill {100.0 * filled:.1f} % of its surface" in text for text in world.warnings)
    # As stiff for its mass as the material: the weights of all cells are those of the surface's volume.
    table = world._engine.model.soft[0].model.cells.table.reshape(-1, 15, 64)
    assert table[:, 9].sum() == pytest.approx(1e5 / 1.3 * ball.volume, rel=1e-12)
    assert len(cells.cells) == world["ball"].stretches.shape[0]


def test_poor_cells_are_warned_of_by_number():
    """Oracle: radii of a flat cell by hand: legs a, a and height e a, 3 r / R goes to 0 with e."""
    tall = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.3, 0.3, 0.02), (0.3, 0.3, -1.0)]) * 0.1
    scene = pl.Scene()
    scene.add(pl.Solid("s", tall, [(0, 1, 2, 3), (0, 2, 1, 4)], material=SOFT))
    scene.add(flag(position=(5.0, 0.0, 0.0)))
    world = pl.World(scene, threads=1)
    a, b, c, d = tall[[0, 1, 2, 3]]
    volume = abs(np.linalg.det([b - a, c - a, d - a])) / 6.0
    area = sum(np.linalg.norm(np.cross(q - p, r - p)) / 2.0 for p, q, r in ((a, b, c), (a, b, d), (a, c, d), (b, c, d)))
    middle = np.linalg.solve(2.0 * np.array([b - a, c - a, d - a]), [(x - a) @ (x - a) for x in (b, c, d)])
    shape = 3.0 * (3.0 * volume / area) / np.linalg.norm(middle)
    assert world["s"].quality.worst_shape == pytest.approx(shape, rel=1e-9) and world["s"].quality.worst_cell == 0
    assert dict(world.quality) == {"s": world["s"].quality}
    with pytest.raises(TypeError):
        world.quality["s"] = None
    assert any("cell 0 is nearly flat" in text for text in world.warnings)


def test_examples_are_as_stiff_as_the_material_if_nothing_is_said():
    """Oracle: 2 mu = E / (1 + nu)."""
    assert cube(examples=(cube().rest,)).example_stiffness == pytest.approx(1e5 / 1.3, rel=1e-15)


@pytest.mark.parametrize("thing", [flag(strain=(0.9, 1.1)), flag(material="strain-limited"),
                                   cube(strain=(0.9, 1.1), volume=(0.9**3, 1.1**3)), cube(material="strain-limited")])
def test_a_range_of_strain_is_free_and_then_resists(thing):
    """Oracle: swollen by s in all its n directions it is n (s - 1.1)^2 times half of all weights away; within the range 0."""
    scene = pl.Scene(gravity=(0, 0, 0))
    scene.add(thing)
    world, rest, stuff = pl.World(scene, threads=1), thing.placed(), thing.stuff
    mu, nu = stuff.shear_modulus, stuff.poisson_ratio
    if isinstance(thing, pl.Cloth):
        n, weight = 2, (2.0 * mu + 2.0 * stuff.young * nu / (1.0 - nu * nu)) * 1e-3 * 0.4 * 0.2
    else:
        n, weight = 3, (2.0 * mu + 3.0 * stuff.young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))) * 0.2 * 0.1 * 0.1
    for stretch, away in ((1.09, 0.0), (0.91, 0.0), (1.2, 0.1), (0.8, 0.1)):
        world[thing.name].positions = rest * stretch
        wanted = 0.5 * weight * n * away**2
        assert world[thing.name].energy.elastic == pytest.approx(wanted, rel=1e-9, abs=1e-12 * weight)


def test_the_near_incompressible_preset_resists_a_change_of_volume_most():
    """Oracle: bulk by shear modulus, 2 (1 + nu) / 3 (1 - 2 nu): 499.7, of jelly 9.7."""
    from pliant.scene.material import MATERIALS

    stuff = MATERIALS["near-incompressible"]
    assert 2.0 * (1.0 + stuff.poisson_ratio) / (3.0 * (1.0 - 2.0 * stuff.poisson_ratio)) == pytest.approx(499.67, abs=0.01)
    assert cube(material="near-incompressible").stuff is stuff


@pytest.mark.parametrize("substeps", [1, 4])
def test_the_work_of_a_push_is_force_times_way(substeps):
    """Oracle: the force times how far the pushed vertices went, to rounding; no more energy than that is there, and than half
    of the last substep's push has brought already: what is free is pushed before and after it has moved."""
    scene = pl.Scene(gravity=(0, 0, 0))
    bar = scene.add(pl.Solid("bar", pl.Box(0.4, 0.1, 0.1), spacing=0.05, material="jelly"))
    end = bar.rest[:, 0] > 0.199
    world = pl.World(scene, substeps=substeps, threads=1)
    start = world["bar"].positions[end].mean(axis=0)
    for _ in range(10):
        world.apply_force(bar.vertices(end), (0, 1.0, 0))
        world.step()
    way = (world["bar"].positions[end].mean(axis=0) - start)[1]
    assert world.energy().work == pytest.approx(way, rel=1e-12)
    early = 0.5 * world.dt / substeps * world["bar"].velocities[end].mean(axis=0)[1]
    assert world.energy().total <= way + early
