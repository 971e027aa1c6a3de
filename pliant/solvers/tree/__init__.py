"""Trees of joints solved at once, leaves to root, in time proportional to their number."""
