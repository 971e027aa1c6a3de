"""PyBullet fed from a pliant scene: same masses, shapes, joints, springs, motors, terrain."""

from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import pybullet as bullet

import pliant as pl
from pliant.scene.joint import Joint

from .checks import State, names
from .coils import Coil, coils
from .parts import anchor_of, inverse, product, rotation, rotations, solid, tree, value_of
from .peer_pybullet_shapes import field_shape, moved_shape, shape_of, xyzw
from .scenes import DT

VERSION = version("pybullet")


class Settings(NamedTuple):
    """What a user of PyBullet may choose."""

    substeps: int = 4
    """Timesteps an output step."""
    iterations: int = 50
    maximal: bool = True
    """Free bodies in maximal coordinates (faster); jointed ones are Featherstone trees."""
    contact_erp: float = 0.2

    def __str__(self) -> str:
        return f"{self.substeps} substeps, {self.iterations} iterations" + (
            f", contact ERP {self.contact_erp}" if self.contact_erp != 0.2 else "")


class Link(NamedTuple):
    """Where a body of the scene ended up."""

    body: int
    link: int
    """-1: the base."""
    frame_at: np.ndarray
    """Body's frame origin [m] in the inertial frame (3,)."""
    frame_turn: np.ndarray
    """Body's frame in the inertial frame, quaternion (w, x, y, z)."""


class Effort(NamedTuple):
    """A joint that is pushed by hand, and by what."""

    link: int
    joint: Joint
    spring: pl.JointSpring | None
    coil: Coil | None


