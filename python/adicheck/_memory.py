# SPDX-License-Identifier: Apache-2.0
"""The items of memory that a dictionary or a buffer describes, as lists."""

import struct

# By kind and bytes of typestr, as the module struct has them.
_FORMATS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
            "f2": "e", "f4": "f", "f8": "d", "b1": "?", "c8": "ff", "c16": "dd"}
# Of buffers, that struct does not know.
_COMPLEX = {"Zf": "ff", "Zd": "dd"}


class Nowhere(Exception):
    """There is nothing where it leads."""


def _bytes(at, size):
    """An address may lead anywhere."""
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            memory.seek(at)
            return memory.read(size)
    except (OSError, OverflowError, ValueError):
        raise Nowhere(f"{size} bytes at {at:#x}, where nothing can be read") from None


def _one(found):
    return found[0] if len(found) == 1 else complex(*found)


def _nested(shape, strides, at, item):
    if not shape:
        return item(at)
    return [_nested(shape[1:], strides[1:], at + i * strides[0], item) for i in range(shape[0])]


def _compact(shape, size):
    strides = []
    for length in shape[::-1]:
        strides.insert(0, size)
        size *= length
    return strides


def of_dictionary(described):
    """Those of an array interface, whose data is a pointer to memory of the host."""
    typestr, shape, strides = (described.get(name) for name in ("typestr", "shape", "strides"))
    if typestr[1:] not in _FORMATS:
        raise NotImplementedError(f"items of the type {typestr!r}")
    format, size = typestr[0].replace("|", "=") + _FORMATS[typestr[1:]], int(typestr[2:])
    return _nested(shape, _compact(shape, size) if strides is None else strides,
                   described["data"][0], lambda at: _one(struct.unpack(format, _bytes(at, size))))


def of_view(view):
    """Those of a memoryview, also of formats that it has no list of."""
    try:
        return view.tolist()
    except NotImplementedError:
        return _of_format(view)


def _of_format(view):
    order, rest = ("@", view.format) if view.format[:1] not in "@=<>!" else \
        (view.format[0], view.format[1:])
    format, raw = order + _COMPLEX.get(rest, rest), view.tobytes()
    if not (len(rest) == 1 or rest in _COMPLEX) or struct.calcsize(format) != view.itemsize:
        raise NotImplementedError(f"items of the format {view.format!r}")
    return _nested(view.shape, _compact(view.shape, view.itemsize), 0,
                   lambda at: _one(struct.unpack_from(format, raw, at)))


def flat(values):
    if not isinstance(values, list):
        return [values]
    return [item for row in values for item in flat(row)]


def shaped(values, shape):
    """Flat values, as lists of that shape."""
    return _nested(shape, _compact(shape, 1), 0, lambda at: values[at])


def of_pairs(described, read):
    """Complex numbers, flat, by what reads a dictionary of none: each is two, side by side."""
    typestr, size = described["typestr"], int(described["typestr"][2:]) // 2
    strides = described.get("strides")
    parts = flat(read({**described, "typestr": f"{typestr[0]}f{size}",
                       "shape": (*described["shape"], 2),
                       "strides": None if strides is None else (*strides, size)}))
    return [complex(*pair) for pair in zip(parts[::2], parts[1::2])]


def of_tensor(host):
    """Those of an Array in memory of the host, that DLPack describes."""
    try:
        view = memoryview(host)
    except TypeError:  # what has no format of a buffer
        return of_dictionary(host.__array_interface__)
    with view:
        return of_view(view)
