"""The live view in the browser: `pl.view(world)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .viewer import Viewer


def view(world, block: bool = True, port: int = 8080, host: str = "127.0.0.1", open: bool = True, speed: float = 1.0,
         follow=None) -> Viewer:
    """Show a world in the browser and step it there, in real time where the machine keeps up, never faster.

    `block=True` returns when Ctrl-C is pressed; `block=False` returns at once with the viewer (`.address`, `.stop()`),
    and `world.step()` elsewhere raises until it is stopped. A port in use is passed over for the next free one.
    `open` opens a browser where there is one. Give another `host` to let other machines in. `speed` [-], up to 1, is that of
    slow motion. `follow` is a body or a robot that stays in the picture, or its name, or False for none; None: the first robot.
    """
    from .viewer import Viewer

    viewer = Viewer(world, host=host, port=port, speed=speed, follow=follow)
    print(f"Watch at {viewer.address}" + (" (Ctrl-C ends)" if block else ""), flush=True)
    if open:
        from .browser import open_page

        open_page(viewer.address)
    if block:
        viewer.wait()
    return viewer
