"""Seeds of the sweeps over random points, by what they sweep; printed at the end of every run."""

SPRINGS = 20240607
SPRINGS_TOGETHER = 20261115
SPRINGS_TOUCHING = 20261116
ROPES = 20261115
GMRES = 20261117
SPRINGS_DRIVEN = 20261117
SOFT_RODS = 20261119
