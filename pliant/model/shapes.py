"""Collision shapes, fixed to bodies."""

from typing import Annotated, NamedTuple

from .schema import Array, index, key, real

PLANE, SPHERE, CAPSULE, BOX, CYLINDER, HULL, FIELD = 0, 1, 2, 3, 4, 5, 6


class Shapes(NamedTuple):
    """Shapes in the frame of their body (centre of mass, principal axes)."""

    kind: Annotated[Array, index(
        "n",
        "PLANE (local z up, endless), SPHERE, CAPSULE, BOX, CYLINDER (both along local z), HULL, "
        "FIELD",
    )]
    body: Annotated[Array, index("n", "the body that carries it; 0 is the world")]
    position: Annotated[Array, real("n 3", "m", "of the shape's frame in the body's frame")]
    quaternion: Annotated[Array, real("n 4", "-", "shape's frame to body's frame")]
    size: Annotated[Array, real(
        "n 3", "m",
        "sphere (r, 0, 0); capsule and cylinder (r, half length, 0); box half lengths; field full "
        "(x, y, 0)",
    )]
    data: Annotated[Array, index("n", "number of its hull or field, else -1")]
    friction: Annotated[Array, real("n", "-", "Coulomb; between two shapes the larger counts")]
    restitution: Annotated[Array, real("n", "-", "between two shapes the larger counts")]


class Hulls(NamedTuple):
    """Convex polyhedra: faces are polygons, counter-clockwise from outside."""

    first_vertex: Annotated[Array, index("h", "hull k has vertices first_vertex[k] to first_vertex[k + 1]")]
    first_face: Annotated[Array, index("h", "hull k has faces first_face[k] to first_face[k + 1]")]
    vertex: Annotated[Array, real("v 3", "m", "in the shape's frame")]
    first_corner: Annotated[Array, index("f", "face j has corners first_corner[j] to first_corner[j + 1]")]
    corner: Annotated[Array, index("c", "number into vertex")]
    plane: Annotated[Array, real("p 4", "-, m", "outward unit normal and offset of each face: n.x = offset")]


class Fields(NamedTuple):
    """Height fields: heights over a rectangle centred on the shape's origin, two triangles a cell."""

    first_height: Annotated[Array, index(
        "f",
        "field k has heights first_height[k] to first_height[k + 1], row by row (x runs slowest)",
    )]
    cells: Annotated[Array, index("m 2", "number of heights along x and y")]
    height: Annotated[Array, real("h", "m", "along the shape's local z")]


class Excluded(NamedTuple):
    """Pairs of bodies that never touch (joined by a joint, or told so)."""

    pair: Annotated[Array, key("n", "smaller body * 2**32 + larger body, sorted")]
