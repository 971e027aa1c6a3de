"""Springs: coils between the two ends, all of them instances of one mesh, scaled to their lengths."""

import numpy as np

from ..scene.spring import Spring
from .geometry import coil
from .palette import STEEL, linear_bytes
from .picture import Stage, picture_kind
from .turns import from_z

SLENDER = 0.09
"""Coil's radius over the spring's length at rest [-]."""
SMALLEST = 1e-4
"""[m]; a length that is still drawn."""


class SpringPicture:
    """All springs between bodies."""

    def __init__(self, stage: Stage, things: list[Spring]) -> None:
        self._stage = stage
        self._springs = [stage.world[spring.name] for spring in things]
        ends = self._ends()
        start = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        rest = np.array([s.rest_length if s.rest_length else length for s, length in zip(things, start, strict=True)])
        self._radius = SLENDER * np.maximum(rest, SMALLEST)
        mesh = coil(turns=9.0, wire=0.17, flat=SLENDER)
        positions, quaternions, scales = coil_poses(ends, self._radius)
        self._handle = stage.scene.add_batched_meshes_simple(
            stage.path("springs"), mesh.vertices, mesh.faces, quaternions, positions, batched_scales=scales,
            batched_colors=linear_bytes([STEEL] * len(things)), lod="off")

    def update(self, world, positions, quaternions) -> None:
        """Stretch every coil between its ends."""
        places, turns, scales = coil_poses(self._ends(), self._radius)
        self._handle.batched_positions = places.astype(np.float32)
        self._handle.batched_wxyzs = turns.astype(np.float32)
        self._handle.batched_scales = scales.astype(np.float32)

    def _ends(self) -> np.ndarray:
        return np.array([spring.ends for spring in self._springs], float).reshape(-1, 2, 3) + self._stage.offset


def coil_poses(ends: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions (n, 3), quaternions (n, 4) and scales (n, 3) that lay coils between ends (n, 2, 3) [m]."""
    span = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.linalg.norm(span, axis=1), SMALLEST)
    direction = span / length[:, None]
    direction[np.linalg.norm(direction, axis=1) < 0.5] = (0.0, 0.0, 1.0)
    return ends[:, 0], from_z(direction), np.stack([radius, radius, length], axis=-1)


@picture_kind.register
def _(thing: Spring) -> type[SpringPicture]:
    return SpringPicture
