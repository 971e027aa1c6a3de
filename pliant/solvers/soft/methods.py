"""The methods for cloth and solids, by the names that scenes give them."""

from ...model.soft import SoftModel
from ..gauss_seidel.block import GaussSeidel
from ..jacobi.block import Jacobi
from ..newton.block import Newton
from ..projective.block import Projective
from ..quasi_newton.block import Guided, QuasiNewton
from .block import SoftBlock

METHODS: dict[str, type[SoftBlock]] = {
    "projective": Projective,
    "quasi-newton": QuasiNewton,
    "position": GaussSeidel,
    "jacobi": Jacobi,
    "newton": Newton,
}


def block_of(method: str, model: SoftModel) -> type[SoftBlock]:
    """What solves a thing by the method of this name."""
    return Guided if method == "projective" and not len(model.cells.vertex) else METHODS[method]
