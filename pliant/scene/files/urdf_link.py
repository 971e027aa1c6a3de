"""Links of a URDF: mass and inertia, collision shapes, and how they look."""

from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from ..body import HEAVIEST, doubt_of_inertia
from ..shape import Box, Capsule, Cylinder, Mesh, Sphere
from .urdf_xml import Source

Piece = tuple[Box | Sphere | Capsule | Cylinder | Mesh, np.ndarray]
"""A shape and its transform (4, 4) into the link's frame."""


@dataclass
class Link:
    """One <link>."""

    name: str
    mass: float = 0.0
    """[kg]"""
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Centre of mass [m], link's frame."""
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    """About the centre of mass, link's axes [kg m2]."""
    collisions: list[Piece] = field(default_factory=list)
    visuals: list[Piece] = field(default_factory=list)
    color: tuple[float, float, float] | None = None


def read_link(source: Source, element: Element, materials: dict[str, tuple[float, float, float]]) -> Link:
    """The link that an element describes."""
    link = Link(source.name("a link", element))
    what = source.remember(f"link '{link.name}'", element)
    inertials = element.findall("inertial")
    if len(inertials) > 1:
        raise source.fail(what, f"it has {len(inertials)} <inertial> elements; keep one.")
    if inertials:
        _read_inertial(source, what, inertials[0], link)
    for tag, pieces in (("collision", link.collisions), ("visual", link.visuals)):
        for part in element.findall(tag):
            pieces.append((_read_geometry(source, f"{what}, {tag}", part), source.origin(f"{what}, {tag}", part)))
    for visual in element.findall("visual"):
        color = read_color(source, what, visual.find("material"), materials)
        link.color = link.color or color
    return link


def read_color(source: Source, what: str, material: Element | None, materials) -> tuple[float, float, float] | None:
    """Red, green, blue of a <material>, by its own <color> or by the name of one of the robot's."""
    if material is None:
        return None
    color, name = material.find("color"), material.get("name", "")
    if material.find("texture") is not None:
        source.warn(f"<texture> of material '{name}' ignored.", what)
    if color is not None:
        red, green, blue, opacity = source.numbers(what, color, "rgba", 4)
        if not all(0.0 <= v <= 1.0 for v in (red, green, blue, opacity)):
            raise source.fail(what, f"rgba is \"{color.get('rgba')}\" in <color>; "
                                    "its numbers must lie between 0 and 1.", color)
        materials.setdefault(name, (red, green, blue))
        return red, green, blue
    return materials.get(name)


def _read_inertial(source: Source, what: str, inertial: Element, link: Link) -> None:
    mass, tensor = inertial.find("mass"), inertial.find("inertia")
    if mass is None:
        raise source.fail(what, 'its <inertial> has no <mass>; give <mass value="…"/> in kg.', inertial)
    link.mass = source.number(what, mass, "value", least=0.0, most=HEAVIEST)
    if tensor is None:
        raise source.fail(what, "its <inertial> has no <inertia>; give ixx, ixy, ixz, iyy, iyz and izz in kg m2.", inertial)
    xx, yy, zz = (source.number(what, tensor, a, least=0.0, most=HEAVIEST) for a in ("ixx", "iyy", "izz"))
    xy, xz, yz = (source.number(what, tensor, a, 0.0, most=HEAVIEST) for a in ("ixy", "ixz", "iyz"))
    frame = source.origin(what, inertial)
    turn = frame[:3, :3]
    link.center = frame[:3, 3].copy()
    given = np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    link.inertia = turn @ given @ turn.T
    doubt = doubt_of_inertia(given)
    if doubt:
        source.warn(doubt, f"{what}, inertia")


def _read_geometry(source: Source, what: str, element: Element):
    geometry = element.find("geometry")
    shapes = [] if geometry is None else list(geometry)
    if len(shapes) != 1:
        raise source.fail(what, "it needs one <geometry> with one shape in it.", element)
    shape = shapes[0]
    if shape.tag == "box":
        return Box(*_lengths(source, what, shape, "size", 3))
    if shape.tag == "sphere":
        return Sphere(*_lengths(source, what, shape, "radius", 1))
    if shape.tag in ("cylinder", "capsule"):
        sizes = _lengths(source, what, shape, "radius", 1) + _lengths(source, what, shape, "length", 1)
        return (Cylinder if shape.tag == "cylinder" else Capsule)(*sizes)
    if shape.tag == "mesh":
        return _read_mesh(source, what, shape)
    raise source.fail(what, f"<{shape.tag}> is not supported; use box, sphere, cylinder, capsule or mesh.", shape)


def _lengths(source: Source, what: str, element: Element, attribute: str, count: int) -> tuple[float, ...]:
    values = source.numbers(what, element, attribute, count)
    if min(values) <= 0.0:
        raise source.fail(what, f"{attribute} is \"{element.get(attribute)}\" in <{element.tag}>; it must be positive.",
                          element)
    return values


def _read_mesh(source: Source, what: str, element: Element) -> Mesh:
    scale = source.numbers(what, element, "scale", 3, (1.0, 1.0, 1.0))
    if not all(scale):
        raise source.fail(what, f"scale is \"{element.get('scale')}\" in <mesh>; none of its numbers may be 0.", element)
    x, y, z = scale
    file = str(_mesh_file(source, what, source.name(what, element, "filename")))
    return Mesh(file, scale=x if x == y == z and x > 0.0 else (x, y, z))


def _mesh_file(source: Source, what: str, name: str) -> Path:
    """The file that a mesh's name stands for: `package://x/…` is looked for in and above the URDF's folder."""
    folder = source.path.parent
    if name.startswith("package://"):
        package, _, rest = name.removeprefix("package://").partition("/")
        tries = [base / tail for base in (folder, *folder.parents) for tail in (Path(package, rest), Path(rest))]
    else:
        tries = [folder / name.removeprefix("file://")]
    for path in tries:
        if path.is_file():
            return path
    raise source.fail(what, f"the mesh file '{name}' was not found (looked for {tries[0]}); "
                            "put it there or correct the filename.")
