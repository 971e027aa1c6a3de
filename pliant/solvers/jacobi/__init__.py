"""Paper D, Jacobi with inertia: every constraint for itself, then the mean."""
