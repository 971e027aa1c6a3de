"""Lets every test import what this folder shares (energy.py, saved_worlds.py, seeds.py), and prints the seeds of sweeps."""

import seeds


def pytest_terminal_summary(terminalreporter) -> None:
    told = ", ".join(f"{name.lower()} {seed}" for name, seed in vars(seeds).items() if name.isupper())
    terminalreporter.write_line(f"seeds of the sweeps: {told}")
