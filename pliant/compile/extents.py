"""How large the shapes of a body are, what lies outside them, and how far they reach, before a world is built."""

import numpy as np

from ..scene.body import Body, Ground
from ..scene.pose import Pose, inverted, turned
from ..scene.shape import Box, Capsule, Cylinder, HeightField, Mesh, Placed, Sphere
from .hulls import load_mesh


def outside(body: Body, x, pose: Pose | None = None) -> float:
    """How far a point [m], world frame, is outside a body [m], as it starts or is at `pose`; 0 inside, and where it cannot be
    told."""
    local = (pose or Pose(body.position, body.quaternion)).local(tuple(x))
    found = [outside_shape(one.shape, Pose(one.position, one.quaternion).local(local)) for one in pieces(body)]
    return min(found, default=0.0)


def pieces(body: Body) -> tuple[Placed, ...]:
    """Its shapes, placed; none for a height field."""
    if isinstance(body.shape, tuple):
        return body.shape
    return () if isinstance(body.shape, HeightField) else (Placed(body.shape),)


def outside_shape(shape, p) -> float:
    """The same of one shape, in its own frame; of a mesh at least so far."""
    x, y, z = np.abs(p)
    if isinstance(shape, Box):
        return float(np.linalg.norm(np.maximum((x - 0.5 * shape.x, y - 0.5 * shape.y, z - 0.5 * shape.z), 0.0)))
    if isinstance(shape, Sphere):
        return max(0.0, float(np.linalg.norm(p)) - shape.radius)
    beyond, aside = max(0.0, z - 0.5 * shape.length) if not isinstance(shape, Mesh) else 0.0, float(np.hypot(x, y))
    if isinstance(shape, Capsule):
        return max(0.0, float(np.hypot(aside, beyond)) - shape.radius)
    if isinstance(shape, Cylinder):
        return float(np.hypot(max(0.0, aside - shape.radius), beyond))
    planes = load_mesh(shape.source, shape.scale, may_be_open=True).hull.planes
    return max(0.0, float((planes[:, :3] @ np.array(p) - planes[:, 3]).max()))


def volume(shape) -> float:
    """[m3]; 0 of meshes and height fields, which are not looked into."""
    if isinstance(shape, Box):
        return shape.x * shape.y * shape.z
    if isinstance(shape, Sphere):
        return 4.0 / 3.0 * np.pi * shape.radius**3
    if isinstance(shape, (Capsule, Cylinder)):
        caps = 4.0 / 3.0 * np.pi * shape.radius**3 if isinstance(shape, Capsule) else 0.0
        return np.pi * shape.radius**2 * shape.length + caps
    return 0.0


def size(body: Body) -> float:
    """The largest length of a body's shapes [m]."""
    return max((_length(one.shape) for one in pieces(body)), default=np.inf)


def _length(shape) -> float:
    if isinstance(shape, Box):
        return max(shape.x, shape.y, shape.z)
    if isinstance(shape, Mesh):
        return float(np.ptp(load_mesh(shape.source, shape.scale, may_be_open=True).hull.vertices, axis=0).max())
    return 2.0 * shape.radius + (0.0 if isinstance(shape, Sphere) else shape.length)


def reach(body: Body, normal) -> tuple[float, float]:
    """From where to where a body reaches along a unit vector at the start [m], world frame."""
    pose, ends = Pose(body.position, body.quaternion), []
    for one in pieces(body):
        place = pose.then(Pose(one.position, one.quaternion))
        middle, n = float(np.dot(place.position, normal)), turned(inverted(place.quaternion), tuple(normal))
        ends += [middle + support(one.shape, n), middle - support(one.shape, tuple(-c for c in n))]
    return min(ends), max(ends)


def support(shape, n) -> float:
    """How far a shape reaches along a unit vector of its own frame [m]."""
    x, y, z = np.abs(n)
    if isinstance(shape, Box):
        return 0.5 * float(x * shape.x + y * shape.y + z * shape.z)
    if isinstance(shape, Sphere):
        return shape.radius
    if isinstance(shape, Capsule):
        return shape.radius + 0.5 * float(z) * shape.length
    if isinstance(shape, Cylinder):
        return shape.radius * float(np.hypot(x, y)) + 0.5 * float(z) * shape.length
    return float((load_mesh(shape.source, shape.scale, may_be_open=True).hull.vertices @ np.array(n)).max())


def radius(body: Body) -> float:
    """Of a ball about the origin of a body's frame that holds it [m]."""
    here = body.replace(position=(0.0, 0.0, 0.0), quaternion=(1.0, 0.0, 0.0, 0.0))
    return float(np.linalg.norm([np.abs(reach(here, axis)).max() for axis in np.eye(3)]))


def level(ground: Ground) -> float:
    """How far along its normal a ground lies [m]."""
    return ground.height * (ground.normal[2] if abs(ground.normal[2]) > 1e-9 else 1.0)
