"""Writes the scout's URDF files: one robot on four suspensions (coils, struts, torsion bars, none), statics worked out.

All six wheels drive; those of the front and the rear steer, so that all roll about one point beside the middle ones.
The frame is the chassis's: z up, x to the tail, where the hitch is; the robot drives towards -x and its left is -y.
At the zero of all joints it stands on level ground 0.3 m below the origin with its springs carrying it.
"""

from math import cos, pi, sin
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[1] / "pliant" / "scene" / "assets"
GRAVITY = 9.81
QUARTER = repr(pi / 2)

WHEEL = {"mass": 2.5, "radius": 0.16, "width": 0.10}
ARM_MASS, FORK_MASS, CHASSIS_MASS, HEAD_MASS, WHIP_MASS = 2.0, 2.0, 44.0, 1.5, 0.2
WHEELS_X = {"front": -0.38, "middle": -0.01, "rear": 0.36}
TRACK, HUB_Z, PIVOT_Z, LEVER = 0.33, -0.14, -0.09, 0.17
ARM_Y, COIL_TOP, COIL_AT = 0.21, 0.12, 0.8
SPRUNG = (CHASSIS_MASS + HEAD_MASS + WHIP_MASS + 3 * ARM_MASS) / 6  # by one wheel's spring [kg]
FREQUENCY, RATIO = 1.9, 0.35  # heave [Hz], damping ratio [-]
BUMP, DROOP = 0.11, 0.06  # travel of a wheel up and down from where it stands [m]

CARRIED = CHASSIS_MASS + HEAD_MASS + WHIP_MASS + 6 * ARM_MASS + 4 * FORK_MASS + 6 * WHEEL["mass"]  # by the ground [kg]
STEER = 0.5  # largest angle of a steered wheel [rad]
RATE = SPRUNG * (2 * pi * FREQUENCY) ** 2  # at the wheel [N/m]
DAMPING = 2 * RATIO * SPRUNG * 2 * pi * FREQUENCY  # at the wheel [N s/m]


def inertial(mass: float, xx: float, yy: float, zz: float, at: str = "0 0 0") -> str:
    return (f'<inertial><origin xyz="{at}"/><mass value="{mass:g}"/>'
            f'<inertia ixx="{xx:.6g}" ixy="0" ixz="0" iyy="{yy:.6g}" iyz="0" izz="{zz:.6g}"/></inertial>')


def box(mass: float, x: float, y: float, z: float, at: str = "0 0 0") -> str:
    m = mass / 12
    return inertial(mass, m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y), at)


def shape(kind: str, inner: str, at: str = "0 0 0", turn: str = "0 0 0", color: str = "") -> str:
    material = f'<material name="{color}"/>' if color else ""
    return f'<{kind}><origin xyz="{at}" rpy="{turn}"/><geometry>{inner}</geometry>{material}</{kind}>'


def chassis(kind: str) -> str:
    """Hull, deck and mast; its centre of mass puts the whole robot's over the middle of the wheels."""
    arms = 0.0 if kind == "struts" else -sum(trailing(row) for row in WHEELS_X) * LEVER * ARM_MASS
    middle = sum(WHEELS_X.values()) / 3
    x = (middle * (CHASSIS_MASS + HEAD_MASS + WHIP_MASS) - arms - HEAD_MASS * -0.25 - WHIP_MASS * 0.28) / CHASSIS_MASS
    parts = [("0.76 0.38 0.20", "-0.015 0 0"), ("0.66 0.40 0.04", "-0.015 0 0.12"), ("0.16 0.30 0.05", "0.20 0 0.165")]
    lines = [f'<link name="chassis">\n    {box(CHASSIS_MASS, 0.76, 0.38, 0.2, f"{x:.6f} 0 0")}',
             shape("visual", '<box size="0.76 0.38 0.20"/>', color="olive")]
    lines += [shape("collision", f'<box size="{size}"/>', at) for size, at in parts]
    lines += [shape("collision", '<cylinder radius="0.02" length="0.40"/>', "-0.25 0 0.34"),
              shape("collision", '<cylinder radius="0.015" length="0.06"/>', "0.38 0 0", f"0 {QUARTER} 0")]
    return "\n    ".join(lines) + "\n  </link>"


def trailing(row: str) -> int:
    """1 where the wheel is behind its pivot (towards the tail), -1 where it is ahead."""
    return -1 if row == "front" else 1


