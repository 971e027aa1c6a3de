"""Joints that close loops: solved exactly together, as the trees that they join answer."""
