"""Runs kept in files: snapshots that continue with the same bits."""
