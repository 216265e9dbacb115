# SPDX-License-Identifier: Apache-2.0
"""What a consumer gives back of what it has read: as an array, a stream, or lists."""

from . import _core
from ._build import build
from ._core import Array, Stream, as_cuda_array, from_dlpack
from ._protocols import ARROW, BUFFER, EXCHANGE, STREAMS, has
from ._tensors import tensor
from ._trial import Shown
from ._values import family, is_same_type, represent, represent_stream


# What was given has fewer rows by far, and a stream need not have an end.
_MOST = 2000


def _read(obj):
    """All that it shows, or more than it can have read."""
    made, goes_on = _core.read_some(obj, _MOST, _MOST)
    if goes_on and len(made.to_pylist()) < _MOST:
        raise ValueError(f"use() gave a stream of more than {_MOST} chunks")
    return made


def as_array(obj):
    """Whatever a consumer gives back of what it read."""
    if isinstance(obj, Array):
        return obj
    if any(hasattr(obj, f"__{name}__") for name in ARROW):
        made = _read(obj)
        if isinstance(made, Stream):
            made = _one(made)
        if isinstance(made, Array):
            return made
    if hasattr(obj, "__dlpack__") or hasattr(type(obj), f"__{EXCHANGE}__"):
        return from_dlpack(obj)
    if hasattr(obj, "__cuda_array_interface__"):
        made = as_cuda_array(obj)
        is_scalar = obj.__cuda_array_interface__["shape"] == ()
        return tensor(made.to_pylist()[0], made.type) if is_scalar else made
    raise TypeError(f"use() gave {obj!r}, which exports nothing; it may be None")


def _one(stream):
    """All chunks as one array."""
    if len(stream.chunks) == 1:
        return stream.chunks[0]
    values = stream.to_pylist()
    return _core.array(stream.type, build(stream.type, values), "cpu", None, 3)


def as_stream(obj):
    """The same of a stream."""
    if isinstance(obj, Stream):
        return obj
    if not isinstance(obj, Array):
        streams = [name for name in (*STREAMS, *ARROW) if hasattr(obj, f"__{name}__")]
        if not streams:
            raise TypeError(f"use() gave {obj!r}, which exports nothing; it may be None")
        method = getattr(obj, f"__{streams[0]}__")
        obj = _read(Shown(**{streams[0]: method}))
    return obj if isinstance(obj, Stream) else _core.stream(obj.type, [obj], obj.device)


# A library may have types of its own for these, and other values in them.
_COARSE = {**dict.fromkeys("cCsSiIlLefgd", "numbers"), "t": "times"}


def _kind(schema):
    if schema.dictionary is not None:
        return _kind(schema.dictionary)
    if schema.format == "+r":
        return _kind(schema.children[1])
    return (_COARSE.get(schema.format[0]) or family(schema)[0], *map(_kind, schema.children))


def _is_of_rows(values):
    """A table has no struct that is null: it has a row of nulls then."""
    return None not in values and \
        any(all(item is None for item in value.values()) for value in values)


def as_given(obj, wanted, is_stream):
    """What a consumer gives back as an array, or a stream. If that is another representation of
    what it was given, it is in that type; None: it is of a type of its own, and not to be compared
    (docs/ambiguities.md, 104)."""
    if obj is None:
        return None
    made = as_stream(obj) if is_stream else as_array(obj)
    if is_stream and made.type.format == "+s" and _is_of_rows(made.to_pylist()):
        return None
    if wanted is None or is_same_type(made.type, wanted) or _kind(made.type) != _kind(wanted):
        return made
    if made.device != "cpu" or family(made.type) != family(wanted):
        return None
    request = wanted.__arrow_c_schema__()
    return represent_stream(made, request) if is_stream else represent(made, request)


def values_of(obj):
    """The same as lists: of what exports nothing of Arrow's or DLPack's, too."""
    if isinstance(obj, list):
        return obj
    others = [name for name in (*ARROW, "dlpack", "cuda_array_interface") if has(obj, name)]
    if has(obj, BUFFER) and not isinstance(obj, Array):
        try:
            with memoryview(obj) as view:
                return view.tolist()
        except Exception:  # what is on a device may have the slot, and refuse
            if not others:
                raise
    if others == ["cuda_array_interface"]:
        return as_cuda_array(obj).to_pylist()
    return as_array(obj).to_pylist()
