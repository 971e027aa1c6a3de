"""The commands that run a world: run, view."""

import argparse
import gc
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from time import perf_counter

from ..scene.errors import SceneError, unknown_control
from ..scene.files.scene_file import load
from ..substeps import pace
from .readings import Readings
from .summary import as_json, as_lines, summarise
from .terminated import Terminated, hear, held_back

HEADLESS_SECONDS = 10.0


def command_run(options: argparse.Namespace) -> int:
    """Simulate a scene and print the summary; without --headless in the live view until Ctrl-C."""
    world = built(options)
    if options.headless or options.realtime:
        return run_headless(world, options)
    return run_live(world, options, options.seconds, options.json)


def command_view(options: argparse.Namespace) -> int:
    """The live view until Ctrl-C."""
    return run_live(built(options), options, None, False)


def built(options: argparse.Namespace):
    """The world of the scene asked for, its controls turned."""
    from ..world import World

    world = World(load(options.scene), dt=options.dt, substeps=options.substeps or "auto", threads=options.threads)
    for name, value in options.controls:
        turn(world, name, value)
    return world


def turn(world, name: str, value: float) -> None:
    """Set a control, or say which there are and how far they go."""
    names = list(world.control)
    if name not in names:
        raise unknown_control(world.scene, "the control to set", name, names)
    control = next((t for t in world.scene.flat() if t.name == name), None)
    low, high = getattr(control, "low", -math.inf), getattr(control, "high", math.inf)
    if not low <= value <= high:
        raise SceneError(f"Control '{name}' goes from {low:g} to {high:g}; {value:g} is outside.")
    world.control[name] = value


@contextmanager
def undisturbed() -> Iterator[None]:
    """Meanwhile what was made before is not looked through for garbage, which holds up a step by 0.1 s.

    It is again before the process ends: libraries in C complain of what is left of them then.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def run_headless(world, options: argparse.Namespace) -> int:
    """As fast as it goes, or by the clock; Ctrl-C ends early and still gives the summary."""
    seconds, readings, report = options.seconds or HEADLESS_SECONDS, Readings(world), None
    start, code = perf_counter(), 0
    try:
        hear()
        progress = sys.stderr.isatty() and not options.json
        with undisturbed():
            report = world.run(seconds, each=readings.begin, realtime=options.realtime, progress=progress)
    except KeyboardInterrupt as end:
        code = 143 if isinstance(end, Terminated) else 130
    wall = perf_counter() - start
    busy = readings.busy if options.realtime else None
    wall -= 0.0 if options.realtime else readings.seconds  # by the clock, looking takes time that was waited for anyway
    show(summarise(options.scene, world, wall, readings, report, seconds, code != 0, busy), options.json)
    return code


def run_live(world, options: argparse.Namespace, seconds: float | None, json: bool) -> int:
    """The viewer steps the world until Ctrl-C, or until `seconds` of simulated time have passed."""
    with held_back():
        from ..view.browser import open_page
        from ..view.viewer import Viewer

    start, readings = perf_counter(), Readings(world)
    # With --json nothing but the object may stand on the standard output.
    with redirect_stdout(sys.stderr) if json else nullcontext():
        viewer = Viewer(world, host=options.host, port=options.port, seconds=seconds, title=Path(options.scene).stem)
        how_long = "until Ctrl-C" if seconds is None else f"for {seconds:g} s"
        try:
            print(f"Watch at {viewer.address} ; '{options.scene}' runs {how_long}, in {pace(world)}", flush=True)
            if not options.no_open:
                open_page(viewer.address)
            hear()
            with undisturbed():
                viewer.wait()
        except KeyboardInterrupt:  # before it waited
            viewer.stop()
    short = seconds is not None and world.time < seconds - 0.5 * world.dt
    show(summarise(options.scene, world, perf_counter() - start, readings, viewer.report, seconds, short,
                   viewer.busy - readings.seconds, viewer.given), json)
    return 0


def show(summary: dict, json: bool) -> None:
    """Print the summary for people or for machines."""
    print(as_json(summary) if json else as_lines(summary))
