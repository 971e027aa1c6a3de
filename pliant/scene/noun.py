"""How nouns speak for themselves: `help` shows their fields with their texts, and a mistyped field gets the nearest one."""

import ast
import inspect
import sys
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from .errors import SceneError, nearest, shown, who


class FieldText(NamedTuple):
    """What the source of a class says of one field."""

    name: str
    kind: str
    """Its annotation, as written."""
    default: str | None
    """As written; None where it must be given."""
    text: str
    """The words below it: unit, frame and meaning."""


@cache
def _classes(module: str) -> dict[str, list[FieldText]]:
    """The fields that the classes of a module declare, by class; nothing where its source is not at hand."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError, SyntaxError):
        return {}
    return {node.name: _declared(node.body) for node in tree.body if isinstance(node, ast.ClassDef)}


def _declared(body: list[ast.stmt]) -> list[FieldText]:
    found = []
    for statement, after in zip(body, [*body[1:], None], strict=True):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        kind = ast.unparse(statement.annotation)
        if kind.startswith("ClassVar"):
            continue
        value = after.value if isinstance(after, ast.Expr) else None
        text = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
        default = None if statement.value is None else ast.unparse(statement.value)
        default = "{}" if default is not None and "default_factory=dict" in default else default
        found.append(FieldText(statement.target.id, kind.strip("'\""), default, " ".join(text.split())))
    return found


def field_texts(cls: type) -> list[FieldText]:
    """The fields of a class, those that it inherits too, in the order in which they are given."""
    found: dict[str, FieldText] = {}
    for one in reversed(cls.__mro__):
        found.update({field.name: field for field in _classes(one.__module__).get(one.__name__, [])})
    order = getattr(cls, "__struct_fields__", None) or getattr(cls, "_fields", None) or tuple(found)
    return [found[name] for name in order if name in found]


def with_fields(cls: type, text: str | None) -> str | None:
    """The docstring `text` of a class, and below it every field with its default and its own text."""
    rows = [f"    {field.name}: {field.kind}{'' if field.default is None else f' = {field.default}'}\n        {field.text}"
            for field in field_texts(cls)]
    return "\n".join([inspect.cleandoc(text or ""), "", "Fields:", *rows]) if rows else text


class Noun(msgspec.StructMeta):
    # Its own docstring is what its classes answer with; the source is read when somebody asks, not at every import.
    __doc__ = property(lambda cls: with_fields(cls, cls.__dict__.get("__doc__")))

    def __init__(cls, *given, **more) -> None:
        super().__init__(*given, **more)
        cls.__setattr__ = _unchanging  # type: ignore[assignment, method-assign]  # msgspec gives every frozen class its own

    @property
    def __signature__(cls) -> inspect.Signature:
        """The fields and their defaults; their types stand below, with their texts."""
        whole = super().__signature__
        return whole.replace(parameters=[one.replace(annotation=one.empty) for one in whole.parameters.values()])

    if not TYPE_CHECKING:  # for a checker of types a class is made of its fields

        def __call__(cls, *values, **fields):
            try:
                return super().__call__(*values, **fields)
            except TypeError:
                wrong = _misgiven(cls, values, fields)
                if wrong is None:
                    raise
            raise SceneError(wrong)


def _unchanging(self, name: str, value) -> None:
    """In place of `__setattr__`: things are shared by scenes and worlds."""
    words = f"{name}={shown(value)}" if name in self.__struct_fields__ else "…"
    raise AttributeError(f"{who(self)} does not change; make a copy by .replace({words}), and give that to scene.replace.")


def _misgiven(cls: type, values: tuple, given: dict) -> str | None:
    """What is wrong with the fields that were given, if they are what is wrong."""
    known: tuple[str, ...] = cls.__struct_fields__  # type: ignore[attr-defined]
    count, name = len(values), given.get("name", values[0] if values and known[:1] == ("name",) else None)
    who = f"{cls.__name__} '{name}'" if isinstance(name, str) and name.isprintable() else cls.__name__
    unknown = [field for field in given if field not in known]
    if unknown:
        return f"{who}: it has no field '{unknown[0]}'. {nearest(unknown[0], known)}"
    if count > len(known):
        return f"{who}: {count} values are given, but it has {len(known)} fields: {', '.join(known)}."
    twice = [field for field in known[:count] if field in given]
    if twice:
        return f"{who}: {twice[0]} is given twice, by its place and by its name; leave one of them out."
    optional = len(cls.__struct_defaults__)  # type: ignore[attr-defined]
    missing = [field for field in known[count:len(known) - optional] if field not in given]
    if missing:
        return f"{who}: it needs {' and '.join(missing)}; its fields are {', '.join(known)}."
    return None
