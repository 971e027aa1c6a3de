"""Scene to Model: one small function per element, chosen by type."""
