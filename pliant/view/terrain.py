"""Height fields: one shaded mesh with the ground's grid printed on it, so that slopes and speed can be read."""

import numpy as np
import trimesh
from PIL import Image

from ..scene.body import Body
from .geometry import shape_mesh
from .palette import screen_bytes, tinted
from .picture import Stage

PIXELS = 128
"""Of a cell of the printed grid."""


class Terrain:
    """The height field of one body; sent once, and again only if the body is moved."""

    def __init__(self, stage: Stage, body: Body, color) -> None:
        mesh = shape_mesh(body.shape)
        mesh.vertex_normals  # noqa: B018 - computed here, it travels with the mesh and shades it smoothly
        tile = Image.fromarray(cell_image(color))
        material = trimesh.visual.material.PBRMaterial(baseColorTexture=tile, metallicFactor=0.0, roughnessFactor=0.95)
        mesh.visual = trimesh.visual.TextureVisuals(uv=mesh.vertices[:, :2] / stage.cell, material=material)
        self._row = stage.index[body.name]
        # A batch of one: poses of batches reach the picture together, those of single nodes may come earlier or later.
        self._handle = stage.scene.add_batched_meshes_trimesh(
            stage.path("terrain", body.name), mesh, np.array([body.quaternion]), np.array([body.position]), lod="off",
            cast_shadow=False)  # gentle slopes would speckle themselves

    def update(self, positions: np.ndarray, quaternions: np.ndarray) -> None:
        """Follow the body."""
        self._handle.batched_positions = positions[self._row : self._row + 1].astype(np.float32)
        self._handle.batched_wxyzs = quaternions[self._row : self._row + 1].astype(np.float32)


def cell_image(color, pixels: int = PIXELS, line: int = 2) -> np.ndarray:
    """A tile (pixels, pixels, 3) of bytes: the colour with darker lines along the edges, that repeats without seams."""
    tile = np.full((pixels, pixels, 3), screen_bytes(color), np.uint8)
    for edge in (slice(0, line // 2), slice(-(line // 2), None)):
        tile[edge], tile[:, edge] = screen_bytes(tinted(color, 0.78)), screen_bytes(tinted(color, 0.78))
    return tile
