"""Readers and writers of scene files and URDF."""
