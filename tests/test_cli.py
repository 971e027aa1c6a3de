"""The command line: what it prints, and which exit code. Oracle: the sentence, the code, and the same run in Python."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import call, mast

import pliant as pl
from pliant.cli import bench
from pliant.scene.files.scene_file import load
from pliant.substeps import pace


@pytest.fixture
def scene(tmp_path):
    return mast(tmp_path)


WRONG = [
    (("rnu",), "pliant: 'rnu' is not a command; the nearest is `run`"),
    (("xyzzy",), "pliant: 'xyzzy' is not a command; the commands are run, view, check, scenes, warm, bench"),
    (("replay", "tow.rec"), "pliant: 'replay' is not there yet; README.md lists what works. See `pliant --help`."),
    (("run", "--record", "tow.rec"), "pliant run: '--record' is not there yet"),
    (("check", "winch"), "pliant: There is no scene 'winch'. 'winch' is not there yet; README.md lists what works."),
    (("--versoin",), "pliant: '--versoin' is not an option; the options are -h, --help, --version, and a command comes first"),
    (("run", "--dt", "0"), "'0' is not a positive number"),
    (("check", "door", "--dt", "16"), "pliant: World: dt is 16 s, but it is the time between two pictures"),
    (("check", "door", "--dt", "1e-12"), "pliant: World: dt is 1e-12 s; it must be at least 1e-09 s."),
    (("check", "door", "--threads", "99999"), "pliant: World: threads is 99999; it must be a whole number from 1 to 10000"),
    (("check", "TOW"), "pliant: There is no scene 'TOW'. Did you mean 'tow'?"),
    (("run", "--headles"), "pliant run: '--headles' is not an option; the nearest is `--headless`"),
    (("view", "--headless"), "pliant view: '--headless' is not an option; `pliant run` has it"),
    (("run", "--seconds", "soon"), "'soon' is not a positive number"),
    (("run", "--seconds", "-1"), "'-1' is not a positive number"),
    (("run", "--seconds", "nan"), "'nan' is not a positive number"),
    (("run", "--dt", "1/0"), "'1/0' is not a positive number"),
    (("run", "--port", "99999999"), "'99999999' is not a port; those go from 1 to 65535"),
    (("run", "--port", "0"), "'0' is not a port"),
    (("view", "--port", "abc"), "'abc' is not a port"),
    (("run", "--threads", "0"), "'0' is not a whole number from 1 on"),
    (("run", "--set", "throttle"), "'throttle': write control=value"),
    (("run", "--set", "throttle=much"), "'throttle=much': its value is not a number"),
    (("run", "--headless", "lost.yaml"), "pliant: There is no file 'lost.yaml'."),
    (("check", "no/such/place"), "pliant: There is no file 'no/such/place'."),
    (("check", "xyzzy"), "pliant: There is no scene 'xyzzy'."),
    (("check", "crash.yaml"), "no file 'crash.yaml'; the built-in scene is named 'crash', without an ending."),
    (("check", ""), "pliant: load: path is ''; give a scene file or one of bar,"),
    (("check", "--substeps", "9" * 5000), "pliant: World: substeps is 99999999999999999999; it must be at most 10000."),
    (("bench", "xyzzy"), "pliant: There is no benchmark 'xyzzy'."),
    (("bench", "rope"), "pliant: There is no benchmark 'rope'. There are: "),
    (("bench", "built_in", "--nothing"), "pliant bench built_in: unrecognized arguments: --nothing. See `pliant bench"),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG)
def test_a_wrong_word_gets_one_sentence_and_code_2(capsys, words, sentence):
    assert call(*words) == 2
    out, err = capsys.readouterr()
    assert sentence in err and err.count("\n") == 1 and out == ""


def test_a_mistyped_scene_gets_the_nearest_name(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("pliant.scene.files.built_in.SCENES", tmp_path)
    (tmp_path / "scout.yaml").write_text("pliant: 1\nabout: 'a robot: small'\n")
    (tmp_path / "door.py").write_text('"""A door with a latch.\n\nMore."""\n')
    (tmp_path / "bare.yaml").write_text("# Nothing at all\npliant: 1\n")
    assert call("check", "scuot") == 2
    assert capsys.readouterr().err == "pliant: There is no scene 'scuot'. Did you mean 'scout'?\n"
    assert call("scenes") == 0
    assert capsys.readouterr().out == "bare   Nothing at all\ndoor   A door with a latch.\nscout  a robot: small\n"


def test_a_bad_scene_gets_file_line_and_remedy(capsys, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("pliant: 1\nthings:\n- {type: Grond}\n")
    assert call("run", "--headless", str(path)) == 2
    assert (
        capsys.readouterr().err
        == f"pliant: {path}, line 3, things[0]: the type 'Grond' is unknown. Did you mean 'Ground'?\n"
    )


def test_a_port_that_nobody_may_have_gets_a_sentence(capsys, scene):
    """Oracle: we hold the last port ourselves, and there is none after it."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 65535))
        held.listen()
        assert call("run", scene, "--port", "65535", "--no-open") == 2
    err = capsys.readouterr().err
    assert err.splitlines()[-1].startswith("pliant: The view cannot be served on host '127.0.0.1'")


