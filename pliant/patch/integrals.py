"""Loops over patches: volume of the relief, its gradients, area, and moments of mass."""

from typing import Annotated

from .._jit import entry, kernel
from ..equations.patch.patch_point import area_normal, blend, corners
from ..equations.patch.relief_volume import layers, length_gradient, normals_gradient, relief_moments, relief_volume
from ..equations.patch.vertex_normal import face_normal, through_face, through_length
from ..math.vec3 import add_at, add_scaled, cross, dot, load, norm, scale, store
from ..model.schema import Array, real
from .groups import Faces, Samples, Triples, Vertices, Weights
from .heights import gather_normals

Tens = Annotated[Array, real("m 10", "-", "volume, first moment (3), second moment xx yy zz xy xz yz of each face")]


@entry
def patch_moments(face: Faces, samples: Samples, normal: Vertices, moments: Triples) -> None:
    """The nine moments of each patch for given normals of the vertices, once a step. Writes: moments"""
    for f in range(face.shape[0]):
        three = relief_moments(samples, corners(normal, face, f), samples.first[f], samples.first[f + 1])
        for c in range(3):
            moments[f, 0, c], moments[f, 1, c], moments[f, 2, c] = three[0][c], three[1][c], three[2][c]


@kernel
def load_moments(moments, f):
    """The moments of face `f` as three vectors."""
    return (
        (moments[f, 0, 0], moments[f, 0, 1], moments[f, 0, 2]),
        (moments[f, 1, 0], moments[f, 1, 1], moments[f, 1, 2]),
        (moments[f, 2, 0], moments[f, 2, 1], moments[f, 2, 2]),
    )


@entry
def body_volume(face: Faces, weight: Weights, samples: Samples, position: Vertices, normal: Vertices, pull: Vertices,
                gradient: Vertices) -> float:
    """Volume [m3] of a closed body with its relief and the whole gradient [m2], normals moving with the vertices.

    Writes: normal (not of unit length), pull (scratch: gradient with respect to the normals), gradient
    """
    gather_normals(face, weight, position, normal)
    for v in range(position.shape[0]):
        store(pull, v, (0.0, 0.0, 0.0))
        store(gradient, v, (0.0, 0.0, 0.0))
    total = 0.0
    for f in range(face.shape[0]):
        total += add_patch(face, samples, position, normal, pull, gradient, f)
    for v in range(position.shape[0]):
        length = max(norm(load(normal, v)), 1e-9)  # a crumpled fan of faces has no normal, and gives no pull
        store(pull, v, through_length(load(pull, v), scale(1.0 / length, load(normal, v)), length))
    for f in range(face.shape[0]):
        y = (0.0, 0.0, 0.0)
        for c in range(3):
            y = add_scaled(y, weight[f, c], load(pull, face[f, c]))
        add_three(gradient, face, f, through_face(corners(position, face, f), y))
    return total


@kernel
def add_three(array, face, f, three):
    """Adds a vector to each corner of a face."""
    for c in range(3):
        add_at(array, face[f, c], three[c])


@kernel
def unit_corners(normal, face, f):
    """Normals of a face's corners, brought to unit length."""
    a, b, c = corners(normal, face, f)
    return scale(1.0 / max(norm(a), 1e-300), a), scale(1.0 / max(norm(b), 1e-300), b), scale(1.0 / max(norm(c), 1e-300), c)


@kernel
def add_patch(face, samples, position, normal, pull, gradient, f):
    """Volume [m3] of a face's cone to the origin and of its relief. Adds to: gradient, pull"""
    points, normals = corners(position, face, f), unit_corners(normal, face, f)
    one, two = cross(points[1], points[2]), cross(points[2], points[0])
    add_three(gradient, face, f, (scale(1.0 / 6.0, one), scale(1.0 / 6.0, two), scale(1.0 / 6.0, cross(points[0], points[1]))))
    moments = relief_moments(samples, normals, samples.first[f], samples.first[f + 1])
    volume, slopes = relief_volume(points, normals, moments)
    add_three(gradient, face, f, slopes)
    add_three(pull, face, f, normals_gradient(points, normals, moments))
    for i in range(samples.first[f], samples.first[f + 1]):
        u, v = samples.place[i, 0], samples.place[i, 1]
        g = scale(samples.measure[i], length_gradient(points, normals, u, v, samples.height[i]))
        add_three(pull, face, f, (scale(1.0 - u - v, g), scale(u, g), scale(v, g)))
    return volume + dot(points[0], one) / 6.0


@entry
def relief_mass(face: Faces, samples: Samples, position: Vertices, normal: Vertices, moments: Tens, share: Weights) -> None:
    """Volume, first and second moment of each relief about the origin, and its volume shared among the corners.

    Writes: moments, share [m3]
    """
    for f in range(face.shape[0]):
        points, normals = corners(position, face, f), corners(normal, face, f)
        for k in range(10):
            moments[f, k] = 0.0
        for c in range(3):
            share[f, c] = 0.0
        for i in range(samples.first[f], samples.first[f + 1]):
            u, v, w = samples.place[i, 0], samples.place[i, 1], samples.measure[i]
            i0, i1, i2 = layers(points, normals, u, v, samples.height[i])
            p, m = blend(points, u, v), blend(normals, u, v)
            moments[f, 0] += w * i0
            share[f, 0] += w * i0 * (1.0 - u - v)
            share[f, 1] += w * i0 * u
            share[f, 2] += w * i0 * v
            for k in range(3):
                a, b = k // 2, 1 + (k + 1) // 2  # the pairs xy, xz, yz
                moments[f, 1 + k] += w * (i0 * p[k] + i1 * m[k])
                moments[f, 4 + k] += w * (i0 * p[k] * p[k] + 2.0 * i1 * p[k] * m[k] + i2 * m[k] * m[k])
                moments[f, 7 + k] += w * (i0 * p[a] * p[b] + i1 * (p[a] * m[b] + m[a] * p[b]) + i2 * m[a] * m[b])


@entry
def relief_area(face: Faces, samples: Samples, position: Vertices, normal: Vertices, share: Weights) -> None:
    """The area of each surface, shared among the corners. Writes: share [m2]"""
    for f in range(face.shape[0]):
        points, normals = corners(position, face, f), corners(normal, face, f)
        first, last = samples.first[f], samples.first[f + 1]
        flat = norm(face_normal(points)) / 6.0 if first == last else 0.0
        for c in range(3):
            share[f, c] = flat
        for i in range(first, last):
            u, v, t = samples.place[i, 0], samples.place[i, 1], samples.height[i]
            across = area_normal(points, normals, u, v, t, samples.slope[i, 0], samples.slope[i, 1])
            area = samples.measure[i] * norm(across)
            share[f, 0] += area * (1.0 - u - v)
            share[f, 1] += area * u
            share[f, 2] += area * v
