"""A world with closed-form motion, for tests of the viewer alone: bodies fall, swing and turn as formulas say."""

from types import SimpleNamespace

import numpy as np

from pliant import WORLD, Body, Control, Scene, Spring
from pliant.scene.errors import Diverged


class StandIn:
    """What the viewer asks of a world: moving bodies turn about z at the first control's rate and bob on a sine."""

    def __init__(self, scene: Scene, dt: float = 1.0 / 60.0, diverge_at: float = np.inf) -> None:
        self.scene, self.dt, self.substeps, self.warnings = scene, dt, 4, []
        self.bodies = [thing for thing in scene.flat() if isinstance(thing, Body)]
        self.body_names = [body.name for body in self.bodies]
        self.diverge_at = diverge_at
        self._driver = None
        self.reset()

    def reset(self) -> None:
        self.time, self.turned = 0.0, 0.0
        self.control = {thing.name: thing.value for thing in self.scene.flat() if isinstance(thing, Control)}

    def step(self):
        if self.time + self.dt > self.diverge_at:
            raise Diverged(self.time, self.body_names[0], "left the space of numbers")
        self.time += self.dt
        self.turned += self.dt * next(iter(self.control.values()), 1.0)
        return SimpleNamespace(time=self.time, warnings=[], events=[])

    def body_poses(self):
        positions = np.array([body.position for body in self.bodies])
        quaternions = np.array([body.quaternion for body in self.bodies])
        moving = np.array([not body.fixed for body in self.bodies])
        positions[moving, 2] += 0.1 * np.sin(2.0 * self.time)
        half = 0.5 * self.turned
        turn = np.array([np.cos(half), 0.0, 0.0, np.sin(half)])
        w, x, y, z = quaternions[moving].T
        quaternions[moving] = np.stack([turn[0] * w - turn[3] * z, turn[0] * x - turn[3] * y,
                                        turn[0] * y + turn[3] * x, turn[0] * z + turn[3] * w], axis=-1)
        return positions, quaternions

    def energy(self):
        return SimpleNamespace(kinetic=1.0, gravity=12345.0, elastic=0.0, total=12346.0, work=0.0)

    def __getitem__(self, name: str):
        thing = self.scene[name]
        if isinstance(thing, Spring):
            return SimpleNamespace(ends=np.array([self._place(thing.a, thing.at_a), self._place(thing.b, thing.at_b)]))
        row = self.body_names.index(name)
        return SimpleNamespace(position=self.body_poses()[0][row], quaternion=self.body_poses()[1][row])

    def _place(self, name: str, offset):
        return np.asarray(offset) if name == WORLD else self.body_poses()[0][self.body_names.index(name)] + offset