def test_help_imports_no_engine():
    """So that it is quick."""
    code = (
        "import sys; sys.argv = ['pliant', '--help']\nfrom pliant.cli.main import main\ntry: main()\n"
        "except SystemExit: pass\nprint(sorted({'numba', 'scipy', 'viser', 'trimesh'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n") and "bench" in done.stdout


def test_a_scene_without_soft_things_waits_for_no_sparse_matrices():
    """They take a third of a second to load."""
    code = ("import sys, pliant as pl; pl.World(pl.load('oscillator')).step()\n"
            "print(sorted({'scipy.sparse', 'cholespy', 'trimesh', 'viser'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_json_of_what_does_not_run_is_an_object_too(capsys):
    """The sentence stands on both: for people on the standard error, for programs in the object."""
    assert call("run", "nowhere", "--headless", "--json") == 2
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["scene"] == "nowhere" and found["error"].startswith("There is no scene 'nowhere'.")
    assert err.strip() == f"pliant: {found['error']}"


def test_json_is_one_object_and_the_same_run_as_in_python(capsys, scene):
    assert call("run", scene, "--headless", "--seconds", "0.5", "--json", "--set", "throttle=1.5", "--dt", "1/50") == 0
    out = capsys.readouterr().out
    found = json.loads(out)
    assert out.count("\n") == 1
    world = pl.World(load(scene), dt=1 / 50)
    world.control["throttle"] = 1.5
    world.run(0.5)
    energy = world.energy()
    assert found["hash"] == world.hash() and found["steps"] == 25 and found["scene"] == scene
    assert found["simulated_seconds"] == world.time and found["warnings"] == world.warnings
    assert found["energies"] == {k: getattr(energy, k) for k in ("kinetic", "gravity", "elastic", "total", "work")}
    assert found["real_time_factor"] == pytest.approx(found["simulated_seconds"] / found["wall_seconds"], rel=1e-12)


def test_the_summary_for_people_is_aligned(capsys, scene):
    assert call("run", scene, "--headless", "--seconds", "0.1") == 0
    lines = capsys.readouterr().out.splitlines()
    labels = [line.split("  ")[0].strip() for line in lines]
    assert labels[:6] == ["scene", "simulated", "wall clock", "speed", "energy", "hash"]
    assert all(line[11] == " " and line[12] != " " for line in lines)


def test_readings_are_those_of_the_same_run_in_python(capsys, scene):
    """Oracle: the handles of a world that is stepped here; the largest is kept by hand."""
    assert call("run", scene, "--headless", "--seconds", "0.5", "--json", "--set", "throttle=1.5") == 0
    found = json.loads(capsys.readouterr().out)
    rows = {(row["name"], row["what"]): row for row in found["readings"]}
    world = pl.World(load(scene))
    world.control["throttle"] = 1.5
    efforts, presses = [], []
    for _ in range(30):
        world.step()
        efforts.append(world["hinge"].effort)
        presses.append(sum(force[2] for b, force in zip(world.contacts.b, world.contacts.force, strict=True) if b == "cart"))
    assert rows["hinge", "angle"]["value"] == world["hinge"].angle and rows["hinge", "angle"]["unit"] == "rad"
    assert rows["hinge", "effort"] == {"name": "hinge", "what": "effort", "unit": "N m", "value": efforts[-1],
                                       "largest": max(map(abs, efforts))}
    assert rows["return", "effort"]["value"] == world["return"].torque
    assert rows["mast", "position"]["value"] == world["mast"].position.tolist()
    assert rows["cart", "pressed"]["value"] == pytest.approx(presses[-1], rel=1e-2)  # friction aside
    assert rows["cart", "pressed"]["value"] == pytest.approx(42 * 9.81, rel=0.1)  # cart and mast, which still moves
    assert found["worst"]["penetration"] > 0.0 and found["worst"]["converged"] in (True, False)


def test_controls_are_checked(capsys, scene):
    assert call("run", scene, "--headless", "--set", "throtle=1") == 2
    assert "Did you mean 'throttle'?" in capsys.readouterr().err
    assert call("run", scene, "--headless", "--set", "throttle=3") == 2
    assert capsys.readouterr().err == "pliant: Control 'throttle' goes from -2 to 2; 3 is outside.\n"


def test_substeps_of_soft_things_are_counted(capsys):
    """Oracle: the report of the same step."""
    world = pl.World(load("jelly"))
    taken = world.step().substeps
    assert call("run", "jelly", "--headless", "--seconds", "1/60", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert taken == found["substeps"] == found["most_substeps"] == 2 and found["hash"] == world.hash()
    assert found["soft_substeps"] is None
    world = pl.World(load("tactile"))
    words = f"{world.substeps} substeps each, {world.soft_substeps} for cloth, solids and what they hang on"
    assert pace(world).endswith(words)
    assert world.soft_substeps < world.substeps


def test_a_run_that_diverges_gets_one_sentence_and_code_1(capsys, scene, monkeypatch):
    def diverge(*_, **__):
        raise pl.Diverged(0.25, "mast", "is nowhere")

    monkeypatch.setattr("pliant.world.World.run", diverge)
    assert call("run", scene, "--headless") == 1
    assert capsys.readouterr().err == "pliant: At t = 0.25 s 'mast' is nowhere.\n"


def test_substeps_may_be_given_and_the_message_about_a_long_step_names_them(capsys, scene):
    assert call("check", scene, "--substeps", "3") == 0
    assert ", 3 substeps of 5.56 ms" in capsys.readouterr().out
    assert call("run", scene, "--headless", "--dt", "2") == 2
    assert "or give substeps yourself" in capsys.readouterr().err
    assert call("run", scene, "--headless", "--dt", "2", "--substeps", "960", "--seconds", "2") == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("words", "code"), [("--help", 0), ("scenes", 0), ("check lost.yaml --json", 0),
                                             ("run lost.yaml --json", 2)])
def test_a_reader_that_goes_away_is_no_error(words, code, unbuffered):
    """What Python keeps back is written at the end, and fails there; what it does not keep back fails at once."""
    done = shell(f"{sys.executable} -m pliant {words} | true; exit ${{PIPESTATUS[0]}}", unbuffered)
    assert done.returncode in (code, 2 if "lost" in words else 0)  # the reader may have been quick enough, or not
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr and done.stderr.count("\n") <= 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_without_room_is_told_in_one_sentence(unbuffered):
    done = shell(f"{sys.executable} -m pliant scenes > /dev/full", unbuffered)
    assert done.returncode == 2 and done.stderr == ("pliant: The output cannot be used: No space left on device; check its "
                                                    "place, its permissions and the room there.\n")


def shell(words: str, unbuffered: str) -> subprocess.CompletedProcess:
    """A line as a shell runs it."""
    surroundings = {**os.environ, "COLUMNS": "80", "PYTHONUNBUFFERED": unbuffered}
    return subprocess.run(["bash", "-c", words], capture_output=True, text=True, env=surroundings)


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_file_that_may_not_be_read_is_named_with_the_remedy(capsys, monkeypatch, scene, words):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", scene)

    monkeypatch.setattr(Path, "read_text", refuse)
    assert call("check", scene, *words) == 2
    out, err = capsys.readouterr()
    assert f"{scene} cannot be read (Permission denied); check its permissions." in out + err


def test_warming_where_nothing_would_be_kept_is_refused_at_once(tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "taken").write_text("")
    done = subprocess.run([sys.executable, "-m", "pliant", "warm"], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "taken")})
    assert done.returncode == 2 and "so that nothing would be kept; make room there, or name another folder" in done.stderr
    assert "UserWarning" not in done.stderr and "compiling" not in done.stderr


def test_benchmarks_are_handed_their_words(capsys, monkeypatch, tmp_path):
    (tmp_path / "speed.py").write_text('"""How fast."""\n\ndef main(argv):\n    print(argv)\n    return 7\n')
    (tmp_path / "helper.py").write_text("PI = 3\n")
    monkeypatch.setattr(bench, "FOLDER", tmp_path)
    assert call("bench") == 0 and capsys.readouterr().out == "speed  How fast.\n"
    assert call("bench", "speed", "--peers", "--", "--quick", "3") == 7
    assert capsys.readouterr().out == "['--quick', '3', '--peers']\n"


def test_without_benchmarks_it_says_where_they_are(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(bench, "FOLDER", tmp_path / "none")
    assert call("bench", "bodies") == 2
    assert "run this in a clone of the repository" in capsys.readouterr().err
