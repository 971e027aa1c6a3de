"""Bending of cloth as a plate: the moments on all inner edges that balance their angles, on any mesh.

A surface of flat triangles bends at its edges only: the angle of an edge times its length, |y| of bending_angle.py, is all its
curvature. An energy of each edge for itself cannot make a plate of that: it depends on how the mesh lies, and where every other
vertex has no edge across it (squares cut along changing diagonals) it stays half too soft, however fine the mesh. Moments
can: let M be constant in each triangle, with one value m_e across each inner edge for both triangles there and none across
the border, which is free. Then for all fields of moments the plate's energy is at least

    m.y - 1/2 m.S m,       S_ef = sum over triangles of A M_e : c : M_f

with M_e the moments in a triangle that are 1 across its edge e (n.M n = 1) and 0 across its two other edges, and c the plate's
compliance, c : M = ((1 + nu) M - nu tr M) / (D (1 - nu^2)). The best bound is the energy,

    E = 1/2 y.S^-1 y,      m = S^-1 y,       force on corner a of edge e:  -k_a m_e

It is the method of Hellan, Herrmann and Johnson with linear deflections, equal to Morley's plate, and right to second order
on every mesh. S is as well conditioned as a matrix of masses (its eigenvalues, next to its diagonal, between 0.2 and 2.3 on
meshes good and bad), so that its factor is small and the same for all steps.

With rest angles y stands for d = y - r n, r the length at rest with its sign and n the unit vector halfway between the normals
n1, n2 of the two triangles: along it y lies as long as these keep their shape. n turns with the corners, so the force is

    -k_a m_e + r dn/dx_a . m_e,      n = u/|u|, u = n1 + n2,  dn1 = (1 - n1 n1^T) dN1 / |N1|,  N1 = e x b,  N2 = c x e

with e = x1 - x0, b = x2 - x0, c = x3 - x0; the second term does nothing while the moments of neighbours are parallel.

A triangle that is pressed flat into a line, or folded onto its neighbour, would turn its normal with any breath, and push
without bound. So |N| counts at least as a share of what it is at rest, and |u| at least as another,

    n1 = N1 / max(|N1|, l1),      n = u / max(|u|, FOLDED),      d(N/l) = dN / l  where l is taken

which leaves n continuous, shorter than 1 there, and E a true energy of bounded pushes: they are its slopes everywhere.

Local/global needs a constant energy above this one that each edge has for itself, 1/2 w y^2 with diag(1/w) below S: of each
triangle's part of S the least eigenvalue, next to its diagonal, times that diagonal.

    D bending stiffness [N m], nu Poisson's ratio [-], A area [m2], y [m], m moment per length [N], S [m/N], w [N/m]

Source: [Arnold1985] the method and its equal; [PaperD] bending angles between base triangles
Check: tests/equations/test_elastic_moment.py
"""

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix

from ..._jit import kernel
from ...math.vec3 import add, add_scaled, cross, dot, norm, scale, sub

NARROW, FOLDED = 0.3, 0.3
"""Shares of a triangle's area at rest, and of the sum of two unit normals (folded by 163 degrees), below which normals get
shorter [-]."""


