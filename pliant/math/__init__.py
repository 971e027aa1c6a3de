"""Vectors, quaternions and matrices as tuples: no physics."""