def corner(row: str, side: str, kind: str) -> str:
    """Arm (or strut, or rigid bracket) and wheel of one corner."""
    name, y = f"{row}_{side}", -1 if side == "left" else 1
    ahead, half = trailing(row), WHEEL["width"] / 2
    r, m = WHEEL["radius"], WHEEL["mass"]
    if kind == "struts":
        frame, axle = (WHEELS_X[row], y * ARM_Y, HUB_Z), (0.0, y * (TRACK - ARM_Y), 0.0)
        looks = [shape("visual", '<box size="0.05 0.03 0.22"/>', "0 0 0.08", color="steel")]
        limits = (-DROOP, BUMP)
    else:
        frame = (WHEELS_X[row] - ahead * LEVER, y * ARM_Y, PIVOT_Z)
        axle = (ahead * LEVER, y * (TRACK - ARM_Y), HUB_Z - PIVOT_Z)
        tilt = ahead * 0.286  # the arm falls by 0.05 m on 0.17 m
        looks = [shape("visual", f'<box size="{LEVER + 0.04:g} 0.03 0.05"/>', f"{axle[0] / 2:g} 0 {axle[2] / 2:g}",
                       f"0 {tilt:g} 0", "steel")]
        limits = arm_limits()
    looks.append(shape("visual", '<cylinder radius="0.018" length="0.08"/>',
                       f"{axle[0]:g} {y * 0.04:g} {axle[2]:g}", f"{QUARTER} 0 0"))
    center = f"{axle[0] / 2:g} 0 {axle[2] / 2:g}"
    joint = {"rigid": "fixed", "struts": "prismatic"}.get(kind, "revolute")
    axis = "0 0 1" if kind == "struts" else f"0 {-ahead} 0"
    hub, steered = f'<origin xyz="{axle[0]:g} {axle[1]:g} {axle[2]:g}"/>', row != "middle"
    limit = f'<limit lower="{limits[0]:.4f}" upper="{limits[1]:.4f}"/>'
    freedom = "" if kind == "rigid" else f'<axis xyz="{axis}"/>{limit}'
    return f"""
  <link name="arm_{name}">
    {box(ARM_MASS, 0.21, 0.08, 0.12, center)}
    {chr(10).join(looks).replace(chr(10), chr(10) + "    ")}
  </link>
  <joint name="sway_{name}" type="{joint}">
    <parent link="chassis"/><child link="arm_{name}"/><origin xyz="{frame[0]:g} {frame[1]:g} {frame[2]:g}"/>{freedom}
  </joint>
{fork(name, hub) if steered else ""}  <link name="wheel_{name}">
    {inertial(m, m * (3 * r * r + 4 * half * half) / 12, m * r * r / 2, m * (3 * r * r + 4 * half * half) / 12)}
    {shape("visual", f'<cylinder radius="{r:g}" length="{2 * half:g}"/>', turn=f"{QUARTER} 0 0", color="rubber")}
    {shape("collision", f'<cylinder radius="{r:g}" length="{2 * half:g}"/>', turn=f"{QUARTER} 0 0")}
  </link>
  <joint name="drive_{name}" type="continuous">
    <parent link="{"fork" if steered else "arm"}_{name}"/><child link="wheel_{name}"/>{"" if steered else hub}
    <axis xyz="0 -1 0"/><dynamics damping="0.02" friction="0.1"/>
  </joint>"""


def fork(name: str, hub: str) -> str:
    """What turns a steered wheel about the upright axis through its middle."""
    return f"""  <link name="fork_{name}">
    {box(FORK_MASS, 0.14, 0.10, 0.14)}
    {shape("visual", '<box size="0.05 0.04 0.10"/>', color="steel")}
  </link>
  <joint name="steer_{name}" type="revolute">
    <parent link="arm_{name}"/><child link="fork_{name}"/>{hub}<axis xyz="0 0 1"/>
    <limit lower="{-STEER - 0.05:g}" upper="{STEER + 0.05:g}" effort="60"/>
  </joint>
"""


def arm_limits() -> tuple[float, float]:
    """Angles of an arm at full droop and bump [rad], found by bisection on the hub's height."""
    def rise(angle: float) -> float:
        return LEVER * sin(angle) + (HUB_Z - PIVOT_Z) * (cos(angle) - 1)

    def angle_of(height: float) -> float:
        low, high = -1.2, 1.2
        for _ in range(60):
            half = (low + high) / 2
            low, high = (half, high) if rise(half) < height else (low, half)
        return low

    return angle_of(-DROOP), angle_of(BUMP)


def spring(row: str, side: str, kind: str) -> str:
    """The corner's spring, loaded so that the robot stands at the zero of its joints."""
    name, y, ahead = f"{row}_{side}", -1 if side == "left" else 1, trailing(row)
    hanging = WHEEL["mass"] + (0.0 if row == "middle" else FORK_MASS)
    share = CARRIED / 6 + (FORK_MASS / 3 if row != "middle" else -2 * FORK_MASS / 3)  # on this wheel [kg]
    torque = (share - hanging - ARM_MASS / 2) * GRAVITY * LEVER
    if kind == "struts":
        load = (share - hanging - ARM_MASS) * GRAVITY
        return (f'<joint_spring name="strut_{name}" joint="sway_{name}" stiffness="{RATE:.1f}" damping="{DAMPING:.2f}" '
                f'rest="{-load / RATE:.6f}"/>')
    if kind == "torsion":
        stiffness = RATE * LEVER**2
        return (f'<joint_spring name="bar_{name}" joint="sway_{name}" stiffness="{stiffness:.3f}" '
                f'damping="{DAMPING * LEVER**2:.4f}" rest="{-torque / stiffness:.6f}"/>')
    foot = (ahead * LEVER * COIL_AT, 0.0, (HUB_Z - PIVOT_Z) * COIL_AT)
    top = (WHEELS_X[row] - ahead * LEVER * (1 - COIL_AT), y * ARM_Y, COIL_TOP)
    stiffness = RATE / COIL_AT**2
    length = COIL_TOP - PIVOT_Z - foot[2] + torque / (LEVER * COIL_AT) / stiffness
    return (f'<spring name="coil_{name}" a="chassis" b="arm_{name}" stiffness="{stiffness:.1f}" '
            f'damping="{DAMPING / COIL_AT**2:.2f}" rest_length="{length:.6f}" '
            f'at_a="{top[0]:g} {top[1]:g} {top[2]:g}" at_b="{foot[0]:g} {foot[1]:g} {foot[2]:g}"/>')


