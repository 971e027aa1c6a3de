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
from contextlib import contextmanager
from functools import cache, cached_property, partial
from pathlib import Path
from typing import get_type_hints

import numba
import numpy as np
from numba import config, njit, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

_ROOT = Path(__file__).parent
_IMPORT = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.M)
_OPTIONS = {"_nrt": False, "nogil": True, "error_model": "numpy", "fastmath": {"contract", "nsz", "arcp"}}

ENTRIES: list = []
"""Every entry of the modules imported so far, in order: what `pliant warm` compiles."""
STAGES: list = []
"""Every stage, which entries are made of: what it compiles before."""


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


def _inner(function, **more):
    """A compiled function that only compiled functions call.

    Numba would compile it again for every literal it is called with, f(x, 0), f(x, 1), and would give it a wrapper that
    unpacks Python's tuples of arrays, larger than the function itself: both are left out. A call from Python, as tests
    make it, goes to a twin that has the wrapper.
    """
    compiled = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS, **more)(function)
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


def signature_of(function) -> dict[str, types.Type]:
    """The Numba type of each parameter of a function, read off its annotations."""
    from .model.schema import sample

    hints = get_type_hints(function, include_extras=True)
    names = function.__code__.co_varnames[:function.__code__.co_argcount]
    bare = [name for name in names if name not in hints]
    if bare:
        raise TypeError(f"{function.__module__}.{function.__qualname__}: no annotation of {', '.join(bare)}")
    return {name: numba.typeof(sample(hints[name])) for name in names}


@contextmanager
def _cached(path: Path):
    """The folder of a module's compiled functions, while they are set up; gives whether there is one."""
    saved = config.CACHE_DIR
    config.CACHE_DIR = str(cache_root() / f"{path.stem}-{_stamp(path)}") if _writable() else saved
    try:
        yield _writable()
    finally:
        config.CACHE_DIR = saved


def stage(function):
    """A large kernel that several entries share: compiled once, by its annotations, and cached on disk by itself."""
    if config.DISABLE_JIT:
        return function
    with _cached(Path(inspect.getfile(function))) as cached:
        made = _inner(function, cache=cached)
    STAGES.append(made)
    return made


def merged(function):
    """A kernel that becomes part of its caller: for what is called in one place, in a loop, with many arrays."""
    return function if config.DISABLE_JIT else _inner(function, forceinline=True)


class Entry:
    """A compiled function that Python calls; cached on disk, for the one signature that its annotations say.

    Unpacking a hundred arrays from tuples takes Numba as long as a small step. So what is compiled takes one table of
    addresses and shapes in place of all groups of arrays, from which it builds the groups again; `bind` makes the
    table once, a plain call makes it anew.
    """

    def __init__(self, function) -> None:
        self.py_func, self.inner = function, _inner(function)
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    @cached_property
    def signature(self) -> dict[str, types.Type]:
        """The Numba type of each parameter, by name."""
        return signature_of(self.py_func)

    @cached_property
    def packed(self):
        """The dispatcher: a table, then the parameters that are not arrays."""
        function, packs = self.py_func, [name for name, kind in self.signature.items() if _is_packed(kind)]
        rest = [name for name in self.signature if name not in packs]
        source = (f"def {function.__name__}({', '.join(['table', *rest])}):\n    {', '.join(packs)}, = _unpack(table)\n"
                  f"    return _inner({', '.join(self.signature)})\n")
        path = Path(inspect.getfile(function))
        space = {"_inner": self.inner, "_unpack": _unpacker([self.signature[name] for name in packs]),
                 "__name__": function.__module__}
        exec(compile(source, str(path), "exec"), space)
        with _cached(path) as cached:
            return njit(cache=cached, no_cfunc_wrapper=True, **_OPTIONS)(space[function.__name__])

    def compile(self) -> None:
        """Compile it, or find it in the cache."""
        self.packed.compile((types.int64[::1], *(kind for kind in self.signature.values() if not _is_packed(kind))))

    def __call__(self, *args):
        kinds = self.signature.values()
        if len(args) != len(kinds):
            raise TypeError(f"{self.__name__} takes {len(kinds)} arguments, got {len(args)}")
        wrong = [name for (name, kind), a in zip(self.signature.items(), args, strict=True)
                 if _is_packed(kind) and not _fits(a, kind)]
        if wrong:
            raise TypeError(f"{self.__name__}: {', '.join(wrong)} has not the arrays that are declared")
        table = _table([a for a, kind in zip(args, kinds, strict=True) if _is_packed(kind)])
        return self.packed(table, *(a for a, kind in zip(args, kinds, strict=True) if not _is_packed(kind)))


