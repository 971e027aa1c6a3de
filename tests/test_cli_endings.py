"""How runs from the command line end: by themselves, by a signal, by Ctrl-C. Oracle: the summary and the exit code."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib.metadata import version

import pytest
from command_line import call, mast
from websockets.sync.client import connect

import pliant as pl
from pliant.cli import run
from pliant.cli.readings import Readings
from pliant.cli.summary import as_lines, counted, summarise
from pliant.view.viewer import Viewer


@pytest.fixture
def scene(tmp_path):
    return mast(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_view_in_the_background_ends_by_a_signal_with_its_summary(scene, number):
    """A shell starts background jobs with SIGINT ignored: `sh -c '… &'` does. Oracle: the summary, and that it ends."""
    words = f"{sys.executable} -m pliant view {scene} --no-open --port 8791 & echo $!; wait $!; echo ended $?"
    shell = subprocess.Popen(["sh", "-c", words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        job, said = int(shell.stdout.readline()), ""
        while "Watch at" not in said:
            said = shell.stdout.readline()
            assert said or shell.poll() is None, shell.stderr.read()
        os.kill(job, number)
        rest = shell.communicate(timeout=60)[0]
    finally:
        shell.kill()
    assert "ended 0" in rest and "simulated" in rest and "reading" in rest


@pytest.mark.parametrize("number,code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_the_view_is_imported_is_not_lost(scene, monkeypatch, number, code):
    """Libraries catch whatever their optional imports raise. Oracle: the exit code; the view would run for 0.1 s and give 0."""

    class Swallows:
        def find_spec(self, name, path=None, target=None):
            if name == "pliant.view.viewer":
                try:
                    os.kill(os.getpid(), number)
                    time.sleep(0.1)
                except BaseException:
                    pass

    monkeypatch.delitem(sys.modules, "pliant.view.viewer", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Swallows(), *sys.meta_path])
    assert call("run", scene, "--no-open", "--port", "8793", "--seconds", "0.1") == code


@pytest.mark.parametrize("how", [("--headless",), ("--no-open", "--port", "8795")])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_was_swallowed_while_the_world_was_built_ends_the_run(scene, monkeypatch, capsys, number, how):
    """What libraries call back forgets exceptions. Oracle: it ends before a step, where it would have run for a minute."""
    original = run.built

    def built(options):
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), number)
            time.sleep(0.1)
        return original(options)

    monkeypatch.setattr(run, "built", built)
    call("run", scene, *how, "--seconds", "60", "--json")
    assert json.loads(capsys.readouterr().out)["simulated_seconds"] < 5.0


def test_a_headless_run_that_is_terminated_gives_its_summary_and_code_143(capsys, scene, monkeypatch):
    original = pl.World.step
    before = signal.getsignal(signal.SIGTERM)

    def step(world):
        if world.time > 0.3:
            os.kill(os.getpid(), signal.SIGTERM)
        return original(world)

    monkeypatch.setattr(pl.World, "step", step)
    assert call("run", scene, "--headless", "--json") == 143
    assert json.loads(capsys.readouterr().out)["simulated_seconds"] > 0.3
    assert signal.getsignal(signal.SIGTERM) is before, "afterwards signals do what they did"


def test_ctrl_c_ends_a_headless_run_with_its_summary(capsys, scene, monkeypatch):
    original = pl.World.step
    monkeypatch.setattr(pl.World, "step", lambda world: _interrupt() if world.time > 0.3 else original(world))
    assert call("run", scene, "--headless", "--json") == 130
    found = json.loads(capsys.readouterr().out)
    assert 0.3 < found["simulated_seconds"] < 0.3 + 2 * found["dt"]
    assert found["interrupted"] is True and found["asked_seconds"] == 10.0
    assert call("run", scene, "--headless", "--seconds", "5") == 130
    assert "; interrupted, 5 s were asked for\n" in capsys.readouterr().out
    assert call("run", scene, "--headless", "--seconds", "0.2", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["interrupted"] is False and found["asked_seconds"] == 0.2


def _interrupt():
    raise KeyboardInterrupt


def test_a_live_run_of_some_seconds_ends_by_itself(scene):
    """In a process of its own, because it opens a port. Oracle: 0.49 s are reached by the 30th step of 1/60 s."""
    words = [sys.executable, "-m", "pliant", "run", scene, "--seconds", "0.49", "--no-open", "--json", "--port", "8765"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["steps"] == 30 and "http://127.0.0.1:" in done.stderr
    assert found["held_to_clock"] and 0.0 < found["step_seconds"] < found["wall_seconds"] and "drift" in found["worst"]


@pytest.mark.parametrize(("busy", "factor", "said"), [
    (0.5, 0.99, "held to the clock; its steps could run at 4.00 times real time"),
    (0.5, 0.8, "0.80 times real time; its steps alone at 4.00"), (4.0, 0.5, "0.50 times real time")])
def test_a_run_by_the_clock_says_how_fast_it_could_have_been(capsys, scene, busy, factor, said):
    """By hand: 120 steps of 1/60 s in 0.5 s of work are 4 times real time; in 4 s the clock was not what held it, nor where
    a fifth of the time is missing."""
    assert call("run", scene, "--realtime", "--seconds", "0.05", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["held_to_clock"] and 0.0 < found["step_seconds"] < found["wall_seconds"]
    found |= {"steps_in_all": 120, "simulated_in_all": 2.0, "step_seconds": busy, "real_time_factor": factor}
    assert f"speed       {said}\n" in as_lines(found)


def test_a_view_that_was_reset_and_paused_counts_what_it_did(scene):
    """Oracle: steps counted by hand, a paused second, and half a second at a tenth of the speed that is no slowness."""
    world = pl.World(pl.load(scene))
    readings, seen = Readings(world), []
    world.on_step(lambda world: seen.append(world.time))
    with Viewer(world, port=18090) as viewer:
        while len(seen) < 20:
            time.sleep(0.01)
        viewer.pause()
        viewer.step_once()
        viewer.reset()
        time.sleep(1.0)
        viewer.set_speed(0.1)
        viewer.play()
        time.sleep(0.5)
        viewer.stop()
        found = summarise(scene, world, 2.0, readings, viewer.report, busy=viewer.busy - readings.seconds, given=viewer.given)
    since = len(seen) - 1 - seen.index(max(seen))
    assert found["steps"] == since >= 1 and found["steps_in_all"] == len(seen) > 20
    assert found["simulated_seconds"] == world.time == pytest.approx(since * world.dt)
    assert found["simulated_in_all"] == pytest.approx(len(seen) * world.dt)
    assert found["real_time_factor"] > 0.6  # of the wall clock, which rested for most of the time, it is below a third
    assert f" in {counted(since, 'step')} of 16.67 ms" in as_lines(found)
    assert f"; since the last reset, and {len(seen) - since} steps before it" in as_lines(found)
    world.reset()
    assert summarise(scene, world, 2.0, readings)["steps"] == 0


@pytest.mark.parametrize("how", [("--headless",), ("--no-open", "--port", "8797")])
def test_a_run_of_cloth_ends_without_complaints_of_libraries(how):
    """In a process of its own, because they complain while it ends. Oracle: what Python itself does not say."""
    words = [sys.executable, "-m", "pliant", "run", "cloth", *how, "--seconds", "0.05", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and json.loads(done.stdout)["steps"] == 3, done.stderr
    assert "leaked" not in done.stderr and "nanobind" not in done.stderr, done.stderr


def test_a_view_ends_without_complaints_of_libraries_though_its_page_does_not_answer():
    """The page's server is then still there when the process ends, and must not keep the world. Oracle: as above."""
    words = [sys.executable, "-m", "pliant", "view", "cloth", "--no-open", "--port", "8799"]
    view = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = view.stdout.readline().split()[2]
        page = connect(address.replace("http", "ws"), subprotocols=[f"viser-v{version('viser')}"], max_size=None)
        page.recv()
        view.send_signal(signal.SIGINT)
        out, err = view.communicate(timeout=60)
    finally:
        view.kill()
        page.socket.close()
    assert view.returncode == 0 and "simulated" in out and err == ""
