"""Volume constraint of a volume patch: the nearest shape whose volume, relief included, lies in a range.

A volume patch is a cell with a relief over one or more of its faces. Deformed by F, with the normals of its vertices as they
were when the step began, it has the volume

    V(F) = V_0 det F + sum over faces of the relief between F U, F W and the normals        (relief_volume.py)

U, W two edges of the face at rest: a polynomial of third degree in F. Where V is outside [low, high] the nearest F' with V = c
(the end of the range) lies along the volume's gradient G = dV/dF there,

    F' = F + s G(F'),    V(F') = c;       each step takes G and V of the last F':   s = (c - V - G : (F - F')) / |G|^2

The first step, from F' = F, is the point along the gradient; a few more make it the nearest, because only then the pull
w (F' - F) is the derivative of w/2 |F' - F|^2. For a cell without relief it is what volume_projection.py finds.

Weight: a small change of volume dV costs w/2 dV^2 / |G|^2 and should cost lambda/2 dV^2 / V, so w = lambda |G|^2 / V at rest,
3 lambda V without a relief. The strain's weight grows with V likewise.

Source: [PaperD] equation 4, volume of patches
Check: tests/soft/test_patch_volume.py
"""

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, cross, dot, norm, scale, sub
from ..patch.relief_volume import relief_volume

MOST_STEPS = 40
CLOSE = 1e-14
"""A change of F' below this is the last [-]."""
FAR = 0.5
"""No step moves F' by more [-]: a cell that is inside out comes back by its strain."""


@kernel
def through(f, a):
    """F a, F by columns."""
    return add_scaled(add_scaled(scale(a[0], f[0]), a[1], f[1]), a[2], f[2])


@kernel
def cell_volume(f, base):
    """V_0 det F [m3] and its gradient by columns; base: V_0 [m3]."""
    g = scale(base, cross(f[1], f[2])), scale(base, cross(f[2], f[0])), scale(base, cross(f[0], f[1]))
    return dot(f[0], g[0]), g


@kernel
def add_relief(f, edges, normals, moments, volume, g):
    """`volume` and its gradient `g` with the relief over the face with `edges` (U, W) [m]."""
    more, slopes = relief_volume(((0.0, 0.0, 0.0), through(f, edges[0]), through(f, edges[1])), normals, moments)
    u, w = edges
    return volume + more, (
        add(g[0], add_scaled(scale(u[0], slopes[1]), w[0], slopes[2])),
        add(g[1], add_scaled(scale(u[1], slopes[1]), w[1], slopes[2])),
        add(g[2], add_scaled(scale(u[2], slopes[1]), w[2], slopes[2])),
    )


@kernel
def inner(a, b):
    """A : B."""
    return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2])


@kernel
def towards(f, now, volume, g, wanted):
    """The next F', and how far it is from the last, `now`, which has `volume` and the gradient `g`."""
    off = sub(f[0], now[0]), sub(f[1], now[1]), sub(f[2], now[2])
    s = (wanted - volume - inner(g, off)) / (inner(g, g) + 1e-300)
    move = add_scaled(off[0], s, g[0]), add_scaled(off[1], s, g[1]), add_scaled(off[2], s, g[2])
    size = norm((norm(move[0]), norm(move[1]), norm(move[2])))
    part = FAR / size if size > FAR else 1.0
    return (add_scaled(now[0], part, move[0]), add_scaled(now[1], part, move[1]), add_scaled(now[2], part, move[2])), size
