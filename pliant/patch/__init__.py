"""Free-form patches as geometry: surfaces, measures, triangles to draw, rays, files."""
