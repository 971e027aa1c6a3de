"""Draws curves over logarithmic or even axes into an SVG file, with no library."""

from collections.abc import Sequence
from math import ceil, floor, log10
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 450, 80, 170, 56, 60
COLORS = ("#1b6ca8", "#c8553d", "#3a7d44", "#7b4fa3", "#8a6d00")


def draw(path: Path, title: str, x_name: str, y_name: str, curves: dict[str, tuple[Sequence[float], Sequence[float]]],
         note: str = "") -> None:
    """Write a picture of curves name -> (x, y), both axes logarithmic; what is not above zero is left out.

    note: a line under the title, in small letters: what was measured.
    """
    kept = {name: [(x, y) for x, y in zip(*xy, strict=True) if x > 0.0 and y > 0.0] for name, xy in curves.items()}
    points = [p for curve in kept.values() for p in curve]
    x_range, y_range = (_decades([p[k] for p in points]) for k in (0, 1))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
           'font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="{TOP - 28}" font-size="15">{title}</text>',
           f'<text x="{LEFT}" y="{TOP - 10}" font-size="12" fill="#555">{note}</text>']
    out += _axes(x_range, y_range, x_name, y_name)
    for k, (name, curve) in enumerate(kept.items()):
        color = COLORS[k % len(COLORS)]
        line = " ".join(f"{_place(x, x_range, LEFT, WIDTH - RIGHT):.1f},{_place(y, y_range, HEIGHT - BOTTOM, TOP):.1f}"
                        for x, y in curve)
        out.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        for point in line.split() if len(curve) <= 20 else []:
            x, y = point.split(",")
            out.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{color}"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 12}" y="{TOP + 16 + 20 * k}" fill="{color}">{name}</text>')
    path.write_text("\n".join([*out, "</svg>"]) + "\n", encoding="utf-8")


def _decades(values: list[float]) -> tuple[int, int]:
    """Exponents of ten around all values."""
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return low, max(high, low + 1)


def _place(value: float, exponents: tuple[int, int], start: float, end: float) -> float:
    return start + (log10(value) - exponents[0]) / (exponents[1] - exponents[0]) * (end - start)


def _axes(x_range: tuple[int, int], y_range: tuple[int, int], x_name: str, y_name: str) -> list[str]:
    out = []
    for e in range(x_range[0], x_range[1] + 1):
        x = _place(10.0**e, x_range, LEFT, WIDTH - RIGHT)
        out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{10.0**e:g}</text>')
    for e in range(y_range[0], y_range[1] + 1, max(1, (y_range[1] - y_range[0]) // 8)):
        y = _place(10.0**e, y_range, HEIGHT - BOTTOM, TOP)
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**e:.0e}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    out.append(f'<text x="{middle}" y="{HEIGHT - 16}" text-anchor="middle">{x_name}</text>')
    turned = f"translate(18 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"
    out.append(f'<text transform="{turned}" text-anchor="middle">{y_name}</text>')
    return out
