"""The house itself: README that runs, locks that agree, files that say what they are for. Oracle: the files."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.scene.files.scene_file import load

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import environment  # noqa: E402
import equation_index  # noqa: E402


def block(language: str, page: str = "README.md") -> str:
    """A page's first block of code in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    assert found, f"{page} has no block of {language}"
    return found[1]


def test_the_program_of_the_readme_runs_and_is_right(capsys):
    """The cart is dragged: what the rope gives it beyond friction, it has as momentum; and the rope keeps its length.

    Oracle: m dv = pull dt + mu n dt along the ground and n = m (g + dv_z/dt) - lift, over half a second after the program,
    exact for a cart that slides straight; friction turned aside by an angle a lacks a share a^2/2 of itself,
    and 1e-3 is allowed to what the sweeps leave, 6e-4 when measured.
    """
    given: dict = {}
    exec(compile(block("python"), "README.md", "exec"), given)
    world, said = given["world"], capsys.readouterr().out
    assert not world.warnings
    assert world.time == pytest.approx(5.0, abs=1e-9)
    assert f"{world['cart'].position} {world['tow'].tension.max()}" in said
    assert world["cart"].velocity[0] < -0.1 and world["cart"].position[0] < 3.4
    assert world["tow"].length == pytest.approx(sqrt(2.8**2 + 0.17**2), rel=1e-6)
    before, pulls, aside = world["cart"].velocity, [], 0.0
    for _ in range(30):
        world.step()
        pulls.append(-world["tow"].end.force)
        aside = max(aside, abs(world["cart"].velocity[1] / world["cart"].velocity[0]))
    pull, _, lift = sum(pulls) / len(pulls)
    gained = 40.0 * (world["cart"].velocity - before) / 0.5
    friction = 0.8 * (40.0 * 9.81 + gained[2] - lift)
    assert gained[0] == pytest.approx(pull + friction, abs=(1e-3 + 0.5 * aside**2) * friction)


def test_the_file_of_the_readme_does_what_the_program_does(tmp_path):
    """Oracle: the program's scene, its throttle set at the start, written anew is the same text; the cart comes as far."""
    (tmp_path / "tow.yaml").write_text(block("yaml"))
    given: dict = {}
    exec(compile(block("python"), "README.md", "exec"), given)
    scene = given["scene"]
    scene.replace(scene["tractor"].replace(controls={"throttle": 0.5}))
    load(tmp_path / "tow.yaml").to_file(tmp_path / "written.yaml")
    scene.to_file(tmp_path / "made.yaml")
    written, made = ((tmp_path / name).read_text().partition("things:")[2] for name in ("written.yaml", "made.yaml"))
    assert written == made
    world = pl.World(load(tmp_path / "tow.yaml"), dt=1/60)
    world.run(5.0)
    assert world.hash() == given["world"].hash()


def test_the_program_of_the_soft_page_runs():
    """Oracle: the words beside it: 31 vertices of the sheet's edge and the 9 x 9 of the pad's upper face stay in place."""
    given: dict = {}
    exec(compile(block("python", "docs/soft.md"), "soft.md", "exec"), given)
    world = given["world"]
    assert not world.warnings
    for name, axis, side, count in (("sheet", 1, 0.6, 31), ("pad", 2, 0.02, 81)):
        held = np.abs(world.scene[name].rest[:, axis] - side) < 1e-9
        assert held.sum() == count
        moved = world[name].positions - world.scene[name].rest - world.scene[name].position
        assert np.abs(moved[held]).max() < 1e-6 < np.abs(moved[~held]).max()


def test_the_readme_claims_only_files_that_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names = re.findall(r"\]\(([^)#:]+)\)", text)
    assert names and all((ROOT / name).exists() for name in names)


def test_the_pages_link_only_to_what_exists():
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks" / "results").glob("*.md")):
        for name in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / name).exists(), f"{page.name} links to {name}"


def test_the_readme_names_every_example():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [path.name for path in (ROOT / "examples").glob("*.py") if f"(examples/{path.name})" not in text]
    assert not missing


def sources() -> list[Path]:
    """Every Python file of the repository."""
    said = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], cwd=ROOT, capture_output=True, text=True
    )
    if said.returncode:
        pytest.skip("reason: this is no clone of the repository")
    return [ROOT / name for name in said.stdout.split("\n") if name and (ROOT / name).is_file()]


def test_every_file_says_first_what_it_is_for():
    mute = []
    for path in sources():
        text = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").strip()
        first = text.partition("\n\n")[0].replace("\n", " ")
        if not first.endswith((".", ":", "`")):
            mute.append(f"{path.relative_to(ROOT)}: {first!r}")
    assert not mute, "\n".join(mute)


