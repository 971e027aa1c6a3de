"""The decorators of all compiled functions.

`kernel` compiles a function that other kernels call; `entry` one that Python calls; `stage` a large one that several
entries share. Kernels live inside the entries and stages that use them, stages by themselves (_jit_parts.py). Both entries
and stages are cached on disk, by a hash of all that they are made from (_jit_cache.py): an edit recompiles what depends on
it, and nothing else.
"""

from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import get_type_hints

import numba
from numba import config, types

from ._jit_cache import DiskCache, cache_root, reached, stamp, writable
from ._jit_parts import StageCompiler, inner, outer
from ._jit_table import fits, is_packed, table_of

ENTRIES: list = []
"""Every entry of the modules imported so far, in order: what `pliant warm` compiles."""


def kernel(function):
    """Compile `function` for use inside other kernels, with the project's one set of options."""
    return function if config.DISABLE_JIT else inner(function, "kernel")


def signature_of(function) -> dict[str, types.Type]:
    """The Numba type of each parameter of a function, read off its annotations."""
    from .model.schema import sample

    hints = get_type_hints(function, include_extras=True)
    names = function.__code__.co_varnames[:function.__code__.co_argcount]
    bare = [name for name in names if name not in hints]
    if bare:
        raise TypeError(f"{function.__module__}.{function.__qualname__}: no annotation of {', '.join(bare)}")
    return {name: numba.typeof(sample(hints[name])) for name in names}


def _keep(compiled, function, stamped: Callable[[], str]) -> None:
    """Keep what is compiled of `function` on disk, where `stamped()` says."""
    if writable() or cache_root().is_dir():
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        compiled._cache = DiskCache(compiled.py_func, name, stamped, lambda: load_stages(function))


def stages_of(function) -> list:
    """The stages that a function calls, however indirectly, but for those that its stages call."""
    found: dict = {}
    reached(function, lambda called: called.role == "stage" and found.setdefault(called, True))
    return list(found)


def load_stages(function) -> None:
    """Make the stages known that the machine code of a function calls by name."""
    for one in stages_of(function):
        one.compile(one.kinds())


def stage(function):
    """A large kernel that several entries share: compiled once, by its annotations, and cached on disk by itself."""
    if config.DISABLE_JIT:
        return function
    kinds = cache(lambda: tuple(signature_of(function).values()))
    stamped = cache(lambda: stamp(function, kinds()))
    made = inner(function, "stage", partial(StageCompiler, kinds=kinds, stamped=stamped))
    made.kinds = kinds
    _keep(made, function, stamped)
    return made


def merged(function):
    """A kernel that becomes part of its caller: for what is called in one place, in a loop, with many arrays."""
    return function if config.DISABLE_JIT else inner(function, "merged")


class Entry:
    """A compiled function that Python calls; cached on disk, for the one signature that its annotations say.

    Unpacking a hundred arrays from tuples takes Numba as long as a small step. So what is compiled takes one table of
    addresses and shapes in place of all groups of arrays, from which it builds the groups again; `bind` makes the
    table once, a plain call makes it anew.
    """

    role = "entry"

    def __init__(self, function) -> None:
        self.py_func, self.inner = function, inner(function, self.role)
        self.__doc__, self.__name__, self.used = function.__doc__, function.__name__, False

    @cached_property
    def signature(self) -> dict[str, types.Type]:
        """The Numba type of each parameter, by name."""
        return signature_of(self.py_func)

    @cached_property
    def packed(self):
        """The dispatcher: a table, then the parameters that are not arrays."""
        function = self.py_func
        made = outer(function, self.signature, self.inner)
        _keep(made, function, lambda: stamp(function, tuple(self.signature.values())))
        return made

    def kinds(self) -> tuple[types.Type, ...]:
        """What it is compiled for: a table, then what is not arrays."""
        return types.int64[::1], *(kind for kind in self.signature.values() if not is_packed(kind))

    @property
    def loaded(self) -> bool:
        """Whether it can be called at once."""
        return "packed" in self.__dict__ and bool(self.packed.overloads)

    def compile(self) -> None:
        """Compile it, or find it in the cache."""
        self.packed.compile(self.kinds())

    def __call__(self, *args):
        self.used = True
        kinds = self.signature.values()
        if len(args) != len(kinds):
            raise TypeError(f"{self.__name__} takes {len(kinds)} arguments, got {len(args)}")
        wrong = [name for (name, kind), a in zip(self.signature.items(), args, strict=True)
                 if is_packed(kind) and not fits(a, kind)]
        if wrong:
            raise TypeError(f"{self.__name__}: {', '.join(wrong)} has not the arrays that are declared")
        table = table_of([a for a, kind in zip(args, kinds, strict=True) if is_packed(kind)])
        return self.packed(table, *(a for a, kind in zip(args, kinds, strict=True) if not is_packed(kind)))


def bind(called, *groups, likely: bool = True):
    """`called` with its first parameters given, to be called often; the arrays must outlive it.

    What is not `likely` to be called is not compiled ahead.
    """
    if not isinstance(called, Entry):
        return partial(called, *groups)
    wrong = [name for (name, kind), given in zip(called.signature.items(), groups, strict=False)
             if not is_packed(kind) or not fits(given, kind)]
    if wrong:
        raise TypeError(f"{called.__name__}: {', '.join(wrong)} has not the arrays that are declared")
    called.used = called.used or likely
    bound = partial(called.packed, table_of(groups))
    bound.__dict__["groups"] = groups  # which keeps the arrays alive
    return bound


def foresee(called) -> None:
    """Let an entry that will be called without being bound be compiled ahead too."""
    if isinstance(called, Entry):
        called.used = True


def entry(function):
    """Compile `function` for calls from Python: cached on disk, one signature, read off its annotations."""
    if config.DISABLE_JIT:
        return function
    made = Entry(function)
    ENTRIES.append(made)
    return made
