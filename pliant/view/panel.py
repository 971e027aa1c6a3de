"""The panel beside the picture: play, pause, step, reset, speed, the scene's controls, figures and messages."""

from html import escape
from operator import methodcaller
from string import ascii_uppercase, digits
from typing import Any, cast
from weakref import ref

import viser

from ..scene.control import Control
from .follow import Follow
from .pressed_faces import scale_html

KEYS = frozenset((*ascii_uppercase, *digits, "space", "enter", "home", "end", "pageup", "pagedown",
                  "arrowup", "arrowdown", "arrowleft", "arrowright"))
"""Keys that the page can listen to."""
KEY_NAMES = {"up": "arrowup", "down": "arrowdown", "left": "arrowleft", "right": "arrowright", " ": "space"}
NUDGE = 0.1
"""Part of its range by which a key moves a control."""
TABLE = "width:calc(100% - 1.6em);margin:0.3em 0.8em 0.5em;font-size:0.82em;border-collapse:collapse"
MESSAGES = 6
"""Warnings and events shown at most, the newest last."""


class Panel:
    """Buttons and sliders put orders into the viewer's queue; figures are written here by the physics thread.

    The page's server keeps what answers its buttons until it has said goodbye to all pages, which may be after the program
    has ended: the viewer, and by it the world, is therefore held weakly.
    """

    def __init__(self, server: viser.ViserServer, viewer, controls: list[Control], follow: Follow, speed: float,
                 joints: bool, pressures: bool) -> None:
        self._gui, self._viewer = server.gui, ref(viewer)
        self._sliders: dict[str, Any] = {}
        self._shown: dict[str, float] = {}
        self._controls = {control.name: control for control in controls}
        self._messages: list[str] = []
        self._trouble = self._gui.add_html("", visible=False)
        self._figures = self._gui.add_html(figures_html({}))
        self._speed: Any = None
        self._follow: Any = None
        self._joints: Any = None
        self._pressures: Any = None
        self._add_running(speed)
        if controls:
            self._add_controls(controls)
        self._add_showing(follow, joints, pressures)
        self._notes = self._gui.add_html("", visible=False)
        self._add_keys(controls)

    def _add_running(self, speed: float) -> None:
        gui = self._gui
        self._play = gui.add_button("Pause", icon=viser.Icon.PLAYER_PAUSE, hint="space")
        self._step = gui.add_button("Step", icon=viser.Icon.PLAYER_TRACK_NEXT, hint="when paused (N)", disabled=True)
        reset = gui.add_button("Reset", icon=viser.Icon.REFRESH, color="gray", hint="back to the start (R)")
        self._speed = gui.add_slider("Speed", min=0.01, max=1.0, step=0.01, initial_value=max(speed, 0.01),
                                     hint="simulated seconds for a second of yours; 1 is real time")
        self._on(self._play.on_click, methodcaller("toggle"))
        self._on(self._step.on_click, methodcaller("step_once"))
        self._on(reset.on_click, methodcaller("reset"))
        self._on(self._speed.on_update, lambda viewer: viewer.set_speed(self._speed.value))

    def _add_controls(self, controls: list[Control]) -> None:
        with self._gui.add_folder("Controls"):
            for control in controls:
                unit = f" [{control.unit}]" if control.unit else ""
                keys = f" · {' '.join(control.keys)}" if control.keys else ""
                slider = self._gui.add_slider(
                    f"{control.name}{unit}{keys}", min=control.low, max=control.high,
                    step=(control.high - control.low) / 200.0, initial_value=control.value,
                    hint=f"{control.low:g} to {control.high:g}{unit}{keys and '; keys down and up' + keys}")
                self._sliders[control.name] = slider
                self._shown[control.name] = control.value
                self._on(slider.on_update,
                         lambda viewer, name=control.name, slider=slider: self._set(viewer, name, slider.value))
            centre = self._gui.add_button("Centre controls", icon=viser.Icon.FOCUS_CENTERED, color="gray",
                                          hint="all sliders back to where they began (C)")
            self._on(centre.on_click, self._centre)

    def _add_showing(self, follow: Follow, joints: bool, pressures: bool) -> None:
        with self._gui.add_folder("Show"):
            everything = self._gui.add_button("Show all", icon=viser.Icon.FOCUS_2, color="gray",
                                              hint="all that moves, where it is now (F)")
            self._on(everything.on_click, methodcaller("show_all"))
            if len(follow.choices) > 1:
                self._follow = self._gui.add_dropdown("Follow", follow.choices, initial_value=follow.on,
                                                      hint="keep it in the picture")
                self._on(self._follow.on_update, lambda viewer: viewer.follow_body(self._follow.value))
            if joints:
                self._joints = self._gui.add_checkbox("Joints", False, hint="pins along their axes, bodies see-through")
                self._on(self._joints.on_update, lambda viewer: viewer.show_joints(self._joints.value))
            if pressures:
                self._pressures = self._gui.add_checkbox("Pressures", False, hint="on cloth and solids, by colour")
                self._on(self._pressures.on_update, lambda viewer: viewer.show_pressures(self._pressures.value))
                self._scale = self._gui.add_html("", visible=False)

    def _add_keys(self, controls: list[Control]) -> None:
        keys: dict[str, tuple[str, Any]] = {}
        for control in controls:
            for key, sign in zip(control.keys, (-1.0, 1.0), strict=False):
                word = "down" if sign < 0.0 else "up"
                keys[hotkey(key)] = (f"{control.name} {word}", lambda viewer, c=control, s=sign: self._nudge(viewer, c, s))
        for key, label, order in (("space", "Play or pause", methodcaller("toggle")), ("N", "Step", methodcaller("step_once")),
                                  ("R", "Reset", methodcaller("reset")), ("C", "Centre all controls", self._centre),
                                  ("F", "Show all", methodcaller("show_all"))):
            keys.setdefault(key, (label, order))
        for key, (label, order) in keys.items():
            if key in KEYS:
                self._on(self._gui.add_command(label, hotkey=cast(Any, key)).on_trigger, order)
            else:
                self.note([f"The page has no key '{key}' for '{label}'; use the slider."])

    def _on(self, register, order) -> None:
        """Answer the page by order(viewer), in the order of its events; what the program itself assigns is no event of it."""
        async def answer(event) -> None:
            viewer = self._viewer()
            if viewer is not None and getattr(event, "client", None) is not None:
                order(viewer)

        register(answer)

    def _set(self, viewer, name: str, value: float) -> None:
        def order(world) -> None:
            world.control[name] = value
            self._shown[name] = float(world.control[name])

        viewer.order(order)

    def _nudge(self, viewer, control: Control, sign: float) -> None:
        def order(world) -> None:
            value = float(world.control[control.name]) + sign * NUDGE * (control.high - control.low)
            world.control[control.name] = min(max(value, control.low), control.high)

        viewer.order(order)

    def _centre(self, viewer) -> None:
        def order(world) -> None:
            for name, control in self._controls.items():
                world.control[name] = control.value

        viewer.order(order)

    def show_controls(self, world) -> None:
        """Move the sliders whose controls were changed by anything but themselves."""
        for name, slider in self._sliders.items():
            value = float(world.control[name])
            if value != self._shown[name]:
                self._shown[name] = slider.value = value

    def show_speed(self, speed: float) -> None:
        """Move the slider of the speed."""
        if self._speed.value != speed:
            self._speed.value = speed

    def show_follow(self, name: str) -> None:
        """Show what is followed; a link of a robot joins the names to choose from."""
        if self._follow is not None and self._follow.value != name:
            if name not in self._follow.options:
                self._follow.options = (*self._follow.options, name)
            self._follow.value = name

    def show_joints(self, on: bool) -> None:
        """Tick the box of the joints."""
        if self._joints is not None and self._joints.value != on:
            self._joints.value = on

    def show_pressures(self, on: bool, top: float) -> None:
        """Tick the box of the pressures, and show the scale up to `top` [Pa]."""
        if self._pressures is not None:
            if self._pressures.value != on:
                self._pressures.value = on
            self._scale.visible, self._scale.content = on, scale_html(top)

    def show_playing(self, playing: bool) -> None:
        """Turn the play button."""
        self._play.label = "Pause" if playing else "Play"
        self._play.icon = viser.Icon.PLAYER_PAUSE if playing else viser.Icon.PLAYER_PLAY
        self._step.disabled = playing

    def show_figures(self, figures: dict[str, str]) -> None:
        """Write the table of figures."""
        self._figures.content = figures_html(figures)

    def show_trouble(self, text: str) -> None:
        """Say why the world was stopped; an empty text takes it away."""
        self._trouble.content = message_html(text, "#b3261e", "#fdecea") if text else ""
        self._trouble.visible = bool(text)

    def forget(self, texts) -> None:
        """Show these alone: the world is at its start again."""
        self._messages.clear()
        self._notes.visible = False
        self.note(texts)

    def note(self, texts) -> None:
        """Show warnings and events, each once, the newest last."""
        texts = [str(text) for text in texts]
        if not texts or (len(texts) == 1 and self._messages and texts[0] == self._messages[-1]):
            return
        for text in texts:
            if text in self._messages:
                self._messages.remove(text)
            self._messages.append(text)
        del self._messages[:-MESSAGES]
        self._notes.content = "".join(message_html(text, "#7a5200", "#fff6e0") for text in self._messages)
        self._notes.visible = True


def hotkey(key: str) -> str:
    """The page's name of a key: "w" is "W", "up" is "arrowup"."""
    key = KEY_NAMES.get(key.lower(), key)
    return key.upper() if len(key) == 1 else key.lower()


def figures_html(figures: dict[str, str]) -> str:
    """A table of two columns."""
    rows = "".join(f"<tr><td style='color:#68737d;padding:1px 0'>{escape(name)}</td>"
                   f"<td style='text-align:right;font-variant-numeric:tabular-nums'>{escape(value)}</td></tr>"
                   for name, value in figures.items())
    return f"<table class='figures' style='{TABLE}'>{rows}</table>"


def message_html(text: str, ink: str, paper: str) -> str:
    """A coloured box with a sentence."""
    return (f"<div style='color:{ink};background:{paper};border-left:3px solid {ink};border-radius:3px;font-size:0.8em;"
            f"padding:0.4em 0.6em;margin:0.25em 0.6em'>{escape(text)}</div>")
