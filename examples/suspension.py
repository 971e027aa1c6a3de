"""What the body feels of the same bumps on coil springs, struts, torsion bars and rigid axles, once it drives."""

import numpy as np

import pliant as pl

START = 0.5  # [s] by then the wheels have taken hold
VARIANTS = ("scout", "scout-struts", "scout-torsion", "scout-rigid")


def build(variant: str = "scout") -> pl.World:
    return pl.World(pl.load(variant))


def ride(world: pl.World, seconds: float) -> np.ndarray:
    """Vertical acceleration of the chassis [m/s2], one number a step."""
    speeds = []
    world.run(seconds, each=lambda w: speeds.append(w["scout/chassis"].velocity[2]))
    return np.diff(speeds) / world.dt


def measure(seconds: float = 8.0) -> dict[str, tuple[float, float]]:
    """Root mean square and peak of each variant's acceleration [m/s2]."""
    figures = {}
    for variant in VARIANTS:
        world = build(variant)
        world.run(START)
        felt = ride(world, seconds - START)
        figures[variant] = (float(np.sqrt(np.mean(felt**2))), float(np.abs(felt).max()))
    return figures


def check() -> None:
    figures = measure()
    rigid_rms, rigid_peak = figures.pop("scout-rigid")
    for variant, (rms, peak) in figures.items():
        assert rms < rigid_rms and peak < rigid_peak, variant


if __name__ == "__main__":
    print("vertical acceleration of the body over the same 6 m of bumps")
    for variant, (rms, peak) in measure().items():
        print(f"{variant:15s} rms {rms:6.2f} m/s2   peak {peak:6.2f} m/s2")
