"""Equations of rigid bodies, joints and springs (paper B)."""
