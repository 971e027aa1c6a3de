"""What the tests of the command line share: a scene in a file, and a call that gives the exit code."""

from pliant.cli import main as cli

SCENE = """
pliant: 1
about: a mast on a cart, held up by a torsion spring
things:
- {type: Ground}
- {type: Control, name: throttle, low: -2, high: 2, unit: rad/s}
- {type: Body, name: cart, shape: {type: Box, x: 0.8, y: 0.5, z: 0.3}, mass: 40, position: [0, 0, 0.15]}
- {type: Body, name: mast, shape: {type: Capsule, radius: 0.03, length: 1}, mass: 2, position: [0, 0, 0.85]}
- type: Revolute
  name: hinge
  parent: cart
  child: mast
  anchor: [0, 0, 0.3]
  axis: [0, 1, 0]
  motor: {type: VelocityMotor, target: throttle, max_effort: 5}
- {type: JointSpring, name: return, joint: hinge, stiffness: 60, damping: 2}
"""


def mast(folder) -> str:
    """The path of the scene, written to a folder."""
    path = folder / "mast.yaml"
    path.write_text(SCENE)
    return str(path)


def call(*words: str) -> int:
    """The exit code of a command."""
    try:
        return cli.main(words)
    except SystemExit as end:
        return int(end.code or 0)
