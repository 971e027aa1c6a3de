"""What is watched while a scene runs, the figures that come of it, and whether they are good enough."""

import numpy as np

import pliant as pl

from .checks import Ledger, State, box_penetration, chain_reference, chain_tip, names
from .parts import placed_shapes, rotation
from .scenes import DT, LINK_LENGTH, LINKS


class Chain:
    """Tip against the reference, gaps of the joints, energy."""

    seconds = 5.0
    demand = ("at t = 1 s the tip within 1 % of the length (5 cm) of Lagrange's equations and the energy within 5 % of "
              "the peak kinetic energy; over 5 s joints open by at most 1 mm and at most 5 % energy from nowhere")

    def __init__(self, scene: pl.Scene) -> None:
        self._ledger = Ledger(scene)
        self._reference = chain_reference(scene, [1.0])[0]
        self._energies: list[tuple[float, float]] = []
        self._gap = 0.0
        self._tip = np.full(2, np.inf)

    def look(self, step: int, state: State) -> None:
        """After every output step; step 0 is the start."""
        self._energies.append(self._ledger.energy(state))
        if step:
            self._gap = max(self._gap, self._ledger.gap(state))
        if step == round(1.0 / DT):
            self._tip = chain_tip(state)

    def figures(self) -> dict[str, float]:
        """Name with unit to value."""
        kinetic, gravity = np.array(self._energies).T
        change = 100.0 * (kinetic + gravity - kinetic[0] - gravity[0]) / kinetic[: round(1.0 / DT) + 1].max()
        first = change[: round(1.0 / DT) + 1]
        return {"tip error [mm]": 1e3 * float(np.linalg.norm(self._tip - self._reference)),
                "largest gap [mm]": 1e3 * self._gap, "energy to 1 s [%]": float(first[np.abs(first).argmax()]),
                "gain to 5 s [%]": float(change.max()), "energy at 5 s [%]": float(change[-1])}

    def passes(self) -> bool:
        """Whether the demand is met."""
        f = self.figures()
        return bool(f["tip error [mm]"] <= 10.0 * LINK_LENGTH * LINKS and f["largest gap [mm]"] <= 1.0
                    and abs(f["energy to 1 s [%]"]) <= 5.0 and f["gain to 5 s [%]"] <= 5.0)


class Pile:
    """Overlap and speed once the heap lies."""

    seconds = 5.0
    demand = "in the last second no overlap above 1 cm and 95 % of the boxes slower than 1 cm/s"

    def __init__(self, scene: pl.Scene) -> None:
        self._scene = scene
        self._ledger = Ledger(scene)
        self._rows: list[tuple[float, float, float, float]] = []

    def look(self, step: int, state: State) -> None:
        """After every output step."""
        if step * DT < self.seconds - 1.0 or step % 6:
            return
        speed = np.linalg.norm(state.velocities, axis=1)
        height = self._ledger.mass @ self._ledger.centers(state)[:, 2] / self._ledger.mass.sum()
        self._rows.append((box_penetration(self._scene, state), np.percentile(speed, 95.0), speed.max(), height))

    def figures(self) -> dict[str, float]:
        """Name with unit to value."""
        overlap, most, largest, height = np.array(self._rows).T
        return {"overlap [mm]": 1e3 * float(overlap.max()), "95 % slower than [mm/s]": 1e3 * float(most.max()),
                "largest speed [mm/s]": 1e3 * float(largest.max()), "mass centre [m]": float(height[-1])}

    def passes(self) -> bool:
        """Whether the demand is met."""
        f = self.figures()
        return f["overlap [mm]"] <= 10.0 and f["95 % slower than [mm/s]"] <= 10.0


