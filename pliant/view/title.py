"""The title of the page, which its server has no word for: it is put into the page as that is read from the package."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from viser import infra

LONGEST_TITLE = 60
"""Letters; browsers show fewer."""


class _Page:
    """The first page, with another title; as a Path to whom serves it."""

    def __init__(self, path: Path, title: str) -> None:
        self._path, self._title = path, title

    def is_file(self) -> bool:
        return self._path.is_file()

    def read_bytes(self) -> bytes:
        title = f"<title>{escape(self._title)}</title>".encode()
        return self._path.read_bytes().replace(b"<title>Viser</title>", title, 1)


class _Folder:
    """The folder that the page is served from."""

    def __init__(self, path: Path, title: str) -> None:
        self._path, self._page = path, _Page(path / "index.html", title)

    def __truediv__(self, name: str) -> Path | _Page:
        return self._page if name == "index.html" else self._path / name


@contextmanager
def titled(title: str) -> Iterator[None]:
    """A page's server that is made within has this title; beyond `LONGEST_TITLE` it is cut."""
    title = title if len(title) <= LONGEST_TITLE else f"{title[:LONGEST_TITLE - 1]}…"
    plain = infra.WebsockServer

    def make(**given):
        return plain(**{**given, "http_server_root": _Folder(given["http_server_root"], title)})

    infra.WebsockServer = make  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        infra.WebsockServer = plain  # type: ignore[misc]
