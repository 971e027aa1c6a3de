"""Loops over points of patches: heights at rest, then places, normals and vertex normals in any shape."""

from .._jit import entry, kernel
from ..equations.patch.patch_point import area_normal, blend, corners, direction, height_slopes, patch_point
from ..equations.patch.perturbation import relief
from ..equations.patch.relief_height import FOUND, relief_height
from ..equations.patch.vertex_normal import face_normal
from ..math.vec3 import add_at, add_scaled, load, norm, normalize, scale, store
from .groups import Faces, Patches, Samples, Vertices, Weights


@entry
def find_heights(patches: Patches, samples: Samples, reach: float) -> tuple[int, int]:
    """The first point without a height and why, or (-1, FOUND). Writes: samples.height, samples.slope

    `reach` [m] bounds the heights that are looked for.
    """
    for i in range(samples.face.shape[0]):
        f, u, v = samples.face[i], samples.place[i, 0], samples.place[i, 1]
        points, normals = corners(patches.vertex, patches.face, f), corners(patches.normal, patches.face, f)
        n, _ = direction(normals, u, v)
        p = blend(points, u, v)
        t, state = relief_height(patches, f, p, n, reach)
        if state != FOUND:
            return i, state
        _, gradient = relief(patches, f, add_scaled(p, t, n))
        samples.height[i] = t
        samples.slope[i, 0], samples.slope[i, 1] = height_slopes(points, normals, u, v, t, gradient)
    return -1, FOUND


@kernel
def gather_normals(face, weight, position, normal):
    """Weighted sums of the faces' normals at the vertices, not yet of unit length. Writes: normal"""
    for v in range(normal.shape[0]):
        store(normal, v, (0.0, 0.0, 0.0))
    for f in range(face.shape[0]):
        across = face_normal(corners(position, face, f))
        for c in range(3):
            add_at(normal, face[f, c], scale(weight[f, c], across))


@entry
def vertex_normals(face: Faces, weight: Weights, position: Vertices, normal: Vertices) -> None:
    """Unit normals of the vertices. Writes: normal"""
    gather_normals(face, weight, position, normal)
    for v in range(normal.shape[0]):
        store(normal, v, normalize(load(normal, v)))


@entry
def place_points(face: Faces, samples: Samples, position: Vertices, normal: Vertices, point: Vertices,
                 across: Vertices) -> None:
    """Points [m] of the patches and their unit normals, over deformed vertices. Writes: point, across"""
    for i in range(samples.face.shape[0]):
        f, u, v, t = samples.face[i], samples.place[i, 0], samples.place[i, 1], samples.height[i]
        points, normals = corners(position, face, f), corners(normal, face, f)
        store(point, i, patch_point(points, normals, u, v, t))
        area = area_normal(points, normals, u, v, t, samples.slope[i, 0], samples.slope[i, 1])
        store(across, i, scale(1.0 / max(norm(area), 1e-300), area))
