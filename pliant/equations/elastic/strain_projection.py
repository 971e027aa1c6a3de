"""Strain constraint: the nearest matrix to F whose singular values lie in a range.

With F = U diag(s) V^T the nearest such matrix in the Frobenius norm keeps U and V and clamps each s into [low, high].
U and V are proper rotations, so an inverted element has s3 < 0, which is clamped like any other: it is pulled back
through its flat state. low = high = 1 is the elastic material at rest; a range is a dead zone in which nothing pulls.

Source: [PaperD] equation 4, strain
Check: tests/equations/test_elastic_projection.py
"""

from ..._jit import kernel


@kernel
def clamped(s, low, high):
    """The value in [low, high] next to `s`."""
    least = low if s < low else s
    return high if least > high else least
