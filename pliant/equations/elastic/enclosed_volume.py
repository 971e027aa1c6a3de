"""What fills a closed surface resists a change of its volume: pressure, energy, and the matrix that local/global adds.

    E = k/2 (V - c)^2 / V_0,     force on vertex v  p dV/dx_v,     p = -k (V - c) / V_0

V is the volume inside, relief included, with the normals of the vertices as they were when the step began; c the end of a range
next to V, or V itself within it; k [Pa] the bulk modulus of the filling: for air 1.4e5 Pa, for water 2.2e9 Pa. It is one
constraint of all vertices together, so its matrix k/V_0 g g^T, g = dV/dx, is not sparse. Solving with it beside the factor A of
all else takes one column, z = A^-1 g:

    (A + k/V_0 g g^T)^-1 r = x - z (g.x) / (V_0/k + g.z),      x = A^-1 r

Source: [PaperD] equation 4, volume of patches; [Hager1989] the inverse of a matrix and one column more
Check: tests/soft/test_enclosed_volume.py
"""

from ..._jit import kernel
from ...math.vec3 import add, cross, dot, scale
from ..patch.relief_volume import relief_volume


@kernel
def cone_and_relief(points, normals, moments):
    """Volume [m3] over one face, from the origin to its relief, and its gradient [m2] by the three corners."""
    one, two, three = cross(points[1], points[2]), cross(points[2], points[0]), cross(points[0], points[1])
    volume, slopes = relief_volume(points, normals, moments)
    sixth = 1.0 / 6.0
    return volume + sixth * dot(points[0], one), (
        add(slopes[0], scale(sixth, one)), add(slopes[1], scale(sixth, two)), add(slopes[2], scale(sixth, three)))
