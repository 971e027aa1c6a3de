"""Paper D: local/global (projective) implicit Euler on one constant factor."""