class World:
    """A scene in PyBullet."""

    name = "PyBullet"

    def __init__(self, scene: pl.Scene, settings: Settings) -> None:
        self.settings = settings
        self.controls = {t.name: t.value for t in scene.flat() if isinstance(t, pl.Control)}
        self._client = bullet.connect(bullet.DIRECT)
        self._call = {"physicsClientId": self._client}
        bullet.setGravity(*scene.gravity, **self._call)
        bullet.setPhysicsEngineParameter(fixedTimeStep=DT / settings.substeps, numSubSteps=0,
                                         numSolverIterations=settings.iterations, contactERP=settings.contact_erp,
                                         deterministicOverlappingPairs=1, **self._call)
        self._links: dict[str, Link] = {}
        self._efforts: dict[int, list[Effort]] = {}
        self._friction = _pair_friction(scene)
        self._coils = coils(scene)
        self._build(scene)
        self._order = [self._links[name] for name in names(scene)]

    def close(self) -> None:
        """Give its memory back."""
        bullet.disconnect(**self._call)

    def _build(self, scene) -> None:
        order = self._tree_of = tree(scene)
        springs = {t.joint: t for t in scene.flat() if isinstance(t, pl.JointSpring)}
        for thing in scene.flat():
            if isinstance(thing, pl.Ground):
                plane = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=thing.normal, **self._call)
                made = bullet.createMultiBody(0, plane, basePosition=(0, 0, thing.height), **self._call)
                self._surface(made, -1, thing.friction, fixed=True)
        roots: dict[str, list[pl.Body]] = {}
        root_of: dict[str, str] = {}
        for body in order.bodies:
            joint = order.joint_of.get(body.name)
            root = body.name if joint is None else root_of.get(joint.parent, f"{pl.WORLD}:{body.name}")
            root_of[body.name] = root
            roots.setdefault(root, []).append(body)
        for bodies in roots.values():
            if len(bodies) == 1 and bodies[0].name not in order.joint_of:
                self._single(bodies[0])
            else:
                self._tree(bodies, order.joint_of, springs)

    def _single(self, body: pl.Body) -> None:
        if isinstance(body.shape, pl.HeightField):
            return self._terrain(body)
        frame = self._inertial(body)
        made = bullet.createMultiBody(0 if body.fixed else solid(body).mass, shape_of(body, self._call),
                                      basePosition=body.position, baseOrientation=xyzw(body.quaternion),
                                      baseInertialFramePosition=frame[0], baseInertialFrameOrientation=xyzw(frame[1]),
                                      useMaximalCoordinates=self.settings.maximal, **self._call)
        self._settle(made, -1, body, frame)

    def _inertial(self, body) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Centre of mass, principal axes (quaternion) and moments in the body's frame.

        PyBullet has no rotors: the inertia that a motor's shows behind its gear is given to the driven body.
        """
        properties = solid(body)
        joint = self._tree_of.joint_of.get(body.name)
        if joint is not None and isinstance(joint.motor, pl.DCMotor):
            axis = rotation(body.quaternion).T @ joint.axis
            properties.inertia[:] += joint.motor.gear**2 * joint.motor.inertia * np.outer(axis, axis)
        if np.allclose(properties.inertia, np.diag(np.diag(properties.inertia)), rtol=0, atol=1e-12):
            return properties.center, np.array([1.0, 0, 0, 0]), np.diag(properties.inertia)
        moments, axes = np.linalg.eigh(properties.inertia)
        axes *= np.sign(np.linalg.det(axes))
        return properties.center, _quaternion(axes), moments

    def _settle(self, made: int, link: int, body: pl.Body, frame) -> None:
        """Inertia, friction and no hidden damping; remember where the body is."""
        center, turn, moments = frame
        bullet.changeDynamics(made, link, linearDamping=0, angularDamping=0, jointDamping=0, rollingFriction=0,
                              spinningFriction=0, restitution=body.restitution, maxJointVelocity=1e6, **self._call)
        # Last and alone: in one call with a damping or a largest velocity PyBullet sets the inertia to zero, and
        # without the mass it sets the mass of a body in maximal coordinates to zero.
        bullet.changeDynamics(made, link, mass=solid(body).mass, localInertiaDiagonal=moments.tolist(), **self._call)
        mass, _, inertia, *_ = bullet.getDynamicsInfo(made, link, **self._call)
        if not body.fixed and not np.allclose((mass, *inertia), (solid(body).mass, *moments), rtol=1e-9):
            raise RuntimeError(f"PyBullet did not take the mass and inertia of '{body.name}'")
        self._surface(made, link, body.friction, body.fixed)
        back = inverse(turn)
        self._links[body.name] = Link(made, link, -rotation(back) @ center, back)

    def _surface(self, made, link, friction, fixed) -> None:
        bullet.changeDynamics(made, link, lateralFriction=self._friction(friction, fixed), **self._call)

    def _terrain(self, body: pl.Body) -> None:
        heights = body.shape.heights
        middle = 0.5 * (heights.min() + heights.max())  # Bullet centres a height field between its lowest and highest
        at = np.array(body.position) + rotation(body.quaternion) @ (0, 0, middle)
        made = bullet.createMultiBody(0, field_shape(body, self._call), basePosition=at,
                                      baseOrientation=xyzw(body.quaternion), **self._call)
        self._surface(made, -1, body.friction, fixed=True)

    def _tree(self, bodies: list[pl.Body], joint_of: dict[str, Joint], springs) -> None:
        """Bodies on joints as one Featherstone tree; a link's frame sits at its joint, turned as its body."""
        base = None if bodies[0].name in joint_of else bodies[0]
        links = bodies if base is None else bodies[1:]
        index = {base.name if base else pl.WORLD: 0} | {b.name: i + 1 for i, b in enumerate(links)}
        frames = {b.name: self._inertial(b) for b in bodies}
        place = {pl.WORLD: (np.zeros(3), np.array([1.0, 0, 0, 0]))}
        if base:
            place[base.name] = (np.array(base.position), np.array(base.quaternion))
        table: dict[str, list] = {k: [] for k in (
            "linkMasses", "linkCollisionShapeIndices", "linkVisualShapeIndices", "linkPositions", "linkOrientations",
            "linkInertialFramePositions", "linkInertialFrameOrientations", "linkParentIndices", "linkJointTypes",
            "linkJointAxis")}
        for body in links:
            joint = joint_of[body.name]
            anchor, turn = anchor_of(joint, body), np.array(body.quaternion)
            offset = rotation(turn).T @ (np.array(body.position) - anchor)  # body's frame origin in the link's frame
            place[body.name] = (anchor, turn)
            at, parent_turn = place[joint.parent]
            row = (solid(body).mass, moved_shape(body, offset, self._call), -1, rotation(parent_turn).T @ (anchor - at),
                   xyzw(product(inverse(parent_turn), turn)), offset + frames[body.name][0],
                   xyzw(frames[body.name][1]), index[joint.parent], _kind(joint), rotation(turn).T @ joint.axis)
            for column, value in zip(table.values(), row, strict=True):
                column.append(value)
        first = frames[base.name] if base else (np.zeros(3), np.array([1.0, 0, 0, 0]), np.ones(3))
        made = bullet.createMultiBody(
            solid(base).mass if base and not base.fixed else 0, shape_of(base, self._call) if base else -1,
            basePosition=place[base.name][0] if base else (0, 0, 0),
            baseOrientation=xyzw(base.quaternion) if base else (0, 0, 0, 1), baseInertialFramePosition=first[0],
            baseInertialFrameOrientation=xyzw(first[1]), **table, **self._call)
        if base:
            self._settle(made, -1, base, first)
        parents = [bullet.getJointInfo(made, i, **self._call)[16] + 1 for i in range(len(links))]
        if parents != table["linkParentIndices"]:
            raise RuntimeError("PyBullet numbers the links otherwise than it was told")
        for i, body in enumerate(links):
            self._settle(made, i, body, frames[body.name])
        for i, body in enumerate(links):
            self._drive(made, i, joint_of[body.name], springs.get(joint_of[body.name].name))
            if joint_of[body.name].parent in index:
                bullet.setCollisionFilterPair(made, made, i, index[joint_of[body.name].parent] - 1, 0, **self._call)

    def _drive(self, made: int, i: int, joint: Joint, spring) -> None:
        """Switch PyBullet's own brake off; list what must be pushed by hand each timestep."""
        if isinstance(joint, pl.Spherical):
            bullet.setJointMotorControlMultiDof(made, i, bullet.POSITION_CONTROL, targetPosition=[0, 0, 0, 1],
                                                positionGain=0, velocityGain=0, force=[0, 0, 0], **self._call)
            return
        if isinstance(joint, pl.Fixed):
            return
        bullet.setJointMotorControl2(made, i, bullet.VELOCITY_CONTROL, targetVelocity=0, force=joint.friction,
                                     **self._call)
        if joint.limits is not None:
            low, high = joint.limits
            bullet.changeDynamics(made, i, jointLowerLimit=low, jointUpperLimit=high, **self._call)
        coil = self._coils.get(joint.name)
        if joint.damping or spring or coil or joint.motor:
            self._efforts.setdefault(made, []).append(Effort(i, joint, spring, coil))

    def _push(self, made: int, rows) -> None:
        """Springs, dampers and motors of one tree, explicit: torque and force of the state now."""
        indices = [row.link for row in rows]
        states = bullet.getJointStates(made, indices, **self._call)
        loose, efforts = [], []
        for (i, joint, spring, coil), (angle, rate, *_) in zip(rows, states, strict=True):
            effort = -joint.damping * rate
            if spring is not None:
                effort -= spring.stiffness * (angle - spring.rest) + spring.damping * rate
            if coil is not None:
                effort += coil.torque(angle, rate)
            motor = joint.motor
            if isinstance(motor, pl.DCMotor):
                voltage = value_of(motor.voltage, self.controls)
                voltage = min(max(voltage, -motor.max_voltage), motor.max_voltage)
                effort += motor.gear * motor.k_t * (voltage - motor.k_e * motor.gear * rate) / motor.resistance
            elif isinstance(motor, pl.PositionMotor):
                wish = motor.stiffness * (value_of(motor.target, self.controls) - angle) - motor.damping * rate
                effort += min(max(wish, -motor.max_effort), motor.max_effort)
            elif motor is not None:
                bullet.setJointMotorControl2(made, i, bullet.VELOCITY_CONTROL, force=motor.max_effort,
                                             targetVelocity=value_of(motor.target, self.controls), **self._call)
            loose.append(i)
            efforts.append(effort)
        if loose:
            bullet.setJointMotorControlArray(made, loose, bullet.TORQUE_CONTROL, forces=efforts, **self._call)

    def step(self) -> None:
        """One output step."""
        for _ in range(self.settings.substeps):
            for made, rows in self._efforts.items():
                self._push(made, rows)
            bullet.stepSimulation(**self._call)

    def state(self) -> State:
        """Poses and velocities now."""
        at, turn, velocity, spin = [], [], [], []
        for one in self._order:
            if one.link < 0:
                position, q = bullet.getBasePositionAndOrientation(one.body, **self._call)
                v, w = bullet.getBaseVelocity(one.body, **self._call)
            else:
                row = bullet.getLinkState(one.body, one.link, 1, 1, **self._call)
                position, q, v, w = row[0], row[1], row[6], row[7]
            at.append(position)
            turn.append((q[3], q[0], q[1], q[2]))
            velocity.append(v)
            spin.append(w)
        q = np.array(turn)
        offset = np.array([one.frame_at for one in self._order])
        own = np.array([product(a, one.frame_turn) for a, one in zip(q, self._order, strict=True)])
        at = np.array(at) + np.einsum("nij,nj->ni", rotations(q), offset)
        return State(at, own, np.array(velocity), np.array(spin))


