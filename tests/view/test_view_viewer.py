"""The viewer without a page: who may step, what a divergence leaves, ports, stopping, panel."""

import gzip
import os
import signal
import socket
import threading
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from spindle import scene_of, world_of

import pliant as pl
from pliant.view import view
from pliant.view.browser import free_port, has_display
from pliant.view.follow import NOTHING
from pliant.view.viewer import Viewer


def until(condition, seconds: float = 60.0) -> None:
    """Wait for a condition; fail if it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not come"
        time.sleep(0.005)


@pytest.fixture
def viewers():
    """Opens viewers on free ports and stops them."""
    opened = []

    def start(world, **options):
        opened.append(view(world, block=False, open=False, port=options.pop("port", 18080), **options))
        return opened[-1]

    yield start
    for viewer in opened:
        viewer.stop()


def test_the_viewer_steps_in_its_own_thread_and_gives_the_world_back(viewers):
    """Oracle: the identity of the thread that steps; the world refuses everybody else's."""
    world = world_of()
    callers = set()
    world.on_step(lambda world: callers.add(threading.get_ident()))
    viewer = viewers(world)
    assert world._driver not in (None, threading.get_ident())
    driver = world._driver
    with pytest.raises(RuntimeError, match="A viewer is stepping this world"):
        world.step()
    with pytest.raises(RuntimeError, match="already shown"):
        viewers(world)
    until(lambda: world.time > 0.1)
    viewer.stop()
    assert callers == {driver} and world._driver is None
    stopped = world.time
    time.sleep(0.1)
    assert world.time == stopped
    world.step()
    assert world.time > stopped
    viewer.stop()  # a second time does nothing


def test_ctrl_c_gives_the_world_back_after_the_step_in_hand(viewers):
    """Python takes a thread for ended where a Ctrl-C comes into its join(). Oracle: who drives the world, and that it rests."""
    world, inside = world_of(), threading.Event()

    def slow(world) -> None:
        inside.set()
        time.sleep(0.3)
        inside.clear()

    world.on_step(slow)
    viewer = viewers(world)
    interrupt = threading.Thread(target=lambda: (inside.wait(), time.sleep(0.1), os.kill(os.getpid(), signal.SIGINT)))
    interrupt.start()
    viewer.wait()
    interrupt.join()
    assert world._driver is None and not inside.is_set()
    world.step()


def test_time_follows_the_clock(viewers):
    """Oracle: the wall clock; never ahead of it by more than the step in hand."""
    world = world_of()
    viewers(world)
    until(lambda: world.time > 0.0)
    wall, start = time.perf_counter(), world.time
    until(lambda: world.time - start > 0.5)
    assert world.time - start <= time.perf_counter() - wall + world.dt


@pytest.mark.parametrize("seconds, steps", [(0.04, 3), (0.1, 6), (1e-3, 1)])
def test_a_view_of_some_seconds_ends_at_the_first_step_that_reaches_them(seconds, steps):
    """Oracle: the count of steps of 1/60 s; 6 of them sum to a little less than 0.1 s, which is rounding."""
    world = world_of()
    taken = []
    world.on_step(lambda world: taken.append(world.time))
    with Viewer(world, port=18080, seconds=seconds) as viewer:
        viewer.step_once()  # an order that comes late is no reason to go on
        viewer.wait()
        assert world._driver is None and len(taken) == steps
    world.step()


@pytest.mark.parametrize("port", [-1, 65536, 99999999, "abc", 80.5, None])
def test_a_port_that_is_none_is_refused_in_a_sentence(port):
    """Oracle: ports are the whole numbers of 16 bits."""
    with pytest.raises(pl.SceneError, match=r"cannot be served on port .*; ports go from 0"):
        view(world_of(), block=False, open=False, port=port)


