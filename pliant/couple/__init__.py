"""Ports, islands, and the order of one step."""
