"""MuJoCo fed from a pliant scene: same masses, shapes, joints, springs, motors, terrain."""

from typing import NamedTuple

import mujoco
import numpy as np

import pliant as pl
from pliant.scene.joint import Joint

from .checks import State, names
from .parts import anchor_of, inverse, placed_shapes, product, rotation, solid, tree, value_of
from .scenes import DT

VERSION = mujoco.__version__
mujoco.set_mju_user_warning(lambda message: None)  # else it writes a log file where it is run; the checks tell


class Settings(NamedTuple):
    """What a user of MuJoCo may choose."""

    substeps: int = 8
    """Timesteps an output step."""
    integrator: str = "implicitfast"
    solver: str = "newton"
    iterations: int = 100
    tolerance: float = 1e-8
    cone: str = "pyramidal"
    timeconst: float = 0.02
    """Time constant of contacts [s]; never below two timesteps."""
    impratio: float = 1.0

    def __str__(self) -> str:
        rest = [k for k in self._fields[2:] if getattr(self, k) != self._field_defaults[k]]
        return ", ".join([f"{self.substeps} substeps", self.integrator, *(f"{k} {getattr(self, k)}" for k in rest)])


_INTEGRATOR = {"euler": mujoco.mjtIntegrator.mjINT_EULER, "rk4": mujoco.mjtIntegrator.mjINT_RK4,
               "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST, "implicit": mujoco.mjtIntegrator.mjINT_IMPLICIT,
               "discrete": mujoco.mjtIntegrator.mjINT_DISCRETE}
_SOLVER = {"newton": mujoco.mjtSolver.mjSOL_NEWTON, "cg": mujoco.mjtSolver.mjSOL_CG, "pgs": mujoco.mjtSolver.mjSOL_PGS}
_CONE = {"pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL, "elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC}
_HINGE, _SLIDE = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE


