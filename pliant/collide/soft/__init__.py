"""Collision detection for cloth and solids: against bodies, against each other, against themselves."""