class Scout:
    """Way driven, wheels on the terrain, upright."""

    seconds = 10.0
    end = (-7.33, 0.015)
    """Where it stands after 10 s [m]: MuJoCo at 8 substeps and PyBullet at 16 agree on it to 3 cm (`--tune`)."""
    demand = "upright, wheels sink at most 2 cm into the terrain, the end within 5 % (37 cm) of (-7.33, 0.015) m"

    def __init__(self, scene: pl.Scene) -> None:
        self._names = names(scene)
        bodies = {t.name: t for t in scene.flat() if isinstance(t, pl.Body)}
        self._chassis = next(i for i, n in enumerate(self._names) if n.endswith("chassis"))
        self._level = max([t.height for t in scene.flat() if isinstance(t, pl.Ground)], default=-np.inf)
        self._terrain = next(b for b in bodies.values() if isinstance(b.shape, pl.HeightField))
        self._wheels = {i: _rim(bodies[n]) for i, n in enumerate(self._names) if "wheel" in n and bodies[n].collide}
        self._track: list[np.ndarray] = []
        self._upright = 1.0
        self._depths: list[np.ndarray] = []

    def look(self, step: int, state: State) -> None:
        """After every output step; step 0 is the start."""
        self._track.append(state.positions[self._chassis].copy())
        self._upright = min(self._upright, rotation(state.quaternions[self._chassis])[2, 2])
        if step * DT > 1.0:
            self._depths.append(np.array([self._depth(state, i, rim) for i, rim in self._wheels.items()]))

    def _depth(self, state: State, i: int, rim: np.ndarray) -> float:
        """How deep the wheel is in the terrain [m], straight down; negative above it."""
        points = state.positions[i] + rim @ rotation(state.quaternions[i]).T - self._terrain.position
        heights, size = self._terrain.shape.heights, self._terrain.shape.size
        cells = np.array(heights.shape) - 1
        place = np.clip((points[:, :2] / size + 0.5) * cells, 0.0, cells - 1e-9)
        cell, part = place.astype(int), place % 1.0
        (i0, j0), (u, v) = cell.T, part.T
        ground = (heights[i0, j0] * (1 - u) * (1 - v) + heights[i0 + 1, j0] * u * (1 - v)
                  + heights[i0, j0 + 1] * (1 - u) * v + heights[i0 + 1, j0 + 1] * u * v)
        ground = np.maximum(ground, self._level - self._terrain.position[2])
        return float((ground - points[:, 2]).max())

    def figures(self) -> dict[str, float]:
        """Name with unit to value."""
        track, depths = np.array(self._track), np.array(self._depths)
        way = np.linalg.norm(np.diff(track[:, :2], axis=0), axis=1).sum()
        return {"way driven [m]": float(way), "end x [m]": float(track[-1, 0]), "end y [m]": float(track[-1, 1]),
                "end off [m]": float(np.linalg.norm(track[-1, :2] - self.end)),
                "least upright [-]": float(self._upright), "wheels sink [mm]": 1e3 * float(depths.max()),
                "wheels down [%]": 100.0 * float((depths > -0.01).mean())}

    def passes(self) -> bool:
        """Whether the demand is met."""
        f = self.figures()
        return f["least upright [-]"] > 0.5 and f["wheels sink [mm]"] <= 20.0 and f["end off [m]"] <= 0.37


def _rim(body: pl.Body) -> np.ndarray:
    """Points on the running surface of a wheel [m], body's frame (n, 3)."""
    points = []
    for placed in placed_shapes(body):
        shape = placed.shape
        angle = np.linspace(0.0, 2.0 * np.pi, 128, endpoint=False)
        for along in (-0.5, -0.25, 0.0, 0.25, 0.5):
            radius = shape.radius if hasattr(shape, "length") else shape.radius * np.sqrt(1.0 - (2 * along) ** 2)
            reach = along * getattr(shape, "length", 2.0 * shape.radius)
            ring = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full_like(angle, reach)], axis=1)
            points.append(np.array(placed.position) + ring @ rotation(placed.quaternion).T)
    return np.concatenate(points)
