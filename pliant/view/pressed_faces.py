"""Pressures on cloth and solids: the triangles that something presses, coloured by how hard, and their scale."""

import numpy as np

from .palette import PRESSURE, screen_bytes
from .picture import Stage, round_below

LIFTED = 2e-3
"""Of its size: how far the coloured triangles are drawn off a thing's own, so that they are not lost in these."""


class PressedFaces:
    """Those of one thing: a mesh for each colour."""

    def __init__(self, stage: Stage, thing) -> None:
        self._stage, self.name, self._levels = stage, thing.name, []
        self._lift = LIFTED * float(np.ptp(thing.rest, axis=0).max())
        for k, color in enumerate(PRESSURE):
            self._levels.append(stage.scene.add_mesh_simple(
                stage.path("pressure", thing.name, k), np.zeros((3, 3), np.float32), np.array([[0, 1, 2]]),
                color=screen_bytes(color), side="double", cast_shadow=False, visible=False))

    def show(self, world, pressure: np.ndarray, top: float) -> None:
        """Colour the triangles by their pressures [Pa] (m,), of which `top` takes the last colour."""
        thing = world[self.name]
        corner = thing.positions[thing.faces]
        normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        corner = corner + self._lift * (normal / np.linalg.norm(normal, axis=1, keepdims=True))[:, None] + self._stage.offset
        level = np.ceil(len(self._levels) * pressure / max(top, 1e-300)).astype(int) - 1  # -1: nothing presses
        for k, handle in enumerate(self._levels):
            mine = corner[np.minimum(level, len(self._levels) - 1) == k].reshape(-1, 3)
            if len(mine):
                handle.vertices, handle.faces = mine.astype(np.float32), np.arange(len(mine), dtype=np.uint32).reshape(-1, 3)
            handle.visible = len(mine) > 0

    def hide(self) -> None:
        """Show none."""
        for handle in self._levels:
            handle.visible = False


def rounded_up(value: float) -> float:
    """The least of …, 0.5, 1, 2, 5, 10, … that is not below a positive value."""
    below = round_below(value)
    return below if below >= value * (1.0 - 1e-9) else round_below(2.5 * below * (1.0 + 1e-6))


def scale_html(top: float) -> str:
    """The colours of pressures from 0 to `top` [Pa], with numbers."""
    if top <= 0.0:
        return "<div style='font-size:0.82em;margin:0.3em 0.8em;color:#68737d'>nothing presses cloth or solids yet</div>"
    cells = "".join(f"<td style='height:0.9em;background:rgb{screen_bytes(color)}'></td>" for color in PRESSURE)
    factor, unit = next((f, u) for f, u in ((1e6, "MPa"), (1e3, "kPa"), (1.0, "Pa")) if top >= f or f == 1.0)
    return (f"<div style='font-size:0.82em;margin:0.3em 0.8em'><table style='width:100%;border-collapse:collapse'><tr>{cells}"
            f"</tr></table><div style='display:flex;justify-content:space-between'><span>0</span>"
            f"<span>{top / factor:g} {unit}</span></div></div>")
