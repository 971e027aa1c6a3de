"""Where the page is served, and opening it in a browser if there is one."""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def free_port(host: str, port: int, tries: int = 200) -> int:
    """The first port from `port` on that nobody listens on; an error that names the host if it cannot be bound."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, OverflowError) as error:
        raise ValueError(f"The view cannot be served on host '{host}', port {port} ({error.args[-1]}); "
                         "leave the host away, or give an address of this machine.") from None
    refused: OSError | None = None
    for candidate in range(port, min(port + tries, 65536)):
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address[0], candidate, *address[2:]))
                return probe.getsockname()[1]
            except OSError as error:
                refused = error
    raise ValueError(f"The view cannot be served on host '{host}', ports {port} to {min(port + tries, 65536) - 1}: "
                     f"{refused}; leave the host away, or give an address of this machine.")


def open_page(address: str) -> bool:
    """Open the page in a graphical browser; says whether one was asked, never fails, never blocks."""
    if not has_display():
        return False
    threading.Thread(target=_open, args=(address,), name="pliant-browser", daemon=True).start()
    return True


def has_display(environment=os.environ) -> bool:
    """Whether there is a screen to open a browser on; never on a build server."""
    if environment.get("CI") or environment.get("PLIANT_CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    import webbrowser

    try:
        browser = webbrowser.get()
        # A plain GenericBrowser is one for terminals (w3m, lynx): it would take the user's terminal over.
        if type(browser) is not webbrowser.GenericBrowser:
            browser.open(address)
    except Exception:
        return  # a page that does not open by itself is no reason to stop


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the page's server from announcing itself; the viewer prints its own line."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
