"""What `world[cloth]`, `world[solid]` and `world[pin]` of vertices give: copies of the last whole step; assigning teleports."""

from typing import Any

import numpy as np

from ..compile.cells import Quality, cell_volumes
from ..equations.elastic.blend_distance import blend_distance
from ..equations.elastic.deformation_gradient import cell_gradients, triangle_gradients
from ..hands.grip import thing_and_numbers
from ..model.soft_things import SoftThing
from ..report import Energy
from ..scene.cloth import Cloth
from ..scene.errors import fail
from ..scene.solid import Solid
from .handle import Handle
from .rope import HoldHandle, Reaction
from .soft_readings import face_pressure, vertex_forces


class SoftHandle(Handle):
    """A cloth or a solid of n vertices."""

    @property
    def _soft(self) -> SoftThing:
        return self._world._engine.model.soft[self._number.number]

    @property
    def positions(self) -> np.ndarray:
        """Of its vertices [m] (n, 3), world frame."""
        return self._world._engine.state.motion.position[self._soft.movers].copy()

    @positions.setter
    def positions(self, value) -> None:
        places, soft, rows = self._table("positions", value), self._soft, self._pinned
        moved = (rows >= 0) & (np.abs(places - self.positions).max(axis=1) > 1e-9)
        if moved.any():
            v = int(np.argmax(moved))
            name = next(name for name, (_, _, row) in self._world._index["pinned"].items() if row == rows[v])
            raise fail(self.thing, f"vertex {v} is held by Pin '{name}'; leave pinned vertices where they are.")
        state = self._world._engine.state
        state.motion.position[soft.movers] = places
        state.soft.scrambled[soft.number] = 1.0
        self._world._disturb()

    @property
    def velocities(self) -> np.ndarray:
        """Of its vertices [m/s] (n, 3), world frame; assigning leaves pinned ones to their pins."""
        return self._world._engine.state.motion.velocity[self._soft.movers].copy()

    @velocities.setter
    def velocities(self, value) -> None:
        speeds, soft = self._table("velocities", value), self._soft
        held = self._pinned >= 0
        speeds[held] = self.velocities[held]
        self._world._engine.state.motion.velocity[soft.movers] = speeds
        self._world._disturb()

    @property
    def _pinned(self) -> np.ndarray:
        """Rows of the pins that hold its vertices (n,); -1: none does."""
        return self._world._engine.state.soft.pin[self._soft.row:self._soft.row + len(self._soft.mass)]

    def _table(self, field: str, value) -> np.ndarray:
        try:
            table = np.array(value, float)
        except (TypeError, ValueError, OverflowError):
            table = np.zeros(0)
        shape = (len(self._soft.mass), 3)
        if table.shape != shape:
            raise fail(self.thing, f"{field} has shape {table.shape}; it must be {shape}.")
        if not np.isfinite(table).all():
            row = np.argmin(np.isfinite(table).all(axis=1))
            raise fail(self.thing, f"{field} has numbers that are not finite, first in row {row}; give finite ones.")
        return table

    @property
    def faces(self) -> np.ndarray:
        """Triangles of its surface (m, 3), counter-clockwise from outside."""
        return self._soft.faces.copy()

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self._soft.mass.sum())

    @property
    def quality(self) -> Quality:
        """How well shaped the cells of a solid are at rest: angles [rad], shapes [-], and how much of its surface they fill."""
        if not isinstance(self.thing, Solid):
            raise fail(self.thing, "it has no cells; quality is read of a Solid.")
        return self.thing.quality

    @property
    def stretches(self) -> np.ndarray:
        """Principal stretches [-], largest first: of the cells of a solid (c, 3), of the triangles of a cloth (m, 2)."""
        thing: Any = self.thing
        if isinstance(thing, Solid):
            elements, inverse = thing.filling.cells, cell_gradients(thing.rest, thing.filling.cells)[0]
        else:
            elements, inverse = thing.faces, triangle_gradients(thing.rest, thing.faces)[0]
        corner = self.positions[elements]
        gradient = np.swapaxes(corner[:, 1:] - corner[:, :1], 1, 2) @ inverse
        return np.linalg.svd(gradient, compute_uv=False)

    @property
    def strain(self) -> np.ndarray:
        """Of each cell (c,) or triangle (m,) [-]: the principal stretch farthest from 1, less 1; negative: pressed."""
        away = self.stretches - 1.0
        return away[np.arange(len(away)), np.abs(away).argmax(axis=1)]

    @property
    def volume(self) -> float:
        """Of a solid, or inside a closed cloth [m3]; with the relief of its patches."""
        thing: Any = self.thing
        patches = self._soft.patches
        if isinstance(thing, Cloth) and not thing.closed:
            raise fail(thing, "its mesh is open; only a closed one has a volume.")
        if patches is not None:
            return patches.volume(self.positions)
        if isinstance(thing, Solid):
            return float(cell_volumes(self.positions, thing.filling.cells).sum())
        corner = self.positions[thing.faces]
        corner -= corner.mean(axis=(0, 1))
        return float(np.einsum("fi,fi->", np.cross(corner[:, 0], corner[:, 1]), corner[:, 2]) / 6.0)

    @property
    def contact_force(self) -> np.ndarray:
        """Sum of all contact forces on it [N] (3,), mean over the last step, world frame."""
        return vertex_forces(self._world._engine, self._number.number).sum(axis=0)

    @property
    def pressure(self) -> np.ndarray:
        """Of contacts on the triangles of its surface [Pa] (m,), mean over the last step; on a cloth negative from behind.

        Times `.areas` it adds up to the sizes of what contacts press with, friction left out: on what is not flat no force,
        which is `.contact_force`.
        """
        return face_pressure(self._world._engine, self._number.number, isinstance(self.thing, Solid))

    @property
    def areas(self) -> np.ndarray:
        """Of the triangles of its surface, as they are now [m2] (m,)."""
        corner = self.positions[self._soft.faces]
        return 0.5 * np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)

    @property
    def blend(self) -> np.ndarray:
        """Shares of the shape at rest and of each example in the blend that a solid is nearest to [-] (k,), of sum 1."""
        share = self._world._engine.soft.bodies[self._number.number].block.blend.share
        if not len(share):
            raise fail(self.thing, "it has no examples; give examples to a Solid.")
        return share.copy()

    @property
    def blend_distance(self) -> float:
        """How far its cells are from that blend [-]: the root mean square of their strains away from it, by volume."""
        thing: Any = self.thing
        return blend_distance(thing.rest, thing.filling.cells, thing.examples, self.blend, self.positions)

    @property
    def energy(self) -> Energy:
        """Of its free vertices and its elements [J]; the work is that of all the last step's outer forces on it."""
        engine, soft = self._world._engine, self._soft
        mass, motion = soft.model.vertices.mass, engine.state.motion
        kinetic = 0.5 * float(mass @ (motion.velocity[soft.movers] ** 2).sum(axis=1))
        gravity = -float(mass @ (motion.position[soft.movers] @ np.array(engine.model.gravity)))
        body = engine.soft.bodies[self._number.number]
        return Energy(kinetic, gravity, body.elastic_energy(), body.work)


