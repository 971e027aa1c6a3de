"""Scene to Model and State: the order of the passes, and one small function per kind of thing, chosen by type."""

from functools import singledispatch
from typing import NamedTuple

import numpy as np

from ..model.blocks import Blocks
from ..model.bodies import History, Push
from ..model.contacts import Contacts
from ..model.joints import CoordinateState, DriveState, JointState
from ..model.model import Clock, Damage, Model, State
from ..model.point_ropes import PointRopeState
from ..model.schema import allocate, fill
from ..model.shapes import Excluded
from ..model.soft_contacts import SoftContacts, TieState
from ..model.springs import SpringState
from ..scene.attachment import Attachment, Pin
from ..scene.body import Body, Ground, Site
from ..scene.cloth import Wind
from ..scene.control import Control, Load
from ..scene.errors import SceneError, unknown_control, unknown_name
from ..scene.joint import Joint, Latch
from ..scene.robot import Robot
from ..scene.rope import Rope
from ..scene.soft import Soft
from ..scene.spring import JointSpring, Spring
from ..scene.thing import Thing
from .bodies import draft_body, draft_ground, draft_site, draft_world
from .doubts import doubt
from .draft import Draft, Place
from .holds import draft_attachment, draft_pin, warn_of_turns
from .hulls import pack_fields, pack_hulls
from .joints import draft_joint, draft_joint_spring, draft_latch, draft_spring, order_drives
from .passing import let_links_pass, let_pieces_pass
from .point_ropes import (
    draft_point_attachment,
    draft_point_load,
    draft_point_pin,
    draft_point_rope,
    freeze_point_ropes,
    on_point_rope,
)
from .refusals import refuse
from .ropes import draft_rope, draft_rope_load, rope_place
from .signals import Signals, signals_of
from .soft import (
    draft_soft,
    draft_soft_load,
    draft_soft_pin,
    draft_wind,
    freeze_soft,
    on_soft,
    soft_state,
)
from .soft_surfaces import freeze_surfaces
from .soft_ties import draft_soft_attachment
from .step_limits import StepLimit, step_limits
from .trees import order_joints

_ORDER = (Control, Ground, Body, Site, Rope, Soft, Wind, Joint, Attachment, Pin, Spring, JointSpring, Latch, Load)
_CONTACTS = 64


class Compiled(NamedTuple):
    """What the compiler hands to a world."""

    model: Model
    state: State
    index: dict  # type: ignore[assignment]  # nobody asks this tuple where a value stands
    places: dict[str, Place]
    signals: Signals
    controls: dict[str, Control]
    driven: list
    loads: list
    winds: list
    warnings: list[str]
    limits: dict[str, StepLimit]


@singledispatch
def draft(thing, into: Draft) -> None:
    """Add a thing to the draft."""
    raise SceneError(f"{type(thing).__name__} '{thing.name}': this version cannot simulate it; leave it out.")


draft.register(Body)(draft_body)
draft.register(Ground)(draft_ground)
draft.register(Site)(draft_site)
draft.register(Joint)(draft_joint)
draft.register(Spring)(draft_spring)
draft.register(JointSpring)(draft_joint_spring)
draft.register(Latch)(draft_latch)
draft.register(Soft)(draft_soft)
draft.register(Wind)(draft_wind)


@draft.register
def _(thing: Control, into: Draft) -> None:
    into.controls[thing.name] = thing


@draft.register
def _(thing: Rope, into: Draft) -> None:
    (draft_rope if thing.method == "direct" else draft_point_rope)(thing, into)


@draft.register
def _(thing: Attachment, into: Draft) -> None:
    if on_soft(thing.a, into) or on_soft(thing.b, into):
        draft_soft_attachment(thing, into)
        return
    points = on_point_rope(thing.a, into.index["rope"]) or on_point_rope(thing.b, into.index["rope"])
    (draft_point_attachment if points else draft_attachment)(thing, into)


