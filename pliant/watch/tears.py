"""Where things come apart, by name: for warnings of joints that gape, and for what a step that diverged was asked to do."""

import numpy as np

from ..compile.point_ropes import PointRopeIndex
from ..handles.point_rope import carried_at
from ..handles.robot import robot_of
from ..handles.rope import matrices
from ..handles.rope_ends import RopeEnds
from ..model.joints import CYLINDRICAL, PRISMATIC, ROD
from ..model.rods import GAP_LAW, RIGID
from ..scene.errors import SceneError

_PARTED = 1e-3  # [m] what gapes more when a step begins has been moved apart: so far may ends be when they are attached
_GAPE = 1e-4  # [m] a joint that gapes more is reported
_CLOSED = 0.5  # of that, what ends it
_WORSE = 10.0  # another joint is named if it gapes so many times as much
_TAUT = 1e-6  # share by which a rope may be drawn beyond its length


def anchors_of(world) -> tuple[np.ndarray, np.ndarray]:
    """Where every joint is on the first and on the second of its bodies [m] (n, 3), world frame."""
    joints, motion = world._engine.model.joints, world._engine.state.motion
    left, right = (motion.position[b] + np.einsum("nck,nk->nc", matrices(motion.quaternion[b]), anchor)
                   for b, anchor in zip(joints.body.T, (joints.anchor_a, joints.anchor_b), strict=True))
    return left, right


def gaps_of(world) -> np.ndarray:
    """How far every joint gapes [m], across its axis if it slides along that; zero of ropes that stretch."""
    engine, (left, right) = world._engine, anchors_of(world)
    joints, apart = engine.model.joints, right - left
    slides = (joints.kind == PRISMATIC) | (joints.kind == CYLINDRICAL)
    frames = matrices(engine.state.motion.quaternion[joints.body[slides, 0]]) @ matrices(joints.frame_a[slides])
    apart[slides] -= (frames[:, :, 2] * apart[slides]).sum(axis=1)[:, None] * frames[:, :, 2]
    held, rods = np.ones(len(slides), bool), joints.kind == ROD
    held[rods] = (engine.model.rods.table[joints.rod[rods], GAP_LAW] == RIGID) | (joints.spring[rods] > 0.0)
    return np.where(held, np.nan_to_num(np.linalg.norm(apart, axis=1), nan=0.0, posinf=0.0), 0.0)


