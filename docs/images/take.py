"""Takes the pictures of this folder: runs a built-in scene in the live view and photographs the page.

.venv/bin/python docs/images/take.py tow throttle=0.45 steering=0.12

It needs playwright, which `make test` sets up with the rest of requirements-dev.txt, and a Chromium at /usr/bin/chromium
(`apt install chromium`); no screen and no graphics card.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from pliant import World
from pliant.scene.files.scene_file import load
from pliant.view import view

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-quic"]
SECONDS = 3.0
"""Simulated, before the picture is taken."""


def take(name: str, controls: dict[str, float], path: Path) -> None:
    """Photograph a built-in scene after a few seconds with these controls."""
    world = World(load(name))
    world.step()  # compiles what is not yet compiled
    world.reset()
    with view(world, block=False, open=False) as viewer, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 700})
        page.goto(viewer.address)
        page.get_by_text("× real time").wait_for()
        page.wait_for_timeout(8000)  # it fades in, slowly without a graphics card
        viewer.reset()
        viewer.order(lambda world: world.control.update(controls))
        while not SECONDS <= world.time < 2.0 * SECONDS:
            page.wait_for_timeout(100)
        # The browser's own notice that it has no graphics card.
        page.evaluate("document.querySelectorAll('.mantine-Notification-closeButton').forEach(b => b.click())")
        page.wait_for_timeout(500)
        page.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    take(sys.argv[1], {name: float(value) for name, value in (word.split("=") for word in sys.argv[2:])},
         Path(__file__).parent / f"{sys.argv[1]}.png")