@draft.register
def _(thing: Pin, into: Draft) -> None:
    soft, points = on_soft(thing.what, into), on_point_rope(thing.what, into.index["rope"])
    (draft_soft_pin if soft else draft_point_pin if points else draft_pin)(thing, into)


@draft.register
def _(thing: Load, into: Draft) -> None:
    for name in [thing.scale] if isinstance(thing.scale, str) else thing.scale if isinstance(thing.scale, dict) else []:
        if name not in into.controls:
            raise unknown_control(thing, "the control of its scale", name, list(into.controls))
    if on_soft(thing.on, into):
        draft_soft_load(thing, into)
    elif on_point_rope(thing.on, into.index["rope"]):
        draft_point_load(thing, into)
    elif "@" in thing.on:
        draft_rope_load(thing, into)
    else:
        into.loads.append((rope_place(thing, "on", thing.on, into), thing))


def compile_scene(scene, as_blocks: tuple[str, ...] = ()) -> Compiled:
    """Lower a scene to the flat arrays that solvers read, and its initial state.

    `as_blocks` names bodies that answer as one-body blocks instead of for themselves.
    """
    into = Draft(scene)
    draft_world(into)
    for thing in sorted(scene.flat(), key=_rank):
        draft(thing, into)
    for thing in scene:
        if isinstance(thing, Robot) and not thing.self_contact:
            let_links_pass(thing, into)
    let_pieces_pass(into)
    refuse(into)
    warn_of_turns(into)
    doubt(into)
    order_joints(into)
    order_drives(into)
    into.warnings += [w for thing in scene for w in getattr(thing, "warnings", tuple)()]
    model = Model(scene.gravity, scene.drag, into.bodies.freeze(), into.shapes.freeze(), pack_hulls(into.hulls),
                  pack_fields(into.fields), _excluded(into), into.joints.freeze(), into.rods.freeze(),
                  into.coordinates.freeze(), into.drives.freeze(), into.springs.freeze(), freeze_point_ropes(into),
                  _blocks(into, as_blocks), freeze_surfaces(into), into.ties.freeze(), freeze_soft(into))
    signals = signals_of(into)
    state = _state(model, into, signals)
    return Compiled(model, state, into.index, into.places, signals, into.controls, into.driven, into.loads, into.winds,
                    into.warnings, step_limits(into))


def _rank(thing: Thing) -> int:
    for k, kind in enumerate(_ORDER):
        if isinstance(thing, kind):
            return k
    return len(_ORDER)


def _excluded(into: Draft) -> Excluded:
    pairs = {(min(p) << 32) + max(p) for p in into.excluded}
    return fill(Excluded, pair=sorted(pairs))


def _blocks(into: Draft, names: tuple[str, ...]) -> Blocks:
    for name in names:
        if name not in into.index["body"]:
            raise unknown_name(into.scene, "the block", name, into.index["body"])
    members = [into.index["body"][name] for name in names]
    return fill(Blocks, kind=[0] * len(members), first=range(len(members) + 1), body=members)


def _state(model: Model, into: Draft, signals: Signals) -> State:
    d = len(model.drives.law)
    clock = allocate(Clock, len(into.controls))
    clock.control[:] = [c.value for c in into.controls.values()]
    drives = allocate(DriveState, d)
    signals.tell(clock.control, drives.target)
    push = allocate(Push, len(model.bodies.mass))
    history = allocate(History, len(model.bodies.mass))
    damage = allocate(Damage, len(model.bodies.mass))
    return State(clock, damage, into.motion.freeze(), history, push, allocate(JointState, len(model.joints.kind)),
                 allocate(CoordinateState, len(model.coordinates.kind)), drives,
                 model.springs, allocate(SpringState, len(model.springs.stiffness)),
                 allocate(PointRopeState, len(model.point_ropes.rope), r=len(model.point_ropes.row)), soft_state(model.soft),
                 model.ties, allocate(TieState, len(model.ties.mover))._replace(
                     holds=np.ones(len(model.ties.mover), np.int32)), allocate(Contacts, _CONTACTS),
                 allocate(SoftContacts, _CONTACTS if len(model.surfaces.node) else 0))
