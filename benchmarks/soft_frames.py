"""Whole frames with cloth and solids that touch, for `pliant bench soft`: what a step of 1/60 s of a world takes."""

import time

FRAMES = 60
"""Frames of a second: of the first, in which things fall into place, and of the next."""


def frames() -> list[dict]:
    """Each scene in worlds of one and two threads."""
    return [_time_frame(name, make, threads) for name, make in _scenes().items() for threads in (1, 2)]


def _scenes() -> dict:
    import pliant as pl

    def cloth_on_a_ball() -> pl.Scene:
        """50 x 50 vertices, touching themselves, over a ball that is free on the ground."""
        scene = pl.Scene()
        scene.add(pl.Ground())
        scene.add(pl.Body("ball", pl.Sphere(0.3), mass=20.0, position=(0.0, 0.0, 0.3)))
        scene.add(pl.Cloth("sheet", pl.Sheet(1.0, 1.0, 1.0 / 49.0), thickness=2e-3, position=(0.0, 0.0, 0.602)))
        return scene

    def heap_of_solids() -> pl.Scene:
        """Three cubes of 216 vertices on each other."""
        scene = pl.Scene()
        scene.add(pl.Ground())
        for k in range(3):
            scene.add(pl.Solid(f"cube{k}", pl.Box(0.2, 0.2, 0.2), spacing=0.04, position=(0.02 * k, 0.01 * k, 0.1 + 0.205 * k),
                               material=pl.Material(1000.0, 1e5, poisson=0.4)))
        return scene

    return {"cloth 50 x 50 with self-contact on a ball": cloth_on_a_ball, "three cubes on each other": heap_of_solids}


def _time_frame(name: str, make, threads: int) -> dict:
    """A row of the page: frames of a world once it lies, and of its first second."""
    import pliant as pl

    world = pl.World(make(), threads=threads)
    falling, lying = _timed(world), _timed(world)
    return {"scene": name, "threads": threads, "contacts": int(world._engine.state.soft_contacts.count[0]),
            "substeps": _middle_and_most(lying["substeps"]), "iterations": _middle_and_most(lying["iterations"]),
            "ms a frame": _middle(lying["wall"]), "fastest": round(min(lying["wall"]), 2),
            "processor ms": _middle(lying["processor"]), "slowest": round(max(lying["processor"]), 2),
            "in the first second": _middle(falling["processor"]), "slowest then": round(max(falling["processor"]), 2),
            "iterations then": _middle_and_most(falling["iterations"])}


def _timed(world) -> dict[str, list]:
    """Of each of the next frames: times [ms], substeps, and iterations of the soft thing that took most, in all of them."""
    found: dict[str, list] = {"wall": [], "processor": [], "substeps": [], "iterations": []}
    for _ in range(FRAMES):
        start, used = time.perf_counter(), time.process_time()
        report = world.step()
        found["wall"].append(1e3 * (time.perf_counter() - start))
        found["processor"].append(1e3 * (time.process_time() - used))
        found["substeps"].append(report.substeps)
        found["iterations"].append(max(body.iterations for body in world._engine.soft.bodies))
    return found


def _middle(numbers: list) -> float:
    return round(sorted(numbers)[len(numbers) // 2], 2)


def _middle_and_most(numbers: list) -> str:
    return f"{sorted(numbers)[len(numbers) // 2]}, up to {max(numbers)}"
