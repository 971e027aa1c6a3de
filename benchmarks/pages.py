"""What the pages of results share: the machine in a sentence, and tables."""

import os
import platform
from datetime import date
from pathlib import Path


def processor() -> str:
    """Processor, cores, system and Python."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())
    return f"{model}, {os.cpu_count()} cores, {platform.system()}; Python {platform.python_version()}"


def compiled() -> str:
    """The same, with Numba and NumPy."""
    import numba
    import numpy

    return f"{processor()}, Numba {numba.__version__}, NumPy {numpy.__version__}"


def machine() -> str:
    """The same, with the day and the load."""
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    return f"{compiled()}. Measured on {date.today()}; load of the machine {load}."


def table(rows: list[dict]) -> str:
    """Rows of the same keys, as markdown."""
    head = list(rows[0])
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(row[key]) for key in head) + " |" for row in rows])