class GapeWatch:
    """Says once of a joint that gapes, with time and place, and goes on saying so until nothing gapes any more."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[float, str]] = {}
        self._widest, self._fresh = 0.0, False

    def moved(self, world) -> None:
        """Before a step that follows on a teleport: whether that has parted a joint."""
        name, gap = widest_gap(world) if len(world._engine.model.joints.kind) else ("", 0.0)
        if gap > max(_PARTED, 2.0 * self._widest):  # what gaped before is told with its own cause
            text = f"{name} gapes by {gap:.2g} m at t = {world.time:.6g} s since something was moved; {_remedy(world, name)}"
            self._said, self._fresh = {name: (gap, text)}, True

    def __call__(self, world, widest: float) -> list[str]:
        """Warnings after a step in which a joint gaped by `widest` [m] at most; another joint is named if it gapes far more."""
        fresh, self._fresh, self._widest = self._fresh, False, widest
        if widest < _CLOSED * _GAPE and not fresh:
            self._said.clear()
        elif widest > _GAPE and all(widest > _WORSE * size for size, _ in self._said.values()):
            name, text = gape(world, widest)
            self._said[name] = widest, self._said[name][1] if name in self._said else text
        return [text for _, text in self._said.values()]


def _remedy(world, name: str) -> str:
    """What to move instead of what a joint was parted by."""
    thing = world._things.get(name.strip("'"))
    owners = {str(getattr(thing, side, "")).partition("/")[0] for side in ("parent", "child")}
    robot = robot_of(world.scene, owners.pop()) if len(owners) == 1 else None
    return f"move the whole robot: world['{robot.name}'].position" if robot else "move all that it joins before the next step"


def gape(world, widest: float) -> tuple[str, str]:
    """(which joint, in words) has gaped by as much as `widest` [m] in the step that has ended, with time, place and cause."""
    engine, joints, size = world._engine, world._engine.model.joints, gaps_of(world)
    if size.max() < 0.5 * widest:  # it has closed since: of its island, the joint that gapes most still
        islands = engine.work.islands
        where = int(np.argmax(engine.work.outcome.drift[:islands.count[0]]))
        size[islands.label[joints.body].max(axis=1) != where] = -1.0
    j = int(np.argmax(size))
    place = ", ".join(f"{x:.3g}" for x in np.round(0.5 * np.add(*anchors_of(world))[j], 9) + 0.0)
    name, over = name_of(world, j), overdrawn(world)
    cause = f": Rope '{over[0]}' {over[1]}" if over and world._engine.model.bodies.link[joints.body[j]].any() else ""
    return name, f"{name} gapes by {widest:.2g} m at t = {world.time:.6g} s, at ({place}) m{cause}"


def widest_gap(world, of_ropes: bool = False) -> tuple[str, float]:
    """(which joint or where on which rope, how far it gapes [m]): the worst of those that hold a point, or of ropes alone."""
    model, size = world._engine.model, gaps_of(world)
    if of_ropes:
        size[~(model.bodies.link[model.joints.body] == 1).any(axis=1)] = 0.0
    j = int(np.argmax(size))
    return name_of(world, j), float(size[j])


def name_of(world, j: int) -> str:
    """Which joint, or where on which rope."""
    index = world._index
    for kind in ("hold", "joint"):
        for name, k in index[kind].items():
            if k == j:
                return f"'{name}'"
    for name, rope in index["rope"].items():
        if not isinstance(rope, PointRopeIndex) and j in rope.joints:
            where = float(np.cumsum(rope.lengths)[rope.joints.index(j)])
            return f"Rope '{name}' at {where:.4g} m"
    return "a joint"


def refuse_torn(world) -> None:
    """Raise where a teleport has left a rope apart from what holds it: the step would close it with a jerk, or not at all."""
    gaps = [widest_gap(world, of_ropes=True)] if len(world._engine.model.rods.table) else []
    what, gap = max(gaps + _gaps_of_grips(world), key=lambda one: one[1], default=("", 0.0))
    if gap > _PARTED:
        raise SceneError(f"At t = {world.time:g} s {what} gapes by {gap:.4g} m since something was moved; move all that it "
                         "joins, the points of the rope too (positions), before the next step.")


def _gaps_of_grips(world) -> list[tuple[str, float]]:
    """(what, how far [m]) ends of ropes of points are from where what carries them has them."""
    motion, index = world._engine.state.motion, world._index
    found = []
    for name, (rope, side, _) in index["grip"].items():
        end = motion.position[index["rope"][rope].first + (world._things[rope].count - 1 if side else 0)]
        found.append((f"'{name}'", float(np.linalg.norm(end - carried_at(world._engine, index["rope"][rope].number, side)))))
    return found


def overdrawn(world) -> tuple[str, str] | None:
    """(rope, reason) where what holds both ends of a rope that does not stretch stands further apart than it is long."""
    for name, rope in world._index["rope"].items():
        if isinstance(rope, PointRopeIndex) or not np.isinf(rope.laws.stretch).all():
            continue
        ends = [RopeEnds(world, world._things[name], rope).held_at(word) for word in ("start", "end")]
        length = float(rope.lengths.sum())
        if ends[0] is None or ends[1] is None:
            continue
        apart = float(np.linalg.norm(ends[1] - ends[0]))
        if np.isfinite(apart) and apart > length * (1.0 + _TAUT):
            return name, f"is {length:.4g} m long and does not stretch, but what holds its ends goes {apart:.4g} m apart"
    return None


def torn_apart(world) -> tuple[str, str] | None:
    """(rope, reason) where a rope that does not stretch gapes by more than it is long: what is no rope any more."""
    body, size = world._engine.model.joints.body, gaps_of(world)
    for name, rope in world._index["rope"].items():
        if isinstance(rope, PointRopeIndex):
            continue
        mine = ((body >= rope.first) & (body < rope.first + len(rope.lengths))).any(axis=1)
        length, gap = float(rope.lengths.sum()), float(size[mine].max(initial=0.0))
        if gap > length:
            return name, f"is {length:.4g} m long and came apart by {gap:.4g} m; take smaller steps"
    return None


def parted(world) -> str | None:
    """Why a step could not be made where it began with a joint that gapes."""
    what, gap = widest_gap(world) if len(world._engine.model.joints.kind) else ("", 0.0)
    if gap <= _PARTED:
        return None
    return f"cannot follow: {what} gapes by {gap:.4g} m where the step begins; move all that it joins, or take smaller steps"
