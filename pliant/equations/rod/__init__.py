"""Equations of ropes: Cosserat rods as points, elements and links (papers A and C)."""
