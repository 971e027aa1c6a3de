"""Signals that end a command: Ctrl-C is heard also in the background, and SIGTERM ends as gently."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class Terminated(KeyboardInterrupt):
    """SIGTERM has come: what a Ctrl-C ends, it ends."""


_came: list[type[KeyboardInterrupt]] = []


@contextmanager
def heard() -> Iterator[None]:
    """While a command runs both signals raise; afterwards they do what they did.

    A shell starts what it puts in the background with SIGINT ignored, and Python then leaves it so: neither `kill -INT`
    nor a Ctrl-C after `fg` would end a live view.
    """
    _came.clear()
    if threading.current_thread() is not threading.main_thread():  # only there may signals be taken
        yield
        return
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler if handler is not None else signal.SIG_DFL)


@contextmanager
def held_back() -> Iterator[None]:
    """What of both signals comes meanwhile does what it does afterwards.

    Libraries try imports that may fail, and some catch whatever is raised there: a Ctrl-C among them would be lost.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {one: signal.signal(one, lambda number, frame: came.append(number)) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler if handler is not None else signal.SIG_DFL)
    if came:
        signal.raise_signal(came[0])


def hear() -> None:
    """Raise again what has come: in what libraries call back while they are loaded, an exception is printed and forgotten."""
    if _came:
        raise _came[0]


def _interrupt(number: int, frame) -> NoReturn:
    _came.append(KeyboardInterrupt)
    raise KeyboardInterrupt


def _terminate(number: int, frame) -> NoReturn:
    _came.append(Terminated)
    raise Terminated
