"""Free-form patches: base triangles with a relief of quadric perturbations."""
