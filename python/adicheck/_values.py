# SPDX-License-Identifier: Apache-2.0
"""Values of Python as arrays of Arrow, and back.

A tree is what _core makes arrays of: (length, null_count, offset, buffers, children, dictionary).
Dates and times are the numbers that are stored, decimals the integers without their scale, values
of unions pairs (type id, value).
"""

import itertools
import struct
import sys

from . import _core
from ._build import build
from ._memory import of_dictionary
from ._types import field

_LETTERS = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q",
            "e": "e", "f": "f", "g": "d", "tiD": "2i", "tin": "2iq"}


def bits(bitmap, start, count):
    """The bits of a bitmap as bools; without one, all are set."""
    if bitmap is None:
        return [True] * count
    return [bool(bitmap[i // 8] >> i % 8 & 1) for i in range(start, start + count)]


def _numbers(letter, buffer, start, count):
    if buffer is None:
        return []
    return struct.unpack_from(f"={count}{letter}", buffer, start * struct.calcsize("=" + letter))


# ---- reading ----


def _read_fixed(schema, tree, width):
    length, _, offset, (_, buffer), _, _ = tree
    format = schema.format
    if width == 1:
        return bits(buffer or b"", offset, length) if length else []
    size = width // 8
    items = [(buffer or b"")[(offset + i) * size:(offset + i + 1) * size] for i in range(length)]
    if format.startswith("w:"):
        return items
    letter = _LETTERS.get(format)
    if letter is None:  # decimals, and what is stored as integers
        return [int.from_bytes(item, sys.byteorder, signed=True) for item in items]
    read = [struct.unpack("=" + letter, item) for item in items]
    return read if len(letter) > 1 else [value for value, in read]


def _read_bytes(schema, tree, width):
    length, _, offset, (_, offsets, data), _, _ = tree
    ends = _numbers("i" if width == 32 else "q", offsets, offset, length + 1) if length else (0,)
    return [(data or b"")[a:b] for a, b in itertools.pairwise(ends)]


def _read_views(schema, tree):
    length, _, offset, buffers, _, _ = tree
    found = []
    for i in range(offset, offset + length):
        view = buffers[1][16 * i:16 * i + 16]
        size, _, index, start = struct.unpack("=i4sii", view)
        found.append(view[4:4 + size] if size <= 12 else buffers[2 + index][start:start + size])
    return found


def _read_lists(schema, tree, layout, width, size):
    length, _, offset, buffers, children, _ = tree
    letter = "i" if width == 32 else "q"
    if layout == "fixed_list":
        ranges = [(i * size, size) for i in range(offset, offset + length)]
    elif layout == "list":
        ends = _numbers(letter, buffers[1], offset, length + 1) if length else ()
        ranges = [(a, b - a) for a, b in itertools.pairwise(ends)]
    else:
        ranges = list(zip(_numbers(letter, buffers[1], offset, length),
                          _numbers(letter, buffers[2], offset, length)))
    child = read(schema.children[0], children[0])
    if schema.format == "+m":
        child = [tuple(entry.values()) for entry in child]
    return [child[start:start + count] for start, count in ranges]


def _read_structs(schema, tree):
    length, _, offset, _, children, _ = tree
    columns = [read(s, t)[offset:offset + length] for s, t in zip(schema.children, children)]
    names = [child.name for child in schema.children]
    return [dict(zip(names, row)) for row in zip(*columns)] if columns else [{}] * length


def _read_unions(schema, tree, layout, ids):
    length, _, offset, buffers, children, _ = tree
    columns = dict(zip(ids, (read(s, t) for s, t in zip(schema.children, children))))
    chosen = _numbers("b", buffers[0], offset, length)
    at = range(offset, offset + length)
    if layout == "dense_union":
        at = _numbers("i", buffers[1], offset, length)
    return [(id, columns[id][i]) for id, i in zip(chosen, at)]


def _read_runs(schema, tree):
    length, _, offset, _, children, _ = tree
    ends, values = (read(s, t) for s, t in zip(schema.children, children))
    runs = zip([0, *ends], ends, values)
    whole = [value for start, end, value in runs for _ in range(start, end)]
    return whole[offset:offset + length]


def read(schema, tree):
    """The values of a tree, as a list."""
    length, _, offset, buffers, _, dictionary = tree
    layout, width, size, ids = schema._layout
    if layout == "null":
        return [None] * length
    if layout == "run_end":
        return _read_runs(schema, tree)
    if layout.endswith("union"):
        return _read_unions(schema, tree, layout, ids)
    if layout == "fixed":
        values = _read_fixed(schema, tree, width)
    elif layout == "binary":
        values = _read_bytes(schema, tree, width)
    elif layout == "view":
        values = _read_views(schema, tree)
    elif layout == "struct":
        values = _read_structs(schema, tree)
    else:
        values = _read_lists(schema, tree, layout, width, size)
    valid = bits(buffers[0], offset, length)
    if schema.format in ("u", "U", "vu"):
        values = [value.decode(errors="surrogateescape") for value in values]
    if dictionary is not None:
        words = read(schema.dictionary, dictionary)
        values = [words[index] if there else None for index, there in zip(values, valid)]
    return [value if there else None for value, there in zip(values, valid)]


def to_pylist(array):
    """The values of an array, or of the chunks of a stream."""
    if isinstance(array, _core.Stream):
        return [value for chunk in array.chunks for value in to_pylist(chunk)]
    try:
        return read(array.type, _core.tree(array))
    except NotImplementedError:  # a tensor of a type that Arrow lacks
        shown = _core.from_dlpack(array, device="cpu")
        if not hasattr(shown, "__array_interface__"):
            raise
        values = of_dictionary(shown.__array_interface__)
        return values if isinstance(values, list) else [values]


# ---- which type ----

_KINDS = [(bool, "b"), (int, "l"), (float, "g"), (str, "u"), (bytes, "z")]


def infer(values, name=""):
    """The type that values have."""
    there = [value for value in values if value is not None]
    if not there:
        return field("n", name)
    if all(isinstance(value, dict) for value in there):
        keys = dict.fromkeys(key for value in there for key in value)
        columns = [infer([value.get(key) for value in there], key) for key in keys]
        return field("+s", name, columns)
    if all(isinstance(value, (list, tuple)) for value in there):
        return field("+l", name, [infer([item for value in there for item in value], "item")])
    found = {next((format for kind, format in _KINDS if isinstance(value, kind)), None)
             for value in there}
    if found == {"l", "g"}:
        found = {"g"}
    if len(found) != 1 or None in found:
        raise TypeError(f"no one type has all of {values!r}: name it")
    format = found.pop()
    if format == "l" and max(there) >= 1 << 63:
        format = "L"
    return field(format, name)


def is_same(a, b):
    """Are these values the same? NaN is."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_same(a[key], b[key]) for key in a)
    return a == b or (a != a and b != b)


# ---- what a consumer asks for ----

_FAMILIES = {letter: family for family, letters in
             {"integers": "cCsSiIlL", "floats": "efg"}.items() for letter in letters}
_FAMILIES.update({"u": "text", "U": "text", "vu": "text", "z": "bytes", "Z": "bytes",
                  "vz": "bytes", "+l": "lists", "+L": "lists", "+vl": "lists", "+vL": "lists"})


def family(schema):
    """What all representations of the same data have in common."""
    if schema.dictionary is not None:
        return family(schema.dictionary)
    if schema.format == "+r":
        return family(schema.children[1])
    kind = "lists" if schema.format.startswith("+w:") else _FAMILIES.get(schema.format)
    return (kind or schema.format, *(family(child) for child in schema.children))


def represent(array, capsule):
    """The same values as `capsule` asks for. It is for choosing among representations of the same
    data; what they cannot be is ValueError, and what is not to be had without a loss, or not where
    the data is, is `array` itself. PyCapsule interface, "Schema Requests"."""
    schema = _core.copy_schema(capsule)
    if family(schema) != family(array.type):
        raise ValueError(f"data of the type {array.type!r} cannot be {schema!r}")
    if array.device != "cpu":
        return array
    values = to_pylist(array)
    try:
        made = _core.array(schema, build(schema, values), "cpu", array.protocols, 3)
    except (struct.error, ValueError, OverflowError):
        return array
    return made if is_same(to_pylist(made), values) else array


def represent_stream(stream, capsule):
    """The same of a stream, all of whose chunks are of one type."""
    schema = _core.copy_schema(capsule)
    if family(schema) != family(stream.type):
        raise ValueError(f"data of the type {stream.type!r} cannot be {schema!r}")
    chunks = [represent(chunk, schema.__arrow_c_schema__()) for chunk in stream.chunks]
    if stream.device != "cpu" or not all(is_same_type(chunk.type, schema) for chunk in chunks):
        return stream
    return _core.stream(schema, chunks, stream.device)


def is_same_type(a, b):
    return a.format == b.format and len(a.children) == len(b.children) and \
        all(map(is_same_type, a.children, b.children)) and \
        (a.dictionary is None) == (b.dictionary is None) and \
        (a.dictionary is None or is_same_type(a.dictionary, b.dictionary))
