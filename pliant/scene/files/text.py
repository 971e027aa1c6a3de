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


class _Twice(Exception):
    """A key of JSON that stands twice in one mapping."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The mapping of these pairs, each key once: Python's reader would keep the last and say nothing."""
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise _Twice(key)
        content[key] = value
    return content


class _Dumper(yaml.SafeDumper):
    # The reader's own rules decide which words need quotes; those of YAML 1.1 are kept for readers of that kind.
    yaml_implicit_resolvers: ClassVar = {  # type: ignore[misc]
        letter: _resolvers().get(letter, []) + yaml.SafeDumper.yaml_implicit_resolvers.get(letter, [])
        for letter in {*_resolvers(), *yaml.SafeDumper.yaml_implicit_resolvers}
    }

    def ignore_aliases(self, data: Any) -> bool:
        return True


_PLAIN = "write plain keys, a colon and a space, then the value, as the built-in scenes do"
_REMEDIES = {
    "mapping values are not allowed": "put a text that holds a colon in quotes, and indent keys of one thing alike",
    "could not find expected ':'": "put a colon and a space after every key, and quotes around longer texts",
    "character '\\t'": "indent with spaces, not with tabs",
    "cannot start any token": "put the text in quotes",
    "<block end>": "indent the lines of one thing alike, and begin each thing of a list with a dash",
    "but got '['": "put places with brackets, like 'flag[0-24]', in quotes",
    "another document": "keep one scene in a file, and leave out the line ---",
    "expected ',' or": "separate entries by commas, and close the bracket",
    "end of stream": "close the quotes or the bracket that is open",
    "expected the node content": "give the key a value, and leave out a comma too many",
    "recursive": "leave out what names itself by & and *",
    "alias": "put a word that begins with * or & in quotes",
    "escape": "write a backslash twice, or take single quotes",
    "given twice": "keep one of them",
    "not a word": "write the key as a word, in quotes if need be",
    "constructor for the tag": "leave out tags, words that begin with !",
}
"""What mends what the reader of YAML complains of, by a part of its words."""


def _remedy(problem: str) -> str:
    return next((remedy for words, remedy in _REMEDIES.items() if words in problem), _PLAIN)


def read_text(path: Path) -> Any:
    """The content of a YAML or JSON file; mappings of YAML know their lines."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        return json.loads(text, object_pairs_hook=_once) if path.suffix == ".json" else yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f", line {mark.line + 1}" if mark else ""
        problem = " ".join(str(error.problem or error.context).split())
        raise SceneError(f"{path}{place}: {problem}; {_remedy(problem)}.") from None
    except yaml.YAMLError as error:
        raise SceneError(f"{path} is not YAML: {' '.join(str(error).split())}; {_PLAIN}.") from None
    except json.JSONDecodeError as error:
        raise SceneError(f"{path}, line {error.lineno}: {error.msg}; JSON has double quotes around words, commas between "
                         "entries and none after the last.") from None
    except _Twice as error:
        raise SceneError(f"{path}: the key '{error}' is given twice in one place; leave one of them out.") from None
    except UnicodeDecodeError:
        raise SceneError(f"{path} is not a text file in UTF-8; save it as one.") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # a value that is not what its YAML tag says
        told = " ".join(str(error).split())
        raise SceneError(f"{path} has a value that cannot be read ({told}); leave out tags like !!int.") from None
    except IsADirectoryError:
        raise SceneError(f"{path} is a folder; give a scene file (.yaml or .json).") from None
    except OSError as error:
        raise SceneError(f"{path} cannot be read ({error.strerror}); check its permissions.") from None
    except RecursionError:
        raise SceneError(f"{path} is nested too deeply to be a scene; a thing holds lists and mappings, not many in each "
                         "other.") from None


def format_text(content: dict, suffix: str) -> str:
    """YAML for people, JSON for machines."""
    if suffix == ".json":
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
