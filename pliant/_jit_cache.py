"""What a compiled function depends on, as one hash, and its folder on disk, which is named after that.

Numba's own cache looks at when the file of a function was changed, and not at the functions that it calls. Here the key is
what the machine code is made from: the bytecode of the function and of all that it calls, however indirectly, the values
of the constants that they name, and the fields of groups. So an edit recompiles what depends on it and nothing else; texts,
comments and other functions of the same file do not count, nor does where the package lies.
"""

import hashlib
import os
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from shutil import rmtree
from types import CodeType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import config, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.registry import cpu_target

_ROOT = Path(__file__).parent
UNUSED = 30 * 86400.0
"""[s] after which what nobody has looked for is taken away."""


def cache_root() -> Path:
    """The folder that holds compiled functions."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / _ROOT.name


@cache
def writable() -> bool:
    """Whether it can be written; if not, says so once."""
    try:
        cache_root().mkdir(parents=True, exist_ok=True)
        probe = cache_root() / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        warnings.warn(f"{cache_root()} cannot be written: what is not in it is compiled at every start", stacklevel=2)
        return False
    return True


def prune(unused: float = UNUSED) -> int:
    """Take away what no process has looked for in so long [s]: it is of code that is gone. Returns of how many functions.

    A folder is renamed before it is emptied: whoever looks for it meanwhile finds all of it or nothing, and compiles anew.
    """
    gone, now = 0, time.time()
    for folder in cache_root().glob("[!.]*"):
        with suppress(OSError):  # another process was quicker, or it is not ours to take away
            if not folder.is_dir() or now - folder.stat().st_mtime < unused:
                continue
            aside = folder.with_name(f".gone-{os.getpid()}-{folder.name}")
            folder.rename(aside)
            rmtree(aside, ignore_errors=True)
            gone += 1
    for folder in cache_root().glob(".gone-*"):  # of a process that was ended in between
        rmtree(folder, ignore_errors=True)
    return gone


def stamp(function, kinds: tuple[types.Type, ...]) -> str:
    """Hash of all that the machine code of a function for arguments of these types is made from."""
    lines = sorted(_own(one)[0] for one in reached(function))
    text = "\n".join((_surroundings(), function.__qualname__, *map(_typed, kinds), *lines))
    return hashlib.sha1(text.encode()).hexdigest()[:16]


def reached(function, stop: Callable[[Any], Any] = lambda called: False) -> list:
    """The function and all functions that it calls, however indirectly; what `stop` says is left out."""
    found, queue = {function: None}, [function]
    while queue:
        for called in _own(queue.pop())[1]:
            if called.py_func not in found and not stop(called):
                found[called.py_func] = None
                queue.append(called.py_func)
    return list(found)


@cache
def _own(function) -> tuple[str, tuple]:
    """What a function is made of by itself, as a text, and the compiled functions that it calls."""
    words, calls = [f"{function.__module__}.{function.__qualname__} {_code(function.__code__, function.__doc__)}"], []
    if function.__defaults__:
        words.append(_value(function, "defaults", function.__defaults__))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    named = {name: cell.cell_contents for name, cell in cells}
    named |= {name: function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__}
    for name in sorted(named):
        value = named[name]
        if hasattr(value, "py_func"):
            calls.append(value)
            words.append(f"{name}: {value.role} {value.py_func.__module__}.{value.py_func.__qualname__}")
        else:
            words.append(f"{name}: {_value(function, name, value)}")
    return " | ".join(words), tuple(calls)


def _names(code: CodeType) -> set[str]:
    """Names that a function looks up; attributes are among them, which does no harm."""
    inner = (_names(one) for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*inner)


def _code(code: CodeType, text: str | None) -> str:
    """Hash of bytecode, without its `text` for people and the numbers of its lines."""
    constants = list(code.co_consts)
    if text is not None and constants and constants[0] == text:
        constants[0] = None
    shown = [_code(one, None) if isinstance(one, CodeType) else _constant(one) for one in constants]
    whole = (code.co_code.hex(), shown, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
             code.co_argcount, code.co_kwonlyargcount, code.co_flags)
    return hashlib.sha1(repr(whole).encode()).hexdigest()


def _constant(value) -> str:
    """A constant with its type: 1, 1.0 and True are not the same."""
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset):
        return f"frozenset({', '.join(sorted(map(_constant, value)))})"
    return f"{type(value).__name__} {value!r}"


def _value(function, name: str, value) -> str:
    """What a name stands for, other than a compiled function."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, tuple, np.generic)):
        return _constant(value)
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha1(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if isinstance(value, type) and hasattr(value, "_fields"):
        return f"{value.__module__}.{value.__qualname__} {value._fields}"
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or type(value).__module__
    if home.partition(".")[0] == __package__:
        raise TypeError(f"{function.__module__}.{function.__qualname__} uses {name}, of which the cache of compiled functions "
                        f"cannot tell whether it has changed; make it a kernel, a group or a constant")
    return f"{home}.{getattr(value, '__name__', repr(value))}"


def _typed(kind: types.Type) -> str:
    """A type with the names of the fields of groups: what a kernel reads by name depends on their order."""
    if isinstance(kind, types.BaseNamedTuple):
        return f"{kind.instance_class.__qualname__}({', '.join(map(_field, kind.fields, kind.types))})"
    if isinstance(kind, types.BaseTuple):
        return f"({', '.join(map(_typed, kind.types))})"
    return str(kind)


def _field(name: str, kind: types.Type) -> str:
    return f"{name}: {_typed(kind)}"


@cache
def _surroundings() -> str:
    """The compiler: its versions, its switches, and the modules that set it up."""
    setup = [_ROOT / "_jit_parts.py", _ROOT / "_jit_table.py"]
    house = [_code(compile(path.read_text(), path.name, "exec", optimize=2), None) for path in setup]
    switches = [config.OPT, config.BOUNDSCHECK, config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.DEBUGINFO_DEFAULT]
    return repr((sys.version, numba.__version__, llvmlite.__version__, np.__version__, list(map(str, switches)), house))


class _Folder(_CacheLocator):
    """Tells Numba the folder of one function."""

    def __init__(self, path: str) -> None:
        self._path = path

    def get_cache_path(self) -> str:
        return self._path

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return ""

    @classmethod
    def from_function(cls, py_func, py_file):
        raise NotImplementedError


class _Results(CompileResultCacheImpl):
    """How Numba writes and reads what it compiled, in the folder of one function."""

    def __init__(self, path: str) -> None:
        self._locator = _Folder(path)


class DiskCache(FunctionCache):
    """What is compiled of one function; where it lies is found out when it is first asked for, once all it calls is known."""

    announce: Callable[[str], None] | None = staticmethod(
        lambda name: print(f"pliant: compiling {name}, once", file=sys.stderr, flush=True))
    """Called with the name of what has to be compiled."""

    def __init__(self, function, name: str, stamped: Callable[[], str], before: Callable[[], None]) -> None:
        self._name, self._py_func, self._label, self._stamped, self._before = repr(function), function, name, stamped, before
        self.enable()

    @cached_property
    def _cache_path(self) -> str:
        return str(cache_root() / f"{self._label}-{self._stamped()}")

    @cached_property
    def _impl(self) -> _Results:
        return _Results(self._cache_path)

    @cached_property
    def _cache_file(self) -> IndexDataCacheFile:
        return IndexDataCacheFile(self._cache_path, self._label, "")

    def load_overload(self, sig, target_context):
        """What was compiled before, or None; what it calls by name is loaded first."""
        self._before()
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # a file cut short, by a full disk or a machine that stopped: whatever reading it raises
            self._forget()
            found = None
        if found is not None:
            self._mark()
        elif DiskCache.announce is not None:
            DiskCache.announce(self._label)
        return found

    def save_overload(self, sig, data):
        """Keep what was compiled; where that cannot be done this process has it all the same."""
        if not writable():  # which was said once
            return
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warnings.warn(f"{self._label} could not be kept in {cache_root()} ({error.strerror}): it will be compiled again at "
                          "the next start", stacklevel=2)

    def holds(self, signature: tuple[types.Type, ...]) -> bool:
        """Whether it is there, compiled for this processor."""
        try:
            name = self._cache_file._load_index().get(self._index_key(signature, cpu_target.target_context.codegen()))
        except Exception:
            self._forget()
            return False
        there = name is not None and Path(self._cache_path, name).exists()
        if there:
            self._mark()
        return there

    def _mark(self) -> None:
        """Note when it was last of use, for `prune`."""
        with suppress(OSError):
            os.utime(self._cache_path)

    def _forget(self) -> None:
        """Take away what cannot be read."""
        rmtree(self._cache_path, ignore_errors=True)
        with suppress(OSError):
            self._impl.locator.ensure_cache_path()
