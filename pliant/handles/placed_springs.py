"""What springs store where their bodies have been put, before a step looks."""

import numpy as np

from ..model.bodies import Motion
from ..model.springs import Springs, SpringState
from .rope import matrices


def stretch(springs: Springs, state: SpringState, motion: Motion) -> None:
    """Deflections as the bodies are placed now. Writes: state.deflection"""
    a, b = (motion.position[body] + np.einsum("nck,nk->nc", matrices(motion.quaternion[body]), anchor)
            for body, anchor in zip(springs.body.T, (springs.anchor_a, springs.anchor_b), strict=True))
    state.deflection[:] = np.linalg.norm(b - a, axis=1) - springs.rest_length
