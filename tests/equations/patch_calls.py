"""Small patch meshes for tests of equations: their arrays, and corners as tuples."""

import numpy as np

from pliant.equations.patch.patch_point import blend, direction
from pliant.equations.patch.relief_height import relief_height
from pliant.patch.surface import surface_of
from pliant.scene.patch import PatchMesh, Quadric


def three(array, rows) -> tuple:
    """Rows of an array as a tuple of vectors."""
    return tuple(tuple(float(x) for x in array[r]) for r in rows)


def bent_sheet(seed: int = 1, quadrics: int = 3) -> PatchMesh:
    """A sheet of 2 x 2 squares, lifted at random, with mild random ellipsoids over it."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.linspace(-1.0, 1.0, 3), np.linspace(-1.0, 1.0, 3), indexing="ij")
    vertices = np.stack([x, y, 0.15 * rng.normal(size=x.shape)], axis=-1).reshape(-1, 3)
    corner = np.array([0, 1, 3, 4])
    faces = np.concatenate([[(c, c + 3, c + 4), (c, c + 4, c + 1)] for c in corner])
    bumps = tuple(
        Quadric.ellipsoid((*rng.uniform(-0.7, 0.7, 2), 0.0), rng.uniform(0.8, 1.4, 3), rng.uniform(-0.15, 0.2))
        for _ in range(quadrics)
    )
    return PatchMesh(vertices, faces, bumps)


def flat_triangle(quadrics, corners=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))) -> PatchMesh:
    """One triangle."""
    return PatchMesh(np.array(corners), [[0, 1, 2]], tuple(quadrics))


def arrays(mesh: PatchMesh, face: int):
    """The patches, and corners and normals of a face at rest."""
    patches = surface_of(mesh).patches
    rows = patches.face[face]
    return patches, three(patches.vertex, rows), three(patches.normal, rows)


def tuples(array) -> tuple:
    """An array (k, 3) as a tuple of vectors."""
    return three(array, range(len(array)))


def height(patches, face, points, normals, u, v) -> float:
    """Height [m] of a face's relief over a place."""
    return relief_height(patches, face, blend(points, u, v), direction(normals, u, v)[0], 3.0)[0]
