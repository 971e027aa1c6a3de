"""Tables of addresses: groups of arrays as one array of whole numbers, and back within compiled functions."""

from functools import cache

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array


def is_packed(kind) -> bool:
    """Whether a parameter is arrays and nothing else."""
    if isinstance(kind, types.BaseTuple):
        return all(is_packed(one) for one in kind.types)
    return isinstance(kind, types.Array)


_dtype_of = cache(numba.np.numpy_support.as_dtype)


def fits(given, kind) -> bool:
    """Whether arrays are of the declared types, dimensions and layout; kernels do not mind which may be written."""
    if isinstance(kind, types.BaseTuple):
        return isinstance(given, tuple) and len(given) == len(kind.types) and all(map(fits, given, kind.types))
    return given.ndim == kind.ndim and given.dtype == _dtype_of(kind.dtype) and given.flags.c_contiguous


def table_of(groups) -> np.ndarray:
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


def unpacker(kinds: list[types.Type]):
    """A function for kernels that turns a table of `table_of` into arrays and groups of these types."""
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
