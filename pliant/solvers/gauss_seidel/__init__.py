"""Paper D, position based dynamics: one constraint after another."""
