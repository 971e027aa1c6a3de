"""Prints the table source -> equation -> file -> test, and fails where a link is missing.

Every module of pliant/equations ends its docstring with two lines:
    Source: [Key] where        a key of docs/bibliography.md
    Check: path                a test that exists
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(argv: list[str]) -> int:
    """Print the table, or with --quiet only its length; returns 1 if a link is missing."""
    keys = set(re.findall(r"^- \[(\w+)\]", (ROOT / "docs" / "bibliography.md").read_text(encoding="utf-8"), re.M))
    faults: list[str] = []
    rows = []
    for path in sorted((ROOT / "pliant" / "equations").rglob("*.py")):
        if path.name != "__init__.py":
            rows.append(row_of(path, keys, faults))
    if "--quiet" in argv:
        print(f"{len(rows)} equations, {len(faults)} links missing")
    else:
        print("| source | equation | file | check |\n| --- | --- | --- | --- |")
        for source, title, name, check in sorted(rows):
            print(f"| {source} | {title} | `{name}` | `{check}` |")
    print("".join(f"{fault}\n" for fault in faults), file=sys.stderr, end="")
    return 1 if faults else 0


def row_of(path: Path, keys: set[str], faults: list[str]) -> tuple[str, str, str, str]:
    """The row of one equation; what is missing goes to `faults`."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    name = path.relative_to(ROOT).as_posix()
    source = re.search(r"^Source: ((?:\[\w+\]).*)$", text, re.M)
    check = re.search(r"^Check: (\S+)", text, re.M)
    if not source:
        faults.append(f"{name}: no line 'Source: [Key] where'")
    for key in re.findall(r"\[(\w+)\]", source[1]) if source else []:
        if key not in keys:
            faults.append(f"{name}: the source [{key}] is not in docs/bibliography.md")
    if not check:
        faults.append(f"{name}: no line 'Check: path of a test'")
    elif not (ROOT / check[1].partition("::")[0]).is_file():
        faults.append(f"{name}: the test {check[1]} does not exist")
    return source[1] if source else "?", text.partition("\n")[0] or "?", name, check[1] if check else "?"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
