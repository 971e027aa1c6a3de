"""Cloth and solids: their surfaces, drawn anew every frame; patches with their relief."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ..scene.cloth import Cloth
from ..scene.errors import who
from ..scene.patch import PatchMesh
from ..scene.soft import Soft
from ..scene.solid import Solid
from .palette import MOVING, screen_bytes
from .picture import Stage, picture_kind
from .pressed_faces import PressedFaces, rounded_up

CREASE = np.radians(40.0)
"""An edge of a solid whose faces meet at a larger angle, at rest, stays sharp."""
FINE = 2e-3
"""Of a body's size: how far triangles may stand off its patches."""


class SoftPicture:
    """All cloth and solids of the world."""

    def __init__(self, stage: Stage, things: list[Soft]) -> None:
        self._surfaces = [_Surface(stage, thing, MOVING[k % len(MOVING)]) for k, thing in enumerate(things)]
        self.doubts = [one.doubt for one in self._surfaces if one.doubt]
        self._pressed = [PressedFaces(stage, thing) for thing in things if thing.collide]  # type: ignore[attr-defined]
        self._shows_pressures, self.top = False, 0.0
        """[Pa] that has the last colour."""

    def update(self, world, positions, quaternions) -> None:
        """Move every surface with its vertices; the page keeps the triangles and takes the vertices alone."""
        for surface in self._surfaces:
            surface.update(world)
        if self._shows_pressures:
            pressures = [np.abs(world[one.name].pressure) for one in self._pressed]
            largest = max((float(pressure.max()) for pressure in pressures), default=0.0)
            self.top = rounded_up(largest) if largest > self.top else self.top
            for one, pressure in zip(self._pressed, pressures, strict=True):
                one.show(world, pressure, self.top)

    def show_pressures(self, on: bool) -> None:
        """Colour the triangles that are pressed, which the surfaces and what presses hide unless they are see-through."""
        self._shows_pressures, self.top = on, 0.0
        for surface in self._surfaces:
            surface.see_through(on)
        for one in self._pressed:
            one.hide()


class _Surface:
    """One cloth or solid."""

    doubt = ""
    """Where the picture is not true to the thing."""

    def __init__(self, stage: Stage, thing, color) -> None:
        self._stage, self._thing, self._patches = stage, thing, None
        if isinstance(thing.mesh, PatchMesh):
            tolerance = FINE * float(np.ptp(thing.rest, axis=0).max())
            self._patches = thing.mesh.tessellate(tolerance)
            if self._patches.error > tolerance:
                self.doubt = (f"{who(thing)} is drawn up to {self._patches.error:.2g} m off its relief, which is too steep for "
                              "its triangles; cut its patches finer there")
            faces = self._patches.triangles
        elif isinstance(thing, Cloth):
            self._corner, faces = np.arange(len(thing.rest)), thing.faces
        else:
            self._corner, faces = split(thing.rest, thing.faces, CREASE)
        self._handle = stage.scene.add_mesh_simple(
            stage.path("soft", thing.name), self._vertices(stage.world), np.asarray(faces), side="double",
            color=screen_bytes(thing.color or color))

    def see_through(self, on: bool) -> None:
        """Fade the surface."""
        self._handle.opacity = 0.15 if on else None

    def update(self, world) -> None:
        self._handle.vertices = self._vertices(world)

    def _vertices(self, world) -> np.ndarray:
        places = world[self._thing.name].positions
        shown = places[self._corner] if self._patches is None else self._patches.deformed(places)[0]
        return (shown + self._stage.offset).astype(np.float32)


def split(vertices: np.ndarray, faces: np.ndarray, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners (k,), each a vertex (n, 3), and faces (m, 3) between them, parted along edges sharper than `angle` [rad].

    Faces that hang together by blunter edges share their corners, so that they are shaded as one smooth piece.
    """
    corner = vertices[faces]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    edges = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    order = np.lexsort(edges.T)
    same = (edges[order][1:] == edges[order][:-1]).all(axis=1)
    one, two = order[:-1][same] // 3, order[1:][same] // 3
    blunt = np.einsum("ei,ei->e", normal[one], normal[two]) > np.cos(angle)
    links = coo_matrix((np.ones(blunt.sum()), (one[blunt], two[blunt])), (len(faces), len(faces)))
    piece = connected_components(links, directed=False)[1]
    key = piece[:, None].astype(np.int64) * len(vertices) + faces
    used, number = np.unique(key, return_inverse=True)
    return used % len(vertices), number.reshape(-1, 3).astype(np.int32)


@picture_kind.register(Cloth)
@picture_kind.register(Solid)
def _(thing) -> type[SoftPicture]:
    return SoftPicture
