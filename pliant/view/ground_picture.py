"""The ground: an endless plane with a grid of round metres, level or tilted, that takes shadows."""

import numpy as np

from ..scene.body import Ground
from .palette import GROUND, GROUND_LINE, GROUND_SECTION, screen_bytes
from .picture import Stage, picture_kind
from .turns import from_z


class GroundPicture:
    """All grounds of the scene."""

    def __init__(self, stage: Stage, things: list[Ground]) -> None:
        self._stage, self._grids = stage, []
        for ground in things:
            position, quaternion = ground_pose(ground)
            grid = stage.scene.add_grid(
                stage.path("ground", ground.name), infinite_grid=True, plane="xy",
                cell_size=stage.cell, cell_thickness=1.0, cell_color=screen_bytes(GROUND_LINE),
                section_size=10.0 * stage.cell, section_thickness=1.4, section_color=screen_bytes(GROUND_SECTION),
                plane_color=screen_bytes(GROUND), plane_opacity=1.0, shadow_opacity=0.42,
                fade_distance=120.0 * stage.cell, fade_strength=1.6, fade_from="camera",
                position=position, wxyz=quaternion)
            self._grids.append((grid, position))

    def update(self, world, positions, quaternions) -> None:
        """Go along when the picture follows a body."""
        for grid, position in self._grids:
            grid.position = position + self._stage.offset


def ground_pose(ground: Ground) -> tuple[np.ndarray, np.ndarray]:
    """A point of the plane (3,) [m] and the quaternion (4,) that turns z into its normal."""
    normal = np.array(ground.normal)
    level = abs(normal[2]) < 1e-9
    position = ground.height * normal if level else np.array([0.0, 0.0, ground.height])
    return position, from_z(normal)[0]


@picture_kind.register
def _(thing: Ground) -> type[GroundPicture]:
    return GroundPicture
