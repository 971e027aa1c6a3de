"""Cloth and solids: strain, volume, bending, examples, and how their constraints are solved."""
