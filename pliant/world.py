"""A scene in motion: the loop that users run."""

import threading
import time as clock
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from .compile.cells import Quality
from .compile.compiler import compile_scene
from .compile.motions import Driver
from .couple.step import Engine, Mixture
from .handles.contact_list import ContactList, listed, named_shapes
from .handles.control import Controls
from .handles.handle import BodyHandle, Handle
from .handles.handle_of import handle_of
from .handles.placed_springs import stretch
from .handles.robot import robot_of
from .hands.grip import Grip, grab, grips_of
from .hands.grip_on_body import BodyGrip, step_drawn
from .hands.holding import attach, detach, pin, take_over
from .hands.numbered import Hands
from .inputs import take_inputs
from .model.arena import pack
from .model.bodies import DYNAMIC, PAST_STEP
from .model.point_ropes import KIND, POSITION
from .model.soft_things import VERTEX
from .pushes import Pushed, apply_force, clear
from .report import Energy, Gathered, Report, counted, digits
from .scene.attachment import Attachment, Pin
from .scene.errors import SceneError, number, shown, vector
from .scene.scene import Scene
from .scene.solid import Solid
from .scene.thing import name_of
from .set_with_care import SetWithCare, of_class_and_object, whole
from .substeps import SHORTEST_STEP, pace, plan_soft, settle, settle_threads, soft_alone
from .watch.cloth import ClothWatch
from .watch.direct_ropes import DirectWatch
from .watch.fallen import Fallen
from .watch.gains import GainWatch
from .watch.happenings import Happenings
from .watch.made_report import made_report
from .watch.overruns import OverrunWatch
from .watch.point_ropes import RopeWatch
from .watch.refused_steps import refuse_diverged, refuse_mixture, refuse_stiff
from .watch.ropes_in_bodies import RopesInBodies
from .watch.soft_in_others import SoftInOthers
from .watch.tears import GapeWatch, refuse_torn, torn_apart

_ITERATIONS = 6
_PASSES = 20  # of worlds with ropes by positions, whose stiffness they make: as many as in figure 8 of paper C


