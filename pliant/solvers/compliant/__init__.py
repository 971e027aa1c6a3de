"""Ropes by compliant projection (XPBD of paper C's cable): all strains at once, by Newton's method on a banded system."""
