"""A URDF file while it is read: numbers out of attributes, errors that name file and element, warnings kept."""

from math import isfinite
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import numpy as np

from ..errors import SceneError, nearest

TURN = 6.284
"""A turn [rad], rounded up as files round it: larger angles are doubtful."""


class Source:
    """The file: its path, what was said about it, and how a message names an element of it, with its line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.warnings: list[str] = []
        self.robot, self._lines = read_xml(path)
        self._named: dict[str, Element] = {}

    def fail(self, what: str, text: str, element: Element | None = None) -> SceneError:
        """The error `text` about `what`, at the line of an element of it or else of its own."""
        return SceneError(f"{self._place(what, element)}: {what}: {text}" if what else f"{self._place(what, element)}: {text}")

    def warn(self, text: str, what: str = "") -> None:
        """Say what of the file is doubtful or has no effect."""
        self.warnings.append(f"{self._place(what, None)}: {what}: {text}" if what else f"{self.path}: {text}")

    def remember(self, what: str, element: Element) -> str:
        """Know `what` by its element from now on."""
        self._named.setdefault(what, element)
        return what

    def _place(self, what: str, element: Element | None) -> str:
        if element is None:
            element = next((one for name, one in self._named.items() if what == name or what.startswith(f"{name},")), None)
        return f"{self.path}" if element is None else f"{self.path}, line {self._lines[element]}"

    def unknown(self, what: str, role: str, name: str, known) -> SceneError:
        """An error for a name that the file does not declare, with the nearest one that it does."""
        return self.fail(what, f"{role} is '{name}', which the file does not have. {nearest(name, known, 'The file has')}")

    def numbers(self, what: str, element: Element | None, attribute: str, count: int,
                default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """`count` finite numbers of an attribute, or the default; an error where there is neither."""
        text = None if element is None else element.get(attribute)
        if text is None:
            if default is None:
                raise self.fail(what, f"{attribute} is missing{_inside(element)}; give {_count(count)}.", element)
            return default
        try:
            values = tuple(float(word) for word in text.split())
        except ValueError:
            values = ()
        if len(values) != count or not all(isfinite(v) for v in values):
            raise self.fail(what, f"{attribute} is \"{text}\"{_inside(element)}; it must be {_count(count)}.", element)
        return values

    def number(self, what: str, element: Element | None, attribute: str, default: float | None = None, *,
               least: float | None = None, above: float | None = None, most: float | None = None) -> float:
        """One finite number of an attribute."""
        value = self.numbers(what, element, attribute, 1, None if default is None else (default,))[0]
        if most is not None and abs(value) > most:
            raise self.fail(what, f"{attribute} is {value:g}{_inside(element)}; it must be at most {most:g}.", element)
        if (least is not None and value < least) or (above is not None and value <= above):
            limit = "positive" if least is None else "zero or more"
            raise self.fail(what, f"{attribute} is {value:g}{_inside(element)}; it must be {limit}.", element)
        return value

    def name(self, what: str, element: Element | None, attribute: str = "name") -> str:
        """A word of an attribute, which must be there."""
        text = "" if element is None else (element.get(attribute) or "").strip()
        if not text:
            raise self.fail(what, f"{attribute} is missing{_inside(element)}; name it.", element)
        return text

    def origin(self, what: str, element: Element) -> np.ndarray:
        """The transform (4, 4) of an element's <origin>, into the frame it stands in."""
        origin = element.find("origin")
        position = self.numbers(what, origin, "xyz", 3, (0.0, 0.0, 0.0))
        angles = self.numbers(what, origin, "rpy", 3, (0.0, 0.0, 0.0))
        if max(map(abs, angles)) > TURN:
            self.warn(f"rpy is \"{' '.join(f'{a:g}' for a in angles)}\" in <origin>; angles are in radians, check them.", what)
        return transform(position, rotation_from_angles(*angles))


def read_xml(path: Path) -> tuple[Element, dict[Element, int]]:
    """The <robot> element of a file and the line of every element, or an error in one sentence."""
    parser, builder, lines = expat.ParserCreate(), TreeBuilder(), {}

    def start(tag: str, attributes: dict[str, str]) -> None:
        lines[builder.start(tag, attributes)] = parser.CurrentLineNumber

    parser.StartElementHandler, parser.EndElementHandler = start, builder.end
    try:
        parser.Parse(path.read_bytes(), True)
    except OSError as error:
        raise SceneError(f"{path}: cannot be read ({error.strerror}); check the path.") from None
    except (expat.ExpatError, ValueError, LookupError) as error:
        line = f", line {error.lineno}" if isinstance(error, expat.ExpatError) else ""
        raise SceneError(f"{path}{line}: is not well-formed XML ({str(error).partition(':')[0]}); mend it there.") from None
    root = builder.close()
    if root.tag != "robot":
        raise SceneError(f"{path}: its first element is <{root.tag}>; a URDF starts with <robot>.")
    if any("xacro" in element.tag for element in root.iter()):
        raise SceneError(f"{path}: holds xacro macros; run xacro on it first and load the URDF that comes out.")
    return root, lines


def transform(position, rotation: np.ndarray) -> np.ndarray:
    """The matrix (4, 4) that turns by `rotation` (3, 3) and then moves by `position` (3,)."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = position
    return matrix


def rotation_from_angles(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """URDF's rpy: turned about fixed x by roll, then fixed y by pitch, then fixed z by yaw [rad]."""
    (cr, cp, cy), (sr, sp, sy) = np.cos((roll, pitch, yaw)), np.sin((roll, pitch, yaw))
    return np.array(((cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
                     (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
                     (-sp, cp * sr, cp * cr)))


def rotation_from_quaternion(quaternion) -> np.ndarray:
    """Rotation matrix (3, 3) of a unit quaternion (w, x, y, z)."""
    w, x, y, z = quaternion
    return np.array(((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                     (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                     (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))))


def quaternion_from_rotation(r: np.ndarray) -> tuple[float, float, float, float]:
    """Unit quaternion (w, x, y, z), w >= 0, of a rotation matrix; divides by the largest component."""
    diagonal = np.array((r[0, 0] + r[1, 1] + r[2, 2], r[0, 0], r[1, 1], r[2, 2]))
    largest = int(diagonal.argmax())
    if largest == 0:
        q = np.array((1 + diagonal[0], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]))
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        q = np.empty(4)
        q[0] = r[k, j] - r[j, k]
        q[1 + i] = 1 + r[i, i] - r[j, j] - r[k, k]
        q[1 + j], q[1 + k] = r[i, j] + r[j, i], r[i, k] + r[k, i]
    q /= np.linalg.norm(q) * (-1.0 if q[0] < 0.0 else 1.0)
    w, x, y, z = (q + 0.0).tolist()
    return w, x, y, z


def _inside(element: Element | None) -> str:
    return "" if element is None or element.tag in ("link", "joint", "robot") else f" in <{element.tag}>"


def _count(count: int) -> str:
    return "a finite number" if count == 1 else f"{count} finite numbers"
