"""Writes docs/api.md from the docstrings of the public names; with --check it only says whether the page is up to date."""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "api.md"
sys.path.insert(0, str(ROOT))

import pliant as pl  # noqa: E402
from pliant.compile.cells import Quality  # noqa: E402
from pliant.handles.contact_list import ContactList  # noqa: E402
from pliant.handles.control import Controls  # noqa: E402
from pliant.handles.direct_rope import DirectRopeHandle, JointHoldHandle  # noqa: E402
from pliant.handles.handle import (  # noqa: E402
    BodyHandle,
    Handle,
    JointSpringHandle,
    LatchHandle,
    PlaceHandle,
    SpringHandle,
)
from pliant.handles.joint import JointHandle  # noqa: E402
from pliant.handles.robot import RobotHandle  # noqa: E402
from pliant.handles.rope import Reaction  # noqa: E402
from pliant.handles.soft import SoftHandle  # noqa: E402
from pliant.hands.grip import Grip  # noqa: E402
from pliant.hands.grip_on_body import BodyGrip  # noqa: E402
from pliant.patch.creases import Creases  # noqa: E402
from pliant.patch.tessellate import Tessellation  # noqa: E402
from pliant.report import Energy, Report  # noqa: E402
from pliant.scene.material import MATERIALS  # noqa: E402
from pliant.scene.noun import field_texts  # noqa: E402
from pliant.scene.rope import RopePlace, RopeStiffness  # noqa: E402
from pliant.scene.soft import VertexPlace  # noqa: E402
from pliant.scene.thing import Part  # noqa: E402
from pliant.view.viewer import Viewer  # noqa: E402

SECTIONS = {
    "Scenes": ("Scene", "load", "asset", "WORLD", "SceneError"),
    "Bodies": ("Body", "Ground", "Site", "Box", "Sphere", "Capsule", "Cylinder", "Mesh", "HeightField", "Placed", "Robot"),
    "Joints, motors, springs": ("Revolute", "Prismatic", "Spherical", "Fixed", "Universal", "Cylindrical", "Latch",
                                "VelocityMotor", "PositionMotor", "DCMotor", "Spring", "JointSpring"),
    "Ropes": ("Rope", "paper_a_stiffness"),
    "Cloth, solids, patches": ("Cloth", "Sheet", "Solid", "Wind", "PatchMesh", "FreeFormPatch", "Quadric"),
    "What holds, moves and pushes": ("Attachment", "Pin", "Motion", "Control", "Load", "Material"),
    "Running": ("World", "view", "Diverged"),
}
"""Every public name, where it stands on the page."""

BESIDE: dict[str, dict[str, type]] = {
    "Ropes": {"rope.start, rope.end, rope.at(s)": RopePlace, "rope.stiffness": RopeStiffness},
    "Cloth, solids, patches": {
        "thing.vertices(selector)": VertexPlace, "tessellation, of mesh.tessellate(tolerance)": Tessellation,
        "creases, of mesh.creases()": Creases},
    "Running": {
        "Report, of world.step() and world.run()": Report, "Energy, of world.energy()": Energy, "world.control": Controls,
        "world.contacts": ContactList, "quality, of world.quality and of a solid": Quality, "grip, of world.grab()": Grip,
        "grip on a body, of world.grab()": BodyGrip, "viewer, of pl.view(world, block=False)": Viewer},
    "What world[name] shows": {
        "a body": BodyHandle, "a robot": RobotHandle, "a site": PlaceHandle, "a joint": JointHandle, "a latch": LatchHandle,
        "a spring": SpringHandle, "a spring of a joint": JointSpringHandle, "an attachment, a pin": JointHoldHandle,
        "a rope": DirectRopeHandle, "rope.start, rope.end": Reaction, "a cloth, a solid": SoftHandle},
}
"""What a user holds without having made it, by the words above it."""

ABOUT = {"What world[name] shows": "Copies of the last whole step. What may be set is a teleport: it takes effect at once, and "
                                   "contacts are found anew. Each has a `.name`, and `.thing`, what the scene says of it."}
"""What is said of a section as a whole."""

_PRESETS = "\n".join(f"| {name} | {one.young:g} | {one.poisson_ratio:g} | {one.density:g} |" for name, one in MATERIALS.items())
NOTES = {"Material": f"""Presets, by name, or to be read by `pl.Material.preset("steel rope")`:

| preset | Young's modulus [Pa] | Poisson's ratio | density [kg/m3] |
| --- | --- | --- | --- |
{_PRESETS}

"strain-limited" resists beyond a tenth of strain only. A material has no damping: it is a field of `pl.Rope`. Numbers
of ropes and fabrics are those of the whole section, as if it were solid; [ropes.md](ropes.md) says how strands bend."""}


def main(argv: list[str]) -> int:
    """Write the page, or with --check compare it; returns 1 where it is not what it should be."""
    unplaced = sorted(set(pl.__all__) ^ {name for names in SECTIONS.values() for name in names})
    if unplaced:
        print(f"tools/api_page.py: SECTIONS and pliant.__all__ differ in {', '.join(unplaced)}", file=sys.stderr)
        return 1
    text = page()
    silent = mute()
    if silent:
        print(f"without a text: {', '.join(silent)}", file=sys.stderr)
        return 1
    if "--check" in argv:
        good = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text
        print(f"docs/api.md: {len(pl.__all__)} names" + ("" if good else ", out of date: run python tools/api_page.py"))
        return 0 if good else 1
    PAGE.write_text(text, encoding="utf-8")
    print(f"docs/api.md: {len(pl.__all__)} names")
    return 0