class World:
    """A scene in MuJoCo."""

    name = "MuJoCo"

    def __init__(self, scene: pl.Scene, settings: Settings) -> None:
        self.settings = settings
        self.controls = {t.name: t.value for t in scene.flat() if isinstance(t, pl.Control)}
        self._motors: list[tuple[int, object]] = []
        self._spec = mujoco.MjSpec()
        self._spec.compiler.degree = False
        self._set_options(scene)
        self._build(scene)
        self.model = self._spec.compile()
        self.data = mujoco.MjData(self.model)
        self._ids = [mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, name) for name in names(scene)]
        self._set_velocities(scene)

    def _set_options(self, scene) -> None:
        option, settings = self._spec.option, self.settings
        option.timestep = DT / settings.substeps
        option.gravity = scene.gravity
        option.integrator = _INTEGRATOR[settings.integrator]
        option.solver, option.cone = _SOLVER[settings.solver], _CONE[settings.cone]
        option.iterations, option.tolerance = settings.iterations, settings.tolerance
        option.impratio = settings.impratio

    def _build(self, scene) -> None:
        order = tree(scene)
        springs = {t.joint: t for t in scene.flat() if isinstance(t, pl.JointSpring)}
        made = {pl.WORLD: (self._spec.worldbody, np.zeros(3), np.array([1.0, 0, 0, 0]))}
        for thing in scene.flat():
            if isinstance(thing, pl.Ground):
                self._geom(self._spec.worldbody, thing.friction, type=mujoco.mjtGeom.mjGEOM_PLANE,
                           pos=(0, 0, thing.height), size=(0, 0, 1))
        for body in order.bodies:
            joint = order.joint_of.get(body.name)
            parent, at, turn = made[joint.parent if joint else pl.WORLD]
            one = parent.add_body(name=body.name, pos=rotation(turn).T @ (np.array(body.position) - at),
                                  quat=product(inverse(turn), body.quaternion))
            made[body.name] = (one, np.array(body.position), np.array(body.quaternion))
            self._fill(one, body)
            if joint is not None:
                self._joint(one, joint, body, springs.get(joint.name))
                if joint.parent != pl.WORLD:
                    self._spec.add_exclude(bodyname1=joint.parent, bodyname2=body.name)
            elif not body.fixed:
                one.add_freejoint()
        for thing in scene.flat():
            if isinstance(thing, pl.Spring):
                self._tendon(thing, made)

    def _geom(self, body, friction, **shape) -> None:
        # Rolling and spinning friction off (condim 3); MuJoCo takes the larger friction of a pair, as pliant does.
        body.add_geom(friction=(friction, 0, 0), condim=3, density=0,
                      solref=(max(self.settings.timeconst, 2 * DT / self.settings.substeps), 1.0), **shape)

    def _fill(self, one, body: pl.Body) -> None:
        if isinstance(body.shape, pl.HeightField):
            return self._terrain(one, body)
        properties = solid(body)
        one.explicitinertial = True
        one.mass, one.ipos = properties.mass, properties.center
        i = properties.inertia
        one.fullinertia = (i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2])
        for placed in placed_shapes(body) if body.collide else ():
            shape, place = placed.shape, {"pos": placed.position, "quat": placed.quaternion}
            if isinstance(shape, pl.Box):
                kind, size = mujoco.mjtGeom.mjGEOM_BOX, (shape.x / 2, shape.y / 2, shape.z / 2)
            elif isinstance(shape, pl.Sphere):
                kind, size = mujoco.mjtGeom.mjGEOM_SPHERE, (shape.radius, 0, 0)
            elif isinstance(shape, pl.Capsule):
                kind, size = mujoco.mjtGeom.mjGEOM_CAPSULE, (shape.radius, shape.length / 2, 0)
            elif isinstance(shape, pl.Cylinder):
                kind, size = mujoco.mjtGeom.mjGEOM_CYLINDER, (shape.radius, shape.length / 2, 0)
            else:
                raise TypeError(f"'{body.name}': no MuJoCo form of {type(shape).__name__}")
            self._geom(one, body.friction, type=kind, size=size, **place)

    def _terrain(self, one, body) -> None:
        heights, (x, y) = body.shape.heights, body.shape.size
        low, high = heights.min(), heights.max()
        # Rows run along y in MuJoCo; heights are stored between 0 and 1 above a base plate of thickness 1 m.
        self._spec.add_hfield(name=body.name, nrow=heights.shape[1], ncol=heights.shape[0],
                              size=(x / 2, y / 2, max(high - low, 1e-6), 1.0),
                              userdata=((heights.T - low) / max(high - low, 1e-6)).ravel())
        self._geom(one, body.friction, type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname=body.name, pos=(0, 0, low))

    def _joint(self, one, joint: Joint, body: pl.Body, spring) -> None:
        if isinstance(joint, pl.Fixed):
            return
        turn = rotation(body.quaternion)
        common = {"name": joint.name, "pos": turn.T @ (anchor_of(joint, body) - body.position),
                  "frictionloss": joint.friction, "damping": joint.damping}
        if isinstance(joint, pl.Spherical):
            one.add_joint(type=mujoco.mjtJoint.mjJNT_BALL, **common)
            return
        if not isinstance(joint, (pl.Revolute, pl.Prismatic)):
            raise TypeError(f"'{joint.name}': no MuJoCo form of {type(joint).__name__}")
        kind = _HINGE if isinstance(joint, pl.Revolute) else _SLIDE
        made = one.add_joint(type=kind, axis=turn.T @ joint.axis, **common)
        if joint.limits is not None:
            made.limited, made.range = True, joint.limits
        if spring is not None:
            made.stiffness[0], made.springref = spring.stiffness, spring.rest
            made.damping[0] = joint.damping + spring.damping
        if joint.motor is not None:
            self._motor(joint, made)

    def _motor(self, joint, made) -> None:
        motor = joint.motor
        one = self._spec.add_actuator(name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT,
                                      biastype=mujoco.mjtBias.mjBIAS_AFFINE)
        if isinstance(motor, pl.DCMotor):
            stall = motor.gear * motor.k_t / motor.resistance
            one.gainprm[0], one.biasprm[:3] = stall, (0, 0, -stall * motor.k_e * motor.gear)
            one.ctrllimited, one.ctrlrange = True, (-motor.max_voltage, motor.max_voltage)
            made.armature = motor.gear**2 * motor.inertia
            signal = motor.voltage
        elif isinstance(motor, pl.PositionMotor):
            one.gainprm[0], one.biasprm[:3] = motor.stiffness, (0, -motor.stiffness, -motor.damping)
            signal = motor.target
        else:
            # A stiff damper towards the speed, as strong as the motor is when it lags by 0.1 rad/s (or m/s).
            gain = 10.0 * min(motor.max_effort, 1e4)
            one.gainprm[0], one.biasprm[:3] = gain, (0, 0, -gain)
            signal = motor.target
        if np.isfinite(getattr(motor, "max_effort", np.inf)):
            one.forcelimited, one.forcerange = True, (-motor.max_effort, motor.max_effort)
        self._motors.append((len(self._motors), signal))

    def _tendon(self, spring: pl.Spring, made) -> None:
        ends = []
        for name, at, tag in ((spring.a, spring.at_a, "a"), (spring.b, spring.at_b, "b")):
            one, place, turn = made[name]
            one.add_site(name=f"{spring.name}.{tag}", pos=at)
            ends.append(place + rotation(turn) @ at)
        length = spring.rest_length if spring.rest_length is not None else np.linalg.norm(ends[1] - ends[0])
        tendon = self._spec.add_tendon(name=spring.name, stiffness=spring.stiffness, damping=spring.damping,
                                       springlength=(length, length))
        tendon.wrap_site(f"{spring.name}.a")
        tendon.wrap_site(f"{spring.name}.b")

    def _set_velocities(self, scene) -> None:
        for name in names(scene):
            if any(scene[name].velocity) or any(scene[name].angular_velocity):
                raise ValueError(f"'{name}' starts with a velocity; the benchmark's scenes start at rest")
        mujoco.mj_forward(self.model, self.data)

    def step(self) -> None:
        """One output step."""
        for index, signal in self._motors:
            self.data.ctrl[index] = value_of(signal, self.controls)
        mujoco.mj_step(self.model, self.data, self.settings.substeps)

    def state(self) -> State:
        """Poses and velocities now."""
        data = self.data
        mujoco.mj_kinematics(self.model, data)
        mujoco.mj_comPos(self.model, data)
        mujoco.mj_comVel(self.model, data)
        velocity = np.zeros((len(self._ids), 6))
        for row, body in zip(velocity, self._ids, strict=True):
            mujoco.mj_objectVelocity(self.model, data, mujoco.mjtObj.mjOBJ_BODY, body, row, 0)
        # mjOBJ_BODY is the inertial frame: its origin is the centre of mass
        return State(data.xpos[self._ids].copy(), data.xquat[self._ids].copy(), velocity[:, 3:], velocity[:, :3].copy())
