"""How Numba compiles functions, which only this module asks it to, and in which pieces.

Numba makes machine code of every function with all that it calls inside, so what stands six calls deep is assembled six times
over, and for a function that Python never calls all but the last are thrown away. A part has none: it ends within the stage
or entry that calls it. It is optimised all the same, or LLVM would judge it too large to inline, and islands of a few
contacts would take a tenth longer. A stage is machine code of its own; its callers hold nothing but its name, which says what
it was made from, and it must be loaded before they are.

All of them hand arrays on by address and shape alone. Numba has seven words for an array of one dimension and nine for one of
two, and a stage takes some two hundred arrays: a call that is not inlined would take 2 us.
"""

from collections.abc import Callable
from functools import cache

import llvmlite.binding as llvm
from llvmlite import ir
from numba import njit, types
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.datamodel import default_manager
from numba.core.datamodel.models import ArrayModel
from numba.core.funcdesc import default_mangler
from numba.core.untyped_passes import ExtractByteCode
from numba.np import arrayobj
from numba.np.numpy_support import as_dtype

from ._jit_table import is_packed, unpacker

_OPTIONS = {"_nrt": False, "nogil": True, "error_model": "numpy", "fastmath": {"contract", "nsz", "arcp"}}


class _LeanArray(ArrayModel):
    """An array as Numba has it, but that as an argument it is its address and its shape, from which the rest follows."""

    def get_argument_type(self):
        """The types of both."""
        return self._models[self._fields.index("data")].get_argument_type(), (ir.IntType(64),) * self._fe_type.ndim

    def as_argument(self, builder, value):
        """Both of an array."""
        shape = self.get(builder, value, "shape")
        return self.get(builder, value, "data"), tuple(builder.extract_value(shape, k) for k in range(self._fe_type.ndim))

    def from_argument(self, builder, value):
        """The array again: contiguous, owned by nobody."""
        data, shape = value
        item = ir.Constant(ir.IntType(64), as_dtype(self._fe_type.dtype).itemsize)
        count, strides = ir.Constant(ir.IntType(64), 1), list[ir.Value]()
        for size in reversed(shape):
            strides.insert(0, builder.mul(count, item))
            count = builder.mul(count, size)
        out = ir.Constant(self.get_value_type(), None)
        for name, field in (("nitems", count), ("itemsize", item), ("data", data)):
            out = self.set(builder, out, field, name)
        for name, words in (("shape", shape), ("strides", strides)):
            for k, word in enumerate(words):
                out = builder.insert_value(out, word, (self._fields.index(name), k))
        return out


def _array(manager, kind: types.Array) -> ArrayModel:
    """How an array is handed on: as it is, if it is not contiguous."""
    return (_LeanArray if kind.layout == "C" and kind.ndim > 0 else ArrayModel)(manager, kind)


_LEAN = default_manager.copy()
_LEAN.register(types.Array, _array)


def _plain_index(context, builder, kind, index, size):
    """An index as it is in the project's own functions, which never count from the end: Numba else asks each whether it is
    negative, which costs as much as reading what stands there, and keeps loops from becoming vector instructions."""
    if context.data_model_manager is not _LEAN:
        return _wrapped_index(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


_wrapped_index, arrayobj.fix_integer_index = arrayobj.fix_integer_index, _plain_index


class LeanCompiler(Compiler):
    """Numba's compiler, for functions that hand arrays on by address and shape."""

    def __init__(self, *args, **words) -> None:
        super().__init__(*args, **words)
        context = self.state.targetctx
        context.data_model_manager, context.cached_internal_func = _LEAN, {}


class _Part(JITCodeLibrary):
    """A kernel and the kernels it calls, for linking into another: optimised, so that LLVM sees how small it is."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class PartCompiler(LeanCompiler):
    """Numba's compiler, for parts."""

    def compile_extra(self, func):
        """Compile a function that only compiled functions call."""
        context = self.state.targetctx
        self.state.library = _Part(context.codegen(), func.__qualname__)
        context.get_executable = _no_machine_code
        return super().compile_extra(func)


def _no_machine_code(library, _description, _environment):
    """In place of a function for Python: something that is not the same twice, by which callers find the part."""
    library._ensure_finalized()
    return lambda: None


class _Stage(JITCodeLibrary):
    """Machine code of which callers know the name."""

    _shared_module: llvm.ModuleRef | None

    def _get_module_for_linking(self):
        self._ensure_finalized()
        if self._shared_module is None:
            self._shared_module = llvm.parse_assembly(str(self._codegen._create_empty_module(self.name)))
        return self._shared_module


class StageCompiler(LeanCompiler):
    """Numba's compiler, for stages: for arguments of the types `kinds()`, named by a hash of all that they are made from."""

    def __init__(self, *args, kinds: Callable[[], tuple], stamped: Callable[[], str], **more) -> None:
        super().__init__(*args, **more)
        self.kinds, self.stamped = kinds, stamped

    def compile_extra(self, func):
        """Compile a stage; for other types, as tests may have them, it becomes a function like any other."""
        if tuple(self.state.args) != self.kinds():
            return super().compile_extra(func)
        context = self.state.targetctx
        self.state.library = _Stage(context.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        # Numba adds its options to the name, sets of words among them, whose order changes from process to process.
        context.mangler = lambda name, kinds, *, abi_tags=(), uid=None: default_mangler(name, kinds, uid=uid)
        name = FunctionIdentity.from_function(func)
        name.unique_id = self.stamped()
        name.unique_name = f"{name.func_qualname}${name.unique_id}"
        self.state.func_id, self.state.lifted, self.state.lifted_from = name, (), None
        ExtractByteCode().run_pass(self.state)
        return self._compile_bytecode()


def inner(function, role: str, pipeline=PartCompiler):
    """A compiled function that only compiled functions call; its role is kernel, merged, stage or entry.

    Numba would compile it again for every literal it is called with, f(x, 0), f(x, 1), and would give it a wrapper that
    unpacks Python's tuples of arrays, larger than the function itself: both are left out. A call from Python, as tests
    make it, goes to a twin that has the wrapper.
    """
    # Left unsaid, `forceinline` is handed down to what a merged kernel calls; said to be False, small islands take 20 % longer.
    words = {"forceinline": True} if role == "merged" else {}
    compiled = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=pipeline, **words, **_OPTIONS)(function)
    template = compiled.get_call_template
    twin = cache(lambda: njit(pipeline_class=LeanCompiler, **_OPTIONS)(function))

    def without_literals(args, kws):
        return template(tuple(map(types.unliteral, args)), {k: types.unliteral(v) for k, v in kws.items()})

    compiled.get_call_template = without_literals
    compiled.add_overload = lambda result: compiled.overloads.__setitem__(tuple(result.signature.args), result)
    compiled._compile_for_args = lambda *args, **kws: twin()
    compiled.role = role
    return compiled


def outer(function, signature: dict[str, types.Type], called):
    """What Python calls: takes a table in place of all groups of arrays, then the other parameters, and calls `called`."""
    packs = [name for name, kind in signature.items() if is_packed(kind)]
    rest = [name for name in signature if name not in packs]
    source = (f"def {function.__name__}({', '.join(['table', *rest])}):\n    {', '.join(packs)}, = _unpack(table)\n"
              f"    return _inner({', '.join(signature)})\n")
    space = {"_inner": called, "_unpack": unpacker([signature[name] for name in packs]), "__name__": function.__module__}
    exec(compile(source, function.__code__.co_filename, "exec"), space)
    return njit(no_cfunc_wrapper=True, pipeline_class=LeanCompiler, **_OPTIONS)(space[function.__name__])