def pins(name: str) -> dict[str, str]:
    """The packages of a lock file."""
    lines = (ROOT / name).read_text().splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_the_locks_pin_all_that_the_project_asks_for_and_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    tools = project["project"]["optional-dependencies"]["dev"]
    runtime, dev, peers = pins("requirements.txt"), pins("requirements-dev.txt"), pins("requirements-peers.txt")
    names = {re.match(r"[\w-]+", wish)[0].lower() for wish in asked}
    assert names <= runtime.keys() and {re.match(r"[\w-]+", wish)[0].lower() for wish in tools} <= dev.keys()
    assert runtime.items() <= dev.items() and runtime.items() <= peers.items()


def test_no_door_names_a_registry():
    for name in (
        "Makefile",
        ".ci/run",
        "pyproject.toml",
        *(p.name for p in ROOT.glob("requirements*.txt")),
        "tools/environment.py",
    ):
        text = (ROOT / name).read_text()
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links", text), name


def test_make_test_touches_no_system_packages():
    assert "apt" not in (ROOT / "Makefile").read_text() and "apt" not in (ROOT / "tools" / "environment.py").read_text()
    gate = (ROOT / ".ci" / "run").read_text()
    assert "chromium" in gate and "PLIANT_CI=1" in gate and "make test" in gate


def test_an_environment_is_made_once_for_a_lock(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    for name in (*environment.LOCKS.values(), "pyproject.toml"):
        (tmp_path / name).write_text("")
    made: list[tuple] = []
    monkeypatch.setattr(environment, "create", lambda folder: (folder / "bin").mkdir(parents=True, exist_ok=True))
    monkeypatch.setattr(
        environment, "install", lambda *given: made.append(given) or (given[0] / "bin" / "python").touch()
    )
    environment.main("dev")
    assert "setting up .venv (dev), once" in capsys.readouterr().err
    environment.main("dev")
    assert capsys.readouterr() == ("", ".venv is set up\n")
    environment.main("runtime")  # the dev lock covers it
    assert len(made) == 1
    (tmp_path / "requirements-dev.txt").write_text("numpy==9\n")
    environment.main("dev")
    assert len(made) == 2


def test_a_long_step_of_the_set_up_is_not_silent(monkeypatch, capfd):
    """Oracle: a step of 1 s, looked at every 0.2 s; and one that fails, by its words."""
    monkeypatch.setattr(environment, "PATIENCE", 0.2)
    environment.call("sleeping", sys.executable, "-c", "import time; time.sleep(1.0)")
    said = capfd.readouterr().err.splitlines()
    assert said[0] == "sleeping" and said.count("sleeping: 0 s so far") >= 2
    with pytest.raises(SystemExit, match=r"This step failed: .* -c raise SystemExit\(3\)"):
        environment.call("failing", sys.executable, "-c", "raise SystemExit(3)")


def test_the_equation_index_finds_missing_links(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "pliant" / "equations"
    folder.mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "bibliography.md").write_text("- [Known] A book.\n")
    (tmp_path / "test_x.py").write_text("")
    monkeypatch.setattr(equation_index, "ROOT", tmp_path)
    (folder / "good.py").write_text('"""A law.\n\nSource: [Known] page 1\nCheck: test_x.py\n"""\n')
    assert equation_index.main([]) == 0
    (folder / "bad.py").write_text('"""A law.\n\nSource: [Unknown] page 1\nCheck: test_y.py\n"""\n')
    (folder / "mute.py").write_text('"""A law."""\n')
    assert equation_index.main(["--quiet"]) == 1
    said = capsys.readouterr().err
    assert all(
        word in said
        for word in ("[Unknown] is not in", "test_y.py does not exist", "mute.py: no line 'Source", "'Check")
    )


def test_the_wheel_holds_scenes_and_assets(tmp_path):
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    wanted = {
        p.relative_to(ROOT).as_posix()
        for folder in ("built_in", "assets")
        for p in (ROOT / "pliant" / "scene" / folder).rglob("*")
        if p.is_file() and p.suffix != ".pyc"
    }
    assert wanted <= names and "pliant/cli/main.py" in names and not any(name.startswith("tests") for name in names)


def test_every_built_in_scene_is_sound():
    from pliant.scene.files.built_in import about, built_in_names

    for name in built_in_names():
        assert about(name), f"{name} has no line about it"
        world = pl.World(load(name))
        soft = any(isinstance(thing, (pl.Rope, pl.Cloth, pl.Solid)) for thing in world.scene)
        assert world.body_names or soft, f"nothing moves in {name}"


def test_no_constant_is_defined_twice():
    """Columns of tables are numbered in long lines of names, where a second one of the same name would go unseen."""
    for file in sorted((ROOT / "pliant").rglob("*.py")):
        targets = [t for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)
                   for t in node.targets]
        names = [name.id for t in targets for name in ast.walk(t) if isinstance(name, ast.Name) and name.id.isupper()]
        assert len(names) == len(set(names)), f"{file}: {sorted(n for n in set(names) if names.count(n) > 1)}"
