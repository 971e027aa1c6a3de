"""Broad phase, one file per pair of shapes, persistence of contacts."""
