"""The methods for cloth and solids, by the names that scenes give them."""

from ..gauss_seidel.block import GaussSeidel
from ..jacobi.block import Jacobi
from ..newton.block import Newton
from ..projective.block import Projective
from ..quasi_newton.block import QuasiNewton
from .block import SoftBlock

METHODS: dict[str, type[SoftBlock]] = {
    "projective": Projective,
    "quasi-newton": QuasiNewton,
    "position": GaussSeidel,
    "jacobi": Jacobi,
    "newton": Newton,
}
