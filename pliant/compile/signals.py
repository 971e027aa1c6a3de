"""What controls tell the motors: one linear map from control values to targets."""

from typing import NamedTuple

import numpy as np

from ..scene.errors import unknown_control
from .draft import Draft


class Signals(NamedTuple):
    """targets = constant + weight @ controls."""

    constant: np.ndarray
    weight: np.ndarray

    def tell(self, controls: np.ndarray, targets: np.ndarray) -> None:
        """What each drive is told, into `targets` (drives,)."""
        np.dot(self.weight, controls, out=targets)
        targets += self.constant


def signals_of(into: Draft) -> Signals:
    """The map of a draft; names of controls are checked here."""
    names = list(into.controls)
    constant, weight = np.zeros(len(into.drives.rows)), np.zeros((len(into.drives.rows), len(names)))
    for drive, signal, thing in into.signals:
        if isinstance(signal, (float, int)):
            constant[drive] = signal
            continue
        for name, share in ({signal: 1.0} if isinstance(signal, str) else signal).items():
            if name not in names:
                raise unknown_control(thing, "its motor listens to a control that", name, names)
            weight[drive, names.index(name)] = share
    return Signals(constant, weight)
