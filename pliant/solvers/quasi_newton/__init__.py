"""Paper D with a memory: L-BFGS on the constant factor of local/global."""
