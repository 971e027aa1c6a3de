"""Newton on the energy of paper D: the reference."""
