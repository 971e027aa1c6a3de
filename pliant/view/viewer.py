"""The live view: a thread that steps the world by the clock, draws it, and takes the page's orders from a queue."""

import queue
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from math import inf

import numpy as np
import viser

from ..report import Gathered, Report
from ..scene.control import Control
from ..scene.errors import Diverged, SceneError, number, shown
from ..scene.joint import Joint
from ..scene.soft import Soft
from . import (  # noqa: F401 - each registers its own
    body_picture,
    ground_picture,
    joint_picture,
    rope_picture,
    soft_picture,
    spring_picture,
    strut_picture,
)
from .browser import free_port, quiet
from .figures import Figures
from .follow import Follow
from .keep_in_view import KeepInView
from .pace import Pace
from .panel import Panel
from .picture import Stage, pictures_of
from .scenery import set_scenery
from .title import titled

FRAME = 1.0 / 60.0
"""[s]; pictures are not sent more often than this."""
FIGURES = 0.25
"""[s]; figures change this often, so that they can be read."""


class Viewer:
    """A world shown in the browser; `.address` is the page, `.stop()` ends it and gives the world back.

    With `seconds` the last step is the first that reaches this time [s]; the world is then given back by itself. `title` is
    that of the page; what the scene says about itself if not given. `speed` and `follow` are as of `view`.
    """

    busy: float
    """Time in the steps so far [s]; the rest was waiting for the clock, and drawing."""

    def __init__(self, world, host: str = "127.0.0.1", port: int = 8080, seconds: float | None = None,
                 title: str = "", speed: float = 1.0, follow=None) -> None:
        if not hasattr(world, "body_poses"):
            raise SceneError(f"view: world is {shown(world)}; give a World, as pl.World(scene) makes it.")
        if getattr(world, "_driver", None) is not None:
            raise RuntimeError("This world is already shown by a viewer; stop that one first.")
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
            raise SceneError(f"The view cannot be served on port {shown(port)}; ports go from 0 (any) to 65535.")
        self._pace, self._figures = Pace(number(self, "speed", speed, above=0.0, most=1.0)), Figures()
        self._follow = Follow(world)
        if follow is not None:
            self._follow.turn(follow)
        try:
            chosen = free_port(host, port)
        except ValueError as error:
            raise SceneError(str(error)) from None
        if chosen != port != 0:
            print(f"Port {port} is in use; taking {chosen}.", flush=True)
        self.world = world
        # Time is a sum of steps: a last one that is off by rounding counts as there.
        self._end = inf if seconds is None else seconds - 1e-6 * world.dt
        with quiet(), titled(title or world.scene.about or "pliant"):
            self._server = viser.ViserServer(host=host, port=chosen, label="pliant", verbose=False)
        shown_host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
        self.address = f"http://{shown_host}:{self._server.get_port()}"
        self._orders: queue.SimpleQueue[Callable] = queue.SimpleQueue()
        self._ending, self._ready, self._playing = threading.Event(), threading.Event(), True
        # Python takes a thread for ended while it runs if a Ctrl-C comes into its join(): an event says when it has.
        self._ended = threading.Event()
        self._gathered, self.busy = Gathered(world.warnings), 0.0
        self._set_stage()
        self._thread = threading.Thread(target=self._drive, name="pliant-physics", daemon=True)
        self._thread.start()
        self._ready.wait()

    def _set_stage(self) -> None:
        world, server = self.world, self._server
        set_scenery(server, "pliant")
        self._keep = KeepInView(server, world)
        self._stage = Stage(server, world, distance=self._keep.distance)
        self._pictures = pictures_of(self._stage)
        controls = [thing for thing in world.scene.flat() if isinstance(thing, Control)]
        joints = any(isinstance(thing, Joint) for thing in world.scene.flat())
        self._panel = Panel(server, self, controls, self._follow, self._pace.speed, joints,
                            any(isinstance(thing, Soft) and thing.collide for thing in world.scene.flat()))  # type: ignore
        self._doubts = [*world.warnings, *(text for one in self._pictures for text in getattr(one, "doubts", ()))]
        self._panel.note(self._doubts)
        self._drawn = time.perf_counter()
        self._told, self._shows_pressures = 0.0, False
        self._through: set[str] = set()
        self._draw()

    @property
    def playing(self) -> bool:
        """Whether the world is being stepped."""
        return self._playing

    def play(self) -> None:
        """Go on."""
        self.order(lambda world: self._set_playing(True))

    def pause(self) -> None:
        """Hold the world where it is."""
        self.order(lambda world: self._set_playing(False))

    @property
    def given(self) -> float:
        """Simulated time [s] that the clock had room for: pauses do not count, nor what slow motion leaves out."""
        return self._pace.given

    @property
    def report(self) -> Report | None:
        """All steps so far in one report, with each warning once; None before the first."""
        return self._gathered.report()

    def toggle(self) -> None:
        """Play if paused, pause if playing."""
        self.order(lambda world: self._set_playing(not self._playing))

    def step_once(self) -> None:
        """Take one step, if paused."""
        self.order(self._step_once)

    def reset(self) -> None:
        """Put the world back to its start; it plays on if it was playing."""
        self.order(self._reset)

    def set_speed(self, speed: float) -> None:
        """Simulated seconds for a second of wall time [-], above 0 and at most 1."""
        given = number(self, "speed", speed, above=0.0, most=1.0)
        self.order(lambda world: self._set_speed(given))

    def follow_body(self, what) -> None:
        """Keep a body or a robot in the picture, by name or itself; True: the first robot, or the first body that moves;
        False: none."""
        name = self._follow.named(what)

        def order(world) -> None:
            self._follow.turn(name)
            place = self._follow.place(self._poses()[0])
            if place is not None:
                self._keep.turn_to(place + self._stage.offset)
            self._panel.show_follow(name)

        self.order(order)

    def show_all(self) -> None:
        """Move the camera so that all that moves is in the picture, where it is now."""
        self.order(lambda world: self._keep.show_all(self._poses(), self._stage.offset))

    def show_joints(self, on: bool) -> None:
        """Show the joints' axes through the bodies."""
        def order(world) -> None:
            self._tell("show", on)
            self._see_through("joints", on)
            self._panel.show_joints(on)

        self.order(order)

    def show_pressures(self, on: bool) -> None:
        """Colour what presses cloth and solids by how hard, seen through all that hides it."""
        def order(world) -> None:
            self._tell("show_pressures", on)
            self._see_through("pressures", on)
            self._shows_pressures = on
            self._panel.show_pressures(on, 0.0)

        self.order(order)

    def _tell(self, verb: str, on: bool) -> None:
        """To all pictures that know this verb."""
        for picture in self._pictures:
            getattr(picture, verb, lambda on: None)(on)

    def _see_through(self, what: str, on: bool) -> None:
        """Fade the bodies as long as something is to be seen through them."""
        (self._through.add if on else self._through.discard)(what)
        self._tell("see_through", bool(self._through))

    def order(self, what: Callable) -> None:
        """Have `what(world)` called by the thread that steps the world, between two steps."""
        self._orders.put(what)

    def wait(self) -> None:
        """Return when the viewer is stopped or its seconds have passed, or stop it on Ctrl-C."""
        try:
            while not self._ended.wait(0.2):
                pass
        except KeyboardInterrupt:
            print(flush=True)
        finally:
            self.stop()

    def stop(self) -> None:
        """End the view and give the world back, after the step in hand, to whoever steps it next; safe to call twice."""
        if self._ending.is_set() and self._ended.is_set():
            return
        self._ending.set()
        # A frame that is being drawn on a busy machine may outlive the page's server; nobody needs to hear of it.
        warnings.filterwarnings("ignore", message="Queued a .* on a closed connection")
        self.order(lambda world: None)  # wakes the thread
        if threading.current_thread() is not self._thread:
            self._ended.wait()
        # The page's server may take seconds to say goodbye to a page that does not answer; nobody should wait for that.
        closing = threading.Thread(target=_close, args=(self._server, self._ended), name="pliant-closing", daemon=True)
        closing.start()
        closing.join(0.3)

    def __enter__(self) -> "Viewer":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def _drive(self) -> None:
        """The loop of the physics thread."""
        world = self.world
        world._driver = threading.get_ident()
        self._ready.set()
        self._pace.start(time.perf_counter(), world.time)
        try:
            while not self._ending.is_set() and world.time < self._end:
                pause = self._pace.wait(time.perf_counter(), world.time, world.dt) if self._playing else FRAME
                if pause > 0.0:
                    self._take_orders(pause)
                else:
                    self._take_orders(0.0)
                    if self._playing:
                        self._step()
                if time.perf_counter() - self._drawn >= FRAME:
                    self._draw()
        finally:
            world._driver = None
            self._ended.set()

    def _take_orders(self, seconds: float) -> None:
        """Do what the page asked for; wait up to `seconds` for a first order."""
        try:
            order = self._orders.get(timeout=seconds) if seconds > 0.0 else self._orders.get_nowait()
            while self.world.time < self._end:
                self._guard(order, self.world)
                order = self._orders.get_nowait()
        except queue.Empty:
            pass

    def _step_once(self, world) -> None:
        if not self._playing:
            self._pace.start(time.perf_counter(), world.time)
            self._step()

    def _step(self) -> None:
        start = time.perf_counter()
        report = self._guard(self.world.step)
        now = time.perf_counter()
        self._pace.stepped(now, self.world.time)
        self._figures.stepped(now - start)
        self.busy += now - start
        if report is not None:
            self._gathered.take(report)
            self._panel.note([*report.warnings, *report.events])

    def _guard(self, call: Callable, *arguments):
        """Call; what goes wrong pauses the world and is shown, and the last good picture stays."""
        try:
            return call(*arguments)
        except Exception as error:  # a user's callbacks may raise anything
            self._set_playing(False)
            self._panel.show_trouble(str(error) or type(error).__name__)
            if not isinstance(error, Diverged):
                traceback.print_exc()
            return None

    def _set_playing(self, playing: bool) -> None:
        self._playing = playing
        self._pace.start(time.perf_counter(), self.world.time)
        self._panel.show_playing(playing)
        self._told = 0.0
        if playing:
            self._panel.show_trouble("")

    def _set_speed(self, speed: float) -> None:
        self._pace.speed = min(max(float(speed), 0.01), 1.0)
        self._pace.start(time.perf_counter(), self.world.time)
        self._panel.show_speed(self._pace.speed)

    def _reset(self, world) -> None:
        world.reset()
        self._follow.reset()
        self._keep.jumped()
        self._panel.show_trouble("")
        self._panel.forget(self._doubts)
        self._pace.start(time.perf_counter(), world.time)
        self._told = 0.0

    def _poses(self) -> tuple[np.ndarray, np.ndarray]:
        positions, quaternions = self.world.body_poses()
        return np.asarray(positions), np.asarray(quaternions)

    def _draw(self) -> None:
        """Send one frame, all of it at once."""
        start = time.perf_counter()
        positions, quaternions = self._poses()
        with self._server.atomic():
            self._stage.offset = self._follow.offset(positions, start - self._drawn)
            for picture in self._pictures:
                picture.update(self.world, positions + self._stage.offset, quaternions)
            self._panel.show_controls(self.world)
        self._drawn = time.perf_counter()
        self._figures.drawn(self._drawn - start)
        if self._drawn - self._told >= FIGURES:
            self._told = self._drawn
            self._keep.look((positions, quaternions), self._stage.offset, self._drawn)
            self._panel.show_figures(self._figures.table(self.world, self._pace, self._playing))
            if self._shows_pressures:
                self._panel.show_pressures(True, max(getattr(picture, "top", 0.0) for picture in self._pictures))


def _close(server: viser.ViserServer, ended: threading.Event) -> None:
    """Stop the page's server; a frame that the physics thread is drawing still needs it."""
    ended.wait()
    with quiet():
        server.stop()
