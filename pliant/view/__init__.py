"""The live view in the browser."""
