# SPDX-License-Identifier: Apache-2.0
"""Tensors of nested lists, laid out in memory as strides say."""

import itertools
import struct
import sys

from . import _core
from ._build import packed

# DLPack's code and bits, and what packs an element.
_BFLOAT = "bfloat16"
TYPES = {"bool": (6, 8, "?"), "complex64": (5, 64, "2f"), "complex128": (5, 128, "2d"),
         "bfloat16": (4, 16, _BFLOAT)}
for _bits, _letter in (8, "b"), (16, "h"), (32, "i"), (64, "q"):
    TYPES[f"int{_bits}"] = 0, _bits, _letter
    TYPES[f"uint{_bits}"] = 1, _bits, _letter.upper()
for _bits, _letter in (16, "e"), (32, "f"), (64, "d"):
    TYPES[f"float{_bits}"] = 2, _bits, _letter

_OF_FORMAT = {packing: name for name, (_, _, packing) in TYPES.items()}
_OF_FORMAT.update({"l": "int64", "L": "uint64"} if struct.calcsize("l") == 8 else {})


def _shape(data):
    if not isinstance(data, (list, tuple)):
        return ()
    shapes = {_shape(item) for item in data}
    if len(shapes) > 1:
        raise ValueError("lists of different lengths are no tensor")
    return (len(data), *(shapes.pop() if shapes else ()))


def _flat(data):
    if not isinstance(data, (list, tuple)):
        return [data]
    return [value for item in data for value in _flat(item)]


def _guess(values):
    for kind, name in (bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128"):
        if all(isinstance(value, (kind, int) if kind is float else kind) for value in values):
            return name if values else "float64"
    raise TypeError(f"no one type has all of {values!r}: name it")


def _pack(name, value):
    _, _, packing = TYPES[name]
    if packing == _BFLOAT:
        half = slice(2, 4) if sys.byteorder == "little" else slice(0, 2)
        return packed("=f", value)[half]
    if packing in ("2f", "2d"):
        value = complex(value)
        return packed("=" + packing, value.real, value.imag)
    return packed("=" + packing, value)


def _elements(data, dtype):
    """The bytes of each element, row-major; shape; name of the type."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        view = memoryview(data)
        name = dtype or _OF_FORMAT.get(view.format.lstrip("@="))
        raw, size = view.tobytes(), TYPES[name][1] // 8 if name in TYPES else 0
        if not size or len(raw) % size:
            raise ValueError(f"bytes of the format {view.format!r} are no elements of {name!r}")
        shape = view.shape if view.itemsize == size else (len(raw) // size,)
        return [raw[i:i + size] for i in range(0, len(raw), size)], shape, name
    values = _flat(data)
    name = dtype or _guess(values)
    if name not in TYPES:
        raise ValueError(f"{name!r} is no type; there are {', '.join(sorted(TYPES))}")
    return [_pack(name, value) for value in values], _shape(data), name


def _compact(shape):
    strides = itertools.accumulate(reversed(shape[1:]), lambda a, b: a * b, initial=1)
    return tuple(reversed(list(strides))) if shape else ()


def tensor(data, dtype=None, *, strides=None, byte_offset=0, device="cpu", protocols=None):
    """Memory of a device that DLPack describes; see the stubs."""
    try:
        items, shape, name = _elements(data, dtype)
    except RecursionError:
        raise ValueError("lists are nested too deep") from None
    code, bits, _ = TYPES[name]
    size = bits // 8
    strides = _compact(shape) if strides is None else tuple(strides)
    if len(strides) != len(shape):
        raise ValueError(f"{len(strides)} strides for {len(shape)} dimensions")
    if byte_offset < 0:
        raise ValueError(f"byte_offset is {byte_offset}")
    reach = [(n - 1) * stride for n, stride in zip(shape, strides)] if items else [0]
    low, high = (sum(f(0, r) for r in reach) * size for f in (min, max))
    front = max(byte_offset, -low)
    memory = bytearray(b"\xa5" * (front + high + size))
    for index, item in zip(itertools.product(*map(range, shape)), items):
        at = front + size * sum(i * stride for i, stride in zip(index, strides))
        memory[at:at + size] = item
    return _core.tensor(bytes(memory), (code, bits, 1), shape, strides, front, device, protocols)
