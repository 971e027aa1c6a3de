"""What the solvers read and write: flat arrays, no names, no objects."""
