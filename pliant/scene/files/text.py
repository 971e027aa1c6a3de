"""YAML and JSON text: read with the line of every key, numbers and words told apart as YAML 1.2 does."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import yaml

from ..errors import SceneError

_WORDS = {
    "tag:yaml.org,2002:bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "tag:yaml.org,2002:null": (r"~|null|Null|NULL|", "~nN\0"),
    "tag:yaml.org,2002:int": (r"[-+]?[0-9]+|0x[0-9a-fA-F]+", "-+0123456789"),
    "tag:yaml.org,2002:float": (
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN",
        "-+.0123456789",
    ),
    "tag:yaml.org,2002:merge": (r"<<", "<"),
}


def _resolvers() -> dict[str, list[tuple[str, re.Pattern]]]:
    """YAML 1.1 takes `on` for true, `1e5` for a word and `1:30` for 90; scenes have fields called `on`."""
    table: dict[str, list[tuple[str, re.Pattern]]] = {}
    for tag, (pattern, first_letters) in _WORDS.items():
        for letter in first_letters:
            table.setdefault("" if letter == "\0" else letter, []).append((tag, re.compile(f"^(?:{pattern})$")))
    return table


class Located(dict):
    """A mapping that knows the line it starts on and the line of each key."""

    line: int | None = None
    lines: Mapping[str, int] = MappingProxyType({})


class _Loader(yaml.SafeLoader):
    yaml_implicit_resolvers: ClassVar = _resolvers()  # type: ignore[misc]

    def located(self, node: yaml.MappingNode) -> Located:
        keys = [self.construct_object(key) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        marks = [key.start_mark.line + 1 for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        for index, key in enumerate(keys):
            if not isinstance(key, str):
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is not a word", node.start_mark)
            if key in keys[:index]:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key '{key}' is given twice", node.value[index][0].start_mark
                )
        out = Located(self.construct_mapping(node, deep=True))
        out.line, out.lines = node.start_mark.line + 1, dict(zip(keys, marks, strict=True))
        return out


_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.located)


class _Dumper(yaml.SafeDumper):
    # The reader's own rules decide which words need quotes; those of YAML 1.1 are kept for readers of that kind.
    yaml_implicit_resolvers: ClassVar = {  # type: ignore[misc]
        letter: _resolvers().get(letter, []) + yaml.SafeDumper.yaml_implicit_resolvers.get(letter, [])
        for letter in {*_resolvers(), *yaml.SafeDumper.yaml_implicit_resolvers}
    }

    def ignore_aliases(self, data: Any) -> bool:
        return True


def read_text(path: Path) -> Any:
    """The content of a YAML or JSON file; mappings of YAML know their lines."""
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if path.suffix == ".json" else yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f", line {mark.line + 1}" if mark else ""
        raise SceneError(f"{path.name}{place}: {error.problem or error.context}.") from None
    except yaml.YAMLError as error:
        raise SceneError(f"{path.name} is not YAML: {' '.join(str(error).split())}.") from None
    except json.JSONDecodeError as error:
        raise SceneError(f"{path.name}, line {error.lineno}: {error.msg}.") from None
    except UnicodeDecodeError:
        raise SceneError(f"{path.name} is not a text file in UTF-8.") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # a value that is not what its YAML tag says
        raise SceneError(f"{path.name} has a value that cannot be read ({' '.join(str(error).split())}).") from None
    except IsADirectoryError:
        raise SceneError(f"{path} is a folder; give a scene file (.yaml or .json).") from None
    except RecursionError:
        raise SceneError(f"{path.name} is nested too deeply to be a scene.") from None


def format_text(content: dict, suffix: str) -> str:
    """YAML for people, JSON for machines."""
    if suffix == ".json":
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
