"""Seeds of the sweeps over random points, by what they sweep; printed at the end of every run."""

SPRINGS = 20240607
ROPES = 20261115
