"""Ropes by projection (paper C): PBD as printed, and its compliant form XPBD, in velocities."""
