"""Writes what the scene `tow` needs: the URDF of the tractor, a six-wheeled robot of 100 kg, and the ground it drives on.

The frame of the robot is its hull's: z up, x to the tail, where the hitch is; it drives towards -x and its left is -y.
Its origin is 0.36 m above the ground on which it stands. It steers by driving its two sides apart.
"""

from math import pi
from pathlib import Path

import numpy as np
from make_rough_ground import SIDE, START, _smooth, _spread

SCENE = Path(__file__).resolve().parents[1] / "pliant" / "scene"
QUARTER = repr(pi / 2)

HULL_MASS, WHEEL_MASS, RADIUS, WIDTH = 73.0, 4.5, 0.16, 0.12
WHEELS_X, TRACK, HUB_Z = {"front": -0.35, "middle": 0.0, "rear": 0.35}, 0.36, -0.20
HITCH = (0.60, 0.0, 0.06)
FORWARD, TURN = 24.0, 20.0  # voltage of full throttle and full steering [V]


def inertial(mass: float, xx: float, yy: float, zz: float, at: str = "0 0 0") -> str:
    return (f'<inertial><origin xyz="{at}"/><mass value="{mass:g}"/>'
            f'<inertia ixx="{xx:.6g}" ixy="0" ixz="0" iyy="{yy:.6g}" iyz="0" izz="{zz:.6g}"/></inertial>')


def shape(kind: str, inner: str, at: str = "0 0 0", turn: str = "0 0 0", color: str = "") -> str:
    material = f'<material name="{color}"/>' if color else ""
    return f'<{kind}><origin xyz="{at}" rpy="{turn}"/><geometry>{inner}</geometry>{material}</{kind}>'


def hull() -> str:
    """Box of batteries and drives, deck, folded arm, mast and the bar of the hitch; its middle is its centre of mass."""
    x, y, z, m = 1.0, 0.52, 0.26, HULL_MASS / 12
    boxes = [("1.00 0.52 0.22", "0 0 0"), ("0.80 0.56 0.05", "-0.02 0 0.135"), ("0.34 0.24 0.16", "0.24 0 0.24")]
    rods = [(0.045, 0.50, "-0.14 0 0.30", f"0 {QUARTER} 0"), (0.035, 0.26, "-0.38 0 0.42", "0 0 0"),
            (0.022, 0.16, "0.54 0 0.06", f"0 {QUARTER} 0")]
    lines = [f'<link name="hull">\n    {inertial(HULL_MASS, m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y))}',
             shape("visual", f'<box size="{boxes[0][0]}"/>', color="sand")]
    lines += [shape("collision", f'<box size="{size}"/>', at) for size, at in boxes]
    lines += [shape("collision", f'<cylinder radius="{r:g}" length="{length:g}"/>', at, turn) for r, length, at, turn in rods]
    lines.append(shape("collision", '<box size="0.14 0.20 0.09"/>', "-0.38 0 0.58"))
    return "\n    ".join(lines) + "\n  </link>"


def wheel(row: str, side: str) -> str:
    name, y, m = f"{row}_{side}", -TRACK if side == "left" else TRACK, WHEEL_MASS
    across = m * (3 * RADIUS**2 + WIDTH**2) / 12
    return f"""
  <link name="wheel_{name}">
    {inertial(m, across, m * RADIUS**2 / 2, across)}
    {shape("visual", f'<cylinder radius="{RADIUS:g}" length="{WIDTH:g}"/>', turn=f"{QUARTER} 0 0", color="rubber")}
    {shape("collision", f'<cylinder radius="{RADIUS:g}" length="{WIDTH:g}"/>', turn=f"{QUARTER} 0 0")}
  </link>
  <joint name="drive_{name}" type="continuous">
    <parent link="hull"/><child link="wheel_{name}"/><origin xyz="{WHEELS_X[row]:g} {y:g} {HUB_Z:g}"/>
    <axis xyz="0 -1 0"/><dynamics damping="0.02" friction="0.2"/>
  </joint>"""


def extension() -> str:
    """Controls, drives and the tyres' grip."""
    lines = ['<control name="throttle" keys="s w"/>', '<control name="steering" keys="d a"/>  <!-- above zero: to the left -->']
    for side, turn in (("left", -TURN), ("right", TURN)):
        for row in WHEELS_X:
            lines += [f'<dc_motor joint="drive_{row}_{side}" voltage="throttle:{FORWARD:g} steering:{turn:g}" max_voltage="24" '
                      'k_t="0.09" k_e="0.09" resistance="1.0" gear="22" inertia="3e-5"/>',
                      f'<surface link="wheel_{row}_{side}" friction="0.9"/>']
    return "\n    ".join(lines)


def urdf() -> str:
    """The whole file."""
    wheels = "".join(wheel(row, side) for side in ("left", "right") for row in WHEELS_X)
    hitch = " ".join(f"{c:g}" for c in HITCH)
    return f"""<?xml version="1.0"?>
<!-- Tractor: a six-wheeled robot of 100 kg that steers by driving its two sides apart, with a hitch at its tail.
     SI units, z up, x to the tail: it drives towards -x and its left is -y. The origin is 0.36 m above the ground on
     which it stands. Made by tools/make_tow.py. -->
<robot name="tractor">
  <material name="sand"><color rgba="0.72 0.62 0.40 1"/></material>
  <material name="rubber"><color rgba="0.13 0.13 0.14 1"/></material>
  {hull()}
  <link name="hitch"/>
  <joint name="hitch_mount" type="fixed"><parent link="hull"/><child link="hitch"/><origin xyz="{hitch}"/></joint>
{wheels}

  <pliant>
    {extension()}
  </pliant>
</robot>
"""


def heights(count: int = 251) -> np.ndarray:
    """Heights (count, count) [m] of bumps of 3 to 7 cm on gentle waves, level where the robot and the cart start."""
    rng = np.random.default_rng(11)
    line = np.linspace(-SIDE / 2, SIDE / 2, count)
    x, y = np.meshgrid(line, line, indexing="ij")
    ground = 0.04 * np.sin(0.7 * x + 0.4) * np.cos(0.5 * y) + 0.03 * np.sin(0.3 * x - 0.45 * y)
    bumps = np.zeros_like(x)
    for px, py in _spread(rng, 1.1):
        tall, wide = rng.uniform(0.03, 0.07), rng.uniform(0.22, 0.42)
        bumps = np.maximum(bumps, tall * np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * wide * wide)))
    away = np.hypot(x - np.clip(x, 0.0, 4.0), y)  # from the line between the two
    rim = _smooth((SIDE / 2 - np.maximum(abs(x), abs(y))) / 2.5)
    ground = START + _smooth((away - 0.8) / 1.5) * (ground + bumps)
    return np.round(rim * ground - (1 - rim) * 0.06, 4)


def main() -> None:
    (SCENE / "assets" / "tractor.urdf").write_text(urdf())
    np.savez_compressed(SCENE / "built_in" / "tow-ground.npz", heights=heights().astype(np.float32))


if __name__ == "__main__":
    main()
