"""The only module that names Numba's decorator.

`kernel` compiles a function that other kernels call; `entry` compiles one that Python calls. Entries are cached on
disk, kernels live inside the entries that use them. Numba's own cache looks at the file of the compiled function and
not at the files of the functions it calls, so editing an equation would leave its callers stale. Here the folder of
an entry carries a hash of its module and of every module of the package that it imports, however indirectly: an edit
recompiles what depends on it, and nothing else.
"""

import hashlib
import inspect
import os
import re
import warnings
from functools import cache
from pathlib import Path

import numba
from numba import config, njit, types

_ROOT = Path(__file__).parent
_IMPORT = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.M)
_OPTIONS = {"_nrt": False, "nogil": True, "error_model": "numpy", "fastmath": {"contract", "nsz", "arcp"}}

ENTRIES: list = []
"""Every entry of the modules imported so far, in order: what `pliant warm` compiles."""


def cache_root() -> Path:
    """The folder that holds compiled entries."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / _ROOT.name


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Files of the package that the module at `path` imports by a relative import."""
    found = []
    for dots, module, names in _IMPORT.findall(path.read_text()):
        base = path.parents[len(dots) - 1].joinpath(*filter(None, module.split(".")))
        candidates = [base.with_suffix(".py"), base / "__init__.py"]
        candidates += [base / f"{name}.py" for name in re.findall(r"\w+", names)]
        found += [c for c in candidates if c.is_file() and c != path]
    return tuple(found)


@cache
def _stamp(path: Path) -> str:
    """Hash of a module, all it imports inside the package, and Numba's version."""
    seen, queue = set(), [path]
    while queue:
        one = queue.pop()
        if one not in seen:
            seen.add(one)
            queue += _imports(one)
    digest = hashlib.sha1(numba.__version__.encode())
    for one in sorted(seen):
        digest.update(one.read_bytes())
    return digest.hexdigest()[:12]


@cache
def _writable() -> bool:
    try:
        cache_root().mkdir(parents=True, exist_ok=True)
        probe = cache_root() / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        warnings.warn(f"{cache_root()} cannot be written: compiling in memory at every start", stacklevel=2)
        return False
    return True


def _inner(function):
    """A compiled function that only compiled functions call.

    Numba would compile it again for every literal it is called with, f(x, 0), f(x, 1), and would give it a wrapper that
    unpacks Python's tuples of arrays, larger than the function itself: both are left out. A call from Python, as tests
    make it, goes to a twin that has the wrapper.
    """
    compiled = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    template = compiled.get_call_template
    twin = cache(lambda: njit(**_OPTIONS)(function))

    def without_literals(args, kws):
        return template(tuple(map(types.unliteral, args)), {k: types.unliteral(v) for k, v in kws.items()})

    compiled.get_call_template = without_literals
    compiled.add_overload = lambda result: compiled.overloads.__setitem__(tuple(result.signature.args), result)
    compiled._compile_for_args = lambda *args, **kws: twin()
    return compiled


def kernel(function):
    """Compile `function` for use inside other kernels, with the project's one set of options."""
    return function if config.DISABLE_JIT else _inner(function)


def entry(function):
    """Compile `function` for calls from Python: cached on disk, one signature, read off its annotations."""
    if config.DISABLE_JIT:
        return function
    path = Path(inspect.getfile(function))
    saved = config.CACHE_DIR
    config.CACHE_DIR = str(cache_root() / f"{path.stem}-{_stamp(path)}") if _writable() else saved
    try:
        compiled = njit(cache=_writable(), no_cfunc_wrapper=True, **_OPTIONS)(function)
    finally:
        config.CACHE_DIR = saved
    ENTRIES.append(compiled)
    return compiled