def rows_of(handle: Handle, kind: str):
    """Where a pin or an attachment of vertices stands in the arrays."""
    found = handle._world._index[kind].get(handle.name)
    if found is None:
        raise fail(handle.thing, "it was let go, and is no more.")
    return found


class VertexPinHandle(Handle):
    """A pin that holds vertices."""

    @property
    def position(self) -> np.ndarray:
        """The middle of the vertices it holds, or has held [m] (3,), world frame."""
        soft, numbers = thing_and_numbers(self._world, "what", self.thing.what)
        return self._world._engine.state.motion.position[soft.first + numbers].mean(axis=0)

    @property
    def force(self) -> np.ndarray:
        """On the vertices it holds [N] (3,), mean over the last step, world frame; their weight and inertia are in it."""
        self._check()
        return self._world._engine.state.soft.force[rows_of(self, "pinned")[2]].copy()

    @property
    def torque(self) -> np.ndarray:
        """Likewise about their middle [N m] (3,)."""
        self._check()
        return self._world._engine.state.soft.torque[rows_of(self, "pinned")[2]].copy()

    def _check(self) -> None:
        soft = self._world._engine.model.soft[self._number[0]]
        if soft.method == "position":
            raise fail(self.thing, f"'{soft.name}' is solved by method 'position', which moves vertices without forces; take "
                                   "another method to read what its pins bear.")


class TieHandle(HoldHandle):
    """An attachment of vertices."""

    @property
    def position(self) -> np.ndarray:
        """The middle of the vertices [m] (3,), world frame."""
        return self._points().mean(axis=0)

    def _points(self) -> np.ndarray:
        engine, (first, count, _) = self._world._engine, rows_of(self, "tie")
        return engine.state.motion.position[engine.state.tied.mover[first:first + count, 1]]

    def _reaction(self) -> Reaction:
        first, count, sign = rows_of(self, "tie")
        force, points = sign * self._world._engine.state.ties.force[first:first + count], self._points()
        return Reaction(force.sum(axis=0), np.cross(points - points.mean(axis=0), force).sum(axis=0))
