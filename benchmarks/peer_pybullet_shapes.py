"""Shapes of bodies for PyBullet; `call` is what every call of its own takes, the number of its client."""

import numpy as np
import pybullet as bullet

import pliant as pl

from .parts import placed_shapes


def xyzw(q) -> tuple:
    """A quaternion (w, x, y, z) as PyBullet has it."""
    return (q[1], q[2], q[3], q[0])


def shape_of(body: pl.Body, call: dict) -> int:
    """One collision shape of all placed ones; PyBullet wants it in the inertial frame, which it knows itself."""
    if not body.collide:
        return -1
    kinds, fields = [], {"halfExtents": [], "radii": [], "lengths": []}
    for placed in placed_shapes(body):
        shape = placed.shape
        kind = {pl.Box: bullet.GEOM_BOX, pl.Sphere: bullet.GEOM_SPHERE, pl.Capsule: bullet.GEOM_CAPSULE,
                pl.Cylinder: bullet.GEOM_CYLINDER}[type(shape)]
        kinds.append(kind)
        fields["halfExtents"].append(_half(shape))
        fields["radii"].append(getattr(shape, "radius", 1.0))
        fields["lengths"].append(getattr(shape, "length", 1.0))
    at = [p.position for p in placed_shapes(body)]
    turn = [xyzw(p.quaternion) for p in placed_shapes(body)]
    if len(kinds) == 1:
        return bullet.createCollisionShape(kinds[0], radius=fields["radii"][0], height=fields["lengths"][0],
                                           halfExtents=fields["halfExtents"][0], collisionFramePosition=at[0],
                                           collisionFrameOrientation=turn[0], **call)
    return bullet.createCollisionShapeArray(kinds, **fields, collisionFramePositions=at,
                                            collisionFrameOrientations=turn, **call)


def moved_shape(body: pl.Body, offset: np.ndarray, call: dict) -> int:
    """The same, `offset` [m] away in the body's frame."""
    if not body.collide:
        return -1
    moved = tuple(p.replace(position=tuple(np.array(p.position) + offset)) for p in placed_shapes(body))
    return shape_of(body.replace(shape=moved), call)


def field_shape(body: pl.Body, call: dict) -> int:
    """The collision shape of a height field, which Bullet centres between its lowest and its highest."""
    heights, (x, y) = body.shape.heights, body.shape.size
    nx, ny = heights.shape
    return bullet.createCollisionShape(bullet.GEOM_HEIGHTFIELD, meshScale=(x / (nx - 1), y / (ny - 1), 1.0),
                                       heightfieldData=heights.T.ravel(), numHeightfieldRows=nx, numHeightfieldColumns=ny,
                                       **call)


def _half(shape) -> tuple[float, float, float]:
    return (shape.x / 2, shape.y / 2, shape.z / 2) if isinstance(shape, pl.Box) else (1.0, 1.0, 1.0)
