"""Flat arrays of a patch mesh: the patches at rest, and points of them whose heights are known."""

from typing import Annotated, NamedTuple, TypeAlias

from ..model.schema import Array, index, real

Vertices: TypeAlias = Annotated[Array, real("n 3", "m", "positions of the vertices, or their unit normals [-]")]
Faces: TypeAlias = Annotated[Array, index("m 3", "corners of the base triangles, counter-clockwise from outside")]
Weights: TypeAlias = Annotated[Array, real("m 3", "1/m2", "weight of each corner in the normal of its vertex")]
Numbers: TypeAlias = Annotated[Array, real("m", "-", "one number each")]
Triples: TypeAlias = Annotated[Array, real("m 3 3", "-", "a vector for each corner of each face, or three for each face")]


class Patches(NamedTuple):
    """Base triangles and the quadrics that reach them, at rest."""

    face: Annotated[Array, index("m 3", "corners, counter-clockwise from outside")]
    corner_weight: Annotated[Array, real("m 3", "1/m2", "angle over twice the face's area, for the vertices' normals")]
    vertex: Annotated[Array, real("n 3", "m", "at rest")]
    normal: Annotated[Array, real("n 3", "-", "unit, at rest")]
    first_quadric: Annotated[Array, index("f", "face j has quadrics first_quadric[j] to first_quadric[j + 1] of the list")]
    quadric: Annotated[Array, index("k", "the list")]
    coefficient: Annotated[Array, real("q 10", "-", "of (xx, yy, zz, xy, xz, yz, x, y, z, 1), object's rest frame")]
    amplitude: Annotated[Array, real("q", "m", "factor on the cubed positive part")]


class Samples(NamedTuple):
    """Points of patches, sorted by face: where they are and how high the relief is there, at rest and ever after."""

    first: Annotated[Array, index("f", "face j has points first[j] to first[j + 1]")]
    face: Annotated[Array, index("s", "the patch")]
    place: Annotated[Array, real("s 2", "-", "barycentric u, v: weights of the face's corners 1 and 2")]
    measure: Annotated[Array, real("s", "-", "weight of the point in integrals du dv; a face has one half")]
    height: Annotated[Array, real("s", "m", "of the relief over the base triangle")]
    slope: Annotated[Array, real("s 2", "m", "derivatives of the height with respect to u and v")]