def bind(called, *groups):
    """`called` with its first parameters given, to be called often; the arrays must outlive it."""
    if not isinstance(called, Entry):
        return partial(called, *groups)
    wrong = [name for (name, kind), given in zip(called.signature.items(), groups, strict=False)
             if not _is_packed(kind) or not _fits(given, kind)]
    if wrong:
        raise TypeError(f"{called.__name__}: {', '.join(wrong)} has not the arrays that are declared")
    return _Bound(called.packed, _table(groups), groups)


class _Bound:
    """A call with its table, and what keeps the arrays alive."""

    def __init__(self, packed, table, groups) -> None:
        self.packed, self.table, self.groups = packed, table, groups

    def __call__(self, *rest):
        return self.packed(self.table, *rest)


def _is_packed(kind) -> bool:
    """Whether a parameter is arrays and nothing else."""
    if isinstance(kind, types.BaseTuple):
        return all(_is_packed(one) for one in kind.types)
    return isinstance(kind, types.Array)


def _fits(given, kind) -> bool:
    """Whether arrays are of the declared types, dimensions and layout; kernels do not mind which may be written."""
    if isinstance(kind, types.BaseTuple):
        return isinstance(given, tuple) and len(given) == len(kind.types) and all(map(_fits, given, kind.types))
    return given.ndim == kind.ndim and given.dtype == numba.np.numpy_support.as_dtype(kind.dtype) and given.flags.c_contiguous


def _table(groups) -> np.ndarray:
    """Addresses and shapes of all arrays of some groups, one after another."""
    out: list[int] = []

    def add(one) -> None:
        if isinstance(one, tuple):
            for part in one:
                add(part)
        else:
            if not one.flags.c_contiguous:
                raise ValueError("arrays of kernels must be contiguous")
            out.extend((one.ctypes.data, *one.shape))

    add(tuple(groups))
    return np.array(out, np.int64)


def _unpacker(kinds: list[types.Type]):
    """A function for kernels that turns a table of `_table` into arrays and groups of these types."""
    whole = types.Tuple(kinds)

    @intrinsic
    def unpack(typing_context, table):
        def generate(context, builder, signature, arguments):
            data = make_array(signature.args[0])(context, builder, arguments[0]).data
            place = iter(range(1 << 20))

            def word():
                return builder.load(builder.gep(data, [context.get_constant(types.intp, next(place))]))

            def build(kind):
                if isinstance(kind, types.BaseTuple):
                    return context.make_tuple(builder, kind, [build(one) for one in kind.types])
                array = make_array(kind)(context, builder)
                item = context.get_abi_sizeof(context.get_data_type(kind.dtype))
                pointer = builder.inttoptr(word(), context.get_data_type(kind.dtype).as_pointer())
                shape = [word() for _ in range(kind.ndim)]
                strides: list = []
                step = context.get_constant(types.intp, item)
                for size in reversed(shape):
                    strides.insert(0, step)
                    step = builder.mul(step, size)
                populate_array(array, data=pointer, shape=shape, strides=strides,
                               itemsize=context.get_constant(types.intp, item), meminfo=None)
                return array._getvalue()

            return context.make_tuple(builder, whole, [build(kind) for kind in kinds])

        return whole(table), generate

    return unpack


def entry(function):
    """Compile `function` for calls from Python: cached on disk, one signature, read off its annotations."""
    if config.DISABLE_JIT:
        return function
    made = Entry(function)
    ENTRIES.append(made)
    return made
