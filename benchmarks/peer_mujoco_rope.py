"""Ropes in MuJoCo 4: the flex rod with edges held by equality or by springs, and the chain of capsules on ball joints."""

import mujoco
import numpy as np

from .rope_cases import Case, G, stretch

NAME = "MuJoCo"
VERSION = mujoco.__version__
mujoco.set_mju_user_warning(lambda message: None)  # else it writes a log file where it is run; the checks tell


class Rope:
    """kind: "flex" (edges held by equality), "springs" (edges as springs, explicit), "balls"."""

    def __init__(self, case: Case, links: int, kind: str, step: float, integrator: str = "", stiff: float = 0.4) -> None:
        self.case, self.links, self.kind = case, links, kind
        integrator = integrator or {"flex": "discrete", "springs": "Euler", "balls": "discrete"}[kind]
        self.settings = f"{kind}, {integrator}, h {1e3 * step:.3g} ms" + f", time constant {stiff:g} h" * (kind == "flex")
        body = self._balls() if kind == "balls" else self._flex(stiff * step)
        self.model = mujoco.MjModel.from_xml_string(f"""
            <mujoco><compiler angle="radian" autolimits="true"/>
            <option timestep="{step}" gravity="0 0 {-G}" integrator="{integrator}">
            <flag contact="disable"/></option><worldbody>{body}</worldbody></mujoco>""")
        if kind != "balls":
            self._lump()
        if case.drag:
            self._drag()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)

    def _flex(self, time_constant: float) -> str:
        """A clamp acts at the end: a pinned edge of a hundredth of a link behind it gives it half a link's stiffness."""
        case, link = self.case, self.case.length / self.links
        points = self.case.points(self.links)
        if case.clamped:
            points = np.concatenate([[[-0.01 * link, 0, 0]], points])
        place = " ".join(f"{value:.17g}" for value in points.ravel())
        elements = " ".join(f"{i} {i + 1}" for i in range(len(points) - 1))
        square = case.radius**4 * np.pi / 4.0
        if self.kind == "flex":
            edge = f'<edge equality="true" solref="{time_constant} 1" solimp="0.999 0.999 0.001"/>'
        else:
            edge = f'<edge stiffness="{case.stretching / link}"/>'
        return f"""<flexcomp name="rope" type="direct" dim="1" point="{place}" element="{elements}" mass="{case.mass}"
            radius="{case.radius}" rgba="1 1 1 1">{edge}
            <elasticity young="{case.bending / square}" shear="{case.twisting / (2.0 * square)}"/>
            <contact selfcollide="none" contype="0" conaffinity="0"/>
            <pin id="{'0 1' if case.clamped else '0'}"/></flexcomp>"""

    def _balls(self) -> str:
        """Capsule-free links with the inertia of a rod; each ball is a spring EI/l, at a clamp half a link long."""
        case, count = self.case, self.links
        link, mass = case.length / count, case.mass / count
        across, along = mass * (link**2 / 12 + case.radius**2 / 4), mass * case.radius**2 / 2
        text = ""
        for i in range(count):
            stiffness = case.bending / link * (1.0 if i else 2.0 * case.clamped)
            text += f"""<body name="b{i}" pos="{link if i else 0.0} 0 0"><joint type="ball" stiffness="{stiffness}"/>
                <inertial pos="{0.5 * link} 0 0" mass="{mass}" diaginertia="{along} {across} {across}"/>"""
        return text + f'<site name="tip" pos="{link} 0 0"/>' + "</body>" * count

    def _lump(self) -> None:
        """Half a link's mass in the end points, whatever the generator gave them."""
        model, case = self.model, self.case
        bodies = model.flex_vertbodyid[case.clamped :]
        mass = case.mass / self.links
        for i, body in enumerate(bodies):
            if body > 0:
                change = (0.5 * mass if i == self.links else mass) / model.body_mass[body]
                model.body_mass[body] *= change
                model.body_inertia[body] *= change
        mujoco.mj_setConst(model, mujoco.MjData(model))

    def _drag(self) -> None:
        """The case's drag: momenta decay at one rate, so each freedom's damping is in proportion to its own inertia."""
        data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, data)
        if self.kind == "balls":
            # In joint coordinates the mass matrix is full; damping by each link's own inertia and the weight beyond it
            # would overdamp, so balls get a Rayleigh part of their stiffness instead (settling is what counts).
            self.model.dof_damping[:] = 0.1 * self.case.bending * self.links / self.case.length
        else:
            self.model.dof_damping[:] = self.case.drag * self.model.dof_M0

    def run(self, seconds: float) -> None:
        """Steps for that long."""
        mujoco.mj_step(self.model, self.data, nstep=max(1, round(seconds / self.model.opt.timestep)))

    def points(self) -> np.ndarray:
        """[m] (links + 1, 3)."""
        if self.kind == "balls":
            return np.concatenate([self.data.xpos[1:], self.data.site_xpos])
        return np.array(self.data.flexvert_xpos[self.case.clamped :])

    def gap(self) -> float:
        """Largest opening of a joint or change of an edge, of a link's length."""
        return stretch(self.case, self.points())
