"""Writes the scenes `crash` and `crash-plain`: two cars of volume patches that meet head-on, and how they crumple."""

from pathlib import Path

import numpy as np

from pliant.scene.patch import PatchMesh

BUILT_IN = Path(__file__).resolve().parents[1] / "pliant" / "scene" / "built_in"
LENGTH, SPEED = 4.2, 7.0  # of a car [m], [m/s]
AHEAD, ASIDE = 3.0, 0.3  # where the middle of a car starts, from the middle between them [m]
GAP = 0.002  # between a car and the ground at the start [m]

ABOUT = {
    "crash": "two cars of volume patches crash head-on, offset; they like to crumple as examples say (crash-plain: without)",
    "crash-plain": "the crash of two cars without examples, as their material alone has it",
}
CARS = (("red", -1.0, "[1.0, 0.0, 0.0, 0.0]", "[0.76, 0.28, 0.27]"),
        ("blue", 1.0, "[0.0, 0.0, 0.0, 1.0]", "[0.15, 0.35, 0.65]"))
"""Name, side it comes from, quaternion, colour."""


def pushed_in(rest: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Vertices (n, 3) [m] with the nose pushed in by up to 0.19 lengths, times `share` (n,): it widens, the bonnet rises."""
    x, y, z = rest.T / LENGTH
    push = share * np.maximum(x - 0.12, 0.0) / 0.38
    lift = np.clip((z - 0.07) / 0.135, 0.0, 1.0)
    return rest + LENGTH * np.stack([-0.19 * push, 0.12 * push * y, 0.035 * push * lift], axis=1)


def examples(rest: np.ndarray) -> dict[str, np.ndarray]:
    """The nose pushed in straight, and on its left."""
    left = np.clip(0.6 + 0.6 * rest[:, 1] / (0.18 * LENGTH), 0.0, 1.2)
    return {"straight": pushed_in(rest, np.ones(len(rest))), "left": pushed_in(rest, left)}


def car(mesh: PatchMesh, name: str, side: float, turn: str, color: str, liking: bool) -> list[str]:
    """The lines of one car."""
    lowest = mesh.tessellate(0.002).vertices[:, 2].min()
    place = [side * AHEAD, side * ASIDE, round(float(GAP - lowest), 3)]
    quadrics = [f"        - {{type: Quadric, amplitude: {one.amplitude!r}, matrix: {one.matrix.tolist()!r}}}"
                for one in mesh.quadrics]
    wishes = ["    examples: [{array: straight}, {array: left}]  # the nose pushed in, straight and on its left",
              "    example_stiffness: 3.0e+6"]
    return [
        "  - type: Solid", f"    name: {name}", "    mesh:",
        f"      type: PatchMesh  # PatchMesh.car_body(): {len(mesh.cells)} cells in a sum of {len(mesh.quadrics)} quadrics",
        "      vertices: {array: vertices}", "      faces: {array: faces}", "      cells: {array: cells}", "      quadrics:",
        *quadrics, "    material: {type: Material, density: 200.0, young: 1.0e+5, poisson: 0.3}", *(wishes if liking else []),
        f"    position: {place}", f"    quaternion: {turn}", f"    velocity: [{-side * SPEED}, 0.0, 0.0]",
        "    friction: 0.4", f"    color: {color}",
    ]  # fmt: skip


def main() -> None:
    mesh = PatchMesh.car_body(LENGTH)
    np.savez_compressed(BUILT_IN / "crash.npz", vertices=mesh.vertices, faces=mesh.faces, cells=mesh.cells,
                        **examples(mesh.vertices))  # type: ignore[arg-type]
    for scene, about in ABOUT.items():
        lines = ["# Made by tools/make_crash.py.", "pliant: 1", f'about: "{about}"', "arrays: crash.npz", "things:",
                 "  - type: Ground", "    friction: 0.4"]
        for one in CARS:
            lines += car(mesh, *one, scene == "crash")
        (BUILT_IN / f"{scene}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
