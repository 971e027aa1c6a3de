"""Whole frames with cloth and solids that touch, for `pliant bench soft`: what a step of 1/60 s of a world takes."""

import time

FRAMES = 60
"""Timed frames, after a second that lets things fall into place."""


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
    import pliant as pl

    world = pl.World(make(), threads=threads)
    world.run(1.0)
    wall, processor = [], []
    for _ in range(FRAMES):
        start, used = time.perf_counter(), time.process_time()
        world.step()
        wall.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return {"scene": name, "threads": threads, "substeps": world.soft_substeps,
            "contacts": int(world._engine.state.soft_contacts.count[0]),
            "ms a frame": round(1e3 * sorted(wall)[FRAMES // 2], 2), "fastest": round(1e3 * min(wall), 2),
            "processor ms": round(1e3 * sorted(processor)[FRAMES // 2], 2)}
