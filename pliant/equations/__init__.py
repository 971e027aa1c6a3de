"""Pure functions, one file per equation."""
