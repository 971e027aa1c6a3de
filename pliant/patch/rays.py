"""Loop over rays: where the implicit form of the patches changes sign along them."""

from typing import Annotated

from .._jit import entry, kernel
from ..equations.patch.patch_coordinates import implicit
from ..equations.patch.patch_point import corners
from ..math.vec3 import add_scaled, load
from ..model.schema import Array, index, real
from .groups import Patches, Vertices

OUTSIDE = 0.25
"""How far beyond its walls, in sides, a patch's coordinates are still followed, to bracket a meeting at the wall [-]."""
WALL = 1e-9
"""How far beyond its walls a meeting still belongs to a patch, so that no ray passes between two [-]."""

Distances = Annotated[Array, real("r", "m", "along each ray; infinite: no meeting")]
Places = Annotated[Array, real("r 2", "-", "barycentric u, v of the meeting")]
Struck = Annotated[Array, index("r", "the face; -1: none")]


@entry
def cast_rays(patches: Patches, position: Vertices, normal: Vertices, lower: Vertices, upper: Vertices, origin: Vertices,
              along: Vertices, steps: int, distance: Distances, face: Struck, place: Places) -> None:
    """First meetings of rays with the patches, over deformed vertices. Writes: distance, face, place

    `lower` and `upper` [m] (m, 3) are boxes around the patches, `along` unit vectors; within a box a ray takes `steps`.
    """
    for r in range(origin.shape[0]):
        distance[r], face[r] = 1e300, -1
        o, d = load(origin, r), load(along, r)
        for f in range(patches.face.shape[0]):
            near, far = box_interval(load(lower, f), load(upper, f), o, d)
            if near < min(far, distance[r]):
                s, u, v = first_meeting(patches, f, position, normal, (o, d), near, min(far, distance[r]), steps)
                if s < distance[r]:
                    distance[r], face[r] = s, f
                    place[r, 0], place[r, 1] = u, v


@kernel
def box_interval(lower, upper, o, d):
    """Where a ray is inside a box: from, to [m], not before its start."""
    near, far = 0.0, 1e300
    for k in range(3):
        if abs(d[k]) < 1e-300:
            if o[k] < lower[k] or o[k] > upper[k]:
                return 1.0, 0.0
        else:
            a, b = (lower[k] - o[k]) / d[k], (upper[k] - o[k]) / d[k]
            near, far = max(near, min(a, b)), min(far, max(a, b))
    return near, far


@kernel
def first_meeting(patches, f, position, normal, ray, near, far, steps):
    """The first s [m] in [near, far] where the ray meets patch `f`, with u, v; 1e300 if it does not."""
    points, normals = corners(position, patches.face, f), corners(normal, patches.face, f)
    rest, upright = corners(patches.vertex, patches.face, f), corners(patches.normal, patches.face, f)
    ground = (points, normals, rest, upright)
    step = (far - near) / steps
    old, older, known = 0.0, 0.0, 0
    for i in range(steps + 1):
        s = near + i * step
        g, _, _, good = height_on_ray(patches, f, ground, ray, s)
        if not good:
            known = 0
            continue
        if known >= 1 and (g == 0.0 or (g > 0.0) != (old > 0.0)):
            root, u, v = meeting_between(patches, f, ground, ray, s - step, s, old)
            if within_walls(u, v):
                return root, u, v
        elif known >= 2 and (older > 0.0) == (old > 0.0) and abs(old) < abs(g) and abs(old) < abs(older):
            s_low, found = valley(patches, f, ground, ray, s - 2.0 * step, s, old > 0.0)
            if found:
                root, u, v = meeting_between(patches, f, ground, ray, s - 2.0 * step, s_low, older)
                if within_walls(u, v):
                    return root, u, v
                root, u, v = meeting_between(patches, f, ground, ray, s_low, s, -older)
                if within_walls(u, v):
                    return root, u, v
        older, old, known = old, g, known + 1
    return 1e300, 0.0, 0.0


@kernel
def within_walls(u, v):
    """Whether a place belongs to the triangle."""
    return u >= -WALL and v >= -WALL and u + v <= 1.0 + WALL


@kernel
def height_on_ray(patches, f, ground, ray, s):
    """The implicit form [m] at s along the ray, u, v, and whether it is known there."""
    g, u, v, found = implicit(
        patches, f, ground[0], ground[1], ground[2], ground[3], add_scaled(ray[0], s, ray[1])
    )
    return g, u, v, found and u > -OUTSIDE and v > -OUTSIDE and u + v < 1.0 + OUTSIDE


@kernel
def meeting_between(patches, f, ground, ray, low, high, g_low):
    """The place s [m] where the implicit form changes sign between low and high, by the method of Illinois, with u, v.

    Where it jumps instead of passing through zero, the place is outside the walls.
    """
    a, b, g_a = low, high, g_low
    g_b, u, v, _ = height_on_ray(patches, f, ground, ray, b)
    s, side, g = b, 0, g_b
    small = 1e-3 * (abs(g_a) + abs(g_b))  # far from the origin rounding leaves some, a jump more
    for _ in range(100):
        if g_b == 0.0 or abs(b - a) <= 4e-16 * (abs(a) + abs(b)):
            break
        s = b - g_b * (b - a) / (g_b - g_a)
        if not min(a, b) < s < max(a, b):
            s = 0.5 * (a + b)
        g, u, v, _ = height_on_ray(patches, f, ground, ray, s)
        if g == 0.0:
            return s, u, v
        if (g > 0.0) == (g_b > 0.0):
            b, g_b = s, g
            if side == 1:
                g_a *= 0.5
            side = 1
        else:
            a, g_a = s, g
            if side == -1:
                g_b *= 0.5
            side = -1
    return s, (u if abs(g) <= small else -1.0), v


@kernel
def valley(patches, f, ground, ray, low, high, positive):
    """A place s [m] between low and high where the implicit form has the other sign, by golden section, if there is."""
    sign = 1.0 if positive else -1.0
    c, d = high - 0.6180339887498949 * (high - low), low + 0.6180339887498949 * (high - low)
    g_c = sign * height_on_ray(patches, f, ground, ray, c)[0]
    g_d = sign * height_on_ray(patches, f, ground, ray, d)[0]
    for _ in range(40):
        if g_c < 0.0:
            return c, True
        if g_d < 0.0:
            return d, True
        if g_c < g_d:
            high, d, g_d = d, c, g_c
            c = high - 0.6180339887498949 * (high - low)
            g_c = sign * height_on_ray(patches, f, ground, ray, c)[0]
        else:
            low, c, g_c = c, d, g_d
            d = low + 0.6180339887498949 * (high - low)
            g_d = sign * height_on_ray(patches, f, ground, ray, d)[0]
    return low, False