def test_orders_wait_their_turn_in_the_physics_thread(viewers):
    """Oracle: pause holds time, a step adds exactly dt, reset gives time 0 and the controls' first values."""
    world = world_of()
    viewer = viewers(world)
    until(lambda: world.time > 0.0)
    viewer.pause()
    until(lambda: not viewer.playing)
    held = world.time
    viewer.step_once()
    until(lambda: world.time != held)
    assert world.time == pytest.approx(held + world.dt, rel=1e-12)
    viewer.order(lambda w: w.control.__setitem__("rate", -2.0))
    viewer.reset()
    until(lambda: world.time == 0.0)
    assert dict(world.control) == {"rate": 1.0}
    viewer.play()
    until(lambda: world.time > 0.0)


def diverging_at(time_limit: float) -> pl.World:
    """A world whose step says that it diverged, once past a time [s]."""
    world = world_of()

    def refuse(world) -> None:
        if world.time > time_limit:
            raise pl.Diverged(world.time, "box", "left the space of numbers")

    world.on_step(refuse)
    return world


def test_a_divergence_pauses_and_leaves_the_last_good_state(viewers):
    """Oracle: the world refuses the first step past 0.1 s."""
    world = diverging_at(0.1)
    viewer = viewers(world)
    until(lambda: not viewer.playing)
    assert 0.1 < world.time <= 0.1 + world.dt
    until(lambda: viewer._panel._trouble.visible)
    assert "left the space of numbers" in viewer._panel._trouble.content
    viewer.reset()
    until(lambda: world.time == 0.0 and not viewer._panel._trouble.visible)


def test_an_error_of_a_callback_pauses_and_is_printed(viewers, capfd):
    """Oracle: the text of the error in the panel, its trace on the terminal."""
    world = world_of()
    world.on_step(lambda world: [][0] if world.time > 0.05 else None)
    viewer = viewers(world)
    until(lambda: not viewer.playing and "list index" in viewer._panel._trouble.content)
    until(lambda: "IndexError: list index" in capfd.readouterr().err)


def test_a_port_in_use_is_passed_over_and_the_new_one_printed(viewers, capsys):
    """Oracle: the port we hold ourselves."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        viewer = viewers(world_of(), port=port)
        said = capsys.readouterr().out
    assert f"Port {port} is in use; taking {viewer.address.rpartition(':')[2]}." in said
    assert int(viewer.address.rpartition(":")[2]) > port


def test_only_this_machine_is_served(viewers):
    """Oracle: the kernel's table of listening sockets."""
    port = int(viewers(world_of()).address.rpartition(":")[2])
    table = Path("/proc/net/tcp")
    if not table.exists():
        pytest.skip("no /proc/net/tcp on this system")
    rows = [line.split() for line in table.read_text().splitlines()[1:]]
    listening = [row[1] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port]
    assert listening == [f"0100007F:{port:04X}"]
    assert f":{port:04X} " not in Path("/proc/net/tcp6").read_text()


def test_the_page_has_the_name_of_the_scene_for_its_title():
    """Also where it is asked for packed, and letters of HTML in it are letters."""
    with Viewer(world_of(), port=0, title="a<b") as viewer:
        request = urllib.request.Request(viewer.address, headers={"Accept-Encoding": "gzip"})
        packed = gzip.decompress(urllib.request.urlopen(request, timeout=20).read())
        plain = urllib.request.urlopen(viewer.address, timeout=20).read()
    assert packed == plain and b"<title>a&lt;b</title>" in plain and b"<title>Viser" not in plain


def test_a_host_that_is_not_here_is_refused_in_a_sentence():
    """Oracle: 192.0.2.0/24 is nobody's address (RFC 5737)."""
    with pytest.raises(ValueError, match=r"cannot be served on host '192\.0\.2\.1'"):
        free_port("192.0.2.1", 8080, tries=2)


def test_no_browser_is_opened_on_a_build_server_or_without_a_screen():
    """Oracle: the variables that say so."""
    assert not has_display({"CI": "true", "DISPLAY": ":0"})
    assert not has_display({"PLIANT_CI": "1", "DISPLAY": ":0"})


