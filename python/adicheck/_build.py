# SPDX-License-Identifier: Apache-2.0
"""Trees of arrays, made of a type and a list of values; see _values.py, which reads them."""

import itertools
import struct
import sys

from ._types import NULLABLE

_LETTERS = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q",
            "e": "e", "f": "f", "g": "d"}
_TUPLES = {"tiD": "=2i", "tin": "=2iq"}


def _bitmap(flags):
    flags = list(flags)
    bitmap = bytearray((len(flags) + 7) // 8)
    for i, flag in enumerate(flags):
        bitmap[i // 8] |= bool(flag) << i % 8
    return bytes(bitmap)


def packed(format, *values):
    """As struct does; ValueError: a number is too large, TypeError: a value is no such number."""
    try:
        return struct.pack(format, *values)
    except OverflowError as error:
        raise ValueError(f"{format}: {error}") from None
    except struct.error as error:
        is_number = all(isinstance(value, (int, float)) or hasattr(value, "__index__")
                        for value in values)
        is_whole = all(hasattr(value, "__index__") for value in values) or format[-1] in "efd"
        raise (ValueError if is_number and is_whole else TypeError)(str(error)) from None


def _pack(letter, values):
    values = list(values)
    return packed(f"={len(values)}{letter}", *values)


def _default(schema):
    """What stands where a value is null, and nobody looks."""
    layout, width, size, ids = schema._layout
    if layout == "fixed":
        if schema.format in _TUPLES:
            return (0,) * len(_TUPLES[schema.format].replace("2i", "ii")[1:])
        return bytes(width // 8) if schema.format.startswith("w:") else 0
    if layout.endswith("union"):
        return (ids[0], None)
    if layout == "struct":
        return {}
    if layout == "fixed_list":
        return [None] * size
    return "" if schema.format in ("u", "U", "vu") else b"" if layout in ("binary", "view") else []


def _number(value, size):
    if not isinstance(value, int):
        raise TypeError(f"an integer is wanted, and not {value!r}")
    try:
        return value.to_bytes(size, sys.byteorder, signed=True)
    except OverflowError:
        raise ValueError(f"{value} does not fit into {size} bytes") from None


def _fixed(schema, values, width):
    if width == 1:
        return _bitmap(values)
    if schema.format in _LETTERS:
        return _pack(_LETTERS[schema.format], values)
    if schema.format in _TUPLES:
        return b"".join(packed(_TUPLES[schema.format], *value) for value in values)
    if not schema.format.startswith("w:"):
        return b"".join(_number(value, width // 8) for value in values)
    for value in values:
        if len(value) != width // 8:
            raise ValueError(f"{value!r} has not {width // 8} bytes")
    return b"".join(values)


def _sums(counts):
    return list(itertools.accumulate(counts, initial=0))


def _views(values):
    data, views = b"", []
    for value in map(memoryview, values):
        if len(value) <= 12:
            views.append(struct.pack("=i12s", len(value), value.tobytes()))
        else:
            views.append(struct.pack("=i4sii", len(value), value[:4].tobytes(), 0, len(data)))
            data += value
    if not data:
        return b"".join(views), _pack("q", [])
    return b"".join(views), data, _pack("q", [len(data)])


def _columns(schema, values):
    """The values of each child of a struct; rows are dicts by name, or tuples by place."""
    names = [child.name for child in schema.children]
    rows = []
    for value in values:
        if isinstance(value, dict):
            unknown = set(value) - set(names)
            if unknown:
                raise ValueError(f"no child is named {unknown.pop()!r}")
            rows.append([value.get(name) for name in names])
        elif len(value) == len(names):
            rows.append(value)
        else:
            raise ValueError(f"{value!r} has not {len(names)} items")
    return [[row[i] for row in rows] for i in range(len(names))]


def _union(schema, values, layout, ids):
    for value in values:
        if not isinstance(value, tuple) or len(value) != 2 or value[0] not in ids:
            raise ValueError(f"a value of a union is (type id, value), and not {value!r}")
    types = _pack("b", (id for id, _ in values))
    if layout == "sparse_union":
        columns = [[value if id == own else None for id, value in values] for own in ids]
        buffers = types,
    else:
        columns = [[value for id, value in values if id == own] for own in ids]
        counts = {id: itertools.count() for id in ids}
        buffers = types, _pack("i", (next(counts[id]) for id, _ in values))
    children = tuple(build(s, c, False) for s, c in zip(schema.children, columns))
    return len(values), 0, 0, buffers, children, None


def _runs(schema, values):
    runs = [list(group) for _, group in itertools.groupby(values, key=repr)]
    ends = _sums(map(len, runs))[1:]
    children = build(schema.children[0], ends), build(schema.children[1], [r[0] for r in runs])
    return len(values), 0, 0, (), children, None


def _encoded(schema, values, validity, nulls):
    """Dictionary-encoded: each value once, and where it stands."""
    words, places = {}, []
    for value in values:
        places.append(0 if value is None else words.setdefault(repr(value), (len(words), value))[0])
    dictionary = build(schema.dictionary, [value for _, value in words.values()])
    letter = _LETTERS[schema.format]
    return len(values), nulls, 0, (validity, _pack(letter, places)), (), dictionary


def _texts(values):
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"a text is wanted, and not {value!r}")
    return [value.encode(errors="surrogateescape") for value in values]


def build(schema, values, strict=True):
    """The tree of `values`. `strict`: no value is None where the type is not nullable."""
    layout, width, size, ids = schema._layout
    values = list(values)
    if layout == "null":
        if any(value is not None for value in values):
            raise ValueError("all values of the type null are None")
        return len(values), len(values), 0, (), (), None
    if layout == "run_end":
        return _runs(schema, values)
    if layout.endswith("union"):
        return _union(schema, [_default(schema) if v is None else v for v in values], layout, ids)
    nulls = sum(value is None for value in values)
    if nulls and strict and not schema.flags & NULLABLE:
        raise ValueError(f"{schema!r} is not nullable, and a value is None")
    validity = _bitmap(value is not None for value in values) if nulls else None
    if schema.dictionary is not None:
        return _encoded(schema, values, validity, nulls)
    default = _default(schema)
    filled = [default if value is None else value for value in values]
    if schema.format in ("u", "U", "vu"):
        filled = _texts(filled)
    letter = "i" if width == 32 else "q"
    children = ()
    if layout == "fixed":
        buffers = _fixed(schema, filled, width),
    elif layout == "binary":
        buffers = _pack(letter, _sums(map(len, filled))), b"".join(filled)
    elif layout == "view":
        buffers = _views(filled)
    elif layout == "struct":
        buffers = ()
        children = tuple(build(s, c, not nulls)
                         for s, c in zip(schema.children, _columns(schema, filled)))
    else:
        if schema.format == "+m":
            filled = [list(v.items()) if isinstance(v, dict) else v for v in filled]
        if layout == "fixed_list" and any(len(value) != size for value in filled):
            raise ValueError(f"a list has not {size} items")
        sums = _sums(map(len, filled))
        buffers = {"list": (_pack(letter, sums),), "fixed_list": ()}.get(
            layout, (_pack(letter, sums[:-1]), _pack(letter, map(len, filled))))
        items = [item for value in filled for item in value]
        children = build(schema.children[0], items, not nulls),
    return len(values), nulls, 0, (validity, *buffers), children, None
