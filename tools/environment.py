"""Makes the virtual environment that a make target needs, once: with uv where there is one, with pip otherwise.

    python tools/environment.py runtime | dev | peers

What was installed is written to a stamp inside the environment: a hash of the lock file and of pyproject.toml. The
same stamp means there is nothing to do.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"runtime": "requirements.txt", "dev": "requirements-dev.txt", "peers": "requirements-peers.txt"}
COVERS = {"runtime": ("runtime", "dev"), "dev": ("dev",), "peers": ("peers",)}
"""Which stamps satisfy which wish: the dev lock holds all of the runtime lock."""
PATIENCE = 5.0
"""Something is said at least so often [s]."""


def stamp_of(kind: str) -> str:
    """What an environment of this kind is made from."""
    digest = hashlib.sha1(sys.version.encode())
    for name in (LOCKS[kind], "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def is_ready(folder: Path, kind: str) -> bool:
    """Whether the environment holds what this kind needs, and its interpreter still starts."""
    for other in COVERS[kind]:
        stamp = folder / f"{other}.stamp"
        if stamp.is_file() and stamp.read_text() == stamp_of(other):
            return (folder / "bin" / "python").exists()
    return False


def say(text: str) -> None:
    """One line on stderr: what a target prints for machines stays clean."""
    print(text, file=sys.stderr, flush=True)


def call(what: str, *command: object) -> None:
    """Run a command, with a line now and then that says what for and how long; if it fails, say which and end."""
    words, start = [str(word) for word in command], time.monotonic()
    say(what)
    running = subprocess.Popen(words, cwd=ROOT)
    while True:
        try:
            failed = running.wait(PATIENCE)
            break
        except subprocess.TimeoutExpired:
            say(f"{what}: {time.monotonic() - start:.0f} s so far")
    if failed:
        sys.exit(f"This step failed: {' '.join(words)}")


def create(folder: Path) -> None:
    """An empty environment, unless a working one is there."""
    if (folder / "bin" / "python").exists():
        return
    if folder.exists():
        shutil.rmtree(folder)
    if shutil.which("uv"):
        call("making the environment", "uv", "venv", "--quiet", "--python", sys.executable, folder)
        return
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        sys.exit("This Python has no ensurepip; install it (Debian and Ubuntu: python3-venv), or install uv.")
    call("making the environment", sys.executable, "-m", "venv", folder)


def install(folder: Path, kind: str) -> None:
    """The locked versions, then the package itself, editable."""
    python = folder / "bin" / "python"
    if shutil.which("uv"):
        tool: list[object] = ["uv", "pip", "install", "--quiet", "--python", python]
    else:
        tool = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    count = sum("==" in line for line in (ROOT / LOCKS[kind]).read_text().splitlines())
    call(f"fetching and installing {count} packages", *tool, "-r", ROOT / LOCKS[kind])
    call("installing pliant itself", *tool, "--no-deps", "--no-build-isolation", "-e", ROOT)


def main(kind: str) -> int:
    """Make the environment of `kind`, or see that it is there."""
    if sys.version_info < (3, 11):  # noqa: UP036 (this file runs before the version is known to be right)
        sys.exit(f"pliant needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]} (PYTHON=… make …).")
    folder = ROOT / (".venv-peers" if kind == "peers" else ".venv")
    if is_ready(folder, kind):
        say(f"{folder.name} is set up")
        return 0
    say(f"setting up {folder.name} ({kind}), once, about a minute")
    # An environment variable that points elsewhere must not decide what is installed where.
    os.environ.pop("VIRTUAL_ENV", None)
    os.environ.pop("PYTHONPATH", None)
    create(folder)
    install(folder, kind)
    (folder / f"{kind}.stamp").write_text(stamp_of(kind))
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in LOCKS:
        sys.exit(f"usage: environment.py {' | '.join(LOCKS)}")
    sys.exit(main(sys.argv[1]))