def test_the_panel_shows_what_the_program_set(viewers):
    """Oracle: the values given, at the start and while it runs; a name that is none is refused where it is given."""
    ball = pl.Body("ball", pl.Sphere(0.1), position=(2.0, 0.0, 0.1))
    world = world_of(ball)
    world.control["rate"] = 0.25
    viewer = viewers(world, speed=0.5, follow=ball)
    panel = viewer._panel
    assert (panel._speed.value, panel._follow.value, panel._sliders["rate"].value) == (0.5, "ball", 0.25)
    assert panel._follow.options == (NOTHING, "box", "ball")
    world.control["rate"] = -1.5
    viewer.set_speed(0.1)
    viewer.follow_body("box")
    viewer.show_joints(True)
    until(lambda: panel._speed.value == 0.1 and panel._follow.value == "box" and panel._joints.value
          and panel._sliders["rate"].value == -1.5)
    viewer.follow_body(False)
    until(lambda: panel._follow.value == NOTHING)
    assert viewer.playing
    with pytest.raises(pl.SceneError, match=r"follow is 'bal', which is no body of the scene\. Did you mean 'ball'"):
        viewer.follow_body("bal")
    for bad in (0.0, 1.5, "slow"):
        with pytest.raises(pl.SceneError, match="speed is"):
            view(world_of(), block=False, open=False, speed=bad)


def test_pressures_fade_the_bodies_and_bring_their_scale_until_neither_they_nor_joints_are_shown(viewers):
    """Oracle: opacities, and the panel's boxes; a scene without cloth and solids has no such box."""
    scene = scene_of()
    scene.add(pl.Solid("pad", pl.Box(0.2, 0.2, 0.1), spacing=0.1, material="jelly", position=(0.0, 3.0, 0.051)))
    viewer = viewers(pl.World(scene))
    panel, faded = viewer._panel, next(one for one in viewer._pictures if hasattr(one, "see_through"))._batches[0].handle
    assert viewers(world_of())._panel._pressures is None
    viewer.show_pressures(True)
    viewer.show_joints(True)
    until(lambda: panel._pressures.value and panel._scale.visible and "Pa" in panel._scale.content)
    viewer.show_joints(False)
    until(lambda: not panel._joints or not panel._joints.value)
    assert faded.opacity is not None
    viewer.show_pressures(False)
    until(lambda: not panel._scale.visible)
    assert faded.opacity is None and not panel._pressures.value


def test_a_thousand_bodies_are_drawn_in_a_frame(viewers):
    """Oracle: one batch for one shape, whose poses are the world's."""
    boxes = [pl.Body(f"b{i}", pl.Box(0.1, 0.1, 0.1), position=(0.2 * (i % 32), 0.2 * (i // 32), 1.0))
             for i in range(1000)]
    world = world_of(*boxes)
    viewer = viewers(world)
    viewer.pause()
    until(lambda: not viewer.playing)
    drawn = viewer._drawn
    until(lambda: viewer._drawn > drawn)
    batches = next(p for p in viewer._pictures if hasattr(p, "_batches"))._batches
    assert sorted(len(batch.rows) for batch in batches) == [1, 1000]
    big = max(batches, key=lambda batch: len(batch.rows))
    positions, quaternions = world.body_poses()
    np.testing.assert_array_equal(big.handle.batched_positions, positions[big.rows].astype(np.float32))
    np.testing.assert_array_equal(big.handle.batched_wxyzs, quaternions[big.rows].astype(np.float32))


def test_the_viewer_reports_all_steps_so_far(viewers):
    """Oracle: the world's own clock; a report has the time of the last step that it knows of."""
    world = world_of()
    viewer = viewers(world)
    until(lambda: world.time > 0.1)
    viewer.stop()
    assert viewer.report.time == world.time and viewer.report.warnings == ()