class World(SetWithCare):
    """A scene in motion: `step` and `run` advance it, `world[name]` shows a thing, `control` turns the operator's knobs.

    `dt` [s] is the time of a step, `substeps` the parts it is solved in ("auto": settled here, see `world.substeps`),
    `threads` how many islands are solved at a time (None: as many as there are cores).
    """

    scene: Scene
    """A copy of what it was made of."""
    dt: float
    """Time of a step [s]; may be set."""
    substeps: int
    """Parts that a step is solved in; may be set."""
    soft_substeps: int
    """The same where cloth and solids are, and for all that they touch or hang on, at most; may be set for all. By "auto" soft
    things alone, and cloth beside loose bodies that are heavier, take half as many."""
    iterations: int
    """Sweeps over contacts and other rows in a substep, at most; may be set."""
    control: Controls
    """The operator's controls, by name."""
    warnings: list[str]
    """What is doubtful about the scene, each with the thing and the remedy."""
    body_names: list[str]
    """Of all bodies, in the order of `body_poses`."""
    shape_names: list[str]
    """Of what contacts may touch, as `contacts` names them."""

    def __init__(self, scene: Scene, dt: float = 1.0 / 60.0, substeps: int | str = "auto", threads: int | None = None,
                 *, _as_blocks: tuple[str, ...] = (), _ready: bool = True) -> None:
        if not isinstance(scene, Scene):
            raise SceneError(f"World: scene is {shown(scene)}; give a Scene, as pl.load gives it too.")
        self.scene = scene = scene.copy()
        self.dt = dt
        compiled = compile_scene(scene, _as_blocks)
        bodies = compiled.model.bodies
        soft = bool(compiled.model.soft) and bool((bodies.link[bodies.kind == DYNAMIC] == VERTEX).all())
        self.substeps, slow = settle(substeps, self.dt, compiled.limits, soft)
        plan = plan_soft(substeps, self.dt, compiled.model.soft)
        self.soft_substeps = int(plan[:, 0 if soft_alone(compiled.model) else 1].max(initial=1))
        self.iterations = _PASSES if (compiled.model.point_ropes.rope[:, KIND] == POSITION).any() else _ITERATIONS
        self._index, self._places, self._signals = compiled.index, compiled.places, compiled.signals
        self._loads, self.warnings, self._limits = compiled.loads, compiled.warnings + slow, compiled.limits
        self._winds = compiled.winds
        self._pushing: list[Pushed] = []  # by apply_force, through the coming step
        self._pushed: list[Pushed] = []  # and through the last
        self._watch = RopeWatch(scene, compiled.index["rope"])
        self._watch_gaps = GapeWatch()
        self._watch_cloth = ClothWatch()
        self._watch_direct = DirectWatch(scene, compiled.index["rope"])
        self._drivers = [Driver(body, thing) for body, thing in compiled.driven]
        self._engine = Engine(compiled.model, compiled.state, settle_threads(threads), _ready)
        self._adapt(isinstance(substeps, str), plan)
        self._things = {thing.name: thing for thing in scene.flat()}
        self._happenings = Happenings(self)
        self._start = pack(self._engine.state)[1]
        self.control = Controls(compiled.controls, self._engine)
        self._hands = Hands()
        self._grips: dict[int, Grip] = {}
        self._body_grips: dict[int, BodyGrip] = {}
        self._made: dict[str, Pin | Attachment] = {}  # while it ran: by name what holds vertices
        self._callbacks: list[Callable] = []
        self._driver: int | None = None
        self._moved = False
        self.body_names = list(self._index["body"])
        self.shape_names = named_shapes(scene, self._index["body"], self._engine.model.shapes.body)
        self._watch_bodies = RopesInBodies(self)
        self._watch_sunk = SoftInOthers(self)
        self._watch_fallen = Fallen(self)
        self._watch_gains = GainWatch(self)
        self._watch_limits = OverrunWatch(self)

    def __setattr__(self, name: str, value) -> None:
        if name == "dt":
            value = number(self, "dt", value, "s", above=0.0, least=SHORTEST_STEP, most=1e6)
        elif name in ("substeps", "soft_substeps", "iterations"):
            value = whole(name, value)
        super().__setattr__(name, value)
        if name == "soft_substeps" and "_engine" in self.__dict__:
            self._adapt(self._adapts, value)

    @property
    def threads(self) -> int:
        """Islands that are solved at a time, at most."""
        return self._engine.threads

    @property
    def time(self) -> float:
        """[s]"""
        return float(self._engine.state.clock.time[0])

    def step(self) -> Report:
        """Advance by one `dt`; returns how it came out."""
        if self._driver not in (None, threading.get_ident()):
            raise RuntimeError("A viewer is stepping this world; stop it first (viewer.stop()).")
        engine = self._engine
        if self._moved:
            refuse_torn(self)
            self._watch_gaps.moved(self)
            self._watch_gains.moved()
            self._watch_limits.moved(self)
            self._moved = False
        self._watch_gains.begin(self)
        engine.keep()
        take_inputs(self)
        try:
            step_drawn(self)
        except Mixture as met:
            refuse_mixture(self, met)
        except np.linalg.LinAlgError:
            refuse_stiff(self)
        return self._finish()

    def run(self, seconds: float, each: Callable | None = None, progress: bool = False, realtime: bool = False) -> Report:
        """Advance by `seconds`, as fast as it goes or in `realtime`; each(world) before every step, True ends.

        Returns the report of the last step, with the worst figures, events and warnings of all steps, each warning once.
        """
        steps = round(number(self, "seconds", seconds, "s", least=0.0, most=1e12) / self.dt)
        if each is not None and not callable(each):
            raise SceneError(f"World: each is {shown(each)}; it must be a function of the world, called before every step.")
        started, gathered = clock.perf_counter(), Gathered(self.warnings)
        for k in counted(range(steps), f"simulating in {pace(self)}" if progress else ""):
            if each is not None and each(self) is True:
                break
            gathered.take(self.step())
            if realtime:
                clock.sleep(max(0.0, started + (k + 1) * self.dt - clock.perf_counter()))
        return gathered.report() or made_report(self, self._engine.measure(), ())

    def on_step(self, function: Callable) -> None:
        """Call function(world) after every step."""
        if not callable(function):
            raise SceneError(f"World: on_step was given {shown(function)}; it must be a function that takes the world.")
        self._callbacks.append(function)

    def reset(self) -> None:
        """Back to the start; controls too."""
        self._engine.adopt(self._start)
        take_over(self, {})
        self._happenings.forget()
        self._watch_gains.forget()
        self._watch_limits.forget(self)
        self._pushing, self._pushed = [], []

    def energy(self) -> Energy:
        """Energies now [J]."""
        if self._moved:
            stretch(self._engine.state.sprung, self._engine.state.springs, self._engine.state.motion)
        figures = self._engine.measure()
        return Energy(figures.kinetic, figures.gravity, figures.elastic, float(self._engine.state.clock.work[0]))

    def hash(self) -> str:
        """16 hexadecimal digits of the bits of all positions and velocities."""
        return digits(self._engine.measure().hash)

    def apply_force(self, what, force, torque=(0.0, 0.0, 0.0), at=None) -> None:
        """Push something through the next step: force [N], torque [N m], world frame.

        It acts at the point `at` [m]; if None, at a body's centre of mass, or at the place on a rope.
        """
        apply_force(self, what, np.array(vector(self, "force", force)), np.array(vector(self, "torque", torque)), at)

    def grab(self, what, at=None, stiffness: float | None = None, max_force: float | None = None) -> Grip | BodyGrip:
        """Draw a body, or vertices of a cloth or a solid, to a place, as with a hand: a grip with .target, .force, .release().

        `what`: a body or a link, held at the point `at` [m], world frame, None: its centre of mass; thing.vertices(selector);
        or a thing, of which the vertex nearest to `at` is taken. `stiffness` [N/m]; `max_force` [N]: a body is drawn no harder,
        mean over a step.
        """
        return grab(self, what, at, stiffness, max_force)

    @property
    def grips(self) -> list[Grip | BodyGrip]:
        """The grips that hold something, in the order they were made, also those of a restored world."""
        return grips_of(self)

    def attach(self, a, b, at=None, clamp: bool = False, name: str | None = None) -> Handle:
        """Hold vertices of a cloth or a solid, from now on, where they are: to a body, a site, a place on a rope of method
        'direct', or other vertices. `a`, `b` and `at` are as in scene.attach; .force says what it bears.
        """
        return attach(self, a, b, at, clamp, name)

    def pin(self, what, position=None, clamp: bool = False, motion=None, slide=None, name: str | None = None) -> Handle:
        """Hold vertices of a cloth or a solid, from now on, where they are; .force says what it bears.

        They stop at once. `what` is as in scene.pin; what else that takes is refused here.
        """
        return pin(self, what, position, clamp, motion, slide, name)

    def detach(self, name) -> None:
        """Let go the vertices that a pin or an attachment holds, of the scene or made while the world ran."""
        detach(self, name_of(name))

    def save(self, path) -> None:
        """Write scene and state to one file, all or nothing; the continued run has the same bits."""
        from .record.snapshot import save_world

        save_world(self, path)

    @of_class_and_object
    def restore(self: Any, path, scene: Scene | None = None) -> "World":
        """World.restore(path) is the world that `save` wrote; `scene` where the file could not hold it. Of a world that is
        there, world.restore(path) brings back the state, and returns that world.
        """
        from .record.snapshot import restore_into, restore_world

        return restore_world(self, path, scene) if isinstance(self, type) else restore_into(self, path, scene)

    @property
    def contacts(self) -> ContactList:
        """The contacts of the last step that bear a force."""
        return listed(self._engine, self.shape_names)

    @property
    def quality(self) -> Mapping[str, Quality]:
        """By the name of each solid, how well shaped its cells are at rest: angles [rad], shapes [-]; cloth has no cells."""
        return MappingProxyType({name: one.quality for name, one in self._things.items() if isinstance(one, Solid)})

    def body_poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (n, 3) [m] and quaternions (n, 4) of the own frames of `body_names`, world frame."""
        poses = [BodyHandle(self, self._things[name], self._places[name])._pose() for name in self.body_names]
        return np.array([p.position for p in poses]).reshape(-1, 3), np.array([p.quaternion for p in poses]).reshape(-1, 4)

    def __getitem__(self, name) -> Handle:
        return handle_of(self, name_of(name))

    def __contains__(self, name) -> bool:
        return name_of(name) in self._things or robot_of(self.scene, name_of(name)) is not None

    def __repr__(self) -> str:
        count = len(self.scene)
        return f"<World of {count} {'thing' if count == 1 else 'things'} at t = {self.time:g} s, {pace(self)}>"

    def _later(self) -> float:
        """The time at the end of the coming step [s]: a multiple of dt to the last bit, not a sum that drifts."""
        now, dt = self.time, self.dt
        steps = now / dt
        whole = round(steps)
        return (whole + 1) * dt if abs(steps - whole) < 1e-6 else now + dt  # the latter if dt was changed

    def _finish(self) -> Report:
        """After the solver: motions to their places, the finite check, events, callbacks."""
        engine, state, later = self._engine, self._engine.state, self._later()
        for driver in self._drivers:
            driver.arrive(state.motion, later)
        figures = engine.measure()
        torn = torn_apart(self) if figures.bad < 0 and figures.stretch > 1.0 else None
        if figures.bad >= 0 or torn is not None:
            refuse_diverged(self, figures.bad, torn)
        state.clock.time[0] = later
        state.clock.work[0] += figures.work
        clear(state.push)
        if self._pushing or self._pushed:
            self._pushed, self._pushing = self._pushing, []
        report = made_report(self, figures, self._happenings.gather(self))
        for function in self._callbacks:
            function(self)
        return report

    def _adapt(self, may: bool, plan) -> None:
        """Whether cloth and solids may take more substeps than the `plan` has, as "auto" lets them."""
        self._adapts = may
        if self._engine.soft is not None:
            self._engine.soft.adapts, self._engine.soft.plan[:] = may, plan

    def _disturb(self) -> None:
        """A teleport: impulses kept from the last step no longer fit."""
        state, self._moved = self._engine.state, True
        state.contacts.count[0] = state.soft_contacts.count[0] = 0
        state.history.table[:, PAST_STEP] = 0.0