def extension(kind: str) -> str:
    """Controls, drives, springs and the tyres' grip."""
    lines = ['<control name="throttle" keys="s w"/>',
             '<control name="steering" keys="d a"/>  <!-- above zero: to the left -->',
             '<control name="camera" low="-1.5" high="1.5" unit="rad" keys="e q"/>',
             '<position_motor joint="pan" target="camera" stiffness="20" damping="2" max_effort="8"/>',
             '<joint_spring name="whip" joint="sway_antenna" stiffness="4" damping="0.03"/>']
    for side in ("left", "right"):
        for row in WHEELS_X:
            if row != "middle":
                turn = STEER if row == "front" else -STEER
                lines.append(f'<position_motor joint="steer_{row}_{side}" target="steering:{turn:g}" stiffness="400" '
                             'damping="20" max_effort="60"/>')
            lines += [f'<dc_motor joint="drive_{row}_{side}" voltage="throttle:24" max_voltage="24" '
                      'k_t="0.09" k_e="0.09" resistance="1.4" gear="22" inertia="2e-5"/>',
                      f'<surface link="wheel_{row}_{side}" friction="0.9"/>']
            if kind != "rigid":
                lines.append(spring(row, side, kind))
    return "\n    ".join(lines)


def urdf(kind: str, about: str) -> str:
    """The whole file."""
    corners = "".join(corner(row, side, kind) for side in ("left", "right") for row in WHEELS_X)
    return f"""<?xml version="1.0"?>
<!-- Scout: a six-wheeled reconnaissance robot {about}.
     SI units, z up, x to the tail, where the hitch is: it drives towards -x and its left is -y.
     The origin is 0.3 m above the ground on which it stands. Made by tools/make_scout.py. -->
<robot name="scout">
  <material name="olive"><color rgba="0.42 0.46 0.28 1"/></material>
  <material name="steel"><color rgba="0.62 0.64 0.66 1"/></material>
  <material name="rubber"><color rgba="0.13 0.13 0.14 1"/></material>
  <material name="dark"><color rgba="0.20 0.24 0.30 1"/></material>
  <material name="orange"><color rgba="0.95 0.45 0.10 1"/></material>
  {chassis(kind)}
  <link name="hitch"/>
  <joint name="hitch_mount" type="fixed"><parent link="chassis"/><child link="hitch"/><origin xyz="0.4 0 0"/></joint>
  <link name="head">
    {box(HEAD_MASS, 0.12, 0.2, 0.1, "0 0 0.05")}
    {shape("visual", '<box size="0.12 0.20 0.10"/>', "0 0 0.05", color="dark")}
    {shape("collision", '<box size="0.12 0.20 0.10"/>', "0 0 0.05")}
    {shape("collision", '<cylinder radius="0.03" length="0.05"/>', "-0.075 0.05 0.05", f"0 {QUARTER} 0")}
    {shape("collision", '<cylinder radius="0.03" length="0.05"/>', "-0.075 -0.05 0.05", f"0 {QUARTER} 0")}
  </link>
  <joint name="pan" type="revolute">
    <parent link="chassis"/><child link="head"/><origin xyz="-0.25 0 0.545"/><axis xyz="0 0 1"/>
    <limit lower="-1.6" upper="1.6" effort="8"/>
  </joint>
  <link name="antenna">
    {box(WHIP_MASS, 0.02, 0.02, 0.7, "0 0 0.3")}
    {shape("visual", '<cylinder radius="0.006" length="0.70"/>', "0 0 0.35", color="orange")}
  </link>
  <joint name="sway_antenna" type="revolute">
    <parent link="chassis"/><child link="antenna"/><origin xyz="0.28 -0.16 0.14"/><axis xyz="0 1 0"/>
    <limit lower="-1.2" upper="1.2"/>
  </joint>
{corners}

  <pliant>
    {extension(kind)}
  </pliant>
</robot>
"""


def main() -> None:
    kinds = {"coils": ("scout", "on swing arms with coil springs"),
             "struts": ("scout-struts", "on spring struts"),
             "torsion": ("scout-torsion", "on swing arms with torsion bars"),
             "rigid": ("scout-rigid", "on rigid axles")}
    for kind, (name, about) in kinds.items():
        (ASSETS / f"{name}.urdf").write_text(urdf(kind, about))


if __name__ == "__main__":
    main()
