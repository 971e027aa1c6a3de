"""Lets every test import what this folder shares (energy.py, saved_worlds.py)."""
