"""Colours of the picture: what a body without a colour gets, and how colours reach the page."""

from collections import Counter

import numpy as np

from ..scene.shape import Cylinder, HeightField

MOVING = ((0.16, 0.44, 0.68), (0.91, 0.53, 0.18), (0.20, 0.58, 0.50), (0.76, 0.28, 0.27), (0.91, 0.73, 0.27),
          (0.46, 0.40, 0.66), (0.36, 0.62, 0.80), (0.55, 0.42, 0.33))
"""Told apart by people with any colour vision: blue and orange first."""
FIXED = (0.63, 0.65, 0.67)
TERRAIN = (0.58, 0.60, 0.49)
RUBBER = (0.15, 0.155, 0.17)
STEEL = (0.46, 0.48, 0.51)
JOINT = (0.98, 0.70, 0.10)
ROPE = (0.80, 0.62, 0.36)
GROUND = (0.86, 0.87, 0.88)
GROUND_LINE = (0.76, 0.78, 0.80)
GROUND_SECTION = (0.70, 0.725, 0.75)
PRESSURE = ((1.00, 1.00, 0.70), (1.00, 0.85, 0.46), (1.00, 0.70, 0.30), (0.99, 0.55, 0.24), (0.94, 0.23, 0.13),
            (0.74, 0.00, 0.15))
"""From little to much; darker with each step."""
SKY_TOP = (0.60, 0.72, 0.84)
SKY_LOW = (0.93, 0.945, 0.955)

MANY = 8
"""From this many alike, bodies take turns through the palette instead of sharing one colour."""


def body_colors(bodies, wheels: frozenset[str], key_of) -> dict[str, tuple[float, float, float]]:
    """A colour (red, green, blue, 0 to 1) for every body by name; bodies of one shape share it, unless many."""
    alike = Counter(key_of(body.shape) for body in bodies if not body.fixed)
    colors: dict[str, tuple[float, float, float]] = {}
    of_shape: dict = {}
    turn = 0
    for body in bodies:
        key = key_of(body.shape)
        if body.color is not None:
            colors[body.name] = body.color
        elif isinstance(body.shape, HeightField):
            colors[body.name] = TERRAIN
        elif body.fixed:
            colors[body.name] = FIXED
        elif body.name in wheels and isinstance(body.shape, Cylinder):
            colors[body.name] = RUBBER
        elif alike[key] >= MANY:
            colors[body.name] = MOVING[turn % len(MOVING)]
            turn += 1
        else:
            if key not in of_shape:
                of_shape[key] = MOVING[len(of_shape) % len(MOVING)]
            colors[body.name] = of_shape[key]
    return colors


def tinted(color, factor: float) -> tuple[float, float, float]:
    """Lighter (above 1) or darker (below 1)."""
    if factor >= 1.0:
        return tuple(1.0 - (1.0 - c) / factor for c in color)
    return tuple(c * factor for c in color)


def linear_bytes(colors) -> np.ndarray:
    """sRGB colours (n, 3) in 0 to 1 as bytes of linear light, which is what batched meshes take."""
    colors = np.clip(np.asarray(colors, float).reshape(-1, 3), 0.0, 1.0)
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    return np.round(255.0 * linear).astype(np.uint8)


def screen_bytes(color) -> tuple[int, int, int]:
    """A colour in 0 to 1 as three bytes."""
    red, green, blue = (round(255.0 * min(max(c, 0.0), 1.0)) for c in color)
    return red, green, blue