def edge_compliance(rest: np.ndarray, triangles: np.ndarray, edges: np.ndarray, stiffness: float, poisson: float
                    ) -> tuple[csr_matrix, np.ndarray]:
    """S [m/N] (e, e) and w [N/m] (e,) of a plate of `stiffness` [N m]; edges (e, 4) as `inner_edges` gives them."""
    number = _edge_numbers(triangles, edges, len(rest))
    corner = rest[triangles]
    along = np.roll(corner, -1, axis=1) - corner
    twice = np.linalg.norm(np.cross(along[:, 0], along[:, 1]), axis=1)
    # Angles of the edges in their triangle's plane; the first edge lies along the first axis.
    turn = np.cumsum(np.arctan2(twice[:, None], np.einsum("tci,tci->tc", along, np.roll(along, -1, axis=1))), axis=1)
    angle = np.concatenate([np.zeros((len(triangles), 1)), turn[:, :2]], axis=1)
    c, s = np.cos(angle), np.sin(angle)
    across = np.stack([s * s, c * c, -2.0 * s * c], axis=2)  # n.M n from (xx, yy, xy), n = (sin, -cos)
    moments = np.linalg.inv(across)  # (t, xx yy xy, edge)
    trace = moments[:, 0] + moments[:, 1]
    whole = np.einsum("tke,tkf->tef", moments, moments) + np.einsum("te,tf->tef", moments[:, 2], moments[:, 2])
    part = 0.5 * twice[:, None, None] * ((1.0 + poisson) * whole - poisson * trace[:, :, None] * trace[:, None, :]) / (
        stiffness * (1.0 - poisson**2))
    inside = number >= 0
    both = inside[:, :, None] & inside[:, None, :]
    size = np.sqrt(np.einsum("tee->te", part))
    scaled = np.where(both, part / (size[:, :, None] * size[:, None, :]), np.eye(3))  # no edge: 1, not the least
    least = np.linalg.eigvalsh(scaled)[:, :1] * size**2
    rows, columns = np.repeat(number, 3, axis=1).reshape(-1, 3, 3), np.tile(number[:, None, :], (1, 3, 1))
    count = len(edges)
    matrix = coo_matrix((part[both], (rows[both], columns[both])), shape=(count, count)).tocsr()
    return csr_matrix(matrix), 1.0 / np.bincount(number[inside], least[inside], count)


def _edge_numbers(triangles: np.ndarray, edges: np.ndarray, count: int) -> np.ndarray:
    """Number of the edges from corner 0 to 1, 1 to 2 and 2 to 0 of each triangle (t, 3); -1 at the border."""
    ends = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2), axis=2)
    key, inner = ends[:, :, 0] * count + ends[:, :, 1], np.sort(edges[:, :2], axis=1)
    known = inner[:, 0] * count + inner[:, 1]
    if not len(known):
        return np.full(triangles.shape, -1)
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known[order], key), len(known) - 1)
    return np.where(known[order][at] == key, order[at], -1)


def least_areas(rest: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """l1, l2 [m2] (e, 2) of the two triangles of each edge (e, 4)."""
    x0, along = rest[edges[:, 0]], rest[edges[:, 1]] - rest[edges[:, 0]]
    return NARROW * np.stack([np.linalg.norm(np.cross(along, rest[edges[:, tip]] - x0), axis=1) for tip in (2, 3)], axis=1)


@kernel
def halfway(x0, x1, x2, x3, low1, low2):
    """n, |u|, the normals n1, n2, and |N1|, |N2|, none less than its least, `low1`, `low2` [m2] of N1, N2."""
    e = sub(x1, x0)
    n1, n2 = cross(e, sub(x2, x0)), cross(sub(x3, x0), e)
    a1, a2 = max(norm(n1), low1), max(norm(n2), low2)
    u = add(scale(1.0 / a1, n1), scale(1.0 / a2, n2))
    length = max(norm(u), FOLDED)
    return scale(1.0 / length, u), length, scale(1.0 / a1, n1), scale(1.0 / a2, n2), a1, a2


@kernel
def turned_by(x0, x1, x2, x3, low1, low2, m):
    """(dn/dx)^T m of x1, x2, x3, of any vector `m`; x0 takes what makes the sum zero."""
    n, length, n1, n2, a1, a2 = halfway(x0, x1, x2, x3, low1, low2)
    g = across(n, m, length, FOLDED)
    g1, g2 = across(n1, g, a1, low1), across(n2, g, a2, low2)
    e, b, c = sub(x1, x0), sub(x2, x0), sub(x3, x0)
    return add(cross(b, g1), cross(g2, c)), cross(g1, e), cross(e, g2)


@kernel
def across(n, m, length, least):
    """(dn/dN)^T m of n = N / `length`, which is |N| where it is above `least`."""
    return scale(1.0 / length, add_scaled(m, -dot(n, m), n) if length > least else m)
