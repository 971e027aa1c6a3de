"""Energies as the panel shows them. Oracle: the numbers by hand."""

import pytest

from pliant.view.figures import joules


@pytest.mark.parametrize("value, shown", [
    (5.71e-100, "0 J"), (-3e-13, "0 J"), (0.0, "0 J"), (-0.0, "0 J"), (2e-12, "2.00e-12 J"), (-4e-5, "-4.00e-05 J"),
    (1.5, "1.5 J"), (9999.0, "9999 J"), (12345.0, "12.35 kJ"), (-2.5e7, "-25 MJ")])
def test_an_energy_is_short_and_what_is_nothing_is_0(value, shown):
    assert joules(value) == shown