def mute() -> list[str]:
    """Fields and readings that say nothing of themselves."""
    classes = [getattr(pl, name) for name in pl.__all__ if inspect.isclass(getattr(pl, name))]
    classes += [one for part in BESIDE.values() for one in part.values()]
    return [f"{one.__name__}.{name}" for one in classes for name, text in [*_fields(one), *_readings(one), *_verbs(one)]
            if not text]


def page() -> str:
    """The whole page."""
    lines = ["# What there is", "",
             "Written by `python tools/api_page.py` from the docstrings; `help(pl.Box)` says the same. SI units, z up,",
             "quaternions (w, x, y, z): [conventions.md](conventions.md). Wherever a thing is asked for, its name will do.",
             "What a scene is made of does not change: `thing.replace(radius=0.02)` gives a copy with other fields.", ""]
    tables: dict[str, str] = {}
    for title in (*SECTIONS, *(one for one in BESIDE if one not in SECTIONS)):
        lines += [f"## {title}", "", *([ABOUT[title], ""] if title in ABOUT else [])]
        for name in SECTIONS.get(title, ()):
            lines += _entry(f"pl.{name}", getattr(pl, name), NOTES.get(name), tables)
        for words, one in BESIDE.get(title, {}).items():
            lines += _entry(words, one, None, tables)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def _entry(words: str, one, note: str | None, tables: dict[str, str]) -> list[str]:
    """A heading, the docstring, and tables of fields, readings and verbs; a table that stands on the page already is named."""
    if isinstance(one, str):
        return [f"### {words}", "", f'`"{one}"`: the world itself, where a parent, a child, a spring\'s end is asked for.', ""]
    if not inspect.isclass(one):
        return [f"### {words}{_signature(one)}", "", _text(one), ""]
    lines = [f"### {words}", "", _text(one), ""]
    if note:
        lines += [note, ""]
    fields, readings, verbs = list(_fields(one)), list(_readings(one)), list(_verbs(one))
    if fields and hasattr(one, "__struct_fields__"):
        defaults = {field.name: "" if field.default is None else f"`{field.default}`" for field in field_texts(one)}
        rows = [f"| `{name}` | {defaults[name]} | {_cell(text)} |" for name, text in fields]
        first = tables.setdefault("".join(rows), words)
        head = ["| field | default | |", "| --- | --- | --- |"]
        lines += [*head, *rows, ""] if first == words else [f"Fields as of `{first}`.", ""]
    elif fields:
        lines += ["| | |", "| --- | --- |", *(f"| `.{name}` | {_cell(text)} |" for name, text in fields), ""]
    if readings:
        lines += ["| | |", "| --- | --- |", *(f"| `.{name}` | {_cell(text)} |" for name, text in readings), ""]
    return lines + [line for name, text in verbs for line in (f"- `{name}`: {' '.join(text.split())}",)] + [""]


def _fields(cls: type) -> Iterator[tuple[str, str]]:
    """Fields and their texts."""
    for field in field_texts(cls):
        if not field.name.startswith("_") and (field.name != "thing" or not issubclass(cls, Handle)):
            yield field.name, field.text


def _readings(cls: type) -> Iterator[tuple[str, str]]:
    """Properties and their texts."""
    for name, one in _members(cls):
        if isinstance(one, property):
            yield name, inspect.cleandoc(one.__doc__ or "") + (" May be set." if one.fset is not None else "")


def _verbs(cls: type) -> Iterator[tuple[str, str]]:
    """Methods with their signatures, and their texts; of a class that users make themselves also how it is made."""
    if cls.__module__ in ("pliant.world", "pliant.scene.scene"):
        yield f"{cls.__name__}{_signature(cls)}", "how one is made."
    for name, one in _members(cls):
        one = getattr(one, "__func__", one)
        if inspect.isfunction(one):
            yield f"{name}{_signature(one)}", inspect.cleandoc(one.__doc__ or "")


def _members(cls: type) -> Iterator[tuple[str, object]]:
    """Public members that a class or one of its own bases defines, the first bases first."""
    seen: set[str] = set()
    for one in reversed(cls.__mro__):
        if not one.__module__.startswith("pliant."):
            continue
        for name in vars(one):
            if one in (Handle, Part):  # said once, above
                continue
            if not name.startswith("_") and name not in (*seen, *getattr(cls, "_fields", ())):
                seen.add(name)
                yield name, inspect.getattr_static(cls, name)


def _signature(one) -> str:
    """Its parameters without types, as one would call it."""
    shown = []
    for parameter in inspect.signature(one).parameters.values():
        if parameter.name in ("self", "cls") or parameter.name.startswith("_"):
            continue
        star = "**" if parameter.kind is parameter.VAR_KEYWORD else "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = "" if parameter.default is parameter.empty else f"={_value(parameter.default)}"
        shown.append(f"{star}{parameter.name}{default}")
    return f"({', '.join(shown)})"


def _value(value) -> str:
    return "1/60" if value == 1 / 60 else repr(value)


def _text(one) -> str:
    """The docstring without the fields below it, which stand in the table."""
    raw = vars(one).get("__doc__") if inspect.isclass(one) else one.__doc__
    return inspect.cleandoc(raw or "").partition("\n\nFields:")[0]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
