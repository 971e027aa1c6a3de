"""A mass on a spring beside the implicit Euler recurrence that it must follow, at any stiffness and any step."""

import pliant as pl


def build(stiffness: float = 200.0, damping: float = 1.0, dt: float = 1 / 60) -> pl.World:
    scene, changed = pl.load("oscillator"), pl.Scene()
    for thing in scene:
        changed.add(thing.replace(stiffness=stiffness, damping=damping) if thing.name == "coil" else thing)
    return pl.World(changed, dt=dt)


def recurrence(world: pl.World):
    """Lengths of the spring [m], one a step: m v' = m v + h (m g - k x' - c v'), x' = x + h v'."""
    load, coil, h = world.scene["load"], world.scene["coil"], world.dt / world.substeps
    m, k, c, g = load.mass, coil.stiffness, coil.damping, -world.scene.gravity[2]
    x, v = world.scene["hook"].position[2] - load.position[2] - coil.rest_length, 0.0
    while True:
        for _ in range(world.substeps):
            v = (v + h * g - h * k / m * x) / (1 + h * c / m + h * h * k / m)
            x += h * v
        yield coil.rest_length + x


def compare(world: pl.World, seconds: float = 10.0) -> float:
    """Largest difference between the world and the recurrence [m]."""
    exact, worst = recurrence(world), 0.0
    for _ in range(round(seconds / world.dt)):
        world.step()
        worst = max(worst, abs(world["coil"].length - next(exact)))
    return worst


def check() -> None:
    for stiffness, damping, dt in ((200.0, 1.0, 1 / 60), (200.0, 0.0, 0.1), (1e6, 0.0, 0.1), (1e-2, 5.0, 1e-3)):
        # Lengths of up to 2 m in doubles, some thousand additions of h v: 1e-12 leaves a factor of ten to rounding.
        assert compare(build(stiffness, damping, dt), 200 * dt) < 1e-12, (stiffness, damping, dt)


if __name__ == "__main__":
    world = build()
    print(f"{world.substeps} substeps a step; largest difference in 10 s: {compare(world):.1e} m")
