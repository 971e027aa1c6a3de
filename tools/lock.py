"""Writes the lock files: every package that pyproject.toml asks for, however indirectly, at the version installed."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


def closure(wishes: list[str]) -> dict[str, str]:
    """Name and version of every installed distribution that the wishes need."""
    pins: dict[str, str] = {}
    queue = [Requirement(wish) for wish in wishes]
    seen = set()
    while queue:
        one = queue.pop()
        mark = (canonicalize_name(one.name), *sorted(one.extras))
        if mark in seen:
            continue
        seen.add(mark)
        found = distribution(one.name)
        pins[canonicalize_name(one.name)] = found.version
        for text in found.requires or []:
            need = Requirement(text)
            extras = one.extras or {""}
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras):
                queue.append(need)
    return pins


def write(name: str, title: str, pins: dict[str, str]) -> None:
    """One lock file."""
    lines = [f"# {title} Written by `make lock`."] + [f"{key}=={pins[key]}" for key in sorted(pins)]
    (ROOT / name).write_text("\n".join(lines) + "\n")
    print(f"{name}: {len(pins)} packages")


def main() -> int:
    """Write requirements.txt, requirements-dev.txt and, where .venv-peers is, requirements-peers.txt."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    build = [*project["build-system"]["requires"], "editables"]
    runtime = project["project"]["dependencies"]
    extras = project["project"]["optional-dependencies"]
    write("requirements.txt", "What pliant runs on, and what installs it, pinned.", closure(runtime + build))
    write(
        "requirements-dev.txt",
        "requirements.txt and what the tests need, pinned.",
        closure(runtime + build + extras["dev"]),
    )
    peers = ROOT / ".venv-peers" / "bin" / "python"
    if peers.exists() and Path(sys.prefix).name != ".venv-peers":
        text = subprocess.run(
            [peers, "-m", "pip", "freeze", "--exclude-editable"], capture_output=True, text=True, check=True
        ).stdout
        pins = dict(re.findall(r"^([\w.-]+)==(\S+)$", text, re.M))
        pins = {canonicalize_name(key): value for key, value in pins.items()}
        own = closure(runtime + build)
        write(
            "requirements-peers.txt",
            "requirements.txt and the engines that benchmarks compare with, pinned.",
            {**pins, **own},
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
