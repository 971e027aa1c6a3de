"""Rows and blocks."""
