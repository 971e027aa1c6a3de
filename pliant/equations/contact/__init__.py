"""Equations of contact and friction."""
