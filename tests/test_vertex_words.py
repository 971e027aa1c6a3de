"""Vertices in files: a box goes with the mesh, numbers with one mesh alone. Oracle: where the vertices lie that are held."""

import numpy as np
import pytest

import pliant as pl
from pliant.compile.compiler import compile_scene
from pliant.scene.vertex_words import box_in, layout, words_of_box

inf = float("inf")


def sheet(spacing: float = 0.25, x: float = 1.0, y: float = 0.5, **more) -> pl.Cloth:
    return pl.Cloth("sheet", pl.Sheet(x, y, spacing), 1e-3, **more)


def held(scene: pl.Scene) -> np.ndarray:
    """Where the vertices lie (k, 3) [m] that the one pin of a scene holds, own frame."""
    soft = compile_scene(scene).model.soft[0]
    return scene["sheet"].rest[soft.pins[0].vertex]


def edge(scene: pl.Scene, spacing: float) -> None:
    """The whole edge at x = -0.5, and nothing else."""
    found = held(scene)
    assert (found[:, 0] == -0.5).all() and len(found) == round(0.5 / spacing) + 1


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_a_box_in_a_file_holds_what_is_in_it_however_fine_the_mesh_is(tmp_path, suffix):
    scene, path = pl.Scene(), tmp_path / f"held{suffix}"
    scene.pin(scene.add(sheet(0.25)).vertices(((-0.5, -inf, 0), (-0.5, 0.1 + 0.2, 1e-9))), name="pole")
    scene.to_file(path)
    again = pl.load(path)
    assert again["pole"].what == scene["pole"].what == "sheet[(-0.5, -inf, 0), (-0.5, 0.30000000000000004, 1e-09)]"
    edge(again, 0.25)
    text = path.read_text()
    path.write_text(text.replace("0.25", "0.0625"))
    edge(pl.load(path), 0.0625)
    again.replace(again["sheet"].replace(mesh=pl.Sheet(1.0, 0.5, 0.125)))
    edge(again, 0.125)


def test_a_file_that_is_not_changed_gives_the_same_bits(tmp_path):
    scene = pl.Scene()
    thing = scene.add(sheet())
    scene.pin(thing.vertices(((-0.5, -1, 0), (-0.5, 1, 0))))
    scene.pin(thing.vertices(lambda x: x[:, 0] > 0.49))
    scene.add(pl.Load("push", thing.vertices([7]), force=(0, 0, 1e-3)))
    scene.to_file(tmp_path / "scene.yaml")
    hashes = []
    for one in (scene, pl.load(tmp_path / "scene.yaml")):
        world = pl.World(one, threads=1)
        assert world.warnings == []
        world.run(0.1)
        hashes.append(world.hash())
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("choose", [lambda x: x[:, 0] < -0.49, [0, 1, 2], np.arange(15) < 3])
def test_numbers_in_a_file_of_another_mesh_are_refused_with_place_and_remedy(tmp_path, choose):
    scene, path = pl.Scene(), tmp_path / "held.yaml"
    scene.pin(scene.add(sheet()).vertices(choose), name="pole")
    scene.to_file(path)
    edge(pl.load(path), 0.25)
    path.write_text(path.read_text().replace("0.25", "0.125"))
    with pytest.raises(pl.SceneError) as error:
        compile_scene(pl.load(path))
    said = str(error.value)
    assert "held.yaml, line" in said and "Pin 'pole': what: Cloth 'sheet': 'sheet[0-2 of 15/" in said
    assert said.endswith("was chosen among 15 vertices, and it has 45 now; choose them again by thing.vertices, and by a box "
                         "if they are to go with the mesh.") and "\n" not in said


def test_numbers_do_not_go_over_to_a_mesh_that_takes_the_place_of_theirs():
    scene = pl.Scene()
    thing = scene.add(sheet())
    pins = scene.pin(thing.vertices([0, 1, 2]), name="pole"), scene.add(pl.Load("l", thing.vertices([5]), force=(0, 0, 1)))
    scene.replace(thing.replace(thickness=2e-3, position=(1, 2, 3)))  # the same vertices
    assert compile_scene(scene).warnings == []
    finer = scene.replace(thing.replace(mesh=pl.Sheet(1.0, 0.5, 0.125)))
    for one, role in zip(pins, ("what", "on"), strict=True):
        with pytest.raises(pl.SceneError, match=f"'{one.name}': {role}: Cloth 'sheet': .* was chosen among 15 vertices"):
            compile_scene(scene)
        place = finer.vertices([0])
        scene.replace(one.replace(what=place) if role == "what" else one.replace(on=finer.vertices([5])))
    assert compile_scene(scene).warnings == []


def test_as_many_vertices_that_lie_otherwise_are_doubted_and_a_stretched_sheet_is_not():
    """Oracle: a sheet of 2 by 4 squares has the vertices of one of 4 by 2, in another order."""
    scene = pl.Scene()
    scene.pin(scene.add(sheet()).vertices([0, 1, 2]), name="pole")
    for mesh, doubted in ((pl.Sheet(4.0, 2.0, 1.0), 0), (pl.Sheet(1.1, 0.5, 0.26), 0), (pl.Sheet(0.5, 1.0, 0.25), 1)):
        scene.replace(sheet().replace(mesh=mesh))
        told = compile_scene(scene).warnings
        assert len(told) == doubted
    assert told[0].startswith("Pin 'pole': what is 'sheet[0-2]', but the vertices of Cloth 'sheet' lie otherwise than when "
                              "these were chosen; choose them again by thing.vertices")


def test_how_vertices_lie_does_not_hang_on_their_last_bits():
    """Oracle: numbers that differ by rounding alone; a step of a millionth of the sheet's width is told."""
    rest = sheet(0.05).rest
    assert layout(rest) == layout(rest * (1.0 + 2e-16)) == layout(3.3 * rest + (0.1, 0.2, 0.3))
    moved = rest.copy()
    moved[7, 0] += 2e-6
    assert layout(moved) != layout(rest) != layout(rest[::-1])


def test_boxes_are_written_to_the_last_bit():
    """Oracle: the bits that went in."""
    random = np.random.default_rng(3)
    for _ in range(50):
        box = random.normal(size=(2, 3)) * 10.0 ** random.integers(-30, 30, (2, 3))
        box[0, 0], box[1, 2] = -inf, inf
        assert box_in("sheet", words_of_box(box)).tobytes() == box.tobytes()
    assert words_of_box(np.array([(0, -0.0, 2), (1, 1e30, 0.1)])) == "(0, -0, 2), (1, 1e+30, 0.1)"


@pytest.mark.parametrize("words, said", [
    ("0-2 of", "does not say vertices"), ("0-2 of many", "does not say how many vertices 'sheet' had"),
    ("0-2 of 14", "was chosen among 14 vertices, and it has 15 now"), ("0-2 of 15/xyz", "does not say how many vertices"),
    ("(0, 0, 0), (1.2.3, 1, 1)", "is no box; write the lower and the upper corner"), ("2-0 of 15", "runs backwards"),
])
def test_words_that_mean_no_vertices_are_told(words, said):
    with pytest.raises(pl.SceneError) as error:
        sheet().numbers(words)
    assert said in str(error.value) and str(error.value).startswith(f"Cloth 'sheet': 'sheet[{words}]' ")
    assert sheet().numbers("0-2,4 of 15").tolist() == [0, 1, 2, 4]  # by hand the layout may be left out
