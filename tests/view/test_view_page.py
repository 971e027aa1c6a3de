"""The page in a real browser: it opens, shows something, and its buttons and sliders reach the world."""

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import sync_playwright
from test_view_viewer import diverging_at, until, viewers, world_of  # noqa: F401 - a fixture

import pliant as pl

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-quic"]
PATIENCE = 60_000
"""[ms]; software WebGL on a busy machine."""


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM.exists():
        if os.environ.get("PLIANT_CI"):
            pytest.fail(f"{CHROMIUM} is missing, and the build server must have it")
        pytest.skip(f"{CHROMIUM} is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 900, "height": 600})
    page.set_default_timeout(PATIENCE)
    page.errors, page.hosts = [], set()
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.hosts.add(request.url.split("/")[2]))
    yield page
    page.close()


def open_page(page, viewer) -> None:
    page.goto(viewer.address)
    page.get_by_text("× real time").wait_for()


def picture(page) -> np.ndarray:
    """The left half of the page (rows, columns, 3), where no panel covers the picture."""
    from PIL import Image

    image = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"), float)
    return image[200:, :500]


def test_the_page_shows_the_bodies_and_asks_nobody_else(page, viewers):  # noqa: F811
    """Oracle: an orange body on grey ground has orange pixels, which no sky, ground or shadow has; and addresses."""
    world = world_of(pl.Body("ball", pl.Sphere(0.4), position=(0.9, 0.0, 0.4), color=(0.9, 0.4, 0.1)))
    viewer = viewers(world)
    open_page(page, viewer)

    def orange() -> int:
        red, _, blue = np.moveaxis(picture(page), -1, 0)
        return int((red - blue > 80.0).sum())

    until(lambda: orange() > 2000, seconds=60.0)
    assert picture(page).std() > 10.0
    assert page.hosts == {viewer.address.removeprefix("http://")} and page.errors == []


def test_a_body_that_moves_changes_the_picture(page, viewers):  # noqa: F811
    """Oracle: pictures of a paused world are alike, after more steps they differ."""
    world = world_of()
    viewer = viewers(world)
    open_page(page, viewer)
    viewer.pause()
    until(lambda: not viewer.playing)

    def steady() -> np.ndarray:
        shots = [picture(page), picture(page)]
        until(lambda: (shots.append(picture(page)), np.abs(shots[-1] - shots[-2]).max() == 0.0)[1], seconds=60.0)
        return shots[-1]

    before = steady()
    assert before.std() > 5.0
    time_before = world.time
    for _ in range(30):
        viewer.step_once()
    until(lambda: world.time > time_before + 29.5 * world.dt)
    until(lambda: (np.abs(picture(page) - before).max(axis=-1) > 30.0).sum() > 200, seconds=60.0)


def test_buttons_pause_step_reset_and_play(page, viewers):  # noqa: F811
    """Oracle: the world's own time."""
    world = world_of()
    viewer = viewers(world)
    open_page(page, viewer)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for()
    assert not viewer.playing
    held = world.time
    page.get_by_text("paused").wait_for()
    assert world.time == held
    page.get_by_role("button", name="Step").click()
    until(lambda: world.time > held)
    assert world.time == pytest.approx(held + world.dt, rel=1e-12)
    page.get_by_role("button", name="Reset").click()
    until(lambda: world.time == 0.0)
    page.get_by_text("0.00 s").first.wait_for()
    page.get_by_role("button", name="Play").click()
    until(lambda: world.time > 0.0)


def test_a_slider_moves_its_control_and_centre_brings_it_back(page, viewers):  # noqa: F811
    """Oracle: the control's value in the world, and the number shown beside the slider."""
    world = world_of()
    viewer = viewers(world)
    open_page(page, viewer)
    page.get_by_text("rate [rad/s]").wait_for()
    slider = page.get_by_role("slider").last
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
    until(lambda: world.control["rate"] > 1.0)
    until(lambda: abs(world.control["rate"] - 1.1) < 1e-9)  # five steps of a 200th of the range
    page.get_by_role("button", name="Centre controls").click()
    until(lambda: world.control["rate"] == 1.0)
    page.wait_for_function("() => [...document.querySelectorAll('input')].some(i => i.value == '1')")
    viewer.order(lambda w: w.control.__setitem__("rate", -1.5))
    page.wait_for_function("() => [...document.querySelectorAll('input')].some(i => i.value == '-1.5')")


def test_keys_turn_controls_and_pause(page, viewers):  # noqa: F811
    """Oracle: a key moves its control by a tenth of its range; space pauses."""
    world = world_of()
    viewer = viewers(world)
    open_page(page, viewer)
    page.keyboard.press("a")
    until(lambda: abs(world.control["rate"] - 0.6) < 1e-9)
    page.keyboard.press("d")
    page.keyboard.press("d")
    until(lambda: abs(world.control["rate"] - 1.4) < 1e-9)
    page.keyboard.press("Space")
    until(lambda: not viewer.playing)


def test_a_divergence_is_shown(page, viewers):  # noqa: F811
    """Oracle: the error's own sentence, on the page, and the play button."""
    viewer = viewers(diverging_at(0.3))
    page.goto(viewer.address)
    page.get_by_text("'box' left the space of numbers").wait_for()
    page.get_by_role("button", name="Play").wait_for()


PROGRAM = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background of a shell would ignore it
sys.path.insert(0, sys.argv[1])
from test_view_viewer import world_of
from pliant.view import view
view(world_of(), open=False, port=18480)
print("ended", flush=True)
"""


def test_ctrl_c_ends_cleanly_and_soon(page):
    """Oracle: the clock, the exit code, and the line after the call; a page is open meanwhile."""
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, str(Path(__file__).parent)], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = program.stdout.readline()
        while "Watch at" not in line:
            assert line, program.stderr.read()
            line = program.stdout.readline()
        page.goto(line.split()[2])
        page.get_by_text("× real time").wait_for()
        start = time.perf_counter()
        program.send_signal(signal.SIGINT)
        while line and line != "ended\n":
            line = program.stdout.readline()
        took = time.perf_counter() - start
        error = program.communicate(timeout=30)[1]
    finally:
        program.kill()
    assert (program.returncode, line, error) == (0, "ended\n", "")
    assert took < 3.0  # a second, and what a busy machine may add; to wait for the page would take ten
