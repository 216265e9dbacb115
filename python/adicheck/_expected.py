# SPDX-License-Identifier: Apache-2.0
"""The values that an object should have, and what it shows by each protocol."""

import struct

from . import _core
from ._core import as_cuda_array, from_arrow, from_dlpack
from ._trial import Shown

# By protocol; of Arrow's it is one rule.
_ARROW = "array/data-differs"
RULES = {"dlpack": "dlpack/data-differs", "cuda_array_interface": "cai/data-differs",
         "array_interface": "array-interface/data-differs", "buffer": "buffer/data-differs",
         "arrow_c_array": _ARROW, "arrow_c_device_array": _ARROW, "arrow_c_stream": _ARROW,
         "arrow_c_device_stream": _ARROW}
# By kind and bytes, as the module struct has them.
_FORMATS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
            "f2": "e", "f4": "f", "f8": "d", "b1": "?", "c8": "ff", "c16": "dd"}


def _of_arrow(obj, protocol):
    return from_arrow(Shown(**{protocol: getattr(obj, f"__{protocol}__")})).to_pylist()


def _of_dlpack(obj, _expected):
    return from_dlpack(Shown(dlpack=obj.__dlpack__,
                             dlpack_device=obj.__dlpack_device__)).to_pylist()


def _of_cuda(obj, _expected):
    return as_cuda_array(Shown(cuda_array_interface=obj.__cuda_array_interface__)).to_pylist()


def _of_buffer(obj, _expected):
    with memoryview(obj) as view:
        return view.tolist()


# ---- the argument ----

_ONE = bool, int, float, complex, dict, type(None)


def _plain(value):
    """Whatever is a sequence or an array, as lists."""
    if isinstance(value, (list, tuple, range)):
        return [_plain(item) for item in value]
    for name in ("tolist", "to_pylist"):
        if hasattr(value, name):
            return _plain(getattr(value, name)())
    return value


def values_of(expected):
    """The argument as a value, or lists. TypeError: it is neither."""
    values = _plain(expected)
    if isinstance(values, (list, *_ONE)):
        return values
    raise TypeError(f"expected is {expected!r}: pass a list, as to_pylist() gives it, an array with "
                    "tolist() or to_pylist(), or one number; one text, or bytes, in a list")


# ---- what is shown ----

class _Differs(Exception):
    """What it shows cannot be as expected, and is not read."""


def _bytes(at, size):
    """An address may lead anywhere."""
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            memory.seek(at)
            return memory.read(size)
    except (OSError, OverflowError, ValueError):
        raise _Differs(f"{size} bytes at {at:#x}, where nothing can be read") from None


def _items(typestr, at, shape, strides):
    if not shape:
        order, size = typestr[0].replace("|", "="), int(typestr[2:])
        found = struct.unpack(order + _FORMATS[typestr[1:]], _bytes(at, size))
        return found[0] if len(found) == 1 else complex(*found)
    return [_items(typestr, at + i * strides[0], shape[1:], strides[1:]) for i in range(shape[0])]


def _shape_of(values):
    if not isinstance(values, (list, tuple)):
        return ()
    return (len(values), *(_shape_of(values[0]) if values else ()))


def _of_array(obj, expected):
    described = obj.__array_interface__
    if described.get("mask") is not None or not isinstance(described.get("data"), tuple):
        raise NotImplementedError("what is no pointer to memory without a mask")
    typestr, shape, strides = (described.get(name) for name in ("typestr", "shape", "strides"))
    wanted = _shape_of(expected)
    told = tuple(shape)[:len(wanted)] if 0 in wanted else tuple(shape)
    if told != wanted and told != (1, *wanted):
        raise _Differs(f"the shape {tuple(shape)}")
    if strides is None:
        strides, size = [], int(typestr[2:])
        for length in shape[::-1]:
            strides.insert(0, size)
            size *= length
    return _items(typestr, described["data"][0], shape, strides)


_READ = {"dlpack": _of_dlpack, "cuda_array_interface": _of_cuda, "array_interface": _of_array,
         "buffer": _of_buffer}


def _is_same(a, b):
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_is_same, a, b))
    return a == b or (a != a and b != b)


def compare(make, protocol, expected, strict, known):
    """Rows, as judge() gives them. What cannot be read is judged by other rules."""
    rule, seen = RULES[protocol], []
    try:
        values = _READ[protocol](make(), expected) if protocol in _READ else \
            _of_arrow(make(), protocol)
        one = values if isinstance(expected, (list, tuple)) or not isinstance(values, list) else \
            values[0] if len(values) == 1 else values
        shown = None if _is_same(one, expected) else repr(one)
    except _Differs as differs:
        shown = str(differs)
    except Exception:
        return []
    if shown is not None:
        seen.append((rule, f"__{protocol}__ shows other values than were expected"
                     if protocol != "buffer" else "the buffer has other values than were expected",
                     shown[:200], repr(expected)[:200]))
    return _core.tell(f"own/own/{protocol}", "", [rule], seen, strict, known, True)
