"""Islands with cloth and solids: their substeps, and the rows between these and what carries or touches them."""
