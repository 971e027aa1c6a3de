"""The nouns of a scene: they hold numbers and check them, and know nothing of solvers."""