def _kind(joint: Joint) -> int:
    kinds = {pl.Spherical: bullet.JOINT_SPHERICAL, pl.Revolute: bullet.JOINT_REVOLUTE,
             pl.Prismatic: bullet.JOINT_PRISMATIC, pl.Fixed: bullet.JOINT_FIXED}
    if type(joint) not in kinds:
        raise TypeError(f"'{joint.name}': no PyBullet form of {type(joint).__name__}")
    return kinds[type(joint)]


def _pair_friction(scene):
    """PyBullet multiplies the two frictions, pliant takes the larger: numbers that give the same product.

    One friction everywhere: its square root. Else what stands still has 1 and what moves the larger of its own and the
    largest of what stands still; that is exact for contacts with the ground or terrain, not between two that move.
    """
    still = [t.friction for t in scene.flat() if isinstance(t, pl.Ground) or (isinstance(t, pl.Body) and t.fixed)]
    moving = [t.friction for t in scene.flat() if isinstance(t, pl.Body) and not t.fixed]
    if len({*still, *moving}) == 1:
        return lambda friction, fixed: float(np.sqrt(friction))
    return lambda friction, fixed: 1.0 if fixed else max([friction, *still])


def _quaternion(matrix: np.ndarray) -> np.ndarray:
    """Unit quaternion (w, x, y, z) of a rotation matrix."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(matrix).as_quat()
    return np.array([w, x, y, z])
